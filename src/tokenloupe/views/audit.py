"""The audit of a vocabulary: started by a button, with progress; its findings by kind, each with proof or witness.

Choosing a kind lists its findings; Enter on one shows its entry in the browser; its witness can become the text. The
report is saved or copied as Markdown.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from ..core.audit_finding import Finding
from ..models.audit import KINDS, AuditDesk, FindingRows, KindRows, Status, kind_title
from ..models.census import Bar
from ..models.session import Session
from .audit_detail import Detail
from .census_charts import BarChart
from .flow import FlowLayout
from .paged_table import PagedTable
from .panel_parts import Heading, grow, type_into
from .status import label
from .vocabulary_go import show_entries, show_entry, show_ids, show_lineage

#: From this width on the kinds stand beside the findings.
WIDE = 640
#: From this width and height on there is room for the limits of the search (findings that hang on them say them).
ROOMY, TALL = 440, 580
#: Typing is answered after so many ms.
SOON = 120
ABOUT = ("The audit looks for a text that produces each entry, or for a proof that there is none; for ids that are "
         "used twice, holes, merges that never fire, added tokens that collide; and for entries that may mislead. It "
         "takes a few seconds for 50,000 entries, and can be cancelled.")
STATUS_ABOUT = ("encoding the entry's own text gives it", "it needs a neighbour, or the rest of a character",
                "there is a proof that no text gives it", "neither a text nor a proof was found")


class AuditPanel(QWidget):
    """The panel."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session, self.desk = session, AuditDesk.of(session)
        self._zoom = 1.0
        self.title, self.about, self.limits = Heading(), label(), label("caption")
        self.run, self.save = QPushButton("Run audit"), QPushButton("Save report…")
        self.copy = QPushButton("Copy report")
        self.progress, self.filter = QProgressBar(), QLineEdit()
        self.reach = BarChart("Can a text produce the entries?")
        self.kind_rows, self.rows = KindRows(self), FindingRows(self)
        self.kinds = PagedTable(self.kind_rows, "Kinds of findings", session)
        self.table = PagedTable(self.rows, "Findings", session)
        self.all = QPushButton("List in browser")
        self.detail = Detail(self.desk)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SOON)
        self._build()
        self._connect()
        self._show()

    def _build(self) -> None:
        self.progress.setRange(0, 1000)
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName("Progress of the audit")
        self.filter.setPlaceholderText("Filter findings by text or id")
        self.filter.setAccessibleName("Filter findings")
        self.filter.setClearButtonEnabled(True)
        for words in (self.about, self.limits):
            words.setWordWrap(True)
            words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        top = FlowLayout()
        top.setContentsMargins(14, 8, 14, 4)
        for widget in (self.run, self.save, self.copy):
            top.addWidget(widget)
        head = QVBoxLayout()
        head.setContentsMargins(14, 0, 14, 6)
        head.setSpacing(4)
        for item in (self.title, self.about, self.progress, self.reach, self.limits):
            head.addWidget(item)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        bar = QHBoxLayout()
        bar.setContentsMargins(8, 6, 8, 6)
        bar.setSpacing(8)
        bar.addWidget(self.filter, 1)
        bar.addWidget(self.all)
        column.addLayout(bar)
        column.addWidget(self.table, 1)
        foot = QFrame()
        foot.setObjectName("foot")
        under = QVBoxLayout(foot)
        under.setContentsMargins(10, 6, 10, 8)
        under.addWidget(self.detail)
        column.addWidget(foot)
        self.split = QSplitter()
        self.split.addWidget(self.kinds)
        self.split.addWidget(right)
        self.split.setStretchFactor(0, 0)
        self.split.setStretchFactor(1, 1)
        self.split.setChildrenCollapsible(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(top)
        layout.addLayout(head)
        layout.addWidget(self.split, 1)
        layout.addStretch(0)
        self.setMinimumHeight(320)
        self.setFocusProxy(self.run)

    def _connect(self) -> None:
        self.run.clicked.connect(lambda: self.desk.cancel() if self.desk.running else self.desk.start())
        self.save.clicked.connect(self._save)
        self.copy.clicked.connect(self._copy)
        self.desk.changed.connect(self._show)
        self.desk.progressed.connect(lambda share: self.progress.setValue(round(1000 * share)))
        self.session.tokenizer_changed.connect(self._show)
        self.kinds.moved.connect(lambda _: self._list())
        self.kinds.opened.connect(lambda *_: self.table.setFocus())
        self.table.moved.connect(lambda row: self.detail.show_finding(self._finding(row)))
        self.table.opened.connect(lambda row, _: self._to_browser(row))
        for table in (self.kinds, self.table):
            table.typed.connect(lambda text: type_into(self.filter, text))
        self.filter.textChanged.connect(lambda _: self._soon.start())
        self._soon.timeout.connect(self._list)
        self.filter.returnPressed.connect(self.table.setFocus)
        self.all.clicked.connect(self._list_all)
        self.reach.chosen.connect(self._status_chosen)
        self.reach.told.connect(lambda words: self.limits.setText(words or self._limits()))
        for text, run in (("Show in Browser", self._to_browser), ("Show Lineage", self._to_lineage),
                          ("Witness Becomes the Text", self._put)):
            self.table.add_command(text, lambda r=run: r(self.table.currentIndex().row()))
        self.table.add_command("Copy Rows", self.table.copy)
        self.detail.browser.clicked.connect(lambda: self._to_browser(self.table.currentIndex().row()))
        self.detail.put.clicked.connect(lambda: self._put(self.table.currentIndex().row()))

    # What there is

    def set_zoom(self, zoom: float) -> None:
        changed, self._zoom = zoom != self._zoom, zoom
        for table in (self.kinds, self.table):
            table.set_zoom(zoom)
        if changed:
            self._divide(True)
        grow(zoom, self.about, self.limits, self.reach, self.detail.more)

    def _show(self) -> None:
        audit, running = self.desk.audit, self.desk.running
        name = self.session.tokenizer.name if self.session.ready else ""
        self.run.setText("Cancel" if running else "Run audit again" if audit else "Run audit")
        self.run.setEnabled(self.session.ready)
        self.progress.setVisible(running)
        self.about.setVisible(audit is None)
        self.about.setText(f"Auditing {name}…" if running else ABOUT)
        self.split.setVisible(audit is not None)
        self._make_room()
        for button in (self.save, self.copy):
            button.setEnabled(audit is not None)
        if audit is None:
            self.title.setText(f"Audit of {name}")
            self.rows.show(None)
            self.progress.setValue(0)
            return
        total = sum(audit.totals.values())
        self.title.setText(f"Audit of {name}: {len(audit.index):,} entries, {total:,} findings")
        self.reach.set_bars([Bar(("its own text yields it", "another text yields it", "no text can, proved",
                                  "none found")[s], len(self.desk.rows_of_status(s)),
                                 lambda s=s: self.desk.rows_of_status(s), STATUS_ABOUT[s], s > Status.CONTEXT)
                             for s in Status], len(audit.index))
        self.limits.setText(self._limits())
        self.kind_rows.show(audit)
        self.kinds.place(0)
        self._list()

    def for_picture(self) -> None:
        """Audited, with a kind chosen that has proofs."""
        self.desk.start()
        if "unreachable" in self.kind_rows.kinds:
            self.kinds.place(self.kind_rows.kinds.index("unreachable"))
            self._list()

    def _limits(self) -> str:
        if self.desk.audit is None:
            return ""
        limits = self.desk.audit.reach.limits
        return f"{limits[:1].upper()}{limits[1:]}."

    def _kind(self) -> str:
        return self.kind_rows.kind_at(self.kinds.currentIndex().row())

    def _list(self) -> None:
        self._soon.stop()
        kind = self._kind()
        self.rows.show(self.desk.audit, kind, self.filter.text())
        self.table.nothing = ("Nothing fits the filter." if self.filter.text().strip()
                              else "Nothing of this kind was found.")
        self.all.setEnabled(bool(self.rows.shown))
        self.table.scrollToTop()
        self.table.place(0 if self.rows.shown else -1)
        self.detail.show_finding(self._finding(0), KINDS.get(kind, ""))

    def _finding(self, row: int) -> Finding | None:
        return self.rows.shown[row] if 0 <= row < len(self.rows.shown) else None

    # What can be done

    def _to_browser(self, row: int) -> None:
        finding = self._finding(row)
        if finding is not None and len(finding.ids) > 1 and finding.kind != "hole":
            show_ids(self, self.session, finding.ids, kind_title(finding.kind))
        elif finding is not None and finding.ids:
            show_entry(self, self.session, finding.ids[0])

    def _to_lineage(self, row: int) -> None:
        finding = self._finding(row)
        if finding is not None and finding.ids:
            show_lineage(self, self.session, finding.ids[0])

    def _put(self, row: int) -> None:
        finding = self._finding(row)
        if finding is None or not finding.ids or not self.desk.show_witness(finding.ids[0]):
            self.session.message.emit("There is no text that produces this entry")
            return
        self.session.message.emit(f"The witness of {finding.ids[0]} is the text now; Undo brings yours back")

    def _list_all(self) -> None:
        """All entries of the kind: of those that a text may produce, more than the findings that are kept."""
        audit, kind = self.desk.audit, self._kind()
        if audit is None:
            return
        rows = self.rows.rows_in_index(audit)
        if not self.filter.text().strip() and kind in ("none found", "needs a neighbour"):
            status = Status.NONE_FOUND if kind == "none found" else Status.CONTEXT
            rows = self.desk.rows_of_status(status)
        show_entries(self, self.session, rows, kind_title(kind) if kind else "in the audit's findings")

    def _status_chosen(self, part: int) -> None:
        rows = self.desk.rows_of_status(Status(part))
        if len(rows):
            show_entries(self, self.session, rows, self.reach.bars[part].label)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.desk.report())
        self.session.message.emit("Copied the report as Markdown")

    def _save(self) -> None:
        name = "".join(c if c.isalnum() or c in "-_." else "-" for c in self.session.tokenizer.name)
        path, _ = QFileDialog.getSaveFileName(self, "Save the report", f"audit-{name}.md", "Markdown (*.md)")
        if path:
            self.save_report(Path(path))

    def save_report(self, path: Path) -> None:
        try:
            path.write_text(self.desk.report(), "utf-8", newline="\n")
        except OSError as error:
            self.session.failed.emit(f"{path.name} cannot be written ({error.strerror})")
            return
        self.session.message.emit(f"Saved {path.name}")

    def _make_room(self) -> None:
        """What is not the findings goes where there is little room."""
        there = self.desk.audit is not None
        self.limits.setVisible(there and self.width() >= ROOMY and self.height() >= TALL)
        self.reach.setVisible(there and self.height() >= TALL - 80)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()
        self._divide(event.oldSize().width() <= 0)

    def _divide(self, anew: bool) -> None:
        """The kinds beside the findings or above them; anew: even if they lie so already."""
        wide = self.width() >= WIDE * self._zoom
        if not anew and wide == (self.split.orientation() == Qt.Orientation.Horizontal):
            return  # the user's own division stays
        self.split.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)
        if wide:
            side = round(250 * self._zoom)
            self.split.setSizes([side, self.width() - side])
        else:
            self.split.setSizes([130, max(self.height() - 300, 200)])
