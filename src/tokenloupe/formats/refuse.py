"""Files that no format claims: what they are and what to do about it; and what is inside a gzip or zip.

    >>> refuse(Source(None, "x.json", b"version https://git-lfs.github.com/spec/v1\\n")).args[0]
    'this is a Git LFS pointer, not the file itself, line 1; run `git lfs pull` and open it again'

Nothing here reads more than it must: an archive is unpacked up to a limit, and only when it holds one file or one whose
name is a tokenizer's.
"""

from __future__ import annotations

import io
import json
import lzma
import re
import zipfile
import zlib
from typing import TYPE_CHECKING

from ..core.errors import InputError

if TYPE_CHECKING:
    from .registry import Source

#: What an archive may unpack to: the largest real tokenizer is 40 MB.
LARGEST_INSIDE = 96 << 20

#: How often an archive inside an archive is opened.
DEEPEST = 2

_NO_PICKLE = "it is not opened: fetch the model as safetensors and its tokenizer as JSON"

#: What zipfile raises for damage, by the compression that is damaged: OSError is bzip2's, ValueError a name's.
_ZIP_ERRORS = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, NotImplementedError, RuntimeError, EOFError, OSError,
               ValueError, OverflowError)

_GZIP, _ZIP = b"\x1f\x8b", b"PK\x03\x04"

#: First bytes -> (what it is, what to do).
_MAGICS: tuple[tuple[bytes, str, str], ...] = (
    (b"version https://git-lfs", "a Git LFS pointer, not the file itself", "run `git lfs pull` and open it again"),
    (b"PK\x05\x06", "an empty zip archive", "fetch it again"),
    (b"PK", "a damaged zip archive", "fetch it again"),
    (b"BZh", "a bzip2 archive", "unpack it first"),
    (b"\xfd7zXZ\0", "an xz archive", "unpack it first"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive", "unpack it first"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it first"),
    (b"Rar!", "a rar archive", "unpack it first"),
    (b"\x89PNG", "a picture", "open the tokenizer's own file"),
    (b"\xff\xd8\xff", "a picture", "open the tokenizer's own file"),
    (b"%PDF", "a PDF document", "open the tokenizer's own file"),
    (b"\x7fELF", "a program", "open the tokenizer's own file"),
    (b"MZ", "a program", "open the tokenizer's own file"),
    (b"\x93NUMPY", "a NumPy array", "open it as tensors"),
    (b"SQLite format 3\0", "a database", "open the tokenizer's own file"),
    (b"\x89HDF\r\n", "an HDF5 file of weights", "open the tokenizer file that lies beside it"),
)


def refuse(source: Source) -> InputError:
    """The error for a file that is no tokenizer we know: what it is, where that shows, what to do."""
    if not source.head:
        return InputError("the file is empty", where="byte 0", todo="fetch it again")
    return certain(source) or _text(source, source.head)


def certain(source: Source) -> InputError | None:
    """The error for a file whose first bytes say that it is something else: a format's mere guess yields to it."""
    head = source.head
    for magic, what, todo in _MAGICS:
        if head.startswith(magic):
            where = "line 1" if magic.startswith(b"version") else "byte 0"
            return InputError(f"this is {what}", where=where, todo=todo)
    return _by_shape(head)


