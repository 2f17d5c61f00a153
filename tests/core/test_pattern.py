"""Split patterns against the engines they are written for: Oniguruma (`tokenizers`) and fancy-regex (`tiktoken`)."""

from __future__ import annotations

import numpy as np
import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Regex, pre_tokenizers

from tokenloupe.core import pattern as module
from tokenloupe.core.errors import InputError
from tokenloupe.core.pattern import Splitter, compile_pattern
from tokenloupe.core.patterns import PATTERNS, known_as, named
from tokenloupe.core.unicode_tables import case_orbits, engine_class

EVERYTHING = "".join(chr(c) for c in range(0x110000) if not 0xD800 <= c <= 0xDFFF)
DIFFERENT = sorted(set(PATTERNS.values()))
ODD = "aAsStTrReEvVlLmMdDzZ0123 \n\r\t\v\f/.,'!_-\u00a0\u0085\u2028\u3000\u200b\x1c\x1f\x00éÉſKıßǅʰ中文あ한́٣Ⅷ²😀‍️𝒜«͸"
TEXTS = st.lists(
    st.one_of(
        st.sampled_from(ODD),
        st.sampled_from(["'s", "'RE", "'ſ", "   ", "\r\n", " \n ", "//\n"]),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=20,
).map("".join)

#: Constructs, each with what it shows. All are valid in both engines.
CONSTRUCTS = [
    r"(?i:straße|k|ſ)|.",
    r"(?i)[a-z]+|[^a-z]+",
    r"(?i:[^k])+|.",
    r"\w+|\W+",
    r"\d+|\D+",
    r"\s+|\S+",
    r"[\s\S]",
    r"(?>a+|ab)|.",
    r"(?:ab?)+?|.",
    r"a{2,3}|a{2}?|.",
    r"(?=a)..?|.",
    r"(?!a).+?|.",
    r"(?<=a).|(?<!a).",
    r"\bs|\Bs|.",
    r"\p{Han}+|\P{Han}+",
    r"\p{^L}+|\p{L}+",
    r"[\p{L}&&[^\p{Lu}]]+|.",
    r"[a-z&&[^aeiou]]+|.",
    r"[^\p{L}\p{N}]+|.",
    r"\x41|\x{1F600}|.",
    r"[\t\n\r\f\x0b]+|.",
    r"[[:alpha:]]+|.",
    r"[\-\]]|.",
    r"(?x: a \s* b )|.",
    r"\p{Greek}|\p{Lu}|.",
    r"",
    r"a*",
    r"\s*",
    r"(?:a|b*)c?",
    r".",
    r"[^\n]+\n?",
    r"(?<name>a)b?|.",
    r"\p{Alphabetic}+|.",
    r"\Aa|.",
    r"a\z|.",
    r"é|e\u0301|.",
]


def onig(pattern: str, text: str) -> list[str]:
    return [piece for piece, _ in pre_tokenizers.Split(Regex(pattern), "removed", invert=True).pre_tokenize_str(text)]


def fancy(pattern: str, text: str) -> list[str]:
    """tiktoken's pre-tokens: with every stretch of the text an entry, each is found whole."""
    data = text.encode()
    ranks = {bytes([i]): i for i in range(256)}
    for size in range(2, len(data) + 1):
        for at in range(len(data) - size + 1):
            ranks.setdefault(data[at : at + size], len(ranks))
    encoding = tiktoken.Encoding("all", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    return [encoding.decode_single_token_bytes(i).decode() for i in encoding.encode_ordinary(text)]


def ours(pattern: str, text: str, engine: module.Engine) -> list[str]:
    data = text.encode()
    return [data[a:b].decode() for a, b in zip(*compile_pattern(pattern, engine).spans(data), strict=True)]


@settings(max_examples=120, deadline=None)
@given(text=TEXTS)
def test_bundled_patterns_split_as_oniguruma_does(text: str) -> None:
    for pattern in DIFFERENT:
        assert ours(pattern, text, "oniguruma") == onig(pattern, text), pattern


@settings(max_examples=50, deadline=None)
@given(text=TEXTS, pattern=st.sampled_from(DIFFERENT))
def test_bundled_patterns_split_as_fancy_regex_does(text: str, pattern: str) -> None:
    assert ours(pattern, text, "fancy-regex") == fancy(pattern, text)


@pytest.mark.parametrize("pattern", CONSTRUCTS)
def test_constructs_match_as_in_both_engines(pattern: str) -> None:
    for text in (
        "aab ab'S sas b\naaa\r\n c-]AéÉe\u0301kKKſS",
        "straße STRASSE ſtraſſe ßẞ",
        "日本語 ΑΒγ 😀٣x_",
        "",
        "baac",
        "z9\x0b\x0c",
    ):
        if "straße" in pattern and "SS" in text:
            continue  # folding of one character to two is not supported; see pattern_syntax.py
        assert ours(pattern, text, "oniguruma") == [p for p in onig(pattern, text) if p], (pattern, text, "oniguruma")
        if not compile_pattern(pattern).may_be_empty:  # tiktoken panics on an empty pre-token
            assert ours(pattern, text, "fancy-regex") == fancy(pattern, text), (pattern, text, "fancy-regex")


@pytest.mark.parametrize("pattern", [r"\s+$|.", r"^a|.", r"\p{N}{1,3}+|.", r"a{2}?|.", r"(?m:.)+"])
def test_ruby_rules_are_oniguruma_s(pattern: str) -> None:
    for text in ("a \n b  \n", "a\na\n\na", "123456 12", "aaaaa", "  \n"):
        assert ours(pattern, text, "oniguruma") == onig(pattern, text), (pattern, text)


@pytest.mark.parametrize(
    "pattern", [r"\s+$|.", r"^a|.", r"\p{N}{1,3}+|.", r"a{2}?|.", r"(?s:.)+", r"(?m:^a)|.", r"(?m:a$)|."]
)
def test_rust_rules_are_fancy_regex_s(pattern: str) -> None:
    for text in ("a \n b  \n", "a\na\n\na", "123456 12", "aaaaa", "  \n"):
        assert ours(pattern, text, "fancy-regex") == fancy(pattern, text), (pattern, text)


@pytest.mark.parametrize("name", ["L", "Lu", "M", "N", "P", "S", "Cn", r"\s", r"\w", r"\d", "Han", "Latin"])
def test_tables_are_the_engines_on_every_code_point(name: str) -> None:
    source = name if name[0] == "\\" else f"\\p{{{name}}}"
    singles = tiktoken.Encoding(
        "bytes", pat_str=source, mergeable_ranks={bytes([i]): i for i in range(256)}, special_tokens={}
    )
    for engine, found in (
        ("fancy-regex", bytes(singles.encode_ordinary(EVERYTHING)).decode()),
        ("oniguruma", "".join(onig(source + "+", EVERYTHING))),
    ):
        points = np.zeros(0x110000, np.bool_)
        points[np.frombuffer(found.encode("utf-32-le"), np.uint32)] = True
        assert np.array_equal(points, engine_class(engine, name)), engine


def test_case_folds_beyond_ascii() -> None:
    for engine in ("fancy-regex", "oniguruma"):
        assert case_orbits(engine)[ord("s")] == (0x53, 0x73, 0x17F)
        assert case_orbits(engine)[ord("k")] == (0x4B, 0x6B, 0x212A)


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("(", "not closed"),
        (")", "without its"),
        ("[a", "in the middle"),
        ("*a", "nothing to repeat"),
        (r"\p{Klingon}", "not known"),
        (r"(a)\1", "references back"),
        ("a{1001}", "more than 1000"),
        (r"\x{110000}", "no code point"),
        ("(?<x", "in the middle"),
        ("[z-a]", "larger end first"),
        ("(" * 100, "too deeply"),
        ("\\", "in the middle"),
        (r"\X", "not supported"),
    ],
)
def test_what_cannot_be_used_is_said(pattern: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        compile_pattern(pattern)


def test_a_pattern_that_blows_up_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TIME_LIMIT", 0.05)
    splitter = Splitter(r"(?:a|a|aa)+(?:a|a|aa)+(?:a|a|aa)+b")
    with pytest.raises(InputError, match="takes too long"):
        splitter.spans(b"a" * 4000)


def test_known_patterns_have_names() -> None:
    assert known_as(PATTERNS["o200k_base"]) == "o200k_base"
    assert known_as(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+") == "whisper"
    assert known_as("x") is None
    with pytest.raises(InputError, match="known are"):
        named("nothing")


@settings(max_examples=80, deadline=None)
@given(text=TEXTS, tail=TEXTS, pattern=st.sampled_from(DIFFERENT))
def test_what_is_dead_does_not_change(text: str, tail: str, pattern: str) -> None:
    """The fact that re-lexing stands on: a match whose automaton is dead before the change is the same after it."""
    splitter = compile_pattern(pattern)
    assert splitter.reach is not None
    classes, others = splitter.classes(text.encode()), splitter.classes((text + tail).encode())
    before = list(zip(*splitter.spans_of_classes(classes), strict=True))
    after = list(zip(*splitter.spans_of_classes(others), strict=True))
    for index, (start, end) in enumerate(before):
        if splitter.reach.dead_at(splitter.reach.START, classes, int(start)) < 0:
            break
        assert after[index] == (start, end)


def test_repetitions_that_multiply_are_refused_before_they_take_memory() -> None:
    for written in ("(?:a{1000}){1000}{1000}", "(?:(?:ab{1,900}){9}){0,99}c"):
        with pytest.raises(InputError, match="written out"):
            compile_pattern(written, "oniguruma")
    assert compile_pattern("(?:a{1,100}){1,100}").ends(b"a" * 300).tolist() == [300]
