"""Opening a tokenizer while the window stays alive: what was read before comes from the cache, in a thread; a large
file that was not is first read by a process of its own, which leaves it in the cache.

    jobs.start("Opening", opening("/models/tokenizer.json"), done=session.set_tokenizer)

Why a process: parsing 33 MB of JSON is one call that holds the interpreter lock for two seconds, in whatever thread.
The cache's arrays are mapped, and no call that makes tables of them takes more than 20 ms. Cancelling ends the process.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..models.jobs import SLICE, in_thread

if TYPE_CHECKING:
    from ..core.tokenizer import Tokenizer

#: A smaller file is parsed in a tenth of a second or less.
LARGE = 2 << 20


def opening(name: str, **options: str) -> Iterator[Any]:
    """Steps of a job whose result is the tokenizer of that name or path. Its InputError is the job's. options: see
    api.load."""
    from ..api import load

    if not options and _slow(Path(name)):
        yield from _read_beside(name)
    yield from in_thread(lambda: _ready(load(name, **options)))


def _ready(tokenizer: Tokenizer) -> Tokenizer:
    """With the tables that the first text needs: made here they cost the window nothing."""
    from ..core.document_normal import inside

    engine = inside(tokenizer)
    if engine is not None:
        engine.engine.merger  # noqa: B018 (made when first asked for)
    return tokenizer


def _slow(path: Path) -> bool:
    """Would reading it stop the window for long?"""
    from ..formats import cache
    from ..formats.registry import MAIN_FILES

    try:
        if path.is_dir():
            path = next((path / n for n in MAIN_FILES if (path / n).is_file()), path)
        return path.is_file() and path.stat().st_size >= LARGE and cache.is_new(path)
    except (OSError, ValueError):
        return False


def _read_beside(name: str) -> Iterator[None]:
    """Let a process of our own open the file, for the sake of the cache. What is wrong with it is told afterwards, when
    this process opens it."""
    program = [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-P", "-m", "tokenloupe"]
    try:
        child = subprocess.Popen([*program, "encode", f"--tokenizer={name}", "--hex", ""], stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                 creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0))
    except OSError:
        return
    try:
        while True:
            try:
                child.wait(SLICE)
                return
            except subprocess.TimeoutExpired:
                yield None
    finally:
        if child.poll() is None:
            child.kill()
            child.wait()
