"""Case files on disk: write one, open it again, see whether it still holds. No Qt: made for test-suites, too.

    tokenloupe.save_case("flag.loupe", tokenizer, "🇩🇪", note="two regional indicators")
    opened = tokenloupe.open_case("flag.loupe")
    assert opened.same, opened.problems
    opened.case.data, opened.case.ids, opened.tokenizer

A case names its tokenizer by its hash. The source written in it is only where to look first; nothing is ever fetched
over a network because a case says so, and what lies on another machine's share is not touched.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from .core.case_check import differences, same_tokenizer, short
from .core.case_file import LARGEST, SUFFIX, Case, TokenizerRef, dumps, loads
from .core.errors import InputError, one_line
from .core.tokenizer import SpecialMode, Tokenizer, to_bytes

__all__ = ["SUFFIX", "Case", "OpenedCase", "find_tokenizer", "open_case", "read_case", "reference", "save_case",
           "write_case"]


@dataclass(frozen=True, slots=True)
class OpenedCase:
    """tokenizer: None when there is none to be found. problems: sentences that say what differs, () when nothing."""

    case: Case
    tokenizer: Tokenizer | None
    problems: tuple[str, ...] = ()

    @property
    def same(self) -> bool:
        """The tokenizer is the very one, and it gives the case's ids."""
        return not self.problems


def save_case(path: str | Path, tokenizer: Tokenizer, text: str | bytes, *,
              special: SpecialMode | Iterable[str] = "text", bos_eos: bool = False, name: str = "",
              note: str = "") -> Case:
    """Encode a text and write the case; the same arguments give the same file. InputError: it cannot be written."""
    path = Path(path)
    data, mode = to_bytes(text), tokenizer.special_mode(special)
    ids = tokenizer.encode_ids(data, special=mode, bos_eos=bos_eos)
    case = Case(data, reference(tokenizer, path.parent), mode, bos_eos, ids, name, note)
    write_case(path, case)
    return case


def open_case(path: str | Path, known: Iterable[Tokenizer] = ()) -> OpenedCase:
    """Read a case, find its tokenizer, encode its input anew. InputError: the file itself cannot be used.

    known: tokenizers that are open already, tried by their hash.
    """
    path = Path(path)
    case = read_case(path)
    tokenizer, problem = find_tokenizer(case.tokenizer, path.parent, known)
    if tokenizer is None:
        return OpenedCase(case, None, (problem,))
    try:
        ids = tokenizer.encode_ids(case.data, special=case.special, bos_eos=case.bos_eos)
    except InputError as error:  # special tokens it does not have
        return OpenedCase(case, tokenizer, tuple(filter(None, (problem, str(error)))))
    return OpenedCase(case, tokenizer, tuple(filter(None, (problem, *differences(case, tokenizer, ids)))))


def read_case(path: Path) -> Case:
    """The case in a file, its tokenizer not looked for. InputError."""
    try:
        if path.exists() and not path.is_file():
            raise InputError("this is no file", where=path.name, todo="choose a case file (.loupe)")
        with path.open("rb") as file:
            return loads(file.read(LARGEST + 1))
    except (OSError, ValueError) as error:  # ValueError: a zero character in the name
        if isinstance(error, ValueError) and "\0" not in str(path):
            raise
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path.name} cannot be read ({reason})", todo="check the path and its permissions") from error


def write_case(path: Path, case: Case) -> None:
    """Write the file whole or not at all. InputError."""
    raw = dumps(case)
    if len(raw) > LARGEST:
        raise InputError(f"the case would be {len(raw):,} bytes", todo=f"a case has at most {LARGEST >> 20} MiB: give "
                                                                       "a part of the text")
    if path.exists() and not path.is_file():  # a folder, or a device that a file would take the place of
        raise InputError(f"{path.name} is no file", todo="choose another name")
    path = Path(os.path.realpath(path))  # what a link points at is written, the link stays
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        try:
            part.write_bytes(raw)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"{path.name} cannot be written ({error.strerror or error})",
                         todo="choose another folder") from error


def reference(tokenizer: Tokenizer, folder: Path) -> TokenizerRef:
    """How a case in `folder` names a tokenizer: a path below it is relative, so that both can move together."""
    source = tokenizer.opened_from
    if source and Path(source).is_absolute():
        path = Path(source)
        base = Path(absolute(folder))
        source = path.relative_to(base).as_posix() if path.is_relative_to(base) else str(path)
    return TokenizerRef(tokenizer.name, tokenizer.format, tokenizer.sha256, source,
                        MappingProxyType(dict(tokenizer.opened_with)))


def find_tokenizer(about: TokenizerRef, folder: Path,
                   known: Iterable[Tokenizer] = ()) -> tuple[Tokenizer | None, str]:
    """The tokenizer of a case, and "" or a sentence why it is not the very one.

    The source first, then what is open or bundled by its hash; at last what the source is now, though it differs.
    """
    from .api import bundled, load
    from .formats.bundled import BUNDLED

    found: Tokenizer | None = None
    source, options = about.source, dict(about.options)
    why = _unreachable(source)
    if not why:
        try:
            found = bundled(source) if source in BUNDLED else load(absolute(folder / source), **options)
        except InputError as error:
            why = str(error)
        except (OSError, RuntimeError) as error:  # a path that the system refuses: too long, a loop of links
            why = f"{one_line(source)} cannot be read ({getattr(error, 'strerror', None) or error})"
        if found is not None and same_tokenizer(about, found):
            return found, ""
    for tokenizer in known:
        if same_tokenizer(about, tokenizer):
            return tokenizer, ""
    if about.sha256 and not options:
        names = [b.name for b in BUNDLED.values() if b.sha256 == about.sha256]
        if names:
            return bundled(about.name if about.name in names else names[0]), ""
    if found is not None:
        return found, ""  # differences() says that it is another file
    name = one_line(about.name) or "one without a name"
    return None, (f"the tokenizer of the case is not here: {name} ({one_line(about.format)}, SHA-256 "
                  f"{short(about.sha256)}) from {one_line(source) or 'no file'}: {why}")


def absolute(path: str | Path) -> str:
    """A path from the root, `..` worked out but links kept: what lies beside a link, not beside its target, counts."""
    return os.path.abspath(path)  # noqa: PTH100


def _unreachable(source: str) -> str:
    """Why a source is not looked at, "" when it may be."""
    if not source:
        return "open it to compare"
    if source.startswith("hub:"):
        return "it is fetched only when you ask for it"
    if "\0" in source:
        return "its path has a zero character"
    if source.replace("\\", "/").startswith("//"):
        return "it lies on another machine or is a device"
    if "://" in source:
        return "it is an address, not a file"
    return ""
