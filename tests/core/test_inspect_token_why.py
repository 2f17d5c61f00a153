"""Why a token is what it is: the alternative of the pattern, the stage that cut, the merges, the scores."""

from __future__ import annotations

import json
import random

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import calls
from tokenloupe.core.byte_forms import escaped
from tokenloupe.core.document import Document
from tokenloupe.core.inspect_token_merges import replay
from tokenloupe.core.inspect_token_pieces import alternatives, branch_of, find_piece
from tokenloupe.core.inspect_token_ways import ways
from tokenloupe.core.inspect_token_why import EXCERPT, LIMIT, explain, quoted
from tokenloupe.core.pattern import compile_pattern
from tokenloupe.core.patterns import GPT2_ORIGINAL, LLAMA3, O200K
from tokenloupe.formats import open_bytes
from tokenloupe.formats.bundled import load_bundled

from .bytelevel_vocabularies import ours, random_ranks, ranks_of, theirs, trained_ranks
from .vocabularies import merge_tokenizer

# -- the pattern


@pytest.mark.parametrize("pattern", [GPT2_ORIGINAL, LLAMA3, O200K])
@given(text=st.text(alphabet="aB1 \n'!st漢é", min_size=1, max_size=20))
@settings(max_examples=80, deadline=None)
def test_the_alternative_is_the_one_that_the_engine_takes(pattern: str, text: str) -> None:
    """An oracle: each alternative in a group of its own, and the group that took part in the match."""
    parts = alternatives(pattern)
    oracle = regex.compile("|".join(f"({p})" for p in parts))
    splitter = compile_pattern(pattern)
    for match in oracle.finditer(text):
        number = next(k for k in range(1, len(parts) + 1) if match.group(k) is not None)
        found = branch_of(splitter, text, *match.span())
        assert found is not None
        assert (found.number, found.of, found.text) == (number, len(parts), parts[number - 1])


@pytest.mark.parametrize(
    ("pattern", "parts"),
    [
        (r"a|b", ["a", "b"]),
        (r"'s|[a|b]+|(x|y)\||z", ["'s", "[a|b]+", r"(x|y)\|", "z"]),
        (r"[]|]|[^]|]|\[|\\|x", ["[]|]", "[^]|]", r"\[", r"\\", "x"]),
        (r"[a[b|c]]|(?:(a|b)|c)", ["[a[b|c]]", "(?:(a|b)|c)"]),
        ("", [""]),
    ],
)
def test_alternatives_are_cut_at_the_top_level(pattern: str, parts: list[str]) -> None:
    assert alternatives(pattern) == parts


def test_a_pre_token_boundary_names_its_alternative() -> None:
    document = Document(ours(ranks_of(b"it"), r"'s| ?[a-z]+|\s+"), b"it's it")
    second = explain(document, 1)
    assert second.piece is not None
    assert (second.piece.start, second.piece.end) == (2, 4)
    assert second.branch is not None
    assert (second.branch.number, second.branch.of, second.branch.text) == (1, 3, "'s")
    assert second.left == "A pre-token ends here: alternative 2 of 3 of the split pattern, “ ?[a-z]+”, matched " \
                          "“it” and no more."
    assert explain(document, 0).left == "The text begins here."
    assert explain(document, document.token_count - 1).right == "The text ends here."


def test_special_tokens_cut() -> None:
    document = Document(ours(ranks_of(), special={"<s>": 300}), b"a<s>b", "parse")
    assert "special token “<s>” begins here" in explain(document, 0).right
    assert "special token “<s>” begins here" in explain(document, 1).left
    assert "special token “<s>” ends here" in explain(document, 1).right
    assert "special token “<s>” ends here" in explain(document, 2).left
    assert find_piece(document, 1) is None
    assert "special token" in explain(document, 1).one[0]


# -- merges


