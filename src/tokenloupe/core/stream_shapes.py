r"""What one event of a server's stream holds: the shapes in which servers write a piece of text.

    >>> pieces_of({"choices": [{"index": 0, "delta": {"content": "Hi"}}]}, Tally())
    [b'Hi']

| shape | text | true bytes of each token |
|---|---|---|
| chat completions (OpenAI, vLLM, llama.cpp, ..) | choices[0].delta.content | choices[0].logprobs.content[].bytes |
| completions | choices[0].text | choices[0].logprobs.tokens[], where spelled "bytes:\\xf0\\x9f" |
| llama.cpp's own /completion | content | completion_probabilities[].bytes |
| responses (OpenAI) | delta of response.output_text.delta | logprobs[].bytes |
| messages (Anthropic) | delta.text of content_block_delta | |
| text-generation-inference | token.text | |
| Ollama | response, message.content | |
| plain | text, hex | hex |

The bytes are preferred: with them even characters that are cut between tokens are seen. What is no text of the answer
(reasoning, tool calls, refusals, other choices) is counted and left out.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from .tokenizer import to_bytes

#: OpenAI's completions spell a token that is no text by itself so.
_SPELLED = re.compile(r"bytes:((?:\\x[0-9a-fA-F]{2})+)\Z")
#: The one event of the responses API that adds text; its others repeat it, or add something else.
_RESPONSE_TEXT = "response.output_text.delta"
#: What a chat's delta may hold beside its content.
_LEFT_OUT = {"reasoning": ("reasoning_content", "reasoning"), "tool calls": ("tool_calls", "function_call"),
             "refusal": ("refusal",)}
_ENDS = ("response.completed", "response.incomplete", "response.failed", "message_stop")


@dataclass
class Tally:
    """finish: why the stream ended. done: whether its last event came. left_out: what is not shown, counted."""

    finish: str = ""
    done: bool = False
    left_out: Counter[str] = field(default_factory=Counter)


def pieces_of(row: dict[str, Any], tally: Tally) -> list[bytes] | None:
    """The pieces of text in one event, maybe none; None when it is no event of a stream that is known.

    TypeError, ValueError, KeyError or AttributeError when its parts are not those of its shape.
    """
    kind = row.get("type")
    if kind in _ENDS:
        tally.done = True
    if isinstance(row.get("choices"), list):
        return [piece for choice in row["choices"] for piece in _choice(choice, tally)]
    if isinstance(kind, str) and kind.startswith("response."):
        return _of_response(kind, row, tally)
    if isinstance(row.get("hex"), str):
        return [bytes.fromhex(row["hex"])]
    if isinstance(row.get("token"), dict) and "text" in row["token"]:
        return _of_generated_token(row, tally)
    return _plain(row, tally)


def _choice(choice: dict[str, Any], tally: Tally) -> list[bytes]:
    """A choice of a chat or text completion; none but the first is played."""
    if choice.get("index", 0) != 0:
        tally.left_out["other choices"] += 1
        return []
    delta = choice.get("delta") or {}
    if choice.get("finish_reason"):
        tally.finish = str(choice["finish_reason"])
    for name, keys in _LEFT_OUT.items():
        if any(delta.get(key) for key in keys):
            tally.left_out[name] += 1
    text = delta.get("content") if "content" in delta else choice.get("text")
    logprobs = choice.get("logprobs") or {}
    if known := _token_bytes(logprobs.get("content")) or _spelled_bytes(logprobs.get("tokens")):
        return known
    return [] if text is None else [to_bytes(_joined(text))]


def _joined(text: Any) -> str:
    """A text, or the text of a list of parts as Mistral writes it."""
    if isinstance(text, list):
        return "".join(part.get("text", "") for part in text if part.get("type") == "text")
    if not isinstance(text, str):
        raise TypeError
    return text


def _token_bytes(tokens: Any) -> list[bytes]:
    """The bytes of each token, or nothing when not all of them have theirs."""
    if not tokens or not all(isinstance(t.get("bytes"), list) for t in tokens):
        return []
    return [bytes(t["bytes"]) for t in tokens]


def _spelled_bytes(tokens: Any) -> list[bytes]:
    """Tokens as OpenAI's completions spell them, when one of them is no text and the text therefore not all."""
    if not tokens or not any(_SPELLED.match(t) for t in tokens):
        return []
    return [bytes.fromhex(m[1].replace("\\x", "")) if (m := _SPELLED.match(t)) else to_bytes(t) for t in tokens]


def _of_response(kind: str, row: dict[str, Any], tally: Tally) -> list[bytes]:
    if kind == _RESPONSE_TEXT:
        return _token_bytes(row.get("logprobs")) or [to_bytes(_joined(row["delta"]))]
    if kind.endswith(".delta"):
        for name in ("reasoning", "refusal"):
            if name in kind:
                tally.left_out[name] += 1
                return []
        tally.left_out["tool calls"] += 1
    return []


def _of_generated_token(row: dict[str, Any], tally: Tally) -> list[bytes]:
    if row.get("generated_text") is not None:
        details = row.get("details") or {}
        tally.done, tally.finish = True, str(details.get("finish_reason") or "stop")
    return [] if row["token"].get("special") is True else [to_bytes(_joined(row["token"]["text"]))]


def _plain(row: dict[str, Any], tally: Tally) -> list[bytes] | None:
    message, delta = row.get("message"), row.get("delta")
    if row.get("stop") is True or row.get("done") is True:
        tally.finish, tally.done = str(row.get("done_reason") or row.get("stop_type") or "stop"), True
    if isinstance(delta, dict):
        tally.finish = str(delta.get("stop_reason") or tally.finish)
        if "thinking" in delta:
            tally.left_out["reasoning"] += 1
        if "partial_json" in delta:
            tally.left_out["tool calls"] += 1
    if known := _token_bytes(row.get("completion_probabilities")):
        return known
    candidates = [row.get("content"), row.get("response"), row.get("text"),
                  message.get("content") if isinstance(message, dict) else None,
                  delta.get("text") if isinstance(delta, dict) else delta]
    found = next((c for c in candidates if isinstance(c, str)), None)
    if found is None and ("type" in row or "usage" in row or "timings" in row):
        return []  # an event of another kind
    return None if found is None else [to_bytes(found)]
