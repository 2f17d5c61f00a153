"""Vocabularies in GGUF files, as llama.cpp reads them: gpt2, llama, bert, t5, rwkv, gemma4.

The file is mapped, not read: of a model of many gigabytes only the metadata's pages are touched, and strings are found
by their lengths, vectorised. What the tokenizer does not need now (chat template, token type count) is kept in `extra`.

sha256 is of the whole file up to 256 MiB; of a larger one it is of the metadata alone (a minute's reading otherwise).
Source: llama.cpp src/llama-vocab.cpp (MIT), as vendored in llama-cpp-python 0.3.36.
"""

from __future__ import annotations

import hashlib
import mmap
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..core.byte_letters import Pieces, letters_of_utf8, texts_of, with_rows
from ..core.bytemap import BYTE_OF, to_bytes
from ..core.errors import InputError
from ..core.gguf_reader import LEGACY_MAGICS, MAGIC, Buffer, Metadata, StringArray, read_metadata
from ..core.llamacpp import LlamaEnds, LlamaTokenizer
from ..core.llamacpp_bpe import LlamaByteLevel, SymbolBpe
from ..core.llamacpp_marks import KINDS, Mark, Marks, overruled
from ..core.llamacpp_models import RwkvModel, SpmModel, UgmModel, WordPieceModel
from ..core.llamacpp_patterns import PRE, Pre
from ..core.llamacpp_split import LlamaSplitter, splitter
from ..core.lookup import SpanTable
from ..core.merge_lookup import WrittenMerges, merge_ids
from ..core.precompiled import Precompiled
from ..core.sp_normalizer import SPACE
from ..core.sp_pieces import PieceTable
from ..core.tokenizer import Tokenizer
from ..core.utf8 import is_valid
from ..core.vocabulary import MergeTable, TokenKind, Vocabulary, join_bytes, split_bytes
from . import stored_gguf
from .cache import through
from .registry import Format, Source

HASHED = 256 << 20

_KEY = "tokenizer.ggml."


def sniff(source: Source) -> int:
    magic = source.head[:4]
    return 100 if magic == MAGIC else 90 if magic in LEGACY_MAGICS or magic == MAGIC.lower() else 0


def load(source: Source, options: dict[str, str]) -> Tokenizer:
    """InputError for what is no GGUF file, is cut, has no vocabulary, or one of a kind that is not supported."""
    file = _File(source)
    return through("gguf", source, load=lambda: from_metadata(file.meta, source.name, file.digest),
                   freeze=stored_gguf.freeze, thaw=lambda kept: stored_gguf.thaw(kept, source.name),
                   digest=lambda: file.digest)


class _File:
    """The file's metadata and what it is known by, read when they are asked for."""

    def __init__(self, source: Source) -> None:
        self.source = source

    @cached_property
    def buffer(self) -> Buffer:
        if self.source.path is None:
            return self.source.data
        with self.source.path.open("rb") as file:
            size = file.seek(0, 2)
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b""

    @cached_property
    def meta(self) -> Metadata:
        return read_metadata(self.buffer)

    @cached_property
    def digest(self) -> str:
        if len(self.buffer) <= HASHED:
            return hashlib.sha256(self.buffer).hexdigest()
        return hashlib.sha256(bytes(self.buffer[: self.meta.tensor_infos_start])).hexdigest()


