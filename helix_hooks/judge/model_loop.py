"""The process of an API judge: it asks the model until there is an answer, and lets it read.

`python -P -m helix_hooks.judge.model_loop` runs in the exported tree, with the message on standard
input. It speaks to one address. pydantic-ai knows the protocols, prices and structured output;
limits, and which answers count, are here.
"""

import asyncio
import json
import os
import re
import sys
import time
from decimal import Decimal
from typing import Any, NamedTuple

import httpx2
from genai_prices import calc_price
from pydantic_ai import Agent, ModelRetry, StructuredDict, Tool, ToolOutput, UsageLimits, exceptions
from pydantic_ai.messages import ModelResponse, ToolCallPart
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from ..verdict import verdict
from .provider import FailedError, api_error
from .tree_tools import TreeTools

_BYTES_OF_TOKEN = 4
"""Bytes of a token in English and Markdown, to estimate a request before it is sent."""
_MOST_BYTES_OF_TOKEN = 7
"""More bytes for each counted token mean that the server cut the request, as Ollama does."""
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
    """The usage so far. `size` is the estimate of the next request in bytes."""

    def __init__(self, size: int) -> None:
        self.size = size
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
    texts = (task.rubric, task.message, json.dumps(schema))
    spent = Spent(sum(len(text.encode()) for text in texts))
    agent = Agent(
        _model(task, key),
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

    limits = UsageLimits(request_limit=task.turns)
    async with agent.iter(task.message, usage_limits=limits) as run:
        async for node in run:
            if Agent.is_model_request_node(node):
                parts = node.request.parts
                if spent.model:
                    spent.size += sum(len(str(getattr(part, "content", ""))) for part in parts)
                _require_room(spent.size, task)
            elif Agent.is_call_tools_node(node):
                _take(node.model_response, spent, task)
                _require_budget(spent, task)
    # Without a result the run has raised an error.
    return dict(run.result.output) if run.result else {}


def _model(task: Task, key: str) -> Model:
    """Return the model at its address. It is asked there and nowhere else: no redirect counts."""
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
    """Let the vendors' clients return an error at once that they would wait for."""
    wait = response.headers.get("retry-after", "")
    if wait.isdigit() and int(wait) > _MOST_WAIT:
        response.headers["x-should-retry"] = "false"


def _require_room(size: int, task: Task) -> None:
    """Raise FailedError if the next request would be too large for the model."""
    needed, most = size // _BYTES_OF_TOKEN, task.request_tokens
    if most and needed > most:
        message = (
            f"the review needs about {needed} tokens in one request, and {task.name} takes {most}"
        )
        raise FailedError("setup", message, _LARGER)


def _take(response: ModelResponse, spent: Spent, task: Task) -> None:
    """Count and print a response. Raises FailedError for one that is none of this model."""
    name = task.name
    tokens = response.usage.input_tokens + response.usage.output_tokens
    cost = _cost(response, task)
    if not response.usage.input_tokens:  # a server that does not count
        tokens, cost = spent.size // _BYTES_OF_TOKEN, None
    spent.tokens += tokens
    spent.cost = None if spent.cost is None or cost is None else spent.cost + cost
    model = response.model_name or name
    dollars = None if cost is None else float(cost)
    _print("request", tokens=tokens, cost_usd=dollars, model=model)
    for part in response.parts:
        if isinstance(part, ToolCallPart):
            arguments = part.args_as_dict()
            subject = arguments.get("path") or arguments.get("text") or arguments.get("folder", "")
            _print("tool", text=f"{part.tool_name} {subject}".strip()[:80])
    if not _is_model(model, name) or spent.model not in ("", model):
        message = f"the model changed: {model} answered instead of {spent.model or name}"
        raise FailedError("agent", message, "name the full id of the model")
    if response.finish_reason == "length":
        raise FailedError("output", _CUT, again=True)
    if response.finish_reason == "content_filter":
        raise FailedError("agent", _REFUSAL, again=True)
    seen = response.usage.input_tokens
    if task.vendor == "ollama" and 0 < seen * _MOST_BYTES_OF_TOKEN < spent.size:
        message = f"the server showed {name} only a part of the request ({seen} tokens)"
        help = "raise the context of the model, e.g. OLLAMA_CONTEXT_LENGTH of the server"
        raise FailedError("setup", message, help)
    spent.model = model
    spent.size += response.usage.output_tokens * _BYTES_OF_TOKEN


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
    version = r"(?:[-@:](?:\d[\d-]*|latest))?"
    return bool(
        re.fullmatch(re.escape(name.rpartition("/")[2]) + version, reported.rpartition("/")[2])
    )


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
    (
        exceptions.UsageLimitExceeded,
        FailedError("budget", "the turn limit was reached (max_turns)", _RAISE),
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
        message = f"{_line(str(error))} (asked {os.environ['HELIX_MODEL_URL']})"
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
