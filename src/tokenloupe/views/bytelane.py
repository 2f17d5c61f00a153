"""The byte lane panel: graphemes, code points, bytes, normalizer, pre-tokens and tokens of a line over one another.

    view = ByteLane(session)
    view.sheet, view.model

It is over the caret's line, or over the selection alone when that is asked for. The foot says what the cell under the
pointer or the current one is; the legend says what the signs mean.
"""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QGuiApplication, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from ..core.wording import count_of
from ..models.bytelane import Cell, LaneModel
from ..models.session import Session
from .bytelane_geometry import NOTCH, WIDE
from .bytelane_legend import LaneLegend
from .bytelane_sheet import LaneSheet
from .editor_clipboard import mime_of
from .status import label, plain_button

#: From this width on the legend is shown, where all rows are seen beside it, unless the user has put it away.
LEGEND = 640


class ByteLane(QWidget):
    """The panel. `sheet` is the QAbstractScrollArea, `model` its LaneModel."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.model = LaneModel(session, self)
        self.sheet = LaneSheet(self.model, self)
        self.legend = LaneLegend(self)
        self._wants_legend: bool | None = None  # as the user chose; None: where there is room
        self._pointed: Cell | None = None
        self.place = label(about="Current cell")
        self.place.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.scope = plain_button(self, "Selection", "Only the selected bytes, not their whole lines",
                                  self._scope_chosen)
        self.scope.setCheckable(True)
        self.out = plain_button(self, "−", "Narrower bytes (-)", lambda: self.sheet.zoom_by(1 / NOTCH ** 2))
        self.into = plain_button(self, "+", "Wider bytes (+)", lambda: self.sheet.zoom_by(NOTCH ** 2))
        self.fit = plain_button(self, "Fit", "All of the ruler in sight (F)", self.sheet.fit)
        self.key = plain_button(self, "Legend", "Show or hide what the signs mean", self._toggle_legend)
        self.key.setCheckable(True)
        self._build()
        self.setFocusProxy(self.sheet)
        self.sheet.pointed.connect(self._point)
        self.model.moved.connect(self._tell_moved)
        self.model.changed.connect(self._tell)
        self._tell()

    def _build(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(4)
        buttons.addStretch(1)
        for button in (self.scope, self.out, self.into, self.fit, self.key):
            buttons.addWidget(button)
        self.foot = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self.foot.setContentsMargins(8, 2, 8, 2)
        self.foot.setSpacing(2)
        self.foot.addWidget(self.place, 1)
        self.foot.addLayout(buttons)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.sheet, 1)
        column.addWidget(self.legend)
        column.addLayout(self.foot)
        self._arrange()

    def sizeHint(self) -> QSize:
        return QSize(720, 300)

    def set_zoom(self, zoom: float) -> None:
        self.sheet.set_zoom(zoom)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._tell()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        g, bar = self.sheet.geometry_, self.sheet.horizontalScrollBar().sizeHint().height()
        needed = g.height + g.head + bar + self.foot.sizeHint().height() + self.legend.heightForWidth(self.width())
        room = self.width() >= LEGEND and self.height() >= needed
        shown = room if self._wants_legend is None else self._wants_legend
        self.foot.setDirection(QBoxLayout.Direction.LeftToRight if self.width() >= WIDE else
                               QBoxLayout.Direction.TopToBottom)
        self.legend.setVisible(shown)
        self.key.setChecked(shown)

    def _toggle_legend(self) -> None:
        self._wants_legend = not self.legend.isVisibleTo(self)
        self._arrange()

    def _scope_chosen(self) -> None:
        self.model.set_scope("selection" if self.scope.isChecked() else "line")

    # What the Edit menu asks of the view that has the focus

    def copy(self) -> None:
        """The selected bytes, as text and as they are."""
        start, end = self._session.selection
        if start < end:
            QGuiApplication.clipboard().setMimeData(mime_of(self._session.document.store.bytes(start, end)))
            self._session.message.emit(f"Copied {count_of(end - start, 'byte')}")

    def select_all(self) -> None:
        """All that the ruler is over."""
        self.model.span(*self.model.range)

    # Inside

    def _point(self, cell: Cell | None) -> None:
        if cell != self._pointed:
            self._pointed = cell
            self._tell()

    def _tell_moved(self) -> None:
        self._tell()
        if QAccessible.isActive() and self.sheet.hasFocus():
            said = self.sheet.describe()
            self.sheet.setAccessibleDescription(said)
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.sheet, said))

    def _tell(self) -> None:
        if self.isVisible():
            said = self.model.words(self._pointed) if self._pointed is not None else self.sheet.describe()
            self.place.setText(said[:1].upper() + said[1:])