@dataclass
class _Vocab:
    """What every model needs. raw: tokens as in the file; given: their kinds; kinds: after llama.cpp's second look."""

    meta: Metadata
    name: str
    sha256: str
    model: str
    raw: list[bytes]
    ids: dict[bytes, int]
    kinds: NDArray[np.uint8]
    scores: NDArray[np.float32]
    given: NDArray[np.uint8]
    pre: Pre
    warnings: list[str] = field(default_factory=list)

    @cached_property
    def joined(self) -> Pieces:
        """All tokens, one behind the other."""
        return join_bytes(self.raw)

    def flag(self, key: str, default: bool) -> bool:
        found = self.meta.flag(_KEY + key)
        return default if found is None else found

    def special(self, key: str, default: int | None) -> int | None:
        """The id of a special token; the default where the file has none or one out of range."""
        found = self.meta.integer(_KEY + key)
        if found is not None and 0 <= found < len(self.raw):
            return found
        if found is not None:
            self.warnings.append(f"{_KEY}{key} is {found}, which is no token: not used, as in llama.cpp")
        return default if default is not None and default < len(self.raw) else None

    def marks(self) -> Marks:
        """The tokens that are found in text."""
        stripped = self._stripping()
        wanted = np.flatnonzero(np.isin(self.kinds, [TokenKind.SPECIAL, TokenKind.UNKNOWN, TokenKind.ADDED]))
        return Marks([
            Mark(self.raw[i], i, int(self.kinds[i]) != TokenKind.ADDED, i in stripped[0], i in stripped[1])
            for i in wanted.tolist()
        ])

    def _stripping(self) -> tuple[set[int], set[int]]:
        """Tokens that take the blanks before and after them, which llama.cpp tells by the model's name."""
        pre = self.meta.text(_KEY + "pre") or ""
        model = (self.meta.text("general.name") or "").lower()
        architecture = self.meta.text("general.architecture") or ""
        if pre in ("jina-v2-de", "jina-v2-es", "jina-v2-code") or architecture in ("nomic-bert-moe", "jina-bert-v3"):
            return {self.ids[b"<mask>"]} if b"<mask>" in self.ids else set(), set()
        if "phi-3" in model or "phi3" in model:
            special = np.flatnonzero(np.isin(self.kinds, [TokenKind.SPECIAL, TokenKind.UNKNOWN, TokenKind.ADDED]))
            right = set(special.tolist()) | {self.ids.get(b"</s>", -1)}
            return set(), right - {self.ids.get(t, -1) for t in (b"<unk>", b"<s>", b"<|endoftext|>")}
        if "modern-bert" in model:
            return {self.ids[b"[MASK]"]} if b"[MASK]" in self.ids else set(), set()
        return set(), set()

    @property
    def extra(self) -> dict[str, str]:
        """Texts kept for later."""
        keys = ("chat_template", "pre", "model")
        found = {k: self.meta.text(f"tokenizer.{k}" if k == "chat_template" else _KEY + k) for k in keys}
        return {k: v for k, v in found.items() if v is not None}


def from_metadata(meta: Metadata, name: str, sha256: str) -> Tokenizer:
    """The tokenizer that a GGUF file's metadata describes."""
    model = meta.text(_KEY + "model")
    if model is None:
        also = f" ({meta.problems[0]})" if meta.problems else ""
        raise InputError(f"the GGUF file has no vocabulary{also}", where=f"key {_KEY}model",
                         todo="open it as tensors, or fetch the file that holds the tokenizer")
    build = _MODELS.get(model)
    if build is None:
        why = _UNSUPPORTED.get(model, "which llama.cpp does not know")
        raise InputError(f"the tokenizer model is {model!r}, {why}", where=f"key {_KEY}model",
                         todo=f"supported are {', '.join(_MODELS)}")
    tokens = meta.strings(_KEY + "tokens")
    if tokens is None or not len(tokens):
        raise InputError("the vocabulary has no tokens", where=f"key {_KEY}tokens", todo="fetch the file again")
    joined = tokens.joined()
    raw = split_bytes(*joined)
    empty = np.flatnonzero(tokens.lengths == 0).tolist()
    for i in empty:
        raw[i] = b"[EMPTY_%d]" % i
    ids = dict(zip(raw, range(len(raw)), strict=True))
    warnings = list(meta.problems)
    if len(ids) != len(raw):
        warnings.append(f"{len(raw) - len(ids)} tokens are spelled like another: llama.cpp refuses such a file, here "
                        "the last of them counts")
    kinds = _kinds(meta, len(raw))
    named = {k: v for k in ("fim_pre", "fim_suf", "fim_mid", "fim_pad", "fim_rep", "fim_sep")
             if (v := meta.integer(f"{_KEY}{k}_token_id")) is not None}
    vocab = _Vocab(meta, name, sha256, model, raw, ids, overruled(kinds, ids, named), _scores(meta, len(raw)), kinds,
                   Pre("default"), warnings)
    if not empty:
        vocab.joined = joined
    return build(vocab)


