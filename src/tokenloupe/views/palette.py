"""The one place that knows colours and fonts, for light and dark.

    colours = palette.current()
    painter.fillRect(rect, colours.token_fill[token_index % len(colours.token_fill)])
    painter.setPen(colours.token_pen(token_index))      # the pattern that says the same without colour
    painter.setFont(palette.mono_font(zoom=1.0))

Read `current()` inside paintEvent and keep nothing of it, or drop what was kept in changeEvent(PaletteChange), which
Qt sends to every widget when the theme changes. Text on a token, byte or selection colour has a contrast of at least
4.5:1, edges and marks at least 3:1 (WCAG 2.2), tested. The token colours were chosen in OKLab so that neighbours
differ for normal sight and under full protanopia, deuteranopia and tritanopia (Machado, Oliveira and Fernandes 2009).
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontDatabase, QFontInfo, QPalette, QPen

#: Patterns of the line beneath a token: with the colour they repeat together, and tell tokens apart without it.
TOKEN_LINES = (
    Qt.PenStyle.SolidLine,
    Qt.PenStyle.DotLine,
    Qt.PenStyle.DashLine,
    Qt.PenStyle.SolidLine,
    Qt.PenStyle.DashDotLine,
    Qt.PenStyle.DashLine,
)
#: Widths of those lines in device-independent pixels.
TOKEN_LINE_WIDTHS = (1.0, 2.0, 1.0, 2.0, 1.5, 2.0)


@dataclass(frozen=True, slots=True)
class ByteStyle:
    """How a byte of one role looks. mark: one letter for a legend or a cell too small for colour alone."""

    name: str
    mark: str
    fill: QColor
    text: QColor
    pattern: Qt.BrushStyle = Qt.BrushStyle.SolidPattern

    @property
    def brush(self) -> QBrush:
        return QBrush(self.fill, self.pattern)


@dataclass(frozen=True, slots=True)
class Palette:
    """All colours of a theme. Text roles: text, muted (labels), faint (placeholders, disabled), on `base` or `window`.

    base: where text is edited and tables lie. window: around them. raised: menus, buttons, tool bars.
    token_fill/token_edge: background and strong tone of token colour i; text on a fill is `token_text`.
    bytes: ByteStyle by core.utf8.ByteRole, and one more, CONTROL, at the end.
    special: the tone of special and added tokens, drawn as an outline besides their fill.
    """

    name: str
    base: QColor
    window: QColor
    raised: QColor
    alternate: QColor
    border: QColor
    grid: QColor
    text: QColor
    muted: QColor
    faint: QColor
    accent: QColor
    accent_text: QColor
    focus: QColor
    hover: QColor
    selection: QColor
    selection_text: QColor
    current_line: QColor
    hatch: QColor
    invisible: QColor
    special: QColor
    error: QColor
    error_fill: QColor
    warning: QColor
    warning_fill: QColor
    good: QColor
    token_text: QColor
    token_fill: tuple[QColor, ...]
    token_edge: tuple[QColor, ...]
    bytes: tuple[ByteStyle, ...]

    @property
    def dark(self) -> bool:
        return self.name == "dark"

    def fill_of(self, token_index: int) -> QColor:
        return self.token_fill[token_index % len(self.token_fill)]

    def edge_of(self, token_index: int) -> QColor:
        return self.token_edge[token_index % len(self.token_edge)]

    def token_pen(self, token_index: int) -> QPen:
        """The line beneath (or around) a token: its strong colour, and a pattern of its own."""
        which = token_index % len(TOKEN_LINES)
        return QPen(self.edge_of(token_index), TOKEN_LINE_WIDTHS[which], TOKEN_LINES[which], Qt.PenCapStyle.FlatCap)

    @property
    def hatch_brush(self) -> QBrush:
        """For a cluster that is split between tokens."""
        return QBrush(self.hatch, Qt.BrushStyle.BDiagPattern)

    def byte_style(self, role: int, byte: int | None = None) -> ByteStyle:
        """By core.utf8.ByteRole. With the byte's value, C0 controls and DEL get the style CONTROL."""
        if role == 0 and byte is not None and (byte < 0x20 or byte == 0x7F):
            return self.bytes[CONTROL]
        return self.bytes[role]


#: Index of the style for control characters in Palette.bytes; the others are indexed by core.utf8.ByteRole.
CONTROL = 7
_ROLE_NAMES = ("ASCII", "lead of 2", "lead of 3", "lead of 4", "continuation", "invalid", "truncated", "control")
_ROLE_MARKS = ("a", "2", "3", "4", "·", "×", "…", "^")


