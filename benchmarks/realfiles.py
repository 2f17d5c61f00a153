"""Real tokenizer files for the benchmarks: in the folders that TOKENLOUPE_SHARED and TOKENLOUPE_REAL name.

    find("gemma3.tokenizer.json") -> "build/real/gemma3.tokenizer.json"
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
REAL = Path(os.environ.get("TOKENLOUPE_REAL", ROOT / "build" / "real"))
FOLDERS = (Path(os.environ.get("TOKENLOUPE_SHARED", ROOT.parent / "shared")) / "real", REAL)


def find(name: str) -> str:
    """The path of a file as it is named or in TOKENLOUPE_REAL; the name itself where there is none (a bundled one)."""
    return next((str(path) for path in (Path(name), REAL / name) if path.is_file()), name)


def files(folders: Iterable[Path] = FOLDERS) -> list[Path]:
    """The files of the folders by name; of two with one name, that of the later folder."""
    found = {p.name: p for f in folders if f.is_dir() for p in f.iterdir() if p.is_file()}
    return [path for _, path in sorted(found.items())]