def _kinds(meta: Metadata, count: int) -> NDArray[np.uint8]:
    types = meta.numbers(_KEY + "token_type")
    if types is None:
        return np.zeros(count, np.uint8)
    if len(types) < count:
        raise InputError(f"{len(types):,} token types for {count:,} tokens", where=f"key {_KEY}token_type",
                         todo="the file was written wrongly: convert the model again")
    table = np.full(256, TokenKind.NORMAL, np.uint8)
    for number, kind in KINDS.items():
        table[number] = kind
    return table[np.clip(types[:count].astype(np.int64), 0, 255)]


def _scores(meta: Metadata, count: int) -> NDArray[np.float32]:
    scores = meta.numbers(_KEY + "scores")
    if scores is None:
        return np.zeros(count, np.float32)
    if len(scores) < count:
        raise InputError(f"{len(scores):,} scores for {count:,} tokens", where=f"key {_KEY}scores",
                         todo="the file was written wrongly: convert the model again")
    return scores[:count].astype(np.float32)


def _vocabulary(vocab: _Vocab, decoded: Pieces, merges: MergeTable | None = None, scored: bool = False) -> Vocabulary:
    """Entries with what they decode to (joined); special ones as they are spelled."""
    blob, offsets = decoded
    raw_blob, raw_offsets = vocab.joined
    return Vocabulary(np.arange(len(vocab.raw)), blob, offsets, vocab.kinds, scores=vocab.scores if scored else None,
                      merges=merges, raw_blob=raw_blob, raw_offsets=raw_offsets)


def _spaced(vocab: _Vocab) -> Pieces:
    """Tokens of the SentencePiece family: `▁` is a space, `<0xE2>` a byte, unused ones nothing."""
    out = b"\xff".join(vocab.raw).replace(SPACE.encode(), b" ").split(b"\xff")
    if len(out) != len(vocab.raw):
        out = [r.replace(SPACE.encode(), b" ") for r in vocab.raw]
    for i in np.flatnonzero(vocab.kinds != TokenKind.NORMAL).tolist():
        out[i] = vocab.raw[i]
    for i in np.flatnonzero(vocab.kinds == TokenKind.UNUSED).tolist():
        out[i] = b""
    for i in np.flatnonzero(vocab.kinds == TokenKind.BYTE).tolist():
        out[i] = _byte_of(out[i], i)
    return join_bytes(out)


def _byte_of(token: bytes, token_id: int) -> bytes:
    try:
        return bytes((int(token[3:5], 16),))
    except ValueError as error:
        raise InputError(f"{token[:20]!r} is of type byte and names none", where=f"token {token_id}",
                         todo="byte tokens are spelled <0x00> to <0xFF>") from error


#: Bytes that valid UTF-8 never holds: many vocabularies have no token for them, and no text needs one.
_NEVER_IN_UTF8 = frozenset([0xC0, 0xC1, *range(0xF5, 0x100)])


def _missing_bytes(vocab: _Vocab) -> set[int]:
    """The bytes that no ordinary token stands for alone."""
    return {b for letter, b in BYTE_OF.items()
            if vocab.kinds[vocab.ids.get(letter.encode(), -1)] != TokenKind.NORMAL or letter.encode() not in vocab.ids}


def _ends(before: int | None, after: int | None) -> LlamaEnds:
    return LlamaEnds(() if before is None else (before,), () if after is None else (after,))


def _bos_eos(vocab: _Vocab, bos: int | None, eos: int | None, add_bos: bool, add_eos: bool) -> LlamaEnds:
    """What add_special adds. bos, eos: the model's defaults."""
    before = vocab.special("bos_token_id", bos) if vocab.flag("add_bos_token", add_bos) else None
    after = vocab.special("eos_token_id", eos) if vocab.flag("add_eos_token", add_eos) else None
    return _ends(before, after)


