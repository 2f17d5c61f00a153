"""Exports say what the run says: Markdown and CSV are read back, the page is checked as a page."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tokenloupe.core.errors import InputError
from tokenloupe.core.stream_export import COLUMNS, LONGEST_PAGE, csv_table, html_page, markdown, rows, visible
from tokenloupe.core.stream_lanes import Run
from tokenloupe.core.stream_scenarios import SCENARIOS, scenario
from tokenloupe.core.stream_tokens import TokenStream

HARD = [b"a|b", b"</script><b>&", b"\xf0\x9f", b"\x99\x82", b'"x,\n', b"\xff", b"\x00\xe2\x80\xa8"]


def hard() -> Run:
    return Run(TokenStream.of_chunks(HARD, name="<hard> & fast"), ("naive-go", "buffered"), ("STOP",))


def test_visible_shows_what_cannot_be_seen() -> None:
    assert visible("  a\n\t\u200d ") == "␣␣a↵⇥[ZWJ]␣" and visible("   ") == "␣␣␣"
    assert visible("\x00\u202e") == "[U+0000][U+202E]"


def test_the_book_table_in_markdown() -> None:
    text = markdown(scenario("euro-arrow-smile").run())
    cells = [[c.strip() for c in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    assert [row[:4] + row[5:6] for row in cells[2:6]] == [
        ["1", "47 6F E2", "47 6F E2", "Go\ufffd", "Go ⟨E2⟩"],
        ["2", "82 AC E2 86", "82 AC E2 86", "\ufffd" * 4, "€ ⟨E2 86⟩"],
        ["3", "92 F0 9F", "92 F0 9F", "\ufffd" * 3, "→ ⟨F0 9F⟩"],
        ["4", "99 82", "99 82", "\ufffd" * 2, "🙂"],
    ]
    assert ["naive-go", "Go" + "\ufffd" * 10, "10 cut", "0 tokens", "10 U+FFFD that are not in the text"] in cells
    assert ["buffered", "Go€→🙂", "none", "1 token", "the text, exactly"] in cells


def test_markdown_cells_cannot_break_the_table() -> None:
    tables = [line for line in markdown(hard()).splitlines() if line.startswith("|")]
    widths = [len(re.findall(r"(?<!\\)\|", line)) for line in tables]
    assert widths == [6] * (2 + len(HARD) + 1) + [6] * 4


def test_csv_is_exact() -> None:
    run = hard()
    table = list(csv.DictReader(io.StringIO(csv_table(run), newline="")))
    assert tuple(table[0]) == COLUMNS and len(table) == run.steps * 2
    for lane in run.lanes:
        mine = [row for row in table if row["policy"] == lane.name]
        assert "".join(row["shown"] for row in mine) == run.view(lane, run.steps).visible
        assert b"".join(bytes.fromhex(row["bytes"]) for row in mine) == run.stream.data
    assert [row["held"] for row in table if row["policy"] == "buffered"][2] == "f09f"


def test_csv_holds_no_formula_and_no_bare_line_end() -> None:
    pieces = [b"=cmd|'/c calc'!A1", b"+1", b"-2", b"@SUM(1)", b"\t=1", b"\r=1", b"a\rb", b"'x", b" y ",
              "\uff1d1".encode()]
    run = Run(TokenStream.of_chunks(pieces), ("buffered",))
    table = list(csv.DictReader(io.StringIO(csv_table(run), newline="")))
    assert len(table) == len(pieces) + 1
    for row, piece in zip(table, pieces, strict=False):
        for cell in (row["token"], row["shown"]):
            assert cell[0] not in "=+-@\t\r\uff1d" and cell.removeprefix("'").encode() == piece


def test_markdown_escapes_the_stop_string_and_references() -> None:
    text = markdown(Run(TokenStream.of_chunks([b"a &lt; b", b"|"]), ("buffered",), ("|",)))
    assert r"up to '\|' |" in text and r"a \&lt; b" in text


def test_tokens_spelled_like_places_of_the_page_are_tokens() -> None:
    page = html_page(Run(TokenStream.of_chunks([b"@DATA@", b"@TABLE@"], name="@TABLE@"), ("buffered",)))
    assert page.count('"steps":') == 1 and "<title>A token stream: @TABLE@</title>" in page
    assert page.count("<td>@DATA@</td>") == page.count("<td>@TABLE@</td>") == 2  # the token, and what is shown of it


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.data: dict[str, str] = {}
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "input", "br"):
            self._open.append(dict(attrs).get("id") or tag)

    def handle_endtag(self, tag: str) -> None:
        self._open.pop()

    def handle_data(self, data: str) -> None:
        for name in self._open[-1:]:
            self.data[name] = self.data.get(name, "") + data


def test_the_page_stands_alone_and_can_be_used_by_everybody() -> None:
    run = hard()
    text = html_page(run)
    page = Page()
    page.feed(text)
    names = [t for t, _ in page.tags]
    assert names.count("script") == 2 and names.count("h1") == 1  # </script> in a token opens nothing
    assert not any({"src", "href"} & set(a) for _, a in page.tags)
    assert "url(" not in text and "http" not in text.replace("http-equiv", "")
    assert page.data["title"] == page.data["h1"] == "A token stream: <hard> & fast"
    assert dict(page.tags)["html"] == {"lang": "en"}
    assert all(a.get("aria-label") for t, a in page.tags if t == "input")
    assert all(page.data[str(a["id"])] for t, a in page.tags if t == "button")
    assert [a["scope"] for t, a in page.tags if t == "th"].count("row") == len(HARD) + 1
    found = json.loads(page.data["data"])
    assert "".join(s["l"][0][0] for s in found["steps"]) == run.view(run.lanes[0], run.steps).visible
    assert [lane["name"] for lane in found["lanes"]] == [lane.title for lane in run.lanes]


def test_a_page_of_too_many_steps_is_refused() -> None:
    with pytest.raises(InputError, match="too many for one page"):
        html_page(Run(TokenStream.of_chunks([b"a"] * LONGEST_PAGE), ("buffered",)))


@pytest.mark.skipif(shutil.which("node") is None, reason="no JavaScript engine on this machine")
@pytest.mark.parametrize("name", ["euro-arrow-smile", "ends-inside", "stop-in-two-tokens"])
def test_the_page_plays_what_the_run_shows(name: str, tmp_path: Path) -> None:
    """The page's own script in a small stand-in for a browser: step to the end, back, and read the lanes."""
    run = scenario(name).run()
    page = Page()
    page.feed(html_page(run))
    script = next(s for s in re.findall(r"<script>(.*?)</script>", html_page(run), re.S))
    file = tmp_path / "page.js"
    file.write_text(f"{BROWSER}document.data = {json.dumps(page.data['data'])};\n{script}{READER}", "utf-8")
    done = subprocess.run(["node", str(file)], capture_output=True, text=True, encoding="utf-8", check=True)
    answer = json.loads(done.stdout)
    expected = [[run.view(lane, p).visible for lane in run.lanes] for p in range(run.steps + 1)]
    assert answer["all"] == expected and answer["end"] == expected[-1]
    assert answer["marks"] == [len(run.replacements(lane, run.steps)) for lane in run.lanes]


