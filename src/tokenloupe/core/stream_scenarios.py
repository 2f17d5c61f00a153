"""Scenarios: short streams that show one thing each, ready with one click.

    >>> [s.id for s in SCENARIOS][:2]
    ['euro-arrow-smile', 'prompt-ends-inside']
    >>> run = scenario("euro-arrow-smile").run()
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .errors import InputError
from .stream_lanes import Run
from .stream_policies import DEFAULT_POLICIES
from .stream_sources import spelled
from .stream_tokens import Timing, TokenStream

_SHARED = (*DEFAULT_POLICIES[:3], "shared-utf8", "shared-stop")


@dataclass(frozen=True, slots=True)
class Scenario:
    """title: for a menu. look: what to look at, for the audience. The rest: what the theatre is set to."""

    id: str
    title: str
    look: str
    make: Callable[[], TokenStream]
    stops: tuple[str, ...] = ()
    policies: tuple[str, ...] = DEFAULT_POLICIES
    primed: bool = False

    def run(self, timing: Timing | None = None) -> Run:
        return Run(self.make(), self.policies, self.stops, primed=self.primed, timing=timing)


def _cut(text: str, *sizes: int) -> list[bytes]:
    """The UTF-8 of a text in pieces of these sizes; the rest is the last piece."""
    data, out = text.encode(), []
    for size in sizes:
        out.append(data[:size])
        data = data[size:]
    return [*out, data] if data else out


def _prompt_inside() -> TokenStream:
    return TokenStream.of_chunks([b"I am ", b"\xf0\x9f", b"\x98\x80", b" today", b"."], prompt=2,
                                 name="a prompt that ends inside 😀")


SCENARIOS: tuple[Scenario, ...] = (
    Scenario(
        "euro-arrow-smile", "Go€→🙂: three characters cut between tokens",
        "The tokens end inside €, → and 🙂. Decoding each token by itself shows U+FFFD that no later token can "
        "take back; the buffered lane holds one to three bytes and shows the text.",
        lambda: TokenStream.of_chunks(_cut("Go€→🙂", 3, 4, 3), name="Go€→🙂"),
    ),
    Scenario(
        "prompt-ends-inside", "The prompt ends inside a character",
        "The last token of the prompt holds the first half of 😀, the model’s first token the second half. A "
        "decoder that starts with the answer sees half a character. Switch “Tell the decoders the prompt” on.",
        _prompt_inside,
    ),
    Scenario(
        "invalid-then-valid", "Invalid bytes, then valid ones",
        "FF can never be part of a character, E2 82 is followed by a letter, 80 has no lead byte. Bytes that "
        "nothing can complete must go out at once; the longest-valid-prefix lane waits for ever.",
        lambda: TokenStream.of_chunks([b"a", b"\xff", b"b ", b"\xe2\x82", b"A ", b"\x80", b"z"], name="invalid bytes"),
    ),
    Scenario(
        "genuine-replacement", "A genuine U+FFFD in the text",
        "The model really writes U+FFFD (EF BF BD). A decoder that asks “does my text end with U+FFFD?” takes "
        "it for half a character: it shows it late, and not at all when it comes last.",
        lambda: TokenStream.of_chunks([b"a", b"\xef\xbf", b"\xbd", b"b", b" c", b"\xef\xbf\xbd"],
                                      name="a genuine U+FFFD"),
    ),
    Scenario(
        "space-inside", "A space token in the middle of a character",
        "The model breaks off after two bytes of €, writes a space, and goes on with the third. The space ends "
        "the character: its two bytes can go out now, and the third can begin nothing.",
        lambda: TokenStream.of_chunks([b"cost", b" ", b"\xe2\x82", b" ", b"\xac", b"5"], name="a space inside €"),
    ),
    Scenario(
        "byte-fallback", "Byte-fallback tokens",
        "A SentencePiece vocabulary has no token for 🦙, so the model writes its four bytes as <0xF0> <0x9F> "
        "<0xA6> <0x99>. Each of them decoded alone is U+FFFD.",
        lambda: spelled(["▁A", "▁", "<0xF0>", "<0x9F>", "<0xA6>", "<0x99>", "▁eats"], decoder="llama",
                        name="byte-fallback tokens"),
    ),
    Scenario(
        "byte-fallback-breaks", "Half a character between byte-fallback tokens",
        "The byte token for y is shown; then half of € makes the library decode both as U+FFFD. The text decoded "
        "again no longer begins as it did, and HF DecodeStream raises an error from there on.",
        lambda: spelled(["▁x", "<0x79>", "<0xE2>", "z", "!"], decoder="llama", name="half a character in byte tokens"),
    ),
    Scenario(
        "family", "A family emoji, member by member",
        "👨‍👩‍👧 is three people joined by U+200D. Buffered output is right at every step, yet readers see one "
        "person, then a couple, then the family. Whole graphemes wait until it is complete.",
        lambda: TokenStream.of_chunks(_cut("The 👨‍👩‍👧 is here 🇫🇷", 4, 2, 2, 3, 2, 2, 3, 2, 2, 3, 6, 4),
                                      name="a ZWJ family"),
    ),
    Scenario(
        "special-skipped", "Special tokens are left out",
        "<|im_start|> and <|im_end|> arrive as tokens and give no text. A step without output is not always a "
        "character that waits.",
        lambda: spelled(["<|im_start|>", "Hello", b" \xf0\x9f", b"\x91\x8b", "<|im_end|>", "!"],
                        special=("<|im_start|>", "<|im_end|>"), skip_special=True, name="special tokens"),
    ),
    Scenario(
        "ends-inside", "The stream ends inside a character",
        "The length limit is reached after three of four bytes of 🙂. A right decoder shows one U+FFFD at the "
        "end: the text does end in the middle of a character.",
        lambda: TokenStream.of_chunks([b"Good", b" night ", b"\xf0\x9f", b"\x99"], name="ends inside 🙂"),
    ),
    Scenario(
        "metaspace", "Spaces lost token by token",
        "▁ stands for a space, and a decoder drops it from the first token. Decoded one by one every token is "
        "the first: the words run together.",
        lambda: spelled(["▁The", "▁cat", "▁sat", "▁on", "▁the", "▁mat", "."], decoder="metaspace",
                        name="Metaspace tokens"),
    ),
    Scenario(
        "stop-in-two-tokens", "A stop string in several tokens",
        "The stop string “\\nUser:” comes in three tokens. Text that could begin it waits in a buffer of its "
        "own, and is shown when it turns out to be something else (“\\nUsually”).",
        lambda: TokenStream.of_chunks([b"Hi", b".\n", b"Us", b"ually yes", b".\n", b"Us", b"er:", b" and you?"],
                                      name="a stop string"),
        stops=("\nUser:",), policies=_SHARED,
    ),
    Scenario(
        "stop-inside-character", "A stop string cut inside its character",
        "The stop string “é” arrives as C3 and A9. It can only be found in text that was decoded first: one "
        "buffer for both gives half of it away, or misses it.",
        lambda: TokenStream.of_chunks([b"caf", b"\xc3", b"\xa9", b" cr\xc3\xa8me ", b"\xf0\x9f", b"\xa5\x90"],
                                      name="a stop string inside a character"),
        stops=("é",), policies=_SHARED,
    ),
)


def scenario(scenario_id: str) -> Scenario:
    """The scenario with this id; InputError that lists them."""
    for entry in SCENARIOS:
        if entry.id == scenario_id:
            return entry
    raise InputError(f"no scenario is called {scenario_id!r}", todo=f"choose from {' '.join(s.id for s in SCENARIOS)}")
