"""subword-nmt codes against subword-nmt itself."""

from __future__ import annotations

import io
import random

import pytest
from subword_nmt.apply_bpe import BPE

from tokenloupe.core.errors import InputError
from tokenloupe.core.sennrich import SubwordNmtTokenizer
from tokenloupe.formats import open_bytes


def random_codes(rng: random.Random, version: str) -> str:
    letters = "abcdé你"
    symbols = list(letters) + [c + "</w>" for c in letters] + (["</w>"] if version == "0.1" else [])
    lines = [f"#version: {version}"] if version == "0.2" or rng.random() < 0.5 else []
    while len(lines) < rng.randint(3, 40):
        left, right = rng.choice([s for s in symbols if not s.endswith("</w>")]), rng.choice(symbols)
        lines.append(f"{left} {right}")
        symbols.append(left + right)
    return "\n".join(lines) + "\na b</w>\n"


@pytest.mark.parametrize("seed", range(60))
def test_random_codes_give_the_reference_s_line(seed: int) -> None:
    rng = random.Random(seed)
    codes = random_codes(rng, rng.choice(["0.1", "0.2"]))
    ours, theirs = open_bytes(codes.encode(), "codes"), BPE(io.StringIO(codes))
    assert isinstance(ours, SubwordNmtTokenizer)
    for _ in range(10):
        line = "".join(rng.choices(["a", "b", "c", "d", "é", "你", " ", "  ", "x", "\t", "\n", "\u3000", "ab"],
                                   k=rng.randint(0, 20)))
        assert ours.process_line(line) == theirs.process_line(line), (codes, line)
        found = ours.encode(line)
        pieces = [found.data[t.start : t.end].decode() for t in found.tokens]
        words = [w for w in line.strip("\r\n ").split(" ") if w]
        assert pieces == [p for w in words for p in ours.segment(w)]


def test_ids_spans_and_losses() -> None:
    tokenizer = open_bytes(b"#version: 0.2\nt h\nth e</w>\n", "codes")
    found = tokenizer.encode(" the  theq")
    assert [(tokenizer.vocabulary.raw_at(t.id), t.start, t.end) for t in found.tokens] == [
        ("the", 1, 4), ("th@@", 6, 8), ("e@@", 8, 9), ("<unk>", 9, 10)]
    assert [(x.start, x.end) for x in found.lost] == [(0, 1), (5, 6), (9, 10)]
    assert tokenizer.encode("the the").exact and tokenizer.decode(found.ids[:3]) == b"the the"


@pytest.mark.parametrize(
    ("codes", "said"),
    [(b"#version: 0.2\na b</w>\na b c\n", "3 symbols where two belong.*line 3"),
     (b"#version: 0.3\na b</w>\n", "version '0.3' is not known, line 1")],
)
def test_wrong_lines_are_named(codes: bytes, said: str) -> None:
    from tokenloupe.formats import subword_nmt
    from tokenloupe.formats.registry import Source

    with pytest.raises(InputError, match=said):
        subword_nmt.load(Source(None, "codes", codes), {})
