"""Lanes: the same stream through several policies in lockstep, with every step kept, so that stepping back is exact.

    >>> run = Run(TokenStream.of_chunks([b"Go\\xe2", b"\\x82\\xac"]), policies=("naive-go", "buffered"))
    >>> run.compute()
    >>> [run.view(lane, 1).visible for lane in run.lanes]      # after one step
    ['Go�', 'Go']
    >>> run.view(run.lanes[1], 1).held
    b'\\xe2'

A run of n tokens has n + 1 steps: the last is the end of the stream, when decoders flush. A position is how many steps
are done, 0 .. n+1. What went out is never changed by a later step, so one text and its length after each step are the
whole history.
"""

from __future__ import annotations

import re
import time
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from . import utf8
from .errors import InputError
from .stop import StopMatcher
from .stream import incomplete_tail
from .stream_marks import Mark, char_starts, quoted
from .stream_policies import DEFAULT_POLICIES, Context, Emission, Policy, policy_named
from .stream_tokens import Milliseconds, Timing, TokenStream

_RUN = re.compile("\ufffd+")
#: A theatre of more steps than this helps nobody and would take the memory of the machine.
LONGEST = 200_000


@dataclass(frozen=True, slots=True)
class Replacement:
    """One U+FFFD in a lane: its place in the lane's text, the bytes behind it, the step that gave it out."""

    char: int
    byte_start: int
    byte_end: int
    step: int


@dataclass(frozen=True, slots=True)
class Cause:
    """kind: "cut" (the policy's fault), "genuine", "end" or "invalid". sentence: for a reader."""

    kind: str
    sentence: str


@dataclass(frozen=True, slots=True)
class StepView:
    """A lane at a position. emitted: what the last step showed. visible: all that is shown.

    held: the bytes that wait to be decoded. stop_held: decoded text that waits because a stop string may have begun.
    delay_tokens, delay_ms: age of the oldest character shown in the last step (0 when it showed none).
    waiting_tokens: tokens since the oldest byte or character that still waits arrived.
    note: what is wrong with the last step, or "". matched: the stop string that ended the text, or None.
    """

    emitted: str
    visible: str
    held: bytes
    stop_held: str
    delay_tokens: int
    delay_ms: float
    waiting_tokens: int
    note: str
    matched: str | None


class Lane:
    """One policy's history. text: all that the policy gave out, stop strings not considered.

    out_ends, shown_ends, taken: by step, the length of the text, the length of what is shown of it, and the stream's
    bytes that are dealt with. delays: by step, in tokens. marks: each U+FFFD in order, mark_chars: their places in the
    text. notes: token -> what is wrong.
    """

    def __init__(self, policy: Policy, stops: tuple[str, ...]) -> None:
        self.policy = policy
        self.name, self.title = policy.name, policy.title
        self.about, self.gist = policy.about, policy.gist
        self.out_ends: list[int] = []
        self.shown_ends: list[int] = []
        self.taken: list[int] = []
        self.delays: list[int] = []
        self.marks: list[Replacement] = []
        self.mark_chars: list[int] = []
        self.notes: dict[int, str] = {}
        self.matched: str | None = None
        self.matched_step = -1
        self.first_taken = policy.taken
        self._parts: list[str] = []
        self._text = ""
        self._length = self._shown = 0
        self._stop = StopMatcher(stops) if stops and not policy.own_stop else None
        self._origin_chars: list[int] = []  # where in the text characters of another token begin ..
        self._origin_tokens: list[int] = []  # .. and which token that is

    @property
    def text(self) -> str:
        if self._parts:
            self._text += "".join(self._parts)
            self._parts.clear()
        return self._text

    def origin(self, char: int) -> int:
        """The token in which this character's first byte arrived."""
        return self._origin_tokens[max(bisect_right(self._origin_chars, char) - 1, 0)]

    def record(self, step: int, emission: Emission, stream: TokenStream, edges: list[int]) -> None:
        """Keep what a step gave out. Step len(stream) is the end; ages are counted to the last token."""
        before = self.taken[-1] if self.taken else self.first_taken
        token = max(min(step, len(stream) - 1), 0)
        if emission.text:
            self._record_origins(token, before, emission, stream, edges)
            self._parts.append(emission.text)
        for mark in emission.marks:
            self.marks.append(Replacement(self._length + mark.char, mark.byte_start, mark.byte_end, step))
            self.mark_chars.append(self._length + mark.char)
        if emission.note:
            self.notes[step] = emission.note
        self._length += len(emission.text)
        shown = self._after_stops(step, emission.text)
        if step == len(stream) and self.matched is None:  # the end: text that waited for a stop string is shown
            shown = self._length
        self.delays.append(max(token - self.origin(self._shown), 0) if shown > self._shown else 0)
        self._shown = shown
        self.out_ends.append(self._length)
        self.shown_ends.append(shown)
        self.taken.append(emission.taken)

    def _record_origins(self, token: int, before: int, out: Emission, stream: TokenStream, edges: list[int]) -> None:
        """Remember which token each character of this emission comes from, in runs."""
        if before >= edges[token]:
            self._add_origin(self._length, token)
            return
        starts = char_starts(out.text, stream.data, before, out.taken)
        for index in range(len(out.text)):
            self._add_origin(self._length + index, max(min(bisect_right(edges, starts[index]) - 1, token), 0))

    def _add_origin(self, char: int, token: int) -> None:
        if not self._origin_tokens or self._origin_tokens[-1] != token:
            self._origin_chars.append(char)
            self._origin_tokens.append(token)

    def _after_stops(self, step: int, text: str) -> int:
        """How many characters are shown after this step."""
        if self._stop is None:
            if self.policy.matched is not None and self.matched is None:
                self.matched, self.matched_step = self.policy.matched, step
            return self._length
        if self.matched is not None:
            return self._shown
        shown = self._shown + len(self._stop.push(text))
        if self._stop.matched is not None:
            self.matched, self.matched_step = self._stop.matched, step
        return shown


