"""The project's own files: what the README promises, what data comes with its source, what users must not need.

This folder is no package on purpose: one called `packaging` would stand before the library of that name.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.mark.parametrize("command", ["make run", "make test", "make pictures", "make bundle"])
def test_the_readme_s_commands_are_in_the_makefile(command: str) -> None:
    assert command in (ROOT / "README.md").read_text("utf-8")
    target = command.split()[1]
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)


def test_ci_calls_the_readme_s_test_command_first() -> None:
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    steps = [line for line in script.splitlines() if line.strip().startswith("make ")]
    assert steps[0].strip() == "make test"
    assert {"make lint", "make types", "make conformance", "make bundle"} <= {s.strip() for s in steps}


def test_pyside_stays_below_6_12_on_python_3_11() -> None:
    """6.12.0 aborts there (none_dealloc)."""
    pins = [d for d in PROJECT["dependencies"] if d.startswith("PySide6")]
    assert any("<6.12" in pin and "python_version < '3.12'" in pin for pin in pins)
    if sys.version_info < (3, 12):
        import PySide6

        assert tuple(map(int, PySide6.__version__.split(".")[:2])) < (6, 12)


def test_the_reference_libraries_are_no_dependency_of_a_user() -> None:
    names = {re.split(r"[<>=\[; ]", d)[0].lower() for d in PROJECT["dependencies"]}
    assert names == {"pyside6-essentials", "numpy", "regex", "orjson", "platformdirs"}


@pytest.mark.parametrize("folder", ["vocabularies", "icons", "demos"])
def test_every_folder_of_data_names_its_source_and_licence(folder: str) -> None:
    notes = [p for p in (ROOT / "resources" / folder).iterdir() if p.suffix == ".md"]
    assert notes, f"resources/{folder} has no note of source and licence"
    text = "\n".join(p.read_text("utf-8") for p in notes).lower()
    assert re.search(r"licen[cs]e|mit|apache|public domain|cc0", text)


def test_the_setup_script_is_sound_shell() -> None:
    assert subprocess.run(["sh", "-n", str(ROOT / "packaging" / "setup.sh")], check=False).returncode == 0


def test_nothing_in_the_repository_names_a_machine() -> None:
    if shutil.which("git") is None:
        pytest.skip("git is not on this machine: it lists the files")
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    words = [b"/wo" + b"rk/", b"/ro" + b"ot/", b"pypi-mo" + b"re"]
    for name in listed.stdout.splitlines():
        file = ROOT / name
        if file.suffix in {".py", ".md", ".toml", ".sh", ".spec", ".json", ".txt", ""} and file.is_file():
            data = file.read_bytes()
            assert not [w for w in words if w in data], name
