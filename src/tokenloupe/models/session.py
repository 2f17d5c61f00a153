"""Session: the one document, tokenizer, selection and hover that every view shares.

Byte offsets are the common coordinate. Views connect to the signals and never to each other; a view that caused a
change gets its own signal back and must cope (compare, then do nothing). Hovering never moves the selection.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class Session(QObject):
    """Signals carry Python objects (`Signal(int)` is 32-bit).

    tokenizer_changed(): another tokenizer or special-token mode; everything is new.
    document_changed(Change): tokens changed; see core/document.py.
    selection_changed(int byte_start, int byte_end): start <= end.
    hover_changed(int byte_start, int byte_end): (-1, -1) when nothing is under the pointer.
    message(str): one sentence for the status line.   failed(str): one sentence that something could not be done.
    """

    tokenizer_changed = Signal()
    document_changed = Signal(object)
    selection_changed = Signal(object, object)
    hover_changed = Signal(object, object)
    message = Signal(str)
    failed = Signal(str)
