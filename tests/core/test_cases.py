"""Cases on disk: saved, opened and saved again; tokenizers that moved, changed, are gone, or must not be touched."""

from __future__ import annotations

import base64
import os
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

import tokenloupe
from tokenloupe import cases
from tokenloupe.cases import find_tokenizer, read_case, write_case
from tokenloupe.core.case_file import Case, TokenizerRef, dumps, loads
from tokenloupe.core.errors import InputError

TEXT = "naïve 👨‍👩‍👧 漢字 العربية ".encode() + b"\xc3(\xff\x00 <|endoftext|>"


def rank_file(folder: Path, extra: bytes = b"ab") -> Path:
    """All bytes and one merge."""
    folder.mkdir(exist_ok=True)
    pieces = [bytes([b]) for b in range(256)] + [extra]
    file = folder / "small.tiktoken"
    file.write_bytes(b"".join(base64.b64encode(p) + b" %d\n" % i for i, p in enumerate(pieces)))
    return file


@pytest.mark.parametrize("special", ["text", "parse", {"<|endoftext|>"}])
def test_saved_opened_and_saved_again_is_the_same_file(tmp_path: Path, special: object) -> None:
    tokenizer = tokenloupe.load("gpt2")
    made = tokenloupe.save_case(tmp_path / "a.loupe", tokenizer, TEXT, special=special, name="t", note="n")  # type: ignore
    opened = tokenloupe.open_case(tmp_path / "a.loupe")
    assert opened.same and opened.problems == () and opened.case == made and opened.tokenizer is tokenizer
    assert opened.case.data == TEXT
    expected = tokenizer.encode(TEXT, special=special).ids.tolist()  # type: ignore[arg-type]
    assert opened.case.ids.tolist() == expected
    write_case(tmp_path / "b.loupe", opened.case)
    assert (tmp_path / "a.loupe").read_bytes() == (tmp_path / "b.loupe").read_bytes()


def test_known_ids_of_tiktoken(tmp_path: Path) -> None:
    case = tokenloupe.save_case(tmp_path / "a.loupe", tokenloupe.load("gpt2"), "hello world")
    assert case.ids.tolist() == [31373, 995]


def test_a_tokenizer_below_the_case_moves_with_it(tmp_path: Path) -> None:
    file = rank_file(tmp_path / "here")
    tokenizer = tokenloupe.load(file.parent / ".." / "here" / file.name, pattern="cl100k")
    tokenloupe.save_case(tmp_path / "a.loupe", tokenizer, "abc")
    case = read_case(tmp_path / "a.loupe")
    assert (case.tokenizer.source, dict(case.tokenizer.options)) == ("here/small.tiktoken", {"pattern": "cl100k"})
    (tmp_path / "moved").mkdir()
    shutil.move(tmp_path / "here", tmp_path / "moved" / "here")
    shutil.move(tmp_path / "a.loupe", tmp_path / "moved" / "a.loupe")
    opened = tokenloupe.open_case(tmp_path / "moved" / "a.loupe")
    assert opened.same and opened.tokenizer is not None and opened.case.ids.tolist() == [256, ord("c")]


def test_a_changed_tokenizer_is_told_and_used(tmp_path: Path) -> None:
    file = rank_file(tmp_path / "t")
    tokenloupe.save_case(tmp_path / "a.loupe", tokenloupe.load(file, pattern="cl100k"), "abc")
    rank_file(tmp_path / "t", b"bc")
    opened = tokenloupe.open_case(tmp_path / "a.loupe")
    assert opened.tokenizer is not None and not opened.same
    assert "another file than the case was made with" in opened.problems[0]
    assert opened.problems[1] == "token 0 is 97, in the case 256"


def test_a_tokenizer_that_is_gone_is_told_unless_it_is_open(tmp_path: Path) -> None:
    file = rank_file(tmp_path / "t")
    tokenizer = tokenloupe.load(file, pattern="cl100k")
    tokenloupe.save_case(tmp_path / "a.loupe", tokenizer, "abc")
    file.unlink()
    opened = tokenloupe.open_case(tmp_path / "a.loupe")
    assert opened.tokenizer is None and len(opened.problems) == 1
    assert "small.tiktoken" in opened.problems[0] and "is not here" in opened.problems[0]
    assert tokenloupe.open_case(tmp_path / "a.loupe", known=[tokenizer]).same


def test_a_bundled_vocabulary_is_known_by_its_hash(tmp_path: Path) -> None:
    sha = tokenloupe.load("cl100k_base").sha256
    about = TokenizerRef("my copy", "tiktoken", sha, "/somewhere/else/cl100k.tiktoken")
    found, problem = find_tokenizer(about, tmp_path)
    assert found is not None and found.name == "cl100k_base" and problem == ""
    r50k = TokenizerRef("r50k_base", "tiktoken", tokenloupe.load("gpt2").sha256, "gone")
    found, _ = find_tokenizer(r50k, tmp_path)
    assert found is not None and found.name == "r50k_base"  # gpt2 is the same file


