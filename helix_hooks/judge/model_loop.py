"""The process of an API judge: it asks the model until there is an answer, and lets it read.

`python -P -m helix_hooks.judge.model_loop` runs in the exported tree, with the message on standard
input. It speaks to one address. pydantic-ai knows the protocols, prices and structured output; this
module sets the limits and decides which answers count.
"""

import asyncio
import json
import os
import re
import sys
import time
from decimal import Decimal
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx2
from genai_prices import calc_price
from pydantic_ai import Agent, ModelRetry, StructuredDict, Tool, ToolOutput, UsageLimits, exceptions
from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings

from ..verdict import verdict
from .provider import FailedError, api_error
from .tree_tools import TreeTools

_BYTES_OF_TOKEN = 4
"""Average bytes per token of English text, to estimate a request before it is sent."""
_MOST_BYTES_OF_TOKEN = 6
"""If there are more bytes per counted token, the server has cut the request, as Ollama does."""
_MOST_CALLS = 30
"""Maximum number of calls of tools in one answer."""
_REQUESTS_AGAIN = 2
"""Retries of a failed request."""
_MOST_WAIT = 20
"""Seconds that a server may ask to wait before a retry; after a longer time there is no retry."""
_ANSWERS_AGAIN = 2
"""Further answers after one that does not match the schema."""
_RAISE = "raise the limit in config/approvals.yaml, or review fewer files at once"
_LARGER = "use a larger model, or fewer or shorter briefs"
_CUT = "the answer was cut at the model's limit of output"
_REFUSAL = "the model refused to answer"
_HINT = "Give your answer once, with the tool `answer`. The other tools read the repository.\n"


class Task(NamedTuple):
    """The question, the model, and the limits of one try; `request_tokens` is 0 without one."""

    rubric: str
    message: str
    schema: verdict.Schema
    tools: TreeTools
    vendor: str
    name: str
    address: str
    dollars: float
    turns: int
    tokens: int
    request_tokens: int


class Spent:
    """The usage so far: tokens, US dollars (None if unknown), and the model that answered."""

    def __init__(self) -> None:
        self.tokens = 0
        self.cost: Decimal | None = Decimal(0)
        self.model = ""


def main() -> int:
    """Review by the files and variables of the judge, and print how it ended."""
    key = os.environ.pop("HELIX_MODEL_KEY")
    try:
        _print("answer", answer=asyncio.run(_review(_task(), key)))
    except FailedError as error:
        _print_failure(error)
    except exceptions.AgentRunError as error:
        _print_failure(_failure(error))
    except Exception as error:  # noqa: BLE001 - a client of a vendor, on what a server sent
        name = type(error).__name__
        _print_failure(FailedError("agent", f"the model's API failed: {name}", again=True))
    return 0


def _print(kind: str, **fields: object) -> None:
    print(json.dumps({"kind": kind, **fields}), flush=True)


def _print_failure(error: FailedError) -> None:
    _print("failed", check=error.check, message=str(error), help=error.help, again=error.again)


