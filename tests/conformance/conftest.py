"""Conformance runs use reference data that is not shipped: without it every test here is skipped, with that reason.

TOKENLOUPE_SHARED: the folder with golden/, cases/ and real/ (default: ../shared beside the checkout).
TOKENLOUPE_REAL: the folder that fetch_real.py filled (default: build/real).
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("TOKENLOUPE_SHARED", ROOT.parent / "shared"))
REAL = Path(os.environ.get("TOKENLOUPE_REAL", ROOT / "build" / "real"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if not SHARED.is_dir():
        reason = pytest.mark.skip(reason="the conformance data (golden/, cases/, real/) is not on this machine")
        for item in items:
            if Path(item.path).is_relative_to(Path(__file__).parent):
                item.add_marker(reason)


@pytest.fixture(scope="session")
def shared() -> Path:
    return SHARED


@pytest.fixture(scope="session")
def real_file() -> Callable[[str], Path]:
    """real_file(name): a real tokenizer or model file, or a skip that says which file is missing."""

    def find(name: str) -> Path:
        for folder in (SHARED / "real", REAL):
            if (folder / name).is_file():
                return folder / name
        pytest.skip(f"{name} has not been fetched")

    return find


def json_lines(path: Path) -> Iterator[dict[str, object]]:
    """Rows of a JSON-lines file; lines end in \\n only (U+0085 and U+2028 stand inside strings)."""
    for line in path.read_bytes().split(b"\n"):
        if line.strip():
            yield json.loads(line)


@pytest.fixture(scope="session")
def golden(shared: Path) -> Callable[[str], list[dict[str, object]]]:
    """golden(name): [{"i", "ids", .., "text" or "hex"}], the golden rows joined with their inputs."""

    def rows(name: str) -> list[dict[str, object]]:
        index = json.loads((shared / "golden" / "index.json").read_text("utf-8"))[name]
        inputs = {row["i"]: row for row in json_lines(shared / "golden" / index["input"])}
        return [{**inputs[row["i"]], **row} for row in json_lines(shared / "golden" / f"{name}.jsonl")]

    return rows


#: Property of a test report with a tokenizer's golden rows: (name, matched, total). Reports of worker processes
#: carry it to the one that prints the table.
GOLDEN = "golden rows"


#: The same of random pairs given to a reference and to us: (format, reference, pairs).
PAIRS = "random pairs"


@pytest.fixture
def live_pairs(record_property: Callable[[str, object], None]) -> Callable[[str, str, int], None]:
    """live_pairs(format, reference, pairs): notes for the table how many random pairs agreed, at least 2,000."""

    def note(format: str, reference: str, pairs: int) -> None:
        assert pairs >= 2_000, (format, pairs)
        record_property(PAIRS, (format, reference, pairs))

    return note


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """A table of matched/total per tokenizer at the end of the run."""
    reports = [r for outcome in ("passed", "failed") for r in terminalreporter.stats.get(outcome, [])]
    rows = sorted(tuple(value) for r in reports for name, value in getattr(r, "user_properties", ()) if name == GOLDEN)
    if rows:
        terminalreporter.section("golden rows: matched/total per tokenizer")
        for name, matched, total in rows:
            terminalreporter.line(f"{name:<44} {matched:>5}/{total}")
        terminalreporter.line(f"{'all':<44} {sum(r[1] for r in rows):>5}/{sum(r[2] for r in rows)}")
    pairs = sorted(tuple(v) for r in terminalreporter.stats.get("passed", [])
                   for name, v in getattr(r, "user_properties", ()) if name == PAIRS)
    if pairs:
        terminalreporter.section("live oracles: random tokenizers and texts with the reference's ids, per format")
        for format, reference, count in pairs:
            terminalreporter.line(f"{format:<36} {count:>7,}  {reference}")
