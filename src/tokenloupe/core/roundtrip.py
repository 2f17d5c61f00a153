"""Does decoding give the bytes back? If not: which bytes are lost, and at which stage.

judge() fills `exact` and `lost` of an Encoding. A tokenizer that knows its stages reports what each one lost itself
(`Encoding.lost`); what is left unexplained is found by comparing the decoded bytes with the input.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .tokenizer import Encoding, Lost

if TYPE_CHECKING:
    from .tokenizer import Tokenizer

#: The stage of what a comparison alone has found.
UNEXPLAINED = "decode"


def judge(tokenizer: Tokenizer, encoding: Encoding) -> Encoding:
    """The encoding with its round-trip verdict: exact iff decode(ids) equals the input byte for byte."""
    decoded = tokenizer.decode(encoding.ids)
    if decoded == encoding.data:
        return replace(encoding, exact=True, lost=())
    lost = encoding.lost or tuple(tokenizer.decoding_loses(encoding.data)) or (difference(encoding.data, decoded),)
    return replace(encoding, exact=False, lost=lost)


def difference(data: bytes, decoded: bytes) -> Lost:
    """The shortest single span of the input that a common prefix and suffix leave over."""
    from .byte_diff import stretch  # late: difflib, for the few texts that lose something

    start, end, _ = stretch(data, decoded)
    return Lost(start, end, UNEXPLAINED)
