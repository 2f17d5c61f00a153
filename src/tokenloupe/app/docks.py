"""The panels' places in the window: docks at the right and the bottom, pages beside the text; made when first shown.

    docks.show("tokens")      docks.toggle("tokens")      state = docks.save()      docks.restore(state)

All docks exist (empty) from the start, so a layout can be restored before anything heavy is imported. A panel's
shortcut shows it and moves the focus into it; once more hides it.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QByteArray, QObject, Qt, Signal
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QTabWidget, QWidget
from shiboken6 import isValid

from ..core.errors import InputError
from ..models.session import Session
from ..panels import PANELS, Panel
from ..views.theme_icons import icon

#: Panels shown at first.
AT_FIRST = ("tokens",)
AREAS = {"right": Qt.DockWidgetArea.RightDockWidgetArea, "bottom": Qt.DockWidgetArea.BottomDockWidgetArea}
#: First sizes in pixels.
RIGHT, BOTTOM = 500, 260
#: Raised when the kinds of panels change so that an old layout would not fit.
LAYOUT_VERSION = 1


class Docks(QObject):
    """tabs: the centre; page 0 is the text. changed(): a panel was shown or hidden."""

    changed = Signal()

    def __init__(self, window: QMainWindow, session: Session, tabs: QTabWidget) -> None:
        super().__init__(window)
        self._window, self._session, self._tabs = window, session, tabs
        self._panels = {p.id: p for p in PANELS}
        self._made: dict[str, QWidget] = {}
        self._docks: dict[str, QDockWidget] = {}
        self._ready = False
        self._asked: list[str] = []  # pages to show when there is a tokenizer
        self._kept: dict[str, dict[str, Any]] = {}  # what panels keep of themselves (columns, modes), by id
        self._zoom = 1.0
        tabs.setTabsClosable(True)
        tabs.setAccessibleName("Pages")
        tabs.setDocumentMode(True)
        tabs.tabBar().setDrawBase(False)
        tabs.setTabBarAutoHide(True)
        tabs.tabCloseRequested.connect(self._close_tab)
        window.setDockNestingEnabled(True)
        window.setDockOptions(QMainWindow.DockOption.AllowTabbedDocks | QMainWindow.DockOption.AllowNestedDocks)
        window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        window.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
        for panel in PANELS:
            if panel.where in AREAS:
                self._docks[panel.id] = self._dock(panel)
        self.reset()

    # What there is

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(self._panels)

    def widget(self, panel_id: str) -> QWidget | None:
        """The panel, None when it has not been shown yet."""
        return self._made.get(panel_id)

    def is_shown(self, panel_id: str) -> bool:
        dock = self._docks.get(panel_id)
        if dock is not None:
            return not dock.isHidden()
        made = self._made.get(panel_id)
        return made is not None and self._tabs.indexOf(made) >= 0

    def shown(self) -> list[str]:
        return [i for i in self._panels if self.is_shown(i)]

    # Showing

    def begin(self) -> None:
        """The session has a tokenizer: panels may be made from now on."""
        self._ready = True
        for panel_id, dock in self._docks.items():
            if not dock.isHidden() and dock.isVisible():
                self._fill(panel_id)
        for panel_id in self._asked:
            self.show(panel_id, focus=False)
        self._asked.clear()

    def show(self, panel_id: str, focus: bool = True) -> QWidget | None:
        """Show a panel, in front of those it shares its place with."""
        dock = self._docks.get(panel_id)
        if dock is not None:
            dock.show()
            dock.raise_()
            widget = self._fill(panel_id)
        else:
            widget = self._fill(panel_id)
            if not self._ready:
                self._asked.append(panel_id)
            if widget is not None:
                panel = self._panels[panel_id]
                at = self._tabs.indexOf(widget)
                if at < 0:
                    at = self._tabs.addTab(widget, icon(panel.icon), panel.title)
                self._tabs.setCurrentIndex(at)
        if widget is not None and focus:
            widget.setFocus(Qt.FocusReason.ShortcutFocusReason)
            if not holds_focus(widget):
                widget.focusNextPrevChild(True)
        self.changed.emit()
        return widget

    def hide(self, panel_id: str) -> None:
        dock = self._docks.get(panel_id)
        made = self._made.get(panel_id)
        inside = made is not None and holds_focus(made)
        if dock is not None:
            dock.hide()
        elif made is not None and self._tabs.indexOf(made) >= 0:
            self._tabs.removeTab(self._tabs.indexOf(made))
            made.hide()
        if inside:
            self._tabs.widget(0).setFocus()
        self.changed.emit()

    def toggle(self, panel_id: str) -> None:
        """Hide it when the focus is in it; otherwise show it and move the focus there."""
        made = self._made.get(panel_id)
        if made is not None and self.is_shown(panel_id) and made.isVisible() and holds_focus(made):
            self.hide(panel_id)
        else:
            self.show(panel_id)

    def next_pane(self) -> None:
        self._turn(1)

    def previous_pane(self) -> None:
        self._turn(-1)

    def set_zoom(self, zoom: float) -> None:
        """Panels that can show their text larger do."""
        self._zoom = zoom
        for widget in self._made.values():
            if hasattr(widget, "set_zoom"):
                widget.set_zoom(zoom)

    def renew_icons(self) -> None:
        for i in range(1, self._tabs.count()):
            panel = next((p for p in PANELS if self._made.get(p.id) is self._tabs.widget(i)), None)
            if panel is not None:
                self._tabs.setTabIcon(i, icon(panel.icon))

    # The layout

    def save(self) -> dict[str, Any]:
        for panel_id, made in self._made.items():
            if hasattr(made, "save_state"):
                self._kept[panel_id] = made.save_state()
        return {
            "version": LAYOUT_VERSION, "panels": [p.id for p in PANELS],
            "docks": bytes(self._window.saveState(LAYOUT_VERSION).toBase64().data()).decode("ascii"),
            "tabs": [i for i, p in self._panels.items() if p.where == "tab" and self.is_shown(i)],
            "kept": self._kept,
        }

    def restore(self, state: dict[str, Any]) -> bool:
        """A saved layout; False (and nothing changed) when it is none. Panels that came later stay hidden."""
        kept = state.get("kept")
        if isinstance(kept, dict):
            self._kept = {k: v for k, v in kept.items() if isinstance(v, dict)}
        text = state.get("docks")
        if not isinstance(text, str) or state.get("version") != LAYOUT_VERSION:
            return False
        if not self._window.restoreState(QByteArray.fromBase64(text.encode("ascii", "replace")), LAYOUT_VERSION):
            self.reset()
            return False
        known = state.get("panels")
        for panel_id, dock in self._docks.items():
            if isinstance(known, list) and panel_id not in known:
                self._window.addDockWidget(AREAS[self._panels[panel_id].where], dock)
                dock.hide()
        if self._ready:
            self.open_tabs(state)
        return True

    def open_tabs(self, state: dict[str, Any]) -> None:
        """The pages of a saved layout (their panels are made, so not before begin())."""
        tabs = state.get("tabs")
        for panel_id in tabs if isinstance(tabs, list) else []:
            if isinstance(panel_id, str) and panel_id in self._panels and panel_id not in self._docks:
                self.show(panel_id, focus=False)
        self._tabs.setCurrentIndex(0)

    def reset(self) -> None:
        """The layout of the first start."""
        first: dict[str, QDockWidget] = {}
        for dock in self._docks.values():
            dock.hide()  # Qt leaves a stray tab bar behind when shown docks are put together and hidden afterwards
        for panel_id, dock in self._docks.items():
            where = self._panels[panel_id].where
            dock.setFloating(False)
            if where in first:
                self._window.tabifyDockWidget(first[where], dock)
            else:
                self._window.addDockWidget(AREAS[where], dock)
                first[where] = dock
        for panel_id in AT_FIRST:
            if panel_id in self._docks:
                self._docks[panel_id].show()
        for panel_id, panel in self._panels.items():
            if panel.where == "tab":
                self.hide(panel_id)
        if "right" in first:
            self._window.resizeDocks([first["right"]], [RIGHT], Qt.Orientation.Horizontal)
        if "bottom" in first:
            self._window.resizeDocks([first["bottom"]], [BOTTOM], Qt.Orientation.Vertical)
        self.changed.emit()

    # Inside

    def _dock(self, panel: Panel) -> QDockWidget:
        dock = QDockWidget(panel.title, self._window)
        dock.setObjectName(f"dock_{panel.id}")
        dock.setAccessibleName(panel.title)
        dock.visibilityChanged.connect(self._visible)
        return dock

    def _visible(self, on: bool) -> None:
        if not isValid(self._window):  # it is being destroyed, and its docks with it
            return
        panel_id = next((i for i, d in self._docks.items() if d is self.sender()), None)
        if on and self._ready and panel_id is not None:
            self._fill(panel_id)
        self.changed.emit()

    def _fill(self, panel_id: str) -> QWidget | None:
        """The panel, made now if it has not been."""
        if not self._ready:
            return None
        made = self._made.get(panel_id)
        if made is None:
            try:
                made = self._panels[panel_id].create(self._session)
            except InputError as error:
                self._session.failed.emit(str(error))
                return None
            self._made[panel_id] = made
            if not made.accessibleName():
                made.setAccessibleName(self._panels[panel_id].title)
            if hasattr(made, "restore_state") and panel_id in self._kept:
                made.restore_state(self._kept[panel_id])
            if hasattr(made, "set_zoom") and self._zoom != 1.0:
                made.set_zoom(self._zoom)
            dock = self._docks.get(panel_id)
            if dock is not None:
                dock.setWidget(made)
        return made

    def _close_tab(self, at: int) -> None:
        for panel_id, made in self._made.items():
            if at > 0 and made is self._tabs.widget(at):
                self.hide(panel_id)
                return

    def _panes(self) -> list[QWidget]:
        docks = [self._made[i] for i, d in self._docks.items() if i in self._made and self._made[i].isVisible()]
        return [self._tabs.currentWidget(), *docks]

    def _turn(self, step: int) -> None:
        panes = self._panes()
        at = next((i for i, pane in enumerate(panes) if holds_focus(pane)), 0)
        pane = panes[(at + step) % len(panes)]
        pane.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if not holds_focus(pane):
            pane.focusNextPrevChild(True)


def holds_focus(widget: QWidget) -> bool:
    focus = QApplication.focusWidget()
    return focus is not None and (focus is widget or widget.isAncestorOf(focus))
