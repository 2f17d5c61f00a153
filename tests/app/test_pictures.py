"""Pictures and the smoke test: each in a process of its own, as `make pictures` and `doctor --smoke` run them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from PySide6.QtGui import QImage

from tokenloupe.app.pictures import demo
from tokenloupe.app.smoke import qt_report, smoke


def run(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False,
                          env={**os.environ, "QT_QPA_PLATFORM": "offscreen", **env})


def test_the_window_in_two_themes_and_two_scales(qapp, tmp_path: Path) -> None:
    done = run("-m", "tokenloupe.app.pictures", str(tmp_path / "out"), "--only", "window")
    assert done.returncode == 0, done.stderr
    sizes = {f.name: QImage(str(f)).size().toTuple() for f in (tmp_path / "out").iterdir()}
    assert sizes == {
        f"window-{theme}{width}{scale}.png": (w * k, h * k)
        for theme in ("light", "dark")
        for width, (w, h) in (("", (1280, 800)), ("-1000", (1000, 640)))
        for scale, k in (("", 1), ("@2x", 2))
    }
    light, dark = (QImage(str(tmp_path / "out" / f"window-{t}.png")).pixelColor(5, 5) for t in ("light", "dark"))
    assert light.lightness() > 200 and dark.lightness() < 60
    assert not (tmp_path / "home").exists() or not list((tmp_path / "home").rglob("settings.json"))


def test_first_look(qapp, tmp_path: Path) -> None:
    done = run("-m", "tokenloupe.app.pictures", "--first-look", str(tmp_path / "build" / "first.png"))
    assert done.returncode == 0, done.stderr
    picture = QImage(str(tmp_path / "build" / "first.png"))
    colours = {picture.pixelColor(x, y).name() for x in range(0, 700, 4) for y in range(90, 300, 7)}
    assert len(colours & {"#b4c4f8", "#fbe1fb", "#eab79f", "#cdf5c1", "#86d3cd", "#f8d68c"}) >= 3  # tokens are coloured


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run("-m", "tokenloupe.app.pictures", str(tmp_path / "file" / "out"))
    assert done.returncode == 1 and "Traceback" not in done.stderr


def test_smoke_opens_everything_and_writes_a_picture(qapp, tmp_path: Path) -> None:
    program = "import sys; from tokenloupe.app.smoke import smoke; sys.exit(smoke(sys.argv[1]))"
    done = run("-c", program, str(tmp_path / "w.png"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("window ok: ") and done.stdout.count("\n") == 1
    assert QImage(str(tmp_path / "w.png")).width() == 1280


def test_a_picture_that_cannot_be_written_is_one_line(qapp, tmp_path: Path, capsys) -> None:
    assert smoke(str(tmp_path / "none" / "w.png")) == 1
    assert "cannot be written" in capsys.readouterr().err


def test_demos_are_found_by_name() -> None:
    assert "👨\u200d👩\u200d👧\u200d👦" in demo("").decode()
    assert b"\xff" in demo("5-invalid-bytes") and demo("5-invalid-bytes.txt") == demo("5-invalid-bytes")
    assert demo("no such demo") == demo("")


def test_what_qt_says_of_itself(qapp) -> None:
    report = qt_report()
    assert report["platform"] == "offscreen" and report["fonts"]["monospaced"] and report["scale"] == 1.0
