r"""Recorded streams: server-sent events or JSON lines of an OpenAI-compatible server, from a file or the clipboard.

    >>> sse = b'data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\ndata: [DONE]\n\n'
    >>> recording(sse).pieces
    (b'Hi',)

The shapes of events are in stream_shapes.py. A recording may also be one JSON array of them, and UTF-16 with a byte
order mark, as some shells write a file.

Times are read where the recording has them: in front of the line (`0.123 data: ..`, `[12:00:01.234] data: ..`, as
`ts` writes them) or in the object ("t", "time", "ts", "timestamp", "elapsed" in seconds or ISO 8601, "t_ms" in ms). A
line that cannot be read is left out and named by its number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np

from .errors import InputError
from .stream_shapes import Tally, pieces_of
from .stream_tokens import TokenStream
from .utf8 import is_valid
from .wording import count_of

_FIELD = r"(?:data|event|id|retry)?:"
_CLOCK = r"(?P<clock>(?:\d{4}-\d\d-\d\d[T ])?\d{1,2}:\d\d:\d\d(?:[.,]\d+)?Z?)"
_STAMP = re.compile(rf"\[?(?:{_CLOCK}|(?P<number>\d+(?:\.\d+)?))\]?[ \t]+(?={_FIELD})")
_SSE = re.compile(rf"(?:{_STAMP.pattern})?{_FIELD}")
_SECONDS = ("t", "time", "ts", "timestamp", "elapsed")
_MILLISECONDS = ("t_ms", "time_ms", "elapsed_ms", "ms")
_DAY = 86_400_000.0
#: At most so many bad lines are named one by one.
_NAMED = 20
_AFTER = "comes after [DONE]"


@dataclass
class _Reader:
    """What has been gathered so far."""

    pieces: list[bytes] = field(default_factory=list)
    times: list[float | None] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    bad: int = 0
    unit: str = "line"
    tally: Tally = field(default_factory=Tally)

    def problem(self, line: int, what: str) -> None:
        self.bad += 1
        if self.bad <= _NAMED:
            self.notes.append(f"{self.unit} {line}: {what}")

    def add(self, pieces: list[bytes], at: float | None) -> None:
        self.pieces += pieces
        self.times += [at] * len(pieces)

    def closing(self) -> tuple[str, ...]:
        if self.bad > _NAMED:
            self.notes.append(f"{self.bad - _NAMED} more {self.unit}s could not be read")
        self.notes += [f"{count_of(n, 'piece')} of {what} {'is' if n == 1 else 'are'} left out"
                       for what, n in self.tally.left_out.items()]
        if self.tally.finish:
            self.notes.append(f"finish_reason: {self.tally.finish}")
        return tuple(self.notes)


def recording(data: bytes, *, name: str = "recorded stream") -> TokenStream:
    """A recorded stream. InputError when nothing in it is a piece of text; its `notes` name the lines left out."""
    data = _utf8(data)
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    reader = _Reader()
    if bad := next((n for n, line in enumerate(data.split(b"\n"), 1) if not is_valid(line)), 0):
        reader.problem(bad, "not valid UTF-8")
    lines = list(_lines(text))
    is_sse = any(_SSE.match(line) for _, line in lines)
    if not is_sse and text.lstrip().startswith("[") and isinstance(rows := _json(text), list):
        reader.unit = "event"
        for number, row in enumerate(rows, 1):
            _row(reader, number, row, None)
    else:
        events = _sse(lines) if is_sse else ((n, line, None) for n, line in lines if line.strip())
        for number, payload, stamp in events:
            _event(reader, number, payload, stamp)
    if is_sse and not reader.tally.done:
        reader.notes.append("the recording ends without [DONE]: it may be cut off")
    if not reader.pieces:
        why = next((n for n in reader.closing() if not n.startswith("finish_reason")), "it has no event with text")
        raise InputError("no text is found in this recording", where=name,
                         todo=f"expected server-sent events (data: {{..}}) or JSON lines of a chat stream ({why})")
    return TokenStream.of_chunks(reader.pieces, name=name, times=_relative(reader), notes=reader.closing())


def _utf8(data: bytes) -> bytes:
    """UTF-16 with a byte order mark as UTF-8; anything else as it is."""
    if data[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        return data
    try:
        return data.decode("utf-16").encode("utf-8")
    except UnicodeDecodeError:
        return data


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their numbers. They end in CR LF, LF or CR (the standard of server-sent events), nothing else."""
    yield from enumerate(re.split(r"\r\n|\n|\r", text), 1)


