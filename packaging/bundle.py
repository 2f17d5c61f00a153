"""Build the PyInstaller bundle in dist/tokenloupe and print its size.

The modules that the program imports by name (formats, panels, subcommands) are read from its own lists, so that a new
one is in the bundle without a word here.
"""

from __future__ import annotations

import pkgutil
import shutil
import subprocess
import sys
from pathlib import Path

import PyInstaller.__main__

import tokenloupe

ROOT = Path(__file__).resolve().parent.parent


def hidden_imports() -> list[str]:
    """Every module of the package: most are imported late, by name."""
    return [
        m.name for m in pkgutil.walk_packages(tokenloupe.__path__, "tokenloupe.") if not m.name.endswith("__main__")
    ]


def strip(folder: Path) -> None:
    """Symbols out of every library but those in *.libs: auditwheel has moved those' segments, and strip breaks them."""
    tool = shutil.which("strip")
    if tool is None:
        return
    for file in folder.rglob("*.so*"):
        if file.is_file() and not file.is_symlink() and not any(part.endswith(".libs") for part in file.parts):
            subprocess.run([tool, "--strip-unneeded", str(file)], check=False, stderr=subprocess.DEVNULL)


def main() -> int:
    template = (ROOT / "packaging" / "tokenloupe.spec").read_text("utf-8")
    icon = next((str(p) for p in (ROOT / "resources" / "icons").glob("tokenloupe.ic[on]*")), None)
    # On Windows the console belongs to the command line: the same program is both, so the console stays.
    settings = {
        "HIDDEN": hidden_imports(),
        "CONSOLE": sys.platform != "darwin",
        "ICON": icon,
    }
    values = "".join(f"{name} = {value!r}\n" for name, value in settings.items())
    build = ROOT / "build" / "bundle"
    build.mkdir(parents=True, exist_ok=True)
    spec = build / "tokenloupe.spec"
    spec.write_text(values + template.replace("Path(SPECPATH).parent", f"Path({str(ROOT)!r})"), "utf-8")
    shutil.rmtree(ROOT / "dist" / "tokenloupe", ignore_errors=True)
    PyInstaller.__main__.run(
        [
            "--noconfirm",
            "--log-level",
            "WARN",
            "--distpath",
            str(ROOT / "dist"),
            "--workpath",
            str(build),
            str(spec),
        ]
    )
    if sys.platform.startswith("linux"):
        strip(ROOT / "dist" / "tokenloupe")
    files = [p for p in (ROOT / "dist" / "tokenloupe").rglob("*") if p.is_file() and not p.is_symlink()]
    print(f"bundle: dist/tokenloupe, {sum(p.stat().st_size for p in files) / 1e6:.0f} MB in {len(files)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
