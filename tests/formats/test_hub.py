"""Fetching from the hub, against a server of our own on 127.0.0.1."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from hub_server import Hub, serving
from tokenloupe.api import load
from tokenloupe.core.errors import InputError
from tokenloupe.formats import hub, open_tokenizer
from tokenloupe.formats.hub import Cancelled, HubName, Watch, choose, fetch

pytest.importorskip("huggingface_hub")

WORDS = orjson.dumps({
    "version": "1.0", "added_tokens": [], "normalizer": None, "pre_tokenizer": {"type": "Whitespace"},
    "post_processor": None, "decoder": None,
    "model": {"type": "WordLevel", "vocab": {"[UNK]": 0, "hello": 1, "world": 2}, "unk_token": "[UNK]"},
})  # fmt: skip


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    with serving() as made:
        monkeypatch.setenv("HF_ENDPOINT", made.url)
        monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        made.repos["ann/words"] = {"tokenizer.json": WORDS, "model.safetensors": b"weights", "README.md": b"",
                                   "special_tokens_map.json": b'{"bos_token": "<s>"}', "tokenizer.model": b"other"}
        yield made


def test_only_tokenizer_files_are_fetched_and_they_open(server: Hub) -> None:
    made = load("hub:ann/words")
    assert made.encode("hello world").ids.tolist() == [1, 2]
    assert made.name == "ann/words" and "<s>" in made.special_tokens
    files = {path.rsplit("/", 1)[1] for _, path in server.asked if "/resolve/" in path}
    assert files == {"tokenizer.json", "special_tokens_map.json"}


def test_a_second_fetch_downloads_nothing(server: Hub) -> None:
    first = fetch(HubName.parse("ann/words"))
    server.asked.clear()
    assert fetch(HubName.parse("ann/words")) == first
    assert [p for m, p in server.asked if m == "GET" and "/resolve/" in p] == []


def test_a_revision_is_asked_for_by_name(server: Hub) -> None:
    assert fetch(HubName.parse("hub:ann/words@main")).is_dir()
    with pytest.raises(InputError, match="ann/words has no revision 'v9'"):
        fetch(HubName.parse("ann/words@v9"))


def test_progress_reaches_the_end_and_never_falls(server: Hub) -> None:
    told: list[float] = []
    watch = Watch(told=told.append)
    fetch(HubName.parse("ann/words"), watch)
    assert watch.fraction == 1.0 and watch.total == len(WORDS) + 20 and told[0] == 0.0
    assert all(0 <= f <= 1 for f in told)


def test_cancelled_before_a_file_nothing_more_is_fetched(server: Hub) -> None:
    watch = Watch()
    watch.cancel()
    with pytest.raises(Cancelled):
        fetch(HubName.parse("ann/words"), watch)
    assert [p for _, p in server.asked if "/resolve/" in p] == []


def test_cancelled_within_a_file(server: Hub) -> None:
    server.repos["ann/words"]["tokenizer.json"] = WORDS + b" " * 3_000_000
    watch = Watch()
    watch.told = lambda fraction: watch.cancel() if fraction else None
    with pytest.raises(Cancelled):
        fetch(HubName.parse("ann/words"), watch)
    assert watch.fraction < 1 or watch.done


@pytest.mark.parametrize(("text", "sentence"), [
    ("hub:no/where", "the hub has no public repository no/where"),
    ("hub:ann/nothing", "ann/nothing has no tokenizer file that is known here"),
    ("hub:ann/closed", "ann/closed is open only to those who accepted its terms"),
    ("hub:a b", "'hub:a b' is no name of a repository on the hub"),
    ("hub:../../etc/passwd", "is no name of a repository on the hub"),
    ("hub:", "is no name of a repository on the hub"),
    ("hub:-a/b", "is no name of a repository on the hub"),
])  # fmt: skip
def test_each_thing_that_goes_wrong_is_one_sentence(server: Hub, text: str, sentence: str) -> None:
    server.repos["ann/nothing"] = {"README.md": b"", "model.safetensors": b""}
    server.repos["ann/closed"] = {"tokenizer.json": WORDS}
    server.gated.add("ann/closed")
    with pytest.raises(InputError) as caught:
        load(text)
    assert sentence in str(caught.value) and "\n" not in str(caught.value) and caught.value.todo


def test_a_server_with_an_error(server: Hub) -> None:
    server.failing = 500
    with pytest.raises(InputError, match="the hub answered ann/words with error 500; try again later"):
        fetch(HubName.parse("ann/words"))


def test_offline_says_so_and_opens_what_was_fetched_before(
    server: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = fetch(HubName.parse("ann/words"))
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")  # discard: nobody listens
    assert fetch(HubName.parse("ann/words")) == before
    with pytest.raises(InputError, match=r"the hub cannot be reached, http://127.0.0.1:9; check the connection"):
        fetch(HubName.parse("ann/other"))


def test_without_the_package_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda n, *a: None if n == "huggingface_hub" else find(n, *a))
    with pytest.raises(InputError) as caught:
        load("hub:ann/words")
    assert str(caught.value) == (
        'fetching from the hub needs the package huggingface_hub; pip install "tokenloupe[hub]"')


def test_a_tokenizer_file_too_large_is_not_fetched(server: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "LARGEST", 100)
    with pytest.raises(InputError, match="too many for a tokenizer file"):
        fetch(HubName.parse("ann/words"))


@pytest.mark.parametrize(("files", "chosen"), [
    (["tokenizer.json", "tekken.json", "tokenizer_config.json"], ["tokenizer.json", "tokenizer_config.json"]),
    (["tekken.json", "tokenizer.model"], ["tekken.json"]),
    (["vocab.json", "merges.txt", "added_tokens.json"], ["vocab.json", "merges.txt", "added_tokens.json"]),
    (["vocab.json", "x.tiktoken", "y/z.tiktoken"], ["x.tiktoken"]),
])  # fmt: skip
def test_the_best_of_a_repositorys_files_is_chosen(files: list[str], chosen: list[str]) -> None:
    assert choose(files, HubName("a/b")) == chosen


@pytest.mark.parametrize("text", ["hub:a/b@v1", "a/b@v1", " https://huggingface.co/a/b@v1 ", "hf.co/a/b@v1"])
def test_ways_to_write_a_name(text: str) -> None:
    assert HubName.parse(text) == HubName("a/b", "v1")


def test_a_file_is_never_taken_for_a_name(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_bytes(WORDS)
    assert open_tokenizer(path).encode("world").ids.tolist() == [2]
