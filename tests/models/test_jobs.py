"""Sliced work: progress, results, cancelling from anywhere, one failing job, the main loop staying free."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QTimer

from tokenloupe.core.errors import InputError
from tokenloupe.models import jobs as jobs_module
from tokenloupe.models.jobs import Jobs, Latest, Writer, in_thread


def counting(n: int, log: list[int] | None = None) -> Iterator[object]:
    for i in range(n):
        if log is not None:
            log.append(i)
        yield i / n
    yield "result"


def test_synchronous_jobs_end_before_start_returns(qapp) -> None:
    done, progress = [], []
    job = Jobs(synchronous=True).start("Work", counting(4), done=done.append, progress=progress.append)
    assert done == ["result"] and progress == [0.0, 0.25, 0.5, 0.75] and not job.running


def test_the_return_value_is_a_result_too(qapp) -> None:
    def steps() -> Iterator[object]:
        yield 0.5
        return 42

    done = []
    Jobs(synchronous=True).start("Work", steps(), done=done.append)
    assert done == [42]


def test_slices_leave_the_main_loop_free(qtbot) -> None:
    def work() -> Iterator[float]:
        for i in range(60):
            end = time.perf_counter() + 0.002
            while time.perf_counter() < end:
                pass
            yield i / 60

    ticks: list[float] = []
    timer = QTimer()
    timer.setInterval(5)
    timer.timeout.connect(lambda: ticks.append(time.perf_counter()))
    timer.start()
    jobs = Jobs(synchronous=False)
    done: list[object] = []
    jobs.start("Work", work(), done=lambda _: done.append(True))
    assert done == []  # nothing ran yet
    qtbot.waitUntil(lambda: bool(done), timeout=20_000)
    assert len(ticks) >= 5  # 120 ms of work, a tick every 5 ms: the timer was heard between the slices


def test_two_jobs_share_the_time(qtbot) -> None:
    jobs, log = Jobs(synchronous=False), []
    done: list[str] = []
    jobs.start("A", counting(3000, log), done=lambda _: done.append("long"))
    jobs.start("B", counting(3), done=lambda _: done.append("short"))
    qtbot.waitUntil(lambda: len(done) == 2)
    assert done == ["short", "long"]


def test_cancelling_stops_at_once_and_closes_the_generator(qtbot) -> None:
    closed, told = [], []

    def work() -> Iterator[float]:
        try:
            while True:
                yield 0.1
        finally:
            closed.append(True)

    jobs = Jobs(synchronous=False)
    ended = []
    jobs.ended.connect(ended.append)
    job = jobs.start("Endless", work(), done=lambda _: told.append("done"), cancelled=lambda: told.append("cancelled"))
    qtbot.waitUntil(lambda: job.fraction > 0)
    job.cancel()
    job.cancel()
    assert closed == [True] and told == ["cancelled"] and ended == [job] and jobs.active == ()


def test_a_job_may_cancel_itself_in_a_slice(qapp) -> None:
    jobs = Jobs(synchronous=True)
    reached = []

    def work() -> Iterator[float]:
        jobs.cancel_all()
        yield 0.5
        reached.append("after")

    jobs.start("Odd", work(), done=lambda _: reached.append("done"))
    assert reached == []


def test_what_a_user_can_cause_is_told_in_one_sentence(qapp) -> None:
    def work() -> Iterator[float]:
        yield 0.1
        raise InputError("it is broken", todo="mend it")

    said = []
    jobs = Jobs(synchronous=True)
    jobs.failed.connect(said.append)
    jobs.start("Work", work())
    jobs.start("Work", work(), failed=lambda s: said.append("own: " + s))
    assert said == ["it is broken; mend it", "own: it is broken; mend it"]


def test_only_the_latest_counts(qtbot) -> None:
    jobs, done = Jobs(synchronous=False), []
    latest = Latest(jobs)
    latest.start("Search", counting(10), done=lambda _: done.append("first"))
    latest.start("Search", counting(10), done=lambda _: done.append("second"))
    qtbot.waitUntil(lambda: bool(done))
    assert done == ["second"] and latest.generation == 2


def test_work_in_a_thread_gives_its_result_or_its_error(qtbot) -> None:
    jobs, got = Jobs(synchronous=False), []
    jobs.start("Load", in_thread(lambda: 6 * 7), done=got.append)
    qtbot.waitUntil(lambda: got == [42])

    def bad() -> None:
        raise InputError("no such file")

    jobs.start("Load", in_thread(bad), failed=got.append)
    qtbot.waitUntil(lambda: got == [42, "no such file"])


def test_the_writer_writes_one_thing_at_a_time(qtbot, tmp_path) -> None:
    writer, ends = Writer(synchronous=False), []
    writer.finished.connect(ends.append)
    assert writer.start(lambda: (tmp_path / "a").write_bytes(b"x" * 1000))
    writer.wait()
    qtbot.waitUntil(lambda: ends == [None])
    assert (tmp_path / "a").stat().st_size == 1000
    writer.start(lambda: (tmp_path / "no" / "folder").write_bytes(b""))
    qtbot.waitUntil(lambda: len(ends) == 2)
    assert isinstance(ends[1], FileNotFoundError)


@pytest.fixture(autouse=True)
def usual_mode() -> Iterator[None]:
    yield
    jobs_module.synchronous(False)


def test_the_default_can_be_switched(qapp) -> None:
    jobs_module.synchronous(True)
    assert Jobs().synchronous
    jobs_module.synchronous(False)
    assert not Jobs().synchronous
