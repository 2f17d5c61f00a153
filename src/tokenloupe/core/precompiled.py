"""SentencePiece's compiled normalization rules ("precompiled_charsmap"): a double-array trie and its replacements.

The blob is a little-endian length, that many bytes of trie units (32 bits each) and the replacement strings, each ended
by a zero byte. The same blob is in a SentencePiece model, in a tokenizer.json (base64) and in a GGUF file. NFKC is
225,000 rules in 240 kB, so nothing is unfolded: a rule is looked up by walking the trie, a character at a time with a
memo, and only at the few places of a text where one can start.

    >>> rules = Precompiled(blob)
    >>> rules.longest("½x".encode(), 0), rules.matches("½x".encode(), 0)
    ((2, b'1\\xe2\\x81\\x842'), [(2, b'1\\xe2\\x81\\x842')])

Sources: darts-clone (S. Yata, BSD-2), which says what a unit is; sentencepiece normalizer.cc (Apache-2.0), which says
what a file must satisfy.
"""

from __future__ import annotations

import re
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .errors import InputError
from .ragged import places
from .text import utf8_widths
from .vocabulary import Int64s

#: A trie is made of blocks of 256 units of four bytes.
_BLOCK_BYTES = 1024


class Precompiled:
    """blob: as it stands in a model. InputError, with sentencepiece's reason, for a blob that sentencepiece refuses."""

    def __init__(self, blob: bytes, where: str = "precompiled_charsmap") -> None:
        if len(blob) <= 4:
            raise _broken("the rules are shorter than their own header", where)
        size = int.from_bytes(blob[:4], "little")
        if size >= len(blob) - 4:
            raise _broken(f"the trie should have {size:,} bytes and {len(blob) - 4:,} remain", where)
        if size < _BLOCK_BYTES or size % _BLOCK_BYTES:
            raise _broken(f"the trie's {size:,} bytes are no multiple of {_BLOCK_BYTES}", where)
        self.blob, self.strings = blob, blob[4 + size :]
        if not self.strings.endswith(b"\0"):
            raise _broken("the replacement strings do not end with a zero byte", where)
        units = np.frombuffer(blob, "<u4", size // 4, 4).astype(np.int64)
        self._labels = units & 0x800000FF
        self._places = (units >> 10) << ((units & (1 << 9)) >> 6)  # where the children are, still to be xor-ed
        self._leafs = ((units >> 8) & 1).astype(np.bool_)
        self._check(units, where)
        at = np.arange(len(units))
        inside = self._labels <= 0xFF  # a unit that is a node and not a value
        self._places = np.where(inside, self._places ^ at, 0)
        self._values = np.where(inside & self._leafs, units[self._places] & 0x7FFFFFFF, -1)
        self._steps: dict[tuple[int, str], tuple[int, int]] = {}

    # Walking is done with plain lists: an item of a numpy array costs five times as much.
    @cached_property
    def _label_list(self) -> list[int]:
        return self._labels.tolist()  # type: ignore[no-any-return]

    @cached_property
    def _place_list(self) -> list[int]:
        return self._places.tolist()  # type: ignore[no-any-return]

    @cached_property
    def _value_list(self) -> list[int]:
        return self._values.tolist()  # type: ignore[no-any-return]

    def _check(self, units: NDArray[np.int64], where: str) -> None:
        """The conditions under which no walk can leave the arrays (darts-clone's validate)."""
        count = len(units)
        at = np.arange(count)
        nodes = self._labels <= 0xFF
        pointed = at ^ self._places
        if int(units[0]) & 0xFF or not nodes[0] or bool(self._leafs[0]) or not int(self._places[0]):
            raise _broken("the trie has no root", where)
        if bool((((pointed | 0xFF) >= count) & nodes).any()):
            raise _broken("the trie points outside itself", where)
        with_value = np.flatnonzero(nodes & self._leafs)
        if bool((self._labels[pointed[with_value]] <= 0xFF).any()):
            raise _broken("the trie names a value where none is", where)
        if bool(((units & 0x7FFFFFFF) >= len(self.strings))[~nodes].any()):
            raise _broken("a rule points to a replacement that is not there", where)

    def matches(self, data: bytes, pos: int = 0) -> list[tuple[int, bytes]]:
        """(bytes matched, replacement) of every rule that matches at `pos`, shortest first."""
        labels, at, values = self._label_list, self._place_list, self._value_list
        found, node = [], 0
        for i in range(pos, len(data)):
            node = at[node] ^ data[i]
            if labels[node] != data[i]:
                break
            if values[node] >= 0:
                found.append((i + 1 - pos, self._replacement(values[node])))
        return found

    def longest(self, data: bytes, pos: int = 0) -> tuple[int, bytes] | None:
        """(bytes matched, replacement) of the longest rule that matches at `pos`, or None."""
        found = self.matches(data, pos)
        return found[-1] if found else None

    def longest_in_text(self, text: str, pos: int) -> tuple[int, str] | None:
        """The same in characters: (characters matched, replacement), or None."""
        node, best_value, best_end = 0, -1, pos
        steps = self._steps
        for i in range(pos, len(text)):
            step = steps.get((node, text[i]))
            if step is None:
                step = steps[node, text[i]] = self._step(node, text[i])
            node, value = step
            if node < 0:
                break
            if value >= 0:
                best_value, best_end = value, i + 1
        return None if best_value < 0 else (best_end - pos, self._replacement(best_value).decode("utf-8", "replace"))

    def _step(self, node: int, character: str) -> tuple[int, int]:
        """(node after one character or -1, value there or -1)."""
        for byte in character.encode("utf-8", "surrogatepass"):
            node = self._place_list[node] ^ byte
            if self._label_list[node] != byte or not byte:
                return -1, -1
        return node, self._value_list[node]

    def _replacement(self, value: int) -> bytes:
        return self.strings[value : self.strings.index(b"\0", value)]

    def find(self, text: str, pos: int) -> tuple[int, int, str] | None:
        """(start, end, replacement), in characters, of the first rule that matches at or after `pos`, or None.


        Looks for the few characters that have a rule of their own or continue one; a longer rule begins just before.
        """
        trigger, firsts = self._trigger
        at = pos
        while (hit := trigger.search(text, at)) is not None:
            at = hit.start()
            if at > pos and text[at - 1] in firsts:
                found = self.longest_in_text(text, at - 1)
                if found is not None:
                    return at - 1, at - 1 + found[0], found[1]
            found = self.longest_in_text(text, at)
            if found is not None:
                return at, at + found[0], found[1]
            at += 1
        return None

    @cached_property
    def _trigger(self) -> tuple[re.Pattern[str], frozenset[str]]:
        singles, firsts, seconds = self.openings
        members = _members(sorted({*singles, *seconds}))
        return re.compile(f"[{members}]" if members else r"(?!)"), frozenset(map(chr, firsts))

    @cached_property
    def has_double_space(self) -> bool:
        """Does any replacement hold two spaces in a row?"""
        return b"  " in self.strings

    @cached_property
    def own(self) -> dict[int, str]:
        """What each character becomes that has a rule of its own."""
        nodes, points = self._first_characters
        values = self._values[nodes]
        some = values >= 0
        value = values[some]
        zeros = np.flatnonzero(np.frombuffer(self.strings, np.uint8) == 0)
        stops = zeros[np.searchsorted(zeros, value)]
        return {p: self.strings[a:b].decode("utf-8", "replace")
                for p, a, b in zip(points[some].tolist(), value.tolist(), stops.tolist(), strict=True)}

    @cached_property
    def _first_characters(self) -> tuple[Int64s, Int64s]:
        """(node, code point) of every character that begins a rule. Bytes that spell what is no character, and so one
        that is in no text, are left out."""
        nodes, points = self._characters(np.array([0]))
        real = points <= 0x10FFFF
        return nodes[real], points[real]

    @cached_property
    def openings(self) -> tuple[list[int], list[int], list[int]]:
        """Code points with a rule of their own; those that begin a longer rule; all second ones of longer rules."""
        nodes, points = self._first_characters
        longer = self._has_children(nodes)
        _, seconds = self._characters(np.unique(nodes[longer]))
        seconds = np.unique(seconds[seconds <= 0x10FFFF])
        return list(self.own), points[longer].tolist(), seconds.tolist()

    @cached_property
    def inner_points(self) -> frozenset[int]:
        """Code points that stand in some rule behind its first character."""
        nodes, _ = self._characters(np.array([0]))
        seen: set[int] = set()
        while len(nodes):
            nodes, points = self._characters(np.unique(nodes))
            seen.update(points.tolist())
        return frozenset(seen)

    @cached_property
    def _nodes_by_place(self) -> tuple[Int64s, Int64s]:
        """Every node but the root in the order of where its parent's children are, and where each place's begin."""
        labels = self._labels
        at = np.flatnonzero((labels > 0) & (labels <= 0xFF))
        place = at ^ labels[at]  # a unit's label is what its parent's place was xor-ed with
        edges = np.zeros(len(labels) + 257, np.int64)
        np.cumsum(np.bincount(place, minlength=len(labels) + 256), out=edges[1:])
        return at[np.argsort(place, kind="stable")], edges

    def _children(self, nodes: Int64s) -> tuple[Int64s, Int64s, Int64s]:
        """(index of the parent in `nodes`, byte, child node) of every child."""
        order, edges = self._nodes_by_place
        at = self._places[nodes]
        begins = edges[at]
        counts = edges[at + 1] - begins
        child = order[places(begins, counts)]
        return np.repeat(np.arange(len(nodes)), counts), self._labels[child], child

    def _has_children(self, nodes: Int64s) -> NDArray[np.bool_]:
        _, edges = self._nodes_by_place
        at = self._places[nodes]
        found: NDArray[np.bool_] = edges[at + 1] > edges[at]
        return found

    def _characters(self, nodes: Int64s) -> tuple[Int64s, Int64s]:
        """(node, code point) after each whole character that can follow one of `nodes`, in the spelling that texts have
        (not one of more bytes than it takes). Nodes are shared by many keys, so pairs are made unique at each byte."""
        done = []
        parent, byte, child = self._children(nodes)
        need = np.where(byte < 0x80, 0, np.where(byte < 0xE0, 1, np.where(byte < 0xF0, 2, 3)))
        point, size = np.where(byte < 0x80, byte, byte & (0x3F >> need)), need
        while len(child):
            keys = np.unique(child << 25 | point << 4 | size << 2 | need)  # a point of four bytes has 21 bits
            child, point, size, need = keys >> 25, keys >> 4 & 0x1FFFFF, keys >> 2 & 3, keys & 3
            done.append(keys[(need == 0) & (utf8_widths(point) == size + 1)])
            go = need > 0
            point, size, need = point[go], size[go], need[go]
            parent, byte, child = self._children(child[go])
            point, size, need = (point[parent] << 6) | (byte & 0x3F), size[parent], need[parent] - 1
        pairs = np.unique(np.concatenate([np.zeros(0, np.int64), *done]))
        return pairs >> 25, pairs >> 4 & 0x1FFFFF


def _members(points: list[int]) -> str:
    """The inside of a character class. All characters beyond U+FFFF count as members when any does: `re` would compare
    a text with each of them by itself."""
    listed = "".join(re.escape(chr(p)) for p in points if p <= 0xFFFF)
    return listed + ("\U00010000-\U0010ffff" if any(p > 0xFFFF for p in points) else "")


def _broken(what: str, where: str) -> InputError:
    return InputError(what, where=where, todo="the file is damaged: fetch it again")
