"""core/utf8.py against Python's decoder, the tables of the Unicode Standard, and Go's documentation."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from tokenloupe.core import utf8
from tokenloupe.core.utf8 import ByteRole

#: First, last and neighbours of every range in Table 3-7 of the Unicode Standard, and bytes that are never valid.
TELLING = bytes.fromhex("41 7f 80 8f 90 9f a0 bf c0 c1 c2 df e0 e1 ec ed ee ef f0 f1 f4 f5 f8 ff")
assert len(TELLING) == 24

#: Table 3-7, "Well-Formed UTF-8 Byte Sequences", The Unicode Standard 15.0, section 3.9.
TABLE_3_7 = (
    ((0x00, 0x7F),),
    ((0xC2, 0xDF), (0x80, 0xBF)),
    ((0xE0, 0xE0), (0xA0, 0xBF), (0x80, 0xBF)),
    ((0xE1, 0xEC), (0x80, 0xBF), (0x80, 0xBF)),
    ((0xED, 0xED), (0x80, 0x9F), (0x80, 0xBF)),
    ((0xEE, 0xEF), (0x80, 0xBF), (0x80, 0xBF)),
    ((0xF0, 0xF0), (0x90, 0xBF), (0x80, 0xBF), (0x80, 0xBF)),
    ((0xF1, 0xF3), (0x80, 0xBF), (0x80, 0xBF), (0x80, 0xBF)),
    ((0xF4, 0xF4), (0x80, 0x8F), (0x80, 0xBF), (0x80, 0xBF)),
)


def prefix(data: bytes) -> tuple[int, int]:
    """Straight from the table: (bytes at the front that begin a well-formed sequence, its length), the slow way."""
    best = (0, 0)
    for row in TABLE_3_7:
        n = 0
        while n < len(row) and n < len(data) and row[n][0] <= data[n] <= row[n][1]:
            n += 1
        best = max(best, (n, len(row)) if n else (0, 0))
    return best


def oracle(data: bytes) -> tuple[list[tuple[int, int, bool]], int]:
    """(maximal subparts and characters as (start, end, well-formed), bytes a stream decoder must hold)."""
    parts, at, held = [], 0, 0
    while at < len(data):
        n, whole = prefix(data[at:])
        end = at + max(n, 1)
        if n < whole and end == len(data):
            held = n
        parts.append((at, end, 0 < whole == n))
        at = end
    return parts, held


def strings() -> list[bytes]:
    out = [bytes(t) for n in range(4) for t in itertools.product(TELLING, repeat=n)]
    r = random.Random(6)
    out += [bytes(r.choice(TELLING) for _ in range(r.randint(4, 12))) for _ in range(4000)]
    return out


STRINGS = strings()


def test_every_short_string_against_the_standard_and_python() -> None:
    for data in STRINGS:
        parts, held = oracle(data)
        assert [utf8.subpart_length(data, s) for s, _, _ in parts] == [e - s for s, e, _ in parts], data.hex()
        good = np.zeros(len(data), bool)
        for start, end, ok in parts:
            good[start:end] = ok
        assert utf8.well_formed(data).tolist() == good.tolist(), data.hex()
        assert utf8.pending(data) == held, data.hex()
        assert [(f.start, f.end) for f in utf8.faults(data)] == [(s, e) for s, e, ok in parts if not ok], data.hex()
        unicode_text = "".join(data[s:e].decode() if ok else "\ufffd" for s, e, ok in parts)
        go_text = "".join(data[s:e].decode() if ok else "\ufffd" * (e - s) for s, e, ok in parts)
        assert utf8.decode(data, "unicode") == unicode_text == data.decode("utf-8", "replace")
        assert utf8.decode(data, "go") == go_text, data.hex()


def test_roles_say_what_each_byte_is() -> None:
    leads = {2: ByteRole.LEAD2, 3: ByteRole.LEAD3, 4: ByteRole.LEAD4}
    for data in STRINGS[::3]:
        expected: list[int] = []
        for start, end, ok in oracle(data)[0]:
            if ok:
                expected += [leads[end - start] if end - start > 1 else ByteRole.ASCII]
                expected += [ByteRole.CONTINUATION] * (end - start - 1)
            else:
                cut = prefix(data[start:])[0] > 0
                expected += [ByteRole.TRUNCATED if cut else ByteRole.INVALID] * (end - start)
        assert utf8.roles(data).tolist() == expected, data.hex()


def test_boundaries() -> None:
    for data in STRINGS[::5]:
        inside = {p for s, e, ok in oracle(data)[0] if ok for p in range(s + 1, e)}
        assert [p for p in range(len(data) + 1) if not utf8.is_boundary(data, p)] == sorted(inside), data.hex()


@pytest.mark.parametrize(("name", "data", "text"), [
    # The Unicode Standard 15.0, section 3.9, tables 3-8 to 3-11: the same bytes, U+FFFD for each maximal subpart.
    ("3-8 non-shortest forms", "C0 AF E0 80 BF F0 81 82 41", "\ufffd" * 8 + "A"),
    ("3-9 surrogates", "ED A0 80 ED BF BF ED AF 41", "\ufffd" * 8 + "A"),
    ("3-10 other ill-formed", "F4 91 92 93 FF 41 80 BF 42", "\ufffd" * 5 + "A" + "\ufffd" * 2 + "B"),
    ("3-11 truncated", "E1 80 E2 F0 91 92 F1 BF 41", "\ufffd" * 4 + "A"),
])
def test_tables_of_the_standard(name: str, data: str, text: str) -> None:
    assert utf8.decode(bytes.fromhex(data), "unicode") == text


@pytest.mark.parametrize(("data", "text"), [
    # Go: "if the iteration encounters an invalid UTF-8 sequence, the second value will be 0xFFFD and the next
    # iteration will advance a single byte" (spec, For range). utf8.DecodeRune says invalid for: incorrect encodings,
    # encodings out of range, and not the shortest.
    ("F0 9F 99", "\ufffd" * 3),
    ("E2 82 41", "\ufffd\ufffdA"),
    ("C0 80", "\ufffd\ufffd"),
    ("ED A0 80", "\ufffd" * 3),
    ("F4 90 80 80", "\ufffd" * 4),
    ("E2 82 AC FF", "€\ufffd"),
])
def test_go_advances_a_single_byte(data: str, text: str) -> None:
    assert utf8.decode(bytes.fromhex(data), "go") == text


def test_one_for_each_run() -> None:
    # strings.ToValidUTF8: "runs of invalid UTF-8 byte sequences replaced by the replacement string"
    assert utf8.decode(b"\xff\xffa\xf0\x9f\x99\xc0b", "run") == "\ufffda\ufffdb"
    assert utf8.decode("Go€".encode(), "run") == "Go€"


@pytest.mark.parametrize(("data", "reason"), [
    ("80", "a continuation byte without a lead byte"),
    ("C0 80", "an overlong encoding"), ("E0 80 80", "an overlong encoding"), ("F0 8F BF BF", "an overlong encoding"),
    ("ED A0 80", "half of a surrogate pair"),
    ("F4 90 80 80", "beyond U+10FFFF"), ("F5 80", "beyond U+10FFFF"),
    ("FF", "a byte that UTF-8 never uses"),
    ("F0 9F 99", "cut short by the end: 3 of 4 bytes"),
    ("E2 82 41", "cut short by the next byte: 2 of 3 bytes"),
    ("ED 41", "cut short by the next byte: 1 of 3 bytes"),
])
def test_reasons(data: str, reason: str) -> None:
    assert utf8.faults(bytes.fromhex(data), limit=1)[0].reason == reason


def test_every_code_point_is_well_formed() -> None:
    text = "".join(chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000)
    decoded, starts, ok = utf8.decode_per_byte(text.encode())
    assert decoded == text and ok.all() and len(starts) == len(text)
    for lead in range(256):
        assert utf8.expected_length(lead) == max((n for n in (1, 2, 3, 4) if any(
            r[0][0] <= lead <= r[0][1] and len(r) == n for r in TABLE_3_7)), default=0)


def test_well_formed_regex() -> None:
    for data in STRINGS[::7]:
        whole = [(s, e) for s, e, ok in oracle(data)[0] if ok]
        assert [m.span() for m in utf8.WELL_FORMED.finditer(data)] == whole
