"""What the inspector says, as rows of plain text: facts, characters, other spellings, ways by score.

    fact_rows(facts)[0]                 # Row("162", "Id")
    character_rows(facts)               # one Row a code point

Everything is made of core's answers (inspect_token, inspect_token_why); nothing is worked out here.
"""

from __future__ import annotations

import re

from ..core.inspect_token import Character, TokenFacts
from ..core.inspect_token_why import Why
from ..core.tokenizer import Tokenizer
from .inspector_rows import Row
from .readable import readable

NO_BREAK = "\u00a0"
#: Bytes shown of a token that is a long run of spaces.
MOST_BYTES = 64


def hex_of(data: bytes) -> str:
    shown = data[:MOST_BYTES].hex(" ")
    return f"{shown} … ({len(data):,} bytes)" if len(data) > MOST_BYTES else shown


def fact_rows(facts: TokenFacts, why: Why | None = None) -> list[Row]:
    """Name in `detail`, value in `title`: a list of pairs."""
    rows = [Row(str(facts.id), "Id"), Row(hex_of(facts.piece) or "none", "Bytes"),
            Row(readable(facts.piece) or "nothing", "Text")]
    if facts.raw and facts.raw != facts.piece.decode("utf-8", "replace"):
        rows.append(Row(readable(facts.raw.encode("utf-8", "surrogatepass")), "In the file"))
    if facts.source != facts.piece:
        shown = f"{readable(facts.source)}   {hex_of(facts.source)}" if facts.source else "none of its bytes"
        rows.append(Row(shown, "In the text", mark="part"))
    word = facts.completeness.word.removeprefix("partial: ")
    if facts.piece:
        rows.append(Row(word or "whole characters", "UTF-8",
                        mark="bad" if facts.completeness.invalid else "part" if word else ""))
    rows.append(Row(facts.kind.word, "Kind", mark="here" if facts.kind else ""))
    if facts.rank is not None:
        rows.append(Row(f"{facts.rank:,}", "Rank"))
    if facts.score is not None:
        rows.append(Row(f"{facts.score:.6g}", "Score"))
    place = f"bytes {facts.start:,}–{facts.end:,}" if facts.end > facts.start else f"no byte, at {facts.start:,}"
    rows.append(Row(f"{facts.index:,}, {place}", "Token"))
    if why is not None:
        rows.append(Row(why.scheme, "Model"))
    return rows


def character_rows(facts: TokenFacts) -> list[Row]:
    rows = [_character(c) for c in facts.characters]
    if facts.more_characters:
        rows.append(Row(f"and {facts.more_characters:,} more"))
    return rows


def _character(c: Character) -> Row:
    here = c.data.hex(" ")
    if c.code_point is None:
        part = f"{c.part}; " if c.part else ""
        return Row(here, f"{part}{c.fault}", sign="", mark="bad")
    point = c.code_point
    said = f"{point.word} ({point.category}), {here}"
    if c.part:
        said = f"{c.part} of {c.whole.hex(' ')}: {here}; {point.word} ({point.category})"
        return Row(f"{point.number}  {point.name}", said, sign=readable(c.whole), mark="part")
    return Row(f"{point.number}  {point.name}", said, sign=readable(c.whole))


def spelling_rows(facts: TokenFacts) -> list[Row]:
    """Entries of the same bytes, ways to put it together of two, and entries that differ by a space or case."""
    rows = [Row(str(i), "the same bytes, another entry", mark="here", value=i) for i in facts.same]
    rows += [Row(f"{readable(p.left_bytes)} + {readable(p.right_bytes)}", f"two entries, {p.left} and {p.right}",
                 value=p.left) for p in facts.two_parts]
    if facts.more_parts:
        rows.append(Row(f"and {facts.more_parts:,} more ways"))
    rows += [Row(readable(piece), f"entry {i}, another space or case", value=i) for i, piece in facts.near]
    return rows


def way_rows(why: Why, tokenizer: Tokenizer) -> list[Row]:
    """The best segmentations of the word by score."""
    chosen = why.chosen.ids if why.chosen is not None else ()
    rows = []
    for way in why.ways:
        pieces = " | ".join(readable(tokenizer.vocabulary.bytes_of(i) or b"") for i in way.ids)
        here = way.ids == chosen
        rows.append(Row(pieces, f"{way.score:.4f}{', taken' if here else ''}", mark="here" if here else ""))
    return rows


def why_text(why: Why) -> str:
    """The sentences, one a paragraph. Spaces in quotation marks do not break, or a line would end in one."""
    lines = (f"Start: {why.left}", *why.one, f"End: {why.right}")
    return re.sub("“[^”]*”", lambda quote: quote[0].replace(" ", NO_BREAK), "\n".join(lines))
