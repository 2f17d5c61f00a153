"""The command line: one file a subcommand, one name in COMMANDS.

A subcommand's module has NAME, HELP, add_arguments(parser) and run(args) -> exit status. It raises InputError for
what a user can cause; this module prints it as one line and exits 1. Only the module that is asked for is imported.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from importlib import import_module
from typing import Any

COMMANDS = (
    "encode",
    "decode",
    "stream",
    "vocab",
    "lineage",
    "tensors",
    "blocks",
    "quantize",
    "memory",
    "render",
    "doctor",
)

_ABOUT = "Look into LLM tokenizers and quantised tensors. Without a subcommand, opens the window (with FILES)."


def command(name: str) -> Any:
    """The module of a subcommand."""
    return import_module(f"{__name__}.{name}")


def build_parser(only: str | None = None) -> argparse.ArgumentParser:
    """The parser; with `only`, arguments are filled in for that subcommand alone, so that others are not imported."""
    from tokenloupe import __version__

    parser = argparse.ArgumentParser(prog="tokenloupe", description=_ABOUT, allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"tokenloupe {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in COMMANDS:
        if only is not None and name != only:
            continue
        module = command(name)
        sub = subparsers.add_parser(name, help=module.HELP, description=module.HELP, allow_abbrev=False)
        module.add_arguments(sub)
        sub.set_defaults(run=module.run)
    return parser


def main(argv: list[str] | None = None) -> int:
    """Run one subcommand. 0 done; 1 an input that cannot be used (one line on stderr); 2 a wrong command line."""
    arguments = sys.argv[1:] if argv is None else argv
    only = arguments[0] if arguments and arguments[0] in COMMANDS else None
    _replace_closed_streams()
    _escape_what_cannot_be_printed()
    from tokenloupe.core.errors import InputError

    from .common import FileError, complain

    try:
        try:
            args = build_parser(only).parse_args(arguments)
        finally:  # of --help, too
            sys.stdout.flush()
        status: int = args.run(args)
        sys.stdout.flush()
    except InputError as error:
        complain(error)
        return 1
    except BrokenPipeError:
        # The reader (`| head`) has gone: nothing to say to anybody.
        _drop_output()
        return 0
    except OSError as error:  # files have their own sentences: what is left is a full disk or a closed stream
        _drop_output()
        problem = InputError(f"cannot be read or written ({error.strerror or error})",
                             todo="check the room on the disk and the redirection")
        complain(FileError(str(error.filename or "standard input or output"), problem))
        return 1
    except MemoryError:
        complain(InputError("the memory of this machine is not enough for that", todo="give a smaller input"))
        return 1
    except KeyboardInterrupt:
        _drop_output()
        return 130
    return status


def _replace_closed_streams() -> None:
    """Python has None for a stream that the caller closed (`<&-`): put one there that fails as the closed one would.

    The null device opened the wrong way round: reading standard input or writing standard output is an error (EBADF)
    that main() reports; what goes to a closed standard error is dropped.
    """
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_WRONLY), "r")
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")


def _escape_what_cannot_be_printed() -> None:
    """A terminal or pipe whose encoding lacks a character (the C locale, Windows' code pages) gets its escape."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _drop_output() -> None:
    """What is still in the buffer of standard output goes nowhere: Python would complain again at exit."""
    try:
        number = sys.stdout.fileno()
    except OSError:  # a stream in memory
        return
    os.dup2(os.open(os.devnull, os.O_WRONLY), number)
