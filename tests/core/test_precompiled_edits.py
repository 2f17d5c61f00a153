"""Rules found all at once, against the walk that goes from one to the next."""

from __future__ import annotations

import random

import pytest
import sentencepiece

from tokenloupe.core.precompiled import Precompiled
from tokenloupe.core.precompiled_edits import RuleEdits
from tokenloupe.core.text import code_points
from tokenloupe.formats.protobuf_reader import fields

ODD = ["\ufb01", "①", "\uff21", "e\u0301", "e", "\u0301", "\u0323", "\u1100", "\u1161", "\u11a8", "\uff76", "\uff9e",
       "\u3000", "\u200b", "½", "\u0130", "\x01", "\t", "\n", "\xa0", "\u0344", "\u1e9b", "ς", "क", "\u093c", "a", " ",
       "😀"]


def rules_of(name: str) -> Precompiled:
    """What sentencepiece itself ships under a name."""
    model = sentencepiece.SentencePieceNormalizer(rule_name=name).serialized_model_proto()
    spec = next(f.data() for f in fields(model) if f.number == 3)
    return Precompiled(next(f.data() for f in fields(spec) if f.number == 2))


@pytest.mark.parametrize("name", ["nmt_nfkc", "nmt_nfkc_cf", "nfkc"])
def test_the_same_rules_fire_at_the_same_places(name: str) -> None:
    rules = rules_of(name)
    every = RuleEdits(rules)
    rng = random.Random(name)
    for _ in range(1500):
        text = "".join(rng.choices(ODD, k=rng.randint(0, 12)))
        if rng.random() < 0.5:
            text += chr(rng.choice([rng.randrange(1, 0xD800), rng.randrange(0xE000, 0x30000)])) + rng.choice(ODD)
        wanted: list[tuple[int, int, str]] = []
        at = 0
        while (found := rules.find(text, at)) is not None:
            wanted.append(found)
            at = found[1]
        edits = every.of(text, code_points(text))
        got: list[tuple[int, int, str]] = []
        if edits is not None:
            spelled = edits.points.tobytes().decode("utf-32-le")
            at = 0
            columns = (edits.starts.tolist(), edits.ends.tolist(), edits.lengths.tolist())
            for start, end, size in zip(*columns, strict=True):
                got.append((start, end, spelled[at : at + size]))
                at += size
        assert got == wanted, ascii(text)
