"""tokenizer.json beside the `tokenizers` library, in one run: load, bulk encode, memory.

    python benchmarks/bench_hf.py [FOLDER ..]         # folders with *.tokenizer.json; default: build/real

A ratio above 1 is in our favour. "first" is the first text of that kind (nothing remembered), "again" the same text
once more, both with spans and kinds; "judged" once more with the round-trip verdict, that no library gives. Texts: this
machine's Python sources, its packages' descriptions, and words of many scripts.
"""

from __future__ import annotations

import random
import sys
import sysconfig
import time
from pathlib import Path

import psutil
from tokenizers import Tokenizer as Reference

from tokenloupe.formats import open_tokenizer

SIZE = 1 << 20
SCRIPTS = ("hello", "naïve", "Москва", "Ελλάδα", "你好世界", "東京タワー", "안녕하세요", "สวัสดี", "नमस्ते", "مرحبا",
           "שלום", "👩‍👩‍👧‍👦", "1234", "co-op", "don't", "ﬁne", "Ångström", "ǅ", "½")


def gathered(paths: list[Path]) -> str:
    parts: list[str] = []
    size = 0
    for path in paths:
        text = path.read_text("utf-8", errors="ignore")
        parts.append(text)
        size += len(text)
        if size >= SIZE:
            break
    return "".join(parts)[:SIZE]


def texts() -> dict[str, str]:
    rng = random.Random(1)
    words: list[str] = []
    size = 0
    while size < SIZE // 2:
        word = rng.choice(SCRIPTS)
        cut = rng.randrange(len(word))
        words.append(word[cut:] + rng.choice(SCRIPTS)[:3] if rng.random() < 0.3 else word)
        size += len(words[-1]) + 1
    library, site = Path(sysconfig.get_path("stdlib")), Path(sysconfig.get_path("purelib"))
    return {"code": gathered(sorted(library.glob("*.py"))), "prose": gathered(sorted(site.glob("*/METADATA"))),
            "scripts": " ".join(words)}


def timed(call: object, *arguments: object, **options: object) -> tuple[float, object]:
    start = time.perf_counter()
    result = call(*arguments, **options)  # type: ignore[operator]
    return time.perf_counter() - start, result


def resident() -> int:
    return psutil.Process().memory_info().rss >> 20


def main(folders: list[Path]) -> None:
    corpora = texts()
    for path in sorted(p for folder in folders for p in folder.glob("*.tokenizer.json")):
        before = resident()
        theirs_load, reference = timed(Reference.from_str, path.read_text("utf-8"))
        between = resident()
        ours_load, ours = timed(open_tokenizer, path)
        ours.encode("a")  # type: ignore[attr-defined]
        after = resident()
        reference.no_truncation()  # type: ignore[attr-defined]
        reference.no_padding()  # type: ignore[attr-defined]
        print(f"{path.name}: load {theirs_load:.3f} / {ours_load:.3f} s = {theirs_load / ours_load:.1f}, "
              f"memory {between - before} / {after - between} MB")
        for name, text in corpora.items():
            theirs, wanted = timed(lambda: reference.encode(text, add_special_tokens=False).ids)  # noqa: B023
            data = text.encode()
            first, made = timed(ours._encode, data, "parse", False)  # type: ignore[attr-defined]
            again, _ = timed(ours._encode, data, "parse", False)  # type: ignore[attr-defined]
            judged, _ = timed(ours.encode, text, special="parse")  # type: ignore[attr-defined]
            same = "same ids" if made.ids.tolist() == wanted else "IDS DIFFER"  # type: ignore[attr-defined]
            print(f"    {name:8} {theirs:.3f} s; first {first:.3f} = {theirs / first:.1f}, "
                  f"again {again:.3f} = {theirs / again:.1f}, judged {judged:.3f} = {theirs / judged:.1f}; {same}")


if __name__ == "__main__":
    main([Path(a) for a in sys.argv[1:]] or [Path(__file__).resolve().parents[1] / "build/real"])
