"""`tokenloupe doctor`: what this machine has. `--smoke` opens every panel offscreen and exits 0.

Qt is asked in a child process, so that a Qt that cannot start (a missing system library) is a line of the answer,
with the package to install, instead of the end of this one.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
from importlib import metadata
from typing import Any

from tokenloupe.core.errors import InputError

from . import common

NAME = "doctor"
HELP = "what this machine has: versions, fonts, the Qt platform, the bundled vocabularies"

#: Debian's packages behind the shared libraries that a bare machine lacks.
PACKAGES = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libxcb-cursor.so.0": "libxcb-cursor0",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON document")
    parser.add_argument(
        "--smoke", action="store_true", help="open the window and every panel offscreen, encode a known text, exit 0"
    )
    parser.add_argument("--picture", metavar="F.png", help="with --smoke: write the window's picture here")
    parser.add_argument("--qt", action="store_true", help=argparse.SUPPRESS)  # the child process


def run(args: argparse.Namespace) -> int:
    if args.smoke:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        from tokenloupe.app.smoke import smoke

        return smoke(args.picture)
    if args.picture is not None:
        return common.usage("--picture goes with --smoke")
    if args.qt:
        from tokenloupe.app.smoke import qt_report

        common.print_json(qt_report())
        return 0
    answer = report()
    if args.json:
        common.print_json(answer)
    else:
        for line in _lines(answer):
            common.print_text(line)
    return 0


def report() -> dict[str, Any]:
    """The JSON document."""
    from tokenloupe import __version__

    return {
        "tokenloupe": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "frozen": bool(getattr(sys, "frozen", False)),
        "packages": {
            name: _version(name) for name in ("PySide6-Essentials", "numpy", "regex", "orjson", "platformdirs")
        },
        "qt": _ask_qt(),
        "vocabularies": [_vocabulary(name) for name in _bundled()],
    }


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _bundled() -> tuple[str, ...]:
    from tokenloupe.formats.bundled import BUNDLED

    return tuple(BUNDLED)


def _vocabulary(name: str) -> dict[str, Any]:
    from tokenloupe.api import load

    try:
        tokenizer = load(name)
    except InputError as error:
        return {"name": name, "ok": False, "problem": str(error)}
    return {"name": name, "ok": True, "entries": len(tokenizer.vocabulary), "sha256": tokenizer.sha256}


def _ask_qt() -> dict[str, Any]:
    """What Qt says of itself in a process of its own, or why it cannot."""
    import orjson

    command = [sys.executable, *([] if getattr(sys, "frozen", False) else ["-m", "tokenloupe"]), "doctor", "--qt"]
    env = dict(os.environ)
    if sys.platform.startswith("linux") and not (env.get("DISPLAY") or env.get("WAYLAND_DISPLAY")):
        env.setdefault("QT_QPA_PLATFORM", "offscreen")
    try:
        done = subprocess.run(command, capture_output=True, env=env, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return {"ok": False, "problem": f"Qt could not be asked: {error}"}
    if done.returncode == 0:
        answer: dict[str, Any] = orjson.loads(done.stdout)
        return {"ok": True, **answer}
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    problem = said[-1] if said else f"Qt ended with status {done.returncode}"
    for library, package in PACKAGES.items():
        if any(library in line for line in said):
            problem = f"Qt needs {library}: apt-get install {package}"
    return {"ok": False, "problem": problem}


def _lines(answer: dict[str, Any]) -> list[str]:
    lines = [
        f"tokenloupe {answer['tokenloupe']}{' (bundle)' if answer['frozen'] else ''}, "
        f"Python {answer['python']}, {answer['platform']}"
    ]
    lines += [f"  {name:<20} {version or 'not installed'}" for name, version in answer["packages"].items()]
    qt = answer["qt"]
    if qt["ok"]:
        lines.append(f"Qt {qt['version']}, platform {qt['platform']}, screen scale {qt['scale']}")
        lines += [f"  {role:<20} {family}" for role, family in qt["fonts"].items()]
    else:
        lines.append(f"Qt: {qt['problem']}")
    lines.append("Bundled vocabularies")
    for vocabulary in answer["vocabularies"]:
        state = f"{vocabulary['entries']:,} entries" if vocabulary["ok"] else vocabulary["problem"]
        lines.append(f"  {vocabulary['name']:<20} {state}")
    return lines
