"""The split patterns of llama.cpp, by the name in `tokenizer.ggml.pre`.

    >>> PRE["llama-bpe"]
    Pre(group="llama3", ignore_merges=True, add_bos=True, clean_spaces=True, ...)

A group is a list of patterns: each splits further what the ones before it left. They are in the notation llama.cpp
reads (its own functions for some, std::regex on class letters for the others; see llamacpp_split.py).

Data from llama.cpp src/llama-vocab.cpp (MIT, Copyright (c) 2023-2026 The ggml authors; the version vendored in
llama-cpp-python 0.3.36).
"""

from __future__ import annotations

from dataclasses import dataclass

GROUPS: dict[str, tuple[str, ...]] = {
    "llama3": (
        r"(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|[^\r\n\p{L}\p{N}]?\p{L}+"
        r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
    "jais2": (
        r"(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|[^\r\n\p{L}\p{N}]?\p{L}+"
        r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s{512}(?!\S)|\s{256}(?!\S)"
        r"|\s{128}(?!\S)|\s{64}(?!\S)|\s{32}(?!\S)|\s{16}(?!\S)|\s{8}(?!\S)|\s{4}(?!\S)"
        r"|\s{1,2}(?!\S)|\s{1}",
    ),
    "deepseek_llm": (
        "[\r\n]",
        "\\s?[A-Za-z\xb5\xc0-\xd6\xd8-\xf6\xf8-\u01ba\u01bc-\u01bf\u01c4-\u0293\u0295-\u02af\u0370-\u0373\u0376\u0377\u037b-\u037d\u037f\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03f5\u03f7-\u0481\u048a-\u052f\u0531-\u0556\u10a0-"
        "\u10c5\u13a0-\u13f5\u13f8-\u13fd\u1c90-\u1cba\u1cbd-\u1cbf\u1d00-\u1d2b\u1d6b-\u1d77\u1d79-\u1d9a\u1e00-\u1f15\u1f18-\u1f1d\u1f20-\u1f45\u1f48-\u1f4d\u1f50-\u1f57\u1f59\u1f5b\u1f5d\u1f5f-\u1f7d\u1f80-\u1fb4\u1fb6-\u1fbc\u1fbe\u1fc2-\u1fc4\u1fc6-\u1fcc\u1fd0-\u1fd3\u1fd6"
        "-\u1fdb\u1fe0-\u1fec\u1ff2-\u1ff4\u1ff6-\u1ffc\u2102\u2107\u210a-\u2113\u2115\u2119-\u211d\u2124\u2126\u2128\u212a-\u212d\u212f-\u2134\u2139\u213c-\u213f\u2145-\u2149\u214e\u2183\u2184\u2c00-\u2c7b\u2c7e-\u2ce4\u2ceb-\u2cee\u2cf2\u2cf3\ua640-\ua66d\ua680-\ua69b\ua722-\ua76f\ua771"
        "-\ua787\ua78b-\ua78e\uab70-\uabbf\ufb00-\ufb06\ufb13-\ufb17\uff21-\uff3a\uff41-\uff5a\U00010400-\U0001044f\U000104b0-\U000104d3\U000104d8-\U000104fb\U00010c80-\U00010cb2\U00010cc0-\U00010cf2\U000118a0-\U000118df\U0001e900-\U0001e943]+",
        "\\s?[!-/:-~\uff01-\uff0f\uff1a-\uff5e\u2018-\u201f\u3000-\u3002]+",
        r"\s+$",
        "[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+",
        r"\p{N}+",
    ),
    "deepseek3_llm": (
        r"\p{N}{1,3}",
        "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
        '[!"#$%&\'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+'
        "|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)"
        r"|\s+",
    ),
    "spark2_5": (
        r"\p{N}{1,3}",
        "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
        '[!"#$%&\'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+'
        "|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+|[\r\n]|\\s+(?!\\S)|\\s+",
        r"\p{N}",
    ),
    "youtu": (
        "[\uac00-\ud7a3\u3131-\u318e]+"
        "|[\uff01\u2026\u201c\u201d\u2018\u2019\u2014\uff1a\uff1b\uff0c\u3001-\u303f\ufe30-\ufe4f]+"
        "|[\u3105-\u312f]+|[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{"
        r"Lm}\p{Lo}\p{M}]+(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])?"
        r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{"
        r"Lm}\p{Lo}\p{M}]*(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])?|\p{N}"
        r"| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
    "deepseek_coder": (
        "[\r\n]",
        r"\s?\p{L}+",
        r"\s?\p{P}+",
        "[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+",
        r"\p{N}",
    ),
    "falcon": (
        r"[\p{P}\$\+<=>\^~\|`]+",
        r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)",
        "[0-9][0-9][0-9]",
    ),
    "starcoder": (
        r"\p{N}",
        r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)",
    ),
    "gpt2": (
        r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)",
    ),
    "stablelm2": (
        r"(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
        r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
    "qwen35": (
        "(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])"
        r"|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*"
        r"|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
    "poro": (
        " ?[^(\\s|.,!?\u2026\u3002\uff0c\u3001\u0964\u06d4\u060c)]+",
    ),
    "viking": (
        " ?[^(\\s|.,!?\u2026\u3002\uff0c\u3001\u0964\u06d4\u060c)]+",
        r"\p{N}",
    ),
    "tekken": (
        r"[^\r\n\p{L}\p{N}]?((?=[\p{L}])([^a-z]))*((?=[\p{L}])([^A-Z]))+"
        r"|[^\r\n\p{L}\p{N}]?((?=[\p{L}])([^a-z]))+((?=[\p{L}])([^A-Z]))*|\p{N}"
        r"| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
    "chameleon": (
        "<sentinel:[0-9]+>",
        "(IMGIMG)((A|B|C|D|E|F|G|H|I){1,4})Z",
        r"([\t\n]|    |  )",
        r"\p{N}",
        r"[\p{P}!-/:-@\[-`{-~]",
        r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)",
    ),
    "gpt4o": (
        r"[^\r\n\p{L}\p{N}]?((?=[\p{L}])([^a-z]))*((?=[\p{L}])([^A-Z]))+(?:'[sS]|'[tT]|'[rR][eE]"
        "|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])?"
        r"|[^\r\n\p{L}\p{N}]?((?=[\p{L}])([^a-z]))+((?=[\p{L}])([^A-Z]))*(?:'[sS]|'[tT]|'[rR][eE]"
        r"|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+"
        r"|\s+(?!\S)|\s+",
    ),
    "granite_emb_multi": (
        r"[^\r\n\p{L}\p{N}]?((?=[\p{L}\p{M}])([^a-z]))*((?=[\p{L}\p{M}])([^A-Z]))+(?:'[sS]|'[tT]"
        "|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])?"
        r"|[^\r\n\p{L}\p{N}]?((?=[\p{L}\p{M}])([^a-z]))+((?=[\p{L}\p{M}])([^A-Z]))*(?:'[sS]"
        r"|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*"
        r"|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
    "tiny_aya": (
        r"\d{1,3}(?=(?:\d{3})*\b)",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{"
        r"Lm}\p{Lo}\p{M}]+(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])?"
        r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{"
        r"Lm}\p{Lo}\p{M}]*(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])?|\p{N}{1,3}"
        r"| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
    "kimi_k2": (
        r"\p{Han}+",
    ),
    "superbpe": (
        r"\p{N}+",
        r"(?=(\d{3})+(?!\d))",
    ),
    "bailingmoe": (
        r"'(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
        r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+",
    ),
    "seed_coder": (
        r"(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|[^\r\n\p{L}\p{N}]?\p{L}+"
        r"|\p{N}{1}| ?[^\s\p{L}\p{N}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
    "ufakzeka": (
        r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)"
        r"|\s+",
    ),
    "afmoe": (
        r"\p{AFMoE_digits}",
        "[\u4e00-\u9fff\u3400-\u4dbf\u8c48-\ufaff\u3040-\u309f\u30a0-\u30ff\uff65-\uff9f\u2f00-\u2fdf\u0e40-\u0e7f\u0e80-\u0eff\u1780-\u17ff\u1000-\u109f\uaa60-\uaa7f\ua9e0-\ua9ff\uac00-\ud7af\u1100-\u11ff]+",
        '[!"#$%&\'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+'
        r"|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+"
        r"|\s+(?!\S)|\s+",
    ),
    "laguna": (
        r"[^\n]+|[\n]+",
        r"(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
        r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
    "exaone_moe": (
        "(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])"
        r"|[^\r\n\p{L}\p{N}]?(?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+|\p{N}"
        r"| ?[^\s\p{L}\p{N}]+[\r\n/]?|\s*[\r\n]|\s+(?!\S)|\s+",
    ),
    "gemma4": (
        r"[^\n]+|[\n]+",
    ),
    "minicpm5": (
        r"\p{N}{1,3}",
        r"(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|[^\r\n\p{L}\p{N}]?\p{L}+"
        r"|\p{N}+| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
    "whitespace": (
        r"\S+",
    ),
    "default": (
        r"[\p{P}\$\+<=>\^~\|]+",
        r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)",
        r"\p{N}+",
        "[0-9][0-9][0-9]",
    ),
}


@dataclass(frozen=True, slots=True)
class Pre:
    """What a `pre` name stands for. clean_spaces: llama_detokenize tidies spaces before punctuation."""

    group: str
    ignore_merges: bool = False
    add_bos: bool = False
    clean_spaces: bool = True
    escape_whitespaces: bool = False
    no_bos: bool = False


PRE: dict[str, Pre] = {
    "default": Pre("default"),
    "minicpm5": Pre("minicpm5", ignore_merges=True),
    "llama3": Pre("llama3", ignore_merges=True, add_bos=True),
    "llama-v3": Pre("llama3", ignore_merges=True, add_bos=True),
    "llama-bpe": Pre("llama3", ignore_merges=True, add_bos=True),
    "falcon3": Pre("llama3", ignore_merges=True, add_bos=True),
    "falcon-h1": Pre("llama3", ignore_merges=True, add_bos=True),
    "pixtral": Pre("llama3", ignore_merges=True, add_bos=True),
    "midm-2.0": Pre("llama3", ignore_merges=True, add_bos=True),
    "lfm2": Pre("llama3", ignore_merges=True, add_bos=True),
    "jina-v5-nano": Pre("llama3", ignore_merges=True, add_bos=True),
    "deepseek-llm": Pre("deepseek_llm", clean_spaces=False),
    "deepseek-coder": Pre("deepseek_coder", clean_spaces=False),
    "deepseek-v3": Pre("deepseek3_llm", clean_spaces=False),
    "spark2_5": Pre("spark2_5", clean_spaces=False),
    "youtu": Pre("youtu", clean_spaces=False, ignore_merges=True),
    "falcon": Pre("falcon"),
    "mpt": Pre("gpt2"),
    "starcoder": Pre("starcoder"),
    "gpt-2": Pre("gpt2"),
    "phi-2": Pre("gpt2"),
    "jina-es": Pre("gpt2"),
    "jina-de": Pre("gpt2"),
    "gigachat": Pre("gpt2"),
    "jina-v2-es": Pre("gpt2"),
    "jina-v2-de": Pre("gpt2"),
    "a.x-4.0": Pre("gpt2"),
    "mellum": Pre("gpt2"),
    "modern-bert": Pre("gpt2"),
    "jais-2": Pre("jais2"),
    "gemma4": Pre("gemma4", escape_whitespaces=True),
    "granite-embed-multi-311m": Pre("gemma4", escape_whitespaces=True),
    "sarvam-moe": Pre("gemma4", clean_spaces=False, escape_whitespaces=True),
    "jina-v1-en": Pre("gpt2"),
    "jina-v2-code": Pre("gpt2"),
    "roberta-bpe": Pre("gpt2"),
    "whitespace": Pre("whitespace"),
    "refact": Pre("starcoder"),
    "command-r": Pre("starcoder", clean_spaces=False),
    "qwen2": Pre("stablelm2", clean_spaces=False),
    "deepseek-r1-qwen": Pre("stablelm2", clean_spaces=False),
    "kormo": Pre("stablelm2", clean_spaces=False),
    "f2llmv2": Pre("stablelm2", clean_spaces=False),
    "qwen35": Pre("qwen35", clean_spaces=False),
    "stablelm2": Pre("stablelm2"),
    "olmo": Pre("gpt2"),
    "dbrx": Pre("llama3"),
    "smaug-bpe": Pre("llama3"),
    "poro-chat": Pre("poro", clean_spaces=False),
    "chatglm-bpe": Pre("llama3", no_bos=True),
    "glm4": Pre("llama3", ignore_merges=True, no_bos=True),
    "glm5": Pre("llama3", ignore_merges=True, no_bos=True),
    "viking": Pre("viking", clean_spaces=False),
    "jais": Pre("gpt2"),
    "tekken": Pre("tekken", clean_spaces=False, ignore_merges=True, add_bos=True),
    "smollm": Pre("starcoder", clean_spaces=False),
    "codeshell": Pre("starcoder"),
    "bloom": Pre("poro"),
    "gpt3-finnish": Pre("poro"),
    "exaone": Pre("starcoder"),
    "exaone4": Pre("gpt2"),
    "exaone-moe": Pre("exaone_moe"),
    "chameleon": Pre("chameleon", clean_spaces=False, add_bos=True),
    "minerva-7b": Pre("starcoder"),
    "megrez": Pre("stablelm2"),
    "gpt-4o": Pre("gpt4o", clean_spaces=False),
    "llama4": Pre("gpt4o", clean_spaces=False),
    "kanana2": Pre("gpt4o", clean_spaces=False),
    "talkie": Pre("gpt4o", clean_spaces=False),
    "granite-embed-multi-97m": Pre("granite_emb_multi", clean_spaces=False, ignore_merges=True),
    "tiny_aya": Pre("tiny_aya", clean_spaces=False),
    "cohere2moe": Pre("tiny_aya", clean_spaces=False),
    "superbpe": Pre("superbpe", clean_spaces=False),
    "trillion": Pre("gpt2", clean_spaces=False),
    "granite-docling": Pre("gpt2", clean_spaces=False),
    "bailingmoe": Pre("bailingmoe", clean_spaces=False),
    "bailingmoe2": Pre("bailingmoe", clean_spaces=False),
    "llada-moe": Pre("bailingmoe", clean_spaces=False),
    "seed-coder": Pre("seed_coder", clean_spaces=False),
    "hunyuan": Pre("stablelm2", clean_spaces=False),
    "hunyuan-dense": Pre("deepseek3_llm", clean_spaces=False),
    "hy_v4": Pre("deepseek3_llm", clean_spaces=False),
    "joyai-llm": Pre("deepseek3_llm", clean_spaces=False),
    "kimi-k2": Pre("kimi_k2", clean_spaces=False),
    "ufakzeka": Pre("ufakzeka", clean_spaces=False),
    "grok-2": Pre("stablelm2", clean_spaces=False),
    "afmoe": Pre("afmoe", clean_spaces=False),
    "laguna": Pre("laguna", clean_spaces=False),
    "minimax-m2": Pre("gpt4o", clean_spaces=False),
    "solar-open": Pre("stablelm2", clean_spaces=False),
    "mellum2": Pre("starcoder"),
}
