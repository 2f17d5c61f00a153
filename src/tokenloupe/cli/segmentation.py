"""The segmentation as terminal text: token backgrounds where colour is wanted, `|` between tokens always.

A token that begins or ends inside a character shows its bytes as hex in angle brackets, never a bare U+FFFD.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenloupe.core.tokenizer import Encoding

#: Backgrounds of the 256-colour palette, light enough for black text.
BACKGROUNDS = (153, 222, 157, 217, 183, 223)


def token_text(piece: bytes) -> str:
    """A token's bytes for one line: its characters, and what is no whole character as <hex>.

    >>> token_text(b"ok\\xf0\\x9f")
    'ok<f0 9f>'
    """
    from tokenloupe.core.segments import characters

    from .common import visible

    return "".join(f"<{p.hex(' ')}>" if isinstance(p, bytes) else visible(p) for p in characters(piece))


def segmentation(encoding: Encoding, *, colour: bool) -> str:
    """All tokens in a row; new lines in the text end a line here too."""
    lines: list[list[str]] = [[]]
    texts: dict[bytes, str] = {}
    for index, (start, end) in enumerate(zip(encoding.starts.tolist(), encoding.ends.tolist(), strict=True)):
        source = encoding.data[start:end] or encoding.vocabulary.bytes_of(int(encoding.ids[index])) or b""
        if (shown := texts.get(source)) is None:
            shown = texts[source] = token_text(source)
        if colour:
            shown = f"\x1b[30;48;5;{BACKGROUNDS[index % len(BACKGROUNDS)]}m{shown}\x1b[0m"
        lines[-1].append(shown)
        if source.endswith(b"\n"):
            lines.append([])
    return "\n".join("|".join(line) for line in lines if line)
