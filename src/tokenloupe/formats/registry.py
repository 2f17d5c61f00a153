"""What a format is, and opening a file by its content."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from ..core.errors import InputError
from ..core.tokenizer import Tokenizer

#: A tokenizer file larger than this is refused unread: the largest real one (a 500k-entry tokenizer.json) is 40 MB.
#: GGUF files are memory-mapped by their format and not held to it.
LARGEST = 1 << 30


@dataclass(frozen=True)
class Source:
    """A file to open: its path ("" for bytes from elsewhere), a display name, and its bytes, read when first asked for.

    head: the first 4,096 bytes, enough to sniff. data: everything. sha256: of everything, hex.
    """

    path: Path | None
    name: str
    _data: bytes | None = field(default=None, repr=False)

    @cached_property
    def head(self) -> bytes:
        if self._data is not None:
            return self._data[:4096]
        assert self.path is not None
        with self.path.open("rb") as file:
            return file.read(4096)

    @cached_property
    def data(self) -> bytes:
        if self._data is not None:
            return self._data
        assert self.path is not None
        size = self.path.stat().st_size
        if size > LARGEST:
            raise InputError(
                f"{size:,} bytes are too many for a tokenizer file",
                where=self.name,
                todo="open the tokenizer file itself, not the model's weights",
            )
        return self.path.read_bytes()

    @cached_property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    def beside(self, *names: str) -> Path | None:
        """A file of one of these names in the same folder, or None."""
        if self.path is None:
            return None
        return next((p for n in names if (p := self.path.parent / n).is_file()), None)


@dataclass(frozen=True, slots=True)
class Format:
    """One format.

    name: as shown ("tokenizer.json"). sniff(source) -> 0 no .. 100 certain, from source.head (data only if needed).

    load(source, options) -> Tokenizer; raises InputError. options: {"pattern": name or regex} and format-specific keys.
    suffixes: for file dialogs and associations only.
    """

    name: str
    description: str
    suffixes: tuple[str, ...]
    sniff: Callable[[Source], int]
    load: Callable[[Source, dict[str, str]], Tokenizer]


def open_tokenizer(path: str | Path, **options: str) -> Tokenizer:
    """Open a tokenizer file or folder. InputError names what is wrong with it, where, and what to do."""
    target = Path(path)
    try:
        if target.is_dir():
            target = _main_file(target)
        if target.exists() and not target.is_file():  # a pipe or device, which opening might wait for without end
            raise InputError("this is neither a file nor a folder", where=target.name,
                             todo="save its contents to a file and open that")
        with target.open("rb"):
            pass
        return open_source(Source(target, target.name), options)
    except (OSError, ValueError) as error:  # ValueError: a zero character in the name
        if isinstance(error, ValueError) and "\0" not in str(path):
            raise
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot be read ({reason})", todo="check the path and its permissions") from error


def open_bytes(data: bytes, name: str = "bytes", **options: str) -> Tokenizer:
    """Open a tokenizer from bytes already in memory."""
    return open_source(Source(None, name, data), options)


def open_source(source: Source, options: dict[str, str]) -> Tokenizer:
    """The format that claims the source loads it; of a gzip or zip, what is inside."""
    from . import formats
    from .refuse import DEEPEST, certain, is_archive, refuse, unpack

    for _ in range(DEEPEST):
        if is_archive(source):
            source = unpack(source)
    ranked = sorted(((f.sniff(source), -i, f) for i, f in enumerate(formats())), key=lambda x: x[:2], reverse=True)
    if not ranked or ranked[0][0] <= 0:
        raise refuse(source)
    if ranked[0][0] < SURE and (error := certain(source)) is not None:
        raise error
    return ranked[0][2].load(source, options)


#: A sniff below this is a guess, and yields to a file that says it is something else.
SURE = 60

#: What a folder is opened by, best first.
MAIN_FILES = ("tokenizer.json", "tekken.json", "tokenizer.model", "vocab.json", "encoder.json", "vocab.txt")


def _main_file(folder: Path) -> Path:
    for name in MAIN_FILES:
        if (folder / name).is_file():
            return folder / name
    raise InputError(
        "no tokenizer file in this folder", where=folder.name, todo=f"expected one of {', '.join(MAIN_FILES)}"
    )
