"""load(): a tokenizer by bundled name, path, or `hub:owner/name`. open_case(), save_case(): case files."""

from __future__ import annotations

from pathlib import Path

from .cases import absolute, open_case, save_case
from .core.errors import InputError
from .core.tokenizer import Tokenizer
from .formats import open_tokenizer
from .formats.bundled import BUNDLED, load_bundled

__all__ = ["load", "open_case", "save_case"]

#: Formats whose files do not say their split pattern: load() takes one for them.
PATTERNLESS = ("tiktoken", "vocab.json + merges.txt")
OPTIONS = ("pattern", "vocabulary_only", "end_token")


def load(name_or_path: str | Path, **options: str) -> Tokenizer:
    """A tokenizer by bundled name (`o200k_base`), by path of a file or folder, or by `hub:owner/name[@revision]`.

    The last is fetched from the Hugging Face hub by the optional package huggingface_hub; nothing else uses a network.

    options, texts: pattern="cl100k" (a known pattern's name or a regex) for a rank file whose name does not say it;
    vocabulary_only="yes": of a tokenizer.json with a stage that cannot be run (a StageError) the entries without it;
    end_token: of merge_rules.gob.
    InputError says what is wrong, where, and what to do; TypeError: an option of another name.
    """
    if unknown := options.keys() - OPTIONS:
        raise TypeError(f"load() has no option {sorted(unknown)[0]!r}; it has {', '.join(OPTIONS)}")
    if not str(name_or_path):
        raise InputError("no tokenizer is named", todo="give a bundled name, a file or a folder")
    if isinstance(name_or_path, str) and name_or_path in BUNDLED and not Path(name_or_path).exists():
        if options.get("pattern"):
            raise InputError("a bundled vocabulary has its own split pattern", todo="leave --pattern out")
        return bundled(name_or_path)
    if isinstance(name_or_path, str) and name_or_path.startswith("hub:"):
        from .formats.hub import load_hub

        return _opened(load_hub(name_or_path, options), name_or_path, options)
    try:
        tokenizer = open_tokenizer(name_or_path, **options)
    except InputError as error:
        if error.where:
            raise
        raise type(error)(error.what, where=Path(name_or_path).name, todo=error.todo) from error
    if options.get("pattern") and tokenizer.format not in PATTERNLESS:
        raise InputError(f"a {tokenizer.format} file says how it splits", todo="leave --pattern out")
    return _opened(tokenizer, absolute(name_or_path), options)


def bundled(name: str) -> Tokenizer:
    """A bundled vocabulary, whatever lies in a folder or file of that name. InputError: there is none."""
    return _opened(load_bundled(name), name, {})


def _opened(tokenizer: Tokenizer, source: str, options: dict[str, str]) -> Tokenizer:
    """Note on it where it came from, for case files. (Links are kept: what lies beside a file counts, too.)"""
    tokenizer.opened_from, tokenizer.opened_with = source, {k: v for k, v in options.items() if v}
    return tokenizer
