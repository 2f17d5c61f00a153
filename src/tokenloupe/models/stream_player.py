"""StreamPlayer: a run and where it stands; play, pause, step, seek, loop. Views draw what it says.

    player = StreamPlayer(session.jobs)
    player.position_changed.connect(lanes.moved)
    player.open(Run(stream))
    player.play()

Time runs on a clock of its own (`clock_ms`), so that a slow machine drops frames and never tokens: each tick shows the
position that the clock has come to. Tests call advance() and need no waiting.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer, Signal

from ..core.stream_lanes import Run
from ..core.stream_tokens import Timing, TokenStream
from .jobs import Job, Jobs

#: One tick of the display, ms.
TICK = 16
#: How long the end stays before a loop begins again, ms.
REST = 1500.0


class StreamPlayer(QObject):
    """run_changed(): another run. position_changed(int before, int now). playing_changed(bool).

    position: steps that are done, 0 .. run.steps. factor: 2.0 plays twice as fast. loop: begin again at the end.
    """

    run_changed = Signal()
    position_changed = Signal(object, object)
    playing_changed = Signal(bool)

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._job: Job | None = None
        self.run = Run(TokenStream.of_chunks([]))
        self.position = 0
        self.clock_ms = 0.0
        self.factor = 1.0
        self.loop = False
        self._ends: list[float] = []
        self._playing = False
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK)
        self._timer.timeout.connect(self._tick)
        self._since = QElapsedTimer()
        self._measure()

    def open(self, run: Run) -> None:
        """Show another run, from its beginning; its steps are worked out in slices while nothing else is to do."""
        self.pause()
        if self._job is not None:
            self._job.cancel()
        self.run, self.position, self.clock_ms = run, 0, 0.0
        self._measure()
        self._job = self._jobs.start("Preparing the stream", _prepare(run))
        self.run_changed.emit()

    def retime(self, timing: Timing | None) -> None:
        """Other arrival times (None: the recorded ones); the position stays."""
        self.run.retime(timing)
        self._measure()
        self.clock_ms = self._time_at(self.position)

    def _measure(self) -> None:
        """When each position is reached; the end of the stream comes one average gap after the last token."""
        times = self.run.times.tolist()
        gap = times[-1] / len(times) if times else 0.0
        self._ends = [*times, (times[-1] if times else 0.0) + max(gap, 1.0)]

    def _time_at(self, position: int) -> float:
        return self._ends[position - 1] if position > 0 else 0.0

    @property
    def playing(self) -> bool:
        return self._playing

    @property
    def at_end(self) -> bool:
        return self.position >= self.run.steps

    def play(self, timer: bool = True) -> None:
        """Go on from here, or from the beginning when it is at the end. Without the timer somebody calls advance()."""
        if self.playing:
            return
        if self.at_end:
            self.seek(0)
        self._playing = True
        if timer:
            self._since.start()
            self._timer.start()
        self.playing_changed.emit(True)

    def pause(self) -> None:
        if self.playing:
            self._playing = False
            self._timer.stop()
            self.playing_changed.emit(False)

    def toggle(self) -> None:
        if self.playing:
            self.pause()
        else:
            self.play()

    def step(self, count: int = 1) -> None:
        """So many steps on (or back, when negative); playing stops."""
        self.pause()
        self.seek(self.position + count)

    def seek(self, position: int) -> None:
        """Go to a position; it is clipped to 0 .. run.steps. Playing goes on from there."""
        target = max(0, min(position, self.run.steps))
        self.clock_ms = self._time_at(target)
        self._go(target)

    def _go(self, target: int) -> None:
        before, self.position = self.position, target
        self.run.compute(target)
        if before != target:
            self.position_changed.emit(before, target)

    def _tick(self) -> None:
        self.advance(float(self._since.restart()))

    def advance(self, milliseconds: float) -> None:
        """Let the clock run on by so much real time."""
        self.clock_ms += milliseconds * self.factor
        reached = bisect_right(self._ends, self.clock_ms)
        if reached > self.position:
            self._go(reached)
        if not self.at_end:
            return
        if not self.loop:
            self.pause()
        elif self.clock_ms > self._time_at(self.run.steps) + REST * self.factor:
            self.seek(0)


def _prepare(run: Run) -> Iterator[float]:
    while not run.compute(seconds=0.006):
        yield run.done / run.steps
    yield 1.0
