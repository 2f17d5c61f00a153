"""Events as servers of several kinds write them: the expected pieces are what their documentation says the text is."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tokenloupe.core.errors import InputError
from tokenloupe.core.stream_recordings import recording


def sse(*events: Any) -> bytes:
    return "".join(f"data: {e if isinstance(e, str) else json.dumps(e)}\n\n" for e in events).encode()


def chat(delta: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"object": "chat.completion.chunk", "created": 1, "choices": [{"index": 0, "delta": delta, **more}]}


def test_chat_chunks_with_usage_tool_calls_refusals_and_choices() -> None:
    stream = recording(sse(
        chat({"role": "assistant", "content": ""}), chat({"content": "Hi"}), chat({"tool_calls": [{"index": 0}]}),
        chat({"function_call": {"arguments": "{"}}), chat({"refusal": "No"}),
        chat({"content": None, "reasoning_content": "hm"}),
        {"choices": [{"index": 1, "delta": {"content": "B"}}, {"index": 0, "delta": {"content": " you"}}]},
        chat({}, finish_reason="stop"), {"choices": [], "usage": {"total_tokens": 3}}, "[DONE]"))
    assert stream.pieces == (b"Hi", b" you")
    assert stream.notes == ("2 pieces of tool calls are left out", "1 piece of refusal is left out",
                            "1 piece of reasoning is left out", "1 piece of other choices is left out",
                            "finish_reason: stop")


def test_content_as_a_list_of_parts() -> None:
    parts = [{"type": "text", "text": "Hi"}, {"type": "reference", "reference_ids": [1]}]
    assert recording(sse(chat({"content": parts}), "[DONE]")).pieces == (b"Hi",)


def test_the_responses_api_says_its_text_once() -> None:
    stream = recording(sse(
        {"type": "response.created", "response": {"id": "r"}},
        {"type": "response.reasoning_summary_text.delta", "delta": "thinking"},
        {"type": "response.output_text.delta", "delta": "Hi"}, {"type": "response.output_text.delta", "delta": " you"},
        {"type": "response.output_text.done", "text": "Hi you"},
        {"type": "response.function_call_arguments.delta", "delta": "{"},
        {"type": "response.content_part.done", "part": {"type": "output_text", "text": "Hi you"}},
        {"type": "response.completed", "response": {"usage": {}}}))
    assert stream.pieces == (b"Hi", b" you")
    assert stream.notes == ("1 piece of reasoning is left out", "1 piece of tool calls is left out")


def test_messages_end_with_an_event_of_their_own() -> None:
    stream = recording(sse(
        {"type": "message_start", "message": {"content": []}}, {"type": "ping"},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "Hi"}},
        {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": "{"}},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}}, {"type": "message_stop"}))
    assert stream.pieces == (b"Hi",)
    assert stream.notes == ("1 piece of reasoning is left out", "1 piece of tool calls is left out",
                            "finish_reason: end_turn")


def test_generated_tokens_without_the_special_ones() -> None:
    stream = recording(sse({"index": 1, "token": {"id": 5, "text": " Hi", "special": False}, "generated_text": None},
                           {"index": 2, "token": {"id": 2, "text": "</s>", "special": True}, "generated_text": " Hi",
                            "details": {"finish_reason": "eos_token"}}))
    assert stream.pieces == (b" Hi",) and stream.notes == ("finish_reason: eos_token",)


def test_bytes_of_tokens_in_completions_and_in_the_native_form() -> None:
    native = recording(sse(
        {"content": "", "stop": False, "completion_probabilities": [{"id": 1, "token": "", "bytes": [0xF0, 0x9F]}]},
        {"content": "\U0001f642", "stop": True, "completion_probabilities": [{"id": 2, "bytes": [0x99, 0x82]}]}))
    assert native.pieces == (b"\xf0\x9f", b"\x99\x82")
    spelled = recording(sse({"choices": [{"index": 0, "text": "a\U0001f642", "logprobs": {
        "tokens": ["a", "bytes:\\xf0\\x9f", "bytes:\\x99\\x82"]}}]}, "[DONE]"))
    assert spelled.pieces == (b"a", b"\xf0\x9f", b"\x99\x82")


@pytest.mark.parametrize("time", ["1" + "0" * 400, "1e999", "NaN"])
def test_times_that_are_no_times_are_said(time: str) -> None:
    stream = recording(f'{{"t": {time}, "content": "x"}}\n{{"t": 2, "content": "y"}}'.encode())
    assert stream.pieces == (b"x", b"y") and stream.times is None and "simulated" in stream.notes[0]


def test_a_recording_past_midnight() -> None:
    lines = [f"[{at}] data: {json.dumps(chat({'content': text}))}\n\n" for at, text in
             (("23:59:59.9", "a"), ("00:00:00.1", "b"), ("00:00:01.1", "c"))]
    times = recording("".join(lines).encode()).times
    assert times is not None and times.tolist() == pytest.approx([0, 200, 1200])


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_a_file_written_by_a_shell(encoding: str) -> None:
    text = "\r\n".join(f"data: {json.dumps(chat({'content': t}), ensure_ascii=False)}\r\n" for t in ("é", "🙂"))
    assert recording((text + "\r\ndata: [DONE]\r\n").encode(encoding)).pieces == ("é".encode(), "🙂".encode())


@pytest.mark.parametrize("indent", [None, 1])
def test_one_array_of_events(indent: int | None) -> None:
    events = [chat({"content": "a"}), chat({"content": "b"}), 5]
    stream = recording(json.dumps(events, indent=indent).encode())
    assert stream.pieces == (b"a", b"b") and stream.notes == ("event 3: not a JSON object",)


def test_another_choice_alone_is_named_as_the_reason() -> None:
    with pytest.raises(InputError, match="other choices is left out"):
        recording(sse({"choices": [{"index": 1, "delta": {"content": "A"}}]}, "[DONE]"))
