"""What subcommands share: reading the input, loading the tokenizer, printing JSON, complaining in one line."""

from __future__ import annotations

import argparse
import binascii
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from tokenloupe.core.errors import InputError, StageError, one_line

if TYPE_CHECKING:
    from tokenloupe.core.tokenizer import SpecialMode, Tokenizer

DEFAULT_TOKENIZER = "o200k_base"


def add_tokenizer_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-t",
        "--tokenizer",
        default=DEFAULT_TOKENIZER,
        metavar="NAME|PATH|hub:OWNER/NAME",
        help="a bundled name (gpt2 r50k_base p50k_base cl100k_base o200k_base), a tokenizer file or folder, or "
        "hub:owner/name, fetched from the Hugging Face hub "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--pattern", metavar="NAME|REGEX", help="the split pattern of a rank file whose name does not say it"
    )


def add_text_arguments(parser: argparse.ArgumentParser) -> None:
    """TEXT, --file, --hex, and how special tokens in the text are taken."""
    parser.add_argument("text", nargs="?", metavar="TEXT", help="the text; - or nothing: standard input")
    parser.add_argument("--file", metavar="F", help="take the bytes of a file, as they are")
    parser.add_argument("--hex", metavar="HEX", help="take these bytes (white space between them is ignored)")


def add_special_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--special",
        default="text",
        metavar="text|parse|parse:A,B",
        help="special tokens in the input: ordinary text (default), all matched, or only these",
    )
    parser.add_argument("--bos-eos", action="store_true", help="add what the tokenizer adds around a text")


def special_mode(args: argparse.Namespace) -> SpecialMode:
    """The --special argument; a usage error (exit 2) when it is none of the three forms."""
    value: str = args.special
    if value == "text" or value == "parse":
        return "text" if value == "text" else "parse"
    if value.startswith("parse:"):
        return frozenset(name for name in value[len("parse:") :].split(",") if name)
    raise SystemExit(usage(f"argument --special: {value!r} is not text, parse or parse:A,B"))


def usage(message: str) -> int:
    """Print a usage error; returns the exit status for it."""
    print(f"tokenloupe: {message}", file=sys.stderr)
    return 2


class FileError(InputError):
    """An InputError with the name of the file it is about, for the line on stderr."""

    def __init__(self, file: str, error: InputError) -> None:
        self.file = file
        where = "" if error.where == Path(file).name else error.where  # not twice in one line
        super().__init__(error.what, where=where, todo=error.todo)


#: A line of `encode --jsonl`.
TEXT_LINE = '{"text": ..} or {"hex": ..}'


def complain(error: InputError) -> None:
    """`tokenloupe: FILE: what, where; what to do` on stderr, in one line."""
    file = f"{one_line(error.file)}: " if isinstance(error, FileError) and error.file else ""
    print(f"tokenloupe: {file}{error}", file=sys.stderr)


def no_name(wanted: str = "a file") -> InputError:
    """The error for a file's name that is empty, which Path would take for the current folder."""
    return InputError("no file is named", todo=f"give the name of {wanted}")


def file_name(path: str) -> str:
    """What a FILE is called in errors: - is standard input."""
    return "standard input" if path == "-" else path


def read_file(path: str) -> bytes:
    """The bytes of a file, or FileError."""
    if not path:
        raise no_name()
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileError(
            path, InputError(f"cannot be read ({reason})", todo="check the path and its permissions")
        ) from error


