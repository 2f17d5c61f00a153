"""The one exception for what a user can cause: what is wrong, where, and what to do about it.

    raise InputError("the rank is not a number", where="line 17", todo="check that the download is complete")
    # -> "the rank is not a number, line 17; check that the download is complete"

Everything above the core shows `str(error)` as it stands: one sentence, never a traceback.
"""

from __future__ import annotations


class InputError(Exception):
    """An input (file, text, number, pattern) that cannot be used.

    what:  what is wrong, in one clause without a full stop.
    where: file, line, byte offset or key ("" when there is no place to name).
    todo:  what the user can do ("" when there is nothing to advise).
    """

    def __init__(self, what: str, *, where: str = "", todo: str = "") -> None:
        self.what, self.where, self.todo = what, where, todo
        super().__init__(what + (f", {where}" if where else "") + (f"; {todo}" if todo else ""))
