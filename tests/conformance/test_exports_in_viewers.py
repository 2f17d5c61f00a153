"""Exports opened in the programs that people open them with: Chromium for HTML and SVG, poppler for PDF.

The text has emoji, CJK, Arabic, marks and invalid bytes. What a viewer draws is compared with the PNG, which Qt draws
as it draws the window; what it reads out is compared with the text and its tokens.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication

import tokenloupe
from tokenloupe.views import palette
from tokenloupe.views.segmentation_picture import SegmentationPicture

TEXT = ("Emoji 👨‍👩‍👧 flag 🇩🇪 thumbs 👍🏽\nChinese 漢字龘 Japanese ひら Korean 한국어\nArabic العربية mixed עברית end\n"
        "Thai กำ Hindi क्षि naïve café\nInvalid ").encode() + b"\xff\xfe \xc3( \xf0\x9f\x98 end <b>&amp;</b>\n"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
POPPLER = shutil.which("pdftoppm") and shutil.which("pdftotext")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
needs_poppler = pytest.mark.skipif(not POPPLER, reason="pdftoppm and pdftotext (poppler-utils) are not installed")


@pytest.fixture(params=["light", "dark"])
def picture(request: pytest.FixtureRequest, qapp: QApplication) -> SegmentationPicture:
    dark = request.param == "dark"
    return SegmentationPicture(tokenloupe.load("gpt2"), TEXT, width=760, dark=dark, title="all scripts")


def chromium(folder: Path, *arguments: str) -> str:
    """Standard output of a headless Chromium with a profile of its own."""
    assert CHROMIUM is not None
    command = [CHROMIUM, "--headless", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-extensions",
               f"--user-data-dir={folder / 'profile'}", "--force-device-scale-factor=1", *arguments]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.insert(1, "--no-sandbox")  # it refuses to run as root with one
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=90, check=True).stdout
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        pytest.skip(f"Chromium does not run here: {error}")


def pixels(path: Path, width: int) -> np.ndarray:
    """A picture as RGB, float (height, width, 3), made `width` wide."""
    image = QImage(str(path))
    assert not image.isNull(), path
    image = image.scaledToWidth(width).convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : width * 3].reshape(image.height(), width, 3).astype(float)


def alike(viewed: Path, picture: SegmentationPicture, folder: Path) -> None:
    """Nearly every small area has the colour that it has in the PNG: fills, lines and glyphs are where they belong."""
    picture.save(folder / "own.png")
    width = round(picture.width) + 32
    own, other = pixels(folder / "own.png", width), pixels(viewed, width)
    assert abs(len(own) - len(other)) <= 3
    height = min(len(own), len(other)) // 8 * 8
    wide = width // 8 * 8

    def areas(image: np.ndarray) -> np.ndarray:
        return image[:height, :wide].reshape(height // 8, 8, wide // 8, 8, 3).mean((1, 3))

    differs = np.abs(areas(own) - areas(other)).max(-1)
    assert differs.mean() < 6, differs.mean()
    assert (differs > 64).mean() < 0.02, (differs > 64).mean()
    for colour in picture.colours.token_fill:
        wanted = np.array(QColor(colour).getRgb()[:3])
        assert (np.abs(other - wanted).max(-1) <= 6).sum() > 100, colour.name()


class Page(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.text: list[str] = []
        self.labels: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.labels += [value or "" for name, value in attrs if name == "aria-label"]

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@needs_chromium
def test_the_page_in_chromium(picture: SegmentationPicture, tmp_path: Path) -> None:
    picture.save(tmp_path / "a.html")
    page = Page(chromium(tmp_path, "--dump-dom", (tmp_path / "a.html").as_uri()))
    text = "".join(page.text)
    for part in ("👨\u200d👩\u200d👧", "🇩🇪", "漢", "한", "क्षि", "FF", "FE", "C3", "F0", "<b>", "&amp;"):
        assert part in text, part
    said = {int(m[1]) for label in page.labels if (m := re.match(r"token (\d+), id", label))}
    assert said == set(range(len(picture.part.encoding)))
    chromium(tmp_path, f"--screenshot={tmp_path / 'a.png'}", "--window-size=900,700", (tmp_path / "a.html").as_uri())
    shown = pixels(tmp_path / "a.png", 900)
    for colour in palette.light().token_fill:  # Chromium's own preference is light
        assert (np.abs(shown - np.array(QColor(colour).getRgb()[:3])).max(-1) <= 2).sum() > 100


@needs_chromium
def test_the_drawing_in_chromium(picture: SegmentationPicture, tmp_path: Path) -> None:
    picture.save(tmp_path / "a.svg")
    size = picture._size
    chromium(tmp_path, f"--screenshot={tmp_path / 'seen.png'}",
             f"--window-size={round(size.width())},{round(size.height())}", (tmp_path / "a.svg").as_uri())
    alike(tmp_path / "seen.png", picture, tmp_path)


@needs_poppler
def test_the_document_in_poppler(picture: SegmentationPicture, tmp_path: Path) -> None:
    picture.save(tmp_path / "a.pdf")
    subprocess.run(["pdftoppm", "-r", "96", "-png", "-singlefile", str(tmp_path / "a.pdf"), str(tmp_path / "seen")],
                   check=True, timeout=60)
    alike(tmp_path / "seen.png", picture, tmp_path)
    text = subprocess.run(["pdftotext", "-layout", str(tmp_path / "a.pdf"), "-"], check=True, timeout=60,
                          capture_output=True).stdout.decode("utf-8")
    for part in ("Emoji", "Chinese", "漢字", "한국어", "naïve", "f0 9f 91", "e6 bc", "<b>&amp;</b>", "all scripts"):
        assert part in text, part
    fonts = subprocess.run(["pdffonts", str(tmp_path / "a.pdf")], capture_output=True, text=True, timeout=60)
    rows = fonts.stdout.splitlines()[2:]
    assert rows and all(row.split()[-5] == "yes" for row in rows)  # every font is in the file


@needs_poppler
def test_a_long_document_has_pages_that_end_between_lines(qapp: QApplication, tmp_path: Path) -> None:
    text = "".join(f"line {k} 漢字\n" for k in range(200))
    picture = SegmentationPicture(tokenloupe.load("gpt2"), text.encode(), width=400)
    picture.save(tmp_path / "a.pdf")
    seen = subprocess.run(["pdftotext", "-layout", str(tmp_path / "a.pdf"), "-"], check=True, timeout=60,
                          capture_output=True).stdout.decode("utf-8")
    pages = [page for page in seen.split("\f") if page.strip()]
    assert len(pages) > 3
    assert [int(k) for k in re.findall(r"line (\d+)", seen)] == list(range(200))
