"""What a table of the vocabulary shows, to the clipboard or to a file: in slices, with progress and cancel.

    copy_export(desk, model.rows, ["id", "text", "bytes"], "markdown")
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QGuiApplication

from ..models.vocabulary_desk import VocabularyDesk

if TYPE_CHECKING:
    from ..core.vocabulary import Int64s

#: (format, name, suffix)
EXPORTS = (("csv", "CSV", ".csv"), ("json", "JSON", ".json"), ("markdown", "Markdown", ".md"))


def _steps(desk: VocabularyDesk, rows: Int64s, columns: Sequence[str], format: str) -> Iterator[Any]:
    from ..core.derive import merges_steps
    from ..core.query_export import export_steps

    index = desk.index
    assert index is not None
    if index.tokenizer is not None and {"rank", "left", "right"} & set(columns):
        for step in merges_steps(index.tokenizer):
            yield step if isinstance(step, float) else None
    yield from export_steps(index, rows, columns, format)


def copy_export(desk: VocabularyDesk, rows: Int64s, columns: Sequence[str], format: str) -> None:
    def done(text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        desk.session.message.emit(f"Copied {len(rows):,} rows")

    if desk.index is not None:
        desk.session.jobs.start("Copying", _steps(desk, rows, columns, format), done=done)


def save_export(desk: VocabularyDesk, rows: Int64s, columns: Sequence[str], format: str, path: Path) -> None:
    def done(text: str) -> None:
        try:
            path.write_text(text, "utf-8", newline="\n")
        except OSError as error:
            desk.session.failed.emit(f"{path.name} cannot be written ({error.strerror})")
        else:
            desk.session.message.emit(f"Saved {len(rows):,} rows to {path.name}")

    if desk.index is not None:
        desk.session.jobs.start("Saving", _steps(desk, rows, columns, format), done=done)
