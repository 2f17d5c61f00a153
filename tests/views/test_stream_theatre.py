"""The theatre: what lanes show is what the run says; keys, sources, stop strings, exports, narrow and small sizes."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QFont, QGuiApplication, QImage, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QComboBox, QWidget
from pytestqt.qtbot import QtBot

from effort import calls
from tokenloupe.api import load
from tokenloupe.core.stream_scenarios import SCENARIOS
from tokenloupe.core.stream_tokens import Timing, TokenStream
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session
from tokenloupe.panels import PANELS
from tokenloupe.views import palette
from tokenloupe.views.stream_options import parsed_stops, written_stops
from tokenloupe.views.stream_picture import SIGNATURE, animation, chunks_of, frames
from tokenloupe.views.stream_theatre import StreamTheatre


@pytest.fixture
def theatre(qtbot: QtBot) -> StreamTheatre:
    made = StreamTheatre(Session(jobs=Jobs(synchronous=True)))
    qtbot.addWidget(made)
    made.resize(1000, 820)
    made.show()
    return made


def lane_texts(theatre: StreamTheatre) -> dict[str, str]:
    return {view.lane.name: view.view.visible for view in theatre.lanes}


def press(theatre: StreamTheatre, qtbot: QtBot, *keys: Qt.Key, shift: bool = False) -> None:
    for key in keys:
        qtbot.keyClick(theatre, key, Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier)


def test_it_is_a_panel(qtbot: QtBot) -> None:
    panel = next(p for p in PANELS if p.id == "stream")
    assert panel.where == "tab" and panel.factory.endswith(":StreamTheatre")


def test_the_book_scenario_step_by_step(theatre: StreamTheatre, qtbot: QtBot) -> None:
    theatre.player.seek(0)
    shown = []
    for _ in range(5):
        press(theatre, qtbot, Qt.Key.Key_Right)
        shown.append(lane_texts(theatre)["buffered"])
    assert shown == ["Go", "Go€", "Go€→", "Go€→🙂", "Go€→🙂"]
    assert theatre.lanes[0].verdict() == (False, "✗ 10 wrong U+FFFD")
    press(theatre, qtbot, Qt.Key.Key_Left, Qt.Key.Key_Left)
    assert lane_texts(theatre)["buffered"] == "Go€→"


def test_keys(theatre: StreamTheatre, qtbot: QtBot) -> None:
    press(theatre, qtbot, Qt.Key.Key_Home)
    assert theatre.player.position == 0
    press(theatre, qtbot, Qt.Key.Key_End)
    assert theatre.player.at_end
    press(theatre, qtbot, Qt.Key.Key_Left, shift=True)
    assert theatre.player.position == 0
    press(theatre, qtbot, Qt.Key.Key_Space)
    assert theatre.player.playing and theatre.transport.buttons["play"].accessibleName() == "Pause"
    press(theatre, qtbot, Qt.Key.Key_Space)
    assert not theatre.player.playing
    press(theatre, qtbot, Qt.Key.Key_L)
    assert theatre.player.loop and theatre.transport.loop.isChecked()
    press(theatre, qtbot, Qt.Key.Key_N)
    assert theatre.player.position == 1  # Go�: the first step with a U+FFFD
    press(theatre, qtbot, Qt.Key.Key_N, Qt.Key.Key_N)
    assert theatre.player.position == 3
    press(theatre, qtbot, Qt.Key.Key_N, shift=True)
    assert theatre.player.position == 2


def test_every_control_has_a_name_and_can_be_reached(theatre: StreamTheatre) -> None:
    reached = [theatre.nextInFocusChain()]
    while reached[-1] is not theatre and len(reached) < 200:
        reached.append(reached[-1].nextInFocusChain())
    focusable = [w for w in reached if w.focusPolicy() & Qt.FocusPolicy.TabFocus and w.isVisible() and w is not theatre]
    assert {theatre.source.list, theatre.transport.seek, theatre.options.stops, *theatre.lanes} <= set(focusable)
    for widget in focusable:
        name = widget.accessibleName() or getattr(widget, "text", str)()
        assert name.strip(), widget.metaObject().className()


@pytest.mark.parametrize("entry", SCENARIOS, ids=lambda s: s.id)
@pytest.mark.parametrize(("width", "height"), [(1100, 860), (320, 560)])
def test_every_scenario_is_painted(theatre: StreamTheatre, entry: object, width: int, height: int) -> None:
    theatre.resize(width, height)
    theatre.source.choose(entry.id)  # type: ignore[attr-defined]
    assert theatre.width() == width
    for position in range(theatre.player.run.steps + 1):
        theatre.player.seek(position)
        assert not theatre.grab().isNull()
    assert theatre.look.text() == entry.look  # type: ignore[attr-defined]
    assert theatre.options.stops.text() == written_stops(entry.stops)  # type: ignore[attr-defined]


@pytest.mark.parametrize("height", [620, 1100])  # one line of text a lane, three lines
def test_partial_repaints_equal_whole_ones(theatre: StreamTheatre, height: int) -> None:
    theatre.resize(700, height)
    text = "The quick 敏捷的 👩‍💻 fox jumps\nover ﷺ the مرحبا lazy dog; e\u0301\u0302x 🇫🇷🇩🇪\ufffd " * 5
    data = text.encode() + b"\xff\xfe tail"
    pieces = [data[i : i + 3] for i in range(0, len(data), 3)]
    theatre.source.stream_chosen.emit(TokenStream.of_chunks(pieces), None)
    theatre.options.stops.setText("lazy cat")
    theatre.options.stops.editingFinished.emit()
    QApplication.processEvents()
    QApplication.processEvents()

    def on_screen(widget: QWidget) -> QImage:
        place = widget.rect().translated(widget.mapTo(theatre, QPoint()))
        return QGuiApplication.primaryScreen().grabWindow(theatre.winId()).copy(place).toImage()

    watched = [theatre.lanes[0], theatre.lanes[2], theatre.timeline]
    for position in [*range(75), 40, 41, 42, 10, 11, 12, 110, 111, 112, 900]:
        theatre.player.seek(position)
        QApplication.processEvents()
        partial = [on_screen(w) for w in watched]
        for widget in watched:
            widget.update()
        QApplication.processEvents()
        for widget, image in zip(watched, partial, strict=True):
            assert not image.isNull() and image == on_screen(widget), (position, widget.accessibleName())


def test_both_themes(theatre: StreamTheatre) -> None:
    pictures = []
    for colours in (palette.dark(), palette.light()):
        palette.use(colours)
        QApplication.setPalette(palette.qpalette(colours))
        QApplication.processEvents()
        image = theatre.grab().toImage()
        pictures.append(image.pixelColor(image.width() - 3, image.height() - 3).lightness())
    assert pictures[0] < 80 < 200 < pictures[1]


def test_stop_strings_are_typed_with_escapes() -> None:
    assert parsed_stops(r"\nUser:, ###,, a\,b, \ x, \\, c\d") == ("\nUser:", "###", "a,b", " x", "\\", "c\\d")
    for stops in (("\nUser:", "###"), (" x", "a,b"), ("\\", "\t\r"), ()):
        assert parsed_stops(written_stops(stops)) == stops


def test_stop_strings_and_the_shared_buffer(theatre: StreamTheatre) -> None:
    theatre.source.choose("stop-in-two-tokens")
    names = [view.lane.name for view in theatre.lanes]
    assert names[:5] == ["naive-go", "naive-unicode", "buffered", "shared-utf8", "shared-stop"]
    theatre.player.seek(3)
    assert theatre.lanes[2].view.stop_held == "\nUs"
    theatre.player.seek(99)
    assert theatre.lanes[2].verdict()[0] and not theatre.lanes[3].verdict()[0]
    theatre.options.shared.setChecked(False)
    assert "shared-utf8" not in lane_texts(theatre) and theatre.player.at_end  # the position is kept
    theatre.options.stops.setText("")
    theatre.options.stops.editingFinished.emit()
    assert lane_texts(theatre)["buffered"].endswith("User: and you?")


def test_the_prompt_switch(theatre: StreamTheatre) -> None:
    theatre.source.choose("prompt-ends-inside")
    theatre.player.seek(1)
    assert lane_texts(theatre)["buffered"] == "\ufffd\ufffd" and theatre.options.primed.isVisible()
    theatre.options.primed.setChecked(True)
    assert lane_texts(theatre)["buffered"] == "😀"
    theatre.source.choose("family")
    assert not theatre.options.primed.isVisible()


def test_lanes_can_be_chosen(theatre: StreamTheatre) -> None:
    for action in theatre.options.policies:
        action.setChecked(action.data() == "grapheme")
    assert list(lane_texts(theatre)) == ["grapheme"]
    theatre.options.policies[-1].setChecked(False)
    assert lane_texts(theatre) == {}
    assert not theatre.grab().isNull()


def test_own_bytes_and_mistakes(theatre: StreamTheatre) -> None:
    theatre.source.choose("chunks")
    theatre.source.editor.setPlainText("f09f, 9982")
    theatre.source.load()
    theatre.player.seek(9)
    assert lane_texts(theatre)["buffered"] == "🙂"
    theatre.source.editor.setPlainText("f09f, 9z")
    theatre.source.load()
    assert theatre.trouble.isVisible() and "'z' is no hex digit, chunk 2" in theatre.trouble.text()
    assert lane_texts(theatre)["buffered"] == "🙂"  # what played before stays
    theatre.source.editor.setPlainText("41")
    theatre.source.load()
    assert not theatre.trouble.isVisible()
    theatre.source.choose("family")
    theatre.source.choose("chunks")
    assert theatre.source.editor.toPlainText() == "41"  # what was typed is not lost


def test_recordings(theatre: StreamTheatre, tmp_path: Path) -> None:
    file = tmp_path / "stream.sse"
    event = 'data: {{"choices":[{{"delta":{{"content":"{}"}}}}]}}\n\n'
    file.write_bytes(("0.5 " + event.format("Hé") + "0.9 " + event.format("llo") + "data: [DONE]\n\n").encode())
    theatre.source.open_recording(str(file))
    assert theatre.player.run.times.tolist() == [0.0, 400.0]
    assert theatre.transport.arrival.currentText() == "as recorded" and not theatre.transport.rate.isEnabled()
    theatre.transport.arrival.setCurrentIndex(1)
    assert theatre.player.run.times.tolist() == [50.0, 100.0]
    theatre.player.seek(9)
    assert lane_texts(theatre)["buffered"] == "Héllo" and "stream.sse: 2 tokens" in theatre.look.text().lower()
    theatre.source.editor.setPlainText("nothing to see")
    theatre.source.load()
    assert "no text is found" in theatre.trouble.text()
    theatre.source.open_recording(str(tmp_path / "missing"))
    assert "cannot be read" in theatre.trouble.text()


def test_the_example_recording(theatre: StreamTheatre) -> None:
    theatre.source.choose("recording")
    theatre.source.example.click()
    run = theatre.player.run
    assert run.tokens == 56 and run.stream.times is not None and "finish_reason: stop" in theatre.look.text()
    assert {view.lane.name for view in theatre.lanes if not view._run.verdict(view.lane)[0]} == {
        "naive-go", "naive-unicode"}


def test_the_text_in_the_editor(qtbot: QtBot) -> None:
    text = "I saw a 🦙 and 𓆏."
    session = Session(load("gpt2"), text.encode(), jobs=Jobs(synchronous=True))
    theatre = StreamTheatre(session)
    qtbot.addWidget(theatre)
    theatre.show()
    theatre.source.choose("document")
    theatre.player.seek(99)
    ids = session.document.encoding().ids.tolist()
    assert theatre.player.run.stream.ids == tuple(ids) and lane_texts(theatre)["buffered"] == text
    assert "\ufffd" in lane_texts(theatre)["naive-go"]
    theatre.timeline.chosen.emit(1)  # " saw"
    assert theatre.player.position == 2 and session.selection == (1, 5)
    session.select(0, 0)
    session.edit(0, 1, "Überall".encode())
    theatre._reload.timeout.emit()
    theatre.player.seek(99)
    assert lane_texts(theatre)["buffered"] == "Überall" + text[1:]
    start = len("Überall".encode())
    session.select(start, start + 4)  # the next choice plays the selection alone
    theatre.source.choose("document", again=True)
    theatre.player.seek(99)
    assert lane_texts(theatre)["buffered"] == " saw"
    theatre.source.choose("ids")
    theatre.source.editor.setPlainText(f"{ids[0]} {ids[1]}, 999999")
    theatre.source.load()
    theatre.player.seek(99)
    assert lane_texts(theatre)["buffered"] == "I saw" and "999999" in theatre.look.text()


def test_clicking_a_token_goes_there(theatre: StreamTheatre, qtbot: QtBot) -> None:
    theatre.player.seek(1)
    theatre.grab()
    chip = theatre.timeline._chips[2]
    qtbot.mouseClick(theatre.timeline, Qt.MouseButton.LeftButton, pos=chip.box.center().toPoint())
    assert theatre.player.position == 3
    wheel = QWheelEvent(QPointF(5, 5), QPointF(5, 5), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
                        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False)
    QApplication.sendEvent(theatre.timeline, wheel)
    assert theatre.player.position == 2


def test_help_names_the_cause_of_a_replacement(theatre: StreamTheatre) -> None:
    theatre.player.seek(2)
    theatre.grab()
    view = theatre.lanes[0]
    assert view._plan is not None
    _, layout, origin = view._plan.lines[0]
    x = layout.lineAt(0).cursorToX(2)
    at = QPointF(origin.x() + (x[0] if isinstance(x, tuple) else x) + 4, origin.y() + 6)
    assert "“€” (E2 82 AC) was decoded before" in view.help_at(at)
    assert "Each token is decoded by itself" in view.help_at(QPointF(1, 1))
    moved = QMouseEvent(QEvent.Type.MouseMove, at, at, Qt.MouseButton.NoButton, Qt.MouseButton.NoButton,
                        Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(view, moved)
    assert "“€”" in view.toolTip()
    assert "holds" in theatre.lanes[2].describe() and "right so far" in theatre.lanes[2].describe()


@pytest.mark.parametrize("suffix", [".html", ".md", ".csv"])
def test_files(theatre: StreamTheatre, tmp_path: Path, suffix: str) -> None:
    assert theatre.share.save(str(tmp_path / f"stream{suffix}"))
    text = (tmp_path / f"stream{suffix}").read_text("utf-8")
    assert "Go\ufffd" in text
    if suffix == ".csv":
        assert len(list(csv.reader(text.splitlines()))) == 1 + 5 * 6


def test_what_cannot_be_written_is_said(theatre: StreamTheatre, tmp_path: Path) -> None:
    assert not theatre.share.save(str(tmp_path / "none" / "x.html")) and "cannot be written" in theatre.trouble.text()
    assert not theatre.share.save(str(tmp_path / "x.gif")) and "no format" in theatre.trouble.text()
    theatre.share.copy()
    assert QGuiApplication.clipboard().text().startswith("**Go€→🙂**")


def test_the_animated_picture(theatre: StreamTheatre, tmp_path: Path) -> None:
    theatre.player.seek(1)
    assert theatre.share.save(str(tmp_path / "stream.png"))
    assert theatre.player.position == 1  # left where it was
    data = (tmp_path / "stream.png").read_bytes()
    found = list(chunks_of(data))
    kinds = [kind for kind, _ in found]
    assert data.startswith(SIGNATURE) and kinds[0] == b"IHDR" and kinds[1] == b"acTL" and kinds[-1] == b"IEND"
    assert int.from_bytes(found[1][1][:4], "big") == kinds.count(b"fcTL") == theatre.player.run.steps + 1
    assert kinds.index(b"fcTL") < kinds.index(b"IDAT") < kinds.index(b"fdAT")
    numbers = [int.from_bytes(d[:4], "big") for k, d in found if k in (b"fcTL", b"fdAT")]
    assert numbers == list(range(len(numbers)))
    assert QImage(str(tmp_path / "stream.png")).size() == theatre.main.size()  # a program without APNG shows frame 1


def test_frames_of_an_animation_join_to_the_pictures() -> None:
    import struct
    import zlib

    colours = (0xFF0000, 0x00FF00, 0x0000FF)
    pictures = []
    for k, colour in enumerate(colours):
        image = QImage(20, 10, QImage.Format.Format_RGB888)
        image.fill(0xFFFFFF)
        for x in range(4):
            image.setPixel(5 * k + x, k, colour)
        pictures.append(image)
    canvas = bytearray(b"\xff" * 20 * 10 * 3)
    seen, control, parts = [], b"", b""
    for kind, data in [*chunks_of(animation((p, 100) for p in pictures)), (b"fcTL", b"")]:
        if kind == b"fcTL":
            if parts:
                width, height, left, top = struct.unpack(">4I", control[4:20])
                raw = zlib.decompress(parts)
                rows = [raw[r * (width * 3 + 1) :][: width * 3 + 1] for r in range(height)]
                assert all(row[0] in (0, 1, 2, 3, 4) for row in rows)
                seen.append((width, height, left, top))
            control, parts = data, b""
        elif kind in (b"IDAT", b"fdAT"):
            parts += data if kind == b"IDAT" else data[4:]
    assert seen == [(20, 10, 0, 0), (9, 2, 0, 0), (9, 2, 5, 1)] and canvas


def test_too_long_for_a_picture(theatre: StreamTheatre) -> None:
    from tokenloupe.core.errors import InputError

    theatre.source.stream_chosen.emit(TokenStream.of_chunks([b"a"] * 500), None)
    with pytest.raises(InputError, match="too many for a picture"):
        next(frames(theatre.player, theatre.picture()))


def test_hidden_it_does_not_play(theatre: StreamTheatre) -> None:
    theatre.player.play()
    theatre.hide()
    assert not theatre.player.playing


def test_a_narrow_window_has_a_box_instead_of_the_list(theatre: StreamTheatre) -> None:
    theatre.resize(320, 700)
    assert theatre.source.box.isVisible() and not theatre.source.list.isVisible() and theatre.width() == 320
    box: QComboBox = theatre.source.box
    box.setCurrentIndex(box.findData("family"))
    box.activated.emit(box.currentIndex())
    assert theatre.source.current == "family"
    theatre.resize(1000, 700)
    assert theatre.source.list.isVisible()


def test_larger_fonts(theatre: StreamTheatre) -> None:
    heights = [view.height() for view in theatre.lanes]
    font = QFont(theatre.font())
    font.setPointSizeF(font.pointSizeF() * 2)
    theatre.setFont(font)
    QApplication.processEvents()
    assert all(b > a for a, b in zip(heights, (view.height() for view in theatre.lanes), strict=True))
    assert not theatre.grab().isNull()


def test_ten_thousand_steps_at_a_hundred_tokens_a_second(theatre: StreamTheatre) -> None:
    """Frames of 16.7 ms from the beginning, the middle and the end of 10,000 steps: what one costs does not grow with
    what was shown before. benchmarks/ has their times."""
    data = ("The quick brown fox, 敏捷的棕色狐狸。 Быстрая лиса 👩‍💻 ภาษาไทย naïve café\n" * 400).encode()
    pieces = [data[i : i + 3] for i in range(0, 30_000, 3)]
    theatre.source.stream_chosen.emit(TokenStream.of_chunks(pieces), None)
    theatre.player.retime(Timing(rate=100))
    assert theatre.player.run.steps == 10_001
    theatre.player.play(timer=False)  # frames are made here, one after another

    def frame() -> None:
        theatre.player.advance(1000 / 60)
        QApplication.processEvents()

    efforts = {}
    for start in (0, 5000, 9900):
        theatre.player.seek(start)
        QApplication.processEvents()
        efforts[start] = max(calls(frame) for _ in range(50))
    assert max(efforts.values()) < 10_000 and efforts[9900] < 2 * efforts[5000]
    assert theatre.player.run.view(theatre.player.run.lanes[2], theatre.player.position).visible == data[
        : theatre.player.position * 3].decode("utf-8", "ignore")


def test_a_long_recording_is_whole_when_one_comes_back_to_it(theatre: StreamTheatre, tmp_path: Path) -> None:
    file = tmp_path / "long.jsonl"
    file.write_text('{"text":"abcdefghij"}\n' * 2000)  # longer than what the field shows of it
    theatre.source.open_recording(str(file))
    assert theatre.player.run.tokens == 2000
    theatre.source.choose("metaspace")
    theatre.source.choose("chunks")
    theatre.source.editor.setPlainText("41,42")
    theatre.source.load()
    theatre.source.choose("recording")
    assert theatre.player.run.tokens == 2000
    theatre.source.editor.setPlainText('{"text":"a"}')
    theatre.source.load()
    assert theatre.player.run.tokens == 1
