"""The vocabulary in use and the entry that is looked at: what browser, merge table and lineage share.

    desk = VocabularyDesk.of(session)               # one a session, made when the first panel asks
    desk.choose(995)                                # an id: all three show it; current_changed()
    desk.list_ids([5, 7, 9], "never valid UTF-8")   # the browser shows these entries and says what they are
    desk.find_in_document(995)                      # selects the next place of the token in the text

views/vocabulary_go.py does the same and brings the panel to the front. What takes long (the merges that a rank file
does not hold, which merges can never fire) is made in slices when a view asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from .census_index import index_of
from .jobs import Latest
from .session import Session

if TYPE_CHECKING:
    from ..core.lineage import Lineage
    from ..core.lineage_merges import MergeIndex
    from ..core.query import VocabularyIndex
    from ..core.vocabulary import Int64s

#: Tokens of the text that are looked at in one slice.
TOKENS = 1 << 16
#: Entries that one can go back to.
HISTORY = 100


@dataclass(frozen=True, slots=True)
class Listing:
    """Entries that somebody wants to be seen: rows of the index, int64, in the order they are shown in; and a name."""

    rows: Int64s
    label: str


class VocabularyDesk(QObject):
    """index_changed(): another vocabulary. current_changed(bool): another entry; True when somebody asked to see it
    (filters that hide it have to go), False when it only follows the text. listing_changed(), merges_asked(): other
    entries, or merges, are to be listed, or all again. prepared(): searches have all they need. merges_changed():
    `lineage` knows its merges now. firing_changed(): and which of them never fire.
    """

    index_changed = Signal()
    current_changed = Signal(bool)
    listing_changed = Signal()
    merges_asked = Signal()
    prepared = Signal()
    merges_changed = Signal()
    firing_changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.session = session
        self.index: VocabularyIndex | None = None
        self.lineage: Lineage | None = None
        #: The id that is looked at, None at first.
        self.current: int | None = None
        #: What the browser is to show; None for all entries.
        self.listing: Listing | None = None
        #: The token whose merges the merge table is to show; None for all.
        self.merges_of: int | None = None
        #: Whether searches have what they need.
        self.ready = False
        #: Whether merges are known (there may be none), and which of them never fire.
        self.merges_ready = self.firing_ready = False
        self._prepare, self._merges, self._find = (Latest(session.jobs) for _ in range(3))
        self._want_firing = False
        self._table: MergeIndex | None = None
        self._behind: list[int] = []
        self._ahead: list[int] = []
        session.tokenizer_changed.connect(self._renew)
        self._renew()

    @classmethod
    def of(cls, session: Session) -> VocabularyDesk:
        """The desk of a session."""
        found = session.findChild(cls)
        return cls(session) if found is None else found

    # What is looked at

    def choose(self, token_id: int, reveal: bool = True) -> bool:
        """Look at an entry; False when the vocabulary has none of this id. reveal: somebody asked to see it."""
        if self.index is None or token_id not in self.index.vocabulary:
            return False
        if token_id != self.current:
            if self.current is not None:
                self._behind = [*self._behind[-HISTORY:], self.current]
                self._ahead = []
            self.current = token_id
            self.current_changed.emit(reveal)
        elif reveal:
            self.current_changed.emit(True)
        return True

    def back(self) -> None:
        """The entry that was looked at before."""
        self._turn(self._behind, self._ahead)

    def forward(self) -> None:
        self._turn(self._ahead, self._behind)

    @property
    def can_go(self) -> tuple[bool, bool]:
        """Whether there is an entry to go back to, and one to go forward to."""
        return bool(self._behind), bool(self._ahead)

    def _turn(self, source: list[int], target: list[int]) -> None:
        if source and self.current is not None:
            target.append(self.current)
            self.current = source.pop()
            self.current_changed.emit(True)

    def list_rows(self, rows: Int64s, label: str) -> None:
        """The browser is to show these rows of `index`, in this order. label: what they are, for the line above."""
        self.listing = Listing(rows, label)
        self.listing_changed.emit()

    def list_ids(self, ids: Iterable[int], label: str) -> None:
        """The same by ids; those that nobody has are left out."""
        import numpy as np

        if self.index is not None:
            row_of = self.index.vocabulary.row_of
            rows = [row for i in ids if (row := row_of(int(i))) is not None]
            self.list_rows(np.array(rows, np.int64), label)

    def list_all(self) -> None:
        if self.listing is not None:
            self.listing = None
            self.listing_changed.emit()

    def ask_merges(self, token_id: int | None) -> None:
        """The merge table is to show the merges that make or use a token; None for all merges."""
        self.merges_of = token_id
        self.merges_asked.emit()

    # What is made in slices

    def prepare(self) -> None:
        """Make what searches need, so that no keystroke waits for it."""
        if self.index is not None and not self.ready and not self._prepare.running:
            self._prepare.start("Preparing the search", self.index.prepare(), done=self._prepared)

    def _prepared(self, _: object) -> None:
        self.ready = True
        self.prepared.emit()

    def want_merges(self, firing: bool = False) -> None:
        """Find the merges of the vocabulary (and those that never fire): merges_changed(), firing_changed()."""
        self._want_firing |= firing
        if self.index is None or (self._merges.running and not firing):
            return
        if not self.merges_ready or (firing and not self.firing_ready):
            self._merges.start("Working out merges", self._merge_steps(self.index))

    def _merge_steps(self, index: VocabularyIndex) -> Iterator[Any]:
        if not self.merges_ready:
            yield from index.parts.steps()
            self.merges_ready = True
            self.merges_changed.emit()
            yield None
        if self._want_firing and not self.firing_ready and self.lineage is not None:
            yield from self.lineage.prepare()
            self.firing_ready = True
            self.firing_changed.emit()

    @property
    def merge_table(self) -> MergeIndex | None:
        """The merges as a table, one for all views; None before they are known."""
        if self._table is None and self.lineage is not None and self.merges_ready:
            from ..core.lineage_merges import MergeIndex

            self._table = MergeIndex(self.lineage)
        return self._table

    # The text

    def token_of_selection(self) -> int | None:
        """The id of the token at the start of the selection, or at the caret."""
        session = self.session
        if not session.ready or not session.document.token_count:
            return None
        start, _ = session.selection
        index = session.document.token_at(min(start, max(len(session) - 1, 0)))
        if index < 0:
            return None
        window = session.document.tokens(index, index + 1)
        return int(window.ids[0]) if len(window) else None

    def find_in_document(
        self, token_id: int, backwards: bool = False, then: Callable[[], object] | None = None,
    ) -> None:
        """Select the next place of a token in the text, from the selection on and around the end. then: called when
        there is one."""
        def done(place: tuple[int, ...]) -> None:
            self._found(place)
            if place and then is not None:
                then()

        if self.session.ready:
            self._find.start("Looking for the token", self._find_steps(token_id, backwards), done=done)

    def _find_steps(self, token_id: int, backwards: bool) -> Iterator[Any]:
        """Yields progress; at last (byte_start, byte_end, place, how many places), or ()."""
        import numpy as np

        document = self.session.document
        total, found = document.token_count, []
        for first in range(0, total, TOKENS):
            window = document.tokens(first, min(first + TOKENS, total))
            found.append(window.first_index + np.flatnonzero(window.ids == token_id))
            yield min(1.0, (first + TOKENS) / total)
        places = np.concatenate(found) if found else np.zeros(0, np.int64)
        if not len(places):
            yield ()
            return
        start, end = self.session.selection
        here = document.token_at(start) if start < len(self.session) else total
        if backwards:
            which = int(np.searchsorted(places, here)) - 1
        else:
            under = document.tokens(here, here + 1) if 0 <= here < total else None
            on_it = under is not None and len(under) == 1 and (start, end) == (
                int(under.starts[0]), int(under.ends[0])) and start < end
            which = int(np.searchsorted(places, here, "right" if on_it else "left"))
        which %= len(places)
        one = document.tokens(int(places[which]), int(places[which]) + 1)
        yield int(one.starts[0]), int(one.ends[0]), which + 1, len(places)

    def _found(self, place: tuple[int, ...]) -> None:
        if not place:
            self.session.message.emit("The text does not have this token")
            return
        start, end, which, total = place
        self.session.select(start, end)
        self.session.message.emit(f"Place {which:,} of {total:,} in the text")

    # Inside

    def _renew(self) -> None:
        if not self.session.ready:
            return
        index = index_of(self.session)
        if index is self.index:
            return  # another mode of special tokens
        from ..core.lineage import Lineage

        for job in (self._prepare, self._merges, self._find):
            job.cancel()
        self.index, self.lineage = index, Lineage(index)
        self.ready = self.merges_ready = self.firing_ready = self._want_firing = False
        self.listing = self.merges_of = self._table = None
        self.current = None  # an id means another token now
        self._behind, self._ahead = [], []
        self.index_changed.emit()
        self.current_changed.emit(False)
