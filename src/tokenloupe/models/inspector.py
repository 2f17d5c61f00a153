"""InspectorModel: the token under the selection, what is known of it, and where else it stands.

    model = InspectorModel(session)
    model.set_active(True)               # while its view is shown; nothing is worked out for a hidden one
    model.changed.connect(view.refresh)  # model.facts, model.why

It follows the session's selection in the pauses between keys. The tables it looks things up in are made once a
tokenizer, by a thread; the other places of a token are found in slices, of a large text when asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakSet

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from ..core.vocabulary import Int64s
from .inspector_rows import OccurrenceRows
from .jobs import Latest, in_thread

if TYPE_CHECKING:
    from ..core.inspect_token import TokenFacts
    from ..core.inspect_token_why import Why
    from ..core.tokenizer import Tokenizer
    from .session import Session

#: How long after a change the token is looked at, and its other places are counted, in ms.
FOLLOW, COUNT = 50, 250
#: Documents of more tokens are searched for the others when that is asked for.
AT_ONCE = 400_000
#: Tables are made by a thread for vocabularies of more entries than this.
LARGE = 20_000

_prepared: WeakSet[Tokenizer] = WeakSet()


class InspectorModel(QObject):
    """changed(): another token, or other facts of it. counted(): the places were found, or are not known any more."""

    changed = Signal()
    counted = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent or session)
        self._session = session
        self._active = False
        self.facts: TokenFacts | None = None
        self.why: Why | None = None
        #: Why there is nothing to show, "" when there is.
        self.nothing = ""
        self.occurrences = OccurrenceRows(session, self)
        #: The id whose places are known; None while they are not.
        self.counted_id: int | None = None
        self._count_job, self._prepare_job = Latest(session.jobs), Latest(session.jobs)
        self._soon, self._later = QTimer(self), QTimer(self)
        for timer, wait, run in ((self._soon, FOLLOW, self.refresh), (self._later, COUNT, self._count_small)):
            timer.setSingleShot(True)
            timer.setInterval(wait)
            timer.timeout.connect(run)
        session.selection_changed.connect(self._follow)
        session.document_changed.connect(self._edited)
        session.tokenizer_changed.connect(self._edited)

    # What is asked

    def set_active(self, active: bool) -> None:
        """Whether anybody looks."""
        self._active = active
        if active:
            self.refresh()
        else:
            self._soon.stop()
            self._later.stop()
            self._count_job.cancel()

    @property
    def token_index(self) -> int:
        """The token of the selection: its first, or the one at the caret; -1 for none."""
        session = self._session
        if not session.ready or not session.document.token_count:
            return -1
        document = session.document
        start, end = session.selection
        if self._kept(start, end):
            return self.facts.index if self.facts is not None else -1
        if start < end:
            window = document.window(start, end)
            return window.first_index if len(window) else -1
        return document.token_at(start) if start < document.complete_to or document.complete else -1

    def _kept(self, start: int, end: int) -> bool:
        """A token without bytes, chosen by `go`, has no selection of its own: it stays while the caret is there."""
        facts = self.facts
        return facts is not None and facts.start == facts.end == start == end and self._chosen == facts.index

    _chosen = -1

    @property
    def selected(self) -> int:
        """How many tokens the selection touches; 1 for a caret."""
        start, end = self._session.selection
        return len(self._session.document.window(start, end)) if start < end and self._session.ready else 1

    def go(self, token_index: int) -> None:
        """Select a token in the document."""
        session = self._session
        if not session.ready or not 0 <= token_index < session.document.token_count:
            return
        window = session.document.tokens(token_index, token_index + 1)
        start, end = int(window.starts[0]), int(window.ends[0])
        self._chosen = token_index
        if start == end:
            session.select(start, start)
            self.refresh(token_index)
        else:
            session.select(start, end)
            if self.facts is not None and self.facts.index != token_index:
                self.refresh(token_index)  # another token has the same bytes

    def step(self, by: int) -> None:
        """To the next token (1) or the one before (-1)."""
        if self.facts is not None:
            self.go(self.facts.index + by)

    def next_place(self, by: int) -> None:
        """To the next of the token's places in the document, or the one before; around its ends."""
        rows = self.occurrences
        if self.facts is None or not len(rows.indices):
            return
        at = int(np.searchsorted(rows.indices, self.facts.index, "left" if by < 0 else "right"))
        at = at - 1 if by < 0 else at
        self.go(int(rows.indices[at % len(rows.indices)]))

    # Following

    def _follow(self) -> None:
        if not self._active:
            return
        if self._session.jobs.synchronous:
            self.refresh()
        elif not self._soon.isActive():
            self._soon.start()

    def _edited(self) -> None:
        self._count_job.cancel()
        self.counted_id = None
        self._chosen = -1
        self._follow()

    def refresh(self, index: int | None = None) -> None:
        """Look at the token now. index: this one, where the selection does not say it."""
        from ..core.inspect_token import token_facts
        from ..core.inspect_token_why import explain

        index = self.token_index if index is None else index
        self.facts = self.why = None
        if index < 0:
            self._say_nothing()
        elif not self._ready():
            self.nothing = "Reading the vocabulary…"
        else:
            document = self._session.document
            try:
                self.facts, self.why = token_facts(document, index), explain(document, index)
                self.nothing = ""
            except IndexError:
                self._say_nothing()
        self.changed.emit()
        self._recount()

    def _say_nothing(self) -> None:
        session = self._session
        if not session.ready:
            self.nothing = "There is no tokenizer yet."
        elif not len(session):
            self.nothing = "Type or open a text, and put the caret on a token."
        elif not session.document.complete:
            self.nothing = "The text is not tokenized this far yet."
        else:
            self.nothing = "No token here."

    def _ready(self) -> bool:
        tokenizer = self._session.tokenizer
        if tokenizer in _prepared or len(tokenizer.vocabulary) <= LARGE:
            return True
        if not self._prepare_job.running:
            from ..core.inspect_token_why import prepare

            def done(_: object) -> None:
                _prepared.add(tokenizer)
                if self._active and tokenizer is self._session.tokenizer:
                    self.refresh()

            # A job that ends at once (tests) has called `done` before start() returns.
            self._prepare_job.start("Reading the vocabulary", in_thread(lambda: prepare(tokenizer)), done=done)
        return tokenizer in _prepared

    # The token's places

    @property
    def countable(self) -> bool:
        """Is the document small enough for its tokens to be counted without being asked?"""
        return self._session.ready and self._session.document.token_count <= AT_ONCE

    @property
    def counting(self) -> bool:
        return self._count_job.running

    def _recount(self) -> None:
        known = self.facts is not None and self.facts.id == self.counted_id
        if known:
            self.counted.emit()  # the same list; another of its rows
            return
        self._count_job.cancel()
        self.counted_id = None
        self.occurrences.set_indices(np.zeros(0, np.int64))
        self.counted.emit()
        if self.facts is None or not self.countable:
            return
        if self._session.jobs.synchronous:
            self.count()
        else:
            self._later.start()

    def _count_small(self) -> None:
        if self._active and self.countable:
            self.count()

    def count(self) -> None:
        """Find all places of the token."""
        if self.facts is None or not self._session.ready:
            return
        from ..core.inspect_token import occurrences

        token_id = self.facts.id

        def done(indices: Int64s) -> None:
            self.counted_id = token_id
            self.occurrences.set_indices(indices)
            self.counted.emit()

        self._count_job.start("Looking for the token", occurrences(self._session.document, token_id), done=done)
        self.counted.emit()
