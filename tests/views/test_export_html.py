"""The HTML export: well formed, escaped, every token there, nothing fetched."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

import tokenloupe
from tokenloupe.core.tokenizer import Encoding, Lost
from tokenloupe.formats.bundled import load_bundled
from tokenloupe.views.export_html import Page, html_page

VOID = {"meta", "br"}


class Checker(HTMLParser):
    """Tags balance; collects the text, the labels and the addresses."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []
        self.labels: list[str] = []
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name == "aria-label" and value:
                self.labels.append(value)
            if name in ("src", "href") and value:
                self.addresses.append(value)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.mark.parametrize("data", [
    b"", b"hello world", "hi <b> & 👨‍👩‍👧 漢\n".encode(), b"a\xff\xfe", "العربية mixed".encode(), bytes(range(256)),
])
def test_page_is_whole(data: bytes) -> None:
    encoding = tokenloupe.load("gpt2").encode(data)
    page = Checker()
    html = html_page(encoding, title="<x> & y", tokenizer="gpt2")
    page.feed(html)
    page.close()
    assert page.open == []
    assert page.addresses == []
    assert "<script" not in html
    assert "url(" not in html
    assert "<x> & y" in "".join(page.text)
    said = {int(m.group(1)) for label in page.labels if (m := re.match(r"token (\d+), id", label))}
    assert said == set(range(len(encoding)))


def test_a_split_character_shows_its_bytes_and_says_so() -> None:
    html = html_page(tokenloupe.load("gpt2").encode("漢"), title="t", tokenizer="gpt2")
    assert "one character in 3 tokens" in html
    assert "token 0, id 162, bytes e6, partial: ends inside a character" in html


def test_invalid_bytes_and_controls_are_boxes_beside_what_is_text() -> None:
    html = html_page(tokenloupe.load("gpt2").encode(b" \xff\x00 end"), title="t", tokenizer="gpt2")
    assert '<i class="b">FF</i>' in html and '<i class="k">NUL</i>' in html and ">20 ff<" not in html


def test_places_are_those_of_the_document_and_colours_those_of_the_window() -> None:
    encoding = tokenloupe.load("gpt2").encode("hello 漢")
    page = Page(encoding, title="t", tokenizer="gpt2", first_token=10, byte_start=100, colours=[5, 3, 2, 1])
    html = "".join(p for p in page.steps() if isinstance(p, str))
    assert 'class="t c5" role="listitem" title="token 10, id 31373' in html and 'class="c2"' in html
    assert '<td class="n">10</td><td class="n">31373</td><td class="n">100:105</td>' in html
    assert "from byte 100 and token 10" in html


def test_a_long_text_is_made_in_pieces() -> None:
    encoding = tokenloupe.load("gpt2").encode("hi 漢 " * 600)
    steps = list(Page(encoding, title="t", tokenizer="gpt2").steps())
    shares = [s for s in steps if isinstance(s, float)]
    assert len(shares) > 5 and shares == sorted(shares) and shares[-1] <= 1


def test_what_tokens_leave_out_is_at_its_place() -> None:
    """A prefix space, two tokens of one ligature, bytes without a token, and bytes that come back as others."""
    data = "ab\ufb01z".encode()
    spans = [(0, 0), (0, 1), (1, 2), (2, 5), (2, 5)]
    starts, ends = (np.array(column, np.int64) for column in zip(*spans, strict=True))
    vocabulary = tokenloupe.load("gpt2").vocabulary
    encoding = Encoding(data, np.array([220, 64, 65, 69, 72]), starts, ends, np.zeros(5, np.uint8), vocabulary,
                        (Lost(2, 5, "NFKC"), Lost(5, 6, "model")), False)
    html = html_page(encoding, title="t", tokenizer="x")
    page = Checker()
    page.feed(html)
    places = [html.index(sign) for sign in (
        'class="z c0"', ">a</span>", ">b</span>", "<u title=", 'class="z c4"', 'class="t lost"')]
    assert places == sorted(places) and html.count('class="z ') == 2 and html.count("<u ") == 1
    assert 'title="bytes 2 to 4 lost by NFKC">\ufb01</u>' in html
    assert page.labels.count("no token has these bytes") == 1
    assert "token 0, id 220, bytes 20, whole, made of no byte of the text" in page.labels


def test_what_is_lost_and_what_is_put_in_are_told_apart() -> None:
    """A span without bytes is no loss: something comes back there that the text did not have."""
    encoding = load_bundled("gpt2").encode("ab cd")
    made = replace(encoding, exact=False, lost=(Lost(0, 1, "Lowercase"), Lost(2, 2, "decoder"), Lost(4, 4, "decoder")))
    facts = Page(made, title="", tokenizer="t").facts()
    assert facts.endswith("; round trip not exact: it loses bytes 0:1 (Lowercase); it puts bytes in at 2 places")
    only = Page(replace(made, lost=made.lost[1:2]), title="", tokenizer="t").facts()
    assert only.endswith("; round trip not exact; it puts bytes in at 1 place")
    assert Page(encoding, title="", tokenizer="t").facts() == (
        f"t: {len(encoding)} tokens, 5 bytes, 5 code points, 5 graphemes; round trip exact")