class Run:
    """A stream through policies, in lockstep. primed: decoders are told of the prompt. Step k is token prompt + k."""

    def __init__(
        self, stream: TokenStream, policies: Iterable[str] = DEFAULT_POLICIES, stops: Iterable[str] = (), *,
        primed: bool = False, timing: Timing | None = None,
    ) -> None:
        """InputError for an unknown policy, an empty stop string, or a stream of more than LONGEST steps."""
        self.stream, self.stops, self.primed = stream, tuple(stops), primed
        if "" in self.stops:
            raise InputError("a stop string is empty", todo="an empty stop string would match everywhere; leave it out")
        if len(stream) > LONGEST:
            raise InputError(f"{len(stream):,} tokens are too many to play", todo=f"choose {LONGEST:,} or fewer")
        context = Context(stream, self.stops, primed)
        self.lanes = [Lane(policy_named(name)(context), self.stops) for name in dict.fromkeys(policies)]
        self.edges: list[int] = stream.starts.tolist()
        self.tokens = len(stream) - stream.prompt
        self.steps = self.tokens + 1
        self.done = 0
        self._causes: dict[tuple[int, int], Cause] = {}
        self.retime(timing or Timing())

    def retime(self, timing: Timing | None) -> None:
        """Other arrival times, ms since the start, by step; None or a stream with recorded times: the recorded ones."""
        recorded = self.stream.times
        if recorded is not None and timing is None:
            self.times: Milliseconds = recorded[self.stream.prompt :]
        else:
            self.times = (timing or Timing()).arrivals(self.tokens)
        self._times: list[float] = [*self.times.tolist(), float(self.times[-1]) if self.tokens else 0.0]

    def time_of(self, step: int) -> float:
        """When a step happens, ms; the end of the stream comes with its last token."""
        return self._times[step]

    def compute(self, until: int | None = None, seconds: float | None = None) -> bool:
        """Work out the steps before position `until` (all by default), for at most so many seconds; True when done."""
        goal = self.steps if until is None else min(until, self.steps)
        stop_at = None if seconds is None else time.perf_counter() + seconds
        while self.done < goal:
            token = self.stream.prompt + self.done
            for lane in self.lanes:
                emission = lane.policy.push(token) if token < len(self.stream) else lane.policy.finish()
                lane.record(token, emission, self.stream, self.edges)
            self.done += 1
            if stop_at is not None and self.done % 16 == 0 and time.perf_counter() > stop_at:
                return False
        return True

    def token_of(self, step: int) -> int:
        """The piece that arrives in a step; len(stream) for the end."""
        return self.stream.prompt + step

    def view(self, lane: Lane, position: int) -> StepView:
        """The lane after `position` steps. Computes what is missing."""
        self.compute(position)
        if position <= 0:
            held = self.stream.data[lane.first_taken : self.stream.shown_from]
            return StepView("", "", held, "", 0, 0.0, 0, "", None)
        step = position - 1
        shown, out = lane.shown_ends[step], lane.out_ends[step]
        before = lane.shown_ends[step - 1] if step else 0
        stopped = lane.matched is not None and self.token_of(step) >= lane.matched_step
        seen = self.edges[min(self.token_of(step) + 1, len(self.stream))]
        held = b"" if stopped else self.stream.data[lane.taken[step] : seen]
        if position == self.steps:
            held = b""  # nothing waits any more: what is left is lost, and the note says so
        stop_held = "" if stopped else lane.text[shown:out]
        delay = lane.delays[step] if shown > before else 0
        return StepView(
            lane.text[before:shown], lane.text[:shown], held, stop_held, delay, self._age(step, delay),
            self._waiting(lane, step, held, stop_held, shown), lane.notes.get(self.token_of(step), ""),
            lane.matched if stopped else None,
        )

    def _age(self, step: int, tokens: int) -> float:
        return self._times[step] - self._times[max(step - tokens, 0)] if tokens else 0.0

    def _waiting(self, lane: Lane, step: int, held: bytes, stop_held: str, shown: int) -> int:
        token = min(self.token_of(step), len(self.stream) - 1)
        if stop_held:
            return max(token - lane.origin(shown), 0)
        if held:
            return max(token - (bisect_right(self.edges, lane.taken[step]) - 1), 0)
        return 0

    def replacements(self, lane: Lane, position: int) -> list[Replacement]:
        """The U+FFFD that are shown after `position` steps, in order."""
        return lane.marks[: bisect_left(lane.mark_chars, lane.shown_ends[position - 1])] if position > 0 else []

    def cause(self, mark: Replacement | Mark) -> Cause:
        """Whose fault a U+FFFD is, judged by the whole stream."""
        key = (mark.byte_start, mark.byte_end)
        if key not in self._causes:
            self._causes[key] = cause_of(self.stream.data, *key, self.stream.shown_from)
        return self._causes[key]

    def lost(self, lane: Lane) -> bytes:
        """Bytes that the lane never gave out, once the run is complete (after a stop string nothing is missed)."""
        return self.stream.data[lane.taken[-1] :] if self.done == self.steps and lane.matched is None else b""

    @cached_property
    def roles(self) -> bytes:
        """The utf8.ByteRole of each byte of the stream."""
        return utf8.roles(self.stream.data).tobytes()

    @cached_property
    def reference(self) -> str:
        """What the whole stream decodes to at once: what a reader should see in the end.

        A character that begins in the prompt and is completed in the stream belongs to the stream.
        """
        begun = incomplete_tail(self.stream.data[: self.stream.shown_from])
        return self.stream.data[self.stream.shown_from - begun :].decode("utf-8", "replace")

    @cached_property
    def expected(self) -> tuple[str, str | None]:
        """What a reader should see in the end, and the stop string that should end it."""
        matcher = StopMatcher(self.stops)
        text = matcher.push(self.reference)
        return text + matcher.flush(), matcher.matched

    def verdict(self, lane: Lane) -> tuple[bool, str]:
        """(is what the lane shows in the end right, in words)."""
        self.compute()
        text, (expected, stop) = lane.text[: lane.shown_ends[-1]], self.expected
        if text == expected and lane.matched == stop:
            return True, "the text, exactly" + (f", up to {stop!r}" if stop else "")
        if cut := sum(self.cause(mark).kind == "cut" for mark in self.replacements(lane, self.steps)):
            return False, f"{cut} U+FFFD that are not in the text"
        if lane.matched != stop:
            return False, f"the stop string {stop!r} is missed" if stop else f"stopped at {lane.matched!r} by mistake"
        if lost := self.lost(lane):
            return False, f"{len(lost)} {'byte' if len(lost) == 1 else 'bytes'} never shown"
        if _RUN.sub("\ufffd", text) == _RUN.sub("\ufffd", expected):
            return True, "the text; U+FFFD counted by another rule"
        return False, "not the text"

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.steps))


