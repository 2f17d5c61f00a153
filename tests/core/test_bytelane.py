"""The lane shows what an independent slow oracle works out, whole or through any window, for any bytes."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from bytelane_oracle import Truth, check
from effort import calls
from hf_oracle import open_bytes
from tokenloupe.core.bytelane import UNITS, CutKind, LaneSource, sure_boundary
from tokenloupe.core.bytelane_stages import LIMIT, NormalChange
from tokenloupe.core.document import Document
from tokenloupe.formats.bundled import load_bundled

HARD = [
    "각한국어",
    "", "a", "\r\n\r", "e\u0301\u0302x", "👨‍👩‍👧‍👦👍🏽", "🇩🇪🇫🇷🇨🇭🇦🇹🇦", "🇩🇪" * 300 + "🇩", "नमस्ते क्षत्रिय", "สวัสดีครับ",
    "a" + "\u0301" * 2000 + "b", "\u200d👩\u200d👩", "مرحبا بالعالم", "\ufeffx\u00a0\u2028y", "北京" * 200, "क्‍ष" * 120,
    "👩‍" * 300, "\u0600\u0661a", "𐀀\U0010ffff\ufffd", "h\U0001f3fb\U0001f3fb\U0001f468", "line\nline two\n\n",
]
#: Ill-formed bytes of the Unicode Standard's tables 3-8 to 3-11 (section 3.9), and more of the kind.
WRONG = [
    b"\xff", b"\x80\x80", b"\xc0\xaf\xe0\x80\xbf\xf0\x81\x82A", b"\xed\xa0\x80\xed\xbf\xbf\xed\xafA",
    b"\xf4\x91\x92\x93\xffA\x80\xbfB", b"\xe1\x80\xe2\xf0\x91\x92\xf1\xbfA", b"ok \xf0\x9f\x98",
    b"\xf0\x9f\x98 \xe6\xad", bytes(range(256)), b"e\xcc\x81\xff\xcc\x81", b"\xf0\x9f\x87\xa9\xf0\x9f\x87",
    b"\xe0\xa4\x95\xe0\xa5", b"caf\xc3(",
]
ALL = [t.encode() for t in HARD] + WRONG


@pytest.fixture(scope="module")
def gpt2():
    return load_bundled("gpt2")


def both(gpt2, data: bytes) -> tuple[LaneSource, Truth]:
    document = Document(gpt2, data)
    return LaneSource(document), Truth.of(document.encoding())


@pytest.mark.parametrize("data", ALL, ids=range(len(ALL)))
def test_hard_texts_whole_and_through_windows(gpt2, data: bytes) -> None:
    source, truth = both(gpt2, data)
    check(source, truth, 0, len(data))
    step = max(len(data) // 12, 1)
    for start in [*range(0, len(data), step), len(data)][::-1]:  # from the end: the clusters must be found backwards
        source.renew()
        check(source, truth, start, min(start + 7, len(data)))
    for start in range(0, len(data), step):  # and onwards, with what is known from the window before
        check(source, truth, start, min(start + 7, len(data)))


PIECES = st.sampled_from([
    "a", " ", "\r", "\n", "é", "e\u0301", "🇩", "👩", "\u200d", "🏽", "\ufe0f", "क", "\u094d", "ष", "ᄀ", "ᅡ", "ᆨ",
    "\u0600", "漢", "\u0bbf", "\uff9e", "\U00010348",
]).map(str.encode) | st.binary(min_size=1, max_size=3)


@settings(max_examples=120, deadline=None)
@given(parts=st.lists(PIECES, max_size=40), low=st.integers(0, 160), size=st.integers(0, 30))
def test_any_bytes_any_window(gpt2, parts: list[bytes], low: int, size: int) -> None:
    data = b"".join(parts)
    source, truth = both(gpt2, data)
    start = min(low, len(data))
    check(source, truth, start, min(start + size, len(data)))


POINTS = st.characters() | st.sampled_from("\u200d🇩🇪👩🏽क\u094dष\u0301가\u0600\r\n")


@settings(max_examples=400, deadline=None)
@given(context=st.text(POINTS, max_size=6), before=POINTS, after=POINTS)
def test_a_sure_boundary_is_one_after_anything(context: str, before: str, after: str) -> None:
    if sure_boundary(before, after):
        starts = [m.start() for m in regex.finditer(r"\X", context + before + after, regex.DOTALL)]
        assert len(context) + 1 in starts


def test_cuts_inside_a_code_point_and_inside_a_grapheme(gpt2) -> None:
    data = "👍🏽".encode()  # gpt2 has tokens of one to three bytes for it
    source, truth = both(gpt2, data)
    lane = source.lane(0, len(data))
    kinds = {c: CutKind(k).word for c, k in zip(lane.cuts.tolist(), lane.cut_kinds.tolist(), strict=True)}
    assert kinds[4] == "inside a grapheme"
    assert {k for c, k in kinds.items() if c != 4} == {"inside a code point"}
    assert len(kinds) == len(truth.cuts) > 1


def test_pre_tokens_of_a_window(gpt2) -> None:
    """gpt2's pattern, with the `regex` module as it stands in the paper's code."""
    text = "Hello world's 123 漢字!! \n  x"
    pattern = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
    spans = [(len(text[: m.start()].encode()), len(text[: m.end()].encode())) for m in regex.finditer(pattern, text)]
    source = LaneSource(Document(gpt2, text.encode()))
    found = source.pre_tokens(source.lane(0, 1000))
    assert found is not None and list(zip(*(x.tolist() for x in found), strict=True)) == spans
    found = source.pre_tokens(source.lane(7, 8))
    assert found is not None and list(zip(*(x.tolist() for x in found), strict=True)) == [spans[1]]
    invalid = LaneSource(Document(gpt2, b"one two \xff"))
    found = invalid.pre_tokens(invalid.lane(0, 9))
    assert found is not None and found[0].tolist() == [0, 3, 7] and found[1].tolist() == [3, 7, 9]
    assert source.changes(source.lane(0, 5)) is None and not source.stages.has_normalizer


def test_a_token_beside_bytes_without_one_cuts_at_the_edge_of_any_window() -> None:
    """`Strip` leaves spaces without a token: the cut between them and the word is in the windows of both."""
    strip = normalizing({"type": "Strip", "strip_left": True, "strip_right": True})
    source = LaneSource(Document(strip, b"  a  "))
    for start, end, cuts in ((0, 5, [2, 3]), (3, 5, [3]), (3, 4, [3]), (0, 2, [2]), (1, 2, [2]), (4, 5, []),
                             (2, 3, [2, 3])):
        assert source.lane(start, end).cuts.tolist() == cuts
    for start in range(6):
        for end in range(start, 6):
            check(source, Truth.of(source.document.encoding()), start, end)


def test_steps_go_from_edge_to_edge(gpt2) -> None:
    data = "a👨‍👩 e\u0301漢".encode() + b"\xff" + b"z"
    source, truth = both(gpt2, data)
    tokens = sorted({e for t in Document(gpt2, data).encoding().tokens for e in (t.start, t.end)})
    edges = {"byte": list(range(len(data) + 1)), "code point": truth.code_points, "grapheme": truth.graphemes,
             "token": tokens}
    for unit in ("byte", "code point", "grapheme", "token"):
        assert unit in UNITS
        places = [0]
        while places[-1] < len(data):
            places.append(source.step(unit, places[-1], 1))
        assert places == edges[unit]
        while places[-1] > 0:
            places.append(source.step(unit, places[-1], -1))
        assert places[len(edges[unit]) :] == edges[unit][-2::-1]
        assert source.step(unit, len(data), 1) == len(data) and source.step(unit, 0, -1) == 0


def test_lines(gpt2) -> None:
    source = LaneSource(Document(gpt2, b"one\ntwo\n\nfour"))
    assert [source.line(p, p) for p in (0, 3, 4, 8, 9, 13)] == [(0, 4), (0, 4), (4, 8), (8, 9), (9, 13), (9, 13)]
    assert source.line(2, 5) == (0, 8) and source.line(0, 4) == (0, 4)


def test_normalizer_changes_are_the_characters_that_differ() -> None:
    """NFKC, Lowercase and Strip by the Unicode Standard and the stages' own definitions, by byte span."""
    lower = normalizing({"type": "Sequence", "normalizers": [{"type": "NFKC"}, {"type": "Lowercase"}]})
    data = "Ab ﬁn e\u0301".encode()
    source = LaneSource(Document(lower, data))
    assert source.changes(source.lane(0, len(data))) == [
        NormalChange(0, 1, "A", "a"), NormalChange(3, 6, "ﬁ", "fi"), NormalChange(8, 11, "e\u0301", "é"),
    ]
    assert source.changes(source.lane(3, 6)) == [NormalChange(3, 6, "ﬁ", "fi")]
    assert source.changes(source.lane(6, 8)) == []
    strip = normalizing({"type": "Strip", "strip_left": True, "strip_right": True})
    source = LaneSource(Document(strip, b"  a  "))
    assert source.changes(source.lane(0, 5)) == [NormalChange(0, 2, "  ", ""), NormalChange(3, 5, "  ", "")]
    prepend = normalizing({"type": "Prepend", "prepend": "_"})
    source = LaneSource(Document(prepend, b"ab"))
    assert source.changes(source.lane(0, 2)) == [NormalChange(0, 0, "", "_")]
    long = LaneSource(Document(lower, b"A " * LIMIT))
    assert long.stages.too_long and long.changes(long.lane(0, 8)) is None


