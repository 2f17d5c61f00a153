"""NumPy files: written by numpy, read without it; headers that lie; archives stored and deflated."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import numpy as np
import pytest

from tokenloupe.core.errors import InputError
from tokenloupe.tensors.files import open_tensors

from .build import npy, put

ARRAYS = [
    np.arange(12, dtype="<f4").reshape(3, 4),
    np.arange(12, dtype=">f4").reshape(3, 4),
    np.arange(24, dtype=">i8").reshape(2, 3, 4),
    np.arange(12, dtype="<u2"),
    np.array(5, "<f8"),
    np.array([True, False]),
    np.arange(6, dtype="<f2").reshape(2, 3),
    np.array([1 + 2j, 3], ">c16"),
    np.asfortranarray(np.arange(12, dtype="<f4").reshape(3, 4)),
    np.zeros((0, 3), "<f4"),
    np.asfortranarray(np.arange(24, dtype="<i4").reshape(2, 3, 4)),
]


@pytest.mark.parametrize("array", ARRAYS, ids=lambda a: f"{a.dtype.str}{a.shape}")
def test_what_numpy_writes(tmp_path: Path, array: np.ndarray) -> None:
    path = tmp_path / "x.npy"
    np.save(path, array)
    file = open_tensors(path)
    t = file.tensors[0]
    assert (t.name, t.shape, t.nbytes, t.problem) == ("x", array.shape, array.nbytes, None)
    if array.size:
        assert t.strides == array.strides
    assert np.array_equal(file.array(t), array)


@pytest.mark.parametrize("version", [1, 2, 3])
def test_header_versions(tmp_path: Path, version: int) -> None:
    data = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n", bytes(8), version)
    assert open_tensors(put(tmp_path, "x.npy", data)).tensors[0].shape == (2,)


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_archives(tmp_path: Path, save: object) -> None:
    path = tmp_path / "x.npz"
    arrays = {
        "a": np.arange(1000, dtype="<f4").reshape(10, 100),
        "b": np.arange(5, dtype=">i2"),
        "f": np.asfortranarray(np.eye(3)),
    }
    save(path, **arrays)  # type: ignore[operator]
    file = open_tensors(path)
    assert [t.name for t in file.tensors] == ["a", "b", "f"]
    for t in file.tensors:
        assert t.problem is None
        assert np.array_equal(file.array(t), arrays[t.name])
    stored = save is np.savez
    assert all((t.offset > 0) == stored for t in file.tensors)


def text(descr: str = "'<f4'", shape: str = "(2,)", order: str = "False") -> str:
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}"


@pytest.mark.parametrize(
    ("header", "sentence"),
    [
        (text("'|O'"), "it holds Python objects (a pickle), which are never loaded"),
        (text("[('a', '|O')]"), "it holds Python objects (a pickle), which are never loaded"),
        (text("[('a', '<f4'), ('b', [('c', 'O')])]"), "it holds Python objects (a pickle), which are never loaded"),
        (text("[('a', 5)]"), "its descr is no data type"),
        (text("'<q9'"), "'<q9' is no data type that is read"),
        (text(shape="(2.5,)"), "its shape is no tuple of lengths"),
        (text(shape="(-2,)"), "its shape is no tuple of lengths"),
        (text(shape="(4611686018427387904, 4)"), "73786976294838206464 bytes are more than any file has"),
        (text(shape="(1000,)"), "data past end of file: 3,992 of 4,000 bytes are missing"),
        (text(order="7"), "fortran_order is neither True nor False"),
    ],
)
def test_what_is_wrong_with_the_array(tmp_path: Path, header: str, sentence: str) -> None:
    file = open_tensors(put(tmp_path, "x.npy", npy(header, bytes(8))))
    assert sentence in str(file.tensors[0].problem) and not file.problems
    with pytest.raises(InputError, match="cannot be read"):
        file.raw(file.tensors[0])


def test_records_and_texts_are_bytes(tmp_path: Path) -> None:
    path = tmp_path / "x.npy"
    np.save(path, np.zeros(3, [("a", "<f4"), ("b", "<i2", (2,))]))
    t = open_tensors(path).tensors[0]
    assert (t.type, t.nbytes, t.block, t.problem) == ("record", 24, None, None)
    np.save(path, np.zeros(2, [("x(", "<f4"), ('"]', "u1")]))
    assert (open_tensors(path).tensors[0].type, open_tensors(path).tensors[0].nbytes) == ("record", 10)
    np.save(path, np.array(["ab", "c"]))
    assert open_tensors(path).tensors[0].nbytes == 16


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"\x93NUMPY", "the file ends inside the header, after 6 bytes"),
        (b"\x93NUMPY\x01\x00\x05", "the file ends inside the header, after 9 bytes"),
        (b"\x93NUMPY\x09\x00" + bytes(8), "version 9.0 of .npy is not known"),
        (b"\x93NUMPY\x02\x00\xff\xff\xff\x7f" + bytes(8), "a header of 2,147,483,647 bytes is announced"),
        (npy("__import__('os').getcwd()"), "the header is no dictionary"),
        (
            npy("{'descr': __import__('os').getcwd(), 'fortran_order': False, 'shape': ()}"),
            "no dictionary of plain values",
        ),
        (npy("{" + "(" * 5000 + ")" * 5000 + "}"), "the header is no dictionary"),
        (npy("{'shape': (2,)}"), "the header must have exactly descr, fortran_order and shape"),
        (npy("{'a': 1"), "the header is no dictionary"),
    ],
)
def test_headers_that_cannot_be_read(tmp_path: Path, data: bytes, sentence: str) -> None:
    with pytest.raises(InputError, match=re.escape(sentence)):
        open_tensors(put(tmp_path, "x.npy", data))


def test_lengths_as_python_2_wrote_them(tmp_path: Path) -> None:
    data = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2L, 1L), }", np.float32([1, 2]).tobytes())
    file = open_tensors(put(tmp_path, "x.npy", data))
    with pytest.warns(UserWarning, match="created on Python 2"):
        assert file.array(file.tensors[0]).tolist() == np.load(tmp_path / "x.npy").tolist() == [[1], [2]]


def test_a_header_of_quotes_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the header is no dictionary"):
        open_tensors(put(tmp_path, "x.npy", npy("{'" + "\\'" * 32_000)))


def archive(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as z:
        for name, data in members.items():
            z.writestr(name, data)
    return out.getvalue()


def test_a_member_that_is_no_array_leaves_the_others(tmp_path: Path) -> None:
    good = npy(text(), np.array([1, 2], "<f4").tobytes())
    file = open_tensors(put(tmp_path, "x.npz", archive({"a.npy": good, "b.npy": b"nothing", "c.npy": npy("{", b"")})))
    assert file.values(file.tensors[0]).tolist() == [1, 2]
    assert [t.problem is None for t in file.tensors] == [True, False, False]


def test_a_member_that_promises_more_than_it_has(tmp_path: Path) -> None:
    huge = npy(text(shape="(1000000000000,)"), bytes(8))
    file = open_tensors(put(tmp_path, "x.npz", archive({"a.npy": huge})))
    assert "4,000,000,000,000 bytes are promised and the member has 8" in str(file.tensors[0].problem)


def test_two_members_of_one_name_and_an_encrypted_one(tmp_path: Path) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z, pytest.warns(UserWarning, match="Duplicate name"):
        for _ in range(2):
            z.writestr("a.npy", npy(text(), bytes(8)))
    file = open_tensors(put(tmp_path, "x.npz", out.getvalue()))
    assert [t.problem for t in file.tensors] == ["another tensor has the same name"] * 2
    one = bytearray(archive({"a.npy": npy(text(), bytes(8))}))
    one[6] |= 1
    one[one.index(b"PK\x01\x02") + 8] |= 1
    assert open_tensors(put(tmp_path, "y.npz", bytes(one))).tensors[0].problem == "it is encrypted"


def test_pytorch_archives_and_other_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="this is a PyTorch file"):
        open_tensors(put(tmp_path, "x.bin", archive({"archive/data.pkl": b"\x80\x02."})))
    for data, name in [
        (b"\x80\x04K\x01.", "a Python pickle, which is never loaded"),
        (b"version https://git-lfs.github.com/spec/v1\n", "a Git LFS pointer"),
        (b"<!DOCTYPE html><html>", "an HTML page"),
        (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
        (b"plain text of some length", "no GGUF"),
    ]:
        with pytest.raises(InputError, match=name):
            open_tensors(put(tmp_path, "x.bin", data))
    with pytest.raises(InputError, match="the zip directory cannot be read"):
        open_tensors(put(tmp_path, "x.npz", b"PK\x03\x04" + bytes(40)))
    with pytest.raises(InputError, match="cannot be read"):
        open_tensors(tmp_path / "nothing")
