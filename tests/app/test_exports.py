"""Exports from the window: files are what their names say, show the window's tokens, and never more than was asked."""

from __future__ import annotations

import ast
import io
import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QGuiApplication, QImage, QKeySequence
from PySide6.QtWidgets import QApplication, QFileDialog

from tokenloupe.app.main_window import MainWindow
from tokenloupe.views import export_make, palette
from tokenloupe.views.export_forms import FORMS
from tokenloupe.views.export_make import MAKERS

TEXT = "hello 👨‍👩‍👧 漢字 العربية <b>|</b>\n".encode() + b"\xc3(\xff\x00 end"
HELLO = [31373, 995]  # "hello world" by tiktoken's gpt2


def test_every_form_is_made_and_has_its_actions(window: MainWindow) -> None:
    assert set(FORMS) == set(MAKERS)
    for form in FORMS.values():
        assert window.actions_[f"export_{form.id}"].shortcut() == QKeySequence(f"Ctrl+Shift+E, {form.key}")
        if form.copied:
            window.actions_[f"copy_{form.id}"].shortcut()
    assert [f.id for f in FORMS.values() if not f.copied] == ["pdf"]


def saved(window: MainWindow, form: str, folder: Path) -> bytes:
    path = folder / f"out{FORMS[form].suffix}"
    path.unlink(missing_ok=True)
    window.exports.save_to(form, path)
    assert not window.notice.isVisible(), window.notice.text
    return path.read_bytes()


def copied(window: MainWindow, form: str) -> str:
    QGuiApplication.clipboard().clear()
    window.actions_[f"copy_{form}"].trigger()
    return QGuiApplication.clipboard().text()


def test_each_form_of_all_and_of_the_selection(fill, tmp_path: Path) -> None:
    window = fill(TEXT)
    magic = {"png": b"\x89PNG\r\n\x1a\n", "svg": b"<?xml", "pdf": b"%PDF-", "html": b"<!DOCTYPE html>",
             "markdown": b"| # | id |", "ids_list": b"31373, 50169", "ids_json": b"[31373, 50169",
             "ids_python": b"ids = [\n    31373, 50169", "ids_npy": b"\x93NUMPY\x01\x00"}
    for form, start in magic.items():
        assert saved(window, form, tmp_path).startswith(start), form
    window.session.select(0, 5)
    for form, start in magic.items():
        start = start.replace(b", 50169", b"")
        assert saved(window, form, tmp_path).startswith(start), form


def test_ids_are_the_ids(fill, tmp_path: Path) -> None:
    window = fill(b"hello world" * 4000)
    ids = window.session.document.encoding().ids.tolist()
    assert json.loads(saved(window, "ids_json", tmp_path)) == ids == json.loads(copied(window, "ids_json"))
    assert [int(i) for i in saved(window, "ids_list", tmp_path).decode().split(", ")] == ids
    array = np.load(io.BytesIO(saved(window, "ids_npy", tmp_path)), allow_pickle=False)
    assert array.dtype == np.int64 and array.tolist() == ids
    source = saved(window, "ids_python", tmp_path).decode()


    assert ast.literal_eval(source.removeprefix("ids = ")) == ids and max(map(len, source.splitlines())) < 100
    window.session.set_data(b"hello world")
    assert copied(window, "ids_list") == "31373, 995" and copied(window, "ids_json") == "[31373, 995]"
    assert copied(window, "ids_npy") == "numpy.array([31373, 995], dtype=numpy.int64)"
    assert copied(window, "ids_python") == "ids = [\n    31373, 995,\n]"
    window.session.select(6, 8)
    assert copied(window, "ids_list") == "995"


def test_a_selection_keeps_the_tokens_colours_and_places_it_has_in_the_window(fill, tmp_path: Path) -> None:
    # "low" + "er" inside a word: encoded by itself the part would have other tokens.
    window = fill(b"unhappyish 1234567")
    document = window.session.document
    tokens = [document.encoding().token(i) for i in range(document.token_count)]
    middle = tokens[1]
    window.session.select(middle.start, middle.start + 1)
    rows = saved(window, "markdown", tmp_path).decode().splitlines()[2:]
    assert [r.split(" | ")[1:3] for r in rows] == [[str(middle.id), f"{middle.start}:{middle.end}"]]
    assert rows[0].startswith(f"| {middle.index} |")
    page = saved(window, "html", tmp_path).decode()
    assert f'class="t c{middle.index % 6}" role="listitem" title="token {middle.index}, id {middle.id},' in page


