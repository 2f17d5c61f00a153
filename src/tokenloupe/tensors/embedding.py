"""Which tensor of a model holds a row for each token: the token embedding, by the names that models give it.

    >>> rank("bert.embeddings.word_embeddings.weight") > rank("bert.embeddings.position_embeddings.weight")
    True

GGUF calls it token_embd.weight; checkpoints have the name of their module: embed_tokens (Llama, Qwen, Gemma),
word_embeddings (BERT, BLOOM, Falcon), wte (GPT-2), tok_embeddings (Mistral's own files), embed_in (GPT-NeoX), shared
(T5). Positions, token types and patches have embeddings, too, with a row for each of something else.
"""

from __future__ import annotations

import re

from .files import TensorFile, TensorInfo

_TOKENS = re.compile(
    r"(?:^|[._])(?:token_embd|embed_tokens|word_embeddings?|tok_embeddings?|token_embeddings?|wte|embed_in|shared)"
    r"(?:[._](?:weight|\w+))?$"
)
_OTHERS = re.compile(
    r"pos(?:ition)?(?:al|s)?(?:[._]|_?emb)|(?:^|[._])wpe|type|patch|visual|vision|audio|time|rotary|norm|lora"
)


def rank(name: str) -> int:
    """How much a name speaks for the token embedding: 2 by its usual name, 1 perhaps, 0 not at all."""
    lowered = name.lower()
    if _OTHERS.search(lowered):
        return 0
    return 2 if _TOKENS.search(lowered) else 1 if "emb" in lowered else 0


def token_embedding(file: TensorFile) -> TensorInfo | None:
    """The readable matrix with one row a token, or None. Of several as likely ones, that with most rows."""
    found = [t for t in file.tensors if len(t.shape) == 2 and t.readable and t.block is not None and rank(t.name)]
    return max(found, key=lambda t: (rank(t.name), t.shape[0]), default=None)