def _llama(vocab: _Vocab) -> Tokenizer:
    texts = texts_of(vocab.raw)
    scores = vocab.scores + np.float32(0.0)  # -0.0 is 0.0: llama.cpp compares scores as numbers
    table = PieceTable(texts, np.zeros(len(texts), np.uint8), scores)
    bytes_ = [table.ids.get(f"<0x{b:02X}>", table.ids.get(bytes((b,)).decode("utf-8", "surrogateescape"), -1))
              for b in range(256)]
    missing = sum(b < 0 for b in bytes_)
    if missing:
        vocab.warnings.append(f"{missing} of the 256 bytes have no token: llama.cpp stops on a text that needs one")
    model = SpmModel(table, bytes_, add_space_prefix=vocab.flag("add_space_prefix", True))
    return LlamaTokenizer(vocab.name, vocab.sha256, _vocabulary(vocab, _spaced(vocab), scored=True), model,
                          vocab.marks(), _bos_eos(vocab, 1, 2, True, False), tuple(vocab.warnings), vocab.extra)


def _bert(vocab: _Vocab) -> Tokenizer:
    unk = vocab.special("unknown_token_id", 100)
    if unk is None:
        raise InputError("the vocabulary has no unknown token", where=f"key {_KEY}unknown_token_id",
                         todo="convert the model again")
    lowercase = vocab.flag("normalizer.lowercase", True)
    model = WordPieceModel(dict(zip(texts_of(vocab.raw), range(len(vocab.raw)), strict=True)), unk, lowercase=lowercase,
                           strip_accents=vocab.flag("normalizer.strip_accents", lowercase))
    ends = _ends(vocab.special("bos_token_id", 101), vocab.special("seperator_token_id", 102))
    return LlamaTokenizer(vocab.name, vocab.sha256, _vocabulary(vocab, _spaced(vocab)), model,
                          vocab.marks(), ends, tuple(vocab.warnings), vocab.extra)


def _t5(vocab: _Vocab) -> Tokenizer:
    blob = vocab.meta.numbers(_KEY + "precompiled_charsmap")
    # Which tokens are pieces the file's own types say; which count 0, as user-defined ones do, its second look at them.
    given = vocab.given
    shown = (vocab.kinds == TokenKind.ADDED) | ((vocab.kinds == TokenKind.SPECIAL) & (given == TokenKind.ADDED))
    kinds = np.where(np.isin(given, [TokenKind.NORMAL, TokenKind.UNUSED]), TokenKind.NORMAL, given).astype(np.uint8)
    kinds[kinds == TokenKind.UNKNOWN] = TokenKind.SPECIAL
    table = PieceTable(texts_of(vocab.raw), kinds, np.where(shown, np.float32(0.0), vocab.scores))
    unk = vocab.special("unknown_token_id", 2)
    table.unk_id = -1 if unk is None else unk  # which may be a piece too
    model = UgmModel(
        table, vocab.scores[given == TokenKind.NORMAL],
        Precompiled(blob.astype(np.uint8).tobytes()) if blob is not None and len(blob) else None,
        add_space_prefix=vocab.flag("add_space_prefix", False),
        remove_extra_whitespaces=vocab.flag("remove_extra_whitespaces", False),
    )
    return LlamaTokenizer(vocab.name, vocab.sha256, _vocabulary(vocab, _spaced(vocab), scored=True), model,
                          vocab.marks(), _bos_eos(vocab, None, 1, False, True), tuple(vocab.warnings), vocab.extra)


def _rwkv(vocab: _Vocab) -> Tokenizer:
    tokens = [_unescaped(t) for t in vocab.raw]
    model = RwkvModel({t: i for i, t in enumerate(tokens) if t}, vocab.special("unknown_token_id", None))
    return LlamaTokenizer(vocab.name, vocab.sha256, _vocabulary(vocab, join_bytes(tokens)), model,
                          vocab.marks(), _ends(None, None), tuple(vocab.warnings), vocab.extra)


