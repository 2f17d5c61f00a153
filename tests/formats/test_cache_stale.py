"""Cache: never a stale answer; what it holds is bounded; and it can be switched off."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tokenloupe.core.errors import InputError
from tokenloupe.formats import cache, cache_file, open_tokenizer

from .cache_kit import Parsed, bpe, put, stored

pytestmark = pytest.mark.usefixtures("all_sizes_kept")


def test_a_changed_file_of_the_same_size_and_time_is_read_anew(tmp_path: Path) -> None:
    path = put(tmp_path / "tokenizer.json", bpe())
    when = path.stat().st_mtime_ns
    assert open_tokenizer(path).encode("c").ids.tolist() == [3]
    value = bpe()
    value["model"]["vocab"]["a"], value["model"]["vocab"]["c"] = 3, 0
    put(path, value)
    os.utime(path, ns=(when, when))
    assert open_tokenizer(path).encode("c").ids.tolist() == [0]


def test_the_hash_of_an_unchanged_file_is_remembered_once_it_has_settled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parsed: Parsed
) -> None:
    path = put(tmp_path / "tokenizer.json", bpe())
    open_tokenizer(path)
    place = cache.folder()
    assert place is not None and list(place.glob("*.known")) == []  # it might change again within a tick
    now = cache.time.time()
    monkeypatch.setattr(cache.time, "time", lambda: now + 60)
    open_tokenizer(path)
    assert len(list(place.glob("*.known"))) == 1
    from tokenloupe.formats.registry import Source

    read = []
    monkeypatch.setattr(Source, "data", property(lambda self: read.append(1) or path.read_bytes()))
    made = open_tokenizer(path)
    assert made.encode("abc").ids.tolist() == [2, 3] and read == [] and parsed.count == 1
    assert made.sha256 == __import__("hashlib").sha256(path.read_bytes()).hexdigest()
    value = bpe()
    value["model"]["vocab"]["a"], value["model"]["vocab"]["c"] = 3, 0
    put(path, value)
    assert open_tokenizer(path).encode("c").ids.tolist() == [0] and read


@pytest.mark.parametrize("note", [b"", b"{}", b"[1, 2]", b'[[1,2,3,4,5], "../../x"]', b"\xff" * 40, b"null"])
def test_a_damaged_note_of_a_hash_is_passed_over(note: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path / "tokenizer.json", bpe())
    now = cache.time.time()
    monkeypatch.setattr(cache.time, "time", lambda: now + 60)
    open_tokenizer(path)
    place = cache.folder()
    assert place is not None
    (known,) = place.glob("*.known")
    known.write_bytes(note)
    assert open_tokenizer(path).encode("abc").ids.tolist() == [2, 3]


def test_the_files_beside_it_count(tmp_path: Path) -> None:
    path = put(tmp_path / "tokenizer.json", bpe())
    assert "<y>" not in open_tokenizer(path).special_tokens
    put(tmp_path / "special_tokens_map.json", {"bos_token": "<y>"})
    for _ in range(2):
        assert open_tokenizer(path).special_tokens["<y>"] == 10
    (tmp_path / "special_tokens_map.json").unlink()
    assert "<y>" not in open_tokenizer(path).special_tokens


def test_another_version_of_the_program_is_another_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parsed: Parsed
) -> None:
    path = put(tmp_path / "tokenizer.json", bpe())
    open_tokenizer(path)
    monkeypatch.setattr(cache, "__version__", "99")
    open_tokenizer(path)
    assert parsed.count == 2 and len(stored()) == 2


def test_the_least_recently_used_go_first(tmp_path: Path) -> None:
    place = tmp_path / "place"
    place.mkdir()
    for age, name in enumerate("abcd"):
        file = place / f"{name}.tokenizer"
        file.write_bytes(bytes(100))
        os.utime(file, (1000 - age, 1000 - age))
    (place / "other.txt").write_text("not ours")
    (place / "dead.part").write_bytes(b"x")
    os.utime(place / "dead.part", (1000, 1000))
    cache.prune(place, 250)
    assert sorted(p.name for p in place.iterdir()) == ["a.tokenizer", "b.tokenizer", "other.txt"]


def test_opening_makes_it_recent(tmp_path: Path) -> None:
    path = put(tmp_path / "tokenizer.json", bpe())
    open_tokenizer(path)
    (kept,) = stored()
    os.utime(kept, (1000, 1000))
    open_tokenizer(path)
    assert kept.stat().st_mtime > 2000


@pytest.mark.parametrize("value", ["off", "OFF", "0"])
def test_it_can_be_switched_off(value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parsed: Parsed) -> None:
    monkeypatch.setenv("TOKENLOUPE_CACHE", value)
    path = put(tmp_path / "tokenizer.json", bpe())
    open_tokenizer(path)
    open_tokenizer(path)
    assert cache.folder() is None and parsed.count == 2


def test_a_folder_that_cannot_be_made_or_written_is_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parsed: Parsed
) -> None:
    path = put(tmp_path / "tokenizer.json", bpe())
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert cache.folder() is None
    assert open_tokenizer(path).encode("abc").ids.tolist() == [2, 3]
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache_file.tempfile, "mkstemp", full)
    for _ in range(2):
        assert open_tokenizer(path).encode("abc").ids.tolist() == [2, 3]
    assert stored() == [] and parsed.count == 3


def test_small_files_are_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "SMALLEST", 1 << 20)
    open_tokenizer(put(tmp_path / "tokenizer.json", bpe()))
    assert stored() == []


def test_what_is_wrong_with_a_file_is_said_each_time(tmp_path: Path) -> None:
    value = bpe()
    value["model"]["merges"].append(["a", "nowhere"])
    path = put(tmp_path / "tokenizer.json", value)
    for _ in range(2):
        with pytest.raises(InputError, match=r"merge 5 needs the token 'nowhere'"):
            open_tokenizer(path)
    assert stored() == []
