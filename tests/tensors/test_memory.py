"""Memory estimates worked out by hand: 2 bytes, 34/32, 34/64 and 18/32 bytes a weight."""

from __future__ import annotations

import pytest

from tokenloupe.core.errors import InputError
from tokenloupe.tensors.memory import estimate


def test_bytes_a_weight() -> None:
    e = estimate(64_000)
    assert (e.f16, e.int8, e.int4, e.q4_0) == (128_000, 68_000, 34_000, 36_000)
    assert (e.int8 / 64_000, round(e.int4 / 64_000, 2), e.q4_0 / 64_000) == (1.0625, 0.53, 0.5625)


def test_the_embedding_stays_int8_when_the_body_is_int4() -> None:
    e = estimate(64_000, embedding=6_400)
    assert e.int4 == 57_600 * 34 // 64 + 6_400 * 34 // 32
    assert e.int4_all == 34_000


@pytest.mark.parametrize(
    ("budget", "chosen"),
    [(None, "int8"), (200_000, "int8"), (68_000, "int8"), (67_999, "int4"), (37_400, "int4"), (37_399, "")],
)
def test_int4_only_when_int8_does_not_fit(budget: int | None, chosen: str) -> None:
    # int4 with the embedding at int8: 57,600 * 34/64 + 6,400 * 34/32 = 30,600 + 6,800
    e = estimate(64_000, embedding=6_400, budget=budget)
    assert e.int4 == 37_400
    assert e.chosen == chosen
    assert e.why


def test_odd_numbers_round_up_to_whole_bytes_and_nonsense_is_refused() -> None:
    assert estimate(1).int4 == 1
    assert estimate(0).f16 == 0
    with pytest.raises(InputError, match="the embedding has 5 of 4 parameters"):
        estimate(4, 5)
    with pytest.raises(InputError, match="the number of parameters is -1"):
        estimate(-1)
