"""What a rank file does not say: its split pattern and special tokens, known by content, by name, or guessed by size.

    >>> recognise("qwen.tiktoken", sha256="", size=0).pattern
    'qwen'

Sources: openai/tiktoken tiktoken_ext/openai_public.py (MIT), openai/whisper whisper/tokenizer.py (MIT), QwenLM/Qwen
tokenization_qwen.py, meta-llama/llama3 llama/tokenizer.py. The order of special tokens is the reference's: of two that
begin alike the first is matched.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_LANGUAGES = [
    "en", "zh", "de", "es", "ru", "ko", "fr", "ja", "pt", "tr", "pl", "ca", "nl", "ar", "sv", "it", "id", "hi", "fi",
    "vi", "he", "uk", "el", "ms", "cs", "ro", "da", "hu", "ta", "no", "th", "ur", "hr", "bg", "lt", "la", "mi", "ml",
    "cy", "sk", "te", "fa", "lv", "bn", "sr", "az", "sl", "kn", "et", "mk", "br", "eu", "is", "hy", "ne", "mn", "bs",
    "kk", "sq", "sw", "gl", "mr", "pa", "si", "km", "sn", "yo", "so", "af", "oc", "ka", "be", "tg", "sd", "gu", "am",
    "yi", "lo", "uz", "fo", "ht", "ps", "tk", "nn", "mt", "sa", "lb", "my", "bo", "tl", "mg", "as", "tt", "haw", "ln",
    "ha", "ba", "jw", "su",
]


def _numbered(texts: list[str], first: int) -> dict[str, int]:
    return {text: first + i for i, text in enumerate(texts)}


def _whisper(first: int) -> dict[str, int]:
    return _numbered([
        "<|endoftext|>", "<|startoftranscript|>", *(f"<|{code}|>" for code in _LANGUAGES), "<|translate|>",
        "<|transcribe|>", "<|startoflm|>", "<|startofprev|>", "<|nospeech|>", "<|notimestamps|>",
        *(f"<|{i * 0.02:.2f}|>" for i in range(1501)),
    ], first)


def _llama3() -> dict[str, int]:
    return _numbered([
        "<|begin_of_text|>", "<|end_of_text|>", *(f"<|reserved_special_token_{i}|>" for i in range(4)),
        "<|start_header_id|>", "<|end_header_id|>", "<|reserved_special_token_4|>", "<|eot_id|>",
        *(f"<|reserved_special_token_{i}|>" for i in range(5, 251)),
    ], 128000)


_O200K = {"<|endoftext|>": 199999, "<|endofprompt|>": 200018}
_HARMONY = {
    **_O200K, "<|startoftext|>": 199998, "<|reserved_200000|>": 200000, "<|reserved_200001|>": 200001,
    "<|return|>": 200002, "<|constrain|>": 200003, "<|reserved_200004|>": 200004, "<|channel|>": 200005,
    "<|start|>": 200006, "<|end|>": 200007, "<|message|>": 200008, "<|reserved_200009|>": 200009,
    "<|reserved_200010|>": 200010, "<|reserved_200011|>": 200011, "<|call|>": 200012,
    **{f"<|reserved_{i}|>": i for i in range(200013, 201088)},
}
# The reference's dict has this id twice, and the later text is the one it decodes to.
_HARMONY["<|endofprompt|>"] = 200018

#: name -> special token -> id.
SPECIAL_TOKENS: dict[str, dict[str, int]] = {
    "gpt2": {"<|endoftext|>": 50256},
    "r50k_base": {"<|endoftext|>": 50256},
    "p50k_base": {"<|endoftext|>": 50256},
    "p50k_edit": {"<|endoftext|>": 50256, "<|fim_prefix|>": 50281, "<|fim_middle|>": 50282, "<|fim_suffix|>": 50283},
    "cl100k_base": {
        "<|endoftext|>": 100257, "<|fim_prefix|>": 100258, "<|fim_middle|>": 100259, "<|fim_suffix|>": 100260,
        "<|endofprompt|>": 100276,
    },
    "o200k_base": _O200K,
    "o200k_harmony": {text: i for text, i in _HARMONY.items() if text != "<|reserved_200018|>"},
    "qwen": _numbered(["<|endoftext|>", "<|im_start|>", "<|im_end|>", *(f"<|extra_{i}|>" for i in range(205))], 151643),
    "llama3": _llama3(),
    "whisper": _whisper(50257),
}


@dataclass(frozen=True, slots=True)
class Known:
    """pattern: a name of core/patterns.py. special: text -> id. warnings: what was guessed."""

    pattern: str
    special: dict[str, int] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


#: SHA-256 of the rank file -> name.
BY_CONTENT = {
    "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930": "r50k_base",
    "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069": "p50k_base",
    "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7": "cl100k_base",
    "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d": "o200k_base",
    "b2b1b8dfb5cc5f024bafc373121c6aba3f66f9a5a0269e243470a1de16a33186": "qwen",
    "b34b360dbb493e781e479794586d661700670d65564001f23024971d1f2fa126": "whisper",
}
#: Number of ranks -> name, for files that are not known otherwise.
BY_SIZE = {50256: "r50k_base", 50280: "p50k_base", 100256: "cl100k_base", 199998: "o200k_base", 151643: "qwen",
           128000: "llama3", 50257: "whisper"}
#: What a file's name may hold -> name; the first that fits.
BY_NAME = (("o200k_harmony", "o200k_harmony"), ("o200k", "o200k_base"), ("cl100k", "cl100k_base"),
           ("p50k_edit", "p50k_edit"), ("p50k", "p50k_base"), ("r50k", "r50k_base"), ("gpt2", "gpt2"),
           ("qwen", "qwen"), ("llama", "llama3"), ("whisper", "whisper"), ("multilingual", "whisper"))
#: Patterns that are used when nothing is known.
DEFAULT_PATTERN = "cl100k_base"


def recognise(name: str, sha256: str, size: int) -> Known:
    """size: how many ranks the file has. Special tokens come with a name only where their ids are free."""
    lowered = re.sub(r"[^a-z0-9]+", "_", name.lower())
    named = next((known for part, known in BY_NAME if part in lowered), "")
    by_content = BY_CONTENT.get(sha256, "")
    if by_content:
        # r50k_base is GPT-2's file too, and p50k_edit's is p50k_base's: the name decides between the two.
        found = named if named and size_of(named) == size_of(by_content) else by_content
        said = (("the special tokens are those of Whisper up to large-v2: large-v3 has one language more",)
                if found == "whisper" else ())
        return Known(found, SPECIAL_TOKENS[found], said)
    if named:
        if min(SPECIAL_TOKENS[named].values()) >= size or size == size_of(named):
            return Known(named, SPECIAL_TOKENS[named])
        return Known(named, {}, (f"the split pattern is {named}'s by the file's name; its special tokens have ids that "
                                 "this file uses otherwise and are left out",))
    if size in BY_SIZE:
        found = BY_SIZE[size]
        return Known(found, SPECIAL_TOKENS[found],
                     (f"a rank file does not say its split pattern: {found}'s is assumed, with {size:,} ranks too "
                      "(--pattern names another)",))
    return Known(DEFAULT_PATTERN, {}, (f"a rank file does not say its split pattern: {DEFAULT_PATTERN}'s is assumed "
                                       "(--pattern names another), and no special tokens are known",))


def size_of(name: str) -> int:
    """How many ranks the file of a known name has."""
    wanted = {"gpt2": "r50k_base", "p50k_edit": "p50k_base", "o200k_harmony": "o200k_base"}.get(name, name)
    return next((size for size, known in BY_SIZE.items() if known == wanted), 0)