_ESCAPES = {ord("t"): b"\t", ord("n"): b"\n", ord("r"): b"\r"}


def _unescaped(token: bytes) -> bytes:
    r"""`\t \n \r \xHH` and a backslash before anything else."""
    if b"\\" not in token:
        return token
    out, i = bytearray(), 0
    while i < len(token):
        if token[i] != 0x5C or i + 1 >= len(token):
            out.append(token[i])
            i += 1
        elif token[i + 1] == ord("x") and i + 3 < len(token):
            try:
                out.append(int(token[i + 2 : i + 4], 16))
            except ValueError:
                out += token[i + 2 : i + 4]
            i += 4
        else:
            out += _ESCAPES.get(token[i + 1], token[i + 1 : i + 2])
            i += 2
    return bytes(out)


def _gpt2(vocab: _Vocab) -> Tokenizer:
    pre_name = "gemma4" if vocab.model == "gemma4" else vocab.meta.text(_KEY + "pre") or ""
    if not pre_name:
        vocab.warnings.append("the file does not say how to split text (tokenizer.ggml.pre): llama.cpp's default is "
                              "used and ids may differ from the model's own")
    elif pre_name not in PRE:
        vocab.warnings.append(f"the split rule {pre_name[:40]!r} is not known: llama.cpp refuses the file, here its "
                              "default is used and ids may differ from the model's own")
    pre = PRE.get(pre_name, Pre("default"))
    plain = pre.group in ("gemma4", "whitespace")
    vocab.pre = pre
    merges = _merges(vocab)
    bos = None if pre.no_bos or vocab.model == "gemma4" else 11
    ends = _bos_eos(vocab, bos, None if vocab.model == "gemma4" else 11, pre.add_bos, False)
    if pre_name in ("gemma4", "granite-embed-multi-311m"):  # llama.cpp insists
        ends = replace(ends, before=_ends(vocab.special("bos_token_id", bos), None).before)
    rule = splitter(pre.group)
    decoded = _spaced(vocab) if plain else _from_letters(vocab)
    if not plain:
        table = _merge_ids(vocab, merges)
        missing = _missing_bytes(vocab)
        if missing <= _NEVER_IN_UTF8 and not _others_made(vocab, table, rule, pre):
            return LlamaByteLevel(vocab.name, vocab.sha256, _vocabulary(vocab, decoded, table), rule, table,
                                  vocab.marks(), ends, ignore_merges=pre.ignore_merges, clean_spaces=pre.clean_spaces,
                                  warnings=vocab.warnings, extra=vocab.extra)
        if not missing <= _NEVER_IN_UTF8:
            vocab.warnings.append(f"{len(missing)} of the 256 bytes have no token: a text that needs one loses it")
    model = SymbolBpe(lambda: texts_of(vocab.raw), lambda: (texts_of(merges.left), texts_of(merges.right)), rule,
                      byte_letters=not plain, escape_spaces=pre.escape_whitespaces, ignore_merges=pre.ignore_merges,
                      clean_spaces=pre.clean_spaces, whole_newlines=pre.group == "gemma4" and pre_name != "sarvam-moe")
    return LlamaTokenizer(vocab.name, vocab.sha256, _vocabulary(vocab, decoded), model, vocab.marks(), ends,
                          tuple(vocab.warnings), vocab.extra)


class _Merges:
    """left, right, result: the texts of the merges in order. A line is split at its first space that is not its first
    character; `written` are all of them at once where every line has one space."""

    def __init__(self, strings: StringArray) -> None:
        self._strings = strings
        self.written = WrittenMerges.of_spans(*strings.region())

    @cached_property
    def _parts(self) -> tuple[list[bytes], list[bytes]]:
        if self.written is not None:
            return self.written.parts()
        lines = self._strings.to_list()
        cuts = [line.find(b" ", 1) for line in lines]
        return ([line[:c] if c > 0 else b"" for line, c in zip(lines, cuts, strict=True)],
                [line[c + 1 :] if c > 0 else b"" for line, c in zip(lines, cuts, strict=True)])

    @property
    def left(self) -> list[bytes]:
        return self._parts[0]

    @property
    def right(self) -> list[bytes]:
        return self._parts[1]

    @property
    def result(self) -> list[bytes]:
        return list(map(bytes.__add__, *self._parts))


