"""Icons that follow the theme: SVG files of resources/icons whose ink is the palette's.

    action.setIcon(icon("open"))      # resources/icons/open.svg

The files are drawn in `#000`; `#00f` in them is the accent. They are rendered anew when the palette has changed, so
whoever keeps an icon asks again in changeEvent(PaletteChange) (app/actions.py does for all actions).
"""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from ..core.errors import InputError
from ..resources import path
from . import palette

SIZES = (16, 20, 24, 32, 48)


def icon(name: str) -> QIcon:
    """The icon of resources/icons/NAME.svg in the theme's colours; an empty icon when there is no such file."""
    colours = palette.current()
    return _icon(name, colours.text.name(), colours.accent.name(), colours.faint.name())


@cache
def _icon(name: str, ink: str, accent: str, disabled: str) -> QIcon:
    made = QIcon()
    try:
        drawing = path("icons", f"{name}.svg").read_text("utf-8")
    except InputError:
        return made
    for mode, colour in ((QIcon.Mode.Normal, ink), (QIcon.Mode.Disabled, disabled)):
        svg = drawing.replace("#000", colour).replace("#00f", accent if mode == QIcon.Mode.Normal else disabled)
        renderer = QSvgRenderer(QByteArray(svg.encode()))
        for size in SIZES:
            made.addPixmap(_render(renderer, size), mode)
    return made


def _render(renderer: QSvgRenderer, size: int) -> QPixmap:
    pixmap = QPixmap(size, size)
    pixmap.fill(QColor(Qt.GlobalColor.transparent))
    with QPainter(pixmap) as painter:
        renderer.render(painter, QRectF(0, 0, size, size))
    return pixmap


def program_icon() -> QIcon:
    """The program's own icon, in its own colours."""
    made = QIcon()
    renderer = QSvgRenderer(str(path("icons", "tokenloupe.svg")))
    for size in (16, 24, 32, 48, 64, 128, 256):
        made.addPixmap(_render(renderer, size))
    return made
