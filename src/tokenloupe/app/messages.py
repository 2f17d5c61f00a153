"""What Qt says on standard error, without the notes that are nobody's fault.

Qt notes each font of a fallback list that lacks a script (that is what fallbacks are for), and the offscreen platform
that it has no window manager to give size hints to. Everything else goes to standard error as it is.
"""

from __future__ import annotations

import sys

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

#: Beginnings of messages that say nothing to a user, by what says them.
NOTES = ("OpenType support missing for", "This plugin does not support propagateSizeHints()")


def worth_saying(message: str) -> bool:
    return not message.startswith(NOTES)


def _say(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    if kind != QtMsgType.QtDebugMsg and worth_saying(message) and sys.stderr is not None:
        print(message, file=sys.stderr)


def quiet() -> None:
    """Called by the programs (the window, pictures, smoke test), never by a library or a test: those see all."""
    qInstallMessageHandler(_say)
