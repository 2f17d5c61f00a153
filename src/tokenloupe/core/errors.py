"""The one exception for what a user can cause: what is wrong, where, and what to do about it.

    raise InputError("the rank is not a number", where="line 17", todo="check that the download is complete")
    # -> "the rank is not a number, line 17; check that the download is complete"

Everything above the core shows `str(error)` as it stands: one sentence, never a traceback. A name out of a damaged file
may hold anything, so the sentence is kept to one line of bounded length here, once.
"""

from __future__ import annotations

#: Characters of each part that are shown; more than a screen line of a key's name helps nobody.
LONGEST = 300


class InputError(Exception):
    """An input (file, text, number, pattern) that cannot be used.

    what:  what is wrong, in one clause without a full stop.
    where: file, line, byte offset or key ("" when there is no place to name).
    todo:  what the user can do ("" when there is nothing to advise).
    """

    def __init__(self, what: str, *, where: str = "", todo: str = "") -> None:
        self.what, self.where, self.todo = one_line(what), one_line(where), one_line(todo)
        super().__init__(
            self.what + (f", {self.where}" if self.where else "") + (f"; {self.todo}" if self.todo else "")
        )


class StageError(InputError):
    """A tokenizer's file that is in order up to a stage that cannot be run; its vocabulary alone can be opened."""


def one_line(text: str) -> str:
    """Text on one line: what cannot be printed is escaped, the middle of an overlong one is left out.

    >>> one_line("key \\n")
    'key \\\\n'
    """
    if len(text) > LONGEST:
        text = f"{text[: LONGEST * 2 // 3]} … {text[-LONGEST // 3 :]}"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
