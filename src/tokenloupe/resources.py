"""Where resources/ is: a source checkout, an installed wheel, or a frozen bundle.

    >>> path("vocabularies", "o200k_base.tiktoken.xz")
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

from .core.errors import InputError


@cache
def root() -> Path:
    """The resources folder. InputError when the installation has none (a damaged install)."""
    here = Path(__file__).resolve().parent
    bundle = getattr(sys, "_MEIPASS", None)
    candidates = [here / "_resources", here.parent.parent / "resources"]
    if bundle:
        candidates.insert(0, Path(bundle) / "resources")
    for folder in candidates:
        if folder.is_dir():
            return folder
    raise InputError("the program's own data files are missing", where=str(here), todo="install Tokenloupe again")


def path(*parts: str) -> Path:
    """A file under resources/. InputError when it is not there."""
    file = root().joinpath(*parts)
    if not file.exists():
        raise InputError(f"{'/'.join(parts)} is missing from this installation", todo="install Tokenloupe again")
    return file
