"""The audit of the session's tokenizer as a job, and its findings as rows that can be filtered.

    desk = AuditDesk.of(session)
    desk.start()                         # progressed(fraction); changed() when it has ended, or was cancelled
    desk.audit.totals["unreachable"]
    rows = FindingRows(); rows.show(desk.audit, kind="unreachable", text="zwj")

Another tokenizer ends a run and drops what was found.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject, Signal

from ..core.audit import KINDS, Audit, Finding, audit_steps
from ..core.audit_report import markdown
from ..core.reach import Status
from ..core.tokenizer import SpecialMode
from ..core.vocabulary import Int64s, Vocabulary
from .census_index import index_of
from .jobs import Job
from .paged_rows import SIGNS, Column, Page, PagedRows, page_of
from .readable import readable
from .session import Session


class AuditDesk(QObject):
    """changed(): running, ended, cancelled, or dropped. progressed(float): 0..1."""

    changed = Signal()
    progressed = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.session = session
        self.audit: Audit | None = None
        self._job: Job | None = None
        session.tokenizer_changed.connect(self._renew)

    @classmethod
    def of(cls, session: Session) -> AuditDesk:
        found = session.findChild(cls)
        return cls(session) if found is None else found

    @property
    def running(self) -> bool:
        return self._job is not None and self._job.running

    def start(self) -> None:
        if self.running or not self.session.ready:
            return
        self.audit = None
        job = self.session.jobs.start("Auditing the vocabulary", audit_steps(index_of(self.session)), done=self._done,
                                      progress=self.progressed.emit, cancelled=self._ended)
        if job.running:  # a synchronous one has ended, and told so
            self._job = job
            self.changed.emit()

    def cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()

    def report(self) -> str:
        """Markdown; "" before there is an audit."""
        return "" if self.audit is None else markdown(self.audit)

    def rows_of_status(self, status: Status) -> Int64s:
        return np.zeros(0, np.int64) if self.audit is None else self.audit.reach.rows(status)

    def witness(self, token_id: int) -> tuple[bytes, SpecialMode] | None:
        """(a text that yields the token, the mode it needs), None when there is none."""
        if self.audit is None or self.audit.index.vocabulary.row_of(token_id) is None:
            return None
        return self.audit.reach.witness(token_id)

    def show_witness(self, token_id: int) -> bool:
        """The witness becomes the text, in one step that Undo takes back, and the token is selected in it."""
        found = self.witness(token_id)
        if found is None:
            return False
        text, mode = found
        session = self.session
        if mode != "text" and session.special == "text":
            session.set_special(mode)
        session.edit(0, len(session), text, kind="paste")
        window = session.document.window(0, len(text))
        for i in np.flatnonzero(window.ids == token_id).tolist():
            session.select(int(window.starts[i]), int(window.ends[i]))
            return True
        return True

    # Inside

    def _renew(self) -> None:
        if self.session.ready and self.audit is not None and self.audit.index is index_of(self.session):
            return
        self.cancel()
        if self.audit is not None:
            self.audit = None
            self.changed.emit()

    def _done(self, audit: Audit) -> None:
        self.audit = audit
        self._ended()

    def _ended(self) -> None:
        self._job = None
        self.changed.emit()


class FindingRows(PagedRows):
    """shown: the findings that fit, in the order of KINDS and the worst first."""

    columns = (
        Column("sign", "", "sign", 2), Column("id", "Id", "number", 7),
        Column("entry", "Entry", "token", 12, stretch=1), Column("what", "What", "prose", 14, stretch=3),
    )

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.shown: list[Finding] = []
        self._vocabulary: Vocabulary | None = None

    def show(self, audit: Audit | None, kind: str = "", text: str = "") -> None:
        """kind: "" for all. text: part of what is said, of the proof, of an entry, or an id."""
        found = [] if audit is None else list(audit.findings) if not kind else audit.of_kind(kind)
        wanted = text.strip().casefold()
        if wanted and audit is not None:
            found = [f for f in found if wanted in f"{f.kind} {f.what} {f.proof}".casefold()
                     or wanted in map(str, f.ids)]
        self.shown = found
        self._vocabulary = None if audit is None else audit.index.vocabulary
        self.set_rows(np.arange(len(found)))

    def _made(self, first: int, rows: Int64s) -> Page:
        assert self._vocabulary is not None
        out: list[tuple[str, ...]] = []
        for f in self.shown[first : first + len(rows)]:
            piece = self._vocabulary.bytes_of(f.ids[0]) if f.ids else None
            proof = f" ({f.proof})" if f.proof else ""
            witness = f": {readable(f.witness, 40)}" if f.witness is not None else ""
            out.append((SIGNS[f.severity], str(f.ids[0]) if f.ids else "",
                        readable(piece, 40) if piece else "", f"{f.what}{witness}{proof}"))
        return page_of(first, out, len(self.columns))

    def rows_in_index(self, audit: Audit) -> Int64s:
        """The entries that the shown findings are about, each once, ascending."""
        ids = np.array(sorted({i for f in self.shown for i in f.ids}), np.int64)
        v = audit.index.vocabulary
        return np.flatnonzero(np.isin(v.ids, ids))


class KindRows(PagedRows):
    """What the findings are about: all of them, then each kind that was found, then those that were not."""

    columns = (
        Column("sign", "", "sign", 2), Column("finding", "Finding", "prose", 16, stretch=1),
        Column("count", "Count", "number", 7),
    )

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        #: "" stands for all.
        self.kinds: list[str] = []
        self._audit: Audit | None = None

    def show(self, audit: Audit | None) -> None:
        self._audit = audit
        self.kinds = [] if audit is None else ["", *sorted(KINDS, key=lambda k: not audit.totals.get(k))]
        self.set_rows(np.arange(len(self.kinds)))

    def kind_at(self, row: int) -> str:
        return self.kinds[row] if 0 <= row < len(self.kinds) else ""

    def _made(self, first: int, rows: Int64s) -> Page:
        assert self._audit is not None
        totals = self._audit.totals
        out = []
        for kind in self.kinds[first : first + len(rows)]:
            n = totals.get(kind, 0) if kind else sum(totals.values())
            worst = min((f.severity for f in self._audit.of_kind(kind)), default=None) if kind else None
            out.append(("" if worst is None else SIGNS[worst], kind_title(kind) if kind else "All findings",
                        f"{n:,}" if n else "none"))
        return page_of(first, out, len(self.columns), [row[2] == "none" for row in out])


def kind_title(kind: str) -> str:
    return kind[:1].upper() + kind[1:]


__all__ = ["KINDS", "AuditDesk", "FindingRows", "KindRows", "Status", "kind_title"]
