"""The stream theatre at 100 tokens a second: CPU time of every frame over 10,000 steps, and the core alone.

    python benchmarks/bench_stream.py            # two to three minutes of frames, as fast as they can be drawn
    python benchmarks/bench_stream.py --steps 2000 --plays 1

Each frame lets the player's clock run on by 16.7 ms and paints what has changed, as the main loop does; CPU time of
this process is measured, so other programs do not count. A frame above 16 ms would be dropped at 60 frames a second.
The steps are played three times. A frame's work is the same in each, so its least time is what it needs; what a single
play has above that is the machine's (a virtual processor that was taken away, a cold cache), and is printed, too.
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import sys
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from tokenloupe.core.stop import StopMatcher
from tokenloupe.core.stream import StreamDecoder
from tokenloupe.core.stream_lanes import Run
from tokenloupe.core.stream_tokens import Timing, TokenStream

TEXT = ("The quick brown fox, 敏捷的棕色狐狸跳过了懒狗。 Быстрая лиса 👩‍💻 прыгает; ภาษาไทย नमस्ते 🇫🇷 naïve café\n" * 700)


def pieces(steps: int) -> list[bytes]:
    """Tokens of 1 to 6 bytes, cut anywhere, so that most lanes have something to say in most steps."""
    data, out, at, size = TEXT.encode(), [], 0, 1
    while len(out) < steps:
        size = size * 5 % 7 or 3
        out.append(data[at : at + size])
        at = at + size if at + size + 6 < len(data) else 0
    return out


def core(tokens: list[bytes]) -> None:
    begin = time.process_time()
    decoder, matcher = StreamDecoder(), StopMatcher(["\nUser:", "###"])
    for token in tokens:
        matcher.push(decoder.push(token))
    print(f"StreamDecoder and StopMatcher: {(time.process_time() - begin) / len(tokens) * 1e6:.1f} us a token")
    begin = time.process_time()
    Run(TokenStream.of_chunks(tokens), stops=("\nUser:",)).compute()
    print(f"six lanes with a stop string: {(time.process_time() - begin) / len(tokens) * 1e6:.0f} us a step")


def frames(tokens: list[bytes], width: int, height: int, theme: str) -> list[float]:
    """CPU milliseconds of each frame."""
    from PySide6.QtWidgets import QApplication

    from tokenloupe.models.jobs import Jobs
    from tokenloupe.models.session import Session
    from tokenloupe.views import palette
    from tokenloupe.views.stream_theatre import StreamTheatre

    app = QApplication.instance() or QApplication([])
    colours = palette.dark() if theme == "dark" else palette.light()
    palette.use(colours)
    app.setPalette(palette.qpalette(colours))  # type: ignore[attr-defined]
    theatre = StreamTheatre(Session(jobs=Jobs()))
    theatre.resize(width, height)
    theatre.show()
    theatre.source.stream_chosen.emit(TokenStream.of_chunks(tokens), None)
    theatre.player.retime(Timing(rate=100))
    while theatre.preparing:
        app.processEvents()
    gc.collect()
    gc.freeze()  # as the program does when it has started
    theatre.player.play(timer=False)
    out = []
    while not theatre.player.at_end:
        begin = time.process_time()
        theatre.player.advance(1000 / 60)
        app.processEvents()
        out.append((time.process_time() - begin) * 1000)
    theatre.close()
    return out


def line(spent: list[float]) -> str:
    ordered = sorted(spent)
    return (f"median {statistics.median(ordered):.1f}, p99 {ordered[int(len(ordered) * 0.99)]:.1f}, "
            f"worst {ordered[-1]:.1f}; {sum(x > 16 for x in ordered)} above 16 ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--plays", type=int, default=3)
    given = parser.parse_args()
    steps = given.steps
    tokens = pieces(steps)
    core(tokens)
    for width, height, theme in ((1100, 860, "light"), (1900, 1000, "dark")):
        plays = [frames(tokens, width, height, theme) for _ in range(given.plays)]
        print(f"{width}x{height} {theme}, {steps:,} steps at 100 tokens/s, {len(plays[0]):,} frames, CPU ms a frame")
        for number, spent in enumerate(plays, 1):
            print(f"  play {number}: {line(spent)}")
        if given.plays > 1:
            print(f"  the least of each frame: {line(list(map(min, *plays)))}")


if __name__ == "__main__":
    main()
