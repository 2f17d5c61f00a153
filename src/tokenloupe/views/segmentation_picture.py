"""A segmentation as a picture: the editor's own rows on any paint device, with a caption that says whose they are.

    picture = SegmentationPicture(tokenizer, data, width=900, dark=False)
    picture.save(Path("family.pdf"))        # .png .svg .pdf .html
    for step in picture.steps(".png"): ...  # the same in slices: progress 0..1, at last the bytes

What is saved is what the window shows. SVG names its fonts, PDF carries them: PDF is the one to send to others.
A QApplication must exist (offscreen is enough).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from ..core.document import Document
from ..core.errors import InputError
from ..core.excerpt import Excerpt, ExcerptDocument, excerpt
from ..core.text import counts
from ..core.tokenizer import SpecialMode, Tokenizer
from ..models.jobs import SLICE, Jobs, in_thread
from ..models.session import Session
from ..models.token_colours import TokenColours
from . import palette
from .editor import EditorView
from .editor_paint import paint
from .export_html import Page

SUFFIXES = (".png", ".svg", ".pdf", ".html")
#: Points around the picture, and between the text and its caption.
MARGIN, GAP = 16.0, 12.0
#: A picture taller than this is refused: no viewer shows it. PDF has pages and is not held to it.
TALLEST, TALLEST_PDF = 20_000, 1_000_000
PAGE_HEIGHT = 1200.0
#: Pixels of a PNG: beyond them it has fewer pixels a point than two.
MOST_PIXELS = 40_000_000
#: Tokens of a web page: a browser lays out no more in a few seconds.
MOST_IN_HTML = 50_000


@dataclass(frozen=True, slots=True)
class Look:
    """How the picture looks. width: of the text in points; zoom: of its font; the rest as the editor's switches."""

    width: int = 900
    zoom: float = 1.0
    dark: bool = False
    wrap: bool = True
    numbers: bool = False
    spaces: bool = False
    controls: bool = True
    cells: bool = True


class _Shown(Session):
    """A session of an excerpt: nothing in it changes."""

    def __init__(self, tokenizer: Tokenizer, part: Excerpt, colours: Sequence[int] | None) -> None:
        super().__init__(jobs=Jobs(synchronous=True))
        self._document = ExcerptDocument(tokenizer, part.encoding)
        if colours is not None:
            TokenColours.of(self).take(bytes(colours))


