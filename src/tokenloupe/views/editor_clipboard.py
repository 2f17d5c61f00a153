"""Clipboard, drag and drop as bytes: what is copied here comes back byte for byte.

    mime = mime_of(b"a\\xff")            # text/plain for others, our own type with the raw bytes
    bytes_of(mime)                       # b"a\\xff"

text/plain cannot carry a byte that is no UTF-8 or a lone surrogate (Qt drops it), so a private type goes beside it.
From other programs the raw UTF-8 of the clipboard is taken where there is one: line ends, NBSP and U+FEFF stay as they
are.
"""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from PySide6.QtCore import QByteArray, QMimeData
from PySide6.QtGui import QTextDocumentFragment

from ..core.errors import InputError
from ..core.tokenizer import to_bytes

BYTES = "application/x-tokenloupe-bytes"
_RAW = ("text/plain;charset=utf-8", "UTF8_STRING")


def mime_of(data: bytes) -> QMimeData:
    mime = QMimeData()
    # setText() would drop a byte order mark.
    mime.setData("text/plain", QByteArray(data.decode("utf-8", "replace").encode()))
    mime.setData(BYTES, QByteArray(data))
    return mime


def has_text(mime: QMimeData) -> bool:
    return mime.hasFormat(BYTES) or mime.hasText() or mime.hasHtml() or any(map(mime.hasFormat, _RAW))


def bytes_of(mime: QMimeData) -> bytes:
    """What would be pasted; b"" when there is no text."""
    if mime.hasFormat(BYTES):
        return bytes(mime.data(BYTES).data())
    for name in _RAW:
        if name in mime.formats():
            return bytes(mime.data(name).data())
    if mime.hasFormat("text/plain"):
        data = bytes(mime.data("text/plain").data())  # text() would drop a byte order mark
        try:
            data.decode("utf-8")
            return data
        except UnicodeDecodeError:
            pass  # in some other encoding, which Qt knows
    if mime.hasText() and not files_of(mime):  # of files Qt makes a text of their addresses
        return to_bytes(mime.text())
    if mime.hasHtml():  # from a program that gives no plain text beside it
        raw = QTextDocumentFragment.fromHtml(mime.html()).toRawText()  # toPlainText() would make NBSP a space
        return to_bytes(raw.replace("\u2029", "\n").replace("\u2028", "\n").replace("\ufffc", ""))
    return b""


def files_of(mime: QMimeData) -> list[Path]:
    """Local files that are dropped or pasted."""
    return [Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile()] if mime.hasUrls() else []


_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})"
                     r"|([\\0abtnvfre]))")
_LETTERS = {"\\": b"\\", "0": b"\0", "a": b"\a", "b": b"\b", "t": b"\t", "n": b"\n", "v": b"\v", "f": b"\f",
            "r": b"\r", "e": b"\x1b"}


def unescape(text: str) -> bytes:
    r"""Text with escapes -> bytes: \xff is a byte, \ud83d and \u{1f600} are characters, \n \0 \e as usual.

    Two surrogates side by side join. InputError for a code point beyond U+10FFFF.
    """
    out: list[bytes] = []
    units: list[str] = []
    at = 0

    def flush() -> None:
        if units:
            out.append(to_bytes("".join(units)))
            units.clear()

    for m in _ESCAPE.finditer(text):
        units.append(text[at : m.start()])
        at = m.end()
        byte, *points, letter = m.groups()
        point = next((p for p in points if p), None)
        if point is not None:
            if int(point, 16) > 0x10FFFF:
                raise InputError(f"\\u{{{point}}} is beyond U+10FFFF", where=f"character {m.start()}",
                                 todo="the largest code point is 10FFFF")
            units.append(chr(int(point, 16)))
        else:
            flush()
            out.append(bytes([int(byte, 16)]) if byte else _LETTERS[letter])
    units.append(text[at:])
    flush()
    return b"".join(out)


def from_hex(text: str) -> bytes:
    """"f0 9f 98 80", "0xf0,0x9f" or "f09f" -> bytes. InputError when it is not hexadecimal."""
    digits = re.sub(r"0[xX]|\\x|[\s,;:]", "", text)
    try:
        return codecs.decode(digits, "hex") if digits else b""
    except ValueError as error:
        raise InputError("these are not bytes in hexadecimal", todo="write two digits a byte, such as f0 9f") from error
