"""Fixtures for the tests of the cache, which are several modules."""

from __future__ import annotations

import pytest

from tokenloupe.formats import cache

from .cache_kit import Parsed


@pytest.fixture
def all_sizes_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small files are kept by the cache, too."""
    monkeypatch.setattr(cache, "SMALLEST", 0)


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Parsed:
    return Parsed(monkeypatch)