def argument_bytes(text: str) -> bytes:
    """The bytes of a command-line argument; what the shell passed as invalid UTF-8 stays as it was."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # Windows passes lone surrogates as such
        from tokenloupe.core.tokenizer import to_bytes

        return to_bytes(text)


def parse_hex(text: str, what: str = "--hex") -> bytes:
    """Hex digits with white space between bytes, either case, to bytes."""
    digits = "".join(text.split())
    try:
        return binascii.unhexlify(digits)
    except (binascii.Error, ValueError) as error:
        bad = next((i for i, c in enumerate(digits) if c not in "0123456789abcdefABCDEF"), None)
        why = (
            f"{digits[bad]!r} at digit {bad + 1} is no hex digit"
            if bad is not None
            else f"an odd number of digits ({len(digits)}) is not whole bytes"
        )
        raise InputError(f"{what}: {why}", todo="give two hex digits a byte") from error


def read_input(args: argparse.Namespace) -> bytes:
    """The input bytes: TEXT, --file, --hex or standard input."""
    given = [x for x in (args.text, args.file, args.hex) if x is not None]
    if len(given) > 1:
        raise SystemExit(usage("give one of TEXT, --file and --hex"))
    if args.file is not None:
        return read_file(args.file)
    if args.hex is not None:
        return parse_hex(args.hex)
    if args.text is not None and args.text != "-":
        return argument_bytes(args.text)
    return sys.stdin.buffer.read()


def load_tokenizer(args: argparse.Namespace, name: str | None = None, *, vocabulary_will_do: bool = False) -> Tokenizer:
    """The tokenizer that -t names; FileError when it cannot be opened. Its warnings go to stderr, a line each.

    vocabulary_will_do: a file with a stage that cannot be run is opened without it (and says so among its warnings).
    """
    from tokenloupe.api import load

    wanted = args.tokenizer if name is None else name
    options = {"pattern": args.pattern} if getattr(args, "pattern", None) else {}
    try:
        tokenizer = load(wanted, **options)
    except StageError as error:
        if not vocabulary_will_do:
            error = StageError(error.what, where=error.where, todo="`tokenloupe vocab` opens its vocabulary alone")
            raise FileError(wanted, error) from error
        tokenizer = load(wanted, **options, vocabulary_only="yes")
    except InputError as error:
        raise FileError(wanted, error) from error
    if not getattr(args, "json", False):
        for warning in tokenizer.warnings:
            print(f"tokenloupe: {wanted}: note: {warning}", file=sys.stderr)
    return tokenizer


def json_lines(path: str, wanted: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line number, object) of JSON lines of a file or standard input (-). Lines end in \\n; blank ones are skipped.

    wanted: what a line should be, for the complaint about one that is no object.
    """
    import orjson

    if not path:
        raise no_name()
    name = file_name(path)
    if path == "-":
        stream: BinaryIO = sys.stdin.buffer
    else:
        try:
            stream = Path(path).open("rb")  # noqa: SIM115 - closed below
        except OSError as error:
            raise FileError(
                path, InputError(f"cannot be read ({error.strerror})", todo="check the path and its permissions")
            ) from error
    with stream:
        for number, line in enumerate(stream, 1):
            if not line.strip():
                continue
            try:
                row = orjson.loads(line)
            except orjson.JSONDecodeError:
                row = _odd_json(line, number, name)
            if not isinstance(row, dict):
                raise FileError(
                    name,
                    InputError(
                        "the line is not a JSON object",
                        where=f"line {number}",
                        todo=f"write {wanted}",
                    ),
                )
            yield number, row


def _odd_json(line: bytes, number: int, name: str) -> Any:
    """JSON that orjson refuses and Python reads: escaped lone surrogates are text somebody may well want to look at."""
    try:
        return json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
    except (ValueError, RecursionError) as error:
        what, where = "not JSON", f"line {number}"
        if isinstance(error, UnicodeDecodeError):
            what, where = "not UTF-8", f"{where}, byte {error.start + 1}"
        elif isinstance(error, json.JSONDecodeError):
            what, where = f"not JSON ({error.msg})", f"{where}, column {error.colno}"
        elif isinstance(error, RecursionError):
            what = "nested too deeply"
        problem = InputError(f"the line is {what}", where=where, todo="each line is one JSON object")
        raise FileError(name, problem) from error


def line_bytes(row: dict[str, Any], number: int, name: str) -> bytes:
    """The input of one JSON line: {"text": ..} or {"hex": ..}."""
    from tokenloupe.core.tokenizer import to_bytes

    if isinstance(row.get("text"), str):
        return to_bytes(row["text"])
    if isinstance(row.get("hex"), str):
        try:
            return parse_hex(row["hex"], '"hex"')
        except InputError as error:
            raise FileError(name, InputError(error.what, where=f"line {number}", todo=error.todo)) from error
    problem = InputError('the line has neither "text" nor "hex"', where=f"line {number}", todo=f"write {TEXT_LINE}")
    raise FileError(name, problem)


def dumps(value: Any) -> bytes:
    """One line of JSON; NaN and infinities are null; names that are not UTF-8 are written with U+FFFD."""
    import orjson

    try:
        return orjson.dumps(value, option=orjson.OPT_SERIALIZE_NUMPY)
    except TypeError:  # lone surrogates (a file's name), integers beyond 64 bits
        text = json.dumps(value, ensure_ascii=False, default=lambda o: o.tolist(), separators=(",", ":"))
    text = re.sub("[\ud800-\udc7f\udd00-\udfff]", "\ufffd", text)
    # U+DC80..DCFF are a name's bytes that the locale could not decode: they are UTF-8 when only the locale is not.
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace").encode()


def print_json(value: Any) -> None:
    """One JSON document and a line end on stdout, UTF-8 whatever the terminal's encoding is."""
    sys.stdout.flush()
    sys.stdout.buffer.write(dumps(value) + b"\n")


def print_text(text: str = "") -> None:
    """A line on stdout; what the terminal's encoding does not have is escaped (main() sees to that)."""
    print(text)


def colours() -> bool:
    """Whether to colour: a terminal asks for it and NO_COLOR (no-color.org) does not forbid it."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def visible(text: str) -> str:
    """Text on one line: control characters, separators and invisible format characters are shown by their escapes."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
