"""RWKV's vocabulary: against a slow reference written from its description, and lines that are no literals."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenloupe.core.errors import InputError
from tokenloupe.formats import open_bytes, rwkv
from tokenloupe.formats.registry import Source

FILE = b"""1 'a' 1
2 'b' 1
3 b'\\xe4' 1
4 'ab' 2
5 'aba' 3
6 '\\n' 1
7 "it's" 4
8 '\xe4\xbd\xa0' 3
9 b'ab\\xff' 3
"""


def slow(tokens: dict[bytes, int], data: bytes) -> list[int]:
    """At each byte the longest token; a byte that begins none gives nothing."""
    out, pos = [], 0
    while pos < len(data):
        fitting = [t for t in tokens if data.startswith(t, pos)]
        if fitting:
            best = max(fitting, key=len)
            out.append(tokens[best])
            pos += len(best)
        else:
            pos += 1
    return out


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.binary(min_size=1, max_size=4), st.integers(0, 10_000), min_size=1, max_size=30),
       st.binary(max_size=30))
def test_the_longest_token_at_each_byte(tokens: dict[bytes, int], data: bytes) -> None:
    tokens = {t: i for i, t in enumerate(tokens)}
    file = "".join(f"{i} {t!r} {len(t)}\n" for t, i in tokens.items()).encode()
    tokenizer = open_bytes(file, "x.txt")
    found = tokenizer.encode(data)
    assert tokenizer.format == "rwkv" and found.ids.tolist() == slow(tokens, data)
    covered = sum(t.end - t.start for t in found.tokens) + sum(x.end - x.start for x in found.lost)
    assert covered == len(data)


def test_literals_of_both_kinds() -> None:
    tokenizer = open_bytes(FILE)
    assert tokenizer.encode("abab\n你it's").ids.tolist() == [5, 2, 6, 8, 7]
    assert tokenizer.encode(b"ab\xff").ids.tolist() == [9]
    assert tokenizer.warnings and tokenizer.encode("z").lost[0].stage


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"10 __import__('os').system('x') 1", "line 10"),
        (b"10 'a' + 'b' 2", "line 10"),
        (b"10 ['a'] 1", "line 10"),
        (b"10 'abc' 2", "has 3 bytes and the line says 2, line 10"),
        (b"1 'q' 1", "id 1 is given a second time, line 10"),
        (b"10 '\\xZZ' 1", "cannot be read, line 10"),
        (b"10 '' 0", "line 10"),
    ],
)
def test_a_line_that_is_no_entry_is_named(line: bytes, said: str) -> None:
    with pytest.raises(InputError, match=said):
        rwkv.load(Source(None, "x", FILE + line + b"\n"), {})
