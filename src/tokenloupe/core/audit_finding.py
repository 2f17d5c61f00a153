"""One thing an audit found: its kind, how bad it is, the ids it is about, what it is, and a proof or a witness.

    >>> Finding("duplicate", Severity.WARNING, (5, 9), "both are b'the'").severity.word
    'warning'
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from .tables import readable

#: Findings of a kind that are kept, the worst first; the totals count all.
MOST = 2000
#: Bytes of an entry that a sentence shows.
LONGEST = 120


class Severity(IntEnum):
    """ERROR: ids or texts are ambiguous. WARNING: something can never be used, or may mislead. NOTE: good to know."""

    ERROR = 0
    WARNING = 1
    NOTE = 2

    @property
    def word(self) -> str:
        return self.name.lower()


#: kind -> what it means, in the order of a report.
KINDS: dict[str, str] = {
    "id twice": "one id is given to several entries",
    "duplicate": "several ids decode to the same bytes",
    "hole": "ids below the largest that no entry has",
    "added token collides": "an added token and another entry claim the same id or the same text",
    "special is ordinary text": "a special token that ordinary text may contain",
    "said at loading": "what was odd about the file",
    "unreachable": "entries that no text produces, with the proof",
    "fits no pre-token": "entries that the split pattern always cuts: longer than a pre-token can be, or across two",
    "none found": "entries for which neither a text nor a proof was found",
    "needs a neighbour": "entries that their own text does not produce and another text, the witness, does",
    "merge never fires": "merges that no text uses, because others take their symbols first",
    "decodes differently": "entries whose text, encoded and decoded, is another",
    "control character": "entries with control characters (tab and line ends apart)",
    "bidirectional control": "entries with characters that turn the direction of text around",
    "invisible": "entries with characters of no width",
    "look-alike": "entries of letters that look like Latin ones and are not",
    "long": "entries of 64 bytes and more",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """ids: token ids it is about, () for a finding about the file. what: a clause without a full stop. proof: why no
    text produces the entry; witness: a text that does."""

    kind: str
    severity: Severity
    ids: tuple[int, ...]
    what: str
    proof: str = ""
    witness: bytes | None = None


@dataclass(frozen=True, slots=True)
class More:
    """So many more findings of a kind, no worse than those before, that are counted and not written out."""

    kind: str
    count: int


def shown(piece: bytes) -> str:
    """An entry in a sentence: readable, and cut when it is longer than a line.

    >>> shown(b" hi"), shown(b"ab" * 50_000)[-9:]
    ('␣hi', 'babababa…')
    """
    return readable(piece) if len(piece) <= LONGEST else readable(piece[:LONGEST]) + "…"
