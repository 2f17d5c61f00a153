"""A window with a home of its own whose jobs end before start() returns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tokenloupe.app.main import Program, application
from tokenloupe.app.main_window import MainWindow
from tokenloupe.models import jobs


@pytest.fixture
def program(qapp, tmp_path: Path) -> Iterator[Program]:
    jobs.synchronous(True)
    made = Program(application([]), tmp_path / "program")
    made.settings.set("tokenizer", "gpt2")
    made.theme.choose("light")
    yield made
    for window in tuple(made.windows):
        window.close()
    qapp.processEvents()
    made.theme.choose("light")
    jobs.synchronous(False)


@pytest.fixture
def window(program: Program, qapp) -> MainWindow:
    made = program.open_window([])
    made.activateWindow()
    qapp.processEvents()
    return made


@pytest.fixture
def fill(window: MainWindow) -> Callable[[bytes], MainWindow]:
    def put(data: bytes) -> MainWindow:
        window.session.set_data(data)
        return window

    return put
