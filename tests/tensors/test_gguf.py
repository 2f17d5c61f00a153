"""GGUF files built by hand: what is in them, and each thing that can be wrong with a tensor."""

from __future__ import annotations

import math
import struct
from pathlib import Path

import numpy as np
import pytest

from tokenloupe.core.errors import InputError
from tokenloupe.tensors import blocks
from tokenloupe.tensors.files import TensorFile, contiguous_strides, open_tensors

from .build import array, gguf, put, text, u32

F32, Q4_0 = 0, 2


def opened(folder: Path, data: bytes, name: str = "x.gguf") -> TensorFile:
    return open_tensors(put(folder, name, data))


def floats(*values: float, big: bool = False) -> bytes:
    return struct.pack(f"{'>' if big else '<'}{len(values)}f", *values)


@pytest.mark.parametrize("big", [False, True])
@pytest.mark.parametrize("version", [2, 3])
def test_values_in_both_byte_orders(tmp_path: Path, big: bool, version: int) -> None:
    pairs = [
        ("x", 4, u32(0x01020304, big)),
        ("name", 8, text("Ünïcode", big)),
        ("a", 9, array(4, 4, b"".join(u32(i, big) for i in (1, 2, 3, 4)), big)),
        ("s", 9, array(8, 2, text("ab", big) + text("", big), big)),
    ]
    file = opened(tmp_path, gguf(pairs, [("w", [4], F32, 0)], floats(1, 2, 3, 4, big=big), big=big, version=version))
    values = {m.key: m.value if m.count is None else m.items(0, 9) for m in file.metadata}
    assert values == {"x": 16909060, "name": "Ünïcode", "a": [1, 2, 3, 4], "s": ["ab", ""]}
    assert [m.type for m in file.metadata] == ["uint32", "string", "uint32[4]", "string[2]"]
    t = file.tensors[0]
    assert (t.shape, t.problem, t.big_endian) == ((4,), None, big)
    assert file.values(t).tolist() == [1, 2, 3, 4]
    assert ("BIG" in file.label) == big
    assert file.byte_order == ("big" if big else "little")


def test_a_quantised_tensor_counts_elements_not_bytes(tmp_path: Path) -> None:
    """Case gguf-quant-shape-stride: ne [64, 3] is 3 rows of 64 weights, 2 blocks of 18 bytes each."""
    data = np.random.default_rng(0).integers(0, 256, (6, 18), dtype=np.uint8)
    data[:, 1] &= 0x3F
    file = opened(tmp_path, gguf([], [("w", [64, 3], Q4_0, 0)], data.tobytes()))
    t = file.tensors[0]
    assert (t.shape, t.strides, t.nbytes, t.elements) == ((3, 64), (36, 18), 108, 192)
    assert file.block_count(t) == 6
    assert np.array_equal(file.values(t).reshape(6, 32), blocks.dequantize("Q4_0", data))
    assert np.array_equal(file.values(t, 37, 40), blocks.dequantize("Q4_0", data).reshape(-1)[37:77])
    assert np.array_equal(file.block_bytes(t, 2, 3), data[2:5])


def test_scales_of_a_big_endian_file_are_turned(tmp_path: Path) -> None:
    data = np.random.default_rng(0).integers(0, 256, (2, 18), dtype=np.uint8)
    data[:, 1] &= 0x3F
    turned = data.copy()
    turned[:, :2] = data[:, 1::-1]
    file = opened(tmp_path, gguf([], [("w", [32, 2], Q4_0, 0)], turned.tobytes(), big=True))
    assert np.array_equal(file.values(file.tensors[0]).reshape(2, 32), blocks.dequantize("Q4_0", data))
    assert np.array_equal(file.raw(file.tensors[0]).reshape(2, 18), turned)


def test_strides_by_hand() -> None:
    q4 = blocks.by_name("Q4_0")
    assert contiguous_strides((2, 3, 64), q4) == (108, 36, 18)
    assert contiguous_strides((5, 7), blocks.by_name("F32")) == (28, 4)
    assert contiguous_strides((), q4) == ()


