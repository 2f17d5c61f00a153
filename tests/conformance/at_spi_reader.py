"""A small screen reader: runs in the system's Python (gi, Atspi), uses the window by keys and actions, prints what it
was told as one line of JSON. Started by test_at_spi.py; waits for events, each with a deadline, and never just waits.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import json
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

DEADLINE = 30.0
LEFT, UP, RIGHT, DOWN = 0xFF51, 0xFF52, 0xFF53, 0xFF54
LINE = "Current line of the text"
KINDS = ("object:announcement", "object:state-changed:focused", "object:text-caret-moved", "object:text-changed")


class Reader:
    def __init__(self) -> None:
        self.events: list[tuple[str, str, str]] = []  # kind, name of what it is about, text
        self._listener = Atspi.EventListener.new(self._heard)
        for kind in KINDS:
            self._listener.register(kind)
        self.app = self.wait("the program on the bus", self._find_app)

    def _heard(self, event: Atspi.Event) -> None:
        try:
            name = event.source.get_name() or ""
        except GLib.Error:
            return  # it is gone
        told = event.any_data if isinstance(event.any_data, str) else ""
        if not event.type.startswith("object:state-changed") or event.detail1:
            self.events.append((event.type, name, told))

    def _find_app(self) -> Atspi.Accessible | None:
        desktop = Atspi.get_desktop(0)
        found = (desktop.get_child_at_index(i) for i in range(desktop.get_child_count()))
        return next((a for a in found if a is not None and a.get_name() == "tokenloupe"), None)

    def wait(self, what: str, test):
        """What test() gives, once it gives something; looked at anew after each event and 20 times a second."""
        until, context = time.monotonic() + DEADLINE, GLib.MainContext.default()
        ticker = GLib.timeout_add(50, lambda: True)
        try:
            while time.monotonic() < until:
                try:
                    if found := test():
                        return found
                except GLib.Error:
                    pass  # a widget that went away meanwhile
                context.iteration(True)
        finally:
            GLib.source_remove(ticker)
        raise SystemExit(f"waited in vain for {what}; heard {self.events[-12:]}")

    def heard(self, kind: str, name: str, since: int = 0):
        """The first event of a kind about something of that name."""
        return self.wait(f"{kind} of {name!r}", lambda: next(
            (e for e in self.events[since:] if e[0].startswith(kind) and e[1].startswith(name)), None))

    def walk(self, node: Atspi.Accessible | None = None, depth: int = 0):
        node = node or self.app
        yield depth, node
        for i in range(min(node.get_child_count(), 120)):
            child = node.get_child_at_index(i)
            if child is not None:
                yield from self.walk(child, depth + 1)

    def find(self, name: str, role: str = "", focusable: bool = False) -> Atspi.Accessible:
        def look() -> Atspi.Accessible | None:
            for _, node in self.walk():
                state = node.get_state_set()
                if node.get_name() == name and role in ("", node.get_role_name()) and (
                        not focusable or state.contains(Atspi.StateType.FOCUSABLE)) and (
                        "menu" in role or state.contains(Atspi.StateType.SHOWING)):
                    return node
            return None

        return self.wait(f"{role or 'something'} named {name!r}", look)

    def key(self, symbol: int) -> None:
        Atspi.generate_keyboard_event(symbol, None, Atspi.KeySynthType.SYM)

    def pressed(self, symbol: int, kind: str, name: str) -> tuple[str, str, str]:
        """Press a key and wait for what follows from it."""
        since = len(self.events)
        self.key(symbol)
        return self.heard(kind, name, since)


def give_focus() -> bool:
    """No window manager runs here, so nobody else gives the window the keyboard."""
    x = ctypes.CDLL(ctypes.util.find_library("X11"))
    x.XOpenDisplay.restype, x.XDefaultRootWindow.restype = ctypes.c_void_p, ctypes.c_ulong
    display = ctypes.c_void_p(x.XOpenDisplay(None))
    root, parent, count = ctypes.c_ulong(), ctypes.c_ulong(), ctypes.c_uint()
    children = ctypes.POINTER(ctypes.c_ulong)()
    x.XQueryTree(display, ctypes.c_ulong(x.XDefaultRootWindow(display)), ctypes.byref(root), ctypes.byref(parent),
                 ctypes.byref(children), ctypes.byref(count))
    done = False
    for i in range(count.value):
        place, size = [ctypes.c_int() for _ in range(2)], [ctypes.c_uint() for _ in range(4)]
        x.XGetGeometry(display, ctypes.c_ulong(children[i]), *map(ctypes.byref, (root, *place, *size)))
        if size[0].value > 400:
            x.XSetInputFocus(display, ctypes.c_ulong(children[i]), 2, ctypes.c_ulong(0))
            done = True
    x.XSync(display, 0)
    x.XCloseDisplay(display)
    return done


def states(node: Atspi.Accessible) -> list[str]:
    known = {"focusable": Atspi.StateType.FOCUSABLE, "showing": Atspi.StateType.SHOWING,
             "sensitive": Atspi.StateType.SENSITIVE}
    held = node.get_state_set()
    return [word for word, state in known.items() if held.contains(state)]


def main() -> None:
    Atspi.init()
    reader = Reader()
    out: dict[str, object] = {}
    table = reader.find("Tokens", "table")
    reader.wait("the first token's row", lambda: any(
        (n.get_name() or "").startswith("token 0,") for _, n in reader.walk(table)))
    reader.wait("a window", give_focus)
    reader.heard("object:state-changed:focused", LINE)
    out["focused first"] = [e[1] for e in reader.events if e[0].startswith("object:state-changed:focused")][-1]
    out["tree"] = [(d, n.get_role_name(), n.get_name(), n.get_description(), states(n)) for d, n in reader.walk()]
    out["rows"] = [n.get_name() for _, n in reader.walk(table) if n.get_role_name() == "table cell"]

    line = reader.find(LINE)
    out["line"] = Atspi.Text.get_text(line, 0, -1)
    for _ in range(int(sys.argv[1])):  # by character over the whole line
        reader.pressed(RIGHT, "object:text-caret-moved", LINE)
        caret = Atspi.Text.get_caret_offset(line)
        reader.wait("the caret's token", lambda caret=caret: line.get_description())
        out.setdefault("moves", []).append((caret, line.get_description()))  # type: ignore[attr-defined]
    out["announced"] = [e[2] for e in reader.events if e[0] == "object:announcement" and e[1] == LINE]
    since = len(reader.events)
    out["typed"] = reader.pressed(ord("x"), "object:text-changed:insert", LINE)[2]
    out["announced typed"] = reader.heard("object:announcement", LINE, since)[2]

    since = len(reader.events)
    Atspi.Component.grab_focus(table)
    reader.heard("object:state-changed:focused", "", since)
    out["row below"] = reader.pressed(DOWN, "object:state-changed:focused", "token ")[1]

    for panel, name in (("Byte lane", "Byte lane"), ("Hex", "Hex view")):
        since = len(reader.events)
        Atspi.Action.do_action(reader.find(panel, "menu item"), 0)
        sheet = reader.find(name, "filler")  # the role that Qt has for a scroll area
        Atspi.Component.grab_focus(sheet)
        reader.heard("object:state-changed:focused", name, since)
        keys = (LEFT, LEFT, UP, UP, UP) if panel == "Byte lane" else (LEFT, LEFT)  # by token, then rows above it
        out[panel] = [reader.pressed(key, "object:announcement", name)[2] for key in keys]

    since = len(reader.events)
    Atspi.EditableText.insert_text(line, 0, "Zé", 2)
    reader.heard("object:text-changed:insert", LINE, since)
    reader.wait("the caret behind what was written", lambda: Atspi.Text.get_caret_offset(line) == 2)
    out["written"] = Atspi.Text.get_text(line, 0, -1)

    since = len(reader.events)
    Atspi.Action.do_action(reader.find("Find…", "menu item"), 0)
    out["find"] = reader.heard("object:state-changed:focused", "Find", since)[1]
    print(json.dumps(out))


main()
