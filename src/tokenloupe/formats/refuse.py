"""Names a file that no format claims: what it is, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.errors import InputError

if TYPE_CHECKING:
    from .registry import Source


def refuse(source: Source) -> InputError:
    """The error for a file that is no tokenizer we know."""
    head = source.head
    if not head:
        return InputError("the file is empty", where="byte 0", todo="download it again")
    if head.startswith(b"version https://git-lfs"):
        return InputError("this is a Git LFS pointer, not the file itself", where="line 1", todo="run `git lfs pull` and open it again")
    if head.lstrip()[:15].lower().startswith((b"<!doctype html", b"<html")):
        return InputError("this is an HTML page, not a tokenizer", where="line 1", todo="the download was an error page: fetch the raw file")
    return InputError("no tokenizer format is recognised", where="the first bytes", todo="see the table of formats in the README")
