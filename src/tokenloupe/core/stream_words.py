"""A stream in words: what a token brings, what a lane does, in sentences for an audience and for screen readers.

    >>> run = Run(TokenStream.of_chunks([b"Go\\xe2", b"\\x82\\xac\\xe2\\x86", b"\\x92"]))
    >>> token_sentence(run, 2)
    'Token 2 of 3, 82 AC E2 86: completes “€”, begins “→” (2 of its 3 bytes).'
    >>> lane_sentence(run, run.lanes[2], 2)
    'holds E2 86, the beginning of “→”; shown 1 token late (50 ms)'
"""

from __future__ import annotations

from . import utf8
from .stream_lanes import Lane, Run, StepView
from .stream_marks import parts, quoted
from .wording import count_of

#: More bytes than this are cut in a sentence.
_BYTES = 12
#: At most so many held bytes are looked through for whole characters.
_MANY = 400


def hex_bytes(data: bytes, limit: int = _BYTES) -> str:
    """`E2 82`; a long run is cut in the middle."""
    if len(data) <= limit:
        return data.hex(" ").upper()
    return f"{data[: limit // 2].hex(' ').upper()} … {data[-limit // 2 :].hex(' ').upper()}"


def short_label(piece: bytes, limit: int = 14) -> str:
    """A token's bytes for a small box: text as it is, … for bytes that are no character by themselves."""
    from .stream_export import visible

    pieces = parts(piece[: limit * 4])
    text = "".join("…" if c == "\ufffd" and piece[a:b] != b"\xef\xbf\xbd" else c for c, a, b in pieces)
    text = visible(text).replace("……", "…").replace("……", "…")
    return text if len(text) <= limit else text[: limit - 1] + "…"


def character_at(data: bytes, byte_pos: int) -> tuple[int, int, bool]:
    """(start, end, well-formed) of the character, or of the ill-formed piece, that holds a byte."""
    start = byte_pos
    while start > 0 and byte_pos - start < 3 and (data[start] & 0xC0) == 0x80:
        start -= 1
    end = start + utf8.subpart_length(data, start)
    if end <= byte_pos:
        return byte_pos, byte_pos + 1, False
    return start, end, utf8.is_valid(data[start:end])


def token_sentence(run: Run, position: int) -> str:
    """What the token of the last step brings: whole characters, beginnings, ends, invalid bytes."""
    stream = run.stream
    if position <= 0:
        waits = f" The prompt’s {stream.prompt} tokens came before." if stream.prompt else ""
        return f"{count_of(run.tokens, 'token')} will come, one after another.{waits}"
    if position == run.steps:
        return "The stream has ended: decoders give out what they still hold, if they can."
    index = run.token_of(position - 1)
    start, end = run.edges[index], run.edges[index + 1]
    said = f"Token {position} of {run.tokens}"
    if index in stream.skipped:
        return f"{said}, {stream.label(index)}: a special token, left out of the text."
    if start == end:
        return f"{said} brings no bytes."
    return f"{said}, {hex_bytes(stream.data[start:end])}: {', '.join(_brings(stream.data, start, end))}."


def _brings(data: bytes, start: int, end: int) -> list[str]:
    out: list[str] = []
    first, last, ok = character_at(data, start)
    at = start
    if first < start:
        if not ok and last == len(data):
            need = utf8.expected_length(data[first])
            out.append(f"goes on with a character that never ends (now {min(end, last) - first} of its {need} bytes)")
        elif not ok:
            out.append("goes on with bytes that are no character")
        elif last <= end:
            out.append(f"completes {quoted(data[first:last].decode('utf-8'))}")
        else:
            name = quoted(data[first:last].decode("utf-8"))
            return [f"goes on with {name} (now {end - first} of its {last - first} bytes)"]
        at = min(last, end)
    whole: list[str] = []
    invalid: list[bytes] = []
    while at < end:
        size = utf8.subpart_length(data, at)
        piece = data[at : at + size]
        if not utf8.is_valid(piece):
            if at + size >= len(data) and utf8.pending(piece):
                need = utf8.expected_length(piece[0])
                out += _wholes(whole) + _bad(invalid)
                return [*out, f"begins a character that never ends ({min(size, end - at)} of its {need} bytes)"]
            invalid.append(data[at : min(at + size, end)])
        elif at + size > end:
            out += _wholes(whole) + _bad(invalid)
            return [*out, f"begins {quoted(piece.decode('utf-8'))} ({end - at} of its {size} bytes)"]
        else:
            whole.append(piece.decode("utf-8"))
        at += size
    return out + _wholes(whole) + _bad(invalid)


def _wholes(characters: list[str]) -> list[str]:
    if len(characters) == 1:
        return [f"one whole character, {quoted(characters[0])}"]
    return [f"{len(characters)} whole characters"] if characters else []


def _bad(pieces: list[bytes]) -> list[str]:
    return [f"bytes that are no character ({hex_bytes(b''.join(pieces))})"] if pieces else []


def lane_sentence(run: Run, lane: Lane, position: int, view: StepView | None = None) -> str:
    """What a lane does at a position: holds, waits, was late, went wrong. "" when nothing is to be said."""
    view = view or run.view(lane, position)
    said: list[str] = []
    if view.matched is not None and position < run.steps:
        said.append(f"stopped at {view.matched!r}")
    if view.held:
        said.append(f"holds {hex_bytes(view.held)}{_held_what(run, lane, position)}")
    if view.stop_held:
        said.append(f"waits with {view.stop_held!r}, which may begin a stop string")
    if view.delay_tokens:
        said.append(f"shown {count_of(view.delay_tokens, 'token')} late ({view.delay_ms:,.0f} ms)")
    if position == run.steps:
        worst = max(lane.delays, default=0)
        said.append(f"at worst {count_of(worst, 'token')} late" if worst else "never late")
    if view.note:
        said.append(view.note)
    return "; ".join(said)


def _held_what(run: Run, lane: Lane, position: int) -> str:
    """Of what the held bytes are the beginning, where that is one character."""
    held_from = lane.taken[position - 1] if position > 0 else lane.first_taken
    start, end, ok = character_at(run.stream.data, held_from)
    seen = run.edges[min(run.token_of(position - 1) + 1, len(run.stream))] if position > 0 else run.stream.shown_from
    if start == held_from and ok and end > seen:
        return f", the beginning of {quoted(run.stream.data[start:end].decode('utf-8'))}"
    whole = sum(utf8.is_valid(run.stream.data[held_from + a : held_from + b])
                for _, a, b in parts(run.stream.data[held_from : min(seen, held_from + _MANY)]))
    more = " or more" if seen - held_from > _MANY else ""
    return f", with {count_of(whole, 'whole character')}{more} in it" if whole else ""


def new_causes(run: Run, lane: Lane, position: int) -> list[str]:
    """Why each U+FFFD of the last step is there; what concerns the same character is said once."""
    if position <= 0:
        return []
    before = len(run.replacements(lane, position - 1))
    said: dict[str, list[str]] = {}
    for mark in run.replacements(lane, position)[before:]:
        sentence, _, here = run.cause(mark).sentence.partition(": here ")
        said.setdefault(sentence, []).append(here)
    return [f"{sentence} (here {', '.join(here)})" if here[0] else sentence if len(here) == 1 else
            f"{len(here)} × {sentence}" for sentence, here in said.items()]
