"""Writes src/tokenloupe/core/pipeline/hf_tables.py: what the `tokenizers` library takes each code point for.

    python packaging/make_hf_tables.py            # writes the file
    python packaging/make_hf_tables.py --check    # exits 1 when the file differs from what the library says

Every fact is asked of the library itself, over all code points, because it mixes Unicode versions: its normal forms are
Unicode 12's, its punctuation older, its lower case that of its compiler. Needs `tokenizers` and Python 3.11 or newer.
"""

from __future__ import annotations

import struct
import sys
import unicodedata
from collections.abc import Callable, Iterable
from pathlib import Path

from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers
from tokenizers import __version__ as version

TARGET = Path(__file__).parent.parent / "src/tokenloupe/core/pipeline/hf_tables.py"
POINTS = [c for c in range(0x110000) if not 0xD800 <= c <= 0xDFFF]


def ranges(points: Iterable[int]) -> str:
    """Ascending code points as "gap,length;..." in hexadecimal: the gap is counted from the end of the range before."""
    out: list[str] = []
    start = end = 0
    done = 0
    for point in points:
        if point == end and end:
            end += 1
            continue
        if end:
            out.append(f"{start - done:x},{end - start:x}")
            done = end
        start, end = point, point + 1
    if end:
        out.append(f"{start - done:x},{end - start:x}")
    return ";".join(out)


def where(test: Callable[[str], bool]) -> str:
    return ranges(c for c in POINTS if test(chr(c)))


def rust_word() -> str:
    """`\\w` of the rust regex crate, as the single_word flag of added tokens uses it."""
    tokenizer = Tokenizer(models.WordLevel({"[UNK]": 0}, "[UNK]"))
    tokenizer.add_tokens([AddedToken("@@", single_word=True, normalized=False)])
    found: list[int] = []
    for at in range(0, len(POINTS), 4096):
        block = POINTS[at : at + 4096]
        encoded = tokenizer.encode_batch_fast(["@@" + chr(c) for c in block])
        found += [c for c, e in zip(block, encoded, strict=True) if e.ids == [0]]
    return ranges(found)


def lower_case() -> str:
    """"first,last,step,delta;..." of the code points whose lower case is one other code point."""
    lower = normalizers.Lowercase()
    pairs = [(c, ord(low)) for c in POINTS if len(low := lower.normalize_str(chr(c))) == 1 and low != chr(c)]
    runs: list[list[int]] = []
    for point, low in pairs:
        if runs and low - point == runs[-1][3]:
            gap = point - runs[-1][1]
            if gap <= 2 and (runs[-1][2] in (0, gap)):
                runs[-1][1], runs[-1][2] = point, gap
                continue
        runs.append([point, point, 0, low - point])
    return ";".join(f"{a:x},{b:x},{step or 1},{delta}" for a, b, step, delta in runs)


def scripts() -> str:
    """"gap,length,number;..." of the library's script classes; number 0 is its `Any`, which joins every script."""
    split = pre_tokenizers.UnicodeScripts().pre_tokenize_str
    samples: list[str] = []
    runs: list[list[int]] = []
    last = -1
    for point in POINTS:
        char = chr(point)
        if not split(char):
            number = 0
        else:
            order = [last, *range(len(samples))] if last >= 0 else list(range(len(samples)))
            number = next((n + 1 for n in order if len(split(samples[n] + char)) == 1), 0)
            if not number:
                samples.append(char)
                number = len(samples)
            last = number - 1
        if runs and runs[-1][2] == number and runs[-1][1] == point:
            runs[-1][1] = point + 1
        else:
            runs.append([point, point + 1, number])
    out, done = [], 0
    for start, end, number in runs:
        out.append(f"{start - done:x},{end - start:x},{number:x}")
        done = end
    return ";".join(out)


def one_rule() -> bytes:
    """A SentencePiece charsmap with the one rule x -> y: three units of a double-array trie and the string."""
    units = [0] * 256
    base, leaf = 1, 2
    child = base ^ ord("x")
    units[0] = base << 10
    units[child] = (leaf ^ child) << 10 | ord("x") | 1 << 8
    units[leaf] = 1 << 31
    trie = struct.pack("<256I", *units)
    return struct.pack("<I", len(trie)) + trie + b"y\0"


def tables() -> dict[str, str]:
    bert = normalizers.BertNormalizer
    clean = bert(clean_text=True, handle_chinese_chars=False, strip_accents=False, lowercase=False).normalize_str
    marks = bert(clean_text=False, handle_chinese_chars=False, strip_accents=True, lowercase=False).normalize_str
    accents = normalizers.StripAccents().normalize_str
    nfd, nfkd = normalizers.NFD().normalize_str, normalizers.NFKD().normalize_str
    punctuation = pre_tokenizers.Punctuation("removed").pre_tokenize_str
    digits = pre_tokenizers.Digits(individual_digits=True).pre_tokenize_str
    words = pre_tokenizers.Whitespace().pre_tokenize_str

    charsmap = normalizers.Precompiled(one_rule()).normalize_str

    def reordered(char: str) -> bool:
        """Whether the library knows the combining class: a mark of class 1 comes before one of a higher class."""
        order = unicodedata.combining(char)
        if order == 1:
            return nfd("a\u0301" + char) == "a" + char + "\u0301"
        return order > 1 and nfd("a" + char + "\u0334") == "a\u0334" + char

    return {
        "BERT_CONTROL": where(lambda c: clean(c) == ""),
        "BERT_SPACE": where(lambda c: clean(c) == " "),
        "BERT_MARK": where(lambda c: marks(c) == ""),
        "COMBINING_MARK": where(lambda c: accents(c) == ""),
        "COMBINING_CLASS": where(reordered),
        "CANONICAL": where(lambda c: nfd(c) != c),
        "COMPATIBILITY": where(lambda c: nfkd(c) != c and nfd(c) == c),
        "PUNCTUATION": where(lambda c: not punctuation(c)),
        "NUMERIC": where(lambda c: len(digits("a" + c + "a")) == 3),
        "WHITESPACE": where(lambda c: not words(c)),
        "WORD": where(lambda c: len(words("a" + c)) == 1 and bool(words(c))),
        "RUST_WORD": rust_word(),
        # what joins the character before it in a grapheme cluster: such a cluster is replaced as a whole
        "EXTENDS": where(lambda c: c != "x" and len(c.encode()) < 5 and charsmap("x" + c) == "y"),
        "LOWER": lower_case(),
        "SCRIPTS": scripts(),
    }


def text() -> str:
    lines = [
        f'"""What `tokenizers` {version} takes each code point for. packaging/make_hf_tables.py wrote this."""',
        "",
    ]
    for name, value in tables().items():
        lines.append(f"{name} = (")
        lines += [f'    "{value[i : i + 110]}"' for i in range(0, len(value), 110)]
        lines.append(")")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    made = text()
    if "--check" in sys.argv:
        sys.exit(0 if TARGET.read_text("utf-8") == made else 1)
    TARGET.write_text(made, "utf-8", newline="\n")
