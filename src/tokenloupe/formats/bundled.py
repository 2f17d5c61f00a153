"""The vocabularies that come with the program: OpenAI's rank tables, packed, their SHA-256 checked at each load.

    >>> load_bundled("o200k_base").encode("hi").ids
    array([3686])

Sources and licence: resources/vocabularies/SOURCES.md. p50k_base is r50k_base and 24 runs of spaces; gpt2 is
r50k_base under its older name.
"""

from __future__ import annotations

import base64
import hashlib
import lzma
from dataclasses import dataclass
from functools import lru_cache

from ..core.bytelevel import ByteLevelTokenizer
from ..core.errors import InputError
from ..core.patterns import named
from ..resources import path
from . import tiktoken
from .cache import through
from .registry import Source
from .stored import freeze_ranks, thaw_own


@dataclass(frozen=True, slots=True)
class Bundled:
    """file: the packed file's stem. sha256: of the rank file as published. size: largest id + 1."""

    name: str
    file: str
    sha256: str
    size: int
    description: str


_R50K = "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930"

#: name -> what is known of it, the default first.
BUNDLED: dict[str, Bundled] = {
    b.name: b
    for b in (
        Bundled("o200k_base", "o200k_base", "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
                200019, "GPT-4o, o1, o3, GPT-4.1"),
        Bundled("cl100k_base", "cl100k_base", "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
                100277, "GPT-4, GPT-3.5 Turbo, text-embedding-3"),
        Bundled("p50k_base", "r50k_base", "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069",
                50281, "Codex, text-davinci-003"),
        Bundled("r50k_base", "r50k_base", _R50K, 50257, "GPT-3"),
        Bundled("gpt2", "r50k_base", _R50K, 50257, "GPT-2"),
    )
}

DEFAULT = "o200k_base"


def bundled_bytes(name: str) -> bytes:
    """The rank file as published. InputError when the installation's copy is damaged."""
    about = BUNDLED[name]
    file = f"{about.file}.tiktoken.xz"
    try:
        data = lzma.decompress(path("vocabularies", file).read_bytes())
    except (lzma.LZMAError, EOFError, OSError) as error:
        raise InputError(f"{file} cannot be unpacked ({error})", todo="install Tokenloupe again") from error
    if name == "p50k_base":
        data += b"".join(b"%s %d\n" % (base64.b64encode(b" " * n), 50255 + n) for n in range(2, 26))
    if hashlib.sha256(data).hexdigest() != about.sha256:
        raise InputError(f"{file} is not the file that was published: its SHA-256 differs",
                         todo="install Tokenloupe again")
    return data


@lru_cache(maxsize=8)
def load_bundled(name: str) -> ByteLevelTokenizer:
    """One of BUNDLED; the same object every time."""
    if name not in BUNDLED:
        raise InputError(f"no vocabulary called {name!r} is bundled", todo=f"bundled are {', '.join(BUNDLED)}")
    about = BUNDLED[name]

    def parse() -> ByteLevelTokenizer:
        ranks = tiktoken.parse(bundled_bytes(name), trusted=True)
        return tiktoken.build(ranks, name, about.sha256, named(name), tiktoken.SPECIAL_TOKENS[name])

    return through("bundled", Source(None, name, b""), load=parse, freeze=freeze_ranks, thaw=thaw_own,
                   options=(name,), small=True, digest=lambda: about.sha256)
