"""The real window on a virtual screen, read as a screen reader reads it: through AT-SPI.

Xvfb, a session bus of its own and at-spi2 are started for it, and a small reader in the system's Python
(at_spi_reader.py) presses keys, listens, and writes down what it was told. On Debian: xvfb at-spi2-core dbus
python3-gi gir1.2-atspi-2.0.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
import regex

import tokenloupe

READER = Path(__file__).with_name("at_spi_reader.py")
TEXT = "hi 👍🏽 née 歪 x\nsecond line\n"
SYSTEM = "/usr/bin/python3"
#: Seconds until a server has said where it is.
STARTED = 30.0


def missing() -> str:
    """Why there can be no screen reader here; "" where there can."""
    if sys.platform != "linux":
        return "AT-SPI is Linux's"
    for program in ("Xvfb", "dbus-daemon"):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    if not any(Path(folder, "at-spi-bus-launcher").exists() for folder in ("/usr/libexec", "/usr/lib/at-spi2-core")):
        return "at-spi2-core is not installed"
    try:
        probe = subprocess.run([SYSTEM, "-c", "import gi; gi.require_version('Atspi', '2.0')"], capture_output=True)
    except OSError:
        return f"there is no {SYSTEM}"
    return "" if probe.returncode == 0 else "the system's Python has no Atspi (python3-gi, gir1.2-atspi-2.0)"


def started(stack: ExitStack, command: list[str], flag: str, env: dict[str, str]) -> str:
    """Start a server that writes a line to a descriptor when it is there (`flag` names it); the line."""
    read, write = os.pipe()
    command = [*command, *(part.format(write) for part in flag.split())]
    server = subprocess.Popen(command, env=env, pass_fds=(write,), stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, start_new_session=True)
    stack.callback(stop, server)
    os.close(write)
    with os.fdopen(read) as answer:
        ready, _, _ = select.select([answer], [], [], STARTED)
        line = answer.readline().strip() if ready else ""
    if not line:
        pytest.skip(f"{command[0]} does not start here")
    return line


def stop(process: subprocess.Popen[Any]) -> None:
    """The process with all that it started itself, which is in its own group."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    process.wait(20)


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """What the reader was told."""
    if reason := missing():
        pytest.skip(reason)
    home = tmp_path_factory.mktemp("home")
    (home / "text.txt").write_text(TEXT, "utf-8")
    env = {name: value for name, value in os.environ.items()
           if not name.startswith(("QT_", "XDG_", "DBUS_", "WAYLAND", "AT_SPI", "GTK_", "DISPLAY"))}
    env |= {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CONFIG", "CACHE", "STATE", "DATA")}
    runtime = home / "runtime"
    runtime.mkdir(mode=0o700)
    env |= {"XDG_RUNTIME_DIR": str(runtime), "QT_QPA_PLATFORM": "xcb", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"}
    with ExitStack() as stack:
        screen = started(stack, ["Xvfb", "-screen", "0", "1280x900x24", "-nolisten", "tcp"], "-displayfd {}", env)
        env["DISPLAY"] = f":{screen}"
        env["DBUS_SESSION_BUS_ADDRESS"] = started(
            stack, ["dbus-daemon", "--session", "--nofork"], "--print-address={}", env)
        with (home / "log").open("w") as log:
            window = subprocess.Popen([sys.executable, "-m", "tokenloupe", str(home / "text.txt")], env=env, stdout=log,
                                      stderr=log, start_new_session=True)
        stack.callback(stop, window)
        line = TEXT.split("\n")[0]
        characters = len(regex.findall(r"\X", line))
        reader = subprocess.run([SYSTEM, str(READER), str(characters)], env=env, capture_output=True, text=True,
                                timeout=240)
        if reader.returncode:
            said = (home / "log").read_text("utf-8")
            if "no Qt platform plugin could be initialized" in said:
                pytest.skip("Qt's xcb plugin does not start here (libxcb-cursor0 and its like)")
            pytest.fail(f"{reader.stderr[-2000:]}\nthe program said: {said[-2000:]}")
        yield json.loads(reader.stdout)


def whole(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def told(words: str, index: int, encoding: tokenloupe.Encoding) -> None:
    """Do the words tell a token's index, id, bytes and whether these are whole characters?"""
    token = encoding.token(index)
    assert words.startswith(f"token {index}, id {token.id}, bytes {token.bytes.hex(' ')}, "), words
    assert ("partial" not in words and words.endswith("whole")) is whole(token.bytes), words


@pytest.fixture(scope="module")
def encoding() -> tokenloupe.Encoding:
    return tokenloupe.load("o200k_base").encode(TEXT)


def test_every_row_of_the_table_is_a_token_in_words(heard: dict[str, Any], encoding: tokenloupe.Encoding) -> None:
    rows = [name for name in heard["rows"] if name.startswith("token ")]
    assert len(rows) == len(encoding) and not all(whole(t.bytes) for t in encoding.tokens)
    for index, words in enumerate(rows):
        told(words, index, encoding)


def test_the_text_has_the_focus_and_is_read_line_by_line(heard: dict[str, Any]) -> None:
    assert heard["focused first"] == "Current line of the text"
    assert heard["line"] == TEXT.split("\n")[0]


def test_the_caret_tells_the_token_it_comes_to(heard: dict[str, Any], encoding: tokenloupe.Encoding) -> None:
    places, units, at = [], 0, 0  # Qt counts UTF-16 units
    for cluster in regex.findall(r"\X", TEXT.split("\n")[0]):
        units, at = units + len(cluster.encode("utf-16-le")) // 2, at + len(cluster.encode())
        places.append((units, at))
    assert [caret for caret, _ in heard["moves"]] == [units for units, _ in places]
    for (_, words), (_, byte) in zip(heard["moves"], places, strict=True):
        told(words, next(t.index for t in encoding.tokens if t.start <= byte < t.end), encoding)
    announced = heard["announced"]
    assert [w for k, w in enumerate(announced) if k == 0 or announced[k - 1] != w] == announced  # each once
    assert set(announced) >= {words for _, words in heard["moves"]}


def test_typing_tells_what_was_typed_and_its_token(heard: dict[str, Any]) -> None:
    assert heard["typed"] == "x"
    edited = tokenloupe.load("o200k_base").encode(TEXT.replace("\n", "x\n", 1))
    end = len((TEXT.split("\n")[0] + "x").encode())
    told(heard["announced typed"], next(t.index for t in edited.tokens if t.start < end <= t.end), edited)
    told(heard["row below"], int(heard["row below"].split()[1].rstrip(",")), edited)


def test_byte_lane_and_hex_view_tell_tokens(heard: dict[str, Any]) -> None:
    edited = tokenloupe.load("o200k_base").encode(TEXT.replace("\n", "x\n", 1))
    for words in heard["Byte lane"][:2]:
        told(words, int(words.split()[1].rstrip(",")), edited)
    assert heard["Byte lane"][-1].startswith("byte ")  # the row of bytes: value, role and code point
    for said in heard["Hex"]:
        place, token = said.split("   ")[0], said.split("   ")[-1]
        assert place.startswith("Byte ")
        told(token, int(token.split()[1].rstrip(",")), edited)


def test_what_an_assistive_program_writes_is_an_edit(heard: dict[str, Any]) -> None:
    assert heard["written"].startswith("Zé")
    assert heard["find"] == "Find"  # the bar above the text, by its name


def test_all_that_can_have_the_focus_has_a_name(heard: dict[str, Any]) -> None:
    nameless = [(role, description) for _, role, name, description, states in heard["tree"]
                if "focusable" in states and "showing" in states and not name
                and role not in ("table row header", "page tab list", "filler")]
    assert nameless == []


def test_labels_tell_their_text(heard: dict[str, Any]) -> None:
    names = [name for _, role, name, _, _ in heard["tree"] if role == "label"]
    assert f"Tokens: {len(tokenloupe.load('o200k_base').encode(TEXT))}" in names
    assert any(name.startswith("Caret: Ln 1, Col 1") for name in names)
