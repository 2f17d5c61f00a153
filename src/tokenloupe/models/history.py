"""Undo and redo as byte edits, with typing coalesced the way people expect: a word at a time.

    >>> h = History()
    >>> h.push(Edit(0, b"", b"h", "typing", (0, 0), (1, 1)))
    >>> h.push(Edit(1, b"", b"i", "typing", (1, 1), (2, 2)))
    >>> len(h.undo())  # one step: both letters
    1

An `Edit` says what was replaced by what; applying it backwards is undo. A *step* is what one Undo takes back: one edit,
a run of typing, or all edits of a group (Replace all).
"""

from __future__ import annotations

from dataclasses import dataclass

#: Text kept for undo, in bytes. The oldest steps go first; the newest is always kept, however large.
KEPT = 128 << 20


@dataclass(frozen=True, slots=True)
class Edit:
    """removed at byte_pos became inserted. before/after: (anchor, caret) byte positions around it."""

    byte_pos: int
    removed: bytes
    inserted: bytes
    kind: str
    before: tuple[int, int]
    after: tuple[int, int]

    def reversed(self) -> Edit:
        return Edit(self.byte_pos, self.inserted, self.removed, self.kind, self.after, self.before)


class History:
    """A list of steps and a place in it. `changed` is False only at the place that was last marked as saved."""

    def __init__(self) -> None:
        self._steps: list[list[Edit]] = []
        self._at = 0
        self._saved: int | None = 0
        self._weight = 0
        self._open = False  # may the last step still grow?
        self._group = 0

    @property
    def can_undo(self) -> bool:
        return self._at > 0

    @property
    def can_redo(self) -> bool:
        return self._at < len(self._steps)

    @property
    def changed(self) -> bool:
        return self._saved != self._at

    def push(self, edit: Edit) -> None:
        """Remember an edit that was just made; what had been undone is gone."""
        for step in self._steps[self._at :]:
            self._weight -= _weight(step)
        del self._steps[self._at :]
        if self._saved is not None and self._saved > self._at:
            self._saved = None  # the saved text lay in what was undone and cannot be reached any more
        self._weight += len(edit.removed) + len(edit.inserted)
        if self._group > 1 or (self._open and self._group == 0 and _joins(self._steps[-1], edit)):
            step = self._steps[-1]
            merged = _merged(step[-1], edit)
            if merged is not None:
                step[-1] = merged
            else:
                step.append(edit)
        else:
            self._steps.append([edit])
            self._at += 1
        if self._group:
            self._group = 2
        self._open = True
        self._trim()

    def seal(self) -> None:
        """The next edit begins a step of its own (the caret was moved, a file was saved)."""
        self._open = False

    def begin_group(self) -> None:
        """All edits until end_group() are one step."""
        self.seal()
        self._group = 1

    def end_group(self) -> None:
        self._group = 0
        self.seal()

    def mark_saved(self) -> None:
        self.seal()
        self._saved = self._at

    def undo(self) -> list[Edit]:
        """The edits to apply, in this order, to take the last step back; [] when there is none."""
        self.seal()
        if not self.can_undo:
            return []
        self._at -= 1
        return [edit.reversed() for edit in reversed(self._steps[self._at])]

    def redo(self) -> list[Edit]:
        self.seal()
        if not self.can_redo:
            return []
        self._at += 1
        return list(self._steps[self._at - 1])

    def _trim(self) -> None:
        while self._weight > KEPT and self._at > 1:
            self._weight -= _weight(self._steps.pop(0))
            self._at -= 1
            self._saved = None if not self._saved else self._saved - 1


def _weight(step: list[Edit]) -> int:
    return sum(len(e.removed) + len(e.inserted) for e in step)


def _joins(step: list[Edit], new: Edit) -> bool:
    """Does an edit belong to the run of typing or deleting before it?"""
    old = step[-1]
    if len(step) > 1 or old.kind != new.kind or new.before != old.after:
        return False
    if new.kind == "typing":
        if new.removed or new.byte_pos != old.byte_pos + len(old.inserted) or old.inserted.endswith((b"\n", b"\r")):
            return False
        # A word with the spaces after it is a step: it ends where a letter follows a space.
        return not (old.inserted[-1:].isspace() and not new.inserted[:1].isspace())
    if new.kind == "backspace":
        return not new.inserted and not old.inserted and new.byte_pos + len(new.removed) == old.byte_pos
    if new.kind == "ime":  # what was composed in place of a selection, which went when composing began
        return not old.inserted and not new.removed and new.byte_pos == old.byte_pos
    if new.kind == "delete":
        return not new.inserted and not old.inserted and new.byte_pos == old.byte_pos
    return False


def _merged(old: Edit, new: Edit) -> Edit | None:
    """Two edits as one where they touch and nothing of the first was removed by the second."""
    if not new.removed and new.byte_pos == old.byte_pos + len(old.inserted):
        return Edit(old.byte_pos, old.removed, old.inserted + new.inserted, old.kind, old.before, new.after)
    if not old.inserted and not new.inserted:
        if new.byte_pos + len(new.removed) == old.byte_pos:
            return Edit(new.byte_pos, new.removed + old.removed, b"", old.kind, old.before, new.after)
        if new.byte_pos == old.byte_pos:
            return Edit(old.byte_pos, old.removed + new.removed, b"", old.kind, old.before, new.after)
    return None
