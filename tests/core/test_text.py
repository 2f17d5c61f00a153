"""core/text.py: the four coordinates against Python's own codecs and the regex module."""

from __future__ import annotations

import random

import numpy as np
import regex

from tokenloupe.core import text as text_module
from tokenloupe.core.text import Counts, counts, decode_view, grapheme_starts, utf16_starts

HARD = ["", "a", "Go€→🙂", "👨‍👩‍👧‍👦 e\u0301 \r\n\r\r\n", "🇩🇪🇫🇷🇬", "नमस्ते क्षि", "한국어 각각", "ภาษาไทย กำ",
        "\u0600\u0601abc", "a\u200db\ufe0f", "👍🏽👍🏻x", "\ufffd\u0301", "©\u200d©", "日本語の文。\n次の行\t終わり"]


def test_views_of_valid_text() -> None:
    for t in HARD:
        view = decode_view(t.encode())
        assert view.text == t and view.valid.all()
        assert view.byte_starts.tolist() == [len(t[:i].encode()) for i in range(len(t) + 1)]
        assert view.utf16_starts.tolist() == [len(t[:i].encode("utf-16-le")) // 2 for i in range(len(t) + 1)]


def test_views_of_any_bytes_cover_every_byte_once() -> None:
    r = random.Random(1)
    for _ in range(2000):
        data = bytes(r.choice(b"a\xc3\xa9\xe2\x82\xac\xf0\x9f\x99\x82\xff\xed\xa0") for _ in range(r.randint(0, 14)))
        view = decode_view(data)
        assert view.byte_starts.dtype == np.int64 and len(view.byte_starts) == len(view.text) + 1
        assert view.byte_starts[0] == 0 and view.byte_starts[-1] == len(data)
        for i, character in enumerate(view.text):
            piece = data[view.byte_starts[i] : view.byte_starts[i + 1]]
            assert piece == character.encode() if view.valid[i] else (character == "\ufffd" and len(piece) == 1)


def test_maps() -> None:
    data = "hé😀".encode() + b"\xff!"
    view = decode_view(data)
    assert [view.cp_of_byte(b) for b in range(len(data) + 1)] == [0, 1, 1, 2, 2, 2, 2, 3, 4, 5]
    assert [view.utf16_of_byte(b) for b in range(len(data) + 1)] == [0, 1, 1, 2, 2, 2, 2, 4, 5, 6]
    assert [view.byte_of_utf16(u) for u in range(7)] == [0, 1, 3, 3, 7, 8, 9]
    assert view.byte_after_utf16(3) == 7 and view.utf16_after_byte(4) == 4
    assert view.byte_of_cp(-5) == 0 and view.byte_of_cp(99) == len(data) and view.cp_of_byte(99) == 5
    positions = np.arange(len(data) + 1)
    assert view.utf16_of_byte(positions).tolist() == [view.utf16_of_byte(int(b)) for b in positions]
    assert view.byte_of_utf16(np.array([0, 3, 6])).tolist() == [0, 3, 9]
    assert decode_view(b"").byte_of_utf16(0) == 0


def test_graphemes_equal_the_regex_module() -> None:
    r = random.Random(2)
    alphabet = "ab \n\r\té€漢あ한각ก\u0e33\u0301\u200d\ufe0f👨👩🏽🇩🇪क्षि\u0600©\ufffdא\u093e"
    texts = HARD + ["".join(r.choice(alphabet) for _ in range(r.randint(0, 20))) for _ in range(3000)]
    texts += ["plain words here " * 3 + t + " and more plain words" * 2 for t in texts[:500]]
    for t in texts:
        expected = [m.start() for m in regex.finditer(r"\X", t)] + [len(t)]
        assert grapheme_starts(t).tolist() == expected, ascii(t)


def test_rows_of_flags_equal_the_regex_module() -> None:
    """Rows of every length and with everything that joins them at either side, or stands in them."""
    r = random.Random(3)
    around = ["", "a", "\u0600", "\u0600\u0601", "\u200d", "👩\u200d", "\u0301", "🏽", "\r", "\n", "क\u094d", "각",
              "\ufffd", "é"]
    texts = [before + "🇩" * n + after for before in around for after in around for n in (0, 1, 2, 3, 33, 34, 35, 70)]
    for _ in range(400):
        texts.append("".join(r.choice(around) + "🇩🇪🇫"[r.randint(0, 2)] * r.randint(0, 40)
                             for _ in range(r.randint(1, 8))))
    for t in texts:
        expected = [m.start() for m in regex.finditer(r"\X", t, regex.DOTALL)] + [len(t)]
        assert grapheme_starts(t).tolist() == expected, ascii(t)


def test_a_long_row_of_flags_costs_what_other_text_costs() -> None:
    """200,000 regional indicators: `regex` alone would take minutes. GB12, GB13: a flag is two of them."""
    data = ("x" + "🇩🇪" * 100_000 + "🇫x").encode()
    assert counts(data) == Counts(len(data), 200_003, 100_003)


def test_plain_characters_never_join() -> None:
    plain = [chr(c) for first, last in text_module._PLAIN for c in range(first, last + 1)]
    for a in plain:
        pair = a + "x" + a + a
        assert len(regex.findall(r"\X", pair)) == 4, ascii(a)
    joins = regex.compile(r"[\p{Extended_Pictographic}\p{GCB=Prepend}\p{GCB=Extend}\p{GCB=SpacingMark}\p{GCB=ZWJ}"
                          r"\p{GCB=CR}\p{GCB=RI}\p{GCB=L}\p{GCB=V}\p{GCB=T}\p{GCB=LV}\p{GCB=LVT}]")
    assert [hex(ord(a)) for a in plain if joins.match(a)] == []


def test_grapheme_at_byte() -> None:
    view = decode_view("a👍🏽b".encode())
    assert view.grapheme_at_byte(4) == (1, 9)
    assert view.grapheme_at_byte(9) == (9, 10) and view.grapheme_at_byte(10) == (10, 10)


def test_counts() -> None:
    assert counts("👨‍👩‍👧".encode()) == Counts(18, 5, 1)
    assert counts(b"a\xff\xfe") == Counts(3, 3, 3)
    assert counts(b"") == Counts(0, 0, 0)


def test_utf16_of_lone_surrogates() -> None:
    assert utf16_starts("a\ud800😀").tolist() == [0, 1, 2, 4]


def test_an_emoji_is_two_units_where_qt_counts() -> None:
    """Case ui-utf16-positions: of a👍b the emoji is positions 1 to 3 and b is 3 to 4."""
    view = decode_view("a👍b".encode())
    assert [view.utf16_of_byte(p) for p in (0, 1, 5, 6)] == [0, 1, 3, 4]
    assert [view.byte_of_utf16(p) for p in (1, 3, 4)] == [1, 5, 6]
