"""Every action is in a menu, has a shortcut no other has, a handler that exists, and does what it says."""

from __future__ import annotations

from collections import Counter

import pytest
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence

from tokenloupe import resources
from tokenloupe.app.actions import MENUS, all_specs, resolve
from tokenloupe.app.main_window import MainWindow
from tokenloupe.core.errors import InputError
from tokenloupe.panels import PANELS

SPECS = all_specs()


def test_ids_are_unique() -> None:
    assert [i for i, n in Counter(s.id for s in SPECS).items() if n > 1] == []


@pytest.mark.parametrize("spec", SPECS, ids=lambda s: s.id)
def test_every_action_has_a_menu_a_readable_shortcut_and_an_icon_file(spec) -> None:
    assert spec.menu in MENUS and spec.title
    keys = QKeySequence(spec.shortcut)
    assert not keys.isEmpty() and keys.toString(QKeySequence.SequenceFormat.PortableText)
    if spec.icon:
        assert resources.path("icons", f"{spec.icon}.svg").exists()


def test_no_two_actions_share_a_shortcut(window: MainWindow) -> None:
    used = Counter(
        key.toString(QKeySequence.SequenceFormat.PortableText)
        for spec in SPECS for key in window.actions_[spec.id].shortcuts())
    assert [k for k, n in used.items() if n > 1] == []


def test_every_handler_exists(window: MainWindow) -> None:
    for spec in SPECS:
        assert callable(resolve(window, spec.handler)), spec.id


def test_every_action_is_in_the_menu_bar(window: MainWindow) -> None:
    shown: set[QAction] = set()
    for menu in window.actions_.menus.values():
        shown |= set(menu.actions())
    assert all(window.actions_[spec.id] in shown for spec in SPECS)
    assert [a.text() for a in window.menu_bar.actions()] == list(MENUS)


def test_menus_have_one_mnemonic_each() -> None:
    letters = [m[m.index("&") + 1].lower() for m in MENUS]
    assert len(set(letters)) == len(letters)


def test_undo_and_redo(window: MainWindow) -> None:
    assert not window.actions_["undo"].isEnabled()
    window.session.edit(0, 0, b"abc", "paste")
    window.actions_["undo"].trigger()
    assert window.session.data == b""
    window.actions_["redo"].trigger()
    assert window.session.data == b"abc"


def test_copy_ids(fill) -> None:
    window = fill(b"hello world")
    window.actions_["copy_ids"].trigger()
    assert QGuiApplication.clipboard().text() == "31373, 995"  # tiktoken, gpt2
    window.session.select(6, 8)
    window.actions_["copy_ids"].trigger()
    assert QGuiApplication.clipboard().text() == "995"


def test_special_tokens_as_text_and_parsed(fill) -> None:
    window = fill(b"<|endoftext|>")
    window.actions_["special_parse"].trigger()
    assert window.session.document.encoding().ids.tolist() == [50256]
    assert window.actions_["special_parse"].isChecked()
    window.actions_["special_text"].trigger()
    assert window.session.document.token_count > 1
    window.picker.special_chosen.emit(frozenset({"<|endoftext|>"}))
    assert window.session.document.encoding().ids.tolist() == [50256]


def test_zoom_is_bounded_and_remembered(window: MainWindow) -> None:
    for _ in range(40):
        window.actions_["zoom_in"].trigger()
    assert window.look.zoom == 4.0 == window.settings.get("zoom", 0.0)
    window.actions_["zoom_reset"].trigger()
    assert window.look.zoom == 1.0


@pytest.mark.parametrize(("text", "selection"), [
    ("3", (3, 3)), ("0x3", (3, 3)), ("#1", (5, 11)), (":2", (12, 12)), (":1", (0, 0)), (" 1_0 ", (10, 10))])
def test_go_to(fill, text: str, selection: tuple[int, int]) -> None:
    from tokenloupe.app.places import go_to

    window = fill(b"hello world\nmore")
    go_to(window.session, text)
    assert window.session.selection == selection


@pytest.mark.parametrize("text", ["", "x", "#99", ":9", "99", "-1", "#-1", ":0", "0xzz", "९x"])
def test_go_to_nowhere_is_a_sentence(fill, text: str) -> None:
    from tokenloupe.app.places import go_to

    window = fill(b"hello")
    with pytest.raises(InputError):
        go_to(window.session, text)


def test_the_list_of_shortcuts_has_every_action(window: MainWindow) -> None:
    from tokenloupe.app.dialogs import Shortcuts

    dialog = Shortcuts(window)
    tops = [dialog.tree.topLevelItem(i) for i in range(dialog.tree.topLevelItemCount())]
    titles = [top.child(k).text(0) for top in tops for k in range(top.childCount())]
    assert sorted(titles) == sorted(s.title for s in SPECS)
    dialog.filter.setText("Redo")
    assert [top.text(0) for top in tops if not top.isHidden()] == ["Edit"]
    dialog.close()


def test_panels_have_actions_of_their_own(window: MainWindow) -> None:
    for panel in PANELS:
        action = window.actions_[f"panel_{panel.id}"]
        assert action.isCheckable() and action.text().replace("&&", "&") == panel.title


def test_what_the_context_menu_switches_is_switched_in_the_menus_too(program, window: MainWindow) -> None:
    from tokenloupe.views.editor_menu import context_menu

    for name, text in (("wrap", "Wrap lines"), ("spaces", "Show spaces and line ends"), ("numbers", "Line numbers"),
                       ("controls", "Show invisible characters"), ("cells", "Bytes of split characters")):
        before = window.actions_[name].isChecked()
        menu = context_menu(window.editor)
        next(a for a in menu.actions() if a.text().replace("&", "") == text).trigger()
        assert window.actions_[name].isChecked() is not before and window.look.on[name] is not before
        other = program.open_window([])
        assert other.actions_[name].isChecked() is not before
        other.close()
        window.actions_[name].trigger()
        assert window.actions_[name].isChecked() is before
    assert any(a.text() == "&Go to…" for a in context_menu(window.editor).actions())
