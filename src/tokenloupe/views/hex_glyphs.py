"""Characters that can be drawn at once, and those whose font has to be looked for first, which is done in a rest.

    hand = Hand(font)
    hand.has("é"), hand.has("ༀ")          # (True, False): no page and no line waits for the second
    hand.fetch("ༀ")                        # up to 200 ms: Qt looks through every font there is, once a script
    line = Patience(label, jobs, again)    # for a line that follows the caret: line.text("ༀ") is "·" until a rest

Chance makes characters of a dozen scripts a page out of bytes that are no text, and each brings a font of its own into
memory: in a file, such bytes have dots for letters of other scripts (`by_chance`).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSizeF, Qt, QTimer
from PySide6.QtGui import QFont, QStaticText, QTextLayout
from PySide6.QtWidgets import QWidget

from ..core.utf8 import ByteRole
from ..models.jobs import Jobs

#: Up to here Latin letters, which are in every font; from FIRST on, scripts that chance makes out of any bytes.
LATIN, FIRST = 0x180, 0x530
#: Ranges that one font is enough for: (first, last); elsewhere a block of 128 is.
_ONE_FONT = ((0x3000, 0x9FFF), (0xAC00, 0xD7FF), (0xE000, 0xF8FF), (0x1F000, 0x1FAFF), (0x20000, 0x3FFFF))
#: Bytes looked at on either side of one, and of how many ill-formed ones on it is no text: random bytes have 15 of 33.
AROUND, BINARY, LEAST = 16, 0.25, 6
#: Layouts that are kept, of 3 kB each; a page shows at most 170.
_MOST_LAID = 600
#: ms without a move until fonts are looked for.
REST = 150


@lru_cache(4096)
def glyph(text: str) -> str:
    """A character as it can stand alone: a mark on a dotted circle, nothing for what cannot be seen."""
    if unicodedata.category(text).startswith("M"):
        return "\u25cc" + text
    return text if text.isprintable() and not text.isspace() else ""


def by_chance(roles: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """For each byte of a window: are so many bytes around it ill-formed that it is no text? roles: uint8 (n,)."""
    total = np.concatenate(([0], np.cumsum(roles >= ByteRole.INVALID)))
    places = np.arange(len(roles))
    low, high = np.maximum(places - AROUND, 0), np.minimum(places + AROUND + 1, len(roles))
    bad = total[high] - total[low]
    found: NDArray[np.bool_] = (bad >= LEAST) & (bad >= BINARY * (high - low))
    return found


@lru_cache(8192)
def _block(char: str) -> int:
    """What shares a font with a character: 0 for Latin letters, which need not be looked for."""
    point = ord(char)
    if point < LATIN:
        return 0
    return next((first for first, last in _ONE_FONT if first <= point <= last), point & ~127)


class Hand:
    """The fonts at hand of one QFont: those of other scripts that were looked for already."""

    _all: ClassVar[dict[str, set[int]]] = {}

    def __init__(self, font: QFont) -> None:
        self._font, self._blocks = font, self._all.setdefault(font.key(), {0})

    def missing(self, text: str) -> list[str]:
        """A character of each script that has to be looked for."""
        if text.isascii():
            return []
        found = {_block(c): c for c in text}
        return [c for block, c in found.items() if block not in self._blocks]

    def has(self, text: str) -> bool:
        return not self.missing(text)

    def fetch(self, char: str) -> None:
        layout = QTextLayout(char, self._font)
        layout.beginLayout()
        layout.createLine()
        layout.endLayout()
        self.note(char)

    def note(self, text: str) -> None:
        """It was laid out."""
        self._blocks.update(map(_block, text))


class Layouts:
    """Characters laid out once, by text and font: that costs more than drawing a row."""

    _all: ClassVar[dict[tuple[str, str], tuple[QStaticText, QSizeF]]] = {}

    def __init__(self, font: QFont) -> None:
        self._font, self._key, self.hand = font, font.key(), Hand(font)

    def get(self, text: str) -> tuple[QStaticText, QSizeF] | None:
        return self._all.get((text, self._key))

    def lay(self, text: str) -> tuple[QStaticText, QSizeF]:
        if len(self._all) >= _MOST_LAID:  # one goes for one: to drop hundreds at once would be felt
            del self._all[next(iter(self._all))]
        drawing = QStaticText(text)
        drawing.setTextFormat(Qt.TextFormat.PlainText)
        drawing.prepare(font=self._font)
        self.hand.note(text)
        made = self._all[text, self._key] = drawing, drawing.size()
        return made


class Patience:
    """Texts of a widget that follow the caret: a dot for what has no font yet, which is fetched when moves rest.

    again: shows the texts anew, when there is more to be shown. Nothing waits where jobs are synchronous.
    """

    def __init__(self, widget: QWidget, jobs: Jobs, again: Callable[[], None]) -> None:
        self._again, self._jobs = again, jobs
        self._wanted: dict[tuple[str, str], tuple[QFont, str]] = {}
        self._rest = QTimer(widget)
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(self._fetch)

    def begin(self) -> None:
        """What was wanted before is not shown any more."""
        self._wanted.clear()
        self._rest.stop()

    def text(self, text: str, font: QFont) -> str:
        """The text as it can be shown now."""
        hand = Hand(font)
        missing = hand.missing(text)
        if not missing or self._jobs.synchronous:
            return text
        for char in missing:
            self._wanted[font.key(), char] = font, char
        self._rest.start(REST)
        return "".join(c if hand.has(c) else "·" for c in text)

    def _fetch(self) -> None:
        """One a turn of the event loop: a key that is pressed meanwhile comes in between."""
        font, char = self._wanted.pop(next(iter(self._wanted)))
        Hand(font).fetch(char)
        if self._wanted:
            self._rest.start(0)
        else:
            self._again()
