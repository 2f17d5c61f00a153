"""Transport: to the start, back, play, on, to the end, seek, speed, how tokens arrive, loop."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSignalBlocker, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap, QPolygonF
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QSlider,
    QSpinBox,
    QToolButton,
    QWidget,
)

from ..core.stream_tokens import Timing
from ..models.stream_player import StreamPlayer
from . import palette
from .flow import FlowLayout
from .stream_readout import Readout

#: How tokens arrive: words for the list -> (jitter, burst); the recorded times come first where there are some.
ARRIVALS = (("evenly", 0.0, 1), ("with jitter", 0.9, 1), ("in bursts", 0.4, 6))
RECORDED = "as recorded"
#: While it plays, the numbers change no more often than this, in ms.
SLOWLY = 90


def icon(name: str) -> QIcon:
    """A transport sign in the colours of the theme: start back play pause on end."""
    colours = palette.current()
    made = QIcon()
    for mode, tone in ((QIcon.Mode.Normal, colours.text), (QIcon.Mode.Disabled, colours.faint)):
        picture = QPixmap(32, 32)
        picture.setDevicePixelRatio(2.0)
        picture.fill(Qt.GlobalColor.transparent)
        with QPainter(picture) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tone)
            if name == "pause":
                painter.drawRoundedRect(QRectF(3.5, 2.5, 3.5, 11), 1, 1)
                painter.drawRoundedRect(QRectF(9, 2.5, 3.5, 11), 1, 1)
            elif name == "play":
                _triangle(painter, 4, 13, forward=True)
            elif name in ("on", "end"):
                _triangle(painter, 3, 10.5, forward=True)
                painter.drawRect(QRectF(11, 3, 2, 10))
                if name == "end":
                    painter.drawRect(QRectF(14, 3, 1.2, 10))
            else:
                _triangle(painter, 5.5, 13, forward=False)
                painter.drawRect(QRectF(3, 3, 2, 10))
                if name == "start":
                    painter.drawRect(QRectF(0.8, 3, 1.2, 10))
        made.addPixmap(picture, mode)
    return made


def _triangle(painter: QPainter, left: float, right: float, forward: bool) -> None:
    tip, base = (right, left) if forward else (left, right)
    painter.drawPolygon(QPolygonF([QPointF(base, 2.5), QPointF(base, 13.5), QPointF(tip, 8)]))


class Transport(QWidget):
    """The bar under the tokens: it changes the player and shows where it stands. options: speed and arrival, apart."""

    def __init__(self, player: StreamPlayer, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._player = player
        self._stream = player.run.stream
        self._shown_at = -1e9  # the player's clock when the numbers were changed last
        self.buttons: dict[str, QToolButton] = {}
        row = QHBoxLayout()
        row.setSpacing(2)
        for name, words, keys, act in (
            ("start", "To the beginning", "Home", lambda: player.seek(0)),
            ("back", "One step back", "Left", lambda: player.step(-1)),
            ("play", "Play", "Space", player.toggle),
            ("on", "One step on", "Right", player.step),
            ("end", "To the end", "End", lambda: player.step(player.run.steps)),
        ):
            button = QToolButton()
            button.setAutoRaise(True)
            button.setObjectName("plain")
            button.setAccessibleName(words)
            button.setToolTip(f"{words} ({keys})")
            button.setAutoRepeat(name in ("back", "on"))
            button.clicked.connect(lambda _=False, act=act: act())
            self.buttons[name] = button
            row.addWidget(button)
        self.seek = QSlider(Qt.Orientation.Horizontal)
        self.seek.setAccessibleName("Position in the stream")
        self.seek.valueChanged.connect(self._sought)
        self.seek.setMinimumWidth(40)
        self.where = Readout(widest="0 of 0")
        row.addSpacing(6)
        row.addWidget(self.seek, 1)
        row.addSpacing(6)
        row.addWidget(self.where)

        self.rate = QSpinBox()
        self.rate.setRange(1, 1000)
        self.rate.setValue(4)
        self.rate.setSuffix(" tokens/s")
        self.rate.setAccessibleName("Speed in tokens a second")
        self.rate.setKeyboardTracking(False)
        self.factor = QComboBox()
        for words, value in (("¼×", 0.25), ("½×", 0.5), ("1×", 1.0), ("2×", 2.0), ("4×", 4.0)):
            self.factor.addItem(words, value)
        self.factor.setCurrentIndex(2)
        self.factor.setAccessibleName("Faster or slower")
        self.arrival = QComboBox()
        self.arrival.setAccessibleName("How tokens arrive")
        self.arrival.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.arrival.setToolTip("Tokens of a real model arrive neither evenly nor one by one")
        self.loop = QCheckBox("Loop")
        self.loop.toggled.connect(lambda on: setattr(player, "loop", on))
        self.rate.valueChanged.connect(self._timed)
        self.arrival.currentIndexChanged.connect(self._timed)
        self.factor.currentIndexChanged.connect(lambda _: setattr(player, "factor", self.factor.currentData()))
        self.options = QWidget()  # the theatre puts it where there is room
        self.flow = FlowLayout(self.options)
        for widget in (QLabel("Speed"), self.rate, self.factor, QLabel("arriving"), self.arrival, self.loop):
            self.flow.addWidget(widget)
        row.setContentsMargins(0, 0, 0, 0)
        self.setLayout(row)
        player.run_changed.connect(self._renew)
        player.position_changed.connect(lambda *_: self._moved())
        player.playing_changed.connect(self._playing)
        self._icons()
        self._renew()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.PaletteChange:
            self._icons()
        super().changeEvent(event)

    def _icons(self) -> None:
        for name, button in self.buttons.items():
            button.setIcon(icon("pause" if name == "play" and self._player.playing else name))

    def timing(self) -> Timing | None:
        """What is chosen: None for the recorded times."""
        chosen = self.arrival.currentText()
        for words, jitter, burst in ARRIVALS:
            if words == chosen:
                return Timing(rate=self.rate.value(), jitter=jitter, burst=burst)
        return None

    def _renew(self) -> None:
        with QSignalBlocker(self.arrival), QSignalBlocker(self.seek):
            stream, before = self._player.run.stream, self.arrival.currentText()
            self.arrival.clear()
            if stream.times is not None:
                self.arrival.addItem(RECORDED)
                before = before if stream is self._stream else RECORDED
            self._stream = stream
            self.arrival.addItems([words for words, _, _ in ARRIVALS])
            self.arrival.setCurrentIndex(max(self.arrival.findText(before), 0))
            self.seek.setRange(0, self._player.run.steps)
            tokens = self._player.run.tokens
            self.where.set_widest(f"{tokens:,} of {tokens:,}")
            self.seek.setPageStep(max(self._player.run.steps // 10, 1))
        self._timed()
        self._shown_at = -1e9
        self._moved()

    def _timed(self) -> None:
        timing = self.timing()
        self.rate.setEnabled(timing is not None)
        self._player.retime(timing)

    def _moved(self) -> None:
        player = self._player
        if player.playing and not player.at_end and 0 <= player.clock_ms - self._shown_at < SLOWLY * player.factor:
            return
        self._shown_at = player.clock_ms
        with QSignalBlocker(self.seek):
            self.seek.setValue(player.position)
        self.where.set_text(f"{min(player.position, player.run.tokens):,} of {player.run.tokens:,}")
        play = self.buttons["play"]
        words = "Pause" if player.playing else "Play"
        if play.accessibleName() != words:
            play.setAccessibleName(words)
            play.setToolTip(f"{words} (Space)")
            self._icons()

    def _playing(self) -> None:
        self._shown_at = -1e9
        self._moved()

    def _sought(self, value: int) -> None:
        self._player.seek(value)
