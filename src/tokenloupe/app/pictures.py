"""Pictures of the window and of every panel, light and dark, at one and two pixels a point, from the example texts.

    python -m tokenloupe.app.pictures build/pictures
    python -m tokenloupe.app.pictures --first-look build/first-look.png

For review, for the README, and for whoever adds a panel: it is in the pictures as soon as it is in `panels.PANELS`.
No display is needed, and the user's settings are not touched.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..core.errors import InputError

#: What a panel is given, by where it stands; (width, height) in points. 320 is the narrowest it must look right at.
PANEL_SIZES = {"right": ((500, 600), (320, 480)), "bottom": ((1000, 260), (320, 260)), "tab": ((900, 600), (480, 480))}
WINDOW_SIZES = ((1280, 800), (1000, 640))
THEMES = ("light", "dark")
SCALES = (1, 2)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tokenloupe.app.pictures", description=__doc__.split("\n")[0])
    parser.add_argument("out", nargs="?", type=Path, help="folder to write to")
    parser.add_argument("--first-look", type=Path, metavar="FILE", help="only the window, to this file")
    parser.add_argument("--only", metavar="PANEL", default="", help='only this panel ("window": the window)')
    parser.add_argument("--scale", type=int, help=argparse.SUPPRESS)  # the process for one scale
    args = parser.parse_args(arguments)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from .messages import quiet  # late: without arguments nothing of Qt is needed

    quiet()
    try:
        if args.first_look is not None:
            first_look(args.first_look)
        elif args.out is None:
            parser.error("a folder to write to is missing")
        elif args.scale is not None:
            take_all(args.out, args.scale, args.only)
        else:
            args.out.mkdir(parents=True, exist_ok=True)
            for scale in SCALES:  # Qt reads the scale once, when it starts
                command = [sys.executable, "-m", __spec__.name, str(args.out), "--scale", str(scale)]
                command += ["--only", args.only] if args.only else []
                subprocess.run(command, check=True, env={**os.environ, "QT_SCALE_FACTOR": str(scale)})
    except (InputError, OSError, subprocess.CalledProcessError) as error:
        print(f"pictures: {error}", file=sys.stderr)
        return 1
    return 0


def first_look(path: Path) -> None:
    """The window with the example of the first start, light, 1280 x 800 points."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with _program() as program:
        _window(program, "light", WINDOW_SIZES[0], path)


def take_all(out: Path, scale: int, only: str = "") -> None:
    """All pictures at one scale: window-light.png, tokens-dark-320@2x.png, ..."""
    from ..panels import PANELS

    suffix = "" if scale == 1 else f"@{scale}x"
    with _program() as program:
        for theme in THEMES:
            if only in ("", "window"):
                for size in WINDOW_SIZES:
                    name = f"window-{theme}" + ("" if size == WINDOW_SIZES[0] else f"-{size[0]}")
                    _window(program, theme, size, out / f"{name}{suffix}.png")
            for panel in PANELS:
                if only in ("", panel.id):
                    for size in PANEL_SIZES[panel.where]:
                        name = f"{panel.id}-{theme}" + ("" if size == PANEL_SIZES[panel.where][0] else f"-{size[0]}")
                        _panel(program, panel.id, theme, size, out / f"{name}{suffix}.png")


def demo(name: str) -> bytes:
    """An example text by its file name, with or without suffix; the first one when there is none of that name."""
    from ..resources import path

    files = sorted(path("demos").glob("*.txt"))
    chosen = next((f for f in files if name and (f.name == name or f.stem == name)), files[0])
    return chosen.read_bytes()


@contextmanager
def _program() -> Iterator[object]:
    """A Program with a home of its own, whose jobs end before start() returns."""
    from ..models import jobs
    from .main import Program, application

    app = application([])
    jobs.synchronous(True)
    try:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
            program = Program(app, Path(home))
            yield program
            for window in tuple(program.windows):
                window.close()
            app.processEvents()
    finally:
        jobs.synchronous(False)


def _window(program: object, theme: str, size: tuple[int, int], path: Path) -> None:
    from PySide6.QtWidgets import QApplication

    from .main import Program

    assert isinstance(program, Program)
    program.theme.choose(theme)
    window = program.open_window([])
    window.resize(*size)
    window.session.set_data(demo(""))
    window.focus_text()
    _settle()
    _save(window, path)
    window.close()
    QApplication.processEvents()


def _panel(program: object, panel_id: str, theme: str, size: tuple[int, int], path: Path) -> None:
    from ..api import load
    from ..formats.bundled import DEFAULT
    from ..models.session import Session
    from ..panels import PANELS
    from .main import Program

    assert isinstance(program, Program)
    program.theme.choose(theme)
    panel = next(p for p in PANELS if p.id == panel_id)
    session = Session(load(panel.tokenizer or DEFAULT), demo(panel.demo))
    widget = panel.create(session)
    widget.resize(*size)
    widget.show()
    widget.setFocus()  # as in the window: to its focus proxy
    prepare = getattr(widget, "for_picture", None)
    if prepare is not None:
        prepare()
    _settle()
    _save(widget, path)
    widget.close()
    widget.deleteLater()
    _settle()


def _settle() -> None:
    """Let layouts, timers of zero length and the first paint happen."""
    from PySide6.QtWidgets import QApplication

    for _ in range(5):
        QApplication.processEvents()


def _save(widget: object, path: Path) -> None:
    from PySide6.QtWidgets import QWidget

    assert isinstance(widget, QWidget)
    path.parent.mkdir(parents=True, exist_ok=True)
    if not widget.grab().save(str(path)):
        raise InputError("the picture cannot be written", where=str(path), todo="check the folder and its permissions")


if __name__ == "__main__":
    sys.exit(main())