READER = """
const all = [], now = () => lanes.map(l => textOf(l.text));
for (let k = 0; k <= total; k++) { show(k, true); all.push(now()); }
for (let k = total; k >= 0; k--) {
  show(k, true);
  if (JSON.stringify(now()) !== JSON.stringify(all[k])) throw new Error("back " + k);
}
document.key({key: " ", target: {tagName: "BODY"}});
while (timers.length) timers.shift()();
console.log(JSON.stringify({all, end: now(), marks: lanes.map(l => l.why.size)}));
"""
BROWSER = """
class Element {
  constructor() { this.children = []; this.className = this.own = ""; this.classList = {remove() {}, add() {}}; }
  set textContent(t) { this.own = String(t); this.children = []; }
  get textContent() { return document.data; }
  append(...more) { this.children.push(...more); }
  replaceChildren() { this.children = []; this.own = ""; }
  scrollIntoView() {}
}
const textOf = e => typeof e === "string" ? e : e.own + e.children.map(textOf).join("");
const elements = new Map(), timers = [];
globalThis.setTimeout = f => timers.push(f);
globalThis.clearTimeout = () => { timers.length = 0; };
globalThis.document = {
  getElementById(id) {
    if (!elements.has(id)) elements.set(id, Object.assign(new Element(), {value: "1"}));
    return elements.get(id);
  },
  createElement() { return new Element(); },
  addEventListener(_, f) { document.key = e => f({preventDefault() {}, ...e}); },
};
"""


def test_every_scenario_can_be_exported() -> None:
    for entry in SCENARIOS:
        run = entry.run()
        assert len(rows(run)) == run.steps
        assert markdown(run) and csv_table(run) and html_page(run)
