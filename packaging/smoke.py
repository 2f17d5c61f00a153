"""Smoke test of a built bundle: run it where no Python is on PATH, and print its size and start time.

It opens the window offscreen with every panel, encodes a known text, writes a picture, and answers on the command line.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

#: The text and its ids by tiktoken 0.14.0 (o200k_base).
TEXT, IDS = "hello world", [24912, 2375]


def main(folder: str) -> int:
    program = Path(folder).resolve() / ("tokenloupe.exe" if os.name == "nt" else "tokenloupe")
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch)
        (home / "bin").mkdir()
        env = {"PATH": str(home / "bin"), "HOME": scratch, "QT_QPA_PLATFORM": "offscreen", "LANG": "C.UTF-8"}
        for name in ("SYSTEMROOT", "TEMP", "TMP"):  # Windows starts nothing without them
            if name in os.environ:
                env[name] = os.environ[name]

        def run(*arguments: str) -> str:
            done = subprocess.run(
                [str(program), *arguments], env=env, cwd=scratch, capture_output=True, timeout=120, check=False
            )
            said = done.stderr.decode("utf-8", "replace").strip()
            if done.returncode != 0 or "Traceback" in said:
                raise SystemExit(f"bundle: {arguments} ended with {done.returncode}: {said}")
            return done.stdout.decode("utf-8")

        answer = json.loads(run("encode", "--json", TEXT))
        if answer["ids"] != IDS:
            raise SystemExit(f"bundle: {TEXT!r} gives {answer['ids']}, not {IDS}")
        picture = home / "window.png"
        line = run("doctor", "--smoke", "--picture", str(picture)).strip()
        if not picture.read_bytes().startswith(b"\x89PNG"):
            raise SystemExit("bundle: no picture was written")
        warm = []
        for _ in range(3):
            start = time.perf_counter()
            run("--version")
            warm.append(time.perf_counter() - start)
        files = [p for p in program.parent.rglob("*") if p.is_file() and not p.is_symlink()]
        size = sum(p.stat().st_size for p in files)
        print(f"bundle: ok, {size / 1e6:.0f} MB, starts in {min(warm):.2f} s ({line})")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
