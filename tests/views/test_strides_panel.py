"""The strides panel: operations against numpy, and what it says."""

from __future__ import annotations

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from tokenloupe import load
from tokenloupe.core.errors import InputError
from tokenloupe.models.jobs import Jobs
from tokenloupe.models.session import Session
from tokenloupe.tensors.strided import Strided
from tokenloupe.views.strides_panel import BOOK, DOCUMENT, StridesPanel, operate


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("transpose", (3, 2)),
        ("transpose 1 0", (3, 2)),
        ("reshape 3 -1", (3, 2)),
        ("slice 1 ::2", (2, 2)),
        ("select 0 1", (3,)),
        ("broadcast 4", (4, 2, 3)),
        ("slice -1 ::-1", (2, 3)),
    ],
)
def test_operations(text: str, shape: tuple[int, ...]) -> None:
    assert operate(Strided.row_major((2, 3)), text).shape == shape


@pytest.mark.parametrize(
    "text", ["", "explode", "slice 1 a:b", "reshape", "select 0 9", "reshape 99999999 1", "slice 1 1"]
)
def test_what_is_no_operation(text: str) -> None:
    with pytest.raises(InputError):
        operate(Strided.row_major((2, 3)), text)


def test_the_panel_says_why(qtbot: QtBot) -> None:
    panel = StridesPanel(Session(jobs=Jobs(synchronous=True)))
    qtbot.addWidget(panel)
    panel.resize(480, 480)
    panel.show()
    assert panel.example.currentText() == BOOK
    panel.apply("transpose")
    assert "not contiguous: dimension 1 steps by 3" in panel.facts.text()
    panel.apply("reshape 6")
    assert "without moving data" in panel.history.text()
    assert panel.view.shape == (3, 2)
    panel.apply("copy")
    assert panel.labels == ["a", "d", "b", "e", "c", "f"]
    assert "contiguous" in panel.facts.text()
    panel.restart()
    assert panel.labels == list("abcdef")
    assert not panel.grab().isNull()


def test_the_document_s_ids_are_the_first_example(qtbot: QtBot) -> None:
    tokenizer = load("gpt2")
    session = Session(tokenizer, b"hello world\nhi", jobs=Jobs(synchronous=True))
    panel = StridesPanel(session)
    qtbot.addWidget(panel)
    assert panel.example.currentText() == DOCUMENT
    ids = [tokenizer.encode(x).ids.tolist() for x in ("hello world", "hi")]
    assert panel.view.shape == (2, 2)
    assert panel.labels == [str(i) for i in np.array([ids[0], [*ids[1], 0]]).reshape(-1)]
