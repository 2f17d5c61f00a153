"""SentencePiece's normalizer with true spans: which input bytes each normalized character came from.

Rules (compiled, see precompiled.py) replace characters; user-defined pieces are passed over untouched; spaces become
U+2581 `▁`; a prefix `▁` is put before the text (or after it, in suffix mode); runs of spaces and those at both ends go.

    >>> n = SpNormalizer().normalize(b"  hi")
    >>> n.text, n.chars.starts.tolist(), n.chars.ends.tolist(), n.lost
    ('▁hi', [2, 2, 3], [2, 3, 4], [(0, 2, 'remove_extra_whitespaces')])

The prefix has no bytes behind it (start == end); a replaced character's bytes are behind every byte of its replacement.
Source of the rules: sentencepiece 0.2.3 normalizer.cc (Apache-2.0), written anew over arrays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from .precompiled import Precompiled
from .precompiled_edits import Edits, RuleEdits
from .ragged import places
from .text import code_points, decode_view, utf8_widths
from .vocabulary import Int64s

SPACE = "\u2581"  # ▁
Bools = NDArray[np.bool_]
Spans = list[tuple[int, int, str]]  # byte_start, byte_end, stage

#: Stands for a byte that is no UTF-8 until the rules have run (which may have one for U+FFFD): no text holds it.
_INVALID = "\udcff"


@dataclass(frozen=True, slots=True)
class SpannedText:
    """A text with the input bytes behind each of its characters. copied: the character is the input's own."""

    text: str
    starts: Int64s
    ends: Int64s
    copied: Bools

    def behind(self, starts: Int64s, stops: Int64s) -> tuple[Int64s, Int64s]:
        """(starts, ends) in the input of UTF-8 bytes starts:stops of the text, as bytes_behind has them."""
        if self.text.isascii():
            return self.starts.take(starts), self.ends.take(stops - 1)
        lead = (np.frombuffer(self.text.encode("utf-8", "surrogatepass"), np.uint8) & 0xC0) != 0x80
        index = np.cumsum(lead, dtype=np.int32)
        index -= 1
        first, last = index.take(starts), index.take(stops - 1)
        out_starts, out_ends = self.starts.take(first), self.ends.take(last)
        lead = np.append(lead, True)
        parts = np.flatnonzero(~(lead.take(starts) & lead.take(stops)))
        if len(parts):  # byte pieces
            begin = np.flatnonzero(lead)

            def own_bytes(chars: NDArray[np.int32]) -> Bools:
                size = begin[chars + 1] - begin[chars]
                own: Bools = self.copied[chars] & (self.ends[chars] - self.starts[chars] == size)
                return own

            chars, at = first[parts], starts[parts]
            out_starts[parts] += np.where(own_bytes(chars), at - begin[chars], 0)
            chars, at = last[parts], stops[parts]
            out_ends[parts] = np.where(own_bytes(chars), self.starts[chars] + at - begin[chars], out_ends[parts])
        return out_starts, out_ends


@dataclass(frozen=True, slots=True)
class Normalized:
    """chars: what the model sees, character by character. lost: (byte_start, byte_end, stage) of input that cannot come
    back."""

    chars: SpannedText
    lost: Spans

    @property
    def text(self) -> str:
        return self.chars.text


