"""Ways to turn a stream of tokens into text as it arrives: one class a way, one list, POLICIES.

A policy gets one piece after another and says what it gives out, up to which byte it has dealt with the stream, and
which bytes are behind each U+FFFD that it gives out:

    >>> stream = TokenStream.of_chunks([b"Go\\xe2", b"\\x82\\xac"])
    >>> policy = NaiveGo(Context(stream))
    >>> policy.push(0)
    Emission(text='Go�', taken=3, marks=(Mark(char=2, byte_start=2, byte_end=3),), note='')

To add a policy, write a class with the same attributes and methods, and put it in POLICIES; the command line, the
theatre and the tests that hold for all of them find it there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

from .stop import StopMatcher
from .stream import StreamDecoder, incomplete_tail
from .stream_marks import REPLACEMENT, Mark, char_starts, decode_marked, marks_of
from .stream_tokens import TokenStream
from .text import GRAPHEME


@dataclass(frozen=True, slots=True)
class Emission:
    """text: what goes out in this step. taken: the stream's bytes before this offset are dealt with, later ones held.

    marks: one for each U+FFFD in text. note: what is wrong with this step, in one clause, or "".
    """

    text: str
    taken: int
    marks: tuple[Mark, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Context:
    """What a policy may know: the stream, the stop strings (for those that handle them), and whether it is told of the
    prompt's tokens before the first step (`primed`)."""

    stream: TokenStream
    stops: tuple[str, ...] = ()
    primed: bool = False


