"""What is no tokenizer is named in one sentence; an archive of one tokenizer is opened."""

from __future__ import annotations

import gzip
import io
import json
import zipfile

import pytest

from sp_build import BASE, NORMAL, build
from tokenloupe.core.errors import InputError
from tokenloupe.formats import open_bytes, refuse

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
    "cut gzip": (gzip.compress(MODEL)[:-12], "gzip file ends in the middle"),
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
    gzip.compress(MODEL), gzip.compress(MODEL[:30]) + gzip.compress(MODEL[30:]), zipped({"a/tokenizer.model": MODEL}),
    zipped({"README.md": b"x", "m/tokenizer.model": MODEL}), gzip.compress(zipped({"x": MODEL})),
])
def test_what_is_inside_is_opened(data: bytes) -> None:
    assert open_bytes(data, "x.gz").format == "sentencepiece"


def test_an_archive_that_grows_without_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refuse, "LARGEST_INSIDE", 1 << 20)
    for data in (gzip.compress(bytes(2 << 20)), zipped({"x": bytes(2 << 20)})):
        with pytest.raises(InputError, match="unpacks to more than 1 MiB"):
            open_bytes(data, "bomb")


def test_json_that_nests_without_end() -> None:
    with pytest.raises(InputError):
        open_bytes(b'{"a":' * 100_000, "deep.json")
    assert json.loads("{}") == {}
