"""What a byte lane must show, worked out slowly and by other means: Python's own decoder and `regex` over all the text.

    truth = Truth.of(encoding)
    check(source, truth, 0, len(truth.data))
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass

import regex

from tokenloupe.core.bytelane import LaneSource
from tokenloupe.core.tokenizer import Encoding


@dataclass(frozen=True)
class Truth:
    """Edges as lists of byte offsets; roles: a number for each byte; cuts: (place, 0 between, 1 grapheme, 2 point)."""

    data: bytes
    text: str
    code_points: list[int]
    graphemes: list[int]
    roles: list[int]
    cuts: list[tuple[int, int]]

    @classmethod
    def of(cls, encoding: Encoding) -> Truth:
        data = encoding.data
        chars, edges, roles = decoded(data)
        text = "".join(chars)
        graphemes, at = [0], 0
        for cluster in regex.findall(r"\X", text, regex.DOTALL):
            at += len(cluster)
            graphemes.append(edges[at])
        cuts = []
        for place in range(1, len(data)):
            if any(t.start < t.end and place in (t.start, t.end) for t in encoding.tokens):
                cuts.append((place, 0 if place in graphemes else 1 if place in edges else 2))
        return cls(data, text, edges, graphemes, roles, cuts)


def decoded(data: bytes) -> tuple[list[str], list[int], list[int]]:
    """(one string a code point, their edges, the role of every byte)."""
    chars: list[str] = []
    edges = [0]
    roles: list[int] = []
    at = 0
    while at < len(data):
        try:
            char = data[at:].decode("utf-8")[0]
        except UnicodeDecodeError as error:
            if error.start:
                char = data[at : at + error.start].decode("utf-8")[0]
            else:
                # Python's decoder stops after a maximal subpart; one that begins well would have been waited for.
                wrong = data[at : at + error.end]
                for byte in range(len(wrong)):
                    chars.append("\ufffd")
                    edges.append(at + byte + 1)
                try:
                    codecs.getincrementaldecoder("utf-8")().decode(wrong)
                    roles += [6] * len(wrong)
                except UnicodeDecodeError:
                    roles += [5] * len(wrong)
                at += len(wrong)
                continue
        size = len(char.encode())
        chars.append(char)
        edges.append(at + size)
        roles += [size - 1] + [4] * (size - 1)
        at += size
    return chars, edges, roles


def check(source: LaneSource, truth: Truth, start: int, end: int) -> None:
    """Is the lane of these bytes what the whole text's is?"""
    lane = source.lane(start, end)
    low = max(e for e in truth.code_points if e <= start)
    high = min(e for e in truth.code_points if e >= end)
    assert (lane.start, lane.end, lane.data) == (low, high, truth.data[low:high])
    assert lane.code_points.tolist() == [e for e in truth.code_points if low <= e <= high]
    first, last = truth.code_points.index(low), truth.code_points.index(high)
    assert lane.text == truth.text[first:last]
    assert lane.roles.tolist() == truth.roles[low:high]
    before = max(e for e in truth.graphemes if e <= low)
    after = min(e for e in truth.graphemes if e >= high)
    assert lane.graphemes.tolist() == [e for e in truth.graphemes if before <= e <= after]
    cuts = list(zip(lane.cuts.tolist(), lane.cut_kinds.tolist(), strict=True))
    assert cuts == [c for c in truth.cuts if low <= c[0] <= high]
