"""The windows of the application, for tests that look at all of them."""

from __future__ import annotations

import gc

from PySide6.QtWidgets import QApplication, QWidget


def windows_of() -> list[QWidget]:
    """All windows, shown or not. The list is made without a garbage collection in the middle of it: one that ends a
    forgotten window leaves a pointer to nothing in the list that Qt gave (PySide6 6.11 crashes then)."""
    gc.disable()
    try:
        return list(QApplication.topLevelWidgets())
    finally:
        gc.enable()
