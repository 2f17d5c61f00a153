"""All actions in one table: id, text, shortcut, icon, menu, handler. Menus, tests and the list of keys read it.

A handler is a dotted name looked up from the window when the action is triggered: "files.save" is
`window.files.save()`, "focused.copy" is what the focused view does. Panels add their own line each from
`panels.PANELS`, so a new panel has its menu entry and shortcut without a line here. No shortcut is Ctrl+Alt and a
letter: that is AltGr on Windows, and types.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QMenuBar

from ..panels import PANELS
from ..views.export_forms import FORMS
from ..views.theme_icons import icon

MENUS = ("&File", "&Edit", "&View", "&Panels", "&Tokenizer", "E&xport", "&Help")

#: Other keys that many know an action by: + without Shift, and redo on Windows.
ALSO = {"zoom_in": ("Ctrl+=",), "redo": ("Ctrl+Y",)}


@dataclass(frozen=True, slots=True)
class Spec:
    """menu: "" never; a separator stands before an action whose text begins with "-". check: its group, or "own"."""

    id: str
    text: str
    shortcut: str
    icon: str
    menu: str
    handler: str
    check: str = ""

    @property
    def title(self) -> str:
        return self.text.lstrip("-")


def _menu(menu: str, *rows: tuple[str, ...]) -> list[Spec]:
    """rows: (id, text, shortcut, icon, handler[, check])."""
    return [Spec(row[0], row[1], row[2], row[3], menu, row[4], *row[5:]) for row in rows]


def _exports(ids: bool) -> list[tuple[str, ...]]:
    """Rows that save and copy each form of the segmentation, or of the ids: a letter saves, Shift and it copies."""
    forms = [f for f in FORMS.values() if f.id.startswith("ids_") == ids]
    copied = [f for f in forms if f.copied]
    rows = [(f"export_{f.id}", f"Save {f.title}…", f"Ctrl+Shift+E, {f.key}", "", f"exports.save:{f.id}") for f in forms]
    rows += [(f"copy_{f.id}", f"Copy {f.title}", f"Ctrl+Shift+E, Shift+{f.key}", "", f"exports.copy:{f.id}")
             for f in copied]
    parted = (0, len(forms)) if ids else (len(forms),)
    return [(row[0], ("-" if k in parted else "") + row[1], *row[2:]) for k, row in enumerate(rows)]


ACTIONS: tuple[Spec, ...] = (
    *_menu(
        "&File",
        ("new", "New Window", "Ctrl+N", "window", "new_window"),
        ("open", "Open Text…", "Ctrl+O", "open", "files.ask_text"),
        ("save", "-Save", "Ctrl+S", "save", "files.save"),
        ("save_as", "Save As…", "Ctrl+Shift+S", "", "files.save_as"),
        ("open_case", "-Open Case…", "Ctrl+Shift+E, O", "", "cases.ask_open"),
        ("save_case", "Save Case…", "Ctrl+Shift+E, C", "", "cases.ask_save"),
        ("close", "-Close Window", "Ctrl+W", "", "close"),
        ("quit", "Quit", "Ctrl+Q", "", "commands.quit"),
    ),
    *_menu(
        "&Edit",
        ("undo", "Undo", "Ctrl+Z", "undo", "session.undo"),
        ("redo", "Redo", "Ctrl+Shift+Z", "redo", "session.redo"),
        ("cut", "-Cut", "Ctrl+X", "cut", "focused.cut"),
        ("copy", "Copy", "Ctrl+C", "copy", "focused.copy"),
        ("paste", "Paste", "Ctrl+V", "paste", "focused.paste"),
        ("select_all", "Select All", "Ctrl+A", "", "focused.select_all"),
        ("copy_ids", "-Copy Ids", "Ctrl+Shift+C", "ids", "exports.copy:ids_list"),
        ("input_as", "-Input As…", "Ctrl+I", "bytes", "commands.input_as"),
        ("find", "-Find…", "Ctrl+F", "find", "editor.show_find"),
        ("replace", "Replace…", "Ctrl+H", "", "editor.show_replace"),
        ("find_next", "Find Next", "F3", "", "editor.find_next"),
        ("find_previous", "Find Previous", "Shift+F3", "", "editor.find_previous"),
        ("go_to", "-Go to Byte, Token or Line…", "Ctrl+G", "", "commands.go_to"),
    ),
    *_menu(
        "&View",
        ("zoom_in", "Zoom In", "Ctrl++", "zoom-in", "look.zoom_in"),
        ("zoom_out", "Zoom Out", "Ctrl+-", "zoom-out", "look.zoom_out"),
        ("zoom_reset", "Actual Size", "Ctrl+0", "", "look.zoom_reset"),
        ("wrap", "-Wrap Lines", "Ctrl+Shift+L", "", "look.toggle:wrap", "own"),
        ("numbers", "Line Numbers", "Ctrl+Shift+N", "", "look.toggle:numbers", "own"),
        ("spaces", "Spaces and Line Ends", "Ctrl+Shift+I", "", "look.toggle:spaces", "own"),
        ("controls", "Invisible Characters", "Ctrl+Shift+U", "", "look.toggle:controls", "own"),
        ("cells", "Bytes of Split Characters", "Ctrl+Shift+B", "", "look.toggle:cells", "own"),
        ("theme_system", "-Theme of the System", "Ctrl+K, Ctrl+S", "", "look.theme:system", "theme"),
        ("theme_light", "Light Theme", "Ctrl+K, Ctrl+L", "", "look.theme:light", "theme"),
        ("theme_dark", "Dark Theme", "Ctrl+K, Ctrl+D", "", "look.theme:dark", "theme"),
        ("full_screen", "-Full Screen", "F11", "", "look.toggle_full_screen", "own"),
    ),
    *_menu(
        "&Panels",
        ("focus_text", "Text", "Ctrl+E", "text", "focus_text"),
        ("next_pane", "Next Pane", "F6", "", "docks.next_pane"),
        ("previous_pane", "Previous Pane", "Shift+F6", "", "docks.previous_pane"),
        ("reset_layout", "Reset Layout", "Ctrl+K, Ctrl+R", "", "docks.reset"),
    ),
    *_menu(
        "&Tokenizer",
        ("choose", "Choose Tokenizer", "Ctrl+T", "tokenizer", "picker.button.showMenu"),
        ("open_tokenizer", "Open Tokenizer File…", "Ctrl+Shift+O", "", "files.ask_tokenizer"),
        ("open_folder", "Open Tokenizer Folder…", "Ctrl+K, Ctrl+O", "", "files.ask_folder"),
        ("open_hub", "Open from Hugging Face hub…", "Ctrl+K, Ctrl+H", "", "files.ask_hub"),
        ("special_text", "-Special Tokens as Text", "Ctrl+K, Ctrl+T", "", "commands.special_text", "special"),
        ("special_parse", "Parse All Special Tokens", "Ctrl+K, Ctrl+P", "", "commands.special_parse", "special"),
        ("special_choose", "Choose Special Tokens…", "Ctrl+K, Ctrl+C", "", "picker.choose_special", "special"),
        ("warnings", "-Warnings of the Tokenizer", "Ctrl+K, Ctrl+W", "", "commands.show_warnings"),
    ),
    *_menu(
        "E&xport",  # the selection, or all of the text without one
        *(row for ids in (False, True) for row in _exports(ids)),
    ),
    *_menu(
        "&Help",
        ("shortcuts", "Keyboard Shortcuts", "F1", "keyboard", "commands.show_shortcuts"),
        ("about", "About Tokenloupe", "Shift+F1", "", "commands.show_about"),
    ),
)


def all_specs() -> tuple[Spec, ...]:
    """Every action, the panels' included."""
    panels = tuple(
        Spec(f"panel_{p.id}", p.title, p.shortcut, p.icon, "&Panels", f"docks.toggle:{p.id}", "own") for p in PANELS)
    return (*ACTIONS, *panels)


