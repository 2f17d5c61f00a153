"""What a table of the vocabulary shows, to the clipboard or to a file: in slices, with progress and cancel.

    copy_rows(session, entries(desk, model.rows, ["id", "text", "bytes"], "markdown"), len(model.rows))
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from ..models.session import Session
from ..models.vocabulary_desk import VocabularyDesk
from .panel_parts import copy_rows

if TYPE_CHECKING:
    from ..core.vocabulary import Int64s

#: (format, name, suffix)
EXPORTS = (("csv", "CSV", ".csv"), ("json", "JSON", ".json"), ("markdown", "Markdown", ".md"))


def entries(desk: VocabularyDesk, rows: Int64s, columns: Sequence[str], format: str) -> Iterator[Any]:
    """Steps that make the text of some rows of the index."""
    from ..core.query_export import export_steps

    index = desk.index
    assert index is not None
    if {"rank", "left", "right"} & set(columns):
        yield from index.parts.steps()
    yield from export_steps(index, rows, columns, format)


def save_text(session: Session, steps: Iterator[Any], count: int, path: Path) -> None:
    """What the steps make, to a file. count: of rows, for the message."""
    def done(text: str) -> None:
        try:
            path.write_text(text, "utf-8", newline="\n")
        except OSError as error:
            session.failed.emit(f"{path.name} cannot be written ({error.strerror})")
        else:
            session.message.emit(f"Saved {count:,} row{'s' if count != 1 else ''} to {path.name}")

    session.jobs.start("Saving", steps, done=done)


def export_menu(parent: QWidget, name: str, steps: Callable[[str], Iterator[Any]], count: Callable[[], int],
                session: Session) -> QMenu:
    """Copy as .. and Save as .., for what a table shows. steps(format); name: of the file, without suffix."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def copy(format: str) -> None:
        copy_rows(session, steps(format), count())

    def save(format: str, suffix: str) -> None:
        chosen, _ = QFileDialog.getSaveFileName(parent, "Save what is shown", f"{name}{suffix}",
                                                f"*{suffix};;All files (*)")
        if chosen:
            save_text(session, steps(format), count(), Path(chosen))

    for format, title, _ in EXPORTS:
        menu.addAction(f"Copy as {title}").triggered.connect(lambda _=False, f=format: copy(f))
    menu.addSeparator()
    for format, title, suffix in EXPORTS:
        menu.addAction(f"Save as {title}…").triggered.connect(lambda _=False, f=format, s=suffix: save(f, s))
    return menu