def _task() -> Task:
    folder, env = os.environ["HELIX_JUDGE"], os.environ
    with open(os.path.join(folder, "rubric.md"), encoding="utf-8") as file:
        rubric = f"{file.read()}\n---\n\n{_HINT}"
    with open(os.path.join(folder, "schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    vendor, _, name = env["HELIX_MODEL"].partition(":")
    return Task(
        rubric=rubric,
        message=sys.stdin.buffer.read().decode(errors="replace"),
        schema=schema,
        tools=TreeTools(os.getcwd(), folder),
        vendor=vendor,
        name=name,
        address=env["HELIX_MODEL_URL"],
        dollars=float(env["HELIX_MAX_COST_USD"]),
        turns=int(env["HELIX_MAX_TURNS"]),
        tokens=int(env["HELIX_MAX_TOKENS"]),
        request_tokens=int(env["HELIX_MAX_REQUEST_TOKENS"]),
    )


async def _review(task: Task, key: str) -> dict[str, Any]:
    """Return the model's answer. Raises FailedError, and the errors of pydantic-ai."""
    schema, tools = task.schema, task.tools
    agent = Agent(
        _Counted(_model(task, key), task),
        instructions=task.rubric,
        output_type=ToolOutput(StructuredDict(schema, name="answer"), name="answer"),
        tools=[Tool(tool) for tool in (tools.list_files, tools.read_file, tools.search)],
        retries=_ANSWERS_AGAIN,
        end_strategy="early",
    )

    @agent.output_validator
    def fits(answer: dict[str, Any]) -> dict[str, Any]:
        """Return the answer. Raises ModelRetry if it does not match the schema."""
        try:
            verdict.fits(answer, schema)
        except verdict.RefusedError as error:
            raise ModelRetry(str(error)) from None
        return answer

    result = await agent.run(task.message, usage_limits=UsageLimits(request_limit=None))
    return dict(result.output)


class _Counted(WrapperModel):
    """A model whose every request is within the limits, and is printed before and after it.

    pydantic-ai itself repeats a request if a vendor pauses, so its own count is too small.
    """

    def __init__(self, model: Model, task: Task) -> None:
        super().__init__(model)
        self._task, self._spent, self._turns = task, Spent(), 0

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Send a request. Raises FailedError if a limit is reached or the answer can't count."""
        size = _size(messages, self._task)
        self._turns += 1
        if self._turns > self._task.turns:
            raise FailedError("budget", "the turn limit was reached (max_turns)", _RAISE)
        _require_room(size, self._spent, self._task)
        _print("asked")
        response = await super().request(messages, model_settings, model_request_parameters)
        _take(response, size, self._spent, self._task)
        _require_budget(self._spent, self._task)
        return response


def _size(messages: list[ModelMessage], task: Task) -> int:
    """Return the size of a conversation in bytes, without the marks of its protocol."""
    parts = [part for message in messages for part in message.parts]
    texts = (str(getattr(part, "content", "") or getattr(part, "args", "")) for part in parts)
    sent = (task.rubric, json.dumps(task.schema), *texts)
    return sum(len(text.encode(errors="replace")) for text in sent)


def _model(task: Task, key: str) -> Model:
    """Return the model at its address. Nothing else is asked, and redirects are not followed."""
    name, address = task.name, task.address
    timeout = httpx2.Timeout(600, connect=10)
    hooks = {"response": [_no_long_wait]}
    http = httpx2.AsyncClient(follow_redirects=False, timeout=timeout, event_hooks=hooks)
    if task.vendor == "anthropic":
        from anthropic import AsyncAnthropic
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        client = AsyncAnthropic(
            api_key=key, base_url=address, http_client=http, max_retries=_REQUESTS_AGAIN
        )
        provider = AnthropicProvider(anthropic_client=client)
        return AnthropicModel(name, provider=provider, settings=ModelSettings(cache=True))
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    # The client refuses an empty key, and a server without keys ignores it.
    openai = AsyncOpenAI(
        api_key=key or "none", base_url=address, http_client=http, max_retries=_REQUESTS_AGAIN
    )
    return OpenAIChatModel(name, provider=OpenAIProvider(openai_client=openai))


async def _no_long_wait(response: httpx2.Response) -> None:
    """Stop the vendor's client from waiting long before it tries again."""
    wait = response.headers.get("retry-after", "")
    if wait.isdigit() and int(wait) > _MOST_WAIT:
        response.headers["x-should-retry"] = "false"


def _require_room(size: int, spent: Spent, task: Task) -> None:
    """Raise FailedError if the next request would be too large for the model, or for the limit."""
    needed, most = size // _BYTES_OF_TOKEN, task.request_tokens
    if most and needed > most:
        message = (
            f"the review needs about {needed} tokens in one request, and {task.name} takes {most}"
        )
        raise FailedError("setup", message, _LARGER)
    if spent.tokens + needed > task.tokens:
        message = f"the next request would pass the token limit ({task.tokens}, max_tokens)"
        raise FailedError("budget", message, _RAISE)


def _take(response: ModelResponse, size: int, spent: Spent, task: Task) -> None:
    """Count and print a response to a request of `size` bytes.

    Raises FailedError if another model answered, or if the answer can't count.
    """
    seen, model = response.usage.input_tokens, response.model_name or task.name
    tokens, cost = seen + response.usage.output_tokens, _cost(response, task)
    spent.tokens += tokens
    spent.cost = None if spent.cost is None or cost is None else spent.cost + cost
    dollars = None if cost is None else float(cost)
    _print("request", tokens=tokens, cost_usd=dollars, model=model)
    calls = [part for part in response.parts if isinstance(part, ToolCallPart)]
    for call in calls:
        arguments = call.args_as_dict()
        subject = arguments.get("path") or arguments.get("text") or arguments.get("folder", "")
        _print("tool", text=f"{call.tool_name} {subject}".strip()[:80])
    if not _is_model(model, task.name) or spent.model not in ("", model):
        message = f"the model changed: {model} answered instead of {spent.model or task.name}"
        raise FailedError("agent", message, "name the full id of the model")
    spent.model = model
    if response.finish_reason == "length":
        raise FailedError("output", _CUT, again=True)
    if response.finish_reason == "content_filter":
        raise FailedError("agent", _REFUSAL, again=True)
    if response.finish_reason not in ("stop", "tool_call"):
        raise FailedError("output", "the model did not finish its answer", again=True)
    if seen * _MOST_BYTES_OF_TOKEN < size:
        message = f"the server showed {task.name} only a part of the request ({seen} tokens)"
        help = "raise the context of the model, e.g. OLLAMA_CONTEXT_LENGTH of the server"
        raise FailedError("setup", message, help)
    if sum(call.tool_name == "answer" for call in calls) > 1:
        raise FailedError("output", "the model gave several answers", again=True)
    if len(calls) > _MOST_CALLS:
        message = f"the model called {len(calls)} tools at once (maximum {_MOST_CALLS})"
        raise FailedError("agent", message, again=True)


def _cost(response: ModelResponse, task: Task) -> Decimal | None:
    """Return the list price of a response in US dollars; None if the library does not know it."""
    try:
        price = calc_price(
            response.usage, response.model_name or task.name, provider_id=task.vendor
        )
    except (LookupError, ValueError):
        return None
    return price.total_price


def _is_model(reported: str, name: str) -> bool:
    """Return whether a server reports the model that was asked for, or a dated version of it."""
    # As in -20250929, -2025-04-14, -0613, -001; `claude-opus-4-1` is another model than -4.
    version = r"(?:[-@](?:\d{8}|\d{4}-\d\d-\d\d|\d{3,4})|[-:]latest)?"
    (vendor, _, short), (other, _, answered) = name.rpartition("/"), reported.rpartition("/")
    is_same = not vendor or not other or vendor == other
    return is_same and bool(re.fullmatch(re.escape(short) + version, answered))


def _require_budget(spent: Spent, limits: Task) -> None:
    """Raise FailedError if the review used more than it may."""
    if spent.cost is not None and spent.cost > limits.dollars:
        raise FailedError("budget", "the budget was used up (max_cost_usd)", _RAISE)
    if spent.tokens > limits.tokens:
        message = f"the token limit was reached ({spent.tokens} of {limits.tokens}, max_tokens)"
        raise FailedError("budget", message, _RAISE)


_FAILURES = (
    (
        exceptions.ModelContextWindowExceededError,
        FailedError("setup", "the request is too large for the model", _LARGER),
    ),
    (exceptions.ContentFilterError, FailedError("agent", _REFUSAL, again=True)),
    (exceptions.OutputTokenLimitExceeded, FailedError("output", _CUT, again=True)),
    (
        exceptions.UnexpectedModelBehavior,
        FailedError("parse", "no answer of the model matched the schema", again=True),
    ),
)
"""The failure that an error of pydantic-ai means; the first one that fits."""


def _failure(error: exceptions.AgentRunError) -> FailedError:
    for kind, failure in _FAILURES:
        if isinstance(error, kind):
            return failure
    if not isinstance(error, exceptions.ModelHTTPError):
        # The rest of the address may have a token.
        address = urlsplit(os.environ["HELIX_MODEL_URL"])
        place = f"{address.scheme}://{address.netloc.rpartition('@')[2]}"
        message = f"{_line(str(error))} (asked {place})"
        return FailedError("agent", message, again=True)
    wait = (error.headers or {}).get("retry-after", "")
    reason = _line(str(error.body or ""))
    if error.status_code == 429 and wait.isdigit():
        until = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(time.time() + int(wait) + 59))
        message = f"the model's API has a rate limit; try again at {until}: {reason}"
        return FailedError("agent", message)
    return api_error(error.status_code, reason, "the key of the model")


def _line(text: str) -> str:
    return " ".join(text.split())[:300]


if __name__ == "__main__":
    sys.exit(main())
