"""GPT-2's two files: a vocabulary (vocab.json, encoder.json) and its merges in rank order (merges.txt, vocab.bpe).

    tokenizer = open_tokenizer("gpt2/")            # the folder, or either of the two files
    tokenizer = open_tokenizer("gpt2/vocab.bpe")

Every token is spelled in GPT-2's byte map (core/bytemap.py). The merges are lines of two spellings; a line ends at
"\\n" alone (U+0085 and U+2028 are data), and only a first line that starts with "#version" is a header. The files say
no split pattern: it is GPT-2's unless what lies beside them names another model.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import numpy as np

from ..core.bytelevel import ByteLevelTokenizer, special_kinds
from ..core.bytemap import to_bytes
from ..core.errors import InputError
from ..core.vocabulary import MergeTable, Vocabulary
from .hf_json import parse as parse_json
from .registry import Format, Source
from .tiktoken import pattern_named

VOCABULARY_NAMES = ("vocab.json", "encoder.json")
MERGES_NAMES = ("merges.txt", "vocab.bpe")
#: Tokens that the well-known models of this format treat as special, when no merge makes them.
SPECIAL_TEXTS = ("<|endoftext|>", "<s>", "</s>", "<pad>", "<unk>", "<mask>", "<|startoftext|>", "<|im_start|>",
                 "<|im_end|>")
#: tokenizer_class in tokenizer_config.json -> split pattern.
CLASSES = {"Qwen2Tokenizer": "qwen2", "GPT2Tokenizer": "gpt2", "RobertaTokenizer": "gpt2", "BartTokenizer": "gpt2"}
LARGEST_ID = (1 << 32) - 1

_ENTRY = re.compile(rb'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*-?\d')


def _sniff(source: Source) -> int:
    head = source.head
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        head = head[2:].replace(b"\0", b"")
    head = head.removeprefix(b"\xef\xbb\xbf")
    if _ENTRY.match(head):
        return 60
    if head.lstrip().startswith(b"{"):
        return 0
    try:
        text = head.decode("utf-8", "strict" if len(head) < 4096 else "ignore")
    except UnicodeDecodeError:
        return 0
    lines = text.split("\n")
    lines = [line.rstrip("\r") for line in (lines[:-1] if len(lines) > 2 else lines) if line.strip()]
    if not lines or "\0" in text:
        return 0
    if lines[0].startswith("#version") and "</w>" not in text:
        return 70
    pairs = sum(len(line.split(" ")) == 2 for line in lines)
    return 30 if pairs == len(lines) and "</w>" not in text and not _ranked(lines) else 0


def _ranked(lines: list[str]) -> bool:
    """Lines whose second field is a number are a rank file's."""
    return all(line.split(" ")[1].isdigit() for line in lines)


def _load(source: Source, options: dict[str, str]) -> ByteLevelTokenizer:
    is_vocabulary = _ENTRY.match(source.head.replace(b"\0", b"").lstrip(b"\xff\xfe\xef\xbb\xbf")) is not None
    warnings: list[str] = []
    if source.data.startswith((b"\xff\xfe", b"\xfe\xff")):  # what is wrong with this file comes before what it lacks
        raise _within(utf16(), source.name)
    other = _companion(source, is_vocabulary)
    vocabulary_file, merges_file = (source, other) if is_vocabulary else (other, source)
    try:
        spelled = read_vocabulary(vocabulary_file.data, warnings)
    except InputError as error:
        raise _within(error, vocabulary_file.name) from error
    try:
        pairs = read_merges(merges_file.data, warnings)
        merges = merge_table(spelled, pairs)
    except InputError as error:
        raise _within(error, merges_file.name) from error
    sha256 = hashlib.sha256(vocabulary_file.data + merges_file.data).hexdigest()
    name = source.path.parent.name if source.path is not None and source.path.parent.name else source.name
    return build(name, sha256, spelled, merges, source, options, warnings)


