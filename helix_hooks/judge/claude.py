"""The claude CLI as a judge that can only read.

The flags are a security measure. Without `--restricted` and `--strict-mcp-config`, the settings of
the repository under review run its hooks and MCP servers with the key in their environment, or send
the key to another server.
"""

import json
import os
import re
from collections.abc import Mapping
from typing import Any

from ..config.agents import Agent
from ..proc import find, search_path
from ..proc.run import Ended, output
from ..verdict.reading import ReadCall
from .provider import (
    Call,
    FailedError,
    JsonLines,
    Provider,
    Usage,
    api_error,
    dollars,
    environment,
    last_line,
)

MINIMUM = (2, 1, 329)
"""The oldest version that was tested with these flags."""

_NUMBER = ".".join(map(str, MINIMUM))
_SECONDS = 20
"""Limit for `claude --version`."""
_INSTALL = f"install it: npm install -g @anthropic-ai/claude-code@{_NUMBER} (or newer)"
_KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN")
_OWN = (*_KEYS, "ANTHROPIC_BASE_URL")
_QUIET = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_TELEMETRY": "1",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_ERROR_REPORTING": "1",
}
_REQUESTS_AGAIN = 3
"""Retries of a failed request by the CLI.

The CLI's default is higher, so a model that is down would use up the whole timeout.
"""
_LIMITS = {
    "error_max_turns": "the turn limit was reached (max_turns)",
    "error_max_budget_usd": "the budget was used up (max_cost_usd)",
}


def _ready(agent: Agent, env: Mapping[str, str]) -> None:
    name = agent.command[0]
    program = find(name, env)
    if not program:
        raise FailedError("spawn", f"there is no program {name!r} on the PATH", _INSTALL)
    version = _version(name, [program, *agent.command[1:], "--version"], env)
    if version < MINIMUM:
        number = ".".join(map(str, version))
        raise FailedError("spawn", f"claude {number} is too old (minimum {_NUMBER})", _INSTALL)
    if not agent.env and not any(env.get(key) for key in _KEYS):
        help = f"set {_KEYS[0]}, or {_KEYS[2]} (`claude setup-token`)"
        raise FailedError("setup", "no API key for the model in the environment", help)


def _version(name: str, command: list[str], env: Mapping[str, str]) -> tuple[int, ...]:
    """Return the version of the CLI.

    Raises:
        FailedError: The program can't be started, or is not the CLI.
    """
    try:
        done = output(command, {"PATH": search_path(env), **_QUIET}, _SECONDS)
    except OSError as error:
        message = f"{command[0]} could not be started: {error}"
        raise FailedError("spawn", message, _INSTALL) from None
    if not done:
        message = f"{command[0]} did not print its version within {_SECONDS} s"
        raise FailedError("spawn", message, _INSTALL)
    match = re.match(rb"(\d+)\.(\d+)\.(\d+)", done.stdout)
    if done.returncode or not match:
        message = f"{name} printed no version, so it may not be the claude CLI"
        raise FailedError("spawn", message, _INSTALL)
    return tuple(map(int, match.groups()))


def _argv(call: Call) -> list[str]:
    return _command(call, "Read,Glob,Grep")


def _argv_without_tools(call: Call) -> list[str]:
    return _command(call, "")


def _command(call: Call, tools: str) -> list[str]:
    run, work = call.run, call.work
    program, *arguments = call.agent.command
    fallback = []
    if run.fallback_model:
        fallback = ["--fallback-model", run.fallback_model]
    schema = json.dumps(call.schema, separators=(",", ":"))
    return [
        find(program, os.environ), *arguments,
        "--print", "--output-format", "stream-json", "--verbose",
        "--restricted", "--strict-mcp-config", "--setting-sources", "",
        "--disable-slash-commands", "--tools", tools, "--permission-mode", "dontAsk",
        "--no-session-persistence", "--session-id", call.session, "--add-dir", work.judge,
        "--append-system-prompt-file", work.rubric, "--model", run.model, *fallback,
        "--max-turns", str(run.max_turns), "--max-budget-usd", f"{call.budget:.6f}",
        "--json-schema", schema,
    ]  # fmt: skip


def _environment(call: Call, outside: Mapping[str, str]) -> dict[str, str]:
    own = {"CLAUDE_CODE_TMPDIR": call.work.home, "CLAUDE_CODE_MAX_RETRIES": str(_REQUESTS_AGAIN)}
    return {**environment(call, outside, _OWN), **_QUIET, **own}


_TOKENS = (
    "input_tokens",
    "output_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
)
_RAISE = "raise the limit in config/approvals.yaml, or review fewer files at once"


