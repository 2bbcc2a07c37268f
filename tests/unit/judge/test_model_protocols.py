"""The JSON of models: which parts of a response count, and what the next request repeats of it."""

from typing import Any

import pytest

from helix_hooks.judge import model_protocols as protocols
from helix_hooks.judge.model_protocols import Anthropic, OpenAI, ToolCall
from helix_hooks.judge.provider import FailedError

SIGNED = {
    "id": "c1",
    "type": "function",
    "function": {"name": "search", "arguments": '{"text": "a"}'},
    "extra_content": {"google": {"thought_signature": "signed"}},
}


def chat(message: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"choices": [{"message": message, "finish_reason": "stop"}], "model": "m", **more}


def test_cached_tokens_count() -> None:
    used = {"input_tokens": 3, "cache_read_input_tokens": 40, "cache_creation_input_tokens": 500}
    response = Anthropic().response({"content": [], "usage": {**used, "output_tokens": 7}})
    assert (response.read, response.written) == (543, 7)
    response = Anthropic().response({"content": [], "usage": dict.fromkeys(used, 0)})
    assert (response.read, response.end) == (0, protocols.UNFINISHED)


def test_what_a_server_signed_goes_back_as_it_came() -> None:
    response = OpenAI().response(chat({"content": None, "tool_calls": [SIGNED], "annotations": []}))
    assert response.message == {"role": "assistant", "content": None, "tool_calls": [SIGNED]}
    thought = {"type": "thinking", "thinking": "hm", "signature": "signed"}
    used = {"type": "tool_use", "id": "t1", "name": "search", "input": {"text": "a"}}
    response = Anthropic().response({"content": [thought, used]})
    assert response.message == {"role": "assistant", "content": [thought, used]}
    assert response.calls == (ToolCall("t1", "search", {"text": "a"}),)


def test_an_empty_message_does_not_go_back() -> None:
    assert OpenAI().response(chat({"content": ""})).message is None
    assert Anthropic().response({"content": []}).message is None


@pytest.mark.parametrize("arguments", ["{", "[1]", "null", "[" * 100_000])
def test_arguments_that_are_no_object(arguments: str) -> None:
    call = {"id": "c1", "function": {"name": "search", "arguments": arguments}}
    (found,) = OpenAI().response(chat({"tool_calls": [call]})).calls
    assert found.arguments is None


def test_a_refusal_in_words_is_one() -> None:
    assert OpenAI().response(chat({"refusal": "I can not."})).end == protocols.REFUSED


WRONG: list[dict[str, Any]] = [
    {},
    {"choices": []},
    {"choices": [{}]},
    {"choices": [*chat({})["choices"], *chat({})["choices"]]},
    chat({"tool_calls": [{"id": "c1"}]}),
    chat({"tool_calls": "a"}),
    chat({}, usage={"prompt_tokens": "many"}),
    chat({}, usage={"prompt_tokens": 1e99}),
    chat({}, model=None),
]


@pytest.mark.parametrize("data", WRONG)
def test_what_is_not_of_the_protocol_fails(data: dict[str, Any]) -> None:
    with pytest.raises(FailedError, match="the model's API answered something else"):
        OpenAI().response(data)
