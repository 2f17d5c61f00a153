"""`tokenloupe render`: pictures that are what their suffix says and show the tokens."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication

import tokenloupe
from tokenloupe.cli import main
from tokenloupe.core.errors import InputError
from tokenloupe.views import palette
from tokenloupe.views.segmentation_picture import MARGIN, SegmentationPicture

TEXT = "hi <b> naïve 👨‍👩‍👧 漢字 กำ\nالعربية\n\t\xa0".encode() + b"\xff\xfe end"


@pytest.fixture
def picture(qapp: QApplication) -> SegmentationPicture:
    return SegmentationPicture(tokenloupe.load("gpt2"), TEXT, width=600)


@pytest.mark.parametrize(
    ("suffix", "magic"),
    [
        (".png", b"\x89PNG\r\n\x1a\n"),
        (".svg", b"<?xml"),
        (".pdf", b"%PDF-"),
        (".html", b"<!DOCTYPE html>"),
    ],
)
def test_each_format(suffix: str, magic: bytes, tmp_path: Path, qapp: QApplication) -> None:
    out = tmp_path / f"a{suffix}"
    assert main(["render", "-t", "gpt2", "--hex", TEXT.hex(), "--out", str(out)]) == 0
    assert out.read_bytes().startswith(magic)


def test_png_has_the_tokens_colours_and_svg_is_xml(picture: SegmentationPicture, tmp_path: Path) -> None:
    picture.save(tmp_path / "a.png")
    image = QImage(str(tmp_path / "a.png"))
    assert image.width() == 2 * (600 + 2 * MARGIN)
    found = {image.pixelColor(x, y).name() for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)}
    assert {QColor(c).name() for c in palette.light().token_fill} <= found
    picture.save(tmp_path / "a.svg")
    root = ElementTree.parse(tmp_path / "a.svg").getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "gpt2" in ElementTree.tostring(root, encoding="unicode")


def test_a_long_text_has_pages_and_no_tall_png(qapp: QApplication, tmp_path: Path) -> None:
    picture = SegmentationPicture(tokenloupe.load("gpt2"), b"line\n" * 2000, width=400)
    picture.save(tmp_path / "a.pdf")
    pages = (tmp_path / "a.pdf").read_bytes().count(b"/Type /Page\n")
    assert pages > 10
    with pytest.raises(InputError, match="points tall"):
        picture.save(tmp_path / "a.png")


def test_the_palette_in_use_stays(qapp: QApplication) -> None:
    before = palette.current()
    picture = SegmentationPicture(tokenloupe.load("gpt2"), b"x", dark=True)
    assert picture.colours.dark and palette.current() is before
    for _ in picture.steps(".png"):
        assert palette.current() is before
    picture.close()


@pytest.mark.parametrize("text", ["", "\n", "\x00", "👨‍👩‍👧" * 50, "x" * 5000])
def test_odd_texts(text: str, qapp: QApplication, tmp_path: Path) -> None:
    SegmentationPicture(tokenloupe.load("gpt2"), text.encode(), width=300).save(tmp_path / "a.png")
    assert not QImage(str(tmp_path / "a.png")).isNull()


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (["--out", "a.bmp", "x"], 1, "a.bmp: .bmp is no picture format"),
        (["--out", "no/such/folder/a.png", "x"], 1, "no/such/folder/a.png: cannot be written"),
        (["--out", "a.png", "--width", "1", "x"], 2, "--width"),
        (["x"], 2, "--out"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(arguments: list[str], status: int, says: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tokenloupe", "render", *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=os.environ,
        check=False,
    )
    assert done.returncode == status
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_json_says_what_was_written(
    qapp: QApplication, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    out = tmp_path / "a.html"
    assert main(["render", "--json", "hello world", "--out", str(out)]) == 0
    assert json.loads(capsysbinary.readouterr().out) == {"out": str(out), "tokens": 2}
