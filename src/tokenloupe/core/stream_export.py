"""A run as a table for a page (Markdown), for a spreadsheet (CSV), or as one web page that plays by itself (HTML).

    >>> print(markdown(run))            # for an issue or slides
    >>> print(html_page(run))           # no file beside it, no network, works with keys and screen readers

The animated picture is made where pictures are made: views/stream_picture.py.
"""

from __future__ import annotations

import html
import json
import re
from typing import Any

from .csv_text import csv_rows
from .stream_lanes import Lane, Run
from .wording import count_of

#: What one cannot see in a table cell, by a sign one can.
_SIGNS = {"\n": "↵", "\r": "␍", "\t": "⇥", "\u00a0": "[NBSP]", "\u200b": "[ZWSP]", "\u200d": "[ZWJ]",
          "\ufe0f": "[VS16]"}
#: A page with more steps than this is too heavy to open on slides.
LONGEST_PAGE = 20_000


def visible(text: str) -> str:
    """A text on one line with nothing invisible in it; spaces at its ends are ␣."""
    core = text.strip(" ")
    left = len(text) - len(text.lstrip(" "))
    right = len(text) - left - len(core) if core else 0
    out = "".join(_SIGNS.get(c, c if c.isprintable() or c == " " else f"[U+{ord(c):04X}]") for c in core)
    return "␣" * left + out + "␣" * right


def rows(run: Run) -> list[dict[str, Any]]:
    """One dict a step: {"step", "ms", "id", "token", "bytes", "lanes": {policy: StepView}}; the last is the end."""
    run.compute()
    out = []
    for step in range(run.steps):
        index = run.token_of(step)
        ended = index == len(run.stream)
        out.append({
            "step": step + 1, "ms": round(run.time_of(step), 3), "id": _id(run, index),
            "token": "end of the stream" if ended else run.stream.label(index),
            "bytes": b"" if ended else run.stream.pieces[index],
            "lanes": {lane.name: run.view(lane, step + 1) for lane in run.lanes},
        })
    return out


def _id(run: Run, index: int) -> int | None:
    return run.stream.ids[index] if run.stream.ids is not None and index < len(run.stream) else None


def causes(run: Run, lane: Lane) -> dict[str, int]:
    """How many U+FFFD a lane shows, by kind of cause."""
    out: dict[str, int] = {}
    for mark in run.replacements(lane, run.steps):
        kind = run.cause(mark).kind
        out[kind] = out.get(kind, 0) + 1
    return out


def markdown(run: Run) -> str:
    """Two tables: what each policy shows after each token (⟨held bytes⟩ after it), and how each of them ends."""
    lines = [f"**{_cell(run.stream.name)}**: {run.tokens} tokens"
             + (f"; stops at {', '.join(_cell(repr(s)) for s in run.stops)}" if run.stops else ""), ""]
    names = [lane.name for lane in run.lanes]
    lines += [_line(["#", "token", "bytes", *names]), _line(["--:", *["---"] * (len(names) + 2)])]
    for row in rows(run):
        cells = []
        for view in row["lanes"].values():
            held = f" ⟨{view.held.hex(' ').upper()}⟩" if view.held else ""
            waits = f" ⟨{_cell(visible(view.stop_held))}⟩" if view.stop_held else ""
            cells.append(_cell(visible(view.emitted)) + held + waits)
        lines.append(_line([str(row["step"]), _cell(visible(row["token"])), row["bytes"].hex(" ").upper(), *cells]))
    lines += ["", _line(["policy", "in the end", "U+FFFD", "longest delay", "verdict"]), _line(["---"] * 5)]
    for lane in run.lanes:
        kinds = ", ".join(f"{n} {kind}" for kind, n in sorted(causes(run, lane).items())) or "none"
        text = _cell(visible(run.view(lane, run.steps).visible))
        longest = max(lane.delays, default=0)
        lines.append(_line([lane.name, text, kinds, count_of(longest, "token"), _cell(run.verdict(lane)[1])]))
    return "\n".join(lines) + "\n"


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _cell(text: str) -> str:
    for character in "\\|`*_<>[]~#&":
        text = text.replace(character, "\\" + character)
    return text


COLUMNS = ("step", "ms", "id", "token", "bytes", "policy", "shown", "held", "stop_held", "delay_tokens", "delay_ms",
           "replacements", "note")


def csv_table(run: Run) -> str:
    """One row a step and policy, as text with LF line ends; bytes are hex, texts are exact but for the apostrophe that
    csv_text.py puts before what a spreadsheet would run as a formula. Columns: COLUMNS."""
    table: list[list[Any]] = [list(COLUMNS)]
    for row in rows(run):
        for name, view in row["lanes"].items():
            table.append([row["step"], row["ms"], row["id"], row["token"], row["bytes"].hex(), name, view.emitted,
                          view.held.hex(), view.stop_held, view.delay_tokens, round(view.delay_ms, 3),
                          view.emitted.count("\ufffd"), view.note])
    return csv_rows(table)


def page_data(run: Run) -> dict[str, Any]:
    """What the page needs, small enough to be in it."""
    steps = [
        {"t": visible(r["token"]), "b": r["bytes"].hex(" ").upper(), "ms": r["ms"],
         "l": [[v.emitted, v.held.hex(" ").upper(), v.stop_held, v.delay_tokens, v.note] for v in r["lanes"].values()]}
        for r in rows(run)
    ]
    marks = [[[m.char, run.cause(m).sentence] for m in run.replacements(lane, run.steps)] for lane in run.lanes]
    lanes = [{"name": lane.title, "about": lane.about, "end": run.verdict(lane)[1], "marks": m}
             for lane, m in zip(run.lanes, marks, strict=True)]
    return {"steps": steps, "lanes": lanes}


def html_page(run: Run, title: str = "") -> str:
    """One self-contained page: lanes, play, step, seek, the table of all steps below. Nothing is loaded from elsewhere.

    Its colours are the reader's system colours. InputError for a run of more than LONGEST_PAGE steps.
    """
    from .errors import InputError
    from .stream_page import PAGE

    if run.steps > LONGEST_PAGE:
        raise InputError(f"{run.steps:,} steps are too many for one page", todo=f"choose {LONGEST_PAGE:,} or fewer")
    data = json.dumps(page_data(run), ensure_ascii=False, separators=(",", ":"))
    for character in ("<", ">", "&", "\u2028", "\u2029"):
        data = data.replace(character, f"\\u{ord(character):04x}")
    named = html.escape(title or f"A token stream: {run.stream.name}")
    filled = {"@TITLE@": named, "@TABLE@": _html_table(run), "@DATA@": data}
    # In one pass: a token may be spelled like one of the places.
    return re.sub("|".join(filled), lambda place: filled[place[0]], PAGE)


def _html_table(run: Run) -> str:
    head = "".join(f'<th scope="col">{html.escape(lane.name)}</th>' for lane in run.lanes)
    body = []
    for row in rows(run):
        cells = "".join(
            f"<td>{html.escape(visible(v.emitted))}{_kbd(v.held.hex(' ').upper())}{_kbd(visible(v.stop_held))}</td>"
            for v in row["lanes"].values())
        body.append(f'<tr><th scope="row">{row["step"]}</th><td>{html.escape(visible(row["token"]))}</td>'
                    f"<td><code>{row['bytes'].hex(' ').upper()}</code></td>{cells}</tr>")
    return (f'<tr><th scope="col">Step</th><th scope="col">Token</th><th scope="col">Bytes</th>{head}</tr>'
            + "".join(body))


def _kbd(held: str) -> str:
    return f' <kbd title="held">{html.escape(held)}</kbd>' if held else ""