def test_a_folder_called_as_a_bundled_vocabulary_is_not_taken_for_it(tmp_path: Path, monkeypatch) -> None:
    rank_file(tmp_path / "gpt2")
    about = TokenizerRef("gpt2", "tiktoken", tokenloupe.load("gpt2").sha256, "gpt2")
    monkeypatch.chdir(tmp_path)
    found, problem = find_tokenizer(about, tmp_path)
    assert found is not None and len(found.vocabulary) == 50257 and problem == ""


@pytest.mark.parametrize("source", [
    "", "hub:owner/name", "hub:../../x", "//server/share/tokenizer.json", "\\\\server\\share\\tokenizer.json",
    "\\\\?\\C:\\x", "\\\\.\\pipe\\x", "https://example.org/tokenizer.json", "file:///etc/passwd", "a\0b",
    "../" * 40 + "etc/passwd", "/etc/passwd", "/dev/zero", "/dev/stdin", "x" * 5000, "~/tokenizer.json", ".", "..", "/",
    "C:\\Windows\\x", "CON", "missing.json", "self.loupe",
])
def test_a_source_from_a_stranger_is_a_hint_and_no_more(tmp_path: Path, source: str, monkeypatch) -> None:
    import socket

    def no_network(*_: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", no_network)
    case = Case(b"hi", TokenizerRef("x", "tokenizer.json", "ab" * 32, source), ids=np.array([1]))
    (tmp_path / "self.loupe").write_bytes(dumps(case))
    opened = tokenloupe.open_case(tmp_path / "self.loupe")
    assert opened.tokenizer is None and len(opened.problems) == 1
    assert "is not here" in opened.problems[0] and opened.problems[0].isprintable()
    assert len(opened.problems[0]) < 2000


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes in folders on Windows")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    found, problem = find_tokenizer(TokenizerRef("x", "", "ab" * 32, "pipe"), tmp_path)
    assert found is None and "neither a file nor a folder" in problem
    with pytest.raises(InputError, match="this is no file"):
        read_case(tmp_path / "pipe")


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights on Windows")
def test_links_that_lead_to_themselves(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    found, problem = find_tokenizer(TokenizerRef("x", "", "ab" * 32, "a"), tmp_path)
    assert found is None and problem


def test_a_pattern_that_blows_up_is_a_sentence(tmp_path: Path) -> None:
    rank_file(tmp_path)
    for pattern in ("(", "(?<=a)+*", "no such name", "[[:what:]]"):
        about = TokenizerRef("x", "tiktoken", "ab" * 32, "small.tiktoken", {"pattern": pattern})
        case = Case(b"aaaa" * 10, about)
        (tmp_path / "a.loupe").write_bytes(dumps(case))
        opened = tokenloupe.open_case(tmp_path / "a.loupe")
        assert opened.problems


def test_special_tokens_that_the_tokenizer_lacks(tmp_path: Path) -> None:
    about = cases.reference(tokenloupe.load("gpt2"), tmp_path)
    write_case(tmp_path / "a.loupe", Case(b"hi", about, frozenset({"<nothing>"})))
    opened = tokenloupe.open_case(tmp_path / "a.loupe")
    assert opened.tokenizer is not None and opened.problems == (
        "gpt2 has no special token '<nothing>'; it has <|endoftext|>",)


def test_it_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a\.loupe cannot be written"):
        tokenloupe.save_case(tmp_path / "none" / "a.loupe", tokenloupe.load("gpt2"), "hi")
    (tmp_path / "dir.loupe").mkdir()
    with pytest.raises(InputError, match=r"dir\.loupe is no file; choose another name"):
        tokenloupe.save_case(tmp_path / "dir.loupe", tokenloupe.load("gpt2"), "hi")
    assert [p.name for p in tmp_path.iterdir()] == ["dir.loupe"]  # no part is left behind
    with pytest.raises(InputError, match=r"nothing\.loupe cannot be read"):
        tokenloupe.open_case(tmp_path / "nothing.loupe")
    with pytest.raises(InputError):
        tokenloupe.open_case("a\0b")


def test_a_case_that_would_be_too_large_is_not_written(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(cases, "LARGEST", 500)
    with pytest.raises(InputError, match="give a part of the text"):
        tokenloupe.save_case(tmp_path / "a.loupe", tokenloupe.load("gpt2"), "x" * 1000)
    assert list(tmp_path.iterdir()) == []


def test_a_case_with_bos_and_eos(tmp_path: Path) -> None:
    case = tokenloupe.save_case(tmp_path / "a.loupe", tokenloupe.load("gpt2"), "hi", bos_eos=True)
    assert loads((tmp_path / "a.loupe").read_bytes()).bos_eos and tokenloupe.open_case(tmp_path / "a.loupe").same
    assert case.bos_eos
