"""A segmentation as a picture: the editor's own rows on any paint device, with a caption that says whose they are.

    picture = SegmentationPicture(tokenizer, data, width=900, dark=False)
    picture.save(Path("family.pdf"))        # .png .svg .pdf .html

What is saved is what the window shows. SVG names its fonts, PDF carries them: PDF is the one to send to others.
A QApplication must exist (offscreen is enough).
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMarginsF, QRectF, QSize, QSizeF
from PySide6.QtGui import QImage, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from ..core.document import Document
from ..core.errors import InputError
from ..core.text import counts
from ..core.tokenizer import SpecialMode, Tokenizer
from ..models.session import Session
from . import palette
from .editor import EditorView
from .editor_paint import paint
from .export_html import html_page

SUFFIXES = (".png", ".svg", ".pdf", ".html")
#: Points around the picture, and between the text and its caption.
MARGIN, GAP = 16.0, 12.0
#: A picture taller than this is refused: no viewer shows it. PDF has pages and is not held to it.
TALLEST = 20_000
PAGE_HEIGHT = 1200.0


class SegmentationPicture:
    """width: of the text in points; zoom: of its font. height: of the text, once laid out, in points."""

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
        self.colours = palette.dark() if dark else palette.light()
        self.title = title
        self._before = palette.current()
        palette.use(self.colours)
        self.session = Session(tokenizer, data, special=special)
        finish(self.session.document)
        self.view = EditorView(self.session)
        self.view.read_only = True
        if zoom != 1.0:
            self.view.set_zoom(zoom)
        sheet = self.view.sheet
        self.view.current_token = None
        sheet.width = float(width)
        sheet.restyle()
        self._tops: list[float] = [0.0]
        for row in range(len(sheet.rows)):
            self._tops.append(self._tops[-1] + sheet.picture(row).height)
            if self._tops[-1] > TALLEST * 50:
                raise InputError(
                    "the text is too long for a picture",
                    where=f"after byte {sheet.rows.span(row)[1]}",
                    todo="give a part of it",
                )
        self.width, self.height = float(width), self._tops[-1]

    def caption(self) -> str:
        document = self.session.document
        count = counts(document.data)
        facts = (
            f"{document.tokenizer.name}  ·  {document.token_count:,} tokens  ·  {count.bytes:,} bytes  ·  "
            f"{count.code_points:,} code points  ·  {count.graphemes:,} graphemes"
        )
        return f"{self.title}  ·  {facts}" if self.title else facts

    def save(self, path: Path) -> None:
        """Write the picture as its suffix says. InputError for another suffix or a place that cannot be written."""
        suffix = path.suffix.lower()
        if suffix not in SUFFIXES:
            raise InputError(
                f"{path.suffix or 'a name without suffix'} is no picture format",
                todo=f"name the file {', '.join(SUFFIXES)}",
            )
        if suffix in (".png", ".svg") and self.height > TALLEST:
            raise InputError(
                f"the picture would be {self.height:,.0f} points tall",
                todo="save it as .pdf or .html, or give a part of the text",
            )
        try:
            with path.open("wb"):
                pass
        except OSError as error:
            raise InputError(f"cannot be written ({error.strerror})", todo="choose another folder") from error
        {".png": self._png, ".svg": self._svg, ".pdf": self._pdf, ".html": self._html}[suffix](path)

    @property
    def _size(self) -> QSizeF:
        caption = self.view.sheet.metrics.line_height
        return QSizeF(self.width + 2 * MARGIN, self.height + caption + GAP + 2 * MARGIN)

    def image(self, scale: float = 2.0) -> QImage:
        """scale: pixels a point."""
        size = self._size
        image = QImage((size * scale).toSize(), QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(scale)
        image.fill(self.colours.base)
        with QPainter(image) as painter:
            self._paint_all(painter)
        return image

    def _png(self, path: Path) -> None:
        if not self.image().save(str(path), "PNG"):
            raise InputError("the picture could not be written", todo="check the space on the disk")

    def _svg(self, path: Path) -> None:
        generator = QSvgGenerator()
        generator.setFileName(str(path))
        # Fonts are laid out at the screen's resolution: with another one the text would not fit its own boxes.
        generator.setResolution(self.view.logicalDpiX())
        size = self._size
        generator.setSize(QSize(round(size.width()), round(size.height())))
        generator.setViewBox(QRectF(0, 0, size.width(), size.height()))
        generator.setTitle(self.title or "Tokens")
        generator.setDescription(self.caption())
        with QPainter(generator) as painter:
            painter.fillRect(QRectF(0, 0, size.width(), size.height()), self.colours.base)
            self._paint_all(painter)

    def _pdf(self, path: Path) -> None:
        """Pages as wide as the picture; a short text is one page of its own height."""
        whole = self._size
        tall = min(whole.height(), PAGE_HEIGHT)
        writer = QPdfWriter(str(path))
        writer.setTitle(self.title or "Tokens")
        writer.setResolution(96)
        points = QSizeF(whole.width(), tall) * 72 / 96
        writer.setPageSize(QPageSize(points, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch))
        writer.setPageMargins(QMarginsF(0, 0, 0, 0))
        room = tall - 2 * MARGIN - GAP - self.view.sheet.metrics.line_height
        with QPainter(writer) as painter:
            first = 0
            rows = len(self._tops) - 1
            while True:
                last = first + 1
                while last < rows and self._tops[last + 1] - self._tops[first] <= room:
                    last += 1
                painter.fillRect(QRectF(0, 0, whole.width(), tall), self.colours.base)
                self._paint_rows(painter, first, min(last, rows))
                if last >= rows:
                    self._paint_caption(painter, self._tops[rows] - self._tops[first])
                    return
                writer.newPage()
                first = last

    def _html(self, path: Path) -> None:
        page = html_page(
            self.session.document.encoding(), title=self.title or "Tokens", tokenizer=self.session.tokenizer.name
        )
        path.write_text(page, "utf-8")

    def _paint_all(self, painter: QPainter) -> None:
        self._paint_rows(painter, 0, len(self._tops) - 1)
        self._paint_caption(painter, self.height)

    def _paint_rows(self, painter: QPainter, first: int, last: int) -> None:
        sheet = self.view.sheet
        sheet.top_row, sheet.top_offset = first, 0.0
        sheet.height = self._tops[last] - self._tops[first]
        painter.save()
        painter.translate(MARGIN, MARGIN)
        paint(painter, self.view, QRectF(0, 0, self.width, sheet.height))
        painter.restore()

    def _paint_caption(self, painter: QPainter, height: float) -> None:
        metrics = self.view.sheet.metrics
        painter.setFont(palette.small_font(metrics.font))
        painter.setPen(self.colours.muted)
        box = QRectF(MARGIN + 8, MARGIN + height + GAP, self.width, metrics.line_height)
        painter.drawText(box, self.caption())

    def close(self) -> None:
        """Give back the view, and the palette that was in use."""
        self.view.deleteLater()
        palette.use(self._before)


def finish(document: Document) -> None:
    """Tokenize all of a large text: a picture cannot wait."""
    for _ in document.fill():
        pass