class _Stream(JsonLines):
    """The CLI's messages, one JSON value per line. Only the last message is the result."""

    def __init__(self) -> None:
        super().__init__()
        self._result: dict[str, Any] | None = None
        self._results = self._tokens = self._turns = 0
        self._doing = self._model = ""
        self._messages: dict[str, int] = {}
        self._calls: dict[str, tuple[int, dict[str, Any]]] = {}
        self._shown: list[tuple[int, ReadCall]] = []
        self._answered = 0

    def take(self, message: dict[str, Any]) -> None:
        kind, inner = message.get("type"), message.get("message")
        if kind == "result":
            self._result, self._results = message, self._results + 1
        if not isinstance(inner, dict):
            return
        if kind == "assistant":
            self._assistant(inner, bool(message.get("parent_tool_use_id")))
        elif kind == "user":
            self._results_of_tools(inner)

    def _assistant(self, message: dict[str, Any], is_helper: bool) -> None:
        """Take a message of the model. `is_helper`: a subagent wrote it, not the judge."""
        self._model = str(message.get("model") or self._model)
        id = str(message.get("id"))
        # The CLI sends a message once for each of its blocks, each time with the same usage.
        if id not in self._messages:
            self._messages[id] = len(self._messages) + 1
            self._turns += 1
            self._tokens += _tokens(message.get("usage"))
        for block in message.get("content") or []:
            if isinstance(block, dict) and block.get("type") == "tool_use":
                self._take_call(block, self._messages[id], is_helper)

    def _take_call(self, block: dict[str, Any], number: int, is_helper: bool) -> None:
        """Take a call of a tool, in the message with this number."""
        arguments = block.get("input")
        if not isinstance(arguments, dict):
            return
        subject = arguments.get("file_path") or arguments.get("pattern") or ""
        self._doing = f"{block.get('name')} {os.path.basename(str(subject))}".strip()
        if block.get("name") == "StructuredOutput":
            self._answered = number
        elif block.get("name") == "Read" and not is_helper:
            self._calls[str(block.get("id"))] = (number, arguments)

    def _results_of_tools(self, message: dict[str, Any]) -> None:
        content = message.get("content")
        if not isinstance(content, list):
            return
        for block in content:
            if not isinstance(block, dict):
                continue
            call = self._calls.pop(str(block.get("tool_use_id")), None)
            if call and not block.get("is_error"):
                number, arguments = call
                self._shown.append((number, _shown(arguments, block.get("content"))))

    def doing(self) -> str:
        return self._doing

    def shown(self) -> list[ReadCall]:
        """Return the parts of files that the judge saw before its answer.

        A call in the same message as the answer does not count: its result came after the answer.
        """
        last = self._answered
        return [item for number, item in self._shown if not last or number < last]

    def usage(self) -> Usage:
        """Return the usage by the result, or by the messages so far if there is no result."""
        result = self._result
        if result is None:
            return Usage(None, self._tokens, self._turns, self._model)
        turns, model = self._turns, self._model
        if isinstance(result.get("num_turns"), int):
            turns = result["num_turns"]
        models = result.get("modelUsage")
        if isinstance(models, dict) and models:
            model = ", ".join(map(str, models))
        cost = dollars(result.get("total_cost_usd"))
        return Usage(cost, _tokens(result.get("usage")), turns, model)

    def answer(self, ended: Ended) -> object:
        """Return the structured answer.

        Raises:
            FailedError: The CLI failed, or gave no answer.
        """
        self.end_line()
        result = self._result
        if result is None:
            check = "agent" if ended.code else "output"
            message = f"claude {ended.how} without a result{last_line(ended.errors)}"
            raise FailedError(check, message, again=True)
        if self._results > 1:
            raise FailedError("output", "claude returned more than one result", again=True)
        subtype = str(result.get("subtype"))
        if subtype in _LIMITS:
            raise FailedError("budget", _LIMITS[subtype], _RAISE)
        if ended.code or result.get("is_error") is not False or subtype != "success":
            raise _error(result, subtype, ended)
        answer: object = result.get("structured_output")
        if not isinstance(answer, dict):
            message = "claude exited successfully without a structured answer"
            raise FailedError("output", message, again=True)
        return answer


def _shown(arguments: dict[str, Any], content: object) -> ReadCall:
    """Return the part of a file that the result of a Read call shows."""
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
    texts = []
    has_image = False
    for block in blocks:
        if not isinstance(block, dict):
            continue
        if block.get("type") == "text":
            texts.append(str(block.get("text") or ""))
        if block.get("type") in ("image", "document"):
            has_image = True
    # With `pages` the CLI shows a part of a document.
    is_whole = not arguments.get("pages") and has_image
    return ReadCall(str(arguments.get("file_path")), "\n".join(texts), is_whole)


def _error(result: dict[str, Any], subtype: str, ended: Ended) -> FailedError:
    """Return the failure that a result reports."""
    status = result.get("api_error_status")
    reason = " ".join(str(result.get("result") or "").split())[:300]
    if not reason:
        reason = subtype if subtype != "success" else "unknown reason"
    if subtype == "error_max_structured_output_retries":
        return FailedError("parse", "no answer of the model matched the schema", again=True)
    if isinstance(status, int):
        return api_error(status, reason, _KEYS[0])
    message = f"claude failed and {ended.how}: {reason}{last_line(ended.errors)}"
    return FailedError("agent", message, again=True)


def _tokens(usage: object) -> int:
    """Return the number of input and output tokens, including those from the prompt cache."""
    if not isinstance(usage, dict):
        return 0
    return sum(usage[name] for name in _TOKENS if isinstance(usage.get(name), int))


CLAUDE = Provider(
    stdin="prompt.md",
    records=True,
    ready=_ready,
    argv=_argv,
    environment=_environment,
    reader=_Stream,
)

WITHOUT_TOOLS = CLAUDE._replace(records=False, argv=_argv_without_tools)
"""The CLI as a judge without tools: it sees only its message."""
