"""A segmentation as one HTML page: self-contained, readable in light and dark, told apart without colour, and read out
by screen readers token by token.

    page = html_page(encoding, title="family.txt", tokenizer="o200k_base")

A cluster that lies in one token is text on that token's colour; a split cluster is hatched, with a row of its bytes
beneath it, each in the colour of the token that has it. Nothing in the page comes from elsewhere: no script, no font.
"""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt

from ..core.segments import Segment, completeness, segments, unseen
from ..core.tables import mark, readable
from ..core.text import counts
from ..core.tokenizer import Encoding
from . import palette

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
.s { display: inline-flex; flex-direction: column; align-items: center; vertical-align: baseline; line-height: 1.4;
  margin: 0 1px; border-left: 1px solid var(--muted); }
.s > b { font-weight: normal; align-self: stretch; text-align: center; padding: .1em .2em; background:
  repeating-linear-gradient(-45deg, transparent 0 3px, color-mix(in srgb, var(--muted) 45%, transparent) 3px 4px); }
.s > span { display: flex; }
.s > span > code { font-size: .68em; padding: 0 .3em; color: var(--on-token); border: 1px dashed var(--muted);
  margin-left: -1px; }
.lost { outline: 1px dashed var(--error); color: var(--error); }
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
        "error": colours.error, "on-token": colours.token_text,
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
    return "\n".join(rules)


def html_page(encoding: Encoding, *, title: str, tokenizer: str) -> str:
    """The page. title and tokenizer are shown as they are (escaped)."""
    count = counts(encoding.data)
    verdict = "round trip exact" if encoding.exact else "round trip loses " + ", ".join(
        f"bytes {lost.start}:{lost.end} ({lost.stage})" for lost in encoding.lost
    )
    facts = (
        f"{tokenizer}: {len(encoding)} tokens, {count.bytes} bytes, {count.code_points} code points, "
        f"{count.graphemes} graphemes; {verdict}"
    )
    body = "".join(_segment(encoding, s) for s in segments(encoding))
    extra = unseen(encoding)
    note = ""
    if extra:
        names = ", ".join(f"#{i} ({int(encoding.ids[i])})" for i in extra[:50])
        note = f'<p class="facts">Tokens with no bytes of their own in the text: {escape(names)}</p>'
    light, dark = _variables(palette.light()), _variables(palette.dark())
    theme = f":root{{{light}}}\n@media (prefers-color-scheme: dark){{:root{{{dark}}}}}"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)} · {escape(tokenizer)}</title>\n"
        f"<style>\n{theme}\n{_CSS}\n{_token_classes()}\n</style>\n"
        f'</head>\n<body>\n<h1>{escape(title)}</h1>\n<p class="facts">{escape(facts)}</p>\n'
        f'<p class="text" dir="auto" role="list" aria-label="tokens">{body}</p>\n'
        f"{note}\n{_table(encoding)}\n</body>\n</html>\n"
    )


def _label(encoding: Encoding, index: int) -> str:
    """What a screen reader says of a token, and what its tooltip shows."""
    if index < 0:
        return "no token has these bytes"
    token = encoding.token(index)
    note = completeness(token.bytes).word
    return f"token {index}, id {token.id}, bytes {token.bytes.hex(' ')}{', ' + note if note else ''}"


def _class(index: int) -> str:
    return "lost" if index < 0 else f"c{index % len(palette.light().token_fill)}"


def _segment(encoding: Encoding, segment: Segment) -> str:
    if not segment.split:
        index = segment.parts[0][0]
        label = escape(_label(encoding, index), quote=True)
        if not segment.valid:
            shown = f"<i>{escape(encoding.data[segment.start:segment.end].hex(' '))}</i>"
        else:
            shown = "".join(_character(c) for c in segment.text)
        return f'<span class="t {_class(index)}" role="listitem" title="{label}" aria-label="{label}">{shown}</span>'
    cells = "".join(
        f'<code class="{_class(i)}" role="listitem" title="{escape(_label(encoding, i), quote=True)}" '
        f'aria-label="{escape(_label(encoding, i), quote=True)}">{encoding.data[a:b].hex(" ")}</code>'
        for i, a, b in segment.parts
    )
    glyph = "".join(_character(c) for c in segment.text) if segment.valid else "&#xFFFD;"
    label = f"one character in {len(segment.parts)} tokens"
    return (
        f'<span class="s" role="group" aria-label="{label}"><b>{glyph}</b>'
        f'<span dir="ltr">{cells}</span></span>'
    )


def _character(char: str) -> str:
    """Text as it is; what would not be seen is a sign, and a line end still ends the line."""
    if char == "\n":
        return "<i>⏎</i>\n"
    shown = mark(char)
    if char in " \u200d\ufe0f" or shown == char:  # spaces keep their width; joiners belong to their cluster
        return escape(char)
    return f"<i>{escape(shown)}</i>"


def _table(encoding: Encoding) -> str:
    rows = "".join(
        f'<tr><td class="n">{t.index}</td><td class="n">{t.id}</td><td class="n">{t.start}:{t.end}</td>'
        f"<td><code>{t.bytes.hex(' ')}</code></td><td><code>{escape(readable(t.bytes))}</code></td>"
        f"<td>{escape(' '.join(filter(None, (t.kind.word, completeness(t.bytes).word))))}</td></tr>"
        for t in encoding.tokens
    )
    return (
        "<table>\n<thead><tr><th>#</th><th>id</th><th>at</th><th>bytes</th><th>text</th><th>kind</th></tr></thead>\n"
        f"<tbody>{rows}</tbody>\n</table>"
    )
