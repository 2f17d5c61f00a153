"""A text file on disk: its bytes as they are, and whether another program has changed it since.

    data, stamp = read_text(Path("a.txt"))       # InputError: a pipe, a folder, too large, not readable
    stamp_of(Path("a.txt")) == stamp             # still the file that was read

A path may be anything that somebody dropped or that stood in a damaged settings file: too long, with a zero in it, a
loop of links, a pipe that never ends. Each is one sentence, and nothing waits.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from ..core.errors import InputError

#: A larger file is not opened as a text: it would not fit into memory several times.
LARGEST_TEXT = 512 << 20
#: (inode, size in bytes, time of the last change in ns)
Stamp = tuple[int, int, int]

_UTF16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


def read_text(path: Path) -> tuple[bytes, Stamp]:
    """(bytes, stamp) of a file. InputError when it is none, cannot be read or is too large."""
    try:
        refuse_special(path)
        with path.open("rb") as file:
            told = os.fstat(file.fileno())
            # One byte more than allowed: the size that a file tells (of /proc: 0) need not be what it holds.
            data = file.read(LARGEST_TEXT + 1) if told.st_size <= LARGEST_TEXT else b""
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from error
    size = max(told.st_size, len(data))
    if size > LARGEST_TEXT:
        raise InputError(f"{size:,} bytes are too many for a text", where=path.name,
                         todo=f"files up to {LARGEST_TEXT >> 20} MiB are shown")
    return data, _stamp(told)


def refuse_special(path: Path) -> None:
    """InputError for a pipe, socket or device: opening it might wait, and reading it never end. OSError, ValueError:
    there is nothing at the path, or it is no path at all."""
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise InputError("this is neither a file nor a folder", where=path.name,
                         todo="save its contents to a file and open that")


def stamp_of(path: Path) -> Stamp | None:
    """None when there is no such file."""
    try:
        return _stamp(path.stat())
    except (OSError, ValueError):
        return None


def as_stamp(value: object) -> Stamp | None:
    """A stamp as JSON gives it back; None when it is none."""
    if isinstance(value, list) and len(value) == 3 and all(type(part) is int for part in value):
        return value[0], value[1], value[2]
    return None


def unreadable(path: Path, error: OSError | ValueError) -> InputError:
    reason = getattr(error, "strerror", None) or error
    return InputError(f"{shown_name(path)} cannot be read ({reason})", todo="check the path and its permissions")


def shown_name(path: Path) -> str:
    """The last part of a path, at a length that a sentence can have."""
    name = path.name or str(path)
    return name if len(name) <= 80 else name[:79] + "…"


def full_path(path: str | Path) -> str:
    """The path from the root, without links; as it is when that cannot be worked out (a zero in it, a loop)."""
    try:
        return str(Path(path).resolve())
    except (OSError, ValueError, RuntimeError):
        return str(path)


def from_utf16(data: bytes) -> bytes | None:
    """The same text in UTF-8, with its byte order mark; None when the bytes do not begin with a mark of UTF-16, or are
    half a unit too long. A lone surrogate stays one."""
    encoding = _UTF16.get(data[:2])
    if encoding is None or len(data) % 2 or data[:4] == b"\xff\xfe\0\0":  # that is UTF-32
        return None
    return data.decode(encoding, "surrogatepass").encode("utf-8", "surrogatepass")


def _stamp(told: os.stat_result) -> Stamp:
    return told.st_ino, told.st_size, told.st_mtime_ns
