"""Shared by all tests: Qt is offscreen unless the caller chose a platform; the user's own folders are never touched."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from shiboken6 import isValid

from qt_windows import windows_of

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# Speed is measured in benchmarks/; an example that is slow on a busy machine is no fault.
settings.register_profile("tokenloupe", deadline=None)
settings.load_profile("tokenloupe")


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings, caches and journals of a test live in its own temporary folder, in this process and in its children."""
    for variable in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "LOCALAPPDATA", "APPDATA"):
        monkeypatch.setenv(variable, str(tmp_path / "home" / variable.lower()))


def _look(app: Any) -> tuple[Any, Any, str, str]:
    return app.font(), app.palette(), app.styleSheet(), app.style().objectName()


@pytest.fixture(scope="session")
def first_look(qapp: Any) -> tuple[Any, Any, str, str]:
    """The application's font, palette, style sheet and style before any test."""
    return _look(qapp)


@pytest.fixture(autouse=True)
def own_look(request: pytest.FixtureRequest) -> Iterator[None]:
    """The application looks for each test as it did for the first, and no window of another test covers its own.

    A window sets font, palette and style sheet for the whole application. Without this a test's result would hang on
    those that ran before it.
    """
    draws = {"qtbot", "qapp"} & set(request.fixturenames)
    first = request.getfixturevalue("first_look") if draws else None
    yield
    if first is None:
        return
    app = request.getfixturevalue("qapp")
    for window in windows_of():
        if isValid(window) and window.isVisible():
            window.hide()
    font, palette, sheet, style = first
    if app.styleSheet() != sheet:
        app.setStyleSheet(sheet)
    if app.style().objectName() != style:
        app.setStyle(style)
    if app.palette() != palette:
        app.setPalette(palette)
    if app.font() != font:
        app.setFont(font)
