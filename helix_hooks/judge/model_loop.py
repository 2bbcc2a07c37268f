"""The process of an API judge: it asks the model until there is an answer, and lets it read.

`python -P -m helix_hooks.judge.model_loop` runs in the exported tree, with the message on standard
input. It speaks to one address, and prints a line of JSON for each request, call of a tool, answer
or failure. `model_protocols` knows the JSON of requests and responses.
"""

import json
import os
import re
import sys
import time
from collections.abc import Iterator
from decimal import Decimal
from email.utils import parsedate_to_datetime
from typing import NamedTuple
from urllib.parse import urlsplit

import httpx2
from genai_prices import extract_usage

from ..verdict import verdict
from . import model_protocols as protocols
from .model_protocols import Anthropic, Json, OpenAI, Response, Tool, ToolCall
from .provider import AGAIN, FailedError, api_error
from .tree_tools import TOOLS, TreeTools

_BYTES_OF_TOKEN = 4
"""Average bytes per token of English text, to estimate a request before it is sent."""
_MOST_BYTES_OF_TOKEN = 6
"""If there are more bytes per counted token, the server has cut the request, as Ollama does."""
_MOST_BYTES = 8_000_000
"""Maximum size of a response."""
_MOST_CALLS = 30
"""Maximum number of calls of tools in one answer."""
_ANSWERS_AGAIN = 2
"""Further answers after one that does not match the schema."""
_PAUSES = (1, 4)
"""Seconds before a request is sent again that a server declined for now."""
_MOST_WAIT = 20
"""Seconds. If a server asks to wait longer, the request is not sent again."""
_LONGEST_WAIT = 30 * 86_400.0
"""Seconds that count of a longer time."""
_TIMEOUT = httpx2.Timeout(600, connect=10)

_ANSWER = "answer"
_HINT = """Give your answer once, with the tool `answer`. The other tools read the repository:
`read_file` for Read, `list_files` for Glob, `search` for Grep.
"""
_RAISE = "raise the limit in config/approvals.yaml, or review fewer files at once"
_LARGER = "use a larger model, or fewer or shorter briefs"
_ENDS = {
    protocols.CUT: FailedError(
        "output", "the answer was cut at the model's limit of output", again=True
    ),
    protocols.REFUSED: FailedError("agent", "the model refused to answer", again=True),
    protocols.TOO_LARGE: FailedError("setup", "the request is too large for the model", _LARGER),
    protocols.UNFINISHED: FailedError("output", "the model did not finish its answer", again=True),
}
"""The failures for the ends of a response that are no answer."""


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

    @property
    def protocol(self) -> Anthropic | OpenAI:
        return Anthropic() if self.vendor == "anthropic" else OpenAI()


class Spent:
    """The usage so far: requests, tokens, US dollars (None if unknown), the model that answered."""

    def __init__(self) -> None:
        self.turns = self.tokens = 0
        self.cost: Decimal | None = Decimal(0)
        self.model = ""


def main() -> int:
    """Review by the files and variables of the judge, and print how it ended."""
    key = os.environ.pop("HELIX_MODEL_KEY")
    try:
        _print("answer", answer=_review(_task(), key))
    except FailedError as error:
        _print("failed", check=error.check, message=str(error), help=error.help, again=error.again)
    return 0


def _print(kind: str, **fields: object) -> None:
    print(json.dumps({"kind": kind, **fields}), flush=True)


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
        address=env["HELIX_MODEL_URL"].rstrip("/"),
        dollars=float(env["HELIX_MAX_COST_USD"]),
        turns=int(env["HELIX_MAX_TURNS"]),
        tokens=int(env["HELIX_MAX_TOKENS"]),
        request_tokens=int(env["HELIX_MAX_REQUEST_TOKENS"]),
    )


def _review(task: Task, key: str) -> Json:
    """Return the model's answer, which fits the schema. Raises FailedError."""
    protocol, spent = task.protocol, Spent()
    tools = (*TOOLS, Tool(_ANSWER, "The answer, which ends the review", task.schema))
    messages = [protocols.user(task.message)]
    misfit, misfits = "", 0
    with httpx2.Client(headers=protocol.headers(key), timeout=_TIMEOUT) as client:
        while misfits <= _ANSWERS_AGAIN:
            request = protocol.request(task.name, task.rubric, messages, tools)
            response = _asked(client, request, spent, task)
            answers = [call.arguments for call in response.calls if call.name == _ANSWER]
            misfit = _misfit(answers, task.schema) if answers or not response.calls else ""
            if answers and not misfit:
                return answers[0] or {}
            misfits += bool(misfit)
            messages += _continued(response, misfit, task)
    raise FailedError("parse", f"no answer of the model matched the schema: {misfit}", again=True)


def _misfit(answers: list[Json | None], schema: verdict.Schema) -> str:
    """Return why the first answer does not count, "" if it does."""
    if not answers:
        return f"call the tool `{_ANSWER}`"
    try:
        verdict.fits(answers[0], schema)
    except verdict.RefusedError as error:
        return str(error)
    return ""


def _continued(response: Response, misfit: str, task: Task) -> list[Json]:
    """Return the messages that follow a response: itself, and what its tools show."""
    said = [response.message] if response.message else []
    if not response.calls:
        return [*said, protocols.user(misfit)]
    return [*said, *task.protocol.results(list(_results(response, misfit, task)))]


def _results(response: Response, misfit: str, task: Task) -> Iterator[tuple[ToolCall, str]]:
    for call in response.calls:
        is_answer = call.name == _ANSWER
        yield call, misfit if is_answer else task.tools.call(call.name, call.arguments)


