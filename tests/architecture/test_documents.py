"""README.md and ARCHITECTURE.md say what is there: commands, shortcuts, formats, paths, the example in Python."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import numpy as np
import pytest

from tokenloupe.cli import COMMANDS, build_parser
from tokenloupe.formats import FORMATS, formats
from tokenloupe.panels import PANELS

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text("utf-8")


def section(title: str) -> str:
    """The text below a heading of README.md."""
    return README.split(f"\n## {title}\n")[1].split("\n## ")[0]


def code(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.startswith("    ")]


@pytest.mark.parametrize("line", [line for line in code(section("The command line")) if line.startswith("tokenloupe ")])
def test_a_command_of_the_readme_is_one(line: str) -> None:
    words = shlex.split(line.split("   #")[0].split(" > ")[0])[1:]
    build_parser(words[0]).parse_args(words)


def test_every_command_is_named() -> None:
    shown = {line.split()[1] for line in code(section("The command line")) if line.startswith("tokenloupe ")}
    assert shown == set(COMMANDS)
    changes = re.search(r"Command line: ([\w, \n]+)\.", CHANGELOG)
    assert changes is not None and re.split(r",\s+", changes[1]) == [*COMMANDS]


def test_the_example_in_python_runs() -> None:
    names: dict[str, object] = {}
    exec("\n".join(code(section("In Python"))), names)
    # ids by tiktoken 0.14.0, o200k_base: "hi" 3686, " 😀" 88038, "some" 25231, " more" 945, " text" 2201
    assert np.array_equal(names["encoding"].ids, [3686, 88038])  # type: ignore[attr-defined]
    assert np.array_equal(names["document"].encoding().ids, [25231, 945, 2201])  # type: ignore[attr-defined]


def test_every_public_name_the_readme_tells_of_is_there() -> None:
    import tokenloupe

    for name in set(re.findall(r"tokenloupe\.([A-Za-z]\w*)[`(]", README)):
        assert hasattr(tokenloupe, name)
    for name in tokenloupe.__all__:
        assert getattr(tokenloupe, name) is not None


def test_the_readme_names_the_shortcut_of_every_panel() -> None:
    """In the forms `(Ctrl+Alt+7, 8, 9)` and `(Ctrl+Alt+1 to 6)`."""
    told: list[str] = []
    shown = re.compile(r"^- \*\*.+?\*\* \((Ctrl\+(?:Alt\+)?)([^)]+)\)", re.MULTILINE)
    for before, keys in shown.findall(section("The window")):
        first, _, last = keys.partition(" to ")
        numbers = range(int(first), int(last) + 1) if last else keys.split(", ")
        told += [f"{before}{number}" for number in numbers]
    assert sorted(told) == sorted(p.shortcut for p in PANELS)


def test_every_format_has_its_row() -> None:
    """By a word that stands in the first column."""
    rows = "\n".join(line.split("|")[1] for line in section("Which files it opens, and what they are exact against")
                     .splitlines() if line.startswith("|"))
    words = {"tiktoken": ".tiktoken", "hf_json": "tokenizer.json", "tokenizer_json": "tokenizer.json",
             "vocab_merges": "merges.txt", "sentencepiece": ".model", "gguf_vocab": "GGUF", "tekken": "tekken.json",
             "claude": "claude.json", "rwkv": "rwkv_vocab", "subword_nmt": "subword-nmt", "clip": "CLIP",
             "gob": "merge_rules.gob"}
    assert len(FORMATS) == len(formats())
    for name in FORMATS:
        assert words[name.rpartition(".")[2].partition(":")[0]] in rows


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`([\w/*.-]+\.(?:py|toml|md|json))`", ARCHITECTURE))))
def test_a_file_of_the_architecture_exists(path: str) -> None:
    if path in ("tokenizer.json", "tokenizer_config.json"):  # a user's
        return
    assert (ROOT / path).exists() or [*(ROOT / "src" / "tokenloupe").rglob(path)] or [*ROOT.glob(f"tests/{path}")]


@pytest.mark.parametrize("line", [line for line in ARCHITECTURE.split("\n## ")[1].splitlines()
                                  if re.match(r" {4,8}[\w/]+[./]\w*  +\w", line) or re.match(r" {4,6}\w+\.py", line)])
def test_a_folder_of_the_map_exists(line: str) -> None:
    name = line.split()[0]
    assert (ROOT / name).exists() or (ROOT / "src" / "tokenloupe" / name).exists()


def test_what_the_readme_points_at_exists() -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", README) + re.findall(r"`(resources/[\w./-]+)`", README):
        assert (ROOT / target).exists()
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for goal in set(re.findall(r"(?:`|^    )make (\w+)", README, re.MULTILINE)):
        assert re.search(rf"^{goal}:", makefile, re.MULTILINE)
