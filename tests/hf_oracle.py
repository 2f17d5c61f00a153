"""Opens one tokenizer.json in the reference library and here, and compares what both make of texts.

    problems, compared = compare(random.Random(1), "BPE", texts=3)
"""

from __future__ import annotations

import json
import random
import re
from typing import Any

from tokenizers import Tokenizer as Reference

from hf_random import random_text, random_tokenizer
from tokenloupe.core.errors import InputError
from tokenloupe.core.pipeline_tokenizer import PipelineTokenizer
from tokenloupe.formats import open_bytes


def open_both(value: Any) -> tuple[Reference | None, PipelineTokenizer | None]:
    """None on a side that refuses the file."""
    text = json.dumps(value)
    try:
        reference: Reference | None = Reference.from_str(text)
    except BaseException as error:  # the library panics with a BaseException of its own
        if isinstance(error, (KeyboardInterrupt, SystemExit)):
            raise
        reference = None
    try:
        ours = open_bytes(text.encode(), "random")
    except InputError:
        return reference, None
    return reference, ours  # type: ignore[return-value]


def ambiguous(ours: PipelineTokenizer) -> bool:
    """Two added tokens that normalize to one text (or one to nothing): which the library matches depends on a hash."""
    texts = [ours.added.spelled[i] for i, t in ours.added.by_id.items() if t.normalized]
    return len(set(texts)) < len(texts) or "" in texts


def as_library(text: str, decoder: Any) -> str:
    """Our decoded text with the library's U+FFFD for bytes that are no UTF-8."""
    if "ByteLevel" in json.dumps(decoder):
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return re.sub("[\udc80-\udcff]", "\ufffd", text)


def compare(rng: random.Random, kind: str, texts: int) -> tuple[list[str], int]:
    """(what differs, how many pairs were compared) for one random tokenizer."""
    value = random_tokenizer(rng, kind)
    reference, ours = open_both(value)
    if (reference is None) != (ours is None):
        return [f"one side refuses {json.dumps(value)[:2000]}"], 1
    if reference is None or ours is None or ambiguous(ours):
        return [], 0
    problems, compared = [], 0
    for _ in range(texts):
        text = random_text(rng, value)
        mode = rng.choice(["parse", "text"])
        problem = compare_text(reference, ours, text, mode, value["decoder"])
        if problem is not None:
            compared += 1
            if problem:
                stages = {k: value[k] for k in ("normalizer", "pre_tokenizer", "decoder", "added_tokens")}
                options = {k: v for k, v in value["model"].items() if k not in ("vocab", "merges")}
                problems.append(f"{problem} on {text!r} ({mode}): {stages} {options}")
    return problems, compared


def compare_text(reference: Reference, ours: PipelineTokenizer, text: str, mode: str, decoder: Any) -> str | None:
    """"" when all is equal, None when the library panicked (it has no answer), else what differs."""
    reference.encode_special_tokens = mode == "text"
    wanted: list[int] | None
    try:
        wanted = reference.encode(text, add_special_tokens=False).ids
    except BaseException as error:
        if isinstance(error, (KeyboardInterrupt, SystemExit)):
            raise
        if "Panic" in type(error).__name__:
            return None
        wanted = None
    try:
        made = ours.encode(text, special=mode)  # type: ignore[arg-type]
    except InputError as error:
        return "" if wanted is None else f"refused here ({error})"
    if wanted is None:
        return "refused by the library"
    if made.ids.tolist() != wanted:
        return f"ids {made.ids.tolist()} and not {wanted}"
    size = len(made.data)
    if not ((made.starts >= 0).all() and (made.starts <= made.ends).all() and (made.ends <= size).all()):
        return f"spans {made.starts.tolist()} {made.ends.tolist()} of {size} bytes"
    if [ours.spellings.get(i) for i in wanted] != [reference.id_to_token(i) for i in wanted]:
        return "spellings"
    try:
        decoded = reference.decode(wanted, skip_special_tokens=False)
    except BaseException as error:
        if isinstance(error, (KeyboardInterrupt, SystemExit)):
            raise
        return ""
    ours_decoded = as_library(ours.decode_text(wanted), decoder)
    return "" if ours_decoded == decoded else f"decoded {ours_decoded!r} and not {decoded!r}"
