"""The cache's file: damage of every kind is seen, and two processes may write at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenloupe.formats import cache, cache_file, open_tokenizer

from .cache_kit import Parsed, byte_level, put, same, stored

pytestmark = pytest.mark.usefixtures("all_sizes_kept")


def test_a_cut_or_changed_file_is_parsed_anew_and_mended(tmp_path: Path, parsed: Parsed) -> None:
    path = put(tmp_path / "tokenizer.json", byte_level())
    open_tokenizer(path)
    (kept,) = stored()
    good = kept.read_bytes()
    places = sorted({*range(0, 200, 7), *range(200, len(good), 211), len(good) - 1})
    for at in places:
        kept.write_bytes(good[:at] + bytes([good[at] ^ 0x10]) + good[at + 1 :])
        assert open_tokenizer(path).encode("abab").ids.tolist() == [4]
        assert kept.read_bytes() == good
    for size in (0, 1, 23, 24, 100, len(good) - 1):
        kept.write_bytes(good[:size])
        assert open_tokenizer(path).encode("abab").ids.tolist() == [4]
        assert kept.read_bytes() == good
    assert parsed.count == 1 + len(places) + 6


@given(st.binary(max_size=200))
@settings(max_examples=200, deadline=None)
def test_no_bytes_are_taken_for_a_kept_tokenizer(data: bytes) -> None:
    assert cache_file.unpack(data, "k") is None
    assert cache_file.unpack(cache_file.MAGIC + data, "k") is None


def sealed(header: Any, body: bytes = b"") -> bytes:
    """A file with a right checksum and whatever header."""
    import zlib

    head = orjson.dumps(header)
    rest = head + body
    return cache_file._FIXED.pack(cache_file.MAGIC, 24 + len(rest), len(head), zlib.crc32(rest)) + rest


@pytest.mark.parametrize("header", [
    [], None, {}, {"key": "k"}, {"key": "k", "arrays": [], "meta": 3}, {"key": "other", "arrays": [], "meta": {}},
    {"key": "k", "meta": {}, "arrays": [["a", "<i4", 1 << 40, 0]]},
    {"key": "k", "meta": {}, "arrays": [["a", "<i4", -1, 0]]},
    {"key": "k", "meta": {}, "arrays": [["a", "<i4", 1, -8]]},
    {"key": "k", "meta": {}, "arrays": [["a", "|O8", 1, 0]]}, {"key": "k", "meta": {}, "arrays": [["a"]]},
    {"key": "k", "meta": {}, "arrays": [["a", "<i4", "1", 0]]}, {"key": "k", "meta": {}, "arrays": [["a", "no", 1, 0]]},
])  # fmt: skip
def test_a_header_that_says_too_much_is_refused(header: Any) -> None:
    assert cache_file.unpack(sealed(header, bytes(64)), "k") is None


def test_the_container_gives_back_what_it_was_given(tmp_path: Path) -> None:
    arrays = {"a": np.arange(5, dtype=np.int64), "none": np.zeros(0, np.float32), "b": np.array([1, 255], np.uint8)}
    path = tmp_path / "x"
    cache_file.write(path, "key", cache_file.Stored({"n": [1, "ü"]}, arrays))
    back = cache_file.read(path, "key")
    assert back is not None and back.meta == {"n": [1, "ü"]} and list(back.arrays) == list(arrays)
    assert all(np.array_equal(back.arrays[k], arrays[k]) and back.arrays[k].dtype == arrays[k].dtype for k in arrays)
    assert cache_file.read(path, "another key") is None
    with pytest.raises(ValueError, match="read-only"):
        back.arrays["a"][0] = 1
    assert [p.name for p in tmp_path.iterdir() if p.name != "home"] == ["x"]


def test_arrays_that_do_not_fit_together_are_parsed_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parsed: Parsed
) -> None:
    """A right checksum over wrong tables (a fault of another version, say) still gives right ids."""
    path = put(tmp_path / "tokenizer.json", byte_level())
    fresh = open_tokenizer(path)
    (kept,) = stored()
    key = orjson.loads(kept.read_bytes()[24:].split(b',"meta"')[0] + b"}")["key"]
    whole = cache_file.read(kept, key)
    assert whole is not None
    names = ("ids", "blob", "offsets", "kinds", "ranks", "left", "right", "result", "raw_offsets", "slots",
             "pair_slots")
    for name in names:
        cache_file.write(kept, key, cache_file.Stored(whole.meta, whole.arrays | {name: whole.arrays[name][:-1]}))
        same(open_tokenizer(path), fresh)
    assert parsed.count == 1 + len(names)


def test_two_processes_at_once(tmp_path: Path) -> None:
    path = put(tmp_path / "tokenizer.json", byte_level())
    program = (
        "import sys; from tokenloupe.formats import cache, open_tokenizer; cache.SMALLEST = 0\n"
        f"for _ in range(30): assert open_tokenizer({str(path)!r}).encode('abab').ids.tolist() == [4]\n"
        "for p in cache.folder().glob('*.tokenizer'): p.unlink(missing_ok=True)\n"
        f"for _ in range(30): assert open_tokenizer({str(path)!r}).encode('abab').ids.tolist() == [4]\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE) for _ in range(2)]
    for one in running:
        assert one.communicate()[1] == b"" and one.returncode == 0
    place = cache.folder()
    assert place is not None and list(place.glob("*.part")) == []
