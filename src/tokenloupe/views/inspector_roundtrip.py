"""Does the text come back? The verdict, the stages that lose something, and every loss with its bytes; a jump to each.

A small text is judged as it is typed. A large one is decoded when that is asked for, with progress and cancel.
"""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from ..core.wording import count_of
from ..models.inspector_roundtrip import RoundTripModel
from ..models.inspector_rows import Row
from ..models.session import Session
from .inspector_list import RowList
from .status import paragraph, restyle


class RoundTrip(QWidget):
    """The panel."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.model = RoundTripModel(session, self)
        self.sentence = paragraph("plain_text", about="Verdict")
        self.stages = paragraph(about="Stages that lose something")
        self.losses = RowList(self.model.rows, "Losses", most=6, alone=True)
        self.losses.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.losses.setMinimumHeight(60)
        self.check, self.previous, self.next = QPushButton("Check"), QPushButton("Previous"), QPushButton("Next")
        self.copy_all = QPushButton("Copy")
        self.check.setToolTip("Decode all ids and compare with the text, byte for byte")
        self.previous.setAccessibleName("Previous loss")
        self.next.setAccessibleName("Next loss")
        self.copy_all.setAccessibleName("Copy the verdict")
        self.check.clicked.connect(self.model.check)
        self.previous.clicked.connect(lambda: self._step(-1))
        self.next.clicked.connect(lambda: self._step(1))
        self.copy_all.clicked.connect(self.copy)
        self.losses.chosen.connect(self._go)
        bar = QHBoxLayout()
        for button in (self.check, self.previous, self.next, self.copy_all):
            bar.addWidget(button)
        bar.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 10, 8, 8)
        column.setSpacing(8)
        column.addWidget(self.sentence)
        column.addWidget(self.stages)
        column.addLayout(bar)
        column.addWidget(self.losses, 1)
        column.addStretch(0)
        self.setFocusProxy(self.losses)
        self.model.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show what the model has."""
        verdict, session = self.model.verdict, self._session
        if verdict is not None:
            sign = "✓" if verdict.exact else "✗"
            self.sentence.setText(f"{sign}  {verdict.sentence}" if verdict.tokens or not verdict.exact
                                  else "Type or open a text: here stands whether its ids give it back.")
            restyle(self.sentence, "bad" if not verdict.exact else "good" if verdict.tokens else "quiet")
            lines = [f"{stage}: {count_of(places, 'place')}, {count_of(size, 'byte')}"
                     for stage, places, size in verdict.stages]
            self.stages.setText("\n".join(lines))
        else:
            restyle(self.sentence, "quiet")
            self.sentence.setText(
                "There is no tokenizer yet." if not session.ready else "Checking…" if self.model.checking
                else "The text is still being tokenized." if not session.complete
                else f"The text has {len(session):,} bytes: it is decoded when you ask for it." if not self.model.small
                else "Checking…")
            self.stages.setText("")
        lost = verdict is not None and bool(verdict.losses)
        self.stages.setVisible(lost)
        self.losses.setVisible(lost)
        self.check.setVisible(verdict is None and session.ready and not self.model.small)
        self.check.setEnabled(not self.model.checking)
        for button in (self.previous, self.next):
            button.setVisible(lost)
        self.copy_all.setVisible(verdict is not None)
        self.setFocusProxy(self.losses if lost else self.check if self.check.isVisibleTo(self) else self.copy_all)

    def copy(self) -> None:
        """The verdict with all losses to the clipboard."""
        text = self.model.report()
        if text:
            QGuiApplication.clipboard().setText(text)
            self._session.message.emit("Copied the verdict")

    def set_zoom(self, zoom: float) -> None:
        self.losses.set_zoom(zoom)

    def _go(self, row: Row) -> None:
        self.model.go(row.value)

    def _step(self, by: int) -> None:
        number = self.model.step(by)
        if number >= 0:
            self.losses.setCurrentIndex(self.model.rows.index(number, 0))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.model.set_active(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.model.set_active(False)
