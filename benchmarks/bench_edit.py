"""An edit of a long text: Document.edit beside tiktoken encoding the whole text again, in one run.

    python benchmarks/bench_edit.py [o200k_base] [--sizes 1,10] [--edits 300]

Half of the edits are typing at one place, half are anywhere. Prints milliseconds (median, 99th percentile, worst), how
many times longer one full tiktoken encode of the text takes, and whether the final ids are tiktoken's.
"""

# ruff: noqa: SIM905

from __future__ import annotations

import argparse
import gc
import random
import time

import tiktoken

from tokenloupe.core.document import Document
from tokenloupe.core.tokenizer import Tokenizer
from tokenloupe.formats.bundled import load_bundled

WORDS = (
    "the of and to in is that for it was on are as with his they at be this have from or one had by word but not "
    "what all were we when your can said there use an each which she do how their if will up other about out many"
).split()
HAN = (
    "的一是不了人我在有他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后"
    "小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长"
)


def code(rng: random.Random, size: int) -> str:
    lines, total = [], 0
    while total < size:
        names = [rng.choice(WORDS) + rng.choice(("", "_", "Value", "2", "_id")) for _ in range(4)]
        line = "    " * rng.randrange(4) + rng.choice(
            (
                f"def {names[0]}({names[1]}: int, {names[2]}=None):",
                f"{names[0]} = {names[1]}[{rng.randrange(999)}] + {names[2]}",
                f"if ({names[0]} != '{names[1]}') {{ return {names[2]}.{names[3]}(); }}",
                f"// {' '.join(names)}",
                "",
            )
        )
        lines.append(line)
        total += len(line) + 1
    return "\n".join(lines)


def prose(rng: random.Random, size: int) -> str:
    out, total = [], 0
    while total < size:
        sentence = " ".join(rng.choice(WORDS) for _ in range(rng.randrange(5, 20))).capitalize() + rng.choice(
            (". ", "?\n", ".\n\n")
        )
        out.append(sentence)
        total += len(sentence)
    return "".join(out)


def chinese(rng: random.Random, size: int) -> str:
    out, total = [], 0
    while total < size:
        clause = "".join(rng.choice(HAN) for _ in range(rng.randrange(4, 24))) + rng.choice("，，。？\n")
        out.append(clause)
        total += 3 * len(clause)
    return "".join(out)


def json_line(rng: random.Random, size: int) -> str:
    out, total = ["["], 0
    while total < size:
        words = " ".join(rng.choice(WORDS) for _ in range(5))
        item = f'{{"id":{rng.randrange(10**6)},"{rng.choice(WORDS)}":"{words}","x":{rng.random():.4f}}},'
        out.append(item)
        total += len(item)
    return "".join(out)


def one_run(rng: random.Random, size: int) -> str:
    return "".join(rng.choice(HAN) for _ in range(size // 3))


TEXTS = {"code": code, "prose": prose, "CJK": chinese, "one-line JSON": json_line, "one CJK run": one_run}


def edit_times(document: Document, rng: random.Random, count: int) -> list[float]:
    times: list[float] = []
    place = len(document) // 2
    while place < len(document) and document.store.bytes(place, place + 1)[0] & 0xC0 == 0x80:
        place += 1
    for k in range(count):
        if k % 2:
            at, removed, new = place, 0, rng.choice("abc de.\n1中'").encode()
            place += len(new)
        else:
            at = rng.randrange(len(document))
            while document.store.bytes(at, at + 1)[0] & 0xC0 == 0x80:
                at -= 1
            removed = 0
            new = rng.choice(("x", " ", "\n", "word", "中", "", ".")).encode()
            if not new:
                first = document.store.bytes(at, at + 1)[0]
                removed = 1 if first < 0x80 else 2 if first < 0xE0 else 3 if first < 0xF0 else 4
            if at < place:
                place += len(new) - removed
            if at == place and removed:
                continue
        began = time.perf_counter()
        document.edit(at, removed, new)
        times.append((time.perf_counter() - began) * 1000)
    return sorted(times)


def measure(tokenizer: Tokenizer, reference: tiktoken.Encoding, name: str, megabytes: float, edits: int) -> None:
    rng = random.Random(7)
    document = Document(tokenizer, TEXTS[name](rng, int(megabytes * 1e6)).encode())
    began = time.perf_counter()
    worst = last = 0.0
    for _ in document.fill():
        now = time.perf_counter() - began
        worst, last = max(worst, now - last), now
    gc.collect()
    gc.freeze()
    times = edit_times(document, rng, edits)
    text = document.data.decode()
    began = time.perf_counter()
    ids = reference.encode_ordinary(text)
    full = (time.perf_counter() - began) * 1000
    median, high = times[len(times) // 2], times[int(len(times) * 0.99)]
    right = "ids equal" if document.encoding().ids.tolist() == ids else "IDS DIFFER"
    print(
        f"{megabytes:5g} MB {name:14} p50 {median:7.2f}  p99 {high:7.2f}  worst {times[-1]:7.2f} ms   tiktoken in full "
        f"{full:7.0f} ms = {full / median:6.0f} x   fill {last * 1000:6.0f} ms, worst slice {worst * 1000:4.0f}   "
        f"{right}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vocabulary", nargs="?", default="o200k_base")
    parser.add_argument("--sizes", default="1,10", help="megabytes, with commas between")
    parser.add_argument("--edits", type=int, default=300)
    parser.add_argument("--texts", default=",".join(TEXTS))
    arguments = parser.parse_args()
    tokenizer = load_bundled(arguments.vocabulary)
    reference = tiktoken.Encoding(
        arguments.vocabulary,
        pat_str=tokenizer.splitter.pattern,  # type: ignore[attr-defined]
        mergeable_ranks={
            tokenizer.vocabulary.bytes_of(i): i
            for i in tokenizer.vocabulary.ids.tolist()
            if i not in tokenizer.special_tokens.values()
        },
        special_tokens=tokenizer.special_tokens,
    )
    for size in map(float, arguments.sizes.split(",")):
        for name in arguments.texts.split(","):
            measure(tokenizer, reference, name, size, arguments.edits)


if __name__ == "__main__":
    main()
