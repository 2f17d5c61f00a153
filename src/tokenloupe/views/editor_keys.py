"""Keys: every usual move and edit, by the platform's own bindings (QKeySequence.StandardKey), and typing.

    if keys.press(event): event.accept()

A key that means nothing here is left alone, so that shortcuts of the window work.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from ..core.tokenizer import to_bytes
from .editor_moves import Place

if TYPE_CHECKING:
    from .editor import EditorView

_K = QKeySequence.StandardKey
#: Standard key -> (move, does it select?)
_MOVES = tuple(
    (key, name, selects)
    for name, plain, select in (
        ("right", _K.MoveToNextChar, _K.SelectNextChar),
        ("left", _K.MoveToPreviousChar, _K.SelectPreviousChar),
        ("word_right", _K.MoveToNextWord, _K.SelectNextWord),
        ("word_left", _K.MoveToPreviousWord, _K.SelectPreviousWord),
        ("down", _K.MoveToNextLine, _K.SelectNextLine),
        ("up", _K.MoveToPreviousLine, _K.SelectPreviousLine),
        ("page_down", _K.MoveToNextPage, _K.SelectNextPage),
        ("page_up", _K.MoveToPreviousPage, _K.SelectPreviousPage),
        ("line_start", _K.MoveToStartOfLine, _K.SelectStartOfLine),
        ("line_end", _K.MoveToEndOfLine, _K.SelectEndOfLine),
        ("block_start", _K.MoveToStartOfBlock, _K.SelectStartOfBlock),
        ("block_end", _K.MoveToEndOfBlock, _K.SelectEndOfBlock),
        ("document_start", _K.MoveToStartOfDocument, _K.SelectStartOfDocument),
        ("document_end", _K.MoveToEndOfDocument, _K.SelectEndOfDocument),
    )
    for key, selects in ((plain, False), (select, True))
)
_EDITS = (
    (_K.Undo, "undo"), (_K.Redo, "redo"), (_K.Cut, "cut"), (_K.Copy, "copy"), (_K.Paste, "paste"),
    (_K.SelectAll, "select_all"), (_K.Backspace, "backspace"), (_K.Delete, "delete"),
    (_K.DeleteStartOfWord, "delete_word_left"), (_K.DeleteEndOfWord, "delete_word_right"),
    (_K.DeleteEndOfLine, "delete_to_line_end"), (_K.DeleteCompleteLine, "delete_line"),
    (_K.Find, "show_find"), (_K.Replace, "show_replace"),
    (_K.FindNext, "find_next"), (_K.FindPrevious, "find_previous"),
    (_K.ZoomIn, "zoom_in"), (_K.ZoomOut, "zoom_out"),
)
_CTRL, _ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
_META, _SHIFT = Qt.KeyboardModifier.MetaModifier, Qt.KeyboardModifier.ShiftModifier


def typed(event: QKeyEvent) -> str:
    """The text a key types, "" when it is a command. Ctrl+Alt is AltGr on Windows and types, and only there; Alt alone
    opens menus, but on macOS it is Option and types."""
    text, modifiers = event.text(), event.modifiers()
    if not text or (len(text) == 1 and (ord(text) < 0x20 or 0x7F <= ord(text) < 0xA0)):
        return ""
    if sys.platform == "win32" and modifiers & _CTRL and modifiers & _ALT:
        return text
    return "" if modifiers & (_CTRL | _META if sys.platform == "darwin" else _CTRL | _META | _ALT) else text


class Keys:
    def __init__(self, view: EditorView) -> None:
        self._view = view

    def press(self, event: QKeyEvent) -> bool:
        view = self._view
        if text := typed(event):
            if view.read_only:
                return False
            view.insert(to_bytes(text), "typing")
            return True
        for key, name, selects in _MOVES:
            if event.matches(key):
                self.move(name, selects)
                return True
        for key, name in _EDITS:
            if event.matches(key):
                getattr(view, name)()
                return True
        return self._other(event)

    def _other(self, event: QKeyEvent) -> bool:
        view, key, modifiers = self._view, event.key(), event.modifiers()
        plain = modifiers & ~(Qt.KeyboardModifier.KeypadModifier | _SHIFT) == Qt.KeyboardModifier.NoModifier
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and plain and not view.read_only:
            view.insert(b"\n", "typing")
        elif key == Qt.Key.Key_Tab and modifiers == Qt.KeyboardModifier.NoModifier and not view.read_only:
            view.insert(b"\t", "typing")
        elif key == Qt.Key.Key_Backspace and plain:  # Shift+Backspace is Backspace
            view.backspace()
        elif key == Qt.Key.Key_Insert and modifiers == Qt.KeyboardModifier.NoModifier:
            view.overwrite = not view.overwrite
        elif key == Qt.Key.Key_Escape and view.find_bar_shown:
            view.hide_find()
        elif modifiers & _CTRL and key == Qt.Key.Key_0:
            view.set_zoom(1.0)
        elif modifiers & _CTRL and key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            view.zoom_in()
        elif modifiers & _CTRL and key in (Qt.Key.Key_Up, Qt.Key.Key_Down) and not modifiers & _SHIFT:
            view.scroll_lines(-1 if key == Qt.Key.Key_Up else 1)
        else:
            return False
        return True

    def move(self, name: str, selects: bool) -> None:
        """One move of the caret by its name."""
        view = self._view
        start, end = view.session.selection
        at = Place(view.session.caret, view.upstream)
        if start != end and not selects and name in ("left", "right"):
            # A selection collapses to its edge, and nothing else moves.
            forward = (name == "right") != view.moves.is_rtl(at.byte_pos)
            view.move_to(Place(end if forward else start), False)
            return
        goal = view.goal_x
        target = self._target(name, at)
        view.move_to(target, selects)
        if name in ("up", "down", "page_up", "page_down"):
            view.keep_goal(goal if goal is not None else view.sheet.place(*at)[2])

    def _target(self, name: str, at: Place) -> Place:
        view, moves, size = self._view, self._view.moves, len(self._view.session)
        if name in ("left", "right", "word_left", "word_right"):
            forward = name.endswith("right") != moves.is_rtl(at.byte_pos)
            if name.startswith("word"):
                return Place(moves.word_right(at.byte_pos) if forward else moves.word_left(at.byte_pos))
            return Place(moves.next(at.byte_pos) if forward else moves.previous(at.byte_pos))
        if name in ("up", "down", "page_up", "page_down"):
            goal = view.goal_x if view.goal_x is not None else view.sheet.place(*at)[2]
            lines = 1
            if name.startswith("page"):
                lines = max(int(view.sheet.height / view.line_height) - 1, 1)
            down = name.endswith("down")
            found = moves.vertical(at, lines if down else -lines, goal)
            return found if found is not None else Place(size if down else 0)
        if name == "line_start":
            return moves.line_start(at)
        if name == "line_end":
            return moves.line_end(at)
        if name == "block_start":
            start = moves.block(at.byte_pos)[0]
            return Place(moves.block(max(start - 1, 0))[0] if start == at.byte_pos else start)
        if name == "block_end":
            end = moves.block_end(at.byte_pos)
            return Place(moves.block_end(moves.next(end)) if end == at.byte_pos else end)
        return Place(0 if name == "document_start" else size)