class SegmentationPicture:
    """A whole text, encoded here. `of` takes a part of a document as it stands in the window."""

    def __init__(
        self,
        tokenizer: Tokenizer,
        data: bytes,
        *,
        special: SpecialMode = "text",
        width: int = 900,
        zoom: float = 1.0,
        dark: bool = False,
        title: str = "",
    ) -> None:
        document = Document(tokenizer, data, special)
        for _ in document.fill():  # a picture cannot wait
            pass
        self._begin(tokenizer, excerpt(document, 0, 0), None, Look(width, zoom, dark), title)
        for _ in self._layout():
            pass

    @classmethod
    def of(cls, tokenizer: Tokenizer, part: Excerpt, colours: Sequence[int] | None, look: Look,
           title: str = "") -> SegmentationPicture:
        """colours: the colour index of each token of the part, None: in turn. Laid out when steps() are taken."""
        made = cls.__new__(cls)
        made._begin(tokenizer, part, colours, look, title)
        return made

    def _begin(self, tokenizer: Tokenizer, part: Excerpt, colours: Sequence[int] | None, look: Look,
               title: str) -> None:
        self.part, self.look, self.title, self.token_colours = part, look, title, colours
        self.tokenizer = tokenizer
        self.colours = palette.dark() if look.dark else palette.light()
        self.width = float(look.width)
        self._tops: list[float] = [0.0]
        with self._wearing():
            self.session = _Shown(tokenizer, part, colours)
            self.view = EditorView(self.session)
            self.view.read_only = True
            if look.zoom != 1.0:
                self.view.set_zoom(look.zoom)
            self.view.current_token = None
            sheet = self.view.sheet
            sheet.width = self.width
            sheet.wrap, sheet.numbers, sheet.cells = look.wrap, look.numbers, look.cells
            sheet.show_spaces, sheet.show_controls = look.spaces, look.controls
            sheet.restyle()
            self._caption_font = palette.small_font(sheet.metrics.font)

    @contextmanager
    def _wearing(self) -> Iterator[None]:
        """The picture's own palette while it works: between two slices the window has its own."""
        before = palette.current()
        palette.use(self.colours)
        try:
            yield
        finally:
            palette.use(before)

    @property
    def height(self) -> float:
        """Of the text, once laid out, in points."""
        return self._tops[-1]

    def caption(self) -> str:
        count, tokens = counts(self.part.encoding.data), len(self.part.encoding)
        facts = (
            f"{self.tokenizer.name}  ·  {tokens:,} tokens  ·  {count.bytes:,} bytes  ·  "
            f"{count.code_points:,} code points  ·  {count.graphemes:,} graphemes"
        )
        if not self.part.whole:
            facts += f"  ·  from byte {self.part.byte_start:,} and token {self.part.first_token:,}"
        return f"{self.title}  ·  {facts}" if self.title else facts

    # Writing

    def save(self, path: Path) -> None:
        """Write the picture as its suffix says. InputError for another suffix or a place that cannot be written."""
        suffix = path.suffix.lower()
        if suffix not in SUFFIXES:
            raise InputError(
                f"{path.suffix or 'a name without suffix'} is no picture format",
                todo=f"name the file {', '.join(SUFFIXES)}",
            )
        data = b"".join(step for step in self.steps(suffix) if isinstance(step, bytes))
        try:
            path.write_bytes(data)
        except OSError as error:
            raise InputError(f"cannot be written ({error.strerror})", todo="choose another folder") from error

    def steps(self, suffix: str) -> Iterator[float | bytes | None]:
        """The file in slices of a job: progress 0..1, at last its bytes. InputError: too large for the format."""
        if suffix == ".html":
            yield from self._html()
            return
        for share in self._layout():
            yield 0.4 * share
        if suffix in (".png", ".svg") and self.height > TALLEST:
            raise InputError(
                f"the picture would be {self.height:,.0f} points tall",
                todo="save it as .pdf or .html, or give a part of the text",
            )
        paint = {".png": self._png, ".svg": self._svg, ".pdf": self._pdf}[suffix]
        for step in paint():
            yield 0.4 + 0.6 * step if isinstance(step, float) else step

    def _layout(self) -> Iterator[float]:
        sheet, until = self.view.sheet, 0.0
        row = len(self._tops) - 1
        while row < len(sheet.rows):
            with self._wearing():
                until = time.perf_counter() + SLICE
                while row < len(sheet.rows) and time.perf_counter() < until:
                    self._tops.append(self._tops[-1] + sheet.picture(row).height)
                    row += 1
            if self.height > TALLEST_PDF:
                raise InputError("the text is too long for a picture", todo="select a part of it",
                                 where=f"after byte {sheet.rows.span(row - 1)[1] + self.part.byte_start:,}")
            yield row / len(sheet.rows)

    @property
    def _caption_height(self) -> float:
        box = QRectF(0, 0, self.width - 16, 10_000)
        flags = int(Qt.TextFlag.TextWordWrap)
        return QFontMetricsF(self._caption_font).boundingRect(box, flags, self.caption()).height()

    @property
    def _size(self) -> QSizeF:
        return QSizeF(self.width + 2 * MARGIN, self.height + self._caption_height + GAP + 2 * MARGIN)

    def image(self, scale: float = 2.0) -> QImage:
        """scale: pixels a point."""
        image = self._ground(scale)
        with QPainter(image) as painter:
            for _ in self._bands(painter):
                pass
        return image

    def _ground(self, scale: float) -> QImage:
        image = QImage((self._size * scale).toSize(), QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(scale)
        image.fill(self.colours.base)
        return image

    def _png(self) -> Iterator[float | bytes | None]:
        size = self._size
        image = self._ground(min(2.0, max(1.0, sqrt(MOST_PIXELS / (size.width() * size.height())))))
        with QPainter(image) as painter:
            for share in self._bands(painter):
                yield 0.7 * share

        def written() -> bytes:
            buffer = _buffer()
            image.save(buffer, "PNG")
            return bytes(buffer.data().data())

        yield from in_thread(written)

    def _svg(self) -> Iterator[float | bytes]:
        buffer, generator, size = _buffer(), QSvgGenerator(), self._size
        generator.setOutputDevice(buffer)
        # Fonts are laid out at the screen's resolution: with another one the text would not fit its own boxes.
        generator.setResolution(self.view.logicalDpiX())
        generator.setSize(QSize(round(size.width()), round(size.height())))
        generator.setViewBox(QRectF(0, 0, size.width(), size.height()))
        generator.setTitle(self.title or "Tokens")
        generator.setDescription(self.caption())
        with QPainter(generator) as painter:
            painter.fillRect(QRectF(0, 0, size.width(), size.height()), self.colours.base)
            yield from self._bands(painter)
        yield bytes(buffer.data().data())

    def _pdf(self) -> Iterator[float | bytes]:
        """Pages as wide as the picture; a short text is one page of its own height."""
        whole = self._size
        tall = min(whole.height(), PAGE_HEIGHT)
        buffer = _buffer()
        writer = QPdfWriter(buffer)
        writer.setTitle(self.title or "Tokens")
        writer.setCreator("Tokenloupe")
        writer.setResolution(96)
        points = QSizeF(whole.width(), tall) * 72 / 96
        writer.setPageSize(QPageSize(points, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch))
        writer.setPageMargins(QMarginsF(0, 0, 0, 0))
        room = tall - 2 * MARGIN - GAP - self._caption_height
        with QPainter(writer) as painter:
            first, rows = 0, len(self._tops) - 1
            while True:
                last = first + 1
                while last < rows and self._tops[last + 1] - self._tops[first] <= room:
                    last += 1
                last = min(last, rows)
                painter.fillRect(QRectF(0, 0, whole.width(), tall), self.colours.base)
                for row in self._sliced(painter, first, last, MARGIN - self._tops[first]):
                    yield row / rows
                if last >= rows:
                    break
                writer.newPage()
                first = last
            with self._wearing():
                self._paint_caption(painter, self._tops[rows] - self._tops[first])
        yield bytes(buffer.data().data())

    def _html(self) -> Iterator[float | bytes]:
        if len(self.part.encoding) > MOST_IN_HTML:
            raise InputError(f"{len(self.part.encoding):,} tokens are too many for a web page",
                             todo=f"select at most {MOST_IN_HTML:,}, or save a PDF")
        page = Page(self.part.encoding, title=self.title or "Tokens", tokenizer=self.tokenizer.name,
                    first_token=self.part.first_token, byte_start=self.part.byte_start, colours=self.token_colours)
        parts: list[str] = []
        for step in page.steps():
            if isinstance(step, str):
                parts.append(step)
            else:
                yield step
        yield "".join(parts).encode("utf-8", "replace")

    # Painting

    def _bands(self, painter: QPainter) -> Iterator[float]:
        """All rows and the caption on one device, in slices."""
        rows = len(self._tops) - 1
        for row in self._sliced(painter, 0, rows, MARGIN):
            yield row / rows
        with self._wearing():
            self._paint_caption(painter, self.height)

    def _sliced(self, painter: QPainter, first: int, last: int, top: float) -> Iterator[int]:
        """Paint rows first .. last - 1, in slices; yields the row that is next. top: of the text's begin."""
        row = first
        while row < last:
            with self._wearing():
                until = time.perf_counter() + SLICE
                while True:
                    self._paint_rows(painter, row, row + 1, top + self._tops[row])
                    row += 1
                    if row == last or time.perf_counter() >= until:
                        break
            yield row

    def _paint_rows(self, painter: QPainter, first: int, last: int, top: float) -> None:
        sheet = self.view.sheet
        sheet.top_row, sheet.top_offset = first, 0.0
        sheet.height = self._tops[last] - self._tops[first]
        painter.save()
        painter.translate(MARGIN, top)
        paint(painter, self.view, QRectF(0, 0, self.width, sheet.height))
        painter.restore()

    def _paint_caption(self, painter: QPainter, height: float) -> None:
        painter.setFont(self._caption_font)
        painter.setPen(self.colours.muted)
        box = QRectF(MARGIN + 8, MARGIN + height + GAP, self.width - 16, self._caption_height)
        painter.drawText(box, int(Qt.TextFlag.TextWordWrap), self.caption())

    def close(self) -> None:
        """The view is not needed any more."""
        self.view.deleteLater()


def _buffer() -> QBuffer:
    made = QBuffer()
    made.open(QIODevice.OpenModeFlag.WriteOnly)
    return made