def resolve(window: QObject, handler: str) -> Callable[[], Any]:
    """What a handler's dotted name means; "name:argument" is called with the argument."""
    name, _, argument = handler.partition(":")
    found = reduce(getattr, name.split("."), window)
    call: Callable[..., Any] = found  # type: ignore[assignment]
    return (lambda: call(argument)) if argument else call


class Actions:
    """The actions of one window, by id; its menu bar."""

    def __init__(self, window: QMainWindow, bar: QMenuBar) -> None:
        self._window = window
        self._icons: list[tuple[QAction, str]] = []
        self._actions: dict[str, QAction] = {}
        self.menus: dict[str, QMenu] = {}
        for title in MENUS:
            self.menus[title] = bar.addMenu(title)
        groups: dict[str, QActionGroup] = {}
        for spec in all_specs():
            menu = self.menus[spec.menu]
            if spec.text.startswith("-"):
                menu.addSeparator()
            action = QAction(spec.title.replace("&", "&&"), window)
            action.setObjectName(spec.id)
            keys = QKeySequence(spec.shortcut)
            action.setShortcuts([keys, *map(QKeySequence, ALSO.get(spec.id, ()))])
            action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
            if spec.id == "quit":
                action.setMenuRole(QAction.MenuRole.QuitRole)
            elif spec.id == "about":
                action.setMenuRole(QAction.MenuRole.AboutRole)
            else:
                action.setMenuRole(QAction.MenuRole.NoRole)
            if spec.check:
                action.setCheckable(True)
                if spec.check != "own":
                    groups.setdefault(spec.check, QActionGroup(window)).addAction(action)
            action.triggered.connect(lambda _=False, spec=spec: resolve(window, spec.handler)())
            menu.addAction(action)
            self._actions[spec.id] = action
            if spec.icon:
                self._icons.append((action, spec.icon))
        self.renew_icons()
        panels = self.menus["&Panels"]
        panels.insertSeparator(self["next_pane"])
        first = next((self._actions[f"panel_{p.id}"] for p in PANELS), None)
        if first is not None:
            panels.insertSeparator(first)

    def __getitem__(self, action_id: str) -> QAction:
        return self._actions[action_id]

    def renew_icons(self) -> None:
        """After the theme has changed."""
        for action, name in self._icons:
            action.setIcon(icon(name))
