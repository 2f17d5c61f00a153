"""StopMatcher against a slow oracle that knows nothing of cuts."""

from __future__ import annotations

import random

import pytest

from tokenloupe.core.stop import StopMatcher


def oracle(text: str, stops: list[str]) -> tuple[str, str | None]:
    """(text before the match, the stop): the first end at which any stop ends; of those the longest."""
    for end in range(len(text) + 1):
        ended = [s for s in stops if text[:end].endswith(s)]
        if ended:
            longest = max(ended, key=len)
            return text[: end - len(longest)], longest
    return text, None


def longest_held(text: str, stops: list[str]) -> str:
    return max((text[len(text) - n :] for s in stops for n in range(len(s)) if n <= len(text) and text.endswith(s[:n])),
               key=len, default="")


def test_fifty_thousand_random_texts_stops_and_cuts() -> None:
    r = random.Random(7)
    matched = overlapping = 0
    for _ in range(50_000):
        alphabet = r.choice(("ab", "abc", "aé€🙂", "\nUser: "))
        stops = ["".join(r.choice(alphabet) for _ in range(r.randint(1, 5))) for _ in range(r.randint(1, 4))]
        text = "".join(r.choice(alphabet) for _ in range(r.randint(0, 14)))
        matcher = StopMatcher(stops)
        shown, seen, at = "", "", 0
        while at < len(text):
            step = r.randint(0, 4)
            shown += matcher.push(text[at : at + step])
            seen += text[at : at + step]
            at += step
            if matcher.matched is None:
                assert matcher.held == longest_held(seen, stops) and shown + matcher.held == seen[: at]
        shown += matcher.flush()
        assert (shown, matcher.matched) == oracle(text, stops), (text, stops)
        matched += matcher.matched is not None
        overlapping += any(a != b and a in b for a in stops for b in stops)
    assert matched > 20_000 and overlapping > 10_000  # the run means something


@pytest.mark.parametrize(("pieces", "stops", "out", "matched"), [
    (["DEF", "G", "HI", "J"], ["DEFGHIJ"], ["", "", "", ""], "DEFGHIJ"),
    (["Hi", "\nUs", "er:"], ["\nUser:"], ["Hi", "", ""], "\nUser:"),
    (list("ab.c"), ["."], ["a", "b", "", ""], "."),
    (list("aaab"), ["aab"], ["", "", "a", ""], "aab"),
    (list("ababac"), ["abac"], ["", "", "", "ab", "", ""], "abac"),
    (["abcd"], ["abcd", "bc"], ["a"], "bc"),  # completed first, though begun later
    (["xab"], ["b", "ab"], ["x"], "ab"),  # completed by the same character: the longest
    (["no stop"], [], ["no stop"], None),
])
def test_examples(pieces: list[str], stops: list[str], out: list[str], matched: str | None) -> None:
    matcher = StopMatcher(stops)
    assert [matcher.push(p) for p in pieces] == out
    assert matcher.matched == matched


def test_held_text_is_released_at_the_end() -> None:
    matcher = StopMatcher(["###"])
    assert matcher.push("a##") == "a" and matcher.held == "##" and matcher.flush() == "##" and matcher.held == ""


def test_an_empty_stop_is_refused() -> None:
    with pytest.raises(ValueError, match="empty"):
        StopMatcher(["a", ""])