class Policy(ABC):
    """name: as on the command line. title, about, gist: for the theatre; about is one sentence a newcomer
    understands, gist the point of it in some 40 characters, where there is no room for the sentence.

    default: among the policies shown when none is chosen. own_stop: it looks for stop strings by itself.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    gist: ClassVar[str]
    default: ClassVar[bool] = True
    own_stop: ClassVar[bool] = False
    matched: str | None = None

    def __init__(self, context: Context) -> None:
        self.stream = context.stream
        self.edges: list[int] = self.stream.starts.tolist()
        self.taken = self.stream.shown_from
        if context.primed and self.stream.prompt:
            self.prime()

    def prime(self) -> None:  # noqa: B027 - most policies have no use for the prompt
        """Take note of the prompt; nothing of it is given out."""

    @abstractmethod
    def push(self, index: int) -> Emission:
        """Piece `index` has arrived; called once for each, in order."""

    def finish(self) -> Emission:
        """The stream has ended."""
        return Emission("", self.taken)


class _Naive(Policy):
    rule: ClassVar[Literal["go", "unicode"]]

    def push(self, index: int) -> Emission:
        alone, self.taken = self.stream.alone[index], self.edges[index + 1]
        text, marks = decode_marked(alone, max(self.taken - len(alone), self.edges[index]), self.rule)
        return Emission(text, self.taken, marks)


class NaiveGo(_Naive):
    name, title, rule = "naive-go", "Naive, as Go does it", "go"
    about = "Each token is decoded by itself; every byte that is no character by itself becomes U+FFFD."
    gist = "every byte that is no character is a U+FFFD"


class NaiveUnicode(_Naive):
    name, title, rule = "naive-unicode", "Naive, as Unicode recommends", "unicode"
    about = "Each token is decoded by itself; each piece of a character becomes one U+FFFD (Python, browsers, Rust)."
    gist = "every piece of a character is a U+FFFD"


class Buffered(Policy):
    name, title = "buffered", "Buffered"
    about = "Holds only the beginning of a character that the next token can complete; the right way."
    gist = "holds only what the next token can complete"

    def __init__(self, context: Context) -> None:
        self.decoder = StreamDecoder()
        super().__init__(context)

    def prime(self) -> None:
        self.decoder.push(self.stream.data[: self.taken])
        self.taken -= len(self.decoder.held)

    def push(self, index: int) -> Emission:
        return self.emit(self.decoder.push(self.stream.pieces[index]), self.edges[index + 1])

    def finish(self) -> Emission:
        return self.emit(self.decoder.flush(), self.edges[-1])

    def emit(self, text: str, seen: int) -> Emission:
        start, self.taken = self.taken, seen - len(self.decoder.held)
        if REPLACEMENT not in text:
            return Emission(text, self.taken)
        return Emission(text, self.taken, decode_marked(self.stream.data[start : self.taken], start)[1])


class ValidPrefix(Policy):
    name, title = "valid-prefix", "Longest valid prefix"
    about = "Gives out all bytes up to the first that cannot be decoded; one invalid byte blocks everything after it."
    gist = "an invalid byte blocks all after it"

    def __init__(self, context: Context) -> None:
        self.buffer = bytearray()
        super().__init__(context)

    def prime(self) -> None:
        tail = incomplete_tail(self.stream.data[: self.taken])
        self.taken -= tail
        self.buffer += self.stream.data[self.taken : self.taken + tail]

    def push(self, index: int) -> Emission:
        self.buffer += self.stream.pieces[index]
        note = ""
        try:
            text = self.buffer.decode("utf-8")
            good = len(self.buffer)
        except UnicodeDecodeError as error:
            good = error.start
            text = self.buffer[:good].decode("utf-8")
            if len(self.buffer) - good > incomplete_tail(bytes(self.buffer[-4:])):
                note = f"byte {self.buffer[good]:02X} can never be decoded, and everything after it waits"
        start, self.taken = self.taken, self.taken + good
        del self.buffer[:good]
        return Emission(text, self.taken, marks_of(text, self.stream.data, start, self.taken), note)

    def finish(self) -> Emission:
        text, marks = decode_marked(bytes(self.buffer), self.taken)
        self.taken = self.edges[-1]
        return Emission(text, self.taken, marks)


class HfDecodeStream(Policy):
    """`DecodeStream` of Hugging Face tokenizers 0.23: decode the last tokens again, give out what is new.

    It keeps a window of tokens (its `ids`), the text of the window's older part (its `prefix`) and how many tokens that
    part has (its `prefix_index`). After each token it decodes the whole window; when that is longer than the prefix, in
    bytes, and does not end with U+FFFD, the rest after the prefix goes out and the older part is dropped.
    """

    name, title = "hf-decode-stream", "Decode again and compare (HF DecodeStream)"
    about = "Decodes the last few tokens again at each step and gives out what is new, unless it ends with U+FFFD."
    gist = "gives out what is new"

    def __init__(self, context: Context) -> None:
        self.first = self.last = context.stream.prompt
        self.prefix, self.prefix_tokens = "", 0
        super().__init__(context)

    def prime(self) -> None:
        self.first = 0  # DecodeStream(ids=prompt)
        self.taken -= incomplete_tail(self.stream.data[: self.taken])

    def push(self, index: int) -> Emission:
        decode = self.stream.decode
        if not self.prefix and self.last > self.first:
            older = decode(self.first, self.last)
            if not older.endswith(REPLACEMENT):
                self.prefix, self.prefix_tokens = older, self.last - self.first
        self.last = index + 1
        text = decode(self.first, self.last)
        if text.endswith(REPLACEMENT) or _size(text) <= _size(self.prefix):
            return Emission("", self.taken, note=self._why_waiting(text))
        if not text.startswith(self.prefix):
            return Emission("", self.taken, note="it raises an error: decoded again, the text does not begin as before")
        new, note = text[len(self.prefix) :], ""
        if self.first == 0 and not self.prefix and self.stream.prompt:
            note = "it gives out the prompt as well, because the prompt ends inside a character"
        self.first, self.prefix_tokens = self.first + self.prefix_tokens, self.last - self.first - self.prefix_tokens
        self.prefix = decode(self.first, self.last)
        start, self.taken = self.taken, self.edges[self.last]
        return Emission(new, self.taken, marks_of(new, self.stream.data, start, self.taken), note)

    def _why_waiting(self, text: str) -> str:
        seen = self.stream.data[self.taken : self.edges[self.last]]
        if not text.endswith(REPLACEMENT) or not seen or incomplete_tail(seen):
            return ""
        if seen.endswith(b"\xef\xbf\xbd"):
            return "it takes the genuine U+FFFD at the end of its text for half a character, and waits"
        return "it takes an invalid byte for half a character, and waits though nothing can complete it"

    def finish(self) -> Emission:
        lost = self.edges[-1] - self.taken
        note = f"it has no flush: the last {lost} {'byte' if lost == 1 else 'bytes'} never come out" if lost else ""
        return Emission("", self.taken, note=note)


class Grapheme(Policy):
    """Buffered, then cut at grapheme boundaries (UAX #29): a family emoji appears once, not member by member.

    The last grapheme waits until the next one begins. One longer than LONGEST code points is not waited for.
    """

    LONGEST: ClassVar[int] = 128
    name, title = "grapheme", "Buffered, whole graphemes"
    about = "As buffered, and holds the last character a reader sees until the next begins: nothing changes shape."
    gist = "nothing changes its shape"

    def __init__(self, context: Context) -> None:
        self.decoder = StreamDecoder()
        self.pending = ""
        super().__init__(context)

    def prime(self) -> None:
        self.decoder.push(self.stream.data[: self.taken])
        self.taken -= len(self.decoder.held)

    def push(self, index: int) -> Emission:
        self.pending += self.decoder.push(self.stream.pieces[index])
        cut = 0
        for match in GRAPHEME.finditer(self.pending):
            cut = match.start()
        if len(self.pending) - cut > self.LONGEST:
            cut = len(self.pending)
        return self._emit(cut, self.edges[index + 1] - len(self.decoder.held))

    def finish(self) -> Emission:
        self.pending += self.decoder.flush()
        return self._emit(len(self.pending), self.edges[-1])

    def _emit(self, cut: int, decoded_to: int) -> Emission:
        text, self.pending = self.pending[:cut], self.pending[cut:]
        start = self.taken
        if not self.pending:
            self.taken = decoded_to
        elif text:
            self.taken = char_starts(text + self.pending, self.stream.data, start, decoded_to)[cut]
        return Emission(text, self.taken, marks_of(text, self.stream.data, start, self.taken))


class _Shared(Policy):
    """What goes wrong when one buffer waits for bytes and for stop strings: not shown unless asked for."""

    default, own_stop = False, True

    def __init__(self, context: Context) -> None:
        self.buffer = b""
        self.stops = context.stops
        super().__init__(context)

    def waits(self, text: str) -> bool:
        raise NotImplementedError

    def push(self, index: int) -> Emission:
        if self.matched is not None:
            return Emission("", self.taken)
        self.buffer += self.stream.pieces[index]
        return self._emit(self.edges[index + 1], last=False)

    def finish(self) -> Emission:
        return self._emit(self.edges[-1], last=True) if self.matched is None else Emission("", self.taken)

    def _emit(self, seen: int, last: bool) -> Emission:
        text = self.buffer.decode("utf-8", "replace")
        matcher = StopMatcher(self.stops)
        shown = matcher.push(text)
        if matcher.matched is None:
            if not last and self.waits(text):
                return Emission("", self.taken)
            shown = text
        self.matched, self.buffer = matcher.matched, b""
        start, self.taken = self.taken, seen
        return Emission(shown, seen, marks_of(shown, self.stream.data, start, seen))


class SharedUtf8(_Shared):
    name, title = "shared-utf8", "One buffer for both, emptied when its bytes are complete"
    about = "A fault: a stop string in two tokens is shown before it is whole, and then never found."
    gist = "a fault: stop strings are missed"

    def waits(self, text: str) -> bool:
        return incomplete_tail(self.buffer) > 0


class SharedStop(_Shared):
    name, title = "shared-stop", "One buffer for both, emptied when no stop can begin at its end"
    about = "A fault: half a character goes out as U+FFFD, and a stop string cut inside a character is never found."
    gist = "a fault: half a character goes out"

    def waits(self, text: str) -> bool:
        matcher = StopMatcher(self.stops)
        matcher.push(text)
        return bool(matcher.held)


POLICIES: tuple[type[Policy], ...] = (
    NaiveGo, NaiveUnicode, Buffered, ValidPrefix, HfDecodeStream, Grapheme, SharedUtf8, SharedStop,
)
DEFAULT_POLICIES: tuple[str, ...] = tuple(p.name for p in POLICIES if p.default)


def policy_named(name: str) -> type[Policy]:
    """The policy with this name; InputError that lists them all."""
    from .errors import InputError

    for policy in POLICIES:
        if policy.name == name:
            return policy
    raise InputError(f"no policy is called {name!r}", todo=f"choose from {' '.join(p.name for p in POLICIES)}")


def _size(text: str) -> int:
    """Length in UTF-8 bytes: the unit in which DecodeStream compares."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
