"""Reopening is instant: tokenizers that were read once are kept as arrays in the user's cache folder.

    through("tiktoken", source, load=lambda: ..., freeze=stored.freeze_ranks, thaw=stored.thaw_ranks)

What is kept is found by the content's SHA-256, the format, the options and the versions of the program and of the
cache, so that a changed file is never answered by what it was. The SHA-256 of a file that has not changed (path, size,
both times, inode) is remembered too, which spares reading 33 MB; a file that changed in the last seconds is not
believed, because it might change again within one tick of the clock.

TOKENLOUPE_CACHE=off switches it off. Nothing here can fail: without a folder, or with a damaged one, files are parsed.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import orjson

from .. import __version__
from ..core.errors import InputError
from ..core.tokenizer import Tokenizer
from .cache_file import Stored, read, write
from .registry import Source

#: To be raised when what is stored, or how it is made, changes.
VERSION = 4
#: Files smaller than this are parsed faster than they are looked up.
SMALLEST = 1 << 18
#: What the folder may hold; the least recently used go first.
LARGEST = 512 << 20
#: Remembered SHA-256 of files.
MOST_KNOWN = 1000
#: A file that changed less than so many seconds ago is read again next time.
SETTLED = 4.0

T = TypeVar("T", bound=Tokenizer)


def folder() -> Path | None:
    """Where tokenizers are kept, None when the cache is switched off or cannot be made."""
    if os.environ.get("TOKENLOUPE_CACHE", "").lower() in ("off", "0", "no"):
        return None
    from platformdirs import user_cache_path

    asked = os.environ.get("XDG_CACHE_HOME", "")
    base = Path(asked) / "tokenloupe" if Path(asked).is_absolute() else user_cache_path("tokenloupe", appauthor=False)
    made = base / "tokenizers"
    try:
        made.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return made


def through(name: str, source: Source, *, load: Callable[[], T], freeze: Callable[[T], Stored | None],
            thaw: Callable[[Stored], T], options: Sequence[str] = (), small: bool = False,
            digest: Callable[[], str] | None = None) -> T:
    """The tokenizer out of the cache; where it is not there it is loaded and put there.

    options: all that the result depends on besides the file's bytes. small: also of a small file.
    digest: what to know the file by, if not the SHA-256 of all its bytes.
    freeze: what to keep, None when it cannot be. thaw: ValueError, KeyError, TypeError or IndexError when it is not
    what it should be; then the file is parsed anew.
    """
    place = folder()
    if place is None or not (small or _size(source) >= SMALLEST):
        return load()
    known = _digest(place, source, digest)
    key = "\n".join((name, known, __version__, str(VERSION), *options))
    path = place / f"{hashlib.sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()[:40]}.tokenizer"
    collecting = gc.isenabled()
    gc.disable()  # hundreds of thousands of strings at once: the collector would look at all of them again and again
    try:
        kept = read(path, key)
        if kept is not None:
            with contextlib.suppress(ValueError, KeyError, TypeError, IndexError, InputError):
                made = thaw(kept)
                with contextlib.suppress(OSError):
                    os.utime(path)
                return made
        made = load()
        kept = freeze(made)
        if kept is not None:
            # Of what JSON cannot say (half a surrogate pair in a name) nothing is kept.
            with contextlib.suppress(OSError, TypeError, ValueError):
                write(path, key, kept)
                prune(place)
        return made
    finally:
        if collecting:
            gc.enable()


def _size(source: Source) -> int:
    if source.path is None:
        return len(source.data)
    try:
        return source.path.stat().st_size
    except OSError:
        return 0


# -- the SHA-256 of files that have not changed ------------------------------------------------------------------


def _digest(place: Path, source: Source, make: Callable[[], str] | None) -> str:
    get = make or (lambda: source.sha256)
    if source.path is None:
        return get()
    try:
        before = _stamp(source.path)
    except OSError:
        return get()
    note = _note(place, source.path)
    known = _noted(note, before)
    if known is not None:
        if make is None:
            source.__dict__["sha256"] = known  # where the cached property keeps it
        return known
    digest = get()
    with contextlib.suppress(OSError):
        if _stamp(source.path) == before and time.time() - max(before[1], before[2]) / 1e9 > SETTLED:
            part = note.with_name(f"{note.name}.{os.getpid()}.part")
            part.write_bytes(orjson.dumps([before, digest]))
            part.replace(note)
    return digest


def is_new(path: Path) -> bool:
    """Would this file be parsed and then kept? False also when nothing is kept at all."""
    place = folder()
    return place is not None and _noted(_note(place, path), _stamp(path)) is None


def _note(place: Path, path: Path) -> Path:
    return place / f"{hashlib.sha256(os.fsencode(path.absolute())).hexdigest()[:40]}.known"


def _stamp(path: Path) -> list[int]:
    found = path.stat()
    return [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino, found.st_dev]


def _noted(note: Path, stamp: list[int]) -> str | None:
    try:
        seen, digest = orjson.loads(note.read_bytes())
    except (OSError, ValueError, TypeError):
        return None
    good = seen == stamp and isinstance(digest, str) and len(digest) == 64 and set(digest) <= set("0123456789abcdef")
    return digest if good else None


# -- bounds ------------------------------------------------------------------------------------------------------


def prune(place: Path, largest: int | None = None) -> None:
    """Delete the least recently used until the folder holds no more than it may. Others may delete at the same time."""
    kept: list[tuple[int, int, Path]] = []
    known: list[tuple[int, Path]] = []
    now = time.time()
    for path in place.iterdir():
        try:
            found = path.stat()
        except OSError:
            continue
        if path.suffix == ".tokenizer":
            kept.append((found.st_mtime_ns, found.st_size, path))
        elif path.suffix == ".known":
            known.append((found.st_mtime_ns, path))
        elif path.suffix == ".part" and now - found.st_mtime > 3600:  # of a process that died
            known.insert(0, (0, path))
    left = LARGEST if largest is None else largest
    gone = [path for when, path in sorted(known)[: max(0, len(known) - MOST_KNOWN)]]
    gone += [path for when, path in known if when == 0]
    for _, size, path in sorted(kept, reverse=True):
        left -= size
        if left < 0:
            gone.append(path)
    for path in gone:
        with contextlib.suppress(OSError):  # mapped by another process on Windows
            path.unlink(missing_ok=True)
