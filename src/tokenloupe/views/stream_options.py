r"""What the theatre is set to beside its stream: stop strings, which lanes there are, one buffer or two, the prompt.

    options.stops.setText(r"\nUser:, ###"); options.names, options.stop_strings
    (['naive-go', 'naive-unicode', 'buffered', ..], ('\nUser:', '###'))
"""

from __future__ import annotations

from PySide6.QtCore import QObject, QSignalBlocker, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QMenu, QToolButton, QWidget

from ..core.stream_policies import DEFAULT_POLICIES, POLICIES
from ..core.stream_scenarios import Scenario

SHARED = ("shared-utf8", "shared-stop")


class StreamOptions(QObject):
    """changed(): something was set by the reader. stops, shared, primed, lanes: the widgets, in `widgets` for a row."""

    changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.stops = QLineEdit()
        self.stops.setPlaceholderText(r"\nUser:, ###")
        self.stops.setToolTip(r"Stop strings, commas between; \n is a line end, \t a tab, \, a comma, \\ a backslash")
        self.stops.setAccessibleName("Stop strings")
        self.stops.setMinimumWidth(self.stops.fontMetrics().horizontalAdvance(r"\nUser:, ### ###"))
        self._stops: tuple[str, ...] = ()
        self.stops.editingFinished.connect(self._stops_edited)
        label = QLabel("S&top at")
        label.setBuddy(self.stops)
        self.shared = QCheckBox("One &buffer for both")
        self.shared.setToolTip("Adds two lanes in which bytes and stop strings wait in one buffer, which goes wrong")
        self.shared.toggled.connect(self.changed)
        self.primed = QCheckBox("Tell the decoders the &prompt")
        self.primed.toggled.connect(self.changed)
        self.lanes = QToolButton()
        self.lanes.setText("Lanes")
        self.lanes.setObjectName("chooser")
        self.lanes.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.lanes.setToolTip("Which ways of decoding are shown")
        self.policies = self._menu()
        self.widgets: tuple[QWidget, ...] = (label, self.stops, self.shared, self.primed, self.lanes)

    def _menu(self) -> list[QAction]:
        menu = QMenu(self.lanes)
        made = []
        for policy in POLICIES:
            if policy.name in SHARED:
                continue
            action = menu.addAction(policy.title)
            action.setCheckable(True)
            action.setChecked(policy.name in DEFAULT_POLICIES)
            action.setData(policy.name)
            action.setToolTip(policy.about)
            action.toggled.connect(self.changed)
            made.append(action)
        self.lanes.setMenu(menu)
        return made

    @property
    def stop_strings(self) -> tuple[str, ...]:
        return parsed_stops(self.stops.text())

    @property
    def names(self) -> list[str]:
        """The policies to show, top to bottom."""
        names = [a.data() for a in self.policies if a.isChecked()]
        if self.shared.isChecked():  # beside the right way
            place = names.index("buffered") + 1 if "buffered" in names else len(names)
            names[place:place] = SHARED
        return names

    def take(self, scenario: Scenario | None, prompt: bool) -> None:
        """Set what a scenario asks for, without a word; prompt: whether there is one to tell."""
        self.primed.setVisible(prompt)
        if scenario is None:
            return
        with QSignalBlocker(self.shared), QSignalBlocker(self.primed):
            self.stops.setText(written_stops(scenario.stops))
            self.shared.setChecked(any(p in SHARED for p in scenario.policies))
            self.primed.setChecked(scenario.primed)
        self._stops = scenario.stops

    def _stops_edited(self) -> None:
        if self.stop_strings != self._stops:
            self._stops = self.stop_strings
            self.changed.emit()


#: What follows a backslash in a typed stop string -> what it stands for.
_TYPED = {"n": "\n", "t": "\t", "r": "\r", ",": ",", " ": " ", "\\": "\\"}


def parsed_stops(text: str) -> tuple[str, ...]:
    r"""Stop strings as typed: commas between, with \n \t \, \\ for what cannot be typed. Spaces after a comma are
    dropped (\ keeps one), empty strings too."""
    out, current, escaped = [], "", False
    for character in text:
        if escaped:
            current += _TYPED.get(character, "\\" + character)
            escaped = False
        elif character == "\\":
            escaped = True
        elif character == ",":
            out.append(current)
            current = ""
        elif character == " " and not current:
            continue
        else:
            current += character
    out.append(current + ("\\" if escaped else ""))
    return tuple(dict.fromkeys(s for s in out if s))


def written_stops(stops: tuple[str, ...]) -> str:
    """The inverse of parsed_stops."""
    signs = {kept: "\\" + typed for typed, kept in _TYPED.items() if kept != " "}
    written = ("".join(signs.get(c, c) for c in s) for s in stops)
    return ", ".join("\\" + s if s.startswith(" ") else s for s in written)