def _asked(client: httpx2.Client, request: Json, spent: Spent, task: Task) -> Response:
    """Return the response to a request, within all limits. Raises FailedError."""
    body = json.dumps(request, ensure_ascii=False).encode(errors="replace")
    spent.turns += 1
    if spent.turns > task.turns:
        raise FailedError("budget", "the turn limit was reached (max_turns)", _RAISE)
    _require_room(len(body), spent, task)
    _print("asked")
    data = _sent(client, body, task)
    response = task.protocol.response(data)
    _take(response, data, spent, task)
    _require_whole(response, len(body), task)
    _require_budget(spent, task)
    return response


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


def _sent(client: httpx2.Client, body: bytes, task: Task) -> Json:
    """Send a request, again if the server declines it for now, and return the JSON of the answer.

    A request that broke off may cost something, and is not sent again. Raises FailedError.
    """
    for pause in (*_PAUSES, 0):
        status, retry_after, data = _posted(client, body, task)
        wait = _seconds(retry_after)
        if status not in AGAIN or not pause or wait > _MOST_WAIT:
            break
        time.sleep(max(wait, pause))
    if status != httpx2.codes.OK:
        _print("declined")
        raise _declined(status, _reason(data), wait)
    value = _json(data)
    if not isinstance(value, dict):
        raise FailedError("agent", "the model's API answered no JSON object", again=True)
    if value.get("error"):  # as a server does that passes requests on to others
        raise FailedError("agent", f"the model's API answered: {_reason(data)}", again=True)
    return value


def _posted(client: httpx2.Client, body: bytes, task: Task) -> tuple[int, str, bytes]:
    """Return status, Retry-After and content of an answer. Raises FailedError."""
    address, data = task.address + task.protocol.path, bytearray()
    # Not compressed: a small answer could expand to any size.
    headers = {"content-type": "application/json", "accept-encoding": "identity"}
    try:
        with client.stream("POST", address, content=body, headers=headers) as answer:
            for part in answer.iter_raw():
                data += part
                if len(data) > _MOST_BYTES:
                    message = f"the model's API answered more than {_MOST_BYTES // 1_000_000} MB"
                    raise FailedError("agent", message)
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        message = f"{_line(str(error)) or type(error).__name__} (asked {_place(address)})"
        raise FailedError("agent", message, again=True) from None
    return answer.status_code, answer.headers.get("retry-after", ""), bytes(data)


def _declined(status: int, reason: str, wait: float) -> FailedError:
    """Return the failure that an HTTP status means."""
    if status != httpx2.codes.TOO_MANY_REQUESTS or wait <= _MOST_WAIT:
        return api_error(status, reason, "the key of the model")
    until = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(time.time() + wait + 59))
    message = f"the model's API has a rate limit; try again at {until}: {reason}"
    return FailedError("agent", message)


def _seconds(text: str) -> float:
    """Return the seconds of a header Retry-After: a number or a date; 0 for anything else."""
    try:
        seconds = float(text)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(text).timestamp() - time.time()
        except (ValueError, OverflowError):
            return 0.0
    return min(max(0.0, seconds), _LONGEST_WAIT)


def _json(data: bytes) -> object:
    """Return the value of a JSON text, None if it is none."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _reason(data: bytes) -> str:
    """Return what an answer says about an error: `error.message` of its JSON, or its text."""
    value = _json(data)
    error = value.get("error") if isinstance(value, dict) else None
    message = error.get("message") if isinstance(error, dict) else None
    return _line(str(message or data.decode(errors="replace")))


def _place(address: str) -> str:
    """Return scheme and host of an address. The rest may have a token."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def _take(response: Response, data: Json, spent: Spent, task: Task) -> None:
    """Count and print a response. Raises FailedError if another model answered."""
    tokens, cost = response.read + response.written, _cost(data, task)
    spent.tokens += tokens
    spent.cost = None if spent.cost is None or cost is None else spent.cost + cost
    model = response.model or task.name
    dollars = None if cost is None else float(cost)
    _print("request", tokens=tokens, cost_usd=dollars, model=model)
    for call in response.calls:
        named = call.arguments or {}
        subject = named.get("path") or named.get("text") or named.get("folder", "")
        _print("tool", text=f"{call.name} {subject}".strip()[:80])
    if not _is_model(model, task.name) or spent.model not in ("", model):
        message = f"the model changed: {model} answered instead of {spent.model or task.name}"
        raise FailedError("agent", message, "name the full id of the model")
    spent.model = model


def _require_whole(response: Response, size: int, task: Task) -> None:
    """Raise FailedError if the model saw or gave only a part, refused, or answered too much.

    `size` is the size of the request in bytes.
    """
    if response.end != protocols.FINISHED:
        raise _ENDS[response.end]
    if response.read * _MOST_BYTES_OF_TOKEN < size:
        message = (
            f"the server showed {task.name} only a part of the request ({response.read} tokens)"
        )
        help = "raise the context of the model, e.g. OLLAMA_CONTEXT_LENGTH of the server"
        raise FailedError("setup", message, help)
    if sum(call.name == _ANSWER for call in response.calls) > 1:
        raise FailedError("output", "the model gave several answers", again=True)
    if len(response.calls) > _MOST_CALLS:
        message = f"the model called {len(response.calls)} tools at once (maximum {_MOST_CALLS})"
        raise FailedError("agent", message, again=True)


def _cost(data: Json, task: Task) -> Decimal | None:
    """Return the list price of a response in US dollars; None if the library does not know it."""
    flavor = "default" if task.vendor == "anthropic" else "chat"
    try:
        usage = extract_usage(data, provider_id=task.vendor, api_flavor=flavor)
        return usage.calc_price().total_price
    except (LookupError, ValueError):
        return None


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


def _line(text: str) -> str:
    return " ".join(text.split())[:300]


if __name__ == "__main__":
    sys.exit(main())
