"""StreamPlayer: the clock decides, stepping and seeking are exact, nothing is lost when frames are."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from tokenloupe.core.stream_lanes import Run
from tokenloupe.core.stream_tokens import Timing, TokenStream
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.stream_player import REST, StreamPlayer


def player(tokens: int = 10, rate: float = 100) -> StreamPlayer:
    made = StreamPlayer(Jobs(synchronous=True))
    made.open(Run(TokenStream.of_chunks([b"a"] * tokens), ("naive-go", "buffered"), timing=Timing(rate=rate)))
    return made


def test_the_clock_decides(qtbot: QtBot) -> None:
    p = player()
    moves: list[tuple[int, int]] = []
    p.position_changed.connect(lambda a, b: moves.append((a, b)))
    p.play(timer=False)
    p.advance(9)
    assert moves == [] and p.playing
    p.advance(2)
    p.advance(50)  # a frame came late: five tokens at once, none lost
    assert moves == [(0, 1), (1, 6)]
    p.advance(1000)
    assert p.position == 11 and p.at_end and not p.playing and moves[-1] == (6, 11)


def test_the_timer_plays(qtbot: QtBot) -> None:
    p = player(3, rate=1000)
    p.play()
    qtbot.waitUntil(lambda: p.at_end)
    assert not p.playing


def test_faster_and_slower(qtbot: QtBot) -> None:
    p = player()
    p.factor = 4.0
    p.play(timer=False)
    p.advance(10)
    assert p.position == 4
    p.factor = 0.5
    p.advance(20)
    assert p.position == 5
    p.pause()


def test_steps_and_seeks(qtbot: QtBot) -> None:
    p = player()
    p.step(-1)
    assert p.position == 0
    p.step()
    p.step(3)
    p.step(-1)
    assert p.position == 3
    p.seek(99)
    assert p.position == 11
    p.seek(-5)
    assert p.position == 0
    p.seek(5)
    p.play(timer=False)
    p.advance(10)  # from there on, not from the beginning
    assert p.position == 6
    p.step()
    assert not p.playing and p.position == 7


def test_a_loop_rests_at_the_end(qtbot: QtBot) -> None:
    p = player()
    p.loop = True
    p.play(timer=False)
    p.advance(110)
    assert p.at_end and p.playing
    p.advance(REST - 10)
    assert p.at_end
    p.advance(20)
    assert p.position == 0 and p.playing
    p.pause()


def test_play_at_the_end_begins_again(qtbot: QtBot) -> None:
    p = player(3)
    p.seek(4)
    p.toggle()
    assert p.position == 0 and p.playing
    p.toggle()
    assert not p.playing


def test_retime_keeps_the_position(qtbot: QtBot) -> None:
    p = player()
    p.seek(4)
    p.retime(Timing(rate=10))
    assert p.position == 4 and p.clock_ms == 400
    p.play(timer=False)
    p.advance(100)
    assert p.position == 5
    p.pause()


def test_an_empty_stream(qtbot: QtBot) -> None:
    p = player(0)
    p.play(timer=False)
    p.advance(20)
    assert p.at_end and not p.playing


def test_opening_another_run_stops_and_rewinds(qtbot: QtBot) -> None:
    p = player()
    p.play(timer=False)
    p.advance(50)
    with qtbot.waitSignal(p.run_changed):
        p.open(Run(TokenStream.of_chunks([b"x"])))
    assert p.position == 0 and not p.playing and p.run.done == p.run.steps == 2


def test_a_long_run_is_prepared_in_slices(qtbot: QtBot) -> None:
    jobs = Jobs()
    p = StreamPlayer(jobs)
    p.open(Run(TokenStream.of_chunks([bytes([b]) for b in "日本語".encode()] * 400)))
    p.seek(100)  # does not wait for the rest
    assert p.run.done >= 100
    qtbot.waitUntil(lambda: p.run.done == p.run.steps)
