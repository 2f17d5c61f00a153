"""A segmentation as one HTML page: self-contained, readable in light and dark, told apart without colour, and read out
by screen readers token by token.

    page = html_page(encoding, title="family.txt", tokenizer="o200k_base")

A cluster that lies in one token is text on that token's colour; a split cluster is hatched, with a row of its bytes
beneath it, each in the colour of the token that has it. A token without bytes of its own is a flag at its place; bytes
that no token has are hatched, and what comes back as something else has dots over it. Nothing in the page comes from
elsewhere: no script, no font.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from html import escape

from PySide6.QtCore import Qt

from ..core.bytelane_words import lost_words, token_words
from ..core.segments import Segment, characters, segments, unseen
from ..core.tables import mark, rows
from ..core.text import counts
from ..core.tokenizer import Encoding
from ..core.wording import count_of
from . import palette
from .row_text import NAMES

#: Segments or rows made between two looks at the event loop.
AT_ONCE = 300
#: More stretches that do not come back are counted, not named.
MOST_LOST = 20
#: Controls are named as in the window; line ends, tabs and what has an effect on the text beside it are not among them.
CONTROLS = {chr(point): name for point, name in NAMES.items() if point < 0xA0}

_BORDERS = {
    Qt.PenStyle.SolidLine: "solid", Qt.PenStyle.DotLine: "dotted", Qt.PenStyle.DashLine: "dashed",
    Qt.PenStyle.DashDotLine: "double",
}

_CSS = """
:root { color-scheme: light dark; }
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; background: var(--base); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.25rem; margin: 0; overflow-wrap: anywhere; }
.facts { color: var(--muted); margin: .25rem 0 1.5rem; }
.text { font: 1.125rem/2.1 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; white-space: pre-wrap;
  overflow-wrap: anywhere; padding: 0; margin: 0; }
.t { color: var(--on-token); padding: .15em 0; border-left: 1px solid var(--edge); }
.t i { font-style: normal; opacity: .75; }
i.b, i.k { font: normal .7em/1 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; opacity: 1 !important;
  border: 1px solid currentColor; border-radius: .3em; padding: .05em .2em; margin: 0 1px; background: var(--base); }
i.b { color: var(--error); }
i.k { color: var(--special); }
.s { display: inline-flex; flex-direction: column; align-items: center; vertical-align: baseline; line-height: 1.4;
  margin: 0 1px; border-left: 1px solid var(--muted); }
.s > b { font-weight: normal; align-self: stretch; text-align: center; padding: .1em .2em; background:
  repeating-linear-gradient(-45deg, transparent 0 3px, color-mix(in srgb, var(--muted) 45%, transparent) 3px 4px); }
.s > span { display: flex; }
.s > span > code { font-size: .68em; padding: 0 .3em; color: var(--on-token); border: 1px dashed var(--muted);
  margin-left: -1px; }
.lost { outline: 1px dashed var(--error); outline-offset: -1px; background: repeating-linear-gradient(45deg,
  transparent 0 3px, color-mix(in srgb, var(--error) 45%, transparent) 3px 4px); }
.t.lost { color: var(--text); border-left: 0; }
u { text-decoration: none; border-top: 3px dotted var(--error); }
.z { display: inline-block; width: 0; height: .6em; border: solid transparent; border-width: .5em .3em 0; margin: 0 1px;
  border-top-color: var(--edge); vertical-align: .35em; }