def test_a_part_is_never_cut_inside_a_character_or_a_token(fill, tmp_path: Path) -> None:
    window = fill("ab 👨‍👩‍👧 cd".encode())
    window.session.select(7, 8)  # a byte in the middle of the family
    page = saved(window, "html", tmp_path).decode()
    assert "one character in" in page and 'class="b"' not in page
    window.session.select(0, 0)


def test_pictures_are_as_the_window_shows_them(fill, tmp_path: Path, qapp: QApplication) -> None:
    window = fill(TEXT)
    window.look.theme("dark")
    image = QImage()
    assert image.loadFromData(saved(window, "png", tmp_path))
    assert image.pixelColor(2, 2).name() == palette.dark().base.name()
    window.look.theme("light")
    image.loadFromData(saved(window, "png", tmp_path))
    assert image.pixelColor(2, 2).name() == palette.light().base.name()
    found = {image.pixelColor(x, y).name() for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)}
    assert {QColor(c).name() for c in palette.light().token_fill} <= found
    root = ElementTree.fromstring(saved(window, "svg", tmp_path))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    QGuiApplication.clipboard().clear()
    window.actions_["copy_png"].trigger()
    assert QGuiApplication.clipboard().image().size() == image.size() != QSize(0, 0)
    window.actions_["copy_html"].trigger()
    assert QGuiApplication.clipboard().mimeData().html().startswith("<!DOCTYPE html>")
    window.actions_["copy_svg"].trigger()
    assert QGuiApplication.clipboard().mimeData().hasFormat("image/svg+xml")


def test_asking_for_a_file(fill, tmp_path: Path, monkeypatch) -> None:
    window = fill(b"hello world")
    asked: list[tuple] = []

    def answer(*args: object) -> tuple[str, str]:
        asked.append(args)
        return str(tmp_path / "chosen"), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    window.session.name = "../../etc/passwd"
    window.actions_["export_ids_json"].trigger()
    assert json.loads((tmp_path / "chosen.json").read_bytes()) == HELLO
    assert Path(asked[0][2]).name == "passwd.json" and asked[0][3] == "JSON (*.json)"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a: ("", ""))
    window.actions_["export_png"].trigger()
    assert not window.notice.isVisible() and len(list(tmp_path.glob("*.png"))) == 0


def test_a_place_that_cannot_be_written_and_nothing_to_write_are_one_sentence(fill, tmp_path: Path) -> None:
    window = fill(b"x")
    window.exports.save_to("png", tmp_path / "none" / "a.png")
    assert "a.png was not written" in window.notice.text and "\n" not in window.notice.text
    window.session.set_data(b"")
    for form in FORMS:
        window.notice.dismiss()
        window.exports.save_to(form, tmp_path / "a")
        assert "there is nothing to export" in window.notice.text


def test_what_is_too_large_is_told_before_it_is_begun(fill, tmp_path: Path, monkeypatch) -> None:
    window = fill(b"a b\n" * 3000)
    monkeypatch.setattr(export_make, "MOST_BYTES", 10_000)
    for form in ("png", "svg", "pdf", "html", "markdown"):
        window.notice.dismiss()
        window.exports.save_to(form, tmp_path / "a")
        assert "12,000 bytes are too many to be shown outside the window; select at most" in window.notice.text
    monkeypatch.setattr(export_make, "MOST_BYTES", 100_000)
    window.notice.dismiss()
    window.exports.save_to("png", tmp_path / "a.png")
    assert "points tall; save it as .pdf or .html, or give a part" in window.notice.text
    assert list(tmp_path.glob("a*")) == []
    window.notice.dismiss()
    window.session.select(0, 40)
    saved(window, "png", tmp_path)


def test_an_export_shows_progress_and_can_be_cancelled(fill, tmp_path: Path, qtbot) -> None:
    window = fill("漢字 and some words\n".encode() * 3000)
    jobs = window.session.jobs
    jobs.synchronous = False
    seen: list[float] = []
    jobs.progressed.connect(lambda job: seen.append(job.fraction))
    window.exports.save_to("pdf", tmp_path / "a.pdf")
    job = jobs.active[-1]
    assert job.label == "Writing a.pdf"
    qtbot.waitUntil(lambda: len(seen) > 5, timeout=10_000)
    assert palette.current() is palette.light()
    job.cancel()
    assert not job.running and not (tmp_path / "a.pdf").exists()
    assert seen == sorted(seen) and seen[-1] < 1
    jobs.synchronous = True
    window.session.select(0, 100)
    saved(window, "pdf", tmp_path)