def _palette(name: str, colours: dict[str, str], fills: str, edges: str, roles: str) -> Palette:
    """roles: "fill/text" for each byte role, in order."""
    styles = []
    for i, pair in enumerate(roles.split()):
        fill, _, text = pair.partition("/")
        styles.append(ByteStyle(_ROLE_NAMES[i], _ROLE_MARKS[i], QColor(fill), QColor(text)))
    return Palette(
        name=name, **{key: QColor(value) for key, value in colours.items()},
        token_fill=tuple(map(QColor, fills.split())), token_edge=tuple(map(QColor, edges.split())),
        bytes=tuple(styles),
    )


@cache
def light() -> Palette:
    return _palette(
        "light",
        {
            "base": "#ffffff", "window": "#f4f5f7", "raised": "#fbfbfc", "alternate": "#f8f9fa",
            "border": "#d5d9df", "grid": "#e6e9ed", "text": "#1a1e24", "muted": "#545d69", "faint": "#666f7a",
            "accent": "#2457c5", "accent_text": "#ffffff", "focus": "#2457c5", "hover": "#e8eefb",
            "selection": "#b7d0ff", "selection_text": "#10151c", "current_line": "#f6f8fc", "hatch": "#828a95",
            "invisible": "#737c88", "special": "#8a3ab9", "error": "#b3261e", "error_fill": "#fdebea",
            "warning": "#8a5300", "warning_fill": "#fff4dc", "good": "#1b7340", "token_text": "#14181d",
        },
        fills="#b4c4f8 #fbe1fb #eab79f #cdf5c1 #86d3cd #f8d68c",
        edges="#3f5fc0 #a44cab #a9532a #3c8438 #157f79 #8c6500",
        roles="#f0f2f5/#1a1e24 #c4dcff/#10151c #a9c8ff/#10151c #8fb4fb/#10151c #dff0e4/#10151c "
              "#f9c6c2/#4d0905 #fbdfae/#3d2500 #e4d8f2/#241138",
    )


@cache
def dark() -> Palette:
    return _palette(
        "dark",
        {
            "base": "#14171c", "window": "#1c2027", "raised": "#252a33", "alternate": "#181c22",
            "border": "#363d48", "grid": "#272d36", "text": "#e6e9ee", "muted": "#a7b0bc", "faint": "#8a939f",
            "accent": "#7aa5ff", "accent_text": "#0c1322", "focus": "#8ab0ff", "hover": "#28344d",
            "selection": "#2f5597", "selection_text": "#ffffff", "current_line": "#191e26", "hatch": "#79828f",
            "invisible": "#8992a0", "special": "#d29bf5", "error": "#ff9a92", "error_fill": "#3d1d1c",
            "warning": "#f3c26b", "warning_fill": "#372a12", "good": "#77d39b", "token_text": "#f6f8fa",
        },
        fills="#8b454d #26420f #3b627d #4c2459 #674d0c #333f85",
        edges="#ea939c #86b85a #86bbe2 #c78bdc #d0ab4e #93a1f5",
        roles="#252a33/#e6e9ee #24406e/#f2f6ff #2b4d86/#f2f6ff #345b9e/#f2f6ff #1f4030/#eafaf0 "
              "#7a2a26/#fff0ef #664810/#fff4df #44305c/#f5ecff",
    )


_current: list[Palette] = []


def current() -> Palette:
    """The palette in use; light until the application chooses (app/theme.py)."""
    return _current[0] if _current else light()


def use(colours: Palette) -> None:
    """Make it the palette in use. Widgets hear of it when the application's QPalette is set after this."""
    _current[:] = [colours]


def qpalette(colours: Palette) -> QPalette:
    """The same colours for Qt's own widgets."""
    q = QPalette()
    c, role, group = colours, QPalette.ColorRole, QPalette.ColorGroup
    for r, colour in (
        (role.Window, c.window), (role.WindowText, c.text), (role.Base, c.base), (role.AlternateBase, c.alternate),
        (role.Text, c.text), (role.PlaceholderText, c.faint), (role.Button, c.raised), (role.ButtonText, c.text),
        (role.BrightText, c.error), (role.Highlight, c.selection), (role.HighlightedText, c.selection_text),
        (role.ToolTipBase, c.raised), (role.ToolTipText, c.text), (role.Link, c.accent), (role.LinkVisited, c.special),
        (role.Light, c.raised), (role.Midlight, c.grid), (role.Mid, c.border), (role.Dark, c.border),
        (role.Shadow, c.border), (role.Accent, c.accent),
    ):
        q.setColor(r, colour)
    for r in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        q.setColor(group.Disabled, r, c.faint)
    return q


