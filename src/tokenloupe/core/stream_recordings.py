r"""Recorded streams: server-sent events or JSON lines of an OpenAI-compatible server, from a file or the clipboard.

    >>> sse = b'data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\ndata: [DONE]\n\n'
    >>> recording(sse).pieces
    (b'Hi',)

What is read: `choices[0].delta.content` (chat), `choices[0].text` (completions), `choices[0].logprobs.content[].bytes`
(the true bytes of each token: with them even cut characters are seen), `finish_reason`, `[DONE]`; and the plain
forms {"content": ..}, {"response": ..}, {"message": {"content": ..}}, {"text": ..}, {"hex": ..}.

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
from .stream_tokens import TokenStream
from .tokenizer import to_bytes

_FIELD = r"(?:data|event|id|retry)?:"
_CLOCK = r"(?P<clock>(?:\d{4}-\d\d-\d\d[T ])?\d{1,2}:\d\d:\d\d(?:[.,]\d+)?Z?)"
_STAMP = re.compile(rf"\[?(?:{_CLOCK}|(?P<number>\d+(?:\.\d+)?))\]?[ \t]+(?={_FIELD})")
_SSE = re.compile(rf"(?:{_STAMP.pattern})?{_FIELD}")
_SECONDS = ("t", "time", "ts", "timestamp", "elapsed")
_MILLISECONDS = ("t_ms", "time_ms", "elapsed_ms", "ms")
#: At most so many bad lines are named one by one.
_NAMED = 20


@dataclass
class _Reader:
    """What has been gathered so far."""

    pieces: list[bytes] = field(default_factory=list)
    times: list[float | None] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    bad: int = 0
    finish: str = ""
    done: bool = False
    reasoning: int = 0
    other_choices: int = 0
    tools: int = 0

    def problem(self, line: int, what: str) -> None:
        self.bad += 1
        if self.bad <= _NAMED:
            self.notes.append(f"line {line}: {what}")

    def add(self, pieces: list[bytes], at: float | None) -> None:
        self.pieces += pieces
        self.times += [at] * len(pieces)

    def closing(self) -> tuple[str, ...]:
        if self.bad > _NAMED:
            self.notes.append(f"{self.bad - _NAMED} more lines could not be read")
        for count, what in ((self.reasoning, "pieces of reasoning"), (self.other_choices, "pieces of other choices"),
                            (self.tools, "pieces of tool calls")):
            if count:
                self.notes.append(f"{count} {what} are left out")
        if self.finish:
            self.notes.append(f"finish_reason: {self.finish}")
        return tuple(self.notes)


def recording(data: bytes, *, name: str = "recorded stream") -> TokenStream:
    """A recorded stream. InputError when nothing in it is a piece of text; its `notes` name the lines left out."""
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    reader = _Reader()
    if bad := next((n for n, line in enumerate(data.split(b"\n"), 1) if not _decodes(line)), 0):
        reader.problem(bad, "not valid UTF-8")
    lines = list(_lines(text))
    is_sse = any(_SSE.match(line) for _, line in lines)
    for number, payload, stamp in (_sse(lines) if is_sse else ((n, line, None) for n, line in lines if line.strip())):
        _event(reader, number, payload, stamp)
    if is_sse and not reader.done:
        reader.notes.append("the recording ends without [DONE]: it may be cut off")
    if not reader.pieces:
        why = reader.notes[0] if reader.notes else "it has no event with text"
        raise InputError("no text is found in this recording", where=name,
                         todo=f"expected server-sent events (data: {{..}}) or JSON lines of a chat stream ({why})")
    return TokenStream.of_chunks(reader.pieces, name=name, times=_relative(reader), notes=reader.closing())


def _decodes(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


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
            if len(waiting) > 1 and not _is_json(joined):
                yield from waiting
            else:
                yield waiting[0][0], joined, next((s for _, _, s in waiting if s is not None), None)
            yield from strange
            waiting, strange = [], []
        elif line and not re.match(r"(?:event|id|retry)?:|(?:event|id|retry|data)$", line):
            strange.append((number, line, stamp))
    yield from strange


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _event(reader: _Reader, number: int, payload: str, stamp: float | None) -> None:
    if payload.strip() == "[DONE]":
        reader.done = True
        return
    if reader.done:
        reader.problem(number, "comes after [DONE]")
    try:
        row = json.loads(payload)
    except (ValueError, RecursionError) as error:
        if reader.done:
            return
        what = "nested too deeply" if isinstance(error, RecursionError) else "not JSON"
        reader.problem(number, f"{what}: {payload[:40]}{'…' if len(payload) > 40 else ''}")
        return
    if not isinstance(row, dict):
        reader.problem(number, "not a JSON object")
        return
    at = stamp if stamp is not None else _time_in(row)
    for key in ("data", "chunk", "event"):  # {"t": 0.1, "data": {..}} or with the JSON as a string
        inner = row.get(key)
        if isinstance(inner, str):
            if inner.strip() == "[DONE]":
                reader.done = True
                return
            inner = json.loads(inner) if _is_json(inner) else None
        if isinstance(inner, dict):
            row = inner
            break
    if isinstance(row.get("error"), dict | str):
        said = row["error"] if isinstance(row["error"], str) else row["error"].get("message", "")
        reader.problem(number, f"the server reports an error: {said}")
        return
    try:
        pieces = _pieces(reader, row)
    except (TypeError, ValueError, KeyError, AttributeError):
        reader.problem(number, "its parts are not those of a chat stream")
        return
    if pieces is None:
        reader.problem(number, "has no text that is known here")
    else:
        reader.add([p for p in pieces if p], at)


def _pieces(reader: _Reader, row: dict[str, Any]) -> list[bytes] | None:
    """The pieces in one object; None when it is no object of a stream."""
    if isinstance(row.get("choices"), list):
        out: list[bytes] = []
        for choice in row["choices"]:
            if choice.get("index", 0) != 0:
                reader.other_choices += 1
                continue
            out += _choice(reader, choice)
        return out
    if isinstance(row.get("hex"), str):
        return [bytes.fromhex(row["hex"])]
    message, delta = row.get("message"), row.get("delta")
    candidates = [row.get("content"), row.get("response"), row.get("text"),
                  message.get("content") if isinstance(message, dict) else None,
                  delta.get("text") if isinstance(delta, dict) else delta]
    if row.get("stop") is True or row.get("done") is True:
        reader.finish, reader.done = str(row.get("done_reason") or row.get("stop_type") or "stop"), True
    found = next((c for c in candidates if isinstance(c, str)), None)
    if found is None and ("type" in row or "usage" in row or "timings" in row):
        return []  # an event of another kind
    return None if found is None else [to_bytes(found)]


def _choice(reader: _Reader, choice: dict[str, Any]) -> list[bytes]:
    delta = choice.get("delta") or {}
    if choice.get("finish_reason"):
        reader.finish = str(choice["finish_reason"])
    if delta.get("reasoning_content") or delta.get("reasoning"):
        reader.reasoning += 1
    if delta.get("tool_calls"):
        reader.tools += 1
    text = delta.get("content") if "content" in delta else choice.get("text")
    logprobs = choice.get("logprobs")
    tokens = logprobs.get("content") if isinstance(logprobs, dict) else None
    if tokens and all(isinstance(t.get("bytes"), list) for t in tokens):
        return [bytes(t["bytes"]) for t in tokens]
    if text is None:
        return []
    if not isinstance(text, str):
        raise TypeError
    return [to_bytes(text)]


def _time_in(row: dict[str, Any]) -> float | None:
    """The time in an object, ms, or None."""
    for key in (*_SECONDS, *_MILLISECONDS):
        value = row.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value) * (1000 if key in _SECONDS else 1)
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
    if len(known) != len(reader.times) or len(known) < 2 or not np.isfinite(known).all():
        if known and len(known) != len(reader.times):
            reader.notes.append("only some events have a time: the speed is simulated")
        return None
    times = np.array(known, np.float64) - known[0]
    return np.maximum.accumulate(times)
