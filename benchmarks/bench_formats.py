"""Tokenizer files beside their own libraries, in one run: loading and bulk encoding. Ratios above 1: we are faster.

    .venv/bin/python benchmarks/bench_formats.py                       # files found in ../shared/real and build/real
    .venv/bin/python benchmarks/bench_formats.py --folder DIR --size 200000

sentencepiece for .model, gguf-py for GGUF, tiktoken for tekken.json, subword-nmt for codes. Encoding is of a text never
seen before ("first") and of the same text again ("again"), bare ids beside bare ids (encode_ids). sentencepiece can
give the bytes behind each token too (its offset_mapping): "spans" is our whole encoding, with spans, kinds and losses,
beside that.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from realfiles import FOLDERS, files

WORDS = (
    *("the", "quick", "brown", "fox", "jumps", "over", "a", "lazy", "dog", "while", "language", "models", "read",
      "bytes"),
    *("in", "pairs", "and", "count", "them", "again", "until", "no", "pair", "is", "left", "Unfortunately", "however"),
    *("it's", "John's", "tokenization", "2024", "12,345.67", "ünïcödé", "naïve"),
)
OTHER = (
    "東京都の天気は晴れです", "把文本切成记号", "한국어", "문장", "Привет", "мир", "नमस्ते", "दुनिया", "สวัสดีชาวโลก",
    "مرحبا",
    "بالعالم", "👩‍👩‍👧", "ﬁ", "①",
)


def prose(size: int) -> str:
    rng = random.Random(1)
    made = "".join(c for _ in range(size // 4) for c in (rng.choice(WORDS), rng.choice("     ,. ")))
    return made[:size]


def languages(size: int) -> str:
    rng = random.Random(2)
    return " ".join(rng.choice(OTHER) for _ in range(size // 8))[: size // 3]


def seconds(work: Callable[[], Any], times: int = 1) -> float:
    """The best of a few runs."""
    best = float("inf")
    for _ in range(times):
        gc.collect()
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def beside(path: Path, ours: Callable[[Any], Any], theirs: Callable[[], Any]) -> str:
    """"first / again": how many times as long as ours theirs takes."""
    from tokenloupe.formats import open_tokenizer

    tokenizer = open_tokenizer(path)
    tokenizer.encode("warm é 1")
    first = seconds(lambda: ours(tokenizer))
    again = seconds(lambda: ours(tokenizer), 3)
    peer = seconds(theirs, 3)
    return f"{peer / first:8.2f} / {peer / again:5.2f}"


def reference(path: Path) -> tuple[str, Callable[[], Any], Callable[[Any, str], Any] | None] | None:
    """(library, how it loads, how what it loaded encodes) for a file."""
    if path.suffix == ".model":
        import sentencepiece

        return ("sentencepiece", lambda: sentencepiece.SentencePieceProcessor(model_file=str(path)),
                lambda m, text: m.encode(text))
    if path.suffix == ".gguf":
        from gguf import GGUFReader

        return "gguf-py", lambda: GGUFReader(str(path)), None
    if path.name.startswith("tekken"):
        return "tiktoken", lambda: _tekken(path), lambda m, text: m.encode_ordinary(text)
    if path.name.endswith("codes.txt"):
        from subword_nmt.apply_bpe import BPE

        return "subword-nmt", lambda: BPE(path.open(encoding="utf-8")), lambda m, text: m.process_line(text)
    return None


def with_spans(library: str) -> Callable[[Any, str], Any] | None:
    """How a library gives the bytes behind each token as well, where it can."""
    if library != "sentencepiece":
        return None
    return lambda m, text: m.encode(text, return_type="offset_mapping", return_bytes=True)


def _tekken(path: Path) -> Any:
    import base64

    import tiktoken

    document = json.loads(path.read_text("utf-8"))
    config = document["config"]
    live = config["default_vocab_size"] - config["default_num_special_tokens"]
    ranks = {base64.b64decode(e["token_bytes"]): e["rank"] for e in document["vocab"][:live]}
    return tiktoken.Encoding("t", pat_str=config["pattern"], mergeable_ranks=ranks, special_tokens={})


def main() -> None:
    from tokenloupe.formats import open_tokenizer

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--folder", type=Path, action="append")
    parser.add_argument("--size", type=int, default=300_000, help="bytes of text")
    parser.add_argument("--only", default="", help="files whose name holds this")
    args = parser.parse_args()
    texts = {"prose": prose(args.size), "languages": languages(args.size)}
    print(f"{'file':38} {'library':14} {'load ms':>9} {'ratio':>7}  encode: " + "  ".join(
        f"{name} first/again ratio" for name in texts))
    for path in files(args.folder or FOLDERS):
        name, found = path.name, reference(path)
        if found is None or args.only not in name or name.startswith("minilm"):
            continue
        library, load, encode = found
        theirs = seconds(load, 3)
        ours = seconds(lambda path=path: open_tokenizer(path), 3)
        line = f"{name:38} {library:14} {ours * 1e3:9.1f} {theirs / ours:7.2f}  "
        if encode is not None:
            model = load()
            for text in texts.values():
                data = text.encode()
                line += beside(path, lambda t, d=data: t.encode_ids(d), lambda m=model, x=text, e=encode: e(m, x))
                if (spans := with_spans(library)) is not None:
                    line += ", spans " + beside(path, lambda t, d=data: t._encode(d, "text", False),
                                                lambda m=model, x=text, e=spans: e(m, x))
                line += "    "
        print(line, flush=True)


if __name__ == "__main__":
    main()