def test_replay_ends_in_the_tokens_of_the_reference() -> None:
    rnd = random.Random(7)
    for _ in range(40):
        ranks = rnd.choice([trained_ranks(rnd, b"abc", 40), random_ranks(rnd, b"abc", 30, 5)])
        reference, tokenizer = theirs(ranks), ours(ranks)
        text = "".join(rnd.choices("abc", k=rnd.randint(1, 24)))
        trace = replay(tokenizer, text.encode())
        assert trace is not None
        assert trace.ids == reference.encode(text)
        pieces = [tokenizer.vocabulary.bytes_of(i) for i in trace.ids]
        assert b"".join(p or b"" for p in pieces) == text.encode()
        for step in trace.steps:  # a rank file's merge is ranked by what it makes
            assert step.rank == step.result == ranks[text.encode()[step.left.start : step.right.end]]


def test_why_an_entry_was_not_made() -> None:
    """abc = ab + c by merge 2, but b + c comes first and takes the b."""
    tokenizer = merge_tokenizer([(b"b", b"c"), (b"a", b"b"), (b"ab", b"c")])
    document = Document(tokenizer, b"abc")
    assert document.tokens(0, 9).ids.tolist() == [97, 256]
    why = explain(document, 0)
    assert why.tokens == (0, 2)
    assert why.one == (
        "Entry 258 has the bytes of “abc”, but it was not made.",
        "Merge 2 needs “ab” and “c” side by side, but merge 0 came first and joined “b” and “c” across the place "
        "between them.",
    )
    assert why.right == ("The model cuts “a” and “bc” apart though entry 258 has the bytes of both: no merge joins "
                         "these two; entry 258 is made of “ab” and “c”, merge 2.")
    assert why.trace is not None
    assert [(s.rank, s.others) for s in why.trace.steps] == [(0, 1)]


def test_no_entry_and_one_entry() -> None:
    document = Document(ours(ranks_of(b"ab")), b"abab")
    why = explain(document, 0)
    assert why.one == ("No entry has the bytes of “abab”, 4 bytes: it takes 2 tokens.",)
    assert why.right == "The model cuts here: no entry has the bytes of “ab” and “ab” together."
    assert explain(Document(ours(ranks_of(b"ab")), b"ab"), 0).one == (
        "“ab” is an entry: it is looked up whole, before any merge.",)
    one = Document(merge_tokenizer([(b"a", b"b")]), b"ab")
    assert explain(one, 0).one == ("The last of 1 merges, merge 0, joined “a” and “b”.",)


# -- stages and scores


def _json(model: dict[str, object], **stages: object) -> bytes:
    whole = {"added_tokens": [], "normalizer": None, "pre_tokenizer": None, "post_processor": None, "decoder": None}
    return json.dumps({**whole, **stages, "model": model}).encode()


UNIGRAM = {"type": "Unigram", "unk_id": 0, "vocab": [
    ["<unk>", 0.0], ["▁", -2.0], ["a", -3.0], ["b", -3.5], ["ab", -5.0], ["▁a", -4.0], ["▁ab", -9.5]]}


