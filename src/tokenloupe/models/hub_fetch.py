"""Fetching from the hub as the steps of a job: the thread does the waiting, the main loop shows how far it is.

    jobs.start("Fetching ann/words", fetch_steps(HubName.parse("ann/words")), done=open_it, progress=bar)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..formats.hub import HubName, Watch, fetch
from .jobs import in_thread


def fetch_steps(name: HubName) -> Iterator[Any]:
    """Yields progress 0..1 and at last the Path to open. Closed early (the job was cancelled), it stops the thread at
    the next block."""
    watch = Watch()
    try:
        for value in in_thread(lambda: fetch(name, watch)):
            yield watch.fraction if value is None else value
    finally:
        watch.cancel()