def _merges(vocab: _Vocab) -> _Merges:
    strings = vocab.meta.strings(_KEY + "merges")
    if strings is None:
        raise InputError("the file has no merges", where=f"key {_KEY}merges",
                         todo="a vocabulary of model gpt2 cannot be used without them")
    return _Merges(strings)


def _merge_ids(vocab: _Vocab, merges: _Merges) -> MergeTable:
    """The merges by id, of equal ones the first. InputError names one whose tokens are not in the vocabulary."""
    found = None
    if merges.written is not None:
        found = merge_ids(SpanTable(*vocab.joined, np.arange(len(vocab.raw))), merges.written)
    if found is None:
        found = MergeTable(_column(vocab, merges.left), _column(vocab, merges.right), _column(vocab, merges.result))
    keys = found.left * len(vocab.raw) + found.right
    ordered = np.sort(keys)
    if not bool((ordered[1:] == ordered[:-1]).any()):
        return found
    first = np.sort(np.unique(keys, return_index=True)[1])
    return MergeTable(found.left[first], found.right[first], found.result[first])


def _column(vocab: _Vocab, names: list[bytes]) -> NDArray[np.int64]:
    found = list(map(vocab.ids.get, names))
    if None in found:
        at = found.index(None)
        raise InputError(f"the token {names[at].decode('utf-8', 'replace')[:40]!r} is not in the vocabulary",
                         where=f"key {_KEY}merges, merge {at}", todo="convert the model again")
    return np.array(found, np.int64)


def _others_made(vocab: _Vocab, merges: MergeTable, rule: LlamaSplitter, pre: Pre) -> bool:
    """Can merging, or looking a whole pre-token up, give a token that is no ordinary one?"""
    if bool((vocab.kinds[merges.result] != TokenKind.NORMAL).any()):
        return True
    for i in np.flatnonzero(vocab.kinds != TokenKind.NORMAL).tolist() if pre.ignore_merges else ():
        spelled = to_bytes(vocab.raw[i].decode("utf-8", "surrogateescape"))
        if spelled is not None and (not is_valid(spelled) or len(rule.ends(spelled)) == 1):
            return True
    return False


def _from_letters(vocab: _Vocab) -> Pieces:
    """Tokens written in byte letters as bytes; special ones, and those with a character that is none, as they are."""
    blob, offsets, odd = letters_of_utf8(*vocab.joined)
    apart = {i: vocab.raw[i] for i in [*odd, *np.flatnonzero(vocab.kinds != TokenKind.NORMAL).tolist()]}
    for i in np.flatnonzero(vocab.kinds == TokenKind.UNUSED).tolist():
        apart[i] = b""
    for i in np.flatnonzero(vocab.kinds == TokenKind.BYTE).tolist():
        apart[i] = _byte_of(vocab.raw[i], i)
    return with_rows(blob, offsets, apart)


_MODELS: dict[str, Callable[[_Vocab], Tokenizer]] = {
    "gpt2": _gpt2, "llama": _llama, "bert": _bert, "t5": _t5, "rwkv": _rwkv, "gemma4": _gpt2,
}  # fmt: skip

_UNSUPPORTED = {
    "plamo2": "which is not supported here", "hybriddna": "which is not supported here",
    "whitespace": "which is not supported here", "test": "which makes up ids for llama.cpp's own tests",
    "none": "which says that the file has none", "no_vocab": "which says that the file has none",
}

FORMAT = Format("gguf", "GGUF vocabulary", (".gguf",), sniff, load)
