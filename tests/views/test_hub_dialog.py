"""The dialog that fetches from the hub: asks before it opens a connection, shows how far it is, can be cancelled."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from hub_server import Hub, serving
from tokenloupe.models.jobs import Jobs
from tokenloupe.views import hub_dialog
from tokenloupe.views.hub_dialog import HubDialog

pytest.importorskip("huggingface_hub")

WORDS = orjson.dumps({"version": "1.0", "model": {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}})


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    with serving() as made:
        monkeypatch.setenv("HF_ENDPOINT", made.url)
        monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        made.repos["ann/words"] = {"tokenizer.json": WORDS}
        yield made


@pytest.fixture
def opened() -> list[Path]:
    return []


def dialog(qtbot: QtBot, opened: list[Path], synchronous: bool = False) -> HubDialog:
    made = HubDialog(None, Jobs(synchronous=synchronous), opened.append)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.mark.parametrize("synchronous", [False, True])
def test_it_fetches_and_closes(qtbot: QtBot, server: Hub, opened: list[Path], synchronous: bool) -> None:
    made = dialog(qtbot, opened, synchronous)
    assert not made.go.isEnabled() and made.field.accessibleName()
    qtbot.keyClicks(made.field, "ann/words")
    assert server.asked == []  # typing is not asking
    qtbot.keyClick(made.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(opened), timeout=10_000)
    assert not made.isVisible() and (opened[0] / "tokenizer.json").read_bytes() == WORDS


def test_what_fails_is_said_and_can_be_tried_again(qtbot: QtBot, server: Hub, opened: list[Path]) -> None:
    made = dialog(qtbot, opened)
    made.field.setText("no/where")
    made.fetch()
    assert not made.go.isEnabled() and made.bar.isVisible()
    qtbot.waitUntil(lambda: bool(made.problem.text()), timeout=10_000)
    assert made.problem.text().startswith("The hub has no public repository no/where; check the name")
    assert made.isVisible() and made.go.isEnabled() and made.field.isEnabled() and not made.bar.isVisible()
    made.field.setText("ann/words")
    made.fetch()
    qtbot.waitUntil(lambda: bool(opened), timeout=10_000)


def test_a_wrong_name_asks_nobody(qtbot: QtBot, server: Hub, opened: list[Path]) -> None:
    made = dialog(qtbot, opened)
    made.field.setText("what is this")
    made.fetch()
    assert "is no name of a repository" in made.problem.text() and server.asked == []


def test_escape_cancels_the_fetch_and_then_the_dialog(
    qtbot: QtBot, opened: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[bool] = []

    def steps(name: object) -> Iterator[float]:
        try:
            while True:
                yield 0.5
        finally:
            ended.append(True)

    monkeypatch.setattr(hub_dialog, "fetch_steps", steps)
    made = dialog(qtbot, opened)
    made.field.setText("ann/words")
    made.fetch()
    qtbot.waitUntil(lambda: made.bar.value() == 500)
    qtbot.keyClick(made, Qt.Key.Key_Escape)
    assert ended and made.isVisible() and made.go.isEnabled() and not made.bar.isVisible()
    made.fetch()
    made.close()
    assert len(ended) == 2 or not made._jobs.active
    assert opened == []


def test_without_the_package_it_says_so(qtbot: QtBot, opened: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_dialog, "available", lambda: False)
    made = dialog(qtbot, opened)
    made.field.setText("ann/words")
    made.fetch()
    assert 'pip install "tokenloupe[hub]"' in made.problem.text() and not made.go.isEnabled()
