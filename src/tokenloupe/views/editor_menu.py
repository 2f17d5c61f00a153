"""What the editor offers on the right button and beneath the pointer: the context menu, tooltips.

Tooltips are made of the token's id, its bytes and its text, all of it escaped: a token may well be `<s>`.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMenu

from ..core.bytelane_tokens import lost_bytes, token_cells, without_bytes
from ..core.bytelane_words import lost_words
from ..core.text import decode_view
from ..core.vocabulary import TokenKind

if TYPE_CHECKING:
    from ..core.document import TokenWindow
    from .editor import EditorView

_S = QKeySequence.StandardKey


def readable(data: bytes) -> str:
    """Bytes as text in one line: controls and bytes that are no UTF-8 as escapes."""
    view = decode_view(data)
    out = []
    for char, start, valid in zip(view.text, view.byte_starts.tolist(), view.valid.tolist(), strict=False):
        if not valid:
            out.append(f"\\x{data[start]:02x}")
        elif char in "\n\r\t":
            out.append({"\n": "\\n", "\r": "\\r", "\t": "\\t"}[char])
        elif char == " " or char.isprintable():
            out.append(char)
        else:
            out.append(f"\\u{{{ord(char):x}}}")
    return "".join(out)


def token_tip(view: EditorView, byte_pos: int) -> str:
    """Escaped rich text about the tokens at a byte; "" where there is none."""
    if not view.session.ready:
        return ""
    document = view.session.document
    window = document.window(byte_pos, byte_pos + 1)
    lines = [_told(view, window, k) for k in range(min(len(window), 8))
             if int(window.starts[k]) < int(window.ends[k])]
    lost = lost_bytes(document, token_cells(window, byte_pos, byte_pos + 1), byte_pos, byte_pos + 1)
    if byte_pos < document.complete_to:
        lines += [escape(words[:1].upper() + words[1:]) for item in lost
                  if (words := lost_words(item.start, item.end, item.stage))]
    return "<hr>".join(lines)


def pin_tip(view: EditorView, byte_pos: int) -> str:
    """The same about the tokens that have no byte of their own and stand before a byte."""
    document = view.session.document
    return "<hr>".join(_told(view, document.tokens(i, i + 1), 0) for i in without_bytes(document, byte_pos)[:8])


def _told(view: EditorView, window: TokenWindow, k: int) -> str:
    """One token: id, index, text, bytes and span."""
    token_id = int(window.ids[k])
    data = view.session.tokenizer.token_bytes(token_id) or b""
    kind = TokenKind(int(window.kinds[k]))
    text, shown = readable(data), data.hex(" ")
    if len(text) > 80:
        text = text[:79] + "…"
    if len(shown) > 95:
        shown = shown[:95] + " …"
    head = f"<b>{token_id}</b> &nbsp; token {window.first_index + k:,}"
    if kind != TokenKind.NORMAL:
        head += f" &nbsp; {kind.word}"
    start, end = int(window.starts[k]), int(window.ends[k])
    where = f"bytes {start:,} to {end:,}" if start < end else f"made of no byte of the text, at byte {start:,}"
    return (f"{head}<br><code>{escape(text).replace(' ', '&nbsp;')}</code><br><code>{shown}</code>"
            f"<br>{where}")


def context_menu(view: EditorView) -> QMenu:
    menu = QMenu(view)
    low, high = view.session.selection
    some, free = low < high, not view.read_only

    def add(text: str, slot: object, enabled: bool, key: QKeySequence.StandardKey | None = None,
            checked: bool | None = None) -> None:
        action = menu.addAction(text)
        action.setEnabled(enabled)
        if key is not None:
            action.setShortcut(key)
        if checked is not None:
            action.setCheckable(True)
            action.setChecked(checked)
            action.toggled.connect(slot)
        else:
            action.triggered.connect(slot)

    add("&Undo", view.undo, free and view.session.can_undo, _S.Undo)
    add("&Redo", view.redo, free and view.session.can_redo, _S.Redo)
    menu.addSeparator()
    add("Cu&t", view.cut, some and free, _S.Cut)
    add("&Copy", view.copy, some, _S.Copy)
    add("Copy &ids", view.copy_ids, some)
    add("Copy bytes as &hex", view.copy_hex, some)
    add("&Paste", view.paste, free, _S.Paste)
    add("Paste with &escapes (\\xff, \\u200d)", view.paste_escapes, free)
    add("Paste hex as &bytes", view.paste_hex, free)
    add("&Delete", view.delete, some and free)
    menu.addSeparator()
    add("Select &all", view.select_all, len(view.session) > 0, _S.SelectAll)
    add("&Find…", view.show_find, True, _S.Find)
    add("R&eplace…", view.show_replace, free, _S.Replace)
    if view.where_asked is not None:
        add("&Go to…", view.where_asked, len(view.session) > 0 and view.session.ready)
    menu.addSeparator()
    add("&Wrap lines", view.set_wrap, True, checked=view.sheet.wrap)
    add("Show &spaces and line ends", view.set_show_spaces, True, checked=view.sheet.show_spaces)
    add("Show in&visible characters", view.set_show_controls, True, checked=view.sheet.show_controls)
    add("Bytes of split &characters", view.set_show_cells, True, checked=view.sheet.cells)
    add("Line &numbers", view.set_line_numbers, True, checked=view.sheet.numbers)
    return menu


def ids_of_selection(view: EditorView) -> list[int]:
    """Ids of the tokens that share a byte with the selection."""
    low, high = view.session.selection
    if low >= high or not view.session.ready:
        return []
    return [int(i) for i in view.session.document.window(low, high).ids]


def set_clipboard_text(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