def build(name: str, sha256: str, spelled: dict[str, int], merges: MergeTable, source: Source,
          options: dict[str, str], warnings: list[str]) -> ByteLevelTokenizer:
    """A tokenizer from spelling -> id and merges; special tokens and pattern from what lies beside the file."""
    beside = _json_beside(source, "added_tokens.json", warnings)
    added = {text: i for text, i in beside.items() if isinstance(i, int) and 0 <= i <= LARGEST_ID}
    made = set(merges.result.tolist())
    special = {t: spelled[t] for t in SPECIAL_TEXTS if t in spelled and spelled[t] not in made}
    for role, value in _json_beside(source, "special_tokens_map.json", warnings).items():
        text = value.get("content") if isinstance(value, dict) else value
        if role.endswith("_token") and isinstance(text, str) and text and (text in spelled or text in added):
            special[text] = spelled.get(text, added.get(text, 0))
    taken = set(spelled.values())
    for text, i in list(added.items()):
        if spelled.get(text, i) != i or (text not in spelled and i in taken):
            warnings.append(f"added_tokens.json gives {text!r} the id {i}, which is another token's: left out")
            del added[text]
    entries = [(i, t.encode("utf-8", "replace") if t in special or t in added or (b := to_bytes(t)) is None else b)
               for t, i in spelled.items()]
    entries += [(i, t.encode("utf-8", "replace")) for t, i in added.items() if t not in spelled]
    special = {t: i for t, i in special.items() if t in spelled or t in added}
    splitter, said = _pattern(source, options, spelled, warnings)
    if said:
        warnings.append(said)
    missing = 256 - sum(1 for t in spelled if len(t) == 1 and to_bytes(t) is not None)
    if missing:
        warnings.append(f"{missing} of the 256 bytes have no token: they are dropped from a text, as `tokenizers` does")
    vocabulary = Vocabulary.build(entries, kinds=special_kinds({**added, **special}.values()), merges=merges,
                                  raw={i: t for t, i in (*spelled.items(), *added.items())})
    return ByteLevelTokenizer(name, "vocab.json + merges.txt", sha256, vocabulary, splitter, merges=merges,
                              special_tokens=special, added_tokens={t: i for t, i in added.items() if t not in special},
                              warnings=warnings)


def _pattern(source: Source, options: dict[str, str], spelled: dict[str, int], warnings: list[str]) -> tuple[Any, str]:
    asked = options.get("pattern", "")
    if asked:
        return pattern_named(asked), ""
    kind = _json_beside(source, "tokenizer_config.json", warnings).get("tokenizer_class")
    known = CLASSES.get(kind.removesuffix("Fast")) if isinstance(kind, str) else None
    if known is not None:
        return pattern_named(known), ""
    said = "" if "<|endoftext|>" in spelled and len(spelled) == 50257 else (
        "the two files say no split pattern: GPT-2's is assumed (--pattern names another)")
    return pattern_named("gpt2"), said


def read_vocabulary(data: bytes, warnings: list[str]) -> dict[str, int]:
    """spelling -> id of vocab.json. InputError when it is no JSON object of whole numbers, or an id is there twice."""
    value = parse_json(data, warnings)
    if not isinstance(value, dict) or not value:
        raise InputError("this is no object of tokens and ids", where="line 1")
    if set(map(type, value.values())) != {int} or min(value.values()) < 0 or max(value.values()) > LARGEST_ID:
        text, i = next((t, i) for t, i in value.items() if type(i) is not int or not 0 <= i <= LARGEST_ID)
        raise InputError(f"the id of {text!r} is {i!r}, not a whole number from 0 to {LARGEST_ID}",
                         todo="check that the download is complete")
    if len(set(value.values())) != len(value):
        seen: dict[int, str] = {}
        for text, i in value.items():
            if i in seen:
                raise InputError(f"{seen[i]!r} and {text!r} have the same id {i}",
                                 todo="one of the two must have another")
            seen[i] = text
    return value


