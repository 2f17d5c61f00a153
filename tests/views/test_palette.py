"""Contrast by WCAG 2.2's formula; colour-blind sight by Machado's matrices: what the palette promises, computed."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from PySide6.QtGui import QColor, QPalette

from tokenloupe.core.utf8 import ByteRole
from tokenloupe.views import palette

# Machado, Oliveira and Fernandes 2009, severity 1.0, on linear RGB.
SIGHT = {
    "normal": np.eye(3),
    "protanopia": np.array([
        [0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]),
    "deuteranopia": np.array([
        [0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]),
    "tritanopia": np.array([
        [1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]),
}
BOTH = [palette.light, palette.dark]


def linear(colour: QColor) -> np.ndarray:
    s = np.array([colour.redF(), colour.greenF(), colour.blueF()])
    return np.where(s <= 0.04045, s / 12.92, ((s + 0.055) / 1.055) ** 2.4)


def luminance(colour: QColor) -> float:
    return float(linear(colour) @ [0.2126, 0.7152, 0.0722])


def contrast(a: QColor, b: QColor) -> float:
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def oklab(lin: np.ndarray) -> np.ndarray:
    to_lms = np.array([[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
                       [0.0883024619, 0.2817188376, 0.6299787005]])
    to_lab = np.array([[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
                       [0.0259040371, 0.7827717662, -0.8086757660]])
    return to_lab @ np.cbrt(np.clip(to_lms @ lin, 0, None))


def test_contrast_itself_gives_the_standards_extremes() -> None:
    assert contrast(QColor("black"), QColor("white")) == pytest.approx(21)
    assert contrast(QColor("#777777"), QColor("white")) == pytest.approx(4.48, abs=0.01)  # WCAG's well-known near miss


@pytest.mark.parametrize("theme", BOTH)
def test_text_on_every_token_colour_and_byte_role_is_readable(theme) -> None:
    p = theme()
    for fill in p.token_fill:
        assert contrast(p.token_text, fill) >= 4.5
        assert contrast(p.text, fill) >= 4.5
    for style in p.bytes:
        assert contrast(style.text, style.fill) >= 4.5, style.name


@pytest.mark.parametrize("theme", BOTH)
def test_text_roles_are_readable_where_they_stand(theme) -> None:
    p = theme()
    for ground in (p.base, p.window, p.raised, p.alternate, p.current_line):
        for ink in (p.text, p.muted, p.error, p.warning, p.good, p.accent, p.special):
            assert contrast(ink, ground) >= 4.5, (ink.name(), ground.name())
        assert contrast(p.faint, ground) >= 4.5  # placeholders and disabled text
        for mark in (p.focus, p.invisible, p.hatch, *p.token_edge):
            assert contrast(mark, ground) >= 3.0, (mark.name(), ground.name())
    assert contrast(p.selection_text, p.selection) >= 4.5
    assert contrast(p.text, p.hover) >= 4.5
    assert contrast(p.accent_text, p.accent) >= 4.5
    assert contrast(p.error, p.error_fill) >= 4.5
    assert contrast(p.warning, p.warning_fill) >= 4.5


@pytest.mark.parametrize("theme", BOTH)
@pytest.mark.parametrize("sight", SIGHT)
def test_neighbouring_token_colours_differ_for_every_kind_of_sight(theme, sight: str) -> None:
    labs = [oklab(np.clip(SIGHT[sight] @ linear(c), 0, 1)) for c in theme().token_fill]
    for a, b in pairwise([*labs, labs[0]]):  # the colours repeat: the last is beside the first
        assert np.linalg.norm(a - b) >= 0.09  # about four times what is just noticeable (0.02)
    for a, b in combinations(labs, 2):
        assert np.linalg.norm(a - b) >= 0.045


def test_neighbouring_tokens_differ_without_colour() -> None:
    cues = list(zip(palette.TOKEN_LINES, palette.TOKEN_LINE_WIDTHS, strict=True))
    assert len(set(cues)) == len(cues) == len(palette.light().token_fill) == len(palette.dark().token_fill)


def test_every_byte_role_has_a_style_and_a_mark_of_its_own() -> None:
    p = palette.dark()
    assert len(p.bytes) == len(ByteRole) + 1
    assert len({s.mark for s in p.bytes}) == len(p.bytes)
    assert p.byte_style(ByteRole.ASCII, 0x0A) is p.bytes[palette.CONTROL]
    assert p.byte_style(ByteRole.ASCII, 0x41).name == "ASCII"
    assert p.byte_style(ByteRole.INVALID).name == "invalid"


def test_qpalette_follows_the_theme(qapp) -> None:
    q = palette.qpalette(palette.dark())
    assert q.color(QPalette.ColorRole.Base) == palette.dark().base
    assert q.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text) == palette.dark().faint


def test_mono_font_has_fallbacks_and_a_size(qapp) -> None:
    font = palette.mono_font(zoom=2)
    assert font.pointSizeF() == 2 * palette.MONO_SIZE
    assert len(font.families()) >= 1
    assert palette.small_font(font).pointSizeF() < font.pointSizeF()
