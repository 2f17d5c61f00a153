"""What an edit leaves as it was is taken over, and is the same as if it had been made anew."""

from __future__ import annotations

import random

import pytest

from tokenloupe.views.editor_sheet import LEAD
from tokenloupe.views.row_picture import RowPicture

from .editor_kit import Make, make_fixture  # noqa: F401 (a fixture)


@pytest.mark.parametrize("wrap", [True, False])
def test_what_an_edited_row_keeps_is_what_would_be_made_anew(make: Make, wrap: bool) -> None:
    """Shapes and cells taken over from before an edit: equal to those of a row made without its past."""
    rng = random.Random(wrap)
    view = make("ab 漢字仮名 🙂👍 naïve ﷽ " * 30 + "\n" + "𠮷野家 🧬 plain words " * 20, size=(520, 700))
    view.set_wrap(wrap)
    for _ in range(40):
        view.sheet.seen()
        at = view.moves.snapped(rng.randrange(len(view.session) + 1))
        if rng.random() < 0.3:
            view.session.edit(at, view.moves.next(at) - at, b"")
        else:
            view.session.edit(at, 0, rng.choice(["é", "漢", "x", " ", "🙂", "\n", "𠮷𠮷"]).encode())
        for seen in view.sheet.seen():
            kept = seen.picture
            new = RowPicture(kept.layout, kept.tokens, kept.limit, view.sheet.cells, LEAD if seen.row == 0 else 0.0)
            assert (kept.tops, kept.height) == (new.tops, new.height)
            for k in range(len(new.tops)):
                assert kept.groups(k) == new.groups(k)
                assert kept.shapes(k) == new.shapes(k)
