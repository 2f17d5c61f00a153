"""What a stage changed, and which change is to blame, beside the plain definitions of both."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tokenloupe.core.pipeline.aligned import Aligned, Edit
from tokenloupe.core.pipeline.decoders import BPEDecoder, ByteFallbackDecoder, MetaspaceDecoder, WordPieceDecoder
from tokenloupe.core.pipeline.losses import _Blame, differing

#: A section of a text of a terabyte: nothing may be laid out for the bytes before it.
FAR = 1 << 40


def plain(before: Aligned, after: Aligned) -> list[tuple[int, int]]:
    """Spans whose last character is another, that are new or empty; and those of which a byte has nothing after it."""
    old = {(s, e): c for c, s, e in zip(before.text, before.starts.tolist(), before.ends.tolist(), strict=True)}
    new = list(zip(after.text, after.starts.tolist(), after.ends.tolist(), strict=True))
    behind = {byte for _, s, e in new for byte in range(s, e)}
    found = {(s, e) for c, s, e in new if s == e or old.get((s, e)) != c}
    found |= {span for span in old if any(byte not in behind for byte in range(*span))}
    return sorted(found)


@given(st.text("aé漢👨 ", min_size=1, max_size=12), st.data())
def test_what_a_stage_changed_is_told_from_the_section_on(text: str, data: st.DataObject) -> None:
    before = Aligned.of(text.encode(), base=FAR)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    after = before.edited([Edit(start, end, data.draw(st.text("aé▁", max_size=3)))])
    near_before, near_after = (Aligned(a.text, a.starts - FAR, a.ends - FAR) for a in (before, after))
    expected = plain(near_before, near_after) if before.text != after.text else []
    assert sorted(differing(before, after, "s")) == [(s + FAR, e + FAR, "s") for s, e in expected]


def test_characters_replaced_one_by_one_are_told_one_by_one() -> None:
    before = Aligned.of("a é b".encode(), base=FAR)
    after = Aligned("a▁é▁b", before.starts, before.ends)
    assert differing(before, after, "Replace") == [(FAR + 1, FAR + 2, "Replace"), (FAR + 4, FAR + 5, "Replace")]


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=12), st.integers(0, 30), st.integers(0, 30))
def test_the_first_change_that_overlaps_is_to_blame(pairs: list[tuple[int, int]], a: int, b: int) -> None:
    changes = [(min(p), max(p), str(i)) for i, p in enumerate(pairs)]
    start, end = min(a, b), max(a, b)
    overlaps = [name for low, high, name in changes if low < end and start < high]
    touches = [name for low, high, name in changes if low <= end and start <= high]
    assert _Blame(changes).of(start, end) == (overlaps + touches + ["decoder"])[0]


def test_a_decoder_treats_the_first_and_the_last_token_apart() -> None:
    """Values of tokenizers 0.23: one spelling at the start, in the middle and at the end."""
    assert WordPieceDecoder("##", True).chain(["##a", "##a", "b", "."]) == ["##a", "a", " b", "."]
    assert MetaspaceDecoder("▁", True).chain(["▁a", "▁a"]) == ["a", " a"]
    assert MetaspaceDecoder("▁", False).chain(["▁a", "▁a"]) == [" a", " a"]
    assert BPEDecoder("</w>").chain(["a</w>", "a</w>"]) == ["a ", "a"]
    assert BPEDecoder("</w>").chain([]) == []
    assert ByteFallbackDecoder().chain(["x", "<0xC3>", "<0xA9>", "x", "<0x41>"]) == ["x", "é", "x", "A"]


def test_many_sections_are_worked_out_each_by_itself() -> None:
    parts = [Aligned.of(b"a b", base=FAR + 3 * i) for i in range(50)]
    found = [differing(p, p.edited([Edit(1, 2, "")]), "Strip") for p in parts]
    assert found == [[(FAR + 3 * i + 1, FAR + 3 * i + 2, "Strip")] for i in range(50)]