def cause_of(data: bytes, byte_start: int, byte_end: int, shown_from: int = 0) -> Cause:
    """Why bytes of a stream became U+FFFD, given all of the stream; it is shown from byte `shown_from` on."""
    piece = data[byte_start:byte_end]
    if not piece:
        return Cause("invalid", "the library put it in: no byte of the stream is behind it")
    if piece == b"\xef\xbf\xbd":
        return Cause("genuine", "the text itself has U+FFFD here (EF BF BD): no decoder put it in")
    start = byte_start
    while start > 0 and byte_start - start < 3 and (data[start] & 0xC0) == 0x80:
        start -= 1
    end = start + utf8.subpart_length(data, start)
    if end <= byte_start:
        start, end = byte_start, byte_end
    whole, part = data[start:end], piece.hex(" ").upper()
    if utf8.is_valid(whole):
        said = f"{quoted(whole.decode())} ({whole.hex(' ').upper()})"
        if start < shown_from <= byte_start:
            return Cause("cut", f"{said} begins in the prompt, which this decoder does not know: here {part}")
        return Cause("cut", f"{said} was decoded before its {len(whole)} bytes were together: here {part}")
    reason = utf8.reason(data, start, end)
    if end == len(data) and reason.startswith("cut short"):
        return Cause("end", f"the stream ends inside a character: {whole.hex(' ').upper()} is {reason.split(': ')[1]}")
    return Cause("invalid", f"{part} is no character: {reason}")

