"""Which tokens of a GGUF vocabulary llama.cpp treats as special, and how it finds them in a text.

A file gives every token a type, and llama.cpp then overrules it by the token's text: end-of-turn and fill-in-the-middle
markers are control tokens whatever the file says, four of gpt-oss's are user-defined. User-defined tokens are always
cut out of the text before anything else; control tokens and the unknown one only when the caller asks (parse_special).

    >>> Marks([(b"<s>", 1, True), (b"<doc>", 7, False)]).matches(b"a<doc><s>", "text")
    [(1, 6, 7)]

Source: llama.cpp src/llama-vocab.cpp, load() and tokenizer_st_partition() (MIT), vendored in llama-cpp-python 0.3.36.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .tokenizer import SpecialMode
from .vocabulary import TokenKind

#: `tokenizer.ggml.token_type` -> kind; 0 and what is unknown count as ordinary here.
KINDS = {1: TokenKind.NORMAL, 2: TokenKind.UNKNOWN, 3: TokenKind.SPECIAL, 4: TokenKind.ADDED, 5: TokenKind.UNUSED,
         6: TokenKind.BYTE}

_END = (
    "<|eot_id|>", "<|im_end|>", "<|end|>", "<|return|>", "<|call|>", "<|flush|>", "<|calls|>", "<end_of_turn>",
    "<|endoftext|>", "</s>", "<|eom_id|>", "<EOT>", "_<EOT>", "[EOT]", "[EOS]", "<|end_of_text|>",
    "<end_of_utterance>", "<eos>", "<turn|>", "<|tool_response>", "<｜end▁of▁sentence｜>", "[e~[",
)
#: Fill in the middle: the key that names the token, and the texts it is found by when the key is not there.
_FIM = {
    "fim_pre": ("<|fim_prefix|>", "<fim-prefix>", "<fim_prefix>", "<｜fim▁begin｜>", "<PRE>", "▁<PRE>",
                "<|code_prefix|>", "<|prefix|>"),
    "fim_suf": ("<|fim_suffix|>", "<fim-suffix>", "<fim_suffix>", "<｜fim▁hole｜>", "<SUF>", "▁<SUF>",
                "<|code_suffix|>", "<|suffix|>"),
    "fim_mid": ("<|fim_middle|>", "<fim-middle>", "<fim_middle>", "<｜fim▁end｜>", "<MID>", "▁<MID>",
                "<|code_middle|>", "<|middle|>"),
    "fim_pad": ("<|fim_pad|>", "<fim-pad>", "<fim_pad>", "<PAD>", "[PAD]"),
    "fim_rep": ("<|fim_repo|>", "<|repo_name|>", "<fim-repo>", "<REPO>", "<reponame>"),
    "fim_sep": ("<|file_sep|>",),
}
_ALWAYS_SHOWN = ("<|channel|>", "<|message|>", "<|start|>", "<|constrain|>")

#: What C's isspace calls white space.
_BLANKS = b" \t\n\v\f\r"


def overruled(kinds: NDArray[np.uint8], ids: dict[bytes, int], named: dict[str, int]) -> NDArray[np.uint8]:
    """The kinds as llama.cpp has them after looking at the texts. named: fim_* ids that the file gives itself."""
    out = kinds.copy()

    def find(text: str) -> int | None:
        return ids.get(text.encode())

    for key, texts in _FIM.items():
        if key not in named:
            found = [i for t in texts if (i := find(t)) is not None]
            if found:
                out[min(found)] = TokenKind.SPECIAL
    ends = {t: i for t in _END if (i := find(t)) is not None}
    for token_id in ends.values():
        out[token_id] = TokenKind.SPECIAL
    for text in _ALWAYS_SHOWN:
        if (shown := find(text)) is not None:
            out[shown] = TokenKind.ADDED
    calls = "<|call|>" in ends or "<|calls|>" in ends
    if "<|end|>" in ends and calls and ("<|return|>" in ends or "<|flush|>" in ends):
        out[ends["<|end|>"]] = TokenKind.ADDED
    if "</s>" in ends and "<|tool_response>" in ends:
        out[ends["</s>"]] = TokenKind.NORMAL
    return out


@dataclass(frozen=True, slots=True)
class Mark:
    """A token found in text. only_parsed: for control and unknown tokens. lstrip, rstrip: it takes the blanks there."""

    text: bytes
    id: int
    only_parsed: bool
    lstrip: bool = False
    rstrip: bool = False


@dataclass(frozen=True)
class Marks:
    """marks: (text, id, only when parsed) or Mark. The longest text is looked for first, in the whole input."""

    marks: Sequence[Mark | tuple[bytes, int, bool]]
    _ordered: list[Mark] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        marks = [m if isinstance(m, Mark) else Mark(*m) for m in self.marks]
        object.__setattr__(self, "_ordered", sorted((m for m in marks if m.text), key=lambda m: -len(m.text)))

    @property
    def strips(self) -> bool:
        """Does any mark take the blanks beside it?"""
        return any(m.lstrip or m.rstrip for m in self._ordered)

    def matches(self, data: bytes, special: SpecialMode) -> list[tuple[int, int, int]]:
        """(byte_start, byte_end, id), in order and disjoint. Blanks that a mark takes with it are inside."""
        names = special if isinstance(special, frozenset) else ()
        chosen = frozenset(s.encode("utf-8", "surrogatepass") for s in names)
        found: list[tuple[int, int, int]] = []
        stretches = [(0, len(data))] if data else []
        for mark in self._ordered:
            if mark.only_parsed and special != "parse" and mark.text not in chosen:
                continue
            if mark.text not in data:
                continue
            left: list[tuple[int, int]] = []
            for start, end in stretches:
                while (at := data.find(mark.text, start, end)) >= 0:
                    before, after = at, at + len(mark.text)
                    while mark.lstrip and before > start and data[before - 1] in _BLANKS:
                        before -= 1
                    while mark.rstrip and after < end and data[after] in _BLANKS:
                        after += 1
                    if before > start:
                        left.append((start, before))
                    found.append((before, after, mark.id))
                    start = after
                if start < end:
                    left.append((start, end))
            stretches = left
        return sorted(found)
