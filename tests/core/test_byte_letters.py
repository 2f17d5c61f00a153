"""Spellings all at once, against one by one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tokenloupe.core.byte_letters import letters_of, utf8_of, with_rows
from tokenloupe.core.bytemap import CHARACTERS, to_bytes
from tokenloupe.core.vocabulary import join_bytes, split_bytes

LETTERS = st.text(st.sampled_from(CHARACTERS), max_size=6)
ANY = st.text(st.one_of(st.characters(), st.sampled_from(" \xad\ud800\udc80\U0001f600")), max_size=4)


@given(st.lists(st.one_of(LETTERS, ANY), max_size=12))
def test_letters_all_at_once_are_letters_one_by_one(texts: list[str]) -> None:
    blob, offsets, odd = letters_of(texts)
    one_by_one = [to_bytes(t) for t in texts]
    assert odd == [i for i, made in enumerate(one_by_one) if made is None]
    assert split_bytes(blob, offsets) == [made or b"" for made in one_by_one]
    own = {i: texts[i].encode("utf-8", "surrogatepass") for i in odd}
    assert split_bytes(*with_rows(blob, offsets, own)) == [own.get(i, made) for i, made in enumerate(one_by_one)]


@given(st.lists(ANY, max_size=12))
def test_utf8_all_at_once_is_utf8_one_by_one(texts: list[str]) -> None:
    blob, offsets = utf8_of(texts)
    wanted, edges = join_bytes([t.encode("utf-8", "surrogatepass") for t in texts])
    assert blob == wanted and offsets.tolist() == edges.tolist()


@given(st.lists(st.binary(max_size=4), max_size=8), st.dictionaries(st.integers(0, 7), st.binary(max_size=4)))
def test_rows_are_replaced(pieces: list[bytes], rows: dict[int, bytes]) -> None:
    rows = {row: new for row, new in rows.items() if row < len(pieces)}
    assert split_bytes(*with_rows(*join_bytes(pieces), rows)) == [rows.get(i, p) for i, p in enumerate(pieces)]
