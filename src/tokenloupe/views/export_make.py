"""What makes each form of export_forms.FORMS, in slices of a job: progress 0..1, at last the bytes.

    for step in steps("png", Export.of(session, look)): ...

What is exported is the selection (made wide enough that nothing is cut), all of the text without one: the tokens and
the colours are those of the window, nothing is encoded anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..core import id_forms
from ..core.errors import InputError
from ..core.excerpt import Excerpt, excerpt
from ..core.tables import markdown_steps
from ..core.tokenizer import Tokenizer
from ..core.vocabulary import Int64s
from ..models.session import Session
from ..models.token_colours import TokenColours
from .segmentation_picture import Look, SegmentationPicture

Steps = Iterator[float | bytes | None]
#: Bytes that are laid out as a picture or written as a table: more takes minutes, and nobody looks at it.
MOST_BYTES = 4 << 20
#: Rows of a Markdown table.
MOST_ROWS = 200_000


def steps(form_id: str, export: Export) -> Steps:
    """The file."""
    return MAKERS[form_id](export)


def copy_steps(form_id: str, export: Export) -> Steps:
    """What the clipboard gets: the file, but of ids a text without a line end, and source in place of an array."""
    if not form_id.startswith("ids_"):
        yield from steps(form_id, export)
        return
    for step in _joined(id_forms.text_of(export.ids, form_id.removeprefix("ids_"))):
        yield step.rstrip(b"\n") if isinstance(step, bytes) else step


@dataclass(frozen=True, slots=True)
class Export:
    """ids: int64 (n,), of the tokens that touch the selection. title: what the text is called, or ""."""

    session: Session
    tokenizer: Tokenizer
    byte_start: int
    byte_end: int
    ids: Int64s
    look: Look
    title: str

    @classmethod
    def of(cls, session: Session, look: Look) -> Export:
        """The selection, or all. InputError: there is nothing, or it has no tokens yet."""
        if not session.ready or not len(session):
            raise InputError("there is nothing to export", todo="type a text or open one")
        document = session.document
        start, end = session.selection
        if start < end:
            if end > document.complete_to:
                raise InputError("the selection has no tokens to its end yet", todo="wait until it has")
            ids = document.window(start, end).ids
        else:
            if not document.complete:
                raise InputError("the text has no tokens to its end yet", todo="wait until it has, or select a part")
            ids = document.tokens(0, document.token_count).ids
        return cls(session, document.tokenizer, start, end, ids, look, session.name)

    def part(self) -> tuple[Excerpt, bytes]:
        """The excerpt and the colour index of each of its tokens. InputError: too much for a picture or a table."""
        size = (self.byte_end - self.byte_start) or len(self.session)
        if size > MOST_BYTES:
            raise InputError(f"{size:,} bytes are too many to be shown outside the window",
                             todo=f"select at most {MOST_BYTES >> 20} MiB")
        found = excerpt(self.session.document, self.byte_start, self.byte_end)
        colours = TokenColours.of(self.session).window(found.first_token, found.first_token + len(found.encoding))
        return found, colours.tobytes()


def _picture(suffix: str) -> Callable[[Export], Steps]:
    def steps(export: Export) -> Steps:
        found, colours = export.part()
        picture = SegmentationPicture.of(export.tokenizer, found, colours, export.look, export.title)
        try:
            yield from picture.steps(suffix)
        finally:
            picture.close()

    return steps


def _markdown(export: Export) -> Steps:
    found, _ = export.part()
    if len(found.encoding) > MOST_ROWS:
        raise InputError(f"{len(found.encoding):,} tokens are too many for a table",
                         todo=f"select at most {MOST_ROWS:,}")
    yield from _joined(markdown_steps(found.encoding, found.first_token, found.byte_start))


def _ids(name: str) -> Callable[[Export], Steps]:
    return lambda export: _joined(id_forms.write(export.ids, name))


def _joined(pieces: Iterator[float | str | bytes]) -> Steps:
    """Progress as it comes, the pieces at last and together."""
    found: list[bytes] = []
    for piece in pieces:
        if isinstance(piece, float):
            yield piece
        else:
            found.append(piece.encode("utf-8", "replace") if isinstance(piece, str) else piece)
    yield b"".join(found)


MAKERS: dict[str, Callable[[Export], Steps]] = {
    **{suffix: _picture(f".{suffix}") for suffix in ("png", "svg", "pdf", "html")},
    "markdown": _markdown,
    **{f"ids_{name}": _ids(name) for name in id_forms.ID_FORMS},
}
