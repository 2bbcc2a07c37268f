"""The APIs of Anthropic and OpenAI as their own clients describe them, by which requests and responses of the scripted model are checked.

Both vendors generate the types of these clients from the OpenAPI descriptions that they publish.
"""

import functools
from typing import Any, NamedTuple

from pydantic import TypeAdapter


class _Types(NamedTuple):
    """The types of a request, of the blocks in its messages, and of a response. Pydantic reads the lists of a request only as JSON is written."""

    request: TypeAdapter[Any]
    blocks: TypeAdapter[Any]
    response: TypeAdapter[Any]


@functools.cache
def _types(is_chat: bool) -> _Types:
    """Import the types of an API, which takes seconds."""
    if is_chat:
        from openai.types.chat import ChatCompletion
        from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming

        texts = TypeAdapter(list[str])  # our judge sends no blocks to this API
        return _Types(
            TypeAdapter(CompletionCreateParamsNonStreaming), texts, TypeAdapter(ChatCompletion)
        )
    from anthropic.types import ContentBlockParam, Message
    from anthropic.types.message_create_params import MessageCreateParamsNonStreaming

    blocks: TypeAdapter[Any] = TypeAdapter(list[ContentBlockParam])
    return _Types(TypeAdapter(MessageCreateParamsNonStreaming), blocks, TypeAdapter(Message))


def require_request(request: dict[str, Any], is_chat: bool) -> None:
    """Compare a request in one piece with its description. Raises ValueError if a key or a value is none of it."""
    types = _types(is_chat)
    with_blocks = [item for item in request["messages"] if isinstance(item.get("content"), list)]
    for message in with_blocks:
        _require(message["content"], types.blocks)
    texts = [
        {**item, "content": ""} if item in with_blocks else item for item in request["messages"]
    ]
    _require({**request, "messages": texts}, types.request)


def require_response(response: dict[str, Any], is_chat: bool) -> None:
    """Compare a response in one piece with its description. Raises ValueError for a value that it does not allow."""
    _types(is_chat).response.validate_python(response)


def _require(value: Any, known: TypeAdapter[Any]) -> None:
    read = TypeAdapter(Any).validate_json(known.dump_json(known.validate_python(value)))
    if read != value:  # what the description does not have is lost
        raise ValueError(f"the API does not know all of it: {_first(value, read)}")


def _first(sent: Any, read: Any, place: str = "") -> str:
    """Return the place of the first difference."""
    if isinstance(sent, dict) and isinstance(read, dict):
        pairs = ((f"{place}.{key}", item, read.get(key)) for key, item in sent.items())
    elif isinstance(sent, list) and isinstance(read, list) and len(sent) == len(read):
        pairs = ((f"{place}[{at}]", *both) for at, both in enumerate(zip(sent, read, strict=True)))
    else:
        return f"{place}: {sent!r} is read as {read!r}"
    return next(_first(one, other, at) for at, one, other in pairs if one != other)