# Fonts

_MONO = {
    "darwin": ("SF Mono", "Menlo", "Monaco"),
    "win32": ("Cascadia Mono", "Consolas", "Courier New"),
}.get(sys.platform, ("JetBrains Mono", "Source Code Pro", "Fira Mono", "DejaVu Sans Mono", "Noto Sans Mono",
                     "Noto Mono", "Liberation Mono", "Ubuntu Mono"))
_FALLBACK = {
    "darwin": ("Apple Color Emoji", "PingFang SC", "Hiragino Sans", "Thonburi", "Kohinoor Devanagari", "Geeza Pro"),
    "win32": ("Segoe UI Emoji", "Microsoft YaHei", "Yu Gothic", "Malgun Gothic", "Leelawadee UI", "Nirmala UI",
              "Segoe UI"),
}.get(sys.platform, ("Noto Color Emoji", "Noto Sans CJK SC", "Noto Sans Thai", "Noto Sans Devanagari",
                     "Noto Sans Arabic", "Noto Sans", "DejaVu Sans"))
#: Point size of monospaced text at zoom 1.
MONO_SIZE = 13.0 if sys.platform == "darwin" else 11.0


@cache
def mono_families() -> tuple[str, ...]:
    """Families of monospaced text in order: those of this machine that are known good, then for emoji and scripts."""
    have = set(QFontDatabase.families())
    first = next((f for f in _MONO if f in have), None)
    if first is None:
        first = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()
    return (first, *(f for f in _FALLBACK if f in have and f != first))


def mono_font(zoom: float = 1.0, size: float = MONO_SIZE) -> QFont:
    """Monospaced text with fallbacks for emoji, CJK and other scripts; size in points."""
    font = QFont()
    font.setFamilies(list(mono_families()))
    font.setStyleHint(QFont.StyleHint.Monospace, QFont.StyleStrategy.PreferDefault)
    font.setFixedPitch(True)
    font.setPointSizeF(max(size * zoom, 1.0))
    return font


def mono_beside(font: QFont, factor: float = 1.0) -> QFont:
    """Monospaced text beside text in `font`, which grows with it. factor: of the size it has beside the usual font."""
    usual = MONO_SIZE / (13.0 if sys.platform == "darwin" else 9.0)
    return mono_font(size=QFontInfo(font).pointSizeF() * usual * factor)


def small_font(font: QFont, factor: float = 0.88) -> QFont:
    """A font for captions beside `font`."""
    small = QFont(font)
    if font.pointSizeF() > 0:
        small.setPointSizeF(font.pointSizeF() * factor)
    else:
        small.setPixelSize(max(round(font.pixelSize() * factor), 1))
    return small


# Numbers as colours


def levels(colours: Palette) -> tuple[QColor, QColor, QColor]:
    """Most negative, zero, most positive: blue and red, which all kinds of colour sight tell apart."""
    if colours.dark:
        return QColor("#3f6fe8"), QColor("#20252d"), QColor("#d9493f")
    return QColor("#2f57d6"), QColor("#ffffff"), QColor("#d6322b")


def counting(colours: Palette) -> tuple[QColor, QColor]:
    """(fill, strong tone) of bars and maps that count: blue in both themes, as red says that something is bad."""
    which = 5 if colours.dark else 0
    return colours.fill_of(which), colours.edge_of(which)


def level_colour(colours: Palette, level: float, low: float, high: float) -> QColor:
    """The colour of a level between low and high; zero is the middle, or `low` where all levels are positive."""
    negative, zero, positive = levels(colours)
    span = max(abs(low), abs(high)) or 1.0
    share = max(-1.0, min(1.0, level / span)) if level == level else 0.0
    end = positive if share >= 0 else negative
    part = abs(share)
    return QColor.fromRgbF(zero.redF() + (end.redF() - zero.redF()) * part,
                           zero.greenF() + (end.greenF() - zero.greenF()) * part,
                           zero.blueF() + (end.blueF() - zero.blueF()) * part)


def ink_on(fill: QColor) -> QColor:
    """Black or white, whichever is read better on a fill: at least 4.5:1 on any (WCAG's luminance)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
              for c in (fill.redF(), fill.greenF(), fill.blueF())]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return QColor("#000000") if luminance > 0.179 else QColor("#ffffff")
