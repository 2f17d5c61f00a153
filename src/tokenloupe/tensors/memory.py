"""How much memory a model's weights need at each width, and which width to choose.

    >>> e = estimate(7_000_000_000, embedding=131_072_000, budget=6 << 30)
    >>> e.f16, e.int8, e.int4, e.q4_0, e.chosen
    (14000000000, 7437500000, 3788382000, 3937500000, 'int4')

A block-quantised weight costs its own bits plus its share of the scale: int8 with one 16-bit scale per 32 weights is
34/32 bytes, int4 with one per 64 is 34/64 (0.53), Q4_0 is 18/32 (0.5625). int4 is chosen only when int8 does not fit,
and then the embedding stays at int8. Source: Ou, Forma, as described in the book section the program follows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from ..core.errors import InputError

#: name -> (bytes, weights): so many bytes for so many weights.
COSTS = {"f16": (2, 1), "int8": (34, 32), "int4": (34, 64), "q4_0": (18, 32)}

#: More parameters than any model has: a guard for typed-in numbers.
MOST = 10**18


@dataclass(frozen=True, slots=True)
class Estimate:
    """Bytes at each width. int4: the body at int4 and the embedding at int8. chosen: "int8", "int4", or "" when neither
    fits. why: one sentence. int4_all: int4 for the embedding too, to compare.
    """

    params: int
    embedding: int
    budget: int | None
    f16: int
    int8: int
    int4: int
    q4_0: int
    int4_all: int
    chosen: str
    why: str


def cost(weights: int, width: str) -> int:
    """Bytes of so many weights at a width of COSTS, rounded up to whole bytes."""
    size, per = COSTS[width]
    return -(-weights * size // per)


def estimate(params: int, embedding: int = 0, budget: int | None = None) -> Estimate:
    """Memory of a model of `params` weights, `embedding` of which are its token embedding.

    budget: bytes there are, None for no limit. The choice is between int8 and int4; f16 is there to compare.
    InputError for numbers that cannot be.
    """
    for name, value in (
        ("the number of parameters", params),
        ("the embedding", embedding),
        ("the budget", budget or 0),
    ):
        if not 0 <= value <= MOST:
            said = f"{value:,}" if abs(value) < 10**24 else "beyond all measure"
            raise InputError(f"{name} is {said}", todo="give a number from 0 to 10^18")
    if embedding > params:
        raise InputError(f"the embedding has {embedding:,} of {params:,} parameters", todo="it is a part of them")
    f16, int8 = cost(params, "f16"), cost(params, "int8")
    int4 = cost(params - embedding, "int4") + cost(embedding, "int8")
    chosen, why = _choose(f16, int8, int4, budget)
    return Estimate(params, embedding, budget, f16, int8, int4, cost(params, "q4_0"), cost(params, "int4"), chosen, why)


def _choose(f16: int, int8: int, int4: int, budget: int | None) -> tuple[str, str]:
    rule = "int4 is chosen only when int8 does not fit"
    if budget is None:
        return "int8", f"no budget is given: int8 halves f16 and loses little; {rule}"
    if int8 <= budget:
        also = "f16 would fit too" if f16 <= budget else f"f16 ({f16:,}) does not"
        return "int8", f"int8 ({int8:,} bytes) fits the budget of {budget:,}, {also}; {rule}"
    if int4 <= budget:
        told = f"int8 ({int8:,} bytes) does not fit the budget of {budget:,} and int4 ({int4:,}) does"
        return "int4", f"{told}; the embedding stays int8"
    return "", f"even int4 ({int4:,} bytes) does not fit the budget of {budget:,}"


_UNITS = {"": 1, "k": 10**3, "m": 10**6, "b": 10**9, "g": 10**9, "t": 10**12,
          "ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}  # fmt: skip
_NUMBER = re.compile(
    r"(?P<digits>[0-9][0-9_,]*(\.[0-9]+)?(e[0-9]{1,2})?)\s*(?P<unit>ki|mi|gi|ti|k|m|b|g|t)?(b|bytes?)?", re.IGNORECASE
)


def parse_count(text: str) -> int:
    """A whole number of weights, also as 7B or 7e9. InputError when it is none."""
    match = _NUMBER.fullmatch(text.strip())
    if match is None or len(text) > 60:
        raise InputError(f"{text[:60]!r} is no number", todo="write 7000000000, 7B, 7e9 or 6GiB")
    digits = match["digits"].replace("_", "").replace(",", "")
    unit = _UNITS[(match["unit"] or "").lower()]
    value = Decimal(digits) * unit
    if unit == 1 and value != value.to_integral_value():
        raise InputError(f"{text.strip()!r} is no whole number", todo="write 7000000000, 7B, 7e9 or 6GiB")
    return round(value)


def parse_bytes(text: str) -> int:
    """A number of bytes, also as 6GiB or 8 GB; a bare B is one byte, not a billion."""
    return parse_count(re.sub(r"(?i)^([0-9.,_]+)\s*b$", r"\1", text.strip()))
