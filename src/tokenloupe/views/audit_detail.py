"""One finding in full: what it is, its ids and bytes, the proof, the witness; and what can be done with it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QSizePolicy, QVBoxLayout, QWidget

from ..core.audit_finding import Finding
from ..models.audit import AuditDesk, kind_title
from ..models.readable import readable
from .flow import FlowLayout
from .status import label

#: Ids and bytes that are written out.
MOST_IDS, MOST_BYTES = 8, 24


class Detail(QWidget):
    """browser, put: buttons whose work is the panel's."""

    def __init__(self, desk: AuditDesk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.desk = desk
        self.what, self.more = label("figure"), label()
        self.browser, self.put = QPushButton("Show in browser"), QPushButton("Witness becomes the text")
        self.put.setToolTip("The text is replaced by one that produces this entry. Undo brings it back.")
        for words in (self.what, self.more):
            words.setWordWrap(True)
            words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        row = FlowLayout()
        row.addWidget(self.browser)
        row.addWidget(self.put)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.what)
        layout.addWidget(self.more)
        layout.addLayout(row)

    def show_finding(self, finding: Finding | None, kind: str = "") -> None:
        """kind: what the chosen kind means, said when there is no finding."""
        self.browser.setEnabled(finding is not None and bool(finding.ids))
        self.put.setEnabled(finding is not None and bool(finding.ids)
                            and self.desk.witness(finding.ids[0]) is not None)
        if finding is None:
            self.what.setText("Nothing was found")
            self.more.setText(kind[:1].upper() + kind[1:])
            return
        self.what.setText(f"{kind_title(finding.kind)}: {finding.what}")
        self.more.setText("\n".join(self._lines(finding)))

    def _lines(self, finding: Finding) -> list[str]:
        lines: list[str] = []
        audit = self.desk.audit
        if finding.ids and audit is not None:
            ids = ", ".join(map(str, finding.ids[:MOST_IDS])) + (" …" if len(finding.ids) > MOST_IDS else "")
            piece = audit.index.vocabulary.bytes_of(finding.ids[0]) or b""
            spelled = piece[:MOST_BYTES].hex(" ") + (" …" if len(piece) > MOST_BYTES else "")
            lines.append(f"id {ids}, bytes {spelled}" if piece else f"id {ids}")
        if finding.proof:
            lines.append(f"Proof: {finding.proof}.")
        found = self.desk.witness(finding.ids[0]) if finding.ids else None
        if found is not None:
            text, mode = found
            lines.append(f"Witness: {readable(text, 60)}" + (" (specials parsed)" if mode != "text" else ""))
        elif finding.kind == "none found" and audit is not None:
            lines.append(f"{audit.reach.limits[:1].upper()}{audit.reach.limits[1:]}.")
        return lines