def _sse(lines: list[tuple[int, str]]) -> Iterator[tuple[int, str, float | None]]:
    """Events as (line number, data, time): `data` lines up to a blank one are joined by LF.

    A recording often has lost its blank lines: then each data line that is whole by itself is an event.
    """
    waiting: list[tuple[int, str, float | None]] = []
    strange: list[tuple[int, str, float | None]] = []
    for number, line in [*lines, (len(lines) + 1, "")]:
        stamp = None
        if match := _STAMP.match(line):
            stamp = _clock(match["clock"]) if match["clock"] else float(match["number"]) * 1000
            line = line[match.end() :]
        if line.startswith("data:"):
            waiting.append((number, line[5:].removeprefix(" "), stamp))
        elif not line and waiting:
            joined = "\n".join(d for _, d, _ in waiting)
            if len(waiting) > 1 and _json(joined) is None:
                yield from waiting
            else:
                yield waiting[0][0], joined, next((s for _, _, s in waiting if s is not None), None)
            yield from strange
            waiting, strange = [], []
        elif line and not re.match(r"(?:event|id|retry)?:|(?:event|id|retry|data)$", line):
            strange.append((number, line, stamp))
    yield from strange


def _json(text: str) -> Any:
    """What a text says as JSON; None also when it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _event(reader: _Reader, number: int, payload: str, stamp: float | None) -> None:
    """One event as it was written."""
    if payload.strip() == "[DONE]":
        reader.tally.done = True
        return
    try:
        row = json.loads(payload)
    except (ValueError, RecursionError) as error:
        what = "nested too deeply" if isinstance(error, RecursionError) else "not JSON"
        what = f"{what}: {payload[:40]}{'…' if len(payload) > 40 else ''}"
        reader.problem(number, _AFTER if reader.tally.done else what)
        return
    _row(reader, number, row, stamp)


def _row(reader: _Reader, number: int, row: Any, stamp: float | None) -> None:
    """One event as what its JSON says."""
    if reader.tally.done:
        reader.problem(number, _AFTER)
    if not isinstance(row, dict):
        reader.problem(number, "not a JSON object")
        return
    at = stamp if stamp is not None else _time_in(row)
    for key in ("data", "chunk", "event"):  # {"t": 0.1, "data": {..}} or with the JSON as a string
        inner = row.get(key)
        if isinstance(inner, str):
            if inner.strip() == "[DONE]":
                reader.tally.done = True
                return
            inner = _json(inner)
        if isinstance(inner, dict):
            row = inner
            break
    if isinstance(row.get("error"), dict | str):
        said = row["error"] if isinstance(row["error"], str) else row["error"].get("message", "")
        reader.problem(number, f"the server reports an error: {said}")
        return
    try:
        pieces = pieces_of(row, reader.tally)
    except (TypeError, ValueError, KeyError, AttributeError):
        reader.problem(number, "its parts are not those of a chat stream")
        return
    if pieces is None:
        reader.problem(number, "has no text that is known here")
    else:
        reader.add([p for p in pieces if p], at)


def _time_in(row: dict[str, Any]) -> float | None:
    """The time in an object, ms, or None."""
    for key in (*_SECONDS, *_MILLISECONDS):
        value = row.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            try:
                return float(value) * (1000 if key in _SECONDS else 1)
            except OverflowError:  # an integer of more digits than a float has
                return None
        if isinstance(value, str) and key in _SECONDS and (moment := _clock(value)) is not None:
            return moment
    return None


def _clock(text: str) -> float | None:
    """ISO 8601, or a time of day, in ms."""
    text = text.replace(",", ".")
    try:
        if match := re.fullmatch(r"(\d{1,2}):(\d\d):(\d\d(?:\.\d+)?)", text):
            return (int(match[1]) * 3600 + int(match[2]) * 60 + float(match[3])) * 1000
        return datetime.fromisoformat(text).timestamp() * 1000
    except (ValueError, OverflowError, OSError):
        return None


def _relative(reader: _Reader) -> Any:
    """Times from the first piece on, ascending; None when the recording has none or not for all."""
    known = [t for t in reader.times if t is not None]
    if known and (len(known) != len(reader.times) or not np.isfinite(known).all()):
        reader.notes.append("only some events have a time that can be used: the speed is simulated")
        return None
    if len(known) < 2:
        return None
    steps = np.diff(np.array(known, np.float64), prepend=known[0])
    steps[steps < -_DAY / 2] += _DAY  # a time of day that went past midnight
    return np.maximum.accumulate(np.cumsum(steps))
