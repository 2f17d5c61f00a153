"""`tokenloupe stream`: what readers see when tokens arrive one by one, by each way of decoding them."""

from __future__ import annotations

import argparse
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenloupe.core.errors import InputError
from tokenloupe.core.wording import count_of

from . import common

if TYPE_CHECKING:
    from tokenloupe.core.stream_lanes import Lane, Run
    from tokenloupe.core.stream_tokens import TokenStream

NAME = "stream"
HELP = "decode a stream of tokens by several policies, step by step"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from tokenloupe.core.stream_policies import POLICIES

    common.add_tokenizer_arguments(parser)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--ids", metavar="ID,..", help="token ids")
    source.add_argument("--text", metavar="T", help="the tokens of a text")
    source.add_argument("--chunks", metavar="HEX,..", help="chunks of bytes, in hex")
    source.add_argument("--recording", metavar="FILE",
                        help="a recorded stream: server-sent events or JSON lines (-: standard input)")
    source.add_argument("--scenario", metavar="NAME", help="a ready example (a wrong name lists them)")
    parser.add_argument("--policy", action="append", choices=[p.name for p in POLICIES], metavar="P",
                        help=f"{' '.join(p.name for p in POLICIES)} (default: all but shared-..)")
    parser.add_argument("--stop", action="append", metavar="S", help="a stop string, after the decoder")
    parser.add_argument("--prompt", type=int, metavar="N",
                        help="the first N tokens are the prompt: not shown, and decoders do not know them")
    parser.add_argument("--tell-prompt", action="store_true", help="decoders know the prompt")
    parser.add_argument("--skip-special", action="store_true", help="leave special tokens out of the text")
    common.add_special_arguments(parser)
    out = parser.add_mutually_exclusive_group()
    out.add_argument("--json", action="store_true", help="one JSON document")
    out.add_argument("--out", metavar="FILE", help="write the steps: .md, .csv or .html (a page that plays them)")


def run(args: argparse.Namespace) -> int:
    from tokenloupe.core.stream_lanes import Run
    from tokenloupe.core.stream_policies import DEFAULT_POLICIES
    from tokenloupe.core.stream_scenarios import scenario

    stops, chosen, primed = tuple(args.stop or ()), tuple(args.policy or ()), args.tell_prompt
    if args.scenario is not None:
        entry = scenario(args.scenario)
        stream, stops, chosen = entry.make(), stops or entry.stops, chosen or entry.policies
    else:
        stream = _stream(args)
    if args.prompt is not None:
        stream = _after_prompt(stream, args.prompt)
    chosen = chosen or DEFAULT_POLICIES
    # The stop strings and the held bytes are those of the buffered decoder, also when it is not among the chosen.
    done = Run(stream, (*chosen, "buffered"), stops, primed=primed)
    done.compute()
    if args.out is not None:
        _write(Run(stream, chosen, stops, primed=primed), args.out)
    elif args.json:
        common.print_json(report(done, chosen))
    else:
        _print(done, chosen)
    return 0


def _stream(args: argparse.Namespace) -> TokenStream:
    from tokenloupe.core import stream_sources

    if args.chunks is not None:
        return stream_sources.chunks(args.chunks)
    if args.recording is not None:
        return _recording(args.recording)
    tokenizer = common.load_tokenizer(args)
    if args.ids is not None:
        ids = stream_sources.parse_ids(args.ids)
    else:
        ids = tokenizer.encode_ids(common.argument_bytes(args.text), special=common.special_mode(args),
                                   bos_eos=args.bos_eos).tolist()
    return stream_sources.of_ids(tokenizer, ids, skip_special=args.skip_special)


def _after_prompt(stream: TokenStream, tokens: int) -> TokenStream:
    """The stream with its first tokens as the prompt."""
    from dataclasses import replace

    if not 0 <= tokens <= len(stream):
        raise InputError(f"a prompt of {count_of(tokens, 'token')} does not fit", where=f"the stream has {len(stream)}",
                         todo=f"choose a --prompt from 0 to {len(stream)}")
    return replace(stream, prompt=tokens)


def _recording(path: str) -> TokenStream:
    import sys

    from tokenloupe.core.stream_recordings import recording

    data = sys.stdin.buffer.read() if path == "-" else common.read_file(path)
    file = common.file_name(path)
    try:
        return recording(data, name=Path(file).name)
    except InputError as error:
        raise common.FileError(file, InputError(error.what, todo=error.todo)) from error


