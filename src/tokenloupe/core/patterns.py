"""The split patterns of the well-known tokenizers, by name.

    >>> named("o200k_base").ends(b"Hello world")
    array([ 5, 11])

The texts are facts of the vocabularies they come with; each says where it is published.
"""

from __future__ import annotations

from .errors import InputError
from .pattern import Engine, Splitter, compile_pattern

# openai/tiktoken, tiktoken_ext/openai_public.py (MIT).
GPT2 = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"
CL100K = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)
O200K = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
# openai/gpt-2, src/encoder.py (MIT); also huggingface/tokenizers' ByteLevel (Apache-2.0) and Anthropic's claude.json.
GPT2_ORIGINAL = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
# meta-llama/llama3 llama/tokenizer.py; also the tokenizer.json of gpt-3.5-turbo.
LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
# QwenLM/Qwen tokenization_qwen.py; the tokenizer.json of Qwen2, Qwen2.5 and Qwen3.
QWEN2 = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")

PATTERNS: dict[str, str] = {
    "gpt2": GPT2, "r50k_base": GPT2, "p50k_base": GPT2, "p50k_edit": GPT2, "whisper": GPT2_ORIGINAL,
    "cl100k_base": CL100K, "o200k_base": O200K, "o200k_harmony": O200K,
    "claude": GPT2_ORIGINAL, "llama3": LLAMA3, "qwen": QWEN2, "qwen2": QWEN2,
}


def named(name: str, engine: Engine = "fancy-regex") -> Splitter:
    """The splitter of a well-known tokenizer. InputError for a name that is not known."""
    if name not in PATTERNS:
        raise InputError(f"no split pattern is known as {name!r}", todo=f"known are {', '.join(PATTERNS)}")
    return compile_pattern(PATTERNS[name], engine)
