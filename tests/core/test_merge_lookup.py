"""Merge lists looked up at once, against look-ups one by one in a dict."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenloupe.core.lookup import SpanTable
from tokenloupe.core.merge_lookup import WrittenMerges, merge_ids
from tokenloupe.core.vocabulary import join_bytes

TOKENS = st.one_of(st.text(alphabet="ab é日😀\n\0", max_size=9), st.text(alphabet="ab", max_size=20))


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(TOKENS, TOKENS), min_size=1, max_size=12), st.data())
def test_pairs_and_strings(pairs: list[tuple[str, str]], data: st.DataObject) -> None:
    every = list(dict.fromkeys(t for a, b in pairs for t in (a, b, a + b)))
    again = data.draw(st.lists(st.sampled_from(every), max_size=3))  # of equal ones the last counts
    left_out = data.draw(st.sampled_from([None, *every]))
    ids = {t: 7 * i for i, t in enumerate(every) if t != left_out}
    keys = [*ids.items(), *((t, 1000 + k) for k, t in enumerate(again) if t in ids)]
    ids = dict(keys)
    table = SpanTable.of([t.encode() for t, _ in keys], [i for _, i in keys])
    wanted = [(ids.get(a, -1), ids.get(b, -1), ids.get(a + b, -1)) for a, b in pairs]
    whole = all(min(w) >= 0 for w in wanted)
    lines = [f"{a} {b}" for a, b in pairs]
    simple = all(line.count(" ") == 1 for line in lines)
    blob, offsets = join_bytes([line.encode() for line in lines])
    # With spaces and other bytes between them, as a file may have.
    apart, edges = join_bytes([x for line in lines for x in (line.encode(), data.draw(st.binary(max_size=9)))])
    for written in (WrittenMerges.of_pairs(pairs), WrittenMerges.of_strings(lines) if simple else None,
                    WrittenMerges.of_blob(blob, offsets) if simple else None,
                    WrittenMerges.of_spans(apart, edges[:-1:2], edges[1::2]) if simple else None):
        if written is None:  # an empty part, or a space: looked at one by one
            continue
        assert [(a.decode(), b.decode()) for a, b in zip(*written.parts(), strict=True)] == pairs
        found = merge_ids(table, written)
        assert (found is not None) == whole
        if found is not None:
            assert list(zip(found.left.tolist(), found.right.tolist(), found.result.tolist(), strict=True)) == wanted


def test_of_equal_tokens_the_last_counts_also_in_order() -> None:
    table = SpanTable.of([b"ab", b"cd", b"a", b"b", b"c", b"d", b"cd"], range(7))
    merges = WrittenMerges.of_strings(["a b", "c d"])
    assert merges is not None
    found = merge_ids(table, merges)
    assert found is not None and found.result.tolist() == [0, 6]


def test_what_is_no_pair_of_words_is_left_to_the_slow_way() -> None:
    assert WrittenMerges.of_strings(["a b", "a b c"]) is None
    assert WrittenMerges.of_strings(["ab"]) is None
    assert WrittenMerges.of_strings(["a b c", "ab"]) is None  # as many spaces as merges, not one in each
    assert WrittenMerges.of_strings([" b"]) is None
    assert WrittenMerges.of_pairs([["a", "b"], ["a"]]) is None
    assert WrittenMerges.of_pairs([["a", 1]]) is None  # type: ignore[list-item]
    assert WrittenMerges.of_blob(b"a bab", np.array([0, 3, 5])) is None
