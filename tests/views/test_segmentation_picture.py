"""The picture of a segmentation: everything that is drawn lies on its token's colour."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtWidgets import QApplication

import tokenloupe
from tokenloupe.views.segmentation_picture import SegmentationPicture


@pytest.mark.parametrize("text", [
    "ic العربية mixed", "אב ab גד", "x ا y", "  عربي (a) 12 ب", "ab אב 12 cd", "one אחד two שנים 3",
])
def test_where_the_direction_changes_no_character_is_without_colour(qapp: QApplication, text: str) -> None:
    picture = SegmentationPicture(tokenloupe.load("gpt2"), text.encode())
    shown = picture.view.sheet.picture(0)
    layout, edges = shown.layout, []
    for cluster in range(len(layout.row.cluster_utf16) - 1):
        x0, x1, _ = layout.cluster_edges(0, cluster)
        assert x0 != x1, (cluster, text)
        edges.append((min(x0, x1), max(x0, x1)))
    edges.sort()
    # Side by side without a gap from the first to the last: this text has no ligature.
    assert all(abs(a[1] - b[0]) < 0.6 for a, b in pairwise(edges)), edges
    assert shown.shapes(0).fills
    picture.close()
