"""What is no tokenizer is named in one sentence; an archive of one tokenizer is opened."""

from __future__ import annotations

import gzip
import io
import json
import os
import zipfile
from pathlib import Path

import pytest

from sp_build import BASE, NORMAL, build
from tokenloupe.core.errors import InputError
from tokenloupe.formats import open_bytes, open_tokenizer, refuse

MODEL = build([*BASE, ("a", -1.0, NORMAL)])


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


NAMED = {
    "empty": (b"", "the file is empty"),
    "lfs": (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n", "Git LFS pointer.*git lfs pull"),
    "html": (b"\n<!DOCTYPE html>\n<html><body>404</body>", "HTML page.*raw file"),
    "xml": (b"<?xml version='1.0'?><Error/>", "XML document"),
    "utf16": ('{"some": [1]}'.encode("utf-16"), "UTF-16"),
    "utf16 without a mark": ('{"some": [1]}'.encode("utf-16-le"), "UTF-16 without a mark"),
    "safetensors": ((20).to_bytes(8, "little") + b'{"__metadata__":{}}', "safetensors.*tensors"),
    "pickle": (b"\x80\x04\x95\x10\0\0\0\0\0\0\0}q\0.", "pickle"),
    "onnx": (b"\x08\x08\x12\x07pytorch\x1a\x052.0", "ONNX"),
    "legacy": (b"tjgg\3\0\0\0", "legacy GGJT v3"),
    "cut json": (b'{"some": [1, 2', "ends in the middle, line 1"),
    "other json": (b'{"some": [1], "thing": "x"}', "keys are 'some', 'thing'"),
    "plain text": (b"A paragraph about tokenizers.\nIt has two lines, and more words.\n", "plain text"),
    "mark and text": (b"\xef\xbb\xbfwords, just words\n", "byte order mark"),
    "bytes": (bytes(range(1, 200)), "no format that is known"),
    "checkpoint": (zipped({"archive/data.pkl": b"1", "archive/version": b"3"}), "PyTorch checkpoint"),
    "two files": (zipped({"one": b"1", "two": b"2"}), "2 files"),
    "cut zip": (zipped({"tokenizer.model": MODEL})[:-30], "zip archive cannot be read"),
    "cut gzip": (gzip.compress(MODEL, mtime=0)[:-12], "gzip file ends in the middle"),
    "damaged gzip": (b"\x1f\x8b\x08\0\0\0\0\0\0\0" + b"\xff" * 20, "gzip file is damaged"),
    "bzip2": (b"BZh91AY&SY", "bzip2"),
}


@pytest.mark.parametrize("name", NAMED)
def test_named(name: str) -> None:
    data, said = NAMED[name]
    with pytest.raises(InputError, match=said) as error:
        open_bytes(data, "file")
    assert error.value.where and error.value.todo and "\n" not in str(error.value)


@pytest.mark.parametrize("data", [
    gzip.compress(MODEL, mtime=0),
    gzip.compress(MODEL[:30], mtime=0) + gzip.compress(MODEL[30:], mtime=0),
    zipped({"a/tokenizer.model": MODEL}),
    zipped({"README.md": b"x", "m/tokenizer.model": MODEL}), gzip.compress(zipped({"x": MODEL}), mtime=0),
], ids=["gzip", "two gzips", "zip", "zip of two", "zip in gzip"])
def test_what_is_inside_is_opened(data: bytes) -> None:
    assert open_bytes(data, "x.gz").format == "sentencepiece"


def test_an_archive_that_grows_without_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refuse, "LARGEST_INSIDE", 1 << 20)
    for data in (gzip.compress(bytes(2 << 20), mtime=0), zipped({"x": bytes(2 << 20)})):
        with pytest.raises(InputError, match="unpacks to more than 1 MiB"):
            open_bytes(data, "bomb")


def test_json_that_nests_without_end() -> None:
    with pytest.raises(InputError):
        open_bytes(b'{"a":' * 100_000, "deep.json")
    assert json.loads("{}") == {}


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_zip_that_is_damaged_inside(method: int) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        archive.writestr("tokenizer.json", bytes(range(256)) * 40)
    whole = out.getvalue()
    for at in range(44, len(whole) - 80, 7):
        with pytest.raises(InputError) as caught:
            open_bytes(whole[:at] + b"\x99" * 20 + whole[at + 20 :], "t.zip")
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("data", [b"[%s]", b'{"a": %s}', b'{"model": {"vocab": {"a": %s}}}'])
def test_a_number_of_thousands_of_digits(data: bytes) -> None:
    with pytest.raises(InputError):
        open_bytes(data % (b"1" * 5000), "t.json")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "tokenizer.json")
    with pytest.raises(InputError, match="neither a file nor a folder"):
        open_tokenizer(tmp_path / "tokenizer.json")


def test_names_that_no_file_can_have(tmp_path: Path) -> None:
    for name in ("a\0b", "x" * 5000, str(tmp_path / "not there" / "tokenizer.json")):
        with pytest.raises(InputError, match="cannot be read"):
            open_tokenizer(name)
