"""The protocols of models: Anthropic's Messages, and OpenAI's chat completions, which most speak.

Pure: a conversation becomes the JSON of a request, the JSON of a response becomes a Response. A
response is data of a stranger. What is not as its protocol describes raises FailedError.
"""

import json
from collections.abc import Iterable
from typing import Annotated, Any, ClassVar, NamedTuple, TypeVar

import msgspec

from .provider import FailedError

_MOST_OUTPUT = 8_192
"""Maximum tokens of an answer, which Anthropic's protocol asks for."""

Json = dict[str, Any]
_Kind = TypeVar("_Kind")
_Count = Annotated[int, msgspec.Meta(ge=0)]

FINISHED, CUT, REFUSED, TOO_LARGE, UNFINISHED = range(5)
"""The ends of a response."""


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


def user(text: str) -> Json:
    """Return a message to the model, in either protocol."""
    return {"role": "user", "content": text}


class _Usage(msgspec.Struct):
    input_tokens: _Count = 0
    output_tokens: _Count = 0
    cache_read_input_tokens: _Count | None = None
    cache_creation_input_tokens: _Count | None = None


class _Message(msgspec.Struct):
    content: list[Json]
    stop_reason: str | None = None
    model: str = ""
    usage: _Usage = msgspec.field(default_factory=_Usage)


class _ToolUse(msgspec.Struct):
    id: str
    name: str
    input: Any = None


class Anthropic:
    """Anthropic's Messages API."""

    path = "/v1/messages"
    ends: ClassVar = {
        "end_turn": FINISHED,
        "stop_sequence": FINISHED,
        "tool_use": FINISHED,
        "max_tokens": CUT,
        "refusal": REFUSED,
        "model_context_window_exceeded": TOO_LARGE,
    }

    def headers(self, key: str) -> dict[str, str]:
        return {"x-api-key": key, "anthropic-version": "2023-06-01"}

    def request(
        self, model: str, instructions: str, messages: list[Json], tools: Iterable[Tool]
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

    def response(self, data: Json) -> Response:
        """Return a response. Raises FailedError."""
        message = _converted(data, _Message)
        usage = message.usage
        blocks = [block for block in message.content if block.get("type") == "tool_use"]
        calls = [_converted(block, _ToolUse) for block in blocks]
        cached = (usage.cache_read_input_tokens or 0) + (usage.cache_creation_input_tokens or 0)
        return Response(
            message={"role": "assistant", "content": message.content} if message.content else None,
            calls=tuple(ToolCall(call.id, call.name, _object(call.input)) for call in calls),
            end=self.ends.get(message.stop_reason or "", UNFINISHED),
            model=message.model,
            read=usage.input_tokens + cached,
            written=usage.output_tokens,
        )

    def results(self, answered: list[tuple[ToolCall, str]]) -> list[Json]:
        """Return the messages that answer calls of tools."""
        kind = "tool_result"
        blocks = [
            {"type": kind, "tool_use_id": call.id, "content": text} for call, text in answered
        ]
        return [{"role": "user", "content": blocks}]


class _Function(msgspec.Struct):
    name: str
    arguments: str = ""


class _Call(msgspec.Struct):
    id: str
    function: _Function


class _Reply(msgspec.Struct):
    content: Any = None
    refusal: str | None = None
    tool_calls: list[Json] | None = None


class _Choice(msgspec.Struct):
    message: _Reply
    finish_reason: str | None = None


class _Tokens(msgspec.Struct):
    prompt_tokens: _Count = 0
    completion_tokens: _Count = 0


class _Completion(msgspec.Struct):
    choices: Annotated[list[_Choice], msgspec.Meta(min_length=1, max_length=1)]
    model: str = ""
    usage: _Tokens | None = None


class OpenAI:
    """OpenAI's chat completions, as Google, Ollama and others speak them too."""

    path = "/chat/completions"
    ends: ClassVar = {
        "stop": FINISHED,
        "tool_calls": FINISHED,
        "length": CUT,
        "content_filter": REFUSED,
    }

    def headers(self, key: str) -> dict[str, str]:
        return {"authorization": f"Bearer {key}"} if key else {}

    def request(
        self, model: str, instructions: str, messages: list[Json], tools: Iterable[Tool]
    ) -> Json:
        return {
            "model": model,
            "messages": [{"role": "system", "content": instructions}, *messages],
            "tools": [{"type": "function", "function": tool._asdict()} for tool in tools],
            "tool_choice": "required",
        }

    def response(self, data: Json) -> Response:
        """Return a response. Raises FailedError."""
        completion = _converted(data, _Completion)
        choice = completion.choices[0]
        reply, tokens = choice.message, completion.usage or _Tokens()
        calls = [_converted(item, _Call) for item in reply.tool_calls or ()]
        message = {"role": "assistant", "content": reply.content}
        if calls:
            # As they came: some servers sign them, and refuse a conversation without it.
            message["tool_calls"] = reply.tool_calls
        end = self.ends.get(choice.finish_reason or "", UNFINISHED)
        return Response(
            message=message if reply.content or calls else None,
            calls=tuple(
                ToolCall(call.id, call.function.name, _parsed(call.function.arguments))
                for call in calls
            ),
            end=REFUSED if reply.refusal else end,
            model=completion.model,
            read=tokens.prompt_tokens,
            written=tokens.completion_tokens,
        )

    def results(self, answered: list[tuple[ToolCall, str]]) -> list[Json]:
        """Return the messages that answer calls of tools."""
        return [
            {"role": "tool", "tool_call_id": call.id, "content": text} for call, text in answered
        ]


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
