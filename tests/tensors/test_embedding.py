"""The token embedding by the names that published models give it (their index files and configurations)."""

from __future__ import annotations

import numpy as np
import pytest

from tokenloupe.tensors.embedding import token_embedding
from tokenloupe.tensors.files import open_tensor_bytes

from .build import safetensors

#: (names with rows, the one that has a row a token)
MODELS = {
    "bert": ([("embeddings.position_embeddings.weight", 512), ("embeddings.token_type_embeddings.weight", 2),
              ("embeddings.word_embeddings.weight", 300)], "embeddings.word_embeddings.weight"),
    "llama": ([("lm_head.weight", 320), ("model.embed_tokens.weight", 320)], "model.embed_tokens.weight"),
    "gpt2": ([("wpe.weight", 1024), ("wte.weight", 502)], "wte.weight"),
    "gguf": ([("output.weight", 320), ("position_embd.weight", 512), ("token_embd.weight", 320),
              ("token_types.weight", 2)], "token_embd.weight"),
    "neox": ([("embed_out.weight", 50), ("gpt_neox.embed_in.weight", 50)], "gpt_neox.embed_in.weight"),
    "t5": ([("encoder.block.0.layer.0.weight", 64), ("shared.weight", 320)], "shared.weight"),
    "mistral": ([("output.weight", 32), ("tok_embeddings.weight", 32)], "tok_embeddings.weight"),
    "opt": ([("model.decoder.embed_positions.weight", 2050), ("model.decoder.embed_tokens.weight", 502)],
            "model.decoder.embed_tokens.weight"),
    "llava": ([("vision_model.embeddings.patch_embedding.weight", 900), ("vision_model.embeddings.class_embedding", 5),
               ("language_model.model.embed_tokens.weight", 320)], "language_model.model.embed_tokens.weight"),
    "a name of its own": ([("embedding.q4_0", 48), ("mlp.up.weight", 90)], "embedding.q4_0"),
    "none": ([("mlp.up.weight", 90), ("embeddings.position_embeddings.weight", 4)], None),
}


@pytest.mark.parametrize("model", MODELS)
def test_the_embedding_of_tokens_and_not_of_positions(model: str) -> None:
    names, expected = MODELS[model]
    header, at = {}, 0
    for name, rows in names:
        header[name] = {"dtype": "F32", "shape": [rows, 1], "data_offsets": [at, at + 4 * rows]}
        at += 4 * rows
    found = token_embedding(open_tensor_bytes(safetensors(header, np.zeros(at // 4, np.float32).tobytes()), "m"))
    assert (found.name if found is not None else None) == expected
