"""`tokenloupe`: a subcommand answers in the terminal; alone, or with files, it opens the window."""

from __future__ import annotations

import sys


def main() -> int:
    """Entry point of the `tokenloupe` script; returns the exit status."""
    from tokenloupe.cli import COMMANDS
    from tokenloupe.cli import main as command_line

    arguments = sys.argv[1:]
    if arguments and (arguments[0] in COMMANDS or arguments[0].startswith("-")):
        return command_line(arguments)
    return window(arguments)


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
