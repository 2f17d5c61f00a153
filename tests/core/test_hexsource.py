"""Windows on bytes agree with decoding the whole; files are mapped; offsets are read; finding goes over chunk edges."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

import pytest
import regex

from tokenloupe.core import hexsource
from tokenloupe.core.errors import InputError
from tokenloupe.core.hexsource import FileSource, Plain, character_at, go_to, look
from tokenloupe.core.utf8 import roles

ALPHABET = [b"a", b"\n", "é".encode(), "€".encode(), "😀".encode(), "́".encode(), b"\xff", b"\xc3", b"\xf0\x9f",
            b"\xed\xa0\x80", b"\xc0\xaf", b"\x80"]


def characters_of(data: bytes) -> list[tuple[int, int, str]]:
    """Slowly: at each place, the shortest slice that Python decodes."""
    found, at = [], 0
    while at < len(data):
        for size in range(1, 5):
            try:
                text = data[at : at + size].decode()
            except UnicodeDecodeError:
                continue
            if len(text) == 1:
                found.append((at, at + size, text))
                at += size - 1
                break
        at += 1
    return found


@pytest.mark.parametrize("seed", range(40))
def test_a_window_is_a_part_of_the_whole(seed: int) -> None:
    rng = random.Random(seed)
    data = b"".join(rng.choices(ALPHABET, k=rng.randint(0, 30)))
    whole = characters_of(data)
    for start in range(len(data) + 1):
        for end in range(start, min(start + 9, len(data) + 1)):
            window = look(Plain(data), start, end)
            assert window.data == data[start:end] and window.end == end
            assert [c for c in whole if c[0] < end and c[1] > start] == list(window.characters)
            told = roles(data)[start:end]
            assert ((window.roles < 5) == (told < 5)).all() and (window.roles[told < 5] == told[told < 5]).all()


def test_the_character_of_a_byte() -> None:
    source = Plain("a€".encode() + b"\xff")
    assert [character_at(source, k) for k in range(6)] == [
        (0, 1, "a"), (1, 4, "€"), (1, 4, "€"), (1, 4, "€"), None, None]


def test_a_file_is_read_where_it_is_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(bytes(range(256)) * 100)
    source = FileSource(path)
    assert len(source) == 25600 and source.name == "a.bin"
    assert source.bytes(250, 260) == bytes([250, 251, 252, 253, 254, 255, 0, 1, 2, 3])
    assert source.bytes(-5, 2) == b"\0\1" and source.bytes(25599, 30000) == b"\xff" and source.bytes(9, 3) == b""
    source.close()
    assert source.bytes(0, 5) == b""


def test_a_file_that_is_cut_short_ends_there(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"x" * 100_000)
    source = FileSource(path)
    with path.open("r+b") as file:
        file.truncate(10)
    assert source.bytes(0, 20) == b"x" * 10 and source.bytes(90_000, 90_010) == b""
    source.close()


def test_news_of_a_file(tmp_path: Path) -> None:
    path, other = tmp_path / "log", tmp_path / "other"
    path.write_bytes(b"x" * 10)
    source = FileSource(path)
    assert source.news() == ""
    with path.open("ab") as file:
        file.write(b"y")
    assert source.news() == "changed" and source.bytes(0, 20) == b"x" * 10
    again = FileSource(path)
    assert again.news() == "" and again.bytes(9, 20) == b"xy"
    again.close()
    source.close()
    source = FileSource(path)
    os.utime(path, ns=(0, 5))  # written at another time: other bytes may be in it
    assert source.news() == "changed"
    source.close()
    if sys.platform != "win32":  # there a file that is open is not replaced
        other.write_bytes(b"x" * 10)
        source = FileSource(path)
        other.replace(path)
        assert source.news() == "changed" and source.bytes(0, 20) == b"x" * 10 + b"y"
        path.unlink()
        assert source.news() == "gone" and source.bytes(0, 1) == b"x"
    source.close()


def test_an_empty_file_a_folder_and_none(tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"")
    source = FileSource(tmp_path / "empty")
    assert len(source) == 0 and source.bytes(0, 1) == b""
    source.close()
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(InputError):
            FileSource(path)


@pytest.mark.parametrize(("text", "place"), [
    ("0", 0), ("496", 496), ("0x1F0", 496), ("1f0h", 496), (" 1,000 ", 1000), ("+16", 116), ("-0x10", 84), ("50%", 500),
    ("100%", 1000), ("12.5 %", 125)])
def test_offsets(text: str, place: int) -> None:
    assert go_to(text, 100, 1000) == place


@pytest.mark.parametrize("text", [
    "", "x", "0x", "1001", "-101", "+901", "-5%", "101%", "nan%", "1e3", "٣", "--1", "0x-1"])
def test_no_offsets(text: str) -> None:
    with pytest.raises(InputError):
        go_to(text, 100, 1000)


def last(steps) -> object:
    return list(steps)[-1]


@pytest.mark.parametrize("chunk", [1, 2, 3, 7, 64])
def test_finding_over_the_edges_of_chunks(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hexsource, "CHUNK", chunk)
    data = b"abcabcab" + b"\xff" * 5 + b"abc"
    forth, back = regex.compile(b"abc"), regex.compile(b"(?r)abc")
    starts = [0, 3, 13]
    for at in range(len(data) + 1):
        want = next((s for s in starts if s >= at), starts[0])
        assert last(hexsource.find(Plain(data), forth, back, 3, at)) == (want, want + 3)
        want = next((s for s in reversed(starts) if s + 3 <= at), starts[-1])
        assert last(hexsource.find(Plain(data), forth, back, 3, at, False)) == (want, want + 3)
    assert last(hexsource.find(Plain(data), regex.compile(b"abd"), regex.compile(b"(?r)abd"), 3, 5)) is None
    assert last(hexsource.find(Plain(b""), forth, back, 3, 0)) is None
