"""The inspector's numbers against struct, published bit patterns and DWARF's examples; copied forms read back."""

from __future__ import annotations

import ast
import random
import re
import struct

import pytest

from tokenloupe.core.byte_forms import FORMS, c_array, escaped, python_bytes
from tokenloupe.core.byte_values import values


def shown(data: bytes) -> dict[str, tuple[int, str, str]]:
    return {v.name: (v.size, v.little, v.big) for v in values(data)}


INTEGERS = {"u16": "H", "i16": "h", "u32": "I", "i32": "i", "u64": "Q", "i64": "q"}


@pytest.mark.parametrize("seed", range(20))
def test_numbers_are_structs_numbers(seed: int) -> None:
    data = random.Random(seed).randbytes(16)
    found = shown(data)
    for name, code in INTEGERS.items():
        size = struct.calcsize(code)
        want = tuple(str(struct.unpack(order + code, data[:size])[0]) for order in "<>")
        assert found[name] == (size, *want)
    for name, code in {"f32": "f", "f64": "d", "f16": "e"}.items():
        size = struct.calcsize(code)
        for order, text in zip("<>", found[name][1:], strict=True):
            value = struct.unpack(order + code, data[:size])[0]
            assert (value != value and text == "nan") or struct.pack(order + code, float(text)) == data[:size]
    assert found["u8"] == (1, str(data[0]), "") and found["binary"] == (1, f"{data[0]:08b}", "")
    low, middle = struct.unpack("<HB", data[:3])
    assert found["u24"][1] == str(low + (middle << 16))


def test_big_integers_are_not_cut() -> None:
    """The case ui-qvariant-u64: 2^63 and 2^64-1 go to the widget as text."""
    assert shown(b"\0" * 7 + b"\x80")["u64"][1] == "9223372036854775808"
    assert shown(b"\xff" * 8)["u64"][1] == "18446744073709551615" and shown(b"\xff" * 8)["i64"][1] == "-1"


@pytest.mark.parametrize(("bits", "f16"), [
    (0x3C00, "1.0"), (0x7BFF, "65504.0"), (0xC000, "-2.0"), (0x7C00, "inf"), (0x0001, "6e-08"), (0x8000, "-0.0"),
    (0x3555, "0.3333")])
def test_half_precision(bits: int, f16: str) -> None:
    """IEEE 754 binary16: 2^-24 is the smallest subnormal, which 6e-08 tells from its neighbours."""
    assert shown(bits.to_bytes(2, "little"))["f16"][1] == f16 == shown(bits.to_bytes(2, "big"))["f16"][2]


@pytest.mark.parametrize(("bits", "bf16"), [(0x3F80, 1.0), (0xC040, -3.0), (0x4049, 3.140625), (0x7F80, float("inf"))])
def test_bfloat16(bits: int, bf16: float) -> None:
    assert float(shown(bits.to_bytes(2, "little"))["bf16"][1]) == bf16
    assert float(shown(bits.to_bytes(2, "big"))["bf16"][2]) == bf16


def test_text() -> None:
    assert shown("é".encode())["UTF-8"] == (2, "U+00E9 é LATIN SMALL LETTER E WITH ACUTE", "")
    assert shown("é".encode()[1:])["UTF-8"][1] == "not UTF-8 here"
    assert shown(b"\n")["UTF-8"] == (1, "U+000A", "")
    assert shown("😀".encode("utf-16-le"))["UTF-16"][:2] == (4, "U+1F600 😀 GRINNING FACE")
    assert shown("é".encode("utf-16-be"))["UTF-16"][2] == "U+00E9 é LATIN SMALL LETTER E WITH ACUTE"
    assert shown(b"\x00\xd8")["UTF-16"][1] == "U+D800 surrogate"


@pytest.mark.parametrize(("data", "unsigned", "signed"), [  # DWARF 5, tables 7.7 and 7.8
    ("02", 2, 2), ("7f", 127, -1), ("8001", 128, 128), ("8101", 129, 129), ("b964", 12857, -3527), ("7e", 126, -2),
    ("ff00", 127, 127), ("817f", 16257, -127), ("807f", 16256, -128)])
def test_leb128(data: str, unsigned: int, signed: int) -> None:
    found = shown(bytes.fromhex(data) + b"\xff")
    assert found["ULEB128"] == (len(data) // 2, str(unsigned), "")
    assert found["SLEB128"] == (len(data) // 2, str(signed), "")


def test_what_is_not_there_is_empty() -> None:
    assert all(not v.little and not v.size for v in values(b""))
    assert shown(b"\x80" * 10)["ULEB128"] == (0, "", "")
    assert [v.name for v in values(b"")] == [v.name for v in values(b"\x80" * 16)]


@pytest.mark.parametrize("data", [b"", b"a\xff\n\\'\"", "é\u202e😀".encode(), bytes(range(256))])
def test_forms_read_back(data: bytes) -> None:
    assert ast.literal_eval(python_bytes(data)) == data
    assert bytes.fromhex(FORMS["Hex"](data)) == data
    numbers = re.findall(r"0x([0-9a-f]{2})", c_array(data))
    assert bytes(int(n, 16) for n in numbers) == data
    assert f"[{max(len(data), 1)}]" in c_array(data)


def test_escaped_text() -> None:
    assert escaped("a\n\té\\\u202e".encode() + b"\xff\0") == r"a\n\té\\\u{202e}\xff\x00"
