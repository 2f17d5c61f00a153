"""Show entries of the vocabulary, from any view: the panel comes to the front with them.

    show_entry(self, session, 995)                                  # one token, all others around it
    show_entries(self, session, rows, "begin inside a character")   # rows of the index, as a list with that name
    show_ids(self, session, (5, 9), "Duplicate")                    # the same by ids
    show_lineage(self, session, 995)                                # how it is built and what it feeds
    back_and_forth(self, VocabularyDesk.of(session))                # Alt+Left and Alt+Right in a panel
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from ..models.session import Session
from ..models.vocabulary_desk import VocabularyDesk
from .panel_parts import go_to

if TYPE_CHECKING:
    from ..core.vocabulary import Int64s


def show_entry(widget: QWidget, session: Session, token_id: int, panel: str = "vocabulary") -> bool:
    """The browser (or another panel that follows the entry) at one token; False when there is none of this id."""
    if not VocabularyDesk.of(session).choose(token_id):
        session.failed.emit(f"this vocabulary has no token {token_id}")
        return False
    go_to(widget, panel)
    return True


def show_entries(widget: QWidget, session: Session, rows: Int64s, label: str) -> None:
    """The browser with these rows alone, in this order. label: what they are, a few words for the line above."""
    VocabularyDesk.of(session).list_rows(rows, label)
    go_to(widget, "vocabulary")


def show_ids(widget: QWidget, session: Session, ids: Iterable[int], label: str) -> None:
    """The same by ids; those that nobody has are left out."""
    VocabularyDesk.of(session).list_ids(ids, label)
    go_to(widget, "vocabulary")


def show_lineage(widget: QWidget, session: Session, token_id: int) -> bool:
    """The lineage panel at one token."""
    return show_entry(widget, session, token_id, "lineage")


def back_and_forth(panel: QWidget, desk: VocabularyDesk) -> None:
    """Alt+Left and Alt+Right: the entry that was looked at before, and the one after it."""
    for keys, run in (("Alt+Left", desk.back), ("Alt+Right", desk.forward)):
        shortcut = QShortcut(QKeySequence(keys), panel)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(run)
