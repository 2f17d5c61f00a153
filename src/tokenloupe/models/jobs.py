"""Jobs: the only door to work that does not end at once, so that the window never stops answering.

A pure-Python worker thread holds the interpreter lock and doubles paint times. So long core work is a *generator* that
works for about 8 ms between its yields, and the main loop runs one slice whenever it has nothing better to do:

    job = jobs.start("Tokenizing", document.fill(), done=show, progress=bar.setValue)
    job.cancel()

A yielded float is progress 0..1; any other yielded value is the result so far (the last one goes to `done`), and so is
the generator's return value when it has one. Only what lets go of the interpreter lock (a file being written) may run
in a thread, through `Writer`; what cannot be cut runs in one through `in_thread()`.

In tests `Jobs(synchronous=True)`, or `synchronous(True)` for every one made later, runs a job to its end in start().
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from ..core.errors import InputError

#: How long the main loop may be kept busy before it looks for events again, in seconds.
SLICE = 0.008

_synchronous = False


def synchronous(on: bool) -> None:
    """Whether every Jobs made from now on runs its jobs at once, to the end (tests, pictures)."""
    global _synchronous
    _synchronous = on


class Job:
    """One piece of sliced work. `fraction` is its progress, 0..1; `seconds` how long ago it was started."""

    def __init__(self, jobs: Jobs, label: str, steps: Iterator[Any], done: Callable[[Any], object] | None,
                 progress: Callable[[float], object] | None, failed: Callable[[str], object] | None,
                 cancelled: Callable[[], object] | None, faulted: Callable[[], object] | None) -> None:
        self.label = label
        self.fraction = 0.0
        self.running = True
        self.result: Any = None
        self._inside = False  # is the generator running at this moment?
        self._jobs, self._steps = jobs, steps
        self._done, self._progress, self._failed, self._cancelled = done, progress, failed, cancelled
        self._faulted = faulted
        self._began = time.monotonic()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    def cancel(self) -> None:
        """Stop: `cancelled` is called, neither `done` nor `failed`. Nothing happens when it has ended."""
        if self.running:
            self._end()
            close = getattr(self._steps, "close", None)
            if close is not None and not self._inside:
                close()
            if self._cancelled is not None:
                self._cancelled()

    def _step(self) -> None:
        """One slice of work. A fault of the program ends the job and goes on to whoever reports those."""
        try:
            self._slice()
        except BaseException:
            if self.running:
                self._end()
            if self._faulted is not None:
                self._faulted()
            raise

    def _slice(self) -> None:
        self._inside = True
        try:
            value = next(self._steps)
        except StopIteration as stop:
            if stop.value is not None:
                self.result = stop.value
            if self.running:
                self.fraction = 1.0
                self._end()
                if self._done is not None:
                    self._done(self.result)
            return
        except InputError as error:
            self._end()
            (self._failed or self._jobs.failed.emit)(str(error))
            return
        finally:
            self._inside = False
        if not self.running:  # cancelled by something the slice itself set off: it could not be closed then
            close = getattr(self._steps, "close", None)
            if close is not None:
                close()
            return
        if isinstance(value, float):
            self.fraction = min(max(value, 0.0), 1.0)
            if self._progress is not None:
                self._progress(self.fraction)
            self._jobs.progressed.emit(self)
        elif value is not None:
            self.result = value

    def _end(self) -> None:
        self.running = False
        self._jobs._forget(self)


class Jobs(QObject):
    """The jobs of one window. started(Job), progressed(Job), ended(Job) (also when cancelled), failed(str)."""

    started = Signal(object)
    progressed = Signal(object)
    ended = Signal(object)
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None, *, synchronous: bool | None = None) -> None:
        super().__init__(parent)
        self.synchronous = _synchronous if synchronous is None else synchronous
        self._active: list[Job] = []
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._turn)

    @property
    def active(self) -> tuple[Job, ...]:
        return tuple(self._active)

    def start(self, label: str, steps: Iterator[Any], *, done: Callable[[Any], object] | None = None,
              progress: Callable[[float], object] | None = None,
              failed: Callable[[str], object] | None = None,
              cancelled: Callable[[], object] | None = None,
              faulted: Callable[[], object] | None = None) -> Job:
        """Run a generator in slices. label: what a person reads beside the progress bar ("Tokenizing").

        failed: called with the sentence of an InputError; without it the signal `failed` is sent. faulted: called when
        the work (or `done`) raises anything else, which is a fault of the program and is raised on afterwards.
        """
        job = Job(self, label, steps, done, progress, failed, cancelled, faulted)
        self._active.append(job)
        self.started.emit(job)
        if self.synchronous:
            while job.running:
                job._step()
        elif not self._timer.isActive():
            self._timer.start()
        return job

    def cancel_all(self) -> None:
        for job in self.active:
            job.cancel()

    def _turn(self) -> None:
        """About SLICE seconds of work, shared fairly, then back to the events."""
        end = time.perf_counter() + SLICE
        while self._active:
            job = self._active.pop(0)
            self._active.append(job)
            job._step()
            if time.perf_counter() >= end:
                return

    def _forget(self, job: Job) -> None:
        if job in self._active:
            self._active.remove(job)
        if not self._active:
            self._timer.stop()
        self.ended.emit(job)


def in_thread(run: Callable[[], Any]) -> Iterator[Any]:
    """Work that cannot be cut into slices (opening a 30 MB tokenizer), as the steps of a job.

    The window stays alive, if slower. `run` must touch nothing that the main loop touches. Its InputError is the job's.

        jobs.start("Opening", in_thread(lambda: load(path)), done=session.set_tokenizer)
    """
    pool = ThreadPoolExecutor(1, thread_name_prefix="tokenloupe-job")
    future = pool.submit(run)
    pool.shutdown(wait=False)
    while not future.done():
        wait([future], timeout=SLICE)
        yield None
    yield future.result()


class Latest:
    """A job of which only the newest matters: starting the next cancels the one before.

        self._search = Latest(session.jobs)
        self._search.start("Searching", query.steps(), done=self._show)
    """

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._job: Job | None = None
        self.generation = 0

    def start(self, label: str, steps: Iterator[Any], **callbacks: Any) -> Job:
        self.cancel()
        self.generation += 1
        self._job = self._jobs.start(label, steps, **callbacks)
        return self._job

    def cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None

    @property
    def running(self) -> bool:
        return self._job is not None and self._job.running


class Writer(QObject):
    """One thing at a time written to disk by a thread of its own: `run` must be input and output, not Python work.

    finished(error: OSError | None) arrives on the main loop. While one is being written `start` answers False.
    """

    finished = Signal(object)

    def __init__(self, parent: QObject | None = None, *, synchronous: bool | None = None) -> None:
        super().__init__(parent)
        self.synchronous = _synchronous if synchronous is None else synchronous
        self._thread: threading.Thread | None = None

    @property
    def busy(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def start(self, run: Callable[[], object]) -> bool:
        """Run it in the thread (at once when synchronous); False when the one before has not ended."""
        if self.busy:
            return False
        if self.synchronous:
            self._work(run)
        else:
            # Not a daemon: the interpreter waits for a half-written file when the window closes.
            self._thread = threading.Thread(target=self._work, args=(run,), name="tokenloupe-writer")
            self._thread.start()
        return True

    def wait(self) -> None:
        if self._thread is not None:
            self._thread.join()

    def _work(self, run: Callable[[], object]) -> None:
        problem: OSError | None = None
        try:
            run()
        except OSError as error:
            problem = error
        self.finished.emit(problem)
