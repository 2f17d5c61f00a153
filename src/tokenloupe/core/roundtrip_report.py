"""The round-trip verdict of a document: do its ids decode to its bytes? If not: what is lost, where, at which stage.

    >>> *_, verdict = verify(Document(bert, "Ünïcode".encode()))
    >>> verdict.exact, [(x.stage, x.lost, x.given) for x in verdict.losses]
    (False, [('BertNormalizer', b'\\xc3\\x9c', b'u'), ('BertNormalizer', b'\\xc3\\xaf', b'i')])

`verify` decodes: it is no look at a flag. A byte-level document is decoded in slices, each compared with the text's own
bytes; one whose tokenizer needs the whole text was decoded when it was encoded, and `Encoding.lost` says what differed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .byte_diff import changed, stretch
from .document import Document
from .roundtrip import difference
from .tokenizer import Lost
from .wording import count_of

#: Tokens decoded in a slice.
SLICE = 1 << 14
#: Bytes of a decoded text that is kept to find the first difference in.
LARGE = 1 << 22


@dataclass(frozen=True, slots=True)
class Loss:
    """Bytes start .. end of the document (none: something is put in there) that do not come back as they were.

    lost: those bytes. given: what comes back in their place, None where that is not known to the byte. first, last:
    tokens that touch them, first .. last-1. stage: what lost them.
    """

    start: int
    end: int
    stage: str
    lost: bytes
    given: bytes | None
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """exact: do the ids decode to the document's bytes. size: bytes of the document; decoded: of what comes back (-1
    where that was not kept). losses in order of place. tokens: how many were decoded."""

    exact: bool
    size: int
    decoded: int
    tokens: int
    losses: tuple[Loss, ...] = ()

    @property
    def lost_bytes(self) -> int:
        return sum(x.end - x.start for x in self.losses)

    @property
    def stages(self) -> list[tuple[str, int, int]]:
        """(stage, places, bytes), most places first."""
        found: dict[str, list[int]] = {}
        for loss in self.losses:
            entry = found.setdefault(loss.stage, [0, 0])
            entry[0] += 1
            entry[1] += loss.end - loss.start
        return sorted(((s, n, b) for s, (n, b) in found.items()), key=lambda x: -x[1])

    @property
    def sentence(self) -> str:
        if not self.tokens:
            return "There are no tokens." if not self.size else "The text has bytes, but no tokens."
        if self.exact:
            tokens = f"{self.tokens:,} tokens decode" if self.tokens != 1 else "1 token decodes"
            return f"Exact: {tokens} to the same {self.size:,} byte{'s' if self.size != 1 else ''}."
        gone = sum(x.end > x.start for x in self.losses)
        put_in = len(self.losses) - gone
        said = []
        if gone or not put_in:
            said.append(f"of {self.size:,} bytes {self.lost_bytes:,} do not come back as they were, in "
                        f"{count_of(gone, 'place')}")
        if put_in:
            said.append(f"bytes are put in at {count_of(put_in, 'place')}")
        return f"Not exact: {'; '.join(said)}."


def verify(document: Document) -> Iterator[float | Verdict]:
    """Progress 0..1 in slices of some milliseconds, and at last the Verdict. Finishes the document first. Begin anew
    when it changes meanwhile."""
    for progress in document.fill():
        yield 0.5 * progress
    if document.exact and document.pre_token_edges(0, 0) is not None:
        yield from _slices(document)
        return
    encoding = document.encoding()
    if encoding.exact:
        yield Verdict(True, len(encoding.data), len(encoding.data), len(encoding))
        return
    decoded = document.tokenizer.decode(encoding.ids) if len(encoding.data) <= LARGE else None
    yield Verdict(False, len(encoding.data), -1 if decoded is None else len(decoded), len(encoding),
                  losses(document, encoding.lost, decoded))


def _slices(document: Document) -> Iterator[float | Verdict]:
    """Token by token: what a byte-level id decodes to stands at its place in the text."""
    count, size = document.token_count, len(document)
    at = 0
    for first in range(0, count, SLICE):
        window = document.tokens(first, min(first + SLICE, count))
        start, end = int(window.starts[0]), int(window.ends[-1])
        made = document.tokenizer.decode(window.ids)
        if start != at or made != document.store.bytes(start, end):
            lost = (_difference(start, document.store.bytes(start, end), made) if start == at
                    else Lost(at, start, "no token"))
            yield Verdict(False, size, -1, count, losses(document, (lost,), None))
            return
        at = end
        yield 0.5 + 0.5 * end / max(size, 1)
    if at < size:
        yield Verdict(False, size, at, count, losses(document, (Lost(at, size, "no token"),), None))
        return
    yield Verdict(True, size, size, count)


def _difference(base: int, data: bytes, decoded: bytes) -> Lost:
    found = difference(data, decoded)
    return Lost(base + found.start, base + found.end, found.stage)


def losses(document: Document, lost: tuple[Lost, ...], decoded: bytes | None) -> tuple[Loss, ...]:
    """Each lost span with its bytes, its tokens, and what comes back in its place where that can be told; and whatever
    else the comparison shows (a decoder's spaces, a byte read as another), which no stage counted as lost."""
    data = document.data
    found = None if decoded is None else changed(data, decoded)
    given: dict[tuple[int, int], bytes] = {}
    if decoded is not None and found is not None:
        head, old_end, new_end = stretch(data, decoded)
        given = {(head, old_end): decoded[head:new_end]} | {(a, b): decoded[c:d] for a, b, c, d in found}
    more = [Lost(a, b, "decoder") for a, b, _, _ in found or () if not any(x.start <= b and a <= x.end for x in lost)]
    rows = []
    for x in sorted((*lost, *more), key=lambda x: (x.start, x.end)):
        window = document.window(x.start, x.end)
        rows.append(Loss(x.start, x.end, x.stage, document.store.bytes(x.start, x.end), given.get((x.start, x.end)),
                         window.first_index, window.first_index + len(window)))
    return tuple(rows)