def test_unigram_shows_the_best_ways() -> None:
    """Scores by hand: ▁|ab -7, ▁a|b -7.5, ▁|a|b -8.5, ▁ab -9.5."""
    tokenizer = open_bytes(_json(UNIGRAM, pre_tokenizer={
        "type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}), "tokenizer.json")
    document = Document(tokenizer, b"ab ab")
    why = explain(document, 1)
    assert why.scheme == "Unigram, best sum of scores"
    assert [(w.ids, round(w.score, 3)) for w in why.ways] == [
        ((1, 4), -7.0), ((5, 3), -7.5), ((1, 2, 3), -8.5), ((6,), -9.5)]
    assert why.chosen is not None
    assert why.chosen.ids == (1, 4) == tuple(document.tokens(0, 2).ids.tolist())
    assert why.one == ("Entry 6 has the bytes of “▁ab”, but it was not made: its score is -9.50, that of the way taken "
                       "-7.00.",)
    assert why.right == "The pre-tokenizer Metaspace cuts here, after “ab”."
    assert [w.ids for w in ways(tokenizer, "▁x")] == []


def test_the_stage_that_cut_is_named() -> None:
    model = {"type": "BPE", "vocab": {c: i for i, c in enumerate("ab1 2")}, "merges": []}
    cuts = [{"type": "WhitespaceSplit"}, {"type": "Digits", "individual_digits": False}]
    tokenizer = open_bytes(_json(model, normalizer={"type": "Lowercase"},
                                 pre_tokenizer={"type": "Sequence", "pretokenizers": cuts}), "tokenizer.json")
    document = Document(tokenizer, b"Ab1 2")
    piece = find_piece(document, 0)
    assert piece is not None
    assert (piece.start, piece.end, piece.spelled, piece.start_by, piece.end_by) == (0, 2, "ab", "", "Digits")
    assert explain(document, 1).right == "The pre-tokenizer Digits cuts here, after “Ab”."
    assert explain(document, 2).right == "The pre-tokenizer WhitespaceSplit cuts here, after “1”."


def test_a_long_text_is_looked_at_through_an_excerpt() -> None:
    model = {"type": "BPE", "vocab": {c: i for i, c in enumerate("ab \n")}, "merges": []}
    tokenizer = open_bytes(_json(model, pre_tokenizer={"type": "WhitespaceSplit"}), "tokenizer.json")
    text = b"aab ab\n" * (LIMIT // 4)
    assert len(text) > LIMIT + 2 * EXCERPT
    document = Document(tokenizer, text)
    for _ in document.fill():
        pass
    index = document.token_count // 2
    why = explain(document, index)
    here = document.tokens(index, index + 1)
    assert why.piece is not None
    assert why.piece.start <= here.starts[0] < here.ends[0] <= why.piece.end
    assert text[why.piece.start : why.piece.end] in (b"aab", b"ab")
    assert why.tokens[0] <= index < why.tokens[0] + why.tokens[1]
    # The same as of the lines alone.
    short = explain(Document(tokenizer, b"aab ab\n"), index % 5)
    assert (why.left, why.right, why.one)[2] == short.one


def test_every_kind_of_tokenizer_answers() -> None:
    from tokenloupe.core.greedy import GreedyTokenizer
    from tokenloupe.core.vocabulary import Vocabulary

    greedy = GreedyTokenizer("g", "", Vocabulary.build([(i, bytes([i])) for i in range(256)] + [(300, b"ab")]))
    why = explain(Document(greedy, b"abc"), 0)
    assert (why.scheme, why.piece) == ("longest match", None)
    assert why.right == "No longer entry than “ab” begins at the byte where that does, so the next begins here."


def test_a_pre_token_of_any_length_is_quoted_by_its_ends() -> None:
    """tiktoken's rule: from the first byte that is no UTF-8 on, the text is one pre-token. It is not gone through."""
    tokenizer = load_bundled("gpt2")
    data = b"ab \xff" + "naïve 漢字 👨 ".encode() * 9_000
    document = Document(tokenizer, data)
    document.encoding()
    explain(document, 5)  # tables are made
    found = []
    assert calls(lambda: found.append(explain(document, document.token_at(100_000)))) < 10_000
    piece = found[0].piece
    count = document.token_count - document.token_at(piece.start)
    assert found[0].one == (f"No entry has the bytes of “{escaped(data[piece.start:])[:20]}…{escaped(data)[-20:]}”, "
                            f"{len(data) - piece.start:,} bytes: it takes {count:,} tokens.",)


@settings(max_examples=200)
@given(st.lists(st.sampled_from([b"a", b"\n", "é".encode(), "漢".encode(), "👨".encode(), b"\xff", b"\xe4"]),
                min_size=30, max_size=400))
def test_what_is_quoted_is_the_ends_of_the_whole_escaped(parts: list[bytes]) -> None:
    text = escaped(b"".join(parts))
    shown = text if len(text) <= 40 else f"{text[:20]}…{text[-20:]}"
    assert quoted(b"".join(parts)) == f"“{shown}”"
