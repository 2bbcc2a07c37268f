"""The protocols of models: Anthropic's Messages, and OpenAI's chat completions, which most speak.

Pure: a conversation becomes the JSON of a request, the JSON of a response becomes a Response. A
response is data of a stranger. What is not as its protocol describes raises FailedError.
"""

import json
from collections.abc import Callable
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec

from .provider import FailedError

_MOST_OUTPUT = 8_192
"""Maximum tokens of an answer, which Anthropic's protocol asks for."""
_ANTHROPIC_VERSION = "2023-06-01"

Json = dict[str, Any]
_Kind = TypeVar("_Kind")
_Count = Annotated[int, msgspec.Meta(ge=0)]

FINISHED, CUT, REFUSED, TOO_LARGE, UNFINISHED = range(5)
"""How a response ended."""


class Tool(NamedTuple):
    """A tool of the model; `parameters` is the JSON schema of its arguments."""

    name: str
    description: str
    parameters: Json


class ToolCall(NamedTuple):
    """A call of a tool; `arguments` is None if they are not a JSON object."""

    id: str
    name: str
    arguments: Json | None


class Response(NamedTuple):
    """The answer to a request.

    `message` is what the next request repeats of it, None for an empty one. `read` and `written`
    are the tokens of request and answer as the server counts them.
    """

    message: Json | None
    calls: tuple[ToolCall, ...]
    end: int
    model: str
    read: int
    written: int


class Protocol(NamedTuple):
    """A protocol; `path` follows the address, `flavor` is its name in genai-prices.

    `request` takes the model, the instructions, the messages and the tools. `results` are the
    messages that answer calls of tools.
    """

    path: str
    flavor: str
    headers: Callable[[str], dict[str, str]]
    request: Callable[[str, str, list[Json], tuple[Tool, ...]], Json]
    response: Callable[[Json], Response]
    results: Callable[[list[tuple[ToolCall, str]]], list[Json]]


def user(text: str) -> Json:
    """Return a message to the model, in either protocol."""
    return {"role": "user", "content": text}


# Anthropic's Messages.


class _Used(msgspec.Struct):
    input_tokens: _Count = 0
    output_tokens: _Count = 0
    cache_read_input_tokens: _Count | None = None
    cache_creation_input_tokens: _Count | None = None


class _Message(msgspec.Struct):
    content: list[Json]
    stop_reason: str | None = None
    model: str = ""
    usage: _Used = msgspec.field(default_factory=_Used)


class _ToolUse(msgspec.Struct):
    id: str
    name: str
    input: Any = None


_STOP_REASONS = {
    "end_turn": FINISHED,
    "stop_sequence": FINISHED,
    "tool_use": FINISHED,
    "max_tokens": CUT,
    "refusal": REFUSED,
    "model_context_window_exceeded": TOO_LARGE,
}


def _anthropic_headers(key: str) -> dict[str, str]:
    return {"x-api-key": key, "anthropic-version": _ANTHROPIC_VERSION}


def _anthropic_request(
    model: str, instructions: str, messages: list[Json], tools: tuple[Tool, ...]
) -> Json:
    return {
        "model": model,
        "max_tokens": _MOST_OUTPUT,
        "cache_control": {"type": "ephemeral"},
        "system": instructions,
        "messages": messages,
        "tools": [
            {"name": name, "description": description, "input_schema": parameters}
            for name, description, parameters in tools
        ],
        "tool_choice": {"type": "any"},
    }


def _anthropic_response(data: Json) -> Response:
    message = _converted(data, _Message)
    used = message.usage
    blocks = [block for block in message.content if block.get("type") == "tool_use"]
    calls = [_converted(block, _ToolUse) for block in blocks]
    cached = (used.cache_read_input_tokens or 0) + (used.cache_creation_input_tokens or 0)
    return Response(
        message={"role": "assistant", "content": message.content} if message.content else None,
        calls=tuple(ToolCall(call.id, call.name, _object(call.input)) for call in calls),
        end=_STOP_REASONS.get(message.stop_reason or "", UNFINISHED),
        model=message.model,
        read=used.input_tokens + cached,
        written=used.output_tokens,
    )