class SpNormalizer:
    """The settings of a model's normalizer_spec, and its user-defined pieces."""

    def __init__(
        self,
        rules: Precompiled | None = None,
        *,
        name: str = "",
        user_defined: Iterable[str] = (),
        add_dummy_prefix: bool = True,
        remove_extra_whitespaces: bool = True,
        escape_whitespaces: bool = True,
        treat_whitespace_as_suffix: bool = False,
    ) -> None:
        self.rules, self.name = rules, name
        self.user_defined = frozenset(user_defined)
        self.add_dummy_prefix = add_dummy_prefix
        self.remove_extra_whitespaces = remove_extra_whitespaces
        self.space = SPACE if escape_whitespaces else " "
        self.suffix_mode = treat_whitespace_as_suffix
        self._pieces = longest_first(self.user_defined)
        # A unit (a rule's replacement or a user-defined piece) with two spaces in a row loses those at its front as a
        # whole or not at all; nothing else needs the units once they are joined.
        self.units_matter = any("  " in p for p in self.user_defined) or (rules is not None and rules.has_double_space)

    def normalize(self, data: bytes, *, begins: bool = True, ends: bool = True) -> Normalized:
        """The normalized text of `data`, any bytes; each byte that is not valid UTF-8 becomes U+FFFD.

        begins, ends: whether the text begins and ends here, or this is a chunk of it (sp_chunks.py).
        """
        if not data:
            return Normalized(_NO_TEXT, [])
        view = decode_view(data)
        text = view.text
        if not bool(view.valid.all()):
            text = "".join([c if v else _INVALID for c, v in zip(text, view.valid.tolist(), strict=True)])
        chars = SpannedText(text, view.byte_starts[:-1], view.byte_starts[1:], view.valid)
        units: list[tuple[int, int]] | None = [] if self.units_matter else None
        gone: Spans = []
        if self.rules is not None or self._pieces is not None:
            chars, gone = self._substitute(chars, units)
        return self._spaces(chars, together(gone, self._replaced(chars)), bool(gone), units, len(data), begins, ends)

    def _substitute(self, chars: SpannedText, units: list[tuple[int, int]] | None) -> tuple[SpannedText, Spans]:
        """Apply the rules. Also: what they replaced by nothing. units: filled with (start, end) in the new text."""
        text = chars.text
        if self._pieces is not None and self._pieces.search(text) is not None:
            edits: Edits | None = self._beside_pieces(text, units is not None)
        elif self._rules is not None:
            edits = self._rules.of(text, code_points(text))
        else:
            edits = None
        if edits is None or not len(edits):
            return chars, []
        empty = np.flatnonzero(edits.lengths == 0)
        gone = zip(chars.starts[edits.starts[empty]].tolist(), chars.ends[edits.ends[empty] - 1].tolist(), strict=True)
        return replaced(chars, edits, units), [(a, b, self._stage) for a, b in gone]

    @cached_property
    def _rules(self) -> RuleEdits | None:
        return None if self.rules is None else RuleEdits(self.rules)

    def _beside_pieces(self, text: str, units: bool) -> Edits:
        """What the rules replace where no user-defined piece stands. units: also the pieces, by themselves."""
        rules, pieces = self.rules, self._pieces
        edits: list[tuple[int, int, str]] = []  # start, end, replacement, in characters
        piece = pieces.search(text, 0) if pieces is not None else None
        rule = rules.find(text, 0) if rules is not None else None
        while piece is not None or rule is not None:
            if piece is not None and (rule is None or piece.start() <= rule[0]):
                pos = piece.end()
                if units:
                    edits.append((piece.start(), pos, piece[0]))
            else:
                assert rule is not None
                pos = rule[1]
                edits.append(rule)
            if piece is not None and pieces is not None and piece.start() < pos:
                piece = pieces.search(text, pos)
            if rule is not None and rules is not None and rule[0] < pos:
                rule = rules.find(text, pos)
        return Edits.of(edits)

    @property
    def _stage(self) -> str:
        return f"normalization rules ({self.name})" if self.name else "normalization rules"

    def _replaced(self, chars: SpannedText) -> Spans:
        """Runs of input that a rule changed or that is no UTF-8."""
        if bool(chars.copied.all()):
            return []
        at = np.flatnonzero(~chars.copied)
        invalid = code_points(chars.text)[at] == ord(_INVALID)
        if not bool(invalid.any()):
            return runs(chars.starts[at], chars.ends[at], [self._stage] * len(at))
        stages = ["invalid UTF-8" if i else self._stage for i in invalid.tolist()]
        return runs(chars.starts[at], chars.ends[at], stages)

    def _spaces(
        self, chars: SpannedText, lost: Spans, hollow: bool, units: list[tuple[int, int]] | None, size: int,
        text_begins: bool, text_ends: bool,
    ) -> Normalized:
        """Drop, add and write spaces. hollow: something was replaced by nothing. size: bytes of the input."""
        text, starts, ends, copied = chars.text, chars.starts, chars.ends, chars.copied
        first = 0  # where the prefix stands: after the spaces that are dropped at the front
        if self.remove_extra_whitespaces:
            drop = self._extra(text, units, text_begins)
            if drop is not None:
                lost += runs(starts[drop], ends[drop], ["remove_extra_whitespaces"] * int(drop.sum()))
                if text_begins and not hollow and text.strip(" ") == "":
                    return Normalized(_NO_TEXT, lost)
                keep = ~drop
                text = code_points(text)[keep].tobytes().decode("utf-32-le", "surrogatepass")
                starts, ends, copied = starts[keep], ends[keep], copied[keep]
            first = int(starts[0]) if len(starts) else size
        if text_ends:
            text, starts, ends, copied, lost = self._trailing(text, starts, ends, copied, lost)
        last = int(ends[-1]) if len(ends) else first
        if SPACE in text and self.space == SPACE:
            literal = np.flatnonzero((code_points(text) == ord(SPACE)) & copied)
            lost += runs(starts[literal], ends[literal], ["escape_whitespaces"] * len(literal))
        text = text.replace(" ", self.space).replace(_INVALID, "\ufffd")
        if text_begins and self.add_dummy_prefix and not self.suffix_mode and not self._emptied(text):
            text, at = self.space + text, [first]
            starts, ends = np.concatenate([at, starts]), np.concatenate([at, ends])
            copied = np.concatenate([[False], copied])
        elif text_ends and self.add_dummy_prefix and self.suffix_mode:
            text, at = text + self.space, [last]
            starts, ends = np.concatenate([starts, at]), np.concatenate([ends, at])
            copied = np.concatenate([copied, [False]])
        return Normalized(SpannedText(text, starts, ends, copied), lost)

    def _emptied(self, normalized: str) -> bool:
        """A prefix alone is stripped again as a trailing space."""
        return not normalized and self.remove_extra_whitespaces

    def _extra(self, text: str, units: list[tuple[int, int]] | None, begins: bool) -> Bools | None:
        """Mask of the spaces that follow a space or begin the text, or None where there are none."""
        if "  " not in text and not (begins and text.startswith(" ")):
            return None
        space = code_points(text) == 32
        before = np.concatenate([[begins], space[:-1]])
        drop = space & before
        for start, end in units or ():  # left to right: what goes at the front of a unit depends on what stayed before
            if "  " in text[start:end]:
                front = end - start - len(text[start:end].lstrip(" "))
                drop[start + front : end] = False
                drop[start : start + front] = bool(before[start]) and front > 0
        return drop if bool(drop.any()) else None

    def _trailing(
        self, text: str, starts: Int64s, ends: Int64s, copied: Bools, lost: Spans
    ) -> tuple[str, Int64s, Int64s, Bools, Spans]:
        """Without the spaces (and, as the reference has it, the `▁` typed by the user) at the end."""
        if not self.remove_extra_whitespaces:
            return text, starts, ends, copied, lost
        kept = len(text.rstrip(" " + self.space))
        if kept == len(text):
            return text, starts, ends, copied, lost
        gone = runs(starts[kept:], ends[kept:], ["remove_extra_whitespaces"] * (len(text) - kept))
        if lost and lost[-1][2] == gone[0][2] and lost[-1][1] == gone[0][0]:  # the others of the same run
            gone[0] = (lost.pop()[0], *gone[0][1:])
        lost = lost + gone
        return text[:kept], starts[:kept], ends[:kept], copied[:kept], lost


