"""A census written down: its tables as Markdown, or as CSV for a spreadsheet.

    >>> csv(Census(VocabularyIndex(load_bundled("gpt2")))).splitlines()[:2]
    ['table,item,entries', 'entries,entries,50257']
"""

from __future__ import annotations

from dataclasses import fields

from .census import Census, Counts
from .tables import code_span
from .utf8 import LENGTH, ByteRole

#: Field of Counts -> what a reader calls it.
WORDS = {
    "total": "entries", "whole": "whole characters", "starts_mid": "begin inside a character",
    "ends_mid": "end inside a character", "both": "cut at both ends",
    "interior": "continuation bytes alone", "invalid": "part of no UTF-8", "empty": "without bytes",
    "byte": "of one byte", "special": "special", "added": "added", "unused": "unused", "unknown": "unknown",
    "byte_pieces": "byte pieces", "replaced": "decode with U+FFFD when alone", "characters": "exactly one character",
    "holes": "ids without an entry",
}


def role_of_byte(byte: int) -> ByteRole:
    """What a byte is by itself, wherever it stands.

    >>> role_of_byte(0xE6).word, role_of_byte(0xFF).word
    ('lead of 3', 'invalid')
    """
    if 0x80 <= byte < 0xC0:
        return ByteRole.CONTINUATION
    return (ByteRole.INVALID, ByteRole.ASCII, ByteRole.LEAD2, ByteRole.LEAD3, ByteRole.LEAD4)[int(LENGTH[byte])]


def counts_table(counts: Counts) -> list[str]:
    """Lines of a Markdown table."""
    return ["| entries | |", "|--:|---|",
            *(f"| {getattr(counts, f.name)} | {WORDS[f.name]} |" for f in fields(Counts))]


def markdown(census: Census) -> str:
    """All tables of the census."""
    tokenizer = census.index.tokenizer
    lines = [f"# Census of {tokenizer.name if tokenizer else 'a vocabulary'}", "", *counts_table(census.counts), ""]
    lines += ["## By script", "", "| entries | script |", "|--:|---|"]
    lines += [f"| {n} | {name} |" for name, n in census.by_script]
    lines += ["", "## By length", "", "| entries | bytes |", "|--:|--:|"]
    lines += [f"| {n} | {size} |" for size, n in enumerate(census.by_length.tolist()) if n]
    lines += ["", "## Bytes", "", "| byte | role in UTF-8 | in the entries | entry of its own |", "|---|---|--:|--:|"]
    for byte, (n, own) in enumerate(zip(census.bytes_used.tolist(), census.byte_ids.tolist(), strict=True)):
        lines.append(f"| `{byte:02x}` | {role_of_byte(byte).word} | {n} | {own if own >= 0 else ''} |")
    lines += ["", "## Unicode blocks", "", "| block | from | assigned | entry of its own | in any entry |",
              "|---|---|--:|--:|--:|"]
    lines += [f"| {code_span(b.name)} | U+{b.first:04X} | {b.assigned} | {b.single} | {b.used} |"
              for b in census.coverage if b.used]
    return "\n".join([*lines, ""])


def csv(census: Census) -> str:
    """One table of (table, item, entries); of blocks: code points that stand in any entry."""
    rows = [("entries", WORDS[f.name], getattr(census.counts, f.name)) for f in fields(Counts)]
    rows += [("script", name, n) for name, n in census.by_script]
    rows += [("bytes long", str(size), n) for size, n in enumerate(census.by_length.tolist()) if n]
    rows += [("times byte", f"{byte:02x}", n) for byte, n in enumerate(census.bytes_used.tolist())]
    rows += [("code points of block", b.name, b.used) for b in census.coverage]
    return "\n".join(["table,item,entries", *(f"{a},{b},{n}" for a, b, n in rows), ""])