def _by_shape(head: bytes) -> InputError | None:
    """Formats without a magic of their own."""
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return InputError("the text is UTF-16", where="byte 0", todo="save it as UTF-8")
    if len(head) >= 4 and 32 <= head[0] < 127 and head[1] == 0 == head[3] and head[2]:
        return InputError("the text is UTF-16 without a mark", where="byte 1", todo="save it as UTF-8")
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:200].lower()
    if re.match(rb"<(!doctype html|html|head|body|\?xml)", start):
        kind = "an XML document" if start.startswith(b"<?xml") else "an HTML page"
        return InputError(f"this is {kind}, not a tokenizer", where="line 1",
                          todo="the download was an error page: fetch the raw file")
    if len(head) > 10 and head[8:9] == b"{" and 2 <= int.from_bytes(head[:8], "little") < 1 << 40:
        return InputError("this is a safetensors file of weights", where="byte 8",
                          todo="open it as tensors, or the tokenizer file that lies beside it")
    if head[:1] == b"\x80" and head[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05"):
        return InputError("this is a Python pickle, which can run any program when it is read", where="byte 0",
                          todo=_NO_PICKLE)
    if re.match(rb"\x08[\x01-\x1f]\x12[\x01-\x40][a-zA-Z0-9_. -]{2}", head):  # ir_version, then who wrote it
        return InputError("this is an ONNX model", where="byte 0", todo="open the tokenizer file that lies beside it")
    return None


def _text(source: Source, head: bytes) -> InputError:
    """A text, or bytes of no known kind."""
    marked = head.startswith(b"\xef\xbb\xbf")
    body = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if body.startswith((b"{", b"[")):
        return _json(source, marked)
    if b"\0" in head or any(b < 9 or 13 < b < 27 for b in head[:512]):
        return InputError("the bytes are of no format that is known", where="byte 0",
                          todo="see the table of formats in the README")
    if len(source.data) > len(head):
        return InputError("this is plain text that is no tokenizer", where="line 1",
                          todo="see the table of formats in the README")
    lines = source.data.count(b"\n") + 1
    what = "a byte order mark and plain text" if marked else "plain text"
    return InputError(f"this is {what} of {lines} line{'s' if lines > 1 else ''}, no tokenizer", where="line 1",
                      todo="see the table of formats in the README")


def _json(source: Source, marked: bool) -> InputError:
    mark = " after a byte order mark" if marked else ""
    try:
        text = source.data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return InputError(f"this is JSON{mark} that is not UTF-8", where=f"byte {error.start:,}", todo="fetch it again")
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        ended = not text[error.pos :].strip() or error.msg.startswith("Unterminated")
        what = "this JSON ends in the middle" if ended else f"this is no JSON ({error.msg})"
        todo = "the download is not complete: fetch it again" if ended else "the file is damaged: fetch it again"
        return InputError(what + mark, where=f"line {error.lineno}, column {error.colno}", todo=todo)
    except RecursionError:
        return InputError("this JSON nests too deeply", where="line 1", todo="it is no tokenizer")
    except ValueError:  # Python reads whole numbers of up to 4,300 digits
        return InputError("this JSON holds a number of thousands of digits", where="line 1", todo="it is no tokenizer")
    keys = ", ".join(map(repr, list(document)[:4])) if isinstance(document, dict) else ""
    return InputError(f"this is JSON{mark}, and no tokenizer's" + (f" (its keys are {keys})" if keys else ""),
                      where="line 1", todo="see the table of formats in the README")


def is_archive(source: Source) -> bool:
    return source.head.startswith((_GZIP, _ZIP))


def unpack(source: Source) -> Source:
    """The one file inside a gzip or zip. InputError for a damaged one, one too large, or one of several files."""
    from .registry import Source as Inner

    if source.head.startswith(_GZIP):
        name = re.sub(r"\.t?gz$", "", source.name, flags=re.IGNORECASE)
        return Inner(None, name, _gunzip(source.data))
    try:
        with zipfile.ZipFile(io.BytesIO(source.data)) as archive:
            entry = _chosen(archive)
            if entry.file_size > LARGEST_INSIDE:
                raise _too_large(entry.filename)
            with archive.open(entry) as file:
                data = file.read(LARGEST_INSIDE + 1)
    except _ZIP_ERRORS as error:
        raise InputError("the zip archive cannot be read", where="byte 0",
                         todo="the download may not be complete: fetch it again") from error
    if len(data) > LARGEST_INSIDE:
        raise _too_large(entry.filename)
    return Inner(None, entry.filename.rsplit("/", 1)[-1], data)


def _too_large(name: str) -> InputError:
    return InputError(f"the archive unpacks to more than {LARGEST_INSIDE >> 20} MiB", where=name,
                      todo="unpack it yourself and open the tokenizer file")


def _gunzip(data: bytes) -> bytes:
    """All members of a gzip file, up to the limit."""
    out: list[bytes] = []
    room = LARGEST_INSIDE + 1
    rest = data
    while rest.startswith(_GZIP):
        member = zlib.decompressobj(31)
        try:
            out.append(member.decompress(rest, room))
        except zlib.error as error:
            raise InputError("the gzip file is damaged", where=f"byte {len(data) - len(rest):,}",
                             todo="fetch it again") from error
        room -= len(out[-1])
        if room <= 0:
            raise _too_large("the gzip file")
        if not member.eof:
            raise InputError("the gzip file ends in the middle", where=f"byte {len(data):,}",
                             todo="the download is not complete: fetch it again")
        rest = member.unused_data
    return b"".join(out)


def _chosen(archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    from .registry import MAIN_FILES

    files = [e for e in archive.infolist() if not e.is_dir()]
    if any(e.filename.endswith("data.pkl") for e in files):
        raise InputError("this is a PyTorch checkpoint, whose pickle can run any program when it is read",
                         where="byte 0", todo=_NO_PICKLE)
    if len(files) == 1:
        return files[0]
    for name in MAIN_FILES:
        found = [e for e in files if e.filename.rsplit("/", 1)[-1] == name]
        if len(found) == 1:
            return found[0]
    raise InputError(f"the zip archive holds {len(files)} files and none is clearly the tokenizer", where="byte 0",
                     todo="unpack it and open the tokenizer file")
