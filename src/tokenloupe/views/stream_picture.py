"""The theatre as an animated picture: APNG, written from the PNG data that Qt makes of each frame.

    write_animation(path, [(image, 250), (image, 250)])        # milliseconds each; plays for ever

APNG (PNG specification, third edition, 2025, chapter 11.3.6) is a PNG whose further frames are in `fdAT` chunks:
programs that do not know them show the first frame. Unlike GIF it keeps all colours.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QPoint, QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from ..core.errors import InputError
from ..models.stream_player import StreamPlayer

SIGNATURE = b"\x89PNG\r\n\x1a\n"
#: More frames than this make a picture too heavy for slides.
LONGEST = 400


def chunk(kind: bytes, data: bytes) -> bytes:
    """One PNG chunk: length, kind, data, CRC."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def chunks_of(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    """(kind, data) of each chunk of a PNG file."""
    at = len(SIGNATURE)
    while at + 8 <= len(png):
        (length,) = struct.unpack_from(">I", png, at)
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += 12 + length


def encoded(image: QImage) -> bytes:
    """A QImage as a PNG file, in one pixel format so that all frames agree."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.convertToFormat(QImage.Format.Format_RGB888).save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(buffer.data().data())


def animation(frames: Iterable[tuple[QImage, int]]) -> bytes:
    """An APNG file. All frames have the size of the first; of later ones only the part that differs is kept."""
    head, parts, sequence, count = b"", [], 0, 0
    before: QImage | None = None
    for image, milliseconds in frames:
        image = image.convertToFormat(QImage.Format.Format_RGB888)
        area = QRect(QPoint(0, 0), image.size()) if before is None else _difference(before, image)
        before = image
        found = list(chunks_of(encoded(image.copy(area))))
        control = struct.pack(">IIIIIHHBB", sequence, area.width(), area.height(), area.x(), area.y(),
                              min(max(milliseconds, 10), 65535), 1000, 0, 0)
        sequence += 1
        parts.append(chunk(b"fcTL", control))
        for kind, data in found:
            if kind == b"IHDR" and count == 0:
                head = chunk(b"IHDR", data)
            elif kind == b"IDAT" and count == 0:
                parts.append(chunk(b"IDAT", data))
            elif kind == b"IDAT":
                parts.append(chunk(b"fdAT", struct.pack(">I", sequence) + data))
                sequence += 1
        count += 1
    if not count:
        raise InputError("there is nothing to show in an animation", todo="choose a stream with tokens first")
    return SIGNATURE + head + chunk(b"acTL", struct.pack(">II", count, 0)) + b"".join(parts) + chunk(b"IEND", b"")


def _difference(before: QImage, now: QImage) -> QRect:
    """The smallest rectangle outside which two pictures agree (one pixel when they agree everywhere)."""
    import numpy as np

    a, b = _pixels(before), _pixels(now)
    rows = np.flatnonzero((a != b).any(axis=(1, 2)))
    if not len(rows):
        return QRect(0, 0, 1, 1)
    columns = np.flatnonzero((a != b).any(axis=(0, 2)))
    return QRect(QPoint(int(columns[0]), int(rows[0])), QPoint(int(columns[-1]), int(rows[-1])))


def _pixels(image: QImage):  # type: ignore[no-untyped-def]
    import numpy as np

    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : image.width() * 3].reshape(image.height(), image.width(), 3)


def frames(player: StreamPlayer, widget: QWidget) -> Iterator[tuple[QImage, int]]:
    """The widget at each position, with how long it stays; the player is left where it was.

    InputError for more than LONGEST steps.
    """
    run = player.run
    if run.steps > LONGEST:
        raise InputError(f"{run.steps:,} steps are too many for a picture", todo=f"choose {LONGEST} tokens or fewer")
    here = player.position
    try:
        for position in range(run.steps + 1):
            player.seek(position)
            if position < run.tokens:
                stays = run.time_of(position) - (run.time_of(position - 1) if position else 0.0)
            else:
                stays = 600.0 if position == run.tokens else 2500.0
            yield widget.grab().toImage(), max(round(stays), 40)
    finally:
        player.seek(here)


def write_animation(path: str | Path, pictures: Iterable[tuple[QImage, int]]) -> None:
    """Write an APNG file. InputError when it cannot be written."""
    data = animation(pictures)
    try:
        Path(path).write_bytes(data)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", where=str(path),
                         todo="check the folder and its permissions") from error
