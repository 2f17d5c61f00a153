"""The sentence that a user reads."""

from __future__ import annotations

import pytest

from tokenloupe.core.errors import LONGEST, InputError


@pytest.mark.parametrize(("error", "sentence"), [
    (InputError("no rank"), "no rank"),
    (InputError("no rank", where="line 3"), "no rank, line 3"),
    (InputError("no rank", todo="add one"), "no rank; add one"),
    (InputError("no rank", where="line 3", todo="add one"), "no rank, line 3; add one"),
    (InputError("key 'a\nb\x00\ud800\u2028'"), "key 'a\\nb\\x00\\ud800\\u2028'"),
    (InputError("名前 😀"), "名前 😀"),
])
def test_one_line(error: InputError, sentence: str) -> None:
    assert str(error) == sentence


def test_a_huge_name_out_of_a_file_is_cut() -> None:
    assert len(str(InputError("x" * 10**6, where="y" * 10**6))) < 3 * LONGEST
