"""The hf-decode-stream policy on real tokenizer files: our decoding and policy against the library's, step by step.

Only that ids come one after another is assumed: texts are cut in the middle of characters, and ids are random too.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from tokenizers import Tokenizer as HfTokenizer
from tokenizers.decoders import DecodeStream

from tokenloupe.api import load
from tokenloupe.core.stream_lanes import Run
from tokenloupe.core.stream_sources import of_ids

TEXTS = ("Hello world, how are you?", "Go€→🙂 👨‍👩‍👧 \ufffd naïve", "日本語の文章。 ภาษาไทย हिन्दी",
         "  two  spaces\n\tand \r\n", "𓀀𒀀 rare 🦙🫠 ꙮ", "a\u0301 \u200d \x07")


def stepped(tokenizer: HfTokenizer, ids: list[int], skip: bool) -> list[str]:
    stream, out = DecodeStream(skip_special_tokens=skip), []
    for token_id in ids:
        try:
            out.append(stream.step(tokenizer, token_id) or "")
        except Exception as error:  # noqa: BLE001 - the library raises bare Exception
            assert "prefix" in str(error).lower()
            out.append("error")
    return out


LONG = pytest.mark.skipif(not os.environ.get("TOKENLOUPE_LONG"), reason="TOKENLOUPE_LONG is not set")


@pytest.mark.parametrize("name", [
    "mistral-v0.1.tokenizer.json", "minilm.tokenizer.json", "botchan_unigram_precompiled.tokenizer.json",
    "botchan_wordlevel.tokenizer.json", "clip.tokenizer.json", "llama3.tokenizer.json",
    *(pytest.param(name, marks=[LONG, pytest.mark.long]) for name in ("gpt4o.tokenizer.json", "gemma2.tokenizer.json")),
])
def test_real_tokenizers(name: str, real_file: Callable[[str], Path]) -> None:
    path = real_file(name)
    library, ours = HfTokenizer.from_file(str(path)), load(path)
    r = random.Random(name)
    size = library.get_vocab_size()
    runs = [library.encode(text).ids for text in TEXTS]
    for ids in list(runs):
        runs.append(ids[r.randint(1, 3) :])
        runs.append([i for i in ids if r.random() < 0.7])  # tokens missing: characters stay incomplete
    runs += [[r.randrange(size) for _ in range(10)] for _ in range(40)]
    known = [i for i in range(size) if library.id_to_token(i) is not None]
    bytes_first = [i for i in known if str(library.id_to_token(i)).startswith("<0x")] or known[:256]
    runs += [[r.choice(bytes_first) if r.random() < 0.6 else r.choice(known) for _ in range(10)] for _ in range(60)]
    for number, ids in enumerate(runs):
        skip = number % 2 == 0
        run = Run(of_ids(ours, ids, skip_special=skip), ("hf-decode-stream", "buffered"))
        lane = run.lanes[0]
        views = [run.view(lane, p) for p in range(1, run.steps)]
        given = ["error" if "raises an error" in v.note else v.emitted for v in views]
        assert given == stepped(library, ids, skip), ids
