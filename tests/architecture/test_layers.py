"""The rules of ARCHITECTURE.md that a linter cannot see, and the one that it can."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "tokenloupe"


def modules(layer: str) -> list[str]:
    return [
        ".".join(file.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")
        for file in sorted((PACKAGE / layer).rglob("*.py"))
    ]


def test_core_tensors_formats_and_cli_import_no_qt() -> None:
    names = ["tokenloupe", "tokenloupe.resources"]
    for layer in ("core", "tensors", "formats", "cli"):
        names += modules(layer)
    program = (
        "import importlib, sys\n"
        f"for name in {names!r}: importlib.import_module(name)\n"
        "print([m for m in sys.modules if m.startswith(('PySide6', 'shiboken6'))])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_package_alone_imports_neither_numpy_nor_qt() -> None:
    program = (
        "import tokenloupe, sys; print(sorted({m.split('.')[0] for m in sys.modules} & {'numpy', 'PySide6', 'regex'}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def imported(file: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def test_models_use_qtcore_alone() -> None:
    for file in (PACKAGE / "models").rglob("*.py"):
        qt = {n for n in imported(file) if n.startswith("PySide6")}
        assert {n for n in qt if not n.startswith("PySide6.QtCore")} == set(), file.name


@pytest.mark.parametrize("layer", ["core", "tensors", "formats", "models", "views", "app", "cli"])
def test_no_reference_library_and_no_pickle_at_run_time(layer: str) -> None:
    forbidden = {
        "tokenizers",
        "tiktoken",
        "sentencepiece",
        "gguf",
        "subword_nmt",
        "pickle",
        "marshal",
        "shelve",
        "torch",
    }
    for file in (PACKAGE / layer).rglob("*.py"):
        assert {n.split(".")[0] for n in imported(file)} & forbidden == set(), file.name


def test_only_the_hub_may_open_a_connection_and_only_when_it_is_asked() -> None:
    network = {"socket", "ssl", "http", "urllib", "ftplib", "smtplib", "poplib", "imaplib", "telnetlib", "xmlrpc",
               "socketserver", "asyncio", "requests", "httpx", "aiohttp", "webbrowser"}
    for file in PACKAGE.rglob("*.py"):
        names = imported(file)
        assert {n.split(".")[0] for n in names} & network == set(), file.name
        assert not any(n.startswith(("PySide6.QtNetwork", "PySide6.QtWebSockets", "PySide6.QtWebEngine"))
                       for n in names), file.name
        if any(n.split(".")[0] == "huggingface_hub" for n in names):
            assert file == PACKAGE / "formats" / "hub.py"
            top = ast.parse(file.read_text("utf-8")).body  # never at import time
            assert not any("huggingface_hub" in ast.unparse(n) for n in top
                           if isinstance(n, (ast.Import, ast.ImportFrom)))


def test_the_core_depends_on_numpy_regex_and_the_standard_library_alone() -> None:
    allowed = set(sys.stdlib_module_names) | {"numpy", "regex", "tokenloupe"}
    for file in (PACKAGE / "core").rglob("*.py"):
        assert {n.split(".")[0] for n in imported(file)} <= allowed, file.name


def test_the_core_reads_no_files() -> None:
    """Files are the business of formats, tensors and app: the core takes bytes."""
    for file in (PACKAGE / "core").rglob("*.py"):
        calls = {
            node.func.id
            for node in ast.walk(ast.parse(file.read_text("utf-8")))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert "open" not in calls, file.name


def test_import_linter_contracts_hold() -> None:
    tool = Path(sys.executable).with_name("lint-imports")
    if not tool.exists():
        pytest.skip("import-linter is not installed: the lint step of CI runs it")
    done = subprocess.run([tool, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("file", sorted(p for p in ROOT.glob("src/**/*.py")), ids=lambda p: p.name)
def test_every_module_says_its_idea(file: Path) -> None:
    if file.name == "__init__.py" and not file.read_text("utf-8").strip():
        return
    assert ast.get_docstring(ast.parse(file.read_text("utf-8"))), f"{file.name} has no docstring"
