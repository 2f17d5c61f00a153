"""`tokenloupe`: a subcommand answers in the terminal; alone, or with files, it opens the window."""

from __future__ import annotations

import os
import sys


def main() -> int:
    """Entry point of the `tokenloupe` script; returns the exit status."""
    from tokenloupe.cli import COMMANDS
    from tokenloupe.cli import main as command_line

    arguments = sys.argv[1:]
    if arguments and (arguments[0] in COMMANDS or arguments[0].startswith("-")):
        return command_line(arguments)
    for name in arguments:
        if not os.path.lexists(name):  # (never an error, as Path.exists is for a name that is too long)
            return _neither(name, COMMANDS)
    return window(arguments)


def _neither(name: str, commands: tuple[str, ...]) -> int:
    """Say that a word is no subcommand and no file; the exit status of a wrong command line."""
    from difflib import get_close_matches

    from tokenloupe.core.errors import one_line

    close = get_close_matches(name, commands, 1)
    hint = f"did you mean `{close[0]}`?" if close else "`tokenloupe --help` lists the commands"
    print(f"tokenloupe: {one_line(name)!r} is no command and no file; {hint}", file=sys.stderr)
    return 2


def window(files: list[str] | None = None) -> int:
    """Open the window, with these files when there are any."""
    try:
        from tokenloupe.app.main import run
    except ImportError as error:  # a shared library that Qt needs is missing
        print(f"tokenloupe: Qt cannot be loaded ({error}); `tokenloupe doctor` says which package to install",
              file=sys.stderr)
        return 1
    return run(sys.argv[1:] if files is None else files)


if __name__ == "__main__":
    sys.exit(main())