def longest_first(pieces: Iterable[str]) -> re.Pattern[str] | None:
    """A pattern that matches the longest of the pieces at each place, or None when there are none."""
    ordered = sorted(pieces, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, ordered))) if ordered else None


_NO_TEXT = SpannedText("", np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.bool_))


def replaced(chars: SpannedText, edits: Edits, units: list[tuple[int, int]] | None = None) -> SpannedText:
    """The text with each edit made. units: filled with (start, end), in the new text, of what was put in."""
    points = code_points(chars.text)
    one_to_one = bool((edits.lengths == 1).all()) and bool((edits.ends - edits.starts == 1).all())
    if one_to_one:
        made, starts, ends, at, copied = points.copy(), chars.starts, chars.ends, edits.starts, chars.copied.copy()
    else:
        size = np.ones(len(points) + 1, np.int64)
        size[places(edits.starts, edits.ends - edits.starts)] = 0
        size[edits.starts] = edits.lengths
        where = np.cumsum(size) - size  # of each old character, in the new text
        which = np.repeat(np.arange(len(points)), size[:-1])
        made, starts, ends, copied = points[which], chars.starts[which], chars.ends[which], chars.copied[which]
        at = places(where[edits.starts], edits.lengths)
        ends[at] = chars.ends[np.repeat(edits.ends - 1, edits.lengths)]
    if units is not None:
        first = (edits.starts if one_to_one else where[edits.starts]).tolist()
        units += [(a, a + n) for a, n in zip(first, edits.lengths.tolist(), strict=True)]
    made[at], copied[at] = edits.points, False
    # A piece that passes as it is, and a rule that changes nothing, are copied still.
    equal = np.flatnonzero(np.repeat(edits.lengths == edits.ends - edits.starts, edits.lengths))
    if len(equal):
        old = places(edits.starts, edits.lengths)[equal]
        owner = np.repeat(np.arange(len(edits)), edits.lengths)[equal]
        changed = np.zeros(len(edits), np.bool_)
        changed[owner[points[old] != edits.points[equal]]] = True
        same = ~changed[owner]
        keep, source = at[equal[same]], old[same]
        if len(keep):
            starts, ends = starts.copy(), ends.copy()
            copied[keep], starts[keep], ends[keep] = chars.copied[source], chars.starts[source], chars.ends[source]
    return SpannedText(made.tobytes().decode("utf-32-le", "surrogatepass"), starts, ends, copied)


