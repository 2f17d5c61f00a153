"""Cut, copy, paste and select all, by the view that has the focus.

    Focused().copy()      # the focused widget's copy(), or that of the nearest one around it
"""

from __future__ import annotations

from PySide6.QtWidgets import QApplication


class Focused:
    def cut(self) -> None:
        _do("cut")

    def copy(self) -> None:
        _do("copy")

    def paste(self) -> None:
        _do("paste")

    def select_all(self) -> None:
        _do("select_all", "selectAll")


def _do(*names: str) -> None:
    widget = QApplication.focusWidget()
    while widget is not None:
        for name in names:
            run = getattr(widget, name, None)
            if callable(run):
                run()
                return
        widget = widget.parentWidget()
