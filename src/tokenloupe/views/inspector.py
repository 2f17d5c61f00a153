"""The inspector: all there is to say of the token under the selection, and why it is one.

Its entry, its characters with their Unicode names (those that it has only a part of are told so), why it begins and
ends where it does with the merges that made it, who else spells the same, and where else it stands in the document.
It follows the selection; the keys move in it without leaving it. What is shown is plain text, and can be copied.
"""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QEvent, QLineF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QHideEvent, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ..core.wording import count_of
from ..models import inspector_text as text
from ..models.inspector import InspectorModel
from ..models.inspector_rows import Row, Rows
from ..models.readable import readable
from ..models.session import Session
from ..models.token_colours import TokenColours
from . import palette
from .inspector_list import RowList
from .inspector_merges import MergePicture
from .panel_parts import go_to
from .status import label, paragraph


class TokenChip(QWidget):
    """The token as it looks in the text, larger."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text, self._colour, self._special = "", 0, False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Token")

    def show_token(self, piece: bytes, colour: int, special: bool) -> None:
        self._text, self._colour, self._special = readable(piece, 80) or "∅", colour, special
        self.setAccessibleDescription(self._text)
        self.setToolTip(f"<p>{escape(self._text)}</p>")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(80, round(QFontMetricsF(palette.mono_font(size=palette.MONO_SIZE + 4)).height()) + 14)

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        c = palette.current()
        font = palette.mono_font(size=palette.MONO_SIZE + 4)
        metrics = QFontMetricsF(font)
        with QPainter(self) as p:
            shown = metrics.elidedText(self._text, Qt.TextElideMode.ElideRight, self.width() - 24)
            area = QRectF(0, 1, min(metrics.horizontalAdvance(shown) + 20, self.width() - 1), self.height() - 3)
            p.fillRect(area, c.fill_of(self._colour))
            p.setPen(c.token_pen(self._colour))
            p.drawLine(QLineF(area.left(), area.bottom(), area.right(), area.bottom()))
            if self._special:
                p.setPen(QPen(c.special, 1.5))
                p.drawRect(area.adjusted(1, 1, -1, -1))
            p.setFont(font)
            p.setPen(c.token_text)
            p.drawText(area.adjusted(10, 0, -4, 0), int(Qt.AlignmentFlag.AlignVCenter), shown)


class Inspector(QWidget):
    """The panel."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.model = InspectorModel(session, self)
        self._colours = TokenColours.of(session)
        self.nothing = label()
        self.nothing.setWordWrap(True)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.nothing.setContentsMargins(24, 24, 24, 24)
        self._make_head()
        self._make_sections()
        self.scroll, inside = QScrollArea(), QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(8, 4, 8, 8)
        column.setSpacing(4)
        for part in self._parts:
            column.addWidget(part)
        column.addStretch(1)
        self.scroll.setWidget(inside)
        self.scroll.setWidgetResizable(True)
        self.scroll.setFrameShape(QFrame.Shape.NoFrame)
        self.scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for widget in (self.head, self.nothing, self.scroll):
            layout.addWidget(widget, 0 if widget is self.head else 1)
        self.setFocusProxy(self.facts)
        self.model.changed.connect(self.refresh)
        self.model.counted.connect(self._show_places)
        self._restyle()
        self.refresh()

    # Parts

    def _make_head(self) -> None:
        self.head, self.chip, self.place = QWidget(), TokenChip(), label()
        self.place.setWordWrap(True)
        self.previous, self.next = (_arrow("‹", "Previous token"), _arrow("›", "Next token"))
        self.in_vocabulary = QPushButton("In vocabulary")
        self.in_vocabulary.setToolTip("Show the entry in the vocabulary browser")
        self.previous.clicked.connect(lambda: self.model.step(-1))
        self.next.clicked.connect(lambda: self.model.step(1))
        self.in_vocabulary.clicked.connect(lambda: self._show_entry(self._id()))
        top, below = QHBoxLayout(), QHBoxLayout()
        for widget in (self.previous, self.chip, self.next):
            top.addWidget(widget, 1 if widget is self.chip else 0)
        below.addWidget(self.place, 1)
        below.addWidget(self.in_vocabulary)
        column = QVBoxLayout(self.head)
        column.setContentsMargins(8, 8, 8, 4)
        column.setSpacing(4)
        column.addLayout(top)
        column.addLayout(below)

    def _make_sections(self) -> None:
        self.facts = RowList(Rows(parent=self), "Facts of the token", pairs=True, most=16)
        self.characters = RowList(Rows(parent=self), "Characters", most=10)
        self.why, self.said = _sentence("Why this token"), _sentence("Merge")
        self.merges = MergePicture()
        self.merges.canvas.said.connect(self.said.setText)
        self.ways = RowList(Rows(parent=self), "Best ways by score", most=6)
        self.spellings = RowList(Rows(parent=self), "Other spellings", most=8)
        self.spellings.chosen.connect(lambda row: self._show_entry(row.value))
        self.places = RowList(self.model.occurrences, "Places in the document", most=8)
        self.places.chosen.connect(self._go)
        self.count, self.previous_place, self.next_place = label(), QPushButton("Previous"), QPushButton("Next")
        self.count.setWordWrap(True)
        self.find = QPushButton("Find all")
        self.previous_place.setAccessibleName("Previous place of this token")
        self.next_place.setAccessibleName("Next place of this token")
        self.find.clicked.connect(self.model.count)
        self.previous_place.clicked.connect(lambda: self.model.next_place(-1))
        self.next_place.clicked.connect(lambda: self.model.next_place(1))
        self.place_bar = QWidget()
        bar = QHBoxLayout(self.place_bar)
        bar.setContentsMargins(0, 0, 0, 0)
        bar.addWidget(self.count, 1)
        for button in (self.find, self.previous_place, self.next_place):
            bar.addWidget(button)
        self._headings = [_heading(x) for x in ("Characters", "Why it is a token here", "The merges",
                                                "Best ways by score", "Other spellings", "In this document")]
        characters, why, merges, ways, spellings, places = self._headings
        self._parts: list[QWidget] = [
            self.facts, characters, self.characters, why, self.why, merges, self.merges, self.said, ways, self.ways,
            spellings, self.spellings, places, self.place_bar, self.places,
        ]

    # Showing

    def refresh(self) -> None:
        """Show what the model has."""
        facts, why = self.model.facts, self.model.why
        for widget in (self.head, self.scroll):
            widget.setVisible(facts is not None)
        self.nothing.setVisible(facts is None)
        if facts is None:
            self.nothing.setText(self.model.nothing)
            return
        self.chip.show_token(facts.piece or facts.raw.encode("utf-8", "surrogatepass"), self._colours.at(facts.index),
                             facts.kind in (1, 2))
        count = self._session.document.token_count
        self.previous.setEnabled(facts.index > 0)
        self.next.setEnabled(facts.index + 1 < count)
        more = self.model.selected - 1
        self.place.setText(f"Token {facts.index:,} of {count:,}" + (f", the first of {more + 1:,} selected" if more > 0
                                                                    else ""))
        _rows(self.facts).set_rows(text.fact_rows(facts, why))
        characters, why_, merges, ways, spellings, _ = self._headings
        _rows(self.characters).set_rows(text.character_rows(facts))
        _rows(self.spellings).set_rows(text.spelling_rows(facts))
        _rows(self.ways).set_rows(text.way_rows(why, self._session.tokenizer) if why is not None else [])
        self.why.setText(text.why_text(why) if why is not None else "")
        for heading, part in ((characters, self.characters), (ways, self.ways), (spellings, self.spellings)):
            shown = _rows(part).rowCount() > 0
            heading.setVisible(shown)
            part.setVisible(shown)
        for widget in (why_, self.why):
            widget.setVisible(bool(self.why.text()))
        trace = why.trace if why is not None else None
        drawn = trace is not None and bool(trace.steps)
        for widget in (merges, self.merges, self.said):
            widget.setVisible(drawn)
        if why is not None and trace is not None and drawn:
            first, size = why.tokens
            merges.setText(f"The merges of this {'word' if why.piece is not None and why.piece.word else 'pre-token'}"
                           + (f": {len(trace.steps)}" if trace.steps else ""))
            self.merges.show_trace(trace, self._session.tokenizer, self._colours.window(first, first + size).tolist())
            self.said.setText("Arrows and Page Down walk through them.")

    def _show_places(self) -> None:
        model = self.model
        rows = model.occurrences
        known = model.counted_id is not None
        here = rows.place_of(model.facts.index) if known and model.facts is not None else -1
        if known:
            place = f", this is number {here + 1:,}" if here >= 0 and len(rows.indices) > 1 else ""
            self.count.setText(count_of(len(rows.indices), "place") + place)
        elif model.counting or model.countable or not self._session.ready:
            self.count.setText("Looking…")
        else:
            self.count.setText(f"The text has {count_of(self._session.document.token_count, 'token')}.")
        self.find.setVisible(not known and not model.countable and not model.counting)
        for button in (self.previous_place, self.next_place):
            button.setVisible(known)
            button.setEnabled(len(rows.indices) > 1)
        self.places.setVisible(known and len(rows.indices) > 1)
        if here >= 0:
            self.places.setCurrentIndex(rows.index(here, 0))
            if not self.places.hasFocus():
                self.places.clearSelection()

    # What is done

    def copy(self) -> None:
        """Everything shown, as text; a list that has the focus copies its row instead."""
        facts = self.model.facts
        if facts is None:
            return
        parts = ["\n".join(f"{r.detail}: {r.title}" for r in _rows(self.facts).rows)]
        for heading, part in zip(self._headings, (self.characters, self.why, None, self.ways, self.spellings, None),
                                 strict=True):
            body = ""
            if part is not None:
                body = part.copy_all() if isinstance(part, RowList) else part.text().replace(text.NO_BREAK, " ")
            if body:
                parts.append(f"{heading.text()}\n{body}")
        QGuiApplication.clipboard().setText("\n\n".join(parts) + "\n")

    def set_zoom(self, zoom: float) -> None:
        for part in (self.facts, self.characters, self.ways, self.spellings, self.places):
            part.set_zoom(zoom)

    def _id(self) -> int:
        return self.model.facts.id if self.model.facts is not None else -1

    def _show_entry(self, token_id: int) -> None:
        """The entry in the vocabulary browser."""
        from ..models.vocabulary_desk import VocabularyDesk

        if token_id >= 0 and VocabularyDesk.of(self._session).choose(token_id):
            go_to(self, "vocabulary")

    def _go(self, row: Row) -> None:
        self.model.go(row.value)

    # What Qt calls

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.model.set_active(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.model.set_active(False)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self._restyle()

    def _restyle(self) -> None:
        """The ground of the lists is the panel's own."""
        ground = palette.current().window.name()
        sheet = f"QListView, QScrollArea, QScrollArea > QWidget > QWidget {{ background: {ground}; }}"
        if self.scroll.styleSheet() != sheet:
            self.scroll.setStyleSheet(sheet)


def _rows(part: RowList) -> Rows:
    model = part.model()
    assert isinstance(model, Rows)
    return model


def _arrow(sign: str, name: str) -> QToolButton:
    made = QToolButton()
    made.setObjectName("plain")
    made.setText(sign)
    made.setAccessibleName(name)
    made.setToolTip(name)
    made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    font = made.font()
    font.setPointSizeF(font.pointSizeF() * 1.4)
    made.setFont(font)
    return made


def _heading(title: str) -> QLabel:
    made = label("figure")
    made.setText(title)
    made.setContentsMargins(0, 10, 0, 2)
    return made


def _sentence(name: str) -> QLabel:
    made = paragraph("plain_text", about=name)
    made.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    return made
