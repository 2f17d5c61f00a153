"""The bytes of many ids at once are those of each, joined."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tokenloupe.core.vocabulary import Vocabulary

ODD = st.integers(-3, 70) | st.sampled_from([2**31, 2**63 - 1, 2**63, 2**200, -(2**70)])


@given(st.dictionaries(st.integers(0, 60), st.binary(max_size=5), max_size=40), st.lists(ODD, max_size=40))
def test_joined(entries: dict[int, bytes], ids: list[int]) -> None:
    v = Vocabulary.build(entries.items())
    assert v.joined(ids) == b"".join(entries.get(i, b"") for i in ids)
    known = [i for i in ids if i in entries]
    assert [entries[i] for i in known] == [v.bytes_at(r) for r in v.rows_of(np.array(known, np.int64)).tolist()]
    assert v.lengths.tolist() == [len(entries[i]) for i in sorted(entries)]
