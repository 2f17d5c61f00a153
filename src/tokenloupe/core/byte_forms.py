"""Bytes written as source: hex, an array in C, a literal in Python, escaped text. FORMS is the one list.

    >>> FORMS["Python bytes"](b"a\\xff"), FORMS["Hex"](b"a\\xff")
    ("b'a\\\\xff'", '61 ff')
"""

from __future__ import annotations

from collections.abc import Callable

#: Bytes a line in a C array.
C_ROW = 12


def c_array(data: bytes) -> str:
    """An array that any C compiler takes; empty ones are not allowed in C, so there one has a single zero."""
    rows = [", ".join(f"0x{b:02x}" for b in data[k : k + C_ROW]) for k in range(0, len(data), C_ROW)]
    body = ",\n    ".join(rows) if data else "0"
    return f"const unsigned char data[{max(len(data), 1)}] = {{\n    {body}\n}};\n"


def python_bytes(data: bytes) -> str:
    return repr(data)


def text(data: bytes) -> str:
    """As UTF-8; what is none becomes U+FFFD."""
    return data.decode("utf-8", "replace")


def escaped(data: bytes) -> str:
    r"""Text in which what cannot be read (or is no UTF-8) is \n, \t, \\, \xNN or \u{...}: core.inputs reads it back."""
    out = []
    for char in data.decode("utf-8", "surrogateescape"):
        point = ord(char)
        if 0xDC80 <= point <= 0xDCFF:
            out.append(f"\\x{point - 0xDC00:02x}")
        elif char in _SHORT:
            out.append(_SHORT[char])
        elif point < 0x80 and not char.isprintable():
            out.append(f"\\x{point:02x}")
        else:
            out.append(char if char.isprintable() else f"\\u{{{point:x}}}")
    return "".join(out)


_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\"}

FORMS: dict[str, Callable[[bytes], str]] = {
    "Hex": lambda data: data.hex(" "),
    "C Array": c_array,
    "Python bytes": python_bytes,
    "Text": text,
    "Escaped Text": escaped,
}