def _anthropic_results(answered: list[tuple[ToolCall, str]]) -> list[Json]:
    blocks = [
        {"type": "tool_result", "tool_use_id": call.id, "content": text} for call, text in answered
    ]
    return [{"role": "user", "content": blocks}]


# OpenAI's chat completions.


class _Function(msgspec.Struct):
    name: str
    arguments: str = ""


class _Call(msgspec.Struct):
    id: str
    function: _Function


class _Said(msgspec.Struct):
    content: Any = None
    refusal: str | None = None
    tool_calls: list[Json] | None = None


class _Choice(msgspec.Struct):
    message: _Said
    finish_reason: str | None = None


class _Tokens(msgspec.Struct):
    prompt_tokens: _Count = 0
    completion_tokens: _Count = 0


class _Completion(msgspec.Struct):
    choices: list[_Choice]
    model: str = ""
    usage: _Tokens | None = None


_FINISH_REASONS = {
    "stop": FINISHED,
    "tool_calls": FINISHED,
    "length": CUT,
    "content_filter": REFUSED,
}


def _openai_headers(key: str) -> dict[str, str]:
    return {"authorization": f"Bearer {key}"} if key else {}


def _openai_request(
    model: str, instructions: str, messages: list[Json], tools: tuple[Tool, ...]
) -> Json:
    return {
        "model": model,
        "messages": [{"role": "system", "content": instructions}, *messages],
        "tools": [{"type": "function", "function": tool._asdict()} for tool in tools],
        "tool_choice": "required",
    }


def _openai_response(data: Json) -> Response:
    completion = _converted(data, _Completion)
    if not completion.choices:
        raise FailedError("agent", "the model's API answered without a choice", again=True)
    choice = completion.choices[0]
    said, used = choice.message, completion.usage or _Tokens()
    calls = [_converted(item, _Call) for item in said.tool_calls or ()]
    message = {"role": "assistant", "content": said.content}
    if said.tool_calls:
        # As they came: some servers sign them, and refuse a conversation without it.
        message["tool_calls"] = said.tool_calls
    end = _FINISH_REASONS.get(choice.finish_reason or "", UNFINISHED)
    return Response(
        message=message if said.content or said.tool_calls else None,
        calls=tuple(
            ToolCall(call.id, call.function.name, _parsed(call.function.arguments))
            for call in calls
        ),
        end=REFUSED if said.refusal else end,
        model=completion.model,
        read=used.prompt_tokens,
        written=used.completion_tokens,
    )


def _openai_results(answered: list[tuple[ToolCall, str]]) -> list[Json]:
    return [{"role": "tool", "tool_call_id": call.id, "content": text} for call, text in answered]


ANTHROPIC = Protocol(
    path="/v1/messages",
    flavor="default",
    headers=_anthropic_headers,
    request=_anthropic_request,
    response=_anthropic_response,
    results=_anthropic_results,
)
OPENAI = Protocol(
    path="/chat/completions",
    flavor="chat",
    headers=_openai_headers,
    request=_openai_request,
    response=_openai_response,
    results=_openai_results,
)


def _converted(data: object, kind: type[_Kind]) -> _Kind:
    """Return a part of a response as its type. Raises FailedError."""
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        message = f"the model's API answered something else than its protocol: {error}"
        raise FailedError("agent", message, again=True) from None


def _parsed(text: str) -> Json | None:
    """Return the JSON object of a text, None if it is none."""
    try:
        return _object(json.loads(text or "{}"))
    except (ValueError, RecursionError):
        return None


def _object(value: object) -> Json | None:
    return value if isinstance(value, dict) else None
