"""A colour index for every token that stays with it while others come and go.

With `token_index % 6` one token more at the top of a text would give every token after it another colour. Here an edit
colours only the tokens it made, each unlike its two neighbours; all others keep what they had. Views hand the index to
`views/palette.py`, so that a token looks the same in the editor, the table and the byte views.

    colours = TokenColours.of(session)
    palette.current().fill_of(colours.at(token_index))
    colours.window(first, last)     # uint8 (last - first,)

One byte a token; an edit moves the tail of a bytearray (0.1 ms for 2.5 million tokens).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from ..core.document import Change
    from .session import Session

#: How many colours there are; the palette has as many.
COLOURS = 6
_CYCLE = bytes(range(COLOURS))


class TokenColours(QObject):
    """Follows a session. `of(session)` gives the one object all its views share."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._colours = bytearray()
        session.document_changed.connect(self._changed)
        session.tokenizer_changed.connect(self.renew)
        self.renew()

    @classmethod
    def of(cls, session: Session) -> TokenColours:
        found = session.findChild(cls)
        return found if isinstance(found, cls) else cls(session)

    def renew(self) -> None:
        """Another tokenizer: start again from the plain cycle."""
        count = self._session.document.token_count if self._session.ready else 0
        self._colours = bytearray(cycle(0, count))

    def take(self, colours: bytes) -> None:
        """Those of another session's tokens, for a picture of them."""
        self._colours = bytearray(colours)

    def at(self, token_index: int) -> int:
        """The colour index of one token; by its index where the token is not known (yet)."""
        return self._colours[token_index] if 0 <= token_index < len(self._colours) else token_index % COLOURS

    def window(self, first: int, last: int) -> NDArray[np.uint8]:
        """Colour indices of tokens first .. last-1, uint8 (last - first,)."""
        known = self._colours[first:last]
        missing = last - first - len(known)
        if missing > 0:
            known += cycle((known[-1] + 1) if known else first, missing)
        return np.frombuffer(bytes(known), np.uint8)

    def _changed(self, change: Change) -> None:
        splice(self._colours, change.first_token, change.tokens_removed, change.tokens_inserted)


def cycle(start: int, count: int) -> bytes:
    """0 1 2 3 4 5 0 1 ... from `start` on."""
    start %= COLOURS
    return (_CYCLE * (count // COLOURS + 2))[start : start + count]


def splice(colours: bytearray, first: int, removed: int, inserted: int) -> None:
    """Replace tokens first .. first+removed by `inserted` new ones, no two neighbours alike.

    A token that was there before keeps its colour where the new ones stand in its place.
    """
    first = min(first, len(colours))
    old = bytes(colours[first : first + removed])
    left = colours[first - 1] if first else COLOURS - 1
    right = colours[first + removed] if first + removed < len(colours) else -1
    if inserted > 64:
        new = bytearray(cycle(left + 1, inserted))
    else:
        new = bytearray()
        for k in range(inserted):
            want = old[k] if k < len(old) else (left + 1) % COLOURS
            barred = {left, right} if k == inserted - 1 else {left}
            while want in barred:
                want = (want + 1) % COLOURS
            new.append(want)
            left = want
    if len(new) > 64 and new[-1] == right:
        new[-1] = next(c for c in range(COLOURS) if c not in (right, new[-2]))
    colours[first : first + removed] = new
    if not new and first and right == colours[first - 1]:
        # Two old tokens meet that look alike: the later one gives way.
        after = colours[first + 1] if first + 1 < len(colours) else -1
        colours[first] = next(c for c in range(COLOURS) if c not in (right, after))
