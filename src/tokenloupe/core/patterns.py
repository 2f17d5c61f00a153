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

# mistralai/mistral-common, tekken.json "config.pattern" (Apache-2.0).
TEKKEN = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
    r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
# deepseek-ai/DeepSeek-V3 tokenizer.json: the last of its three splits; the first two cut digits and CJK off.
DEEPSEEK_V3 = (
    r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^""" "\r\n" r"""\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"""
    r"""| ?[\p{P}\p{S}]+[""" "\r\n" r"""]*|\s*[""" "\r\n" r"""]+|\s+(?!\S)|\s+"""
)
# openai/CLIP simple_tokenizer.py (MIT), without its two special tokens: what it does not match is dropped.
CLIP = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"

PATTERNS: dict[str, str] = {
    "gpt2": GPT2, "r50k_base": GPT2, "p50k_base": GPT2, "p50k_edit": GPT2, "whisper": GPT2_ORIGINAL,
    "cl100k_base": CL100K, "o200k_base": O200K, "o200k_harmony": O200K,
    "claude": GPT2_ORIGINAL, "llama3": LLAMA3, "qwen": QWEN2, "qwen2": QWEN2,
    "tekken": TEKKEN, "deepseek_v3": DEEPSEEK_V3, "clip": CLIP,
}

#: Shorter names for the same.
ALIASES = {"r50k": "r50k_base", "p50k": "p50k_base", "cl100k": "cl100k_base", "o200k": "o200k_base"}

# The forms the same patterns have in files: they match the same pre-tokens.
_SAME = {
    GPT2_ORIGINAL: "gpt2",
    r"'s|'t|'re|'ve|'m|'ll|'d| ?[\p{L}]+| ?[\p{N}]+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+": "gpt2",
}


def known_as(pattern: str) -> str | None:
    """The first name of a pattern that is known by its text, or None."""
    for name, text in PATTERNS.items():
        if text == pattern:
            return name
    return _SAME.get(pattern)


def is_trusted(pattern: str) -> bool:
    """Every match of a known pattern looks at each character a bounded number of times: it needs no time limit."""
    return known_as(pattern) is not None



def named(name: str, engine: Engine = "fancy-regex") -> Splitter:
    """The splitter of a well-known tokenizer. InputError for a name that is not known."""
    if name not in PATTERNS:
        raise InputError(f"no split pattern is known as {name!r}", todo=f"known are {', '.join(PATTERNS)}")
    return compile_pattern(PATTERNS[name], engine)
