"""Finding and replacing in the editor: what the find bar, menus and F3 call.

A mixin of EditorView. A query that cannot be answered (a pattern that takes too long) is told in the bar; the text and
the selection stay. Replace all is one edit, so one Undo takes it back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.errors import InputError
from ..core.wording import count_of

if TYPE_CHECKING:
    from .editor import EditorView as _View
else:
    _View = object


class Finding:
    @property
    def find_bar_shown(self: _View) -> bool:
        return not self.find_bar.isHidden()

    def show_find(self: _View) -> None:
        self._open_find(False)

    def show_replace(self: _View) -> None:
        self._open_find(not self.read_only)

    def _open_find(self: _View, replaces: bool) -> None:
        low, high = self.session.selection
        chosen = self.bytes(low, high).decode("utf-8", "replace") if 0 < high - low <= 200 else ""
        if "\n" in chosen or "\ufffd" in chosen or self.find_bar.mode.currentIndex() != 0:
            chosen = ""
        self.find_bar.open(chosen, replaces)
        self.find_bar_resized()

    def find_bar_resized(self: _View) -> None:
        self.find_bar.fit(self.width())
        self.setViewportMargins(0, self.find_bar.sizeHint().height() if self.find_bar_shown else 0, 0, 0)
        self._resized()

    def hide_find(self: _View) -> None:
        self.find_bar.hide()
        self.find_bar_resized()
        self.setFocus()

    def matches_in(self: _View, start: int, end: int) -> list[tuple[int, int]]:
        """Matches of the find bar that touch a stretch of the text."""
        query = self.find_bar.query
        if query is None or not self.find_bar_shown:
            return []
        return query.near(self.bytes, start, end)

    def find_next(self: _View) -> None:
        self._find(True)

    def find_previous(self: _View) -> None:
        self._find(False)

    def _find(self: _View, forward: bool) -> None:
        query = self.find_bar.query
        if query is None:
            self.show_find()
            return
        low, high = self.session.selection
        data = self.session.data
        try:
            found = query.next(data, high if high > low else low) if forward else query.previous(data, low)
        except InputError as error:
            self.find_bar.tell(str(error))
            return
        if found is None:
            self.session.message.emit("No match")
        else:
            if (found[0] < low) if forward else (found[0] > low):
                self.session.message.emit("The search went on from the " + ("start" if forward else "end"))
            self.select(*found)
        self.find_bar.recount()

    def replace_next(self: _View, by: str) -> None:
        """The selected match becomes `by`, and the next one is selected; without a selected match, that alone."""
        query, (low, high) = self.find_bar.query, self.session.selection
        if query is None or self.read_only:
            return
        try:
            found = query.next(self.session.data, low)
            if low < high and found == (low, high):
                self.replace(low, high, query.replacement(self.session.data, low, high, by), "replace")
        except InputError as error:
            self.find_bar.tell(str(error))
            return
        self._find(True)

    def replace_all(self: _View, by: str) -> None:
        query = self.find_bar.query
        if query is None or self.read_only:
            return
        try:
            start, end, data, count = query.replace_all(self.session.data, by)
        except InputError as error:
            self.find_bar.tell(str(error))
            return
        if count:
            self.replace(start, end, data, "replace")
        self.session.message.emit(f"{count_of(count, 'match', 'matches')} replaced" if count else "No match")