table { border-collapse: collapse; margin-top: 2rem; font-size: .9rem; width: 100%; }
th { text-align: left; color: var(--muted); font-weight: 600; }
th:nth-child(-n+3) { text-align: right; }
th, td { padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--grid); vertical-align: top; }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
td code { overflow-wrap: anywhere; }
@media print { body { max-width: none; } .t, code, .s > b { print-color-adjust: exact; } }
""".strip()


def _variables(colours: palette.Palette) -> str:
    """Custom properties of one theme."""
    named = {
        "base": colours.base, "text": colours.text, "muted": colours.muted, "grid": colours.grid,
        "error": colours.error, "special": colours.special, "on-token": colours.token_text,
    }
    values = [f"--{name}:{colour.name()}" for name, colour in named.items()]
    values += [f"--f{i}:{colour.name()}" for i, colour in enumerate(colours.token_fill)]
    values += [f"--e{i}:{colour.name()}" for i, colour in enumerate(colours.token_edge)]
    return ";".join(values)


def _token_classes() -> str:
    """A class a token colour: its fill, and an underline pattern that says the same without colour."""
    rules = []
    for i in range(len(palette.light().token_fill)):
        style = _BORDERS[palette.TOKEN_LINES[i]]
        rules.append(f".c{i}{{background:var(--f{i});--edge:var(--e{i});border-bottom:2px {style} var(--e{i})}}")
        rules.append(f".z.c{i}{{background:none;border-bottom:0;border-top-color:var(--e{i})}}")
    return "\n".join(rules)


def html_page(encoding: Encoding, *, title: str, tokenizer: str) -> str:
    """The page. title and tokenizer are shown as they are (escaped)."""
    return "".join(p for p in Page(encoding, title=title, tokenizer=tokenizer).steps() if isinstance(p, str))


class Page:
    """A page that is made in pieces. colours: uint8 (tokens,), the colour index of each token, as in the window.

    first_token, byte_start: where the encoding stands in its document; all places in the page are the document's.
    """

    def __init__(self, encoding: Encoding, *, title: str, tokenizer: str, first_token: int = 0, byte_start: int = 0,
                 colours: Sequence[int] | None = None) -> None:
        self.encoding, self.title, self.tokenizer = encoding, title, tokenizer
        self.first_token, self.byte_start = first_token, byte_start
        self.colours = colours
        self._lost = sorted((lost for lost in encoding.lost if lost.start < lost.end), key=lambda lost: lost.end)

    def steps(self) -> Iterator[float | str]:
        """Pieces of the page in order, and progress 0..1 in between."""
        encoding = self.encoding
        light, dark = _variables(palette.light()), _variables(palette.dark())
        theme = f":root{{{light}}}\n@media (prefers-color-scheme: dark){{:root{{{dark}}}}}"
        yield (
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{escape(self.title)} · {escape(self.tokenizer)}</title>\n"
            f"<style>\n{theme}\n{_CSS}\n{_token_classes()}\n</style>\n"
            f'</head>\n<body>\n<h1>{escape(self.title)}</h1>\n<p class="facts">{escape(self.facts())}</p>\n'
            '<p class="text" dir="auto" role="list" aria-label="tokens">'
        )
        found = segments(encoding)
        flags = sorted((int(encoding.ends[i]), i) for i in unseen(encoding))[::-1]
        for at in range(0, len(found), AT_ONCE):
            yield 0.5 * at / len(found)
            parts: list[str] = []
            for segment in found[at : at + AT_ONCE]:
                while flags and flags[-1][0] <= segment.start:
                    parts.append(self._flag(flags.pop()[1]))
                parts.append(self._segment(segment))
            yield "".join(parts)
        yield "".join(self._flag(index) for _, index in reversed(flags)) + "</p>\n"
        yield ("<table>\n<thead><tr><th>#</th><th>id</th><th>at</th><th>bytes</th><th>text</th><th>kind</th></tr>"
               "</thead>\n<tbody>")
        lines: list[str] = []
        for done, row in enumerate(rows(encoding, self.first_token, self.byte_start), 1):
            lines.append(_row(*row))
            if len(lines) == AT_ONCE:
                yield "".join(lines)
                yield 0.5 + 0.5 * done / len(encoding)
                lines.clear()
        yield "".join(lines)
        yield "</tbody>\n</table>\n</body>\n</html>\n"

    def facts(self) -> str:
        encoding, count = self.encoding, counts(self.encoding.data)
        graphemes = count_of(count.graphemes, "grapheme")
        part = f", from byte {self.byte_start:,} and token {self.first_token:,}" if self.byte_start else ""
        return (
            f"{self.tokenizer}: {count_of(len(encoding), 'token')}, {count_of(count.bytes, 'byte')}, "
            f"{count_of(count.code_points, 'code point')}, {graphemes}{part}; {self._verdict()}"
        )

    def _verdict(self) -> str:
        """Does the text come back, and what does not?"""
        if self.encoding.exact:
            return "round trip exact"
        gone = [lost for lost in self.encoding.lost if lost.start < lost.end]
        put_in = len(self.encoding.lost) - len(gone)  # bytes that nothing of the text stands behind
        said = "round trip not exact"
        if gone:
            said += ": it loses " + ", ".join(
                f"bytes {lost.start + self.byte_start}:{lost.end + self.byte_start} ({lost.stage})"
                for lost in gone[:MOST_LOST])
        if len(gone) > MOST_LOST:
            said += f" and {len(gone) - MOST_LOST:,} more"
        return f"{said}; it puts bytes in at {count_of(put_in, 'place')}" if put_in else said

    def _label(self, index: int) -> str:
        """What a screen reader says of a token, and what its tooltip shows; escaped."""
        if index < 0:
            return "no token has these bytes"
        token = self.encoding.token(index)
        span = token.start, token.end
        return escape(token_words(index + self.first_token, token.id, token.bytes, token.kind, span,
                                  self.encoding.data[slice(*span)]), quote=True)

    def _class(self, index: int) -> str:
        if index < 0:
            return "lost"
        return f"c{index % len(palette.light().token_fill) if self.colours is None else int(self.colours[index])}"

    def _flag(self, index: int) -> str:
        """A token that has no byte of its own: a flag at its place."""
        label = self._label(index)
        return f'<span class="z {self._class(index)}" role="listitem" title="{label}" aria-label="{label}"></span>'

    def _text(self, segment: Segment) -> str:
        """The segment's characters; those that come back as others have a mark over them."""
        data, at, parts = self.encoding.data, segment.start, []
        found = bisect_right(self._lost, segment.start, key=lambda lost: lost.end)
        for lost in self._lost[found:]:
            if lost.start >= segment.end or segment.parts[0][0] < 0:
                break
            low, high = max(lost.start, at), min(lost.end, segment.end)
            if low >= high:
                continue
            if any(p < len(data) and data[p] & 0xC0 == 0x80 for p in (low, high)):  # inside a character: all of it
                low, high = at, segment.end
            words = escape(lost_words(lost.start + self.byte_start, lost.end + self.byte_start, lost.stage), quote=True)
            parts += [_shown(data, at, low), f'<u title="{words}">{_shown(data, low, high)}</u>']
            at = high
        return "".join((*parts, _shown(data, at, segment.end)))

    def _segment(self, segment: Segment) -> str:
        data = self.encoding.data
        if not segment.split:
            index = segment.parts[0][0]
            label = self._label(index)
            return (f'<span class="t {self._class(index)}" role="listitem" title="{label}" aria-label="{label}">'
                    f"{self._text(segment)}</span>")
        cells = "".join(
            f'<code class="{self._class(i)}" role="listitem" title="{self._label(i)}" aria-label="{self._label(i)}">'
            f'{data[a:b].hex(" ")}</code>'
            for i, a, b in segment.parts
        )
        return (
            f'<span class="s" role="group" aria-label="one character in {len(segment.parts)} tokens">'
            f'<b>{self._text(segment)}</b><span dir="ltr">{cells}</span></span>'
        )


def _shown(data: bytes, start: int, end: int) -> str:
    """Characters as they are; bytes that belong to none as boxes of two digits, as in the window."""
    return "".join(
        "".join(f'<i class="b">{byte:02X}</i>' for byte in part) if isinstance(part, bytes)
        else "".join(map(_character, part))
        for part in characters(data[start:end])
    )


def _character(char: str) -> str:
    """Text as it is; what would not be seen is a sign, and a line end still ends the line."""
    if char == "\n":
        return "<i>⏎</i>\n"
    if char in CONTROLS:
        return f'<i class="k">{CONTROLS[char]}</i>'
    shown = mark(char)
    if char in " \u200d\ufe0f" or shown == char:  # spaces keep their width; joiners belong to their cluster
        return escape(char)
    return f"<i>{escape(shown)}</i>"


def _row(index: str, token_id: str, span: str, hexed: str, text: str, kind: str, note: str) -> str:
    numbers = "".join(f'<td class="n">{cell}</td>' for cell in (index, token_id, span))
    codes = "".join(f"<td><code>{cell}</code></td>" for cell in (hexed, escape(text)))
    return f"<tr>{numbers}{codes}<td>{escape(f'{kind} {note}'.strip())}</td></tr>"