def normalizing(normalizer: object):
    import json

    value = {"normalizer": normalizer, "pre_tokenizer": {"type": "WhitespaceSplit"},
             "model": {"type": "WordLevel", "vocab": {"?": 0, "a": 1, "ab": 2}, "unk_token": "?"}}
    return open_bytes(json.dumps(value).encode(), "made")


def test_pre_tokens_of_a_pipeline() -> None:
    lower = normalizing({"type": "Lowercase"})
    source = LaneSource(Document(lower, "É bb  c".encode()))
    found = source.pre_tokens(source.lane(0, 8))
    assert found is not None and (found[0].tolist(), found[1].tolist()) == ([0, 3, 7], [2, 5, 8])


def test_a_window_of_one_long_line_costs_what_it_shows(gpt2) -> None:
    """1 MB in one line: a window is under 8 ms wherever it lies (it takes about 1; machines that test are busy)."""
    data = ("naïve 漢字 👨‍👩‍👧 नमस्ते, 12345! " * 22000).encode()[:1_000_000]
    data = data.decode("utf-8", "ignore").encode()
    document = Document(gpt2, data)
    for _ in document.fill():
        pass
    source = LaneSource(document)
    for start in range(999, len(data) - 400, len(data) // 40):
        assert calls(lambda start=start: source.pre_tokens(source.lane(start, start + 400))) < 5000


def test_a_long_row_of_flags_is_counted_and_not_searched(gpt2) -> None:
    """`regex` takes seconds for 50,000 regional indicators; a window of them takes milliseconds."""
    flags = "\u0600x🇩🇪".encode() + "🇩🇪".encode() * 6000 + "🇦x".encode()
    source = LaneSource(Document(gpt2, b""))
    source.document.store.replace(0, 0, flags)  # the bytes alone: this is not about tokens
    edges = source.graphemes(20003, 20011)  # searched, it would take minutes
    assert edges.tolist() == [20003, 20011]  # two bytes of U+0600, one x; every flag is eight
    assert source.graphemes(20007, 20007).tolist() == [20003, 20011]