def edited(chars: SpannedText, edits: list[tuple[int, int, str]]) -> SpannedText:
    """The text with each (start, end, replacement) put in."""
    return replaced(chars, Edits.of(edits))


def bytes_behind(chars: SpannedText, width: Int64s | None = None) -> tuple[Int64s, Int64s]:
    """(starts, ends) in the input for each UTF-8 byte of the text: a copied character's byte by byte, any other as a
    whole. width: the bytes of each character where they are not those of UTF-8."""
    width = utf8_widths(code_points(chars.text)) if width is None else width
    exact = chars.copied & (chars.ends - chars.starts == width)
    if bool((width == 1).all()):
        return chars.starts, np.where(exact, chars.starts + 1, chars.ends)
    which = np.repeat(np.arange(len(width)), width)
    within = np.arange(len(which)) - np.repeat(np.cumsum(width) - width, width)
    starts = chars.starts[which] + np.where(exact[which], within, 0)
    return starts, np.where(exact[which], starts + 1, chars.ends[which])


def together(some: Spans, others: Spans) -> Spans:
    """Both in order, neighbours of one stage joined."""
    if not some:
        return others
    starts, ends, stages = zip(*sorted(some + others), strict=True)
    return runs(np.array(starts), np.array(ends), stages)


def runs(starts: Int64s, ends: Int64s, stages: Sequence[str]) -> Spans:
    """Neighbouring spans of one stage joined."""
    if len(starts) > 8 and len(set(stages)) == 1 and bool((ends[1:] >= ends[:-1]).all()):
        first = np.flatnonzero(np.concatenate([[True], starts[1:] > ends[:-1]]))
        last = np.append(first[1:], len(starts)) - 1
        return list(zip(starts[first].tolist(), ends[last].tolist(), repeat(stages[0])))
    joined: Spans = []
    for start, end, stage in zip(starts.tolist(), ends.tolist(), stages, strict=True):
        if joined and joined[-1][2] == stage and joined[-1][1] >= start:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]), stage)
        else:
            joined.append((start, end, stage))
    return joined
