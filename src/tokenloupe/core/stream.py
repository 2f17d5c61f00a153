"""StreamDecoder: bytes of tokens in, text out, never half a character. No dependencies: copy this file.

A token may end inside a character. Decode each token by itself and readers see U+FFFD; hold the bytes that a later
token can still complete, and they see the text.

    >>> decoder = StreamDecoder()
    >>> [decoder.push(b) for b in (b"Go\\xe2", b"\\x82\\xac\\xe2\\x86", b"\\x92\\xf0\\x9f", b"\\x99\\x82")]
    ['Go', '€', '→', '🙂']
    >>> decoder.push(b"\\xff!"), decoder.push(b"\\xe2\\x82"), decoder.flush()
    ('�!', '', '�')

What holds for every stream and every way of cutting it (the tests check all of it):

1. the outputs joined, with flush(), are the decoding of all the bytes at once;
2. what was given out is never taken back;
3. at most 3 bytes are held, and only bytes that begin a well-formed encoding; bytes that nothing can complete go out
   at once as U+FFFD.

Do not use one buffer for this and for stop strings: this one waits for bytes, the other (stop.py) for text.
"""

from __future__ import annotations

import re
from typing import Literal

#: The second byte of a well-formed encoding must be in this range (Unicode Standard, Table 3-7); default 80..BF.
_SECOND = {0xE0: (0xA0, 0xBF), 0xED: (0x80, 0x9F), 0xF0: (0x90, 0xBF), 0xF4: (0x80, 0x8F)}
_ESCAPED = re.compile("[\udc80-\udcff]")


def incomplete_tail(data: bytes) -> int:
    """How many bytes at the end (0..3) begin a well-formed UTF-8 encoding that more bytes could complete.

    The complement of Go's utf8.FullRune: bytes that are wrong already are not incomplete.
    """
    for back in (1, 2, 3):
        if back > len(data):
            return 0
        lead = data[-back]
        if lead < 0x80:
            return 0
        if lead >= 0xC0:  # a lead byte, if it is one at all
            length = 2 if 0xC2 <= lead < 0xE0 else 3 if 0xE0 <= lead < 0xF0 else 4 if 0xF0 <= lead < 0xF5 else 0
            if length <= back:
                return 0
            low, high = _SECOND.get(lead, (0x80, 0xBF))
            return back if back == 1 or low <= data[1 - back] <= high else 0
    return 0


class StreamDecoder:
    """A UTF-8 decoder for a stream of byte strings that may be cut anywhere.

    rule: what ill-formed bytes become. "unicode": one U+FFFD for each maximal subpart (Python, browsers, Rust; at the
    end of a stream inside a character: one). "go": one for each byte.
    """

    __slots__ = ("_held", "rule")

    def __init__(self, rule: Literal["unicode", "go"] = "unicode") -> None:
        self.rule = rule
        self._held = b""

    @property
    def held(self) -> bytes:
        """The bytes that wait for the next ones: 0 to 3."""
        return self._held

    def push(self, data: bytes) -> str:
        """The text that is certain now; "" when a character is still incomplete."""
        if self._held:
            data = self._held + data
        complete = len(data) - incomplete_tail(data)
        self._held = data[complete:]
        return self._decode(data[:complete])

    def flush(self) -> str:
        """The end of the stream: what is held cannot be completed any more, so it is U+FFFD."""
        held, self._held = self._held, b""
        return self._decode(held)

    def _decode(self, data: bytes) -> str:
        if self.rule == "unicode":
            return data.decode("utf-8", "replace")
        # "surrogateescape" marks each byte outside well-formed encodings by itself.
        return _ESCAPED.sub("\ufffd", data.decode("utf-8", "surrogateescape"))
