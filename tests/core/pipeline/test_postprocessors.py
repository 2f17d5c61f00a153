"""Post-processors against the library: BOS, EOS, [CLS], [SEP], templates in sequence."""

from __future__ import annotations

import json
import random
from typing import Any

from tokenizers import Tokenizer as Reference

from tokenloupe.formats import open_bytes

NAMES = ["<s>", "</s>", "[CLS]", "[SEP]"]


def processor(rng: random.Random, depth: int = 0) -> dict[str, Any]:
    kind = rng.choice(["Template", "Bert", "Roberta", "ByteLevel"] + (["Sequence"] if depth < 2 else []))
    pair = lambda: [(n := rng.choice(NAMES)), NAMES.index(n)]  # noqa: E731
    if kind == "Bert":
        return {"type": "BertProcessing", "sep": pair(), "cls": pair()}
    if kind == "Roberta":
        return {"type": "RobertaProcessing", "sep": pair(), "cls": pair(), "trim_offsets": True,
                "add_prefix_space": True}
    if kind == "ByteLevel":
        return {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
    if kind == "Sequence":
        return {"type": "Sequence", "processors": [processor(rng, depth + 1) for _ in range(rng.randint(1, 2))]}
    parts: list[dict[str, Any]] = [{"SpecialToken": {"id": rng.choice(NAMES), "type_id": 0}}
                                   for _ in range(rng.randint(0, 3))]
    parts.insert(rng.randint(0, len(parts)), {"Sequence": {"id": "A", "type_id": 0}})
    return {"type": "TemplateProcessing", "single": parts, "pair": [
        {"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}], "special_tokens": {
        n: {"id": n, "ids": [i] * k, "tokens": [n] * k} for i, n in enumerate(NAMES) for k in [rng.randint(1, 2)]}}


def test_what_is_put_around_a_text_is_the_librarys() -> None:
    vocab = {n: i for i, n in enumerate([*NAMES, "a", "b"])}
    for seed in range(200):
        rng = random.Random(seed)
        post = processor(rng)
        value = {"version": "1.0", "added_tokens": [], "normalizer": None, "pre_tokenizer": None, "decoder": None,
                 "post_processor": post, "model": {"type": "BPE", "vocab": vocab, "merges": []}}
        text = json.dumps(value)
        reference = Reference.from_str(text)
        ours = open_bytes(text.encode(), "t")
        for data in ("abba", "a", ""):
            try:
                wanted = reference.encode(data).ids
            except BaseException as error:  # the library panics where a template gets more than two parts
                if "Panic" not in type(error).__name__:
                    raise
                continue
            assert ours.encode(data, bos_eos=True).ids.tolist() == wanted, (json.dumps(post), data)
            assert ours.encode(data).ids.tolist() == reference.encode(data, add_special_tokens=False).ids
