"""StreamTheatre: the panel. Tokens arrive above; beneath, each policy shows what a reader would see, in lockstep.

Keys: Space plays and pauses, Left and Right step, Shift with them steps ten, Home and End go to the ends, N and
Shift+N go to the next and the previous step in which some lane shows a U+FFFD, L loops.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QHideEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from ..core.errors import InputError
from ..core.stream_lanes import Run
from ..core.stream_scenarios import Scenario
from ..core.stream_tokens import TokenStream
from ..core.stream_words import token_sentence
from ..core.wording import count_of
from ..models.jobs import Latest
from ..models.session import Session
from ..models.stream_player import StreamPlayer
from . import palette
from .panel_parts import grow
from .status import Said
from .stream_controls import Transport
from .stream_lane import LaneView
from .stream_lane_style import LaneStyle, warm_up
from .stream_legend import StreamLegend
from .stream_options import StreamOptions
from .stream_readout import Readout
from .stream_share import ShareMenu
from .stream_source import SourcePicker
from .stream_timeline import TimelineView

#: From this width on, what to play is a list at the left.
WIDE = 860
#: Below this height only tokens, sentence and transport stand still.
TALL = 700
#: Both in pixels at a line of this height.
TEXT_HEIGHT = 17
#: Steps that come faster than this, in ms, do not change all words at once.
WORDS = 90


class StreamTheatre(QWidget):
    """player: what plays. source, transport, timeline, share: its parts."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self._scenario: Scenario | None = None
        self._stream = TokenStream.of_chunks([])
        self._stale = True
        self.player = StreamPlayer(session.jobs, self)
        self._views: list[LaneView] = []
        self._zoom = 1.0
        self._build()
        self.player.position_changed.connect(self._moved)
        self.player.playing_changed.connect(self._playing)
        self._warm = Latest(session.jobs)
        self._moved_at = 0.0  # the player's clock at the last step
        self._turn = 0  # whose words are next
        self._silent = QTimer(self)  # words that did not have their turn before a pause between tokens
        self._silent.setSingleShot(True)
        self._silent.setInterval(WORDS)
        self._silent.timeout.connect(self._speak)
        self._reload = QTimer(self)
        self._reload.setSingleShot(True)
        self._reload.setInterval(300)
        self._reload.timeout.connect(self._reload_document)
        session.document_changed.connect(lambda _: self._document_changed())
        session.tokenizer_changed.connect(self._document_changed)
        self.source.choose("euro-arrow-smile")
        self.player.seek(2)  # where the first look sees what it is about

    @property
    def lanes(self) -> list[LaneView]:
        """The views of the run's lanes, top to bottom."""
        return self._views[: len(self.player.run.lanes)]

    @property
    def preparing(self) -> bool:
        """Are steps still being worked out, or fonts loaded? One can play at once all the same."""
        return self.player.run.done < self.player.run.steps or self._warm.running

    # Building

    def _build(self) -> None:
        self.source = SourcePicker(self.session)
        self.source.stream_chosen.connect(self._chosen)
        self.source.problem.connect(self.show_problem)
        self.look = _text_label("What to look at")
        self.trouble = _text_label("Problem")
        self.trouble.hide()
        self.timeline = TimelineView(self.player)
        self.timeline.chosen.connect(self._token_clicked)
        self.timeline.scrolled.connect(self.player.step)
        self.said = Readout()
        self.said.setAccessibleName("This step")
        self.transport = Transport(self.player)

        self.options = StreamOptions(self)
        self.options.changed.connect(self._rerun)
        self.share = ShareMenu(self)
        for widget in (*self.options.widgets, self.share):
            self.transport.flow.addWidget(widget)

        self._stage = QWidget()
        self._rows = QVBoxLayout(self._stage)
        self._rows.setContentsMargins(0, 0, 4, 0)
        self._rows.setSpacing(6)
        self._rows.addStretch(1)
        self.scroll = QScrollArea()
        self.scroll.setWidget(self._stage)
        self.scroll.setWidgetResizable(True)
        self.scroll.setFrameShape(QFrame.Shape.NoFrame)
        self.scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroll.setMinimumHeight(120)

        self._side = QVBoxLayout()
        self._side.addWidget(self.source)
        self.main = QWidget()
        self.legend = StreamLegend()
        self._column = QVBoxLayout(self.main)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        for widget in (self.look, self.trouble, self.timeline, self.said, self.transport, self.transport.options):
            self._column.addWidget(widget)
        self._column.addWidget(self.scroll, 1)
        self._column.addWidget(self.legend)
        self._compact = False
        self._outer = QHBoxLayout(self)
        self._outer.setContentsMargins(10, 10, 10, 10)
        self._outer.setSizeConstraint(QHBoxLayout.SizeConstraint.SetNoConstraint)  # it changes with the width
        self._outer.setSpacing(12)
        self._outer.addLayout(self._side)
        self._outer.addWidget(self.main, 1)
        self._narrow: bool | None = None
        self._fit = QTimer(self)
        self._fit.setSingleShot(True)
        self._fit.timeout.connect(self._fit_lanes)
        self._colour()

    def sizeHint(self) -> QSize:
        return QSize(1000, 820)

    def minimumSizeHint(self) -> QSize:
        return QSize(320, 300)

    def set_zoom(self, zoom: float) -> None:
        self._zoom = zoom
        grow(zoom, self.timeline, self.said, self.look, *self._views)
        self._place()
        self._fit.start()

    def _colour(self) -> None:
        colours = palette.current()
        for label, tone in ((self.look, colours.muted), (self.trouble, colours.error)):
            shade = label.palette()
            shade.setColor(label.foregroundRole(), tone)
            label.setPalette(shade)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.PaletteChange:
            self._colour()
        super().changeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place()
        super().resizeEvent(event)
        self._fit.start()

    def _place(self) -> None:
        """What to play stands beside the stage or above it, what is not always needed outside or among the lanes."""
        larger = self.said.fontMetrics().height() / TEXT_HEIGHT  # whoever doubles the text has half the room
        narrow = self.width() < WIDE * larger
        if narrow != self._narrow:
            self._narrow = narrow
            self.source.set_narrow(narrow)
            self._outer.setDirection(QHBoxLayout.Direction.TopToBottom if narrow else QHBoxLayout.Direction.LeftToRight)
            self.source.setFixedWidth(16777215 if narrow else 230)
            self.source.setMinimumWidth(0 if narrow else 230)
            vertical = QSizePolicy.Policy.Maximum if narrow else QSizePolicy.Policy.Preferred
            self.source.setSizePolicy(QSizePolicy.Policy.Preferred, vertical)
            self.said.set_lines(2 if narrow else 1)
        if (self.height() < TALL * larger) != self._compact:
            self._set_compact(self.height() < TALL * larger)

    def _set_compact(self, compact: bool) -> None:
        """Where there is little height, what is not needed at every step scrolls with the lanes, after them."""
        self._compact = compact
        movable = (self.look, self.transport.options, self.legend)
        for widget in movable:
            self._column.removeWidget(widget)
            self._rows.removeWidget(widget)
        if compact:
            for widget in movable:
                self._rows.insertWidget(self._rows.count() - 1, widget)
        else:
            self._column.insertWidget(0, self.look)
            self._column.insertWidget(self._column.indexOf(self.scroll), self.transport.options)
            self._column.addWidget(self.legend)

    def _fit_lanes(self) -> None:
        """One to three lines of text a lane: as many as all lanes can have without scrolling."""
        if not self.lanes:
            return
        room = self.scroll.viewport().height() / len(self.lanes) - self._rows.spacing()
        view = self.lanes[0]
        width = self.scroll.viewport().width() - 4
        lines = next((n for n in (3, 2) if view.height_for(width, n) <= room), 1)
        for view in self.lanes:
            view.set_lines(lines)

    # What plays

    def _chosen(self, stream: TokenStream, scenario: Scenario | None) -> None:
        self._stream, self._scenario, self._stale = stream, scenario, False
        self.options.take(scenario, stream.prompt > 0)
        self.transport.rate.setValue(4 if scenario is not None else 20)
        look = scenario.look if scenario is not None else _about(stream)
        self.look.setText(look)
        if bool(look) == self.look.isHidden():
            self.look.setVisible(bool(look))
        self._rerun()

    def _rerun(self) -> None:
        """The same stream with what is chosen now; the position is kept."""
        same = self.player.run.stream is self._stream
        position = self.player.position if same else 0
        try:
            run = Run(self._stream, self.options.names, self.options.stop_strings,
                      primed=self.options.primed.isChecked())
        except InputError as error:
            self.show_problem(str(error))
            return
        self.show_problem("")
        self.player.open(run)
        self._make_lanes()
        if not same:
            style = LaneStyle(self.lanes[0].font() if self.lanes else self.font())
            self._warm.start("Loading fonts", warm_up(run, style, self.timeline.font()))
        self.player.seek(position)
        self._say()
        self._describe()

    def _make_lanes(self) -> None:
        """A view for each lane; those there are take over the new lanes, what is too many is put away."""
        lanes = self.player.run.lanes
        while len(self._views) < len(lanes):
            view = LaneView(self.player, lanes[len(self._views)])
            if self._zoom != 1:
                grow(self._zoom, view)
            self._rows.insertWidget(len(self._views), view)
            self._views.append(view)
        for view, lane in zip(self._views, lanes, strict=False):
            view.set_lane(lane)
        for index, view in enumerate(self._views):
            view.setVisible(index < len(lanes))
        self._fit.start()

    def show_problem(self, sentence: str) -> None:
        self.trouble.setText(f"⚠ {sentence}" if sentence else "")
        self.trouble.setVisible(bool(sentence))
        self.trouble.setAccessibleDescription(sentence)

    # The document

    def _document_changed(self) -> None:
        self._stale = True
        if self.source.current in ("document", "ids") and self.isVisible():
            self._reload.start()

    def _reload_document(self) -> None:
        if self.source.current in ("document", "ids") and self._stale:
            self.source.load()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self._reload_document()

    def hideEvent(self, event: QHideEvent) -> None:
        self.player.pause()
        super().hideEvent(event)

    def _token_clicked(self, index: int) -> None:
        """Go to the step in which this token arrives; for the editor's text, select it there too."""
        self.player.pause()
        self.player.seek(index - self._stream.prompt + 1)
        if self.source.current == "document":
            self.source.select(index)

    # Moving

    def picture(self) -> QWidget:
        """What an animated picture shows: tokens, sentence and lanes."""
        return self.main

    def _moved(self, before: int, now: int) -> None:
        """Text and tokens move with every step. While steps come fast, words take turns: one lane's a frame."""
        for view in self.lanes:
            view.moved()
        since = abs(self.player.clock_ms - self._moved_at) / self.player.factor
        self._moved_at = self.player.clock_ms
        if not self.player.playing or self.player.at_end or since >= WORDS:
            self._speak()
            return
        self._silent.start()
        if not self.timeline.turned:  # that frame has enough to paint
            self._turn = (self._turn + 1) % (len(self.lanes) + 1)
            if self._turn < len(self.lanes):
                self.lanes[self._turn].speak()
            else:
                self._say()

    def _speak(self) -> None:
        """All words as they are at this position."""
        self._silent.stop()
        for view in self.lanes:
            view.speak()
        self._say()
        if not self.player.playing:
            self._describe()

    def _playing(self, on: bool) -> None:
        if not on:
            self._speak()

    def _say(self) -> None:
        self.said.set_text(token_sentence(self.player.run, self.player.position))

    def _describe(self) -> None:
        """Tell assistive programs where things stand; not while it plays, which nobody could listen to."""
        for view in self.lanes:
            view.setAccessibleDescription(view.describe())
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.said, self.said.text()))

    def next_replacement(self, backwards: bool = False) -> bool:
        """Go to the next step (or the previous one) in which some lane shows a U+FFFD; False when there is none."""
        run, here = self.player.run, self.player.position
        run.compute()
        steps = sorted({m.step - run.stream.prompt + 1 for lane in run.lanes for m in lane.marks})
        found = [s for s in steps if (s < here if backwards else s > here)]
        if found:
            self.player.pause()
            self.player.seek(found[-1] if backwards else found[0])
        return bool(found)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, ten = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier):
            super().keyPressEvent(event)
        elif key == Qt.Key.Key_Space:
            self.player.toggle()
        elif key in (Qt.Key.Key_Right, Qt.Key.Key_Left):
            self.player.step((10 if ten else 1) * (1 if key == Qt.Key.Key_Right else -1))
        elif key == Qt.Key.Key_Home:
            self.player.step(-self.player.run.steps)
        elif key == Qt.Key.Key_End:
            self.player.step(self.player.run.steps)
        elif key == Qt.Key.Key_N:
            self.next_replacement(backwards=ten)
        elif key == Qt.Key.Key_L:
            self.transport.loop.toggle()
        else:
            super().keyPressEvent(event)


def _text_label(about: str) -> QLabel:
    label = Said(about)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _about(stream: TokenStream) -> str:
    if not len(stream) and not stream.notes:
        return ""
    name = stream.name[:1].upper() + stream.name[1:]
    return "; ".join([f"{name}: {count_of(len(stream), 'token')}", *stream.notes[:4]])
