"""The tokenizer formats: one file each, one line in FORMATS.

A format is found by content, never by suffix alone. `open_tokenizer` reads the file (or folder), asks each format to
sniff its first bytes, and loads with the first that claims it; a file nobody claims is named for what it is
(see refuse.py: a Git LFS pointer, an HTML error page, UTF-16, ...).
"""

from __future__ import annotations

from .registry import Format, Source, open_bytes, open_tokenizer

__all__ = ["FORMATS", "Format", "Source", "formats", "open_bytes", "open_tokenizer"]

#: Module names, in the order they are asked; each module has `FORMAT: Format`. Imported only when a file is opened.
FORMATS = (
    "tokenizer_json",
    "tiktoken",
    "vocab_merges",
    "sentencepiece",
    "rwkv",
    "subword_nmt",
    "clip",
    "gguf_vocab",
    "tekken",
    "claude",
    "gob",
)


def formats() -> tuple[Format, ...]:
    """Every format, imported."""
    from importlib import import_module

    return tuple(import_module(f"{__name__}.{name}").FORMAT for name in FORMATS)
