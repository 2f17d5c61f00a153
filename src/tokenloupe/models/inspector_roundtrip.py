"""RoundTripModel: the verdict on the document as it is now, and its losses as rows.

    model = RoundTripModel(session)
    model.set_active(True)              # small texts are judged in the pauses between keys
    model.check()                       # a large one when it is asked for: a job with progress
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from .inspector_rows import Row, Rows
from .inspector_text import hex_of
from .jobs import Latest
from .readable import readable

if TYPE_CHECKING:
    from ..core.roundtrip_report import Loss, Verdict
    from .session import Session

#: Texts of more bytes are decoded when that is asked for.
AT_ONCE = 1 << 18
#: ms after an edit
PAUSE = 200


class RoundTripModel(QObject):
    """changed(): another verdict, or none any more."""

    changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent or session)
        self._session = session
        self._active = False
        self.verdict: Verdict | None = None
        self.rows = Rows(parent=self)
        self._job = Latest(session.jobs)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(PAUSE)
        self._soon.timeout.connect(self._judge_small)
        session.document_changed.connect(self._renew)
        session.tokenizer_changed.connect(self._renew)

    @property
    def small(self) -> bool:
        return self._session.ready and len(self._session) <= AT_ONCE and self._session.complete

    @property
    def checking(self) -> bool:
        return self._job.running

    def set_active(self, active: bool) -> None:
        self._active = active
        if not active:
            self._soon.stop()
            self._job.cancel()
        elif self.verdict is None:
            self._renew()

    def _renew(self) -> None:
        self._job.cancel()
        had = self.verdict is not None
        self.verdict = None
        self.rows.set_rows([])
        if not self._active:
            return
        if self._session.jobs.synchronous:
            self._judge_small()
        else:
            self._soon.start()
        if had or not self._session.ready:
            self.changed.emit()

    def _judge_small(self) -> None:
        if self._active and self.small:
            self.check()
        else:
            self.changed.emit()

    def check(self) -> None:
        """Decode the document and compare."""
        if not self._session.ready:
            return
        from ..core.roundtrip_report import verify

        def done(verdict: Verdict) -> None:
            self.verdict = verdict
            self.rows.set_rows([loss_row(k, loss) for k, loss in enumerate(verdict.losses)])
            self.changed.emit()

        self._job.start("Checking the round trip", verify(self._session.document), done=done,
                        cancelled=self.changed.emit)
        if self._job.running:
            self.changed.emit()

    def go(self, number: int) -> None:
        """Select the bytes of a loss; where bytes were put in, the caret stands there."""
        if self.verdict is not None and self.verdict.losses:
            loss = self.verdict.losses[number % len(self.verdict.losses)]
            self._session.select(loss.start, loss.end)

    def step(self, by: int) -> int:
        """To the next loss after the selection (1) or the one before it (-1), around the ends; its number, -1: none."""
        if self.verdict is None or not self.verdict.losses:
            return -1
        losses, (start, end) = self.verdict.losses, self._session.selection
        if by > 0:
            found = next((k for k, x in enumerate(losses) if (x.start, x.end) > (start, end)), 0)
        else:
            found = next((k for k in range(len(losses) - 1, -1, -1) if (losses[k].start, losses[k].end) < (start, end)),
                         len(losses) - 1)
        self.go(found)
        return found

    def report(self) -> str:
        """The verdict as text: a line for each loss."""
        verdict = self.verdict
        if verdict is None:
            return ""
        lines = [verdict.sentence, *(f"{stage}: places {places:,}, bytes {size:,}"
                                     for stage, places, size in verdict.stages)]
        lines += [f"bytes {x.start}–{x.end}\t{x.stage}\t{x.lost.hex(' ')}\t"
                  + ("?" if x.given is None else x.given.hex(" ") or "nothing") for x in verdict.losses]
        return "\n".join(lines) + "\n"


def loss_row(number: int, loss: Loss) -> Row:
    """The bytes and what comes back; stage, place and tokens beneath."""
    before = readable(loss.lost) if loss.lost else "nothing"
    if loss.given is None:
        title = before
    else:
        title = f"{before} → {readable(loss.given) if loss.given else 'nothing'}"
    tokens = loss.last - loss.first
    owner = "no token" if not tokens else f"token {loss.first:,}" if tokens == 1 else \
        f"tokens {loss.first:,}–{loss.last - 1:,}"
    place = f"byte {loss.start:,}" if loss.end - loss.start < 2 else f"bytes {loss.start:,}–{loss.end:,}"
    given = f" → {hex_of(loss.given)}" if loss.given else ""
    return Row(title, f"{loss.stage}; {place}, {owner}; {hex_of(loss.lost) or 'put in'}{given}", value=number,
               mark="lost")