def report(run: Run, policies: tuple[str, ...]) -> dict[str, Any]:
    """The JSON document. "out", "flush" and "joined" are what decoders give out; "stop" is what is shown of it."""
    by_name = {lane.name: lane for lane in run.lanes}
    lanes = [by_name[name] for name in dict.fromkeys(policies)]
    buffered = by_name["buffered"]
    stream = run.stream
    steps = []
    for step in range(run.tokens):
        index = run.token_of(step)
        views = {lane.name: run.view(lane, step + 1) for lane in lanes}
        steps.append({
            "bytes": stream.pieces[index].hex(),
            "held": _held(run, buffered, step).hex(),
            "out": {lane.name: _given(lane, step) for lane in lanes},
            "id": None if stream.ids is None else stream.ids[index],
            "shown": {name: view.emitted for name, view in views.items()},
            "held_by": {lane.name: _held(run, lane, step).hex() for lane in lanes},
            "delay": {name: view.delay_tokens for name, view in views.items()},
            "notes": {name: view.note for name, view in views.items() if view.note},
        })
    end = run.view(buffered, run.steps)
    return {
        "source": stream.name, "policies": [lane.name for lane in lanes], "steps": steps,
        "flush": {lane.name: _given(lane, run.steps - 1) for lane in lanes},
        "joined": {lane.name: lane.text for lane in lanes},
        "stop": {"matched": end.matched, "text": end.visible, "stops": list(run.stops),
                 "by_policy": {lane.name: {"matched": lane.matched, "text": run.view(lane, run.steps).visible}
                               for lane in lanes}},
        "replacements": {lane.name: [
            {"index": m.char, "start": m.byte_start, "end": m.byte_end, "step": m.step - stream.prompt,
             "kind": (cause := run.cause(m)).kind, "cause": cause.sentence} for m in lane.marks] for lane in lanes},
        "lost": {lane.name: run.lost(lane).hex() for lane in lanes},
        "verdict": {lane.name: run.verdict(lane)[1] for lane in lanes},
        "text": run.reference, "notes": list(stream.notes),
    }


def _given(lane: Lane, step: int) -> str:
    """What a decoder gave out in a step, stop strings not considered."""
    return lane.text[lane.out_ends[step - 1] if step else 0 : lane.out_ends[step]]


def _held(run: Run, lane: Lane, step: int) -> bytes:
    """The bytes a decoder holds after a step, stop strings not considered."""
    return run.stream.data[lane.taken[step] : run.edges[run.token_of(step) + 1]]


def _write(run: Run, path: str) -> None:
    from tokenloupe.core import stream_export

    writers = {".md": stream_export.markdown, ".csv": stream_export.csv_table, ".html": stream_export.html_page}
    suffix = Path(path).suffix.lower()
    if suffix not in writers:
        raise InputError(f"{suffix or 'a file without a suffix'} is no format of this export", where="--out",
                         todo="name the file .md, .csv or .html")
    text = writers[suffix](run)
    try:
        Path(path).write_bytes(text.encode("utf-8"))
    except OSError as error:
        problem = InputError(f"cannot be written ({error.strerror})", todo="check the path and its permissions")
        raise common.FileError(path, problem) from error


def _print(run: Run, policies: tuple[str, ...]) -> None:
    from tokenloupe.core.stream_export import rows, visible

    shown = [lane for lane in run.lanes if lane.name in policies]
    table = [["step", "bytes", *[lane.name for lane in shown]]]
    for row in rows(run):
        cells = []
        for lane in shown:
            view = row["lanes"][lane.name]
            held = f" <{view.held.hex(' ')}>" if view.held else ""
            waits = f" <{visible(view.stop_held)}>" if view.stop_held else ""
            cells.append(visible(view.emitted) + held + waits)
        table.append([str(row["step"]), row["bytes"].hex(" ") or "end", *cells])
    widths = [max(_width(line[k]) for line in table) for k in range(len(table[0]))]
    for line in table:
        common.print_text("  ".join(c + " " * (w - _width(c)) for c, w in zip(line, widths, strict=True)).rstrip())
    common.print_text()
    longest = max(len(lane.name) for lane in shown)
    for lane in shown:
        view = run.view(lane, run.steps)
        stopped = f"; stopped at {view.matched!r}" if view.matched else ""
        common.print_text(f"{lane.name:<{longest}}  {visible(view.visible)}   ({run.verdict(lane)[1]}{stopped})")
    for note in run.stream.notes:
        common.print_text(f"note: {note}")


def _width(text: str) -> int:
    """Columns in a terminal, near enough: wide characters take two, combining ones none."""
    widths = (0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
    return sum(widths)