def utf16() -> InputError:
    return InputError("the file is UTF-16, not UTF-8", where="byte 0", todo="save it as UTF-8")


def read_merges(data: bytes, warnings: list[str]) -> list[tuple[int, str, str]]:
    """(line number, left, right) of merges.txt in rank order. InputError names the line that is no pair."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise utf16()
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
        warnings.append("the merges begin with a UTF-8 byte order mark, which is passed over")
    try:
        lines = data.decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise InputError("the file is not UTF-8", where=f"byte {error.start}", todo="save it as UTF-8") from error
    pairs: list[tuple[int, str, str]] = []
    for number, line in enumerate(lines, 1):
        line = line.removesuffix("\r")
        if not line or (number == 1 and line.startswith("#version")):
            continue
        left, _, right = line.partition(" ")
        if not left or not right or " " in right:
            fields = len(line.split())
            raise InputError(f"a merge is two tokens with one space between, here are {fields}" if fields != 2
                             else "a merge is two tokens with one space between", where=f"line {number}",
                             todo="check that the download is complete")
        pairs.append((number, left, right))
    if not pairs:
        warnings.append("there are no merges: every byte is a token of its own")
    return pairs


def merge_table(spelled: dict[str, int], pairs: list[tuple[int, str, str]]) -> MergeTable:
    """The merges as ids. InputError names the line and the token that the vocabulary does not have."""
    n = len(pairs)
    try:
        return MergeTable(
            np.fromiter((spelled[left] for _, left, _ in pairs), np.int64, n),
            np.fromiter((spelled[right] for _, _, right in pairs), np.int64, n),
            np.fromiter((spelled[left + right] for _, left, right in pairs), np.int64, n),
        )
    except KeyError:
        for number, left, right in pairs:
            for token in (left, right, left + right):
                if token not in spelled:
                    raise InputError(f"the merge {left!r} {right!r} needs the token {token!r}, which is not in the "
                                     "vocabulary", where=f"line {number}",
                                     todo="the vocabulary and the merges are not of one tokenizer") from None
        raise


def _companion(source: Source, is_vocabulary: bool) -> Source:
    stem = source.path.name if source.path is not None else source.name
    wanted = MERGES_NAMES if is_vocabulary else VOCABULARY_NAMES
    if source.path is None:
        raise InputError(f"{stem} is one of two files",
                         todo=f"open it from the folder that has {' or '.join(wanted)} too")
    likely = ([stem.replace("vocab.json", "merges.txt"), stem.replace("encoder.json", "vocab.bpe")] if is_vocabulary
              else [stem.replace("merges.txt", "vocab.json"), stem.replace("vocab.bpe", "encoder.json")])
    names = [n for n in likely if n != stem] + list(wanted)
    # GPT-2's own pair first for GPT-2's own file, so that a folder with both pairs never mixes them.
    found = source.beside(*dict.fromkeys(names))
    if found is None:
        what = "merges that belong to it are" if is_vocabulary else "vocabulary that belongs to it is"
        raise InputError(f"the {what} not there", where=stem, todo=f"put {' or '.join(dict.fromkeys(names))} beside it")
    return Source(found, found.name)


def _json_beside(source: Source, name: str, warnings: list[str]) -> dict[str, Any]:
    path: Path | None = source.beside(name)
    if path is None:
        return {}
    try:
        value = parse_json(path.read_bytes(), [])
    except (OSError, InputError) as error:
        warnings.append(f"{name} beside it cannot be read ({error}) and is passed over")
        return {}
    return value if isinstance(value, dict) else {}


def _within(error: InputError, name: str) -> InputError:
    return InputError(error.what, where=", ".join(x for x in (name, error.where) if x), todo=error.todo)


FORMAT = Format("vocab.json + merges.txt", "GPT-2's vocabulary and merges", (".json", ".txt", ".bpe"), _sniff, _load)