@pytest.mark.parametrize(
    ("tensors", "size", "sentences"),
    [
        ([("a", [8], F32, 1 << 20)], 32, [r"data past end of file: it would start at byte 1,048,\d+ of \d+"]),
        ([("a", [8], F32, 0)], 20, [r"data past end of file: 12 of 32 bytes are missing, the file is cut at byte \d+"]),
        ([("a", [8], F32, 4)], 64, ["unaligned: offset 4 is not a multiple of 32"]),
        ([("a", [16], F32, 0), ("b", [16], F32, 32)], 96, ["overlap with b: bytes .* are in both", "overlap with a"]),
        ([("a", [8], F32, 0), ("b", [8], F32, 96)], 128, [None, "gap of 64 bytes before it that belong to no tensor"]),
        ([("a", [48, 2], Q4_0, 0)], 54, [r"a row of 48 is not a multiple of the block of 32 \(48 % 32 = 16\)"]),
        ([("a", [32, 8], 12, 0)], 144, [r"a row of 32 is not a multiple of the block of 256 \(32 % 256 = 32\)"]),
        ([("a", [4, 0], F32, 0)], 0, ["a dimension is 0: it has no elements"]),
        ([("a", [2**64 - 4], F32, 0)], 0, [r"dimension 18446744073709551612 is negative as a signed number \(-4\)"]),
        ([("a", [4, 2**30 - 1, 2**30 + 1], F32, 0)], 0, ["its 18446744073709551600 bytes are more than any file has"]),
        ([("a", [2**40], F32, 0)], 0, ["data past end of file"]),
        ([("a", [4], 77, 0), ("b", [4], F32, 0)], 16, ["type 77 is no type of GGML that is known", None]),
        ([("a", [4], 4, 0)], 16, ["Q4_2 is a type that GGML has withdrawn"]),
        ([("a", [1, 1, 1, 1, 4], F32, 0)], 16, ["it has 5 dimensions, GGML allows 4"]),
        ([("a", [4], F32, 0), ("a", [4], F32, 32)], 48, ["another tensor has the same name"] * 2),
        ([("n" * 64, [4], F32, 0)], 16, ["the name has 64 bytes, GGML allows 63"]),
        ([("a", [4], F32, 0)], 16, [None]),
        ([("scalar", [], F32, 0)], 4, [None]),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_tensor(
    tmp_path: Path, tensors: list[tuple[str, list[int], int, int]], size: int, sentences: list[str | None]
) -> None:
    import re

    file = opened(tmp_path, gguf([], tensors, bytes(size)))
    for t, sentence in zip(file.tensors, sentences, strict=True):
        if sentence is None:
            assert t.problem is None
            assert file.values(t).size == t.elements
        else:
            assert t.problem is not None
            assert re.search(sentence, t.problem), t.problem
        if not t.readable:
            with pytest.raises(InputError, match="cannot be read"):
                file.raw(t)


def test_trailing_bytes_and_a_missing_tail_pad(tmp_path: Path) -> None:
    tensors = [("a", [3], F32, 0)]
    assert opened(tmp_path, gguf([], tensors, bytes(12))).problems == ()
    assert opened(tmp_path, gguf([], tensors, bytes(32))).problems == ()
    trailing = opened(tmp_path, gguf([], tensors, bytes(32 + 36)))
    assert trailing.problems == ("36 trailing bytes after the last tensor that belong to no tensor",)


@pytest.mark.parametrize(
    ("kind", "value", "alignment", "problem"),
    [
        (4, u32(64), 64, ""),
        (4, u32(48), 32, "no power of two"),
        (4, u32(0), 32, "no power"),
        (8, text("8"), 32, "no power"),
    ],
)
def test_alignment(tmp_path: Path, kind: int, value: bytes, alignment: int, problem: str) -> None:
    file = opened(tmp_path, gguf([("general.alignment", kind, value)], [("a", [4], F32, 0)], floats(1, 2, 3, 4),
                                 alignment=alignment))  # fmt: skip
    assert file.alignment == alignment
    assert file.values(file.tensors[0]).tolist() == [1, 2, 3, 4]
    assert (problem in " ".join(file.problems)) if problem else not file.problems


def test_a_key_twice_is_shown_with_both_values(tmp_path: Path) -> None:
    file = opened(tmp_path, gguf([("x", 4, u32(1)), ("x", 4, u32(2)), ("y", 4, u32(3))], []))
    assert [(m.key, m.value, m.problem) for m in file.metadata] == [
        ("x", 1, "this key is there twice"), ("x", 2, "this key is there twice"), ("y", 3, None),
    ]  # fmt: skip
    assert file.problems == ("the key x is there twice: 1 and 2",)


def test_the_original_shape_of_a_flattened_tensor(tmp_path: Path) -> None:
    key = "comfy.gguf.orig_shape.t"
    shape = array(5, 3, b"".join(u32(i) for i in (2, 3, 5)))
    file = opened(tmp_path, gguf([(key, 9, shape)], [("t", [30], F32, 0)], bytes(120)))
    assert file.tensors[0].shape == (30,)
    assert file.tensors[0].notes == (f"original shape 2x3x5 (key {key})",)
    assert file.tensors[0].problem is None
    wrong = opened(tmp_path, gguf([(key, 9, shape)], [("t", [31], F32, 0)], bytes(124)), "y.gguf")
    assert "has 30 elements and the stored shape 31" in str(wrong.tensors[0].problem)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "the file is empty, byte 0"),
        (b"GGU", "the file ends inside its header, after 3 bytes"),
        (b"GGUF", "the file ends inside the version"),
        (b"tjgg\x03\0\0\0", "this is a legacy GGJT v3 file, not GGUF"),
        (b"gguf\x03\0\0\0" + bytes(16), "the magic is 'gguf' in lower case"),
        (b"GGUF" + struct.pack("<IQQ", 1, 0, 0), "GGUF version 1, which no current program"),
        (b"GGUF" + struct.pack("<IQQ", 9, 0, 0), "GGUF version 9 is not known"),
        (b"GGUF" + struct.pack("<IQQ", 3, 2**60, 0), "the file ends inside 1,152,921,504,606,846,976 tensor infos"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 2**63), "9,223,372,036,854,775,808 keys"),
        (
            b"GGUF" + struct.pack("<IQQ", 3, 1, 0) + text("t") + u32(2**31) + bytes(64),
            "claims 2,147,483,648 dimensions",
        ),
        (
            b"GGUF" + struct.pack("<IQQ", 3, 1, 0) + struct.pack("<Q", 2**62) + bytes(64),
            "the length of the name of tensor 0",
        ),
    ],
)
def test_headers_that_cannot_be_read(tmp_path: Path, data: bytes, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        opened(tmp_path, data)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def split_parts(folder: Path, count: int = 3) -> list[Path]:
    paths = []
    for part in range(count):
        pairs = [("split.no", 2, struct.pack("<H", part)), ("split.count", 2, struct.pack("<H", count)),
                 ("split.tensors.count", 5, struct.pack("<i", count))]  # fmt: skip
        data = gguf([*pairs, ("part", 4, u32(part))], [(f"t{part}", [1], F32, 0)], floats(part))
        paths.append(put(folder, f"m-{part + 1:05}-of-{count:05}.gguf", data))
    return paths


def test_a_split_model_opens_whole_from_any_part(tmp_path: Path) -> None:
    for path in split_parts(tmp_path):
        file = open_tensors(path)
        assert [(t.name, t.file, file.values(t).tolist()) for t in file.tensors] == [
            ("t0", 0, [0]), ("t1", 1, [1]), ("t2", 2, [2]),
        ]  # fmt: skip
        assert file.problems == ()
        assert [m.value for m in file.metadata if m.key == "part"] == [0]
        assert [t.index for t in file.tensors] == [0, 1, 2]


def test_missing_and_damaged_parts_are_named(tmp_path: Path) -> None:
    paths = split_parts(tmp_path)
    paths[1].unlink()
    file = open_tensors(paths[2])
    assert [t.name for t in file.tensors] == ["t0", "t2"]
    assert "1 of 3 parts is missing beside this one: 2" in file.problems
    assert "split.tensors.count says 3 tensors and 2 are here" in file.problems
    paths[0].write_bytes(b"GGUF")
    assert any(p.startswith("part 1 (m-00001-of-00003.gguf) cannot be read") for p in open_tensors(paths[2]).problems)
    renamed = paths[2].rename(tmp_path / "third.gguf")
    assert "the other parts cannot be found" in open_tensors(renamed).problems[0]


def test_a_tensor_is_found_by_name_or_number(tmp_path: Path) -> None:
    file = opened(tmp_path, gguf([], [("a", [1], F32, 0), ("1", [1], F32, 32)], bytes(36)))
    assert file.tensor("0").name == "a"
    assert file.tensor("1").index == 1
    with pytest.raises(InputError, match="there is no tensor 'nope'"):
        file.tensor("nope")


def test_a_part_under_a_wrong_name_is_named(tmp_path: Path) -> None:
    paths = split_parts(tmp_path)
    paths[1].write_bytes(paths[0].read_bytes())
    file = open_tensors(paths[2])
    said = f"{paths[1].name} says that it is part 1, not part 2: it may be a copy under a wrong name"
    assert file.problems == (said,)
    assert [t.problem for t in file.tensors] == ["another tensor has the same name"] * 2 + [None]


def test_a_part_of_another_model_is_named(tmp_path: Path) -> None:
    paths, others = split_parts(tmp_path), split_parts(tmp_path, 4)
    paths[1].write_bytes(others[1].read_bytes())
    assert open_tensors(paths[0]).problems == (
        f"{paths[1].name} says that it is one of 4 parts, not of 3: it may belong to another model",)


def test_many_absent_parts_are_looked_for_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = [("split.no", 2, struct.pack("<H", 0)), ("split.count", 2, struct.pack("<H", 65_535))]
    path = put(tmp_path, "m-00001-of-65535.gguf", gguf(pairs, []))
    asked: list[Path] = []
    looked = Path.is_file
    monkeypatch.setattr(Path, "is_file", lambda self: asked.append(self) or looked(self))
    assert "65,534 of 65,535 parts are missing beside this one: 2, 3" in open_tensors(path).problems[0]
    assert len(asked) < 10


@pytest.mark.parametrize(("kind", "body", "problem"), [
    (6, struct.pack("<2f", math.nan, 2), None), (12, struct.pack("<2d", math.inf, 2), None), (7, b"\x01\x01", None),
    (5, struct.pack("<2i", -1, -4), "has a negative length: [-1, -4]"),
    (5, struct.pack("<2i", 2, 3), "has 6 elements and the stored shape 4"),
], ids=["nan", "infinite", "bool", "negative", "other"])
def test_an_original_shape_of_strange_numbers(tmp_path: Path, kind: int, body: bytes, problem: str | None) -> None:
    data = gguf([("comfy.gguf.orig_shape.t", 9, array(kind, 2, body))], [("t", [4], F32, 0)], bytes(16))
    (tensor,) = open_tensors(put(tmp_path, "a.gguf", data)).tensors
    assert (tensor.problem or "").endswith(problem or "") and (tensor.problem is None) == (problem is None)
    assert tensor.readable


@pytest.mark.parametrize("inside", [array(4, 1, u32(1)), array(9, 1, b"") * 20_000 + array(0, 0, b"")])
def test_an_array_of_arrays_is_a_problem_of_its_key_alone(tmp_path: Path, inside: bytes) -> None:
    pairs = [("x", 9, array(9, 1, inside)), ("comfy.gguf.orig_shape.t", 9, array(9, 1, inside)), ("y", 4, u32(7))]
    file = opened(tmp_path, gguf(pairs, [("t", [4], 0, 0)], bytes(16)))
    x, y = file.meta("x"), file.meta("y")
    assert x is not None and y is not None
    assert (x.type, x.count, y.value, y.problem) == ("array[1]", None, 7, None)
    assert x.value == f"{len(inside) + 12:,} bytes, not read"
    assert x.problem is not None and "an array of arrays" in x.problem and "GGUF readers refuse" in x.problem
    assert file.values(file.tensors[0]).tolist() == [0, 0, 0, 0]


def test_thousands_of_tensors_over_the_same_bytes_are_counted(tmp_path: Path) -> None:
    file = opened(tmp_path, gguf([], [(f"t{i}", [1], 0, 0) for i in range(3000)], bytes(4)))
    first, last = file.tensors[0].problem, file.tensors[-1].problem
    assert first is not None and last is not None
    assert first.count("are in both") == 4 and "overlap with 2,995 more tensors" in first  # 2,999 in all
    assert last.startswith("overlap with t0: ")
    assert sum(len(t.problem or "") for t in file.tensors) < 3000 * 100
