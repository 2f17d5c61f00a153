"""Encodes many short texts and says which of them yield the token that is wanted of them.

    >>> Trial(load_bundled("gpt2")).yields([b" world", b"world"], [995, 995])
    array([ True, False])

Byte-level models take a thousand texts at once, and so do the stages of a tokenizer.json (pipeline_many.py). One that
is such a model behind a normal form (Qwen's NFC) has it inside, `byte_engine`: texts that the normal form leaves as
they are, and that no added token is in, are its texts; the others go through all stages.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .bytelevel import ByteLevelTokenizer
from .errors import InputError
from .pipeline.added import AddedTokens
from .pipeline.aligned import Aligned
from .pipeline.decoders import ByteFallbackDecoder, Fuse, ReplaceDecoder
from .pipeline.normalizers import NormalForm
from .pipeline_bytelevel import engine_is_exact, with_engine
from .pipeline_many import encode_many
from .pipeline_tokenizer import PipelineTokenizer
from .tokenizer import SpecialMode, Tokenizer
from .vocabulary import Int64s, join_bytes

#: How long the texts of one slice should take, in seconds, and how many they are at most.
AIM, MOST = 0.008, 2048


def byte_engine(tokenizer: Tokenizer) -> ByteLevelTokenizer | None:
    """The byte-level model that a tokenizer is, or that it has behind nothing but normal forms. What it cannot produce
    of any text the tokenizer cannot either: a normalized text is a text."""
    if isinstance(tokenizer, ByteLevelTokenizer):
        return tokenizer
    if not isinstance(tokenizer, PipelineTokenizer) or not tokenizer.parts.normalizers:
        return None
    parts = tokenizer.parts
    if not all(isinstance(n, NormalForm) for n in parts.normalizers):
        return None
    inner = PipelineTokenizer(tokenizer.name, "", replace(parts, normalizers=()),
                              AddedTokens([], {}, len(tokenizer.vocabulary)))
    inner.__dict__["vocabulary"] = tokenizer.vocabulary
    if not engine_is_exact(inner):
        return None
    engine = with_engine(inner, True)
    assert isinstance(engine, ByteLevelTokenizer)
    return engine


class Trial:
    """tokenizer: whose tokens are wanted."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self.engine = byte_engine(tokenizer)
        self._plain: ByteLevelTokenizer | None = None
        if self.engine is not None and not self.engine.engine.missing and (
                self.engine is not tokenizer or not tokenizer.added_tokens):
            self._plain = self.engine
        #: Texts that are tried in one slice: as many as have taken about AIM.
        self.slice = 16 if self._plain is None else 256 if self._plain is tokenizer else 64
        self._added = [t.encode("utf-8", "surrogatepass") for t in (*tokenizer.special_tokens, *tokenizer.added_tokens)]

    def yields(self, texts: Sequence[bytes], ids: Sequence[int], mode: SpecialMode = "text") -> NDArray[np.bool_]:
        """bool: ids[i] is among the tokens of texts[i]."""
        if not texts:
            return np.zeros(0, np.bool_)
        began = time.perf_counter()
        out = self._yields(texts, ids) if mode == "text" else self._staged(texts, ids, mode)
        spent = time.perf_counter() - began
        if spent > 1.5 * AIM:
            self.slice = max(self.slice // 2, 1)
        elif spent < AIM / 2 and len(texts) >= self.slice:
            self.slice = min(self.slice * 2, MOST)
        return out

    def _yields(self, texts: Sequence[bytes], ids: Sequence[int]) -> NDArray[np.bool_]:
        if self._plain is None:
            return self._staged(texts, ids)
        if self._plain is self.tokenizer:
            return self._at_once(self._plain, texts, ids)
        same = self.kept(texts)
        out = np.zeros(len(texts), np.bool_)
        kept, others = np.flatnonzero(same).tolist(), np.flatnonzero(~same).tolist()
        if kept:
            out[kept] = self._at_once(self._plain, [texts[i] for i in kept], [ids[i] for i in kept])
        if others:
            out[others] = self._staged([texts[i] for i in others], [ids[i] for i in others])
        return out

    def kept(self, texts: Sequence[bytes]) -> NDArray[np.bool_]:
        """bool: the normal form leaves the text as it is, and no added token is in it."""
        assert isinstance(self.tokenizer, PipelineTokenizer)
        joined = b"\n".join(texts)
        added = [t for t in self._added if t in joined]
        # A line end composes with nothing, so the lines are normalized by themselves.
        lines = self.tokenizer.normalize(Aligned.of(joined)).text.encode("utf-8", "surrogatepass")
        if lines == joined and not added:
            return np.ones(len(texts), np.bool_)
        return np.array([
            not any(t in text for t in added)
            and self.tokenizer.normalize(Aligned.of(text)).text.encode("utf-8", "surrogatepass") == text
            for text in texts], np.bool_)

    def _staged(self, texts: Sequence[bytes], ids: Sequence[int], mode: SpecialMode = "text") -> NDArray[np.bool_]:
        """Through all stages: those of a tokenizer.json at once, others one by one."""
        many = self._many(texts, mode)
        if many is None:
            return np.array([i in self.ids(t, mode) for t, i in zip(texts, ids, strict=True)], np.bool_)
        made, owners = many
        out = np.zeros(len(texts), np.bool_)
        out[owners[made == np.asarray(ids, np.int64)[owners]]] = True
        return out

    def _many(self, texts: Sequence[bytes], mode: SpecialMode = "text") -> tuple[Int64s, Int64s] | None:
        """(ids, which text each is of) of all texts at once; None where the tokenizer is no tokenizer.json, or the
        library refuses one of them."""
        if not isinstance(self.tokenizer, PipelineTokenizer):
            return None
        try:
            return encode_many(self.tokenizer, texts, mode)
        except InputError:
            return None

    def ids(self, text: bytes, mode: SpecialMode = "text") -> Int64s:
        """The tokens of one text; none of a text that the reference library refuses, and this program with it."""
        try:
            return self.tokenizer._encode(text, mode, False).ids  # the round trip is not asked for
        except InputError:
            return np.zeros(0, np.int64)

    def comes_back(self, texts: Sequence[bytes], ids: Sequence[int]) -> NDArray[np.bool_]:
        """bool: encoded and decoded, the text is what it was, or the library refuses it. ids: the token whose bytes
        each text is."""
        tokenizer, many = self.tokenizer, self._many(texts)
        if many is None or not isinstance(tokenizer, PipelineTokenizer):
            return np.array([self._comes_back(text) for text in texts], np.bool_)
        made, owners = many
        edges = np.searchsorted(owners, np.arange(len(texts) + 1)).tolist()
        alike = all(isinstance(d, Fuse | ByteFallbackDecoder | ReplaceDecoder)
                    for d in tokenizer.parts.decoders or ())  # a first token is decoded as any other
        listed = made.tolist()
        return np.array([
            (alike and listed[a:b] == [i]) or tokenizer.decode(listed[a:b]) == text
            for text, i, a, b in zip(texts, ids, edges, edges[1:], strict=False)], np.bool_)

    def _comes_back(self, text: bytes) -> bool:
        try:
            return self.tokenizer.encode(text).exact
        except InputError:
            return True

    def _at_once(self, plain: ByteLevelTokenizer, texts: Sequence[bytes], ids: Sequence[int]) -> NDArray[np.bool_]:
        blob, offsets = join_bytes(texts)
        starts: list[Int64s] = []
        ends: list[Int64s] = []
        counts = np.zeros(len(texts), np.int64)
        for number, (text, base) in enumerate(zip(texts, offsets.tolist(), strict=False)):
            a, b = plain.pre_tokens(text)
            starts.append(a + base)
            ends.append(b + base)
            counts[number] = len(a)
        made = plain.encode_pieces(blob, np.concatenate(ends), np.concatenate(starts))
        owner = np.repeat(np.repeat(np.arange(len(texts)), counts), made.counts)
        out = np.zeros(len(texts), np.bool_)
        out[owner[made.ids == np.asarray(ids, np.int64)[owner]]] = True
        return out
