"""Opening the window: `run(files)` is what `tokenloupe` without a subcommand does.

The first window is painted before numpy, the tokenizers or a vocabulary are imported; the rest follows at once.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QCoreApplication, QObject, QPoint, Qt, QTimer
from PySide6.QtWidgets import QApplication

from .main_window import MainWindow
from .messages import quiet
from .recovery import Lost, journal_folder, left_behind
from .settings import Settings
from .theme import Theme

#: The example shown at the first start.
WELCOME = "1-scripts-and-emoji.txt"


class Program(QObject):
    """What all windows share. home: where settings and journals are instead of the user's folders (pictures)."""

    def __init__(self, app: QApplication, home: Path | None = None) -> None:
        super().__init__(app)
        self.settings = Settings(home / "settings.json" if home is not None else None)
        self.journals = home / "journals" if home is not None else journal_folder()
        self.theme = Theme(app, self.settings.get("theme", "system"))
        self.windows: list[MainWindow] = []

    def open_window(self, files: list[Path], lost: Lost | None = None, *, late: bool = False) -> MainWindow:
        """Another window; late: its contents follow when it has been painted."""
        window = MainWindow(self)
        if self.windows:
            window.move(self.windows[-1].pos() + QPoint(32, 32))
        self.windows.append(window)
        window.show()
        if not late:
            window.begin(files, lost)
        return window

    def closed(self, window: MainWindow) -> None:
        if window in self.windows:
            self.windows.remove(window)

    def mishap(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """A fault of the program itself: told in the window, in full on standard error; window and text live on."""
        sys.__excepthook__(kind, error, trace)
        for window in self.windows:
            window.fail(f"A fault of the program ({kind.__name__}): your text is safe, but what you asked for may not "
                        "have been done.")

    def begin(self, window: MainWindow, files: list[Path]) -> None:
        """The contents of the first window: the files, or the text that was lost, or a welcome."""
        lost = list(left_behind(self.journals))
        here = lost.pop(0) if lost and not files else None
        window.session.tokenizer_changed.connect(freeze, Qt.ConnectionType.SingleShotConnection)
        window.begin(files, here)
        if here is None and not files and not window.session.name:
            window.files.open_example(WELCOME)
        for other in lost:
            self.open_window([], other)


def freeze() -> None:
    """What is loaded now stays: the collector need not look through 200,000 tokens again and again."""
    gc.collect()
    gc.freeze()


def application(arguments: list[str]) -> QApplication:
    """The QApplication with the program's names; the one that exists when there is one."""
    QCoreApplication.setApplicationName("tokenloupe")
    QCoreApplication.setOrganizationName("tokenloupe")
    app = QApplication.instance() or QApplication(arguments[:1] or ["tokenloupe"])
    assert isinstance(app, QApplication)
    app.setApplicationDisplayName("Tokenloupe")
    app.setDesktopFileName("tokenloupe")
    return app


def no_display() -> bool:
    """Would Qt end the process because there is nothing to draw on? (X11 and Wayland only.)"""
    if not sys.platform.startswith("linux") or os.environ.get("QT_QPA_PLATFORM"):
        return False
    return not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def run(files: list[str]) -> int:
    """Open the window with these files; returns the exit status when the last window is closed."""
    if no_display():
        print("tokenloupe: there is no display to open a window on; `tokenloupe --help` lists what works in a terminal",
              file=sys.stderr)
        return 1
    quiet()
    app = application(sys.argv)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl+C in the terminal ends it; the journal keeps the text
    program = Program(app)
    sys.excepthook = program.mishap
    window = program.open_window([], late=True)
    app.processEvents()  # the first paint
    QTimer.singleShot(0, lambda: program.begin(window, [Path(f) for f in files]))
    return app.exec()
