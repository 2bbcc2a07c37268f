"""The claude CLI as a judge that can only read.

Every flag is there because of something measured: without `--restricted` and `--strict-mcp-config` a repository's own settings run its hooks
and servers with the key in their environment, or send the key elsewhere.
"""

import json
import os
import re
import subprocess
from collections.abc import Mapping
from typing import Any

from ..config.approvals import Agent
from ..repository.program import found, search_path
from ..verdict.reading import ReadCall
from .process import Ended
from .provider import Call, FailedError, Provider, Usage, dollars, environment, last_line

MINIMUM = (2, 1, 329)
"""The oldest version whose behaviour was measured."""

_INSTALL = f"install it: npm install -g @anthropic-ai/claude-code@{'.'.join(map(str, MINIMUM))} (or newer)"
_KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN")
_OWN = (*_KEYS, "ANTHROPIC_BASE_URL")
_QUIET = dict.fromkeys(("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_TELEMETRY", "DISABLE_AUTOUPDATER", "DISABLE_ERROR_REPORTING"), "1")
_REQUESTS_AGAIN = 3
"""Times the CLI repeats a request that failed; its own number would let a model that is down use up the whole timeout."""
_AGAIN = frozenset((408, 409, 429, 500, 502, 503, 504, 529))
_LIMITS = {"error_max_turns": "the limit of turns was reached (max_turns)", "error_max_budget_usd": "the budget was used up (max_cost_usd)"}


def _ready(agent: Agent, env: Mapping[str, str]) -> None:
    program = found(agent.command[0], env)
    if not program:
        raise FailedError("spawn", f"there is no program {agent.command[0]!r} on the PATH", _INSTALL)
    try:
        done = subprocess.run([program, *agent.command[1:], "--version"], capture_output=True, timeout=20, check=False, stdin=subprocess.DEVNULL,
                              env={"PATH": search_path(env), **_QUIET})  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise FailedError("spawn", f"{program} could not be started: {error}", _INSTALL) from None
    said = re.match(rb"(\d+)\.(\d+)\.(\d+)", done.stdout)
    if done.returncode or not said:
        raise FailedError("spawn", f"{agent.command[0]} does not say its version, so it may not be the claude CLI", _INSTALL)
    version = tuple(map(int, said.groups()))
    if version < MINIMUM:
        raise FailedError("spawn", f"claude {'.'.join(map(str, version))} is too old to be locked down", _INSTALL)
    if not agent.env and not any(env.get(name) for name in _KEYS):
        raise FailedError("setup", "there is no key for the model in the environment", f"set {_KEYS[0]}, or {_KEYS[2]} (`claude setup-token`)")


def _argv(call: Call) -> list[str]:
    run, work = call.run, call.work
    fallback = ["--fallback-model", run.fallback_model] if run.fallback_model else []
    return [
        found(call.agent.command[0], os.environ), *call.agent.command[1:], "--print", "--output-format", "stream-json", "--verbose",
        "--restricted", "--strict-mcp-config", "--setting-sources", "", "--disable-slash-commands", "--tools", "Read,Glob,Grep",
        "--permission-mode", "dontAsk", "--no-session-persistence", "--session-id", call.session, "--add-dir", work.judge,
        "--append-system-prompt-file", work.rubric, "--model", run.model, *fallback, "--max-turns", str(run.max_turns),
        "--max-budget-usd", f"{call.budget:.6f}", "--json-schema", json.dumps(call.schema, separators=(",", ":")),
    ]  # fmt: skip


def _environment(call: Call, outside: Mapping[str, str]) -> dict[str, str]:
    own = {"CLAUDE_CODE_TMPDIR": call.work.home, "CLAUDE_CODE_MAX_RETRIES": str(_REQUESTS_AGAIN)}
    return {**environment(call, outside, _OWN), **_QUIET, **own}


class _Stream:
    """The CLI's messages, one JSON value a line; only the last one is the result."""

    def __init__(self) -> None:
        self._rest: list[bytes] = []
        self._result: dict[str, Any] | None = None
        self._results = self._tokens = self._turns = 0
        self._doing = self._model = ""
        self._messages: dict[str, int] = {}
        self._calls: dict[str, tuple[int, dict[str, Any]]] = {}
        self._shown: list[tuple[int, ReadCall]] = []
        self._answered = 0

    def feed(self, chunk: bytes) -> None:
        first, *others = chunk.split(b"\n")
        self._rest.append(first)
        for rest in others:
            self._line(b"".join(self._rest))
            self._rest = [rest]

    def _line(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return
        if not isinstance(message, dict):
            return
        if message.get("type") == "result":
            self._result, self._results = message, self._results + 1
        elif message.get("type") == "assistant" and isinstance(message.get("message"), dict):
            self._assistant(message["message"], bool(message.get("parent_tool_use_id")))
        elif message.get("type") == "user" and isinstance(message.get("message"), dict):
            self._results_of_tools(message["message"])

    def _assistant(self, message: dict[str, Any], is_helper: bool) -> None:
        self._model = str(message.get("model") or self._model)
        id = str(message.get("id"))
        if id not in self._messages:
            self._messages[id] = len(self._messages) + 1
            self._turns += 1
            self._tokens += _tokens(message.get("usage"))
        for block in message.get("content") or []:
            if isinstance(block, dict) and block.get("type") == "tool_use" and isinstance(block.get("input"), dict):
                arguments = block["input"]
                named = arguments.get("file_path") or arguments.get("pattern") or ""
                self._doing = f"{block.get('name')} {os.path.basename(str(named))}".strip()
                self._called(block, self._messages[id], is_helper)

    def _called(self, block: dict[str, Any], number: int, is_helper: bool) -> None:
        if block.get("name") == "StructuredOutput":
            self._answered = number
        elif block.get("name") == "Read" and not is_helper:
            self._calls[str(block.get("id"))] = (number, block["input"])

    def _results_of_tools(self, message: dict[str, Any]) -> None:
        content = message.get("content")
        for block in content if isinstance(content, list) else []:
            call = self._calls.pop(str(block.get("tool_use_id")), None) if isinstance(block, dict) else None
            if call and not block.get("is_error"):
                self._shown.append((call[0], _shown(call[1], block.get("content"))))

    def doing(self) -> str:
        return self._doing

    def shown(self) -> list[ReadCall]:
        """Return what the judge was shown before its answer. Results of calls in the message of the answer came too late for it."""
        return [item for number, item in self._shown if not self._answered or number < self._answered]

    def usage(self) -> Usage:
        result = self._result
        if result is None:
            return Usage(None, self._tokens, self._turns, self._model)
        models = result.get("modelUsage")
        return Usage(
            dollars(result.get("total_cost_usd")),
            _tokens(result.get("usage")),
            result["num_turns"] if isinstance(result.get("num_turns"), int) else self._turns,
            ", ".join(map(str, models)) if isinstance(models, dict) and models else self._model,
        )

    def answer(self, ended: Ended) -> object:
        self._line(b"".join(self._rest))
        result = self._result
        if result is None:
            raise FailedError("agent" if ended.code else "output", f"claude {ended.how} and gave no result{last_line(ended.errors)}", again=True)
        if self._results > 1:
            raise FailedError("output", "claude gave more than one result", again=True)
        subtype = str(result.get("subtype"))
        if subtype in _LIMITS:
            raise FailedError("budget", _LIMITS[subtype], "raise the limit in config/approvals.yaml, or review fewer files at once")
        if ended.code or result.get("is_error") is not False or subtype != "success":
            raise _error(result, subtype, ended)
        if not isinstance(result.get("structured_output"), dict):
            raise FailedError("output", "claude ended well and gave no structured answer", again=True)
        return result["structured_output"]


def _shown(arguments: dict[str, Any], content: object) -> ReadCall:
    """Return what a result has of a file; the CLI's own notes in it are no lines of it. Some pages of a document are not the document."""
    parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else [{"type": "text", "text": content}]
    text = "\n".join(str(part.get("text") or "") for part in parts if part.get("type") == "text")
    is_whole = not arguments.get("pages") and any(part.get("type") in ("image", "document") for part in parts)
    return ReadCall(str(arguments.get("file_path")), text, is_whole)


def _error(result: dict[str, Any], subtype: str, ended: Ended) -> FailedError:
    status = result.get("api_error_status")
    said = " ".join(str(result.get("result") or "").split())[:300] or (subtype if subtype != "success" else "it does not say why")
    if subtype == "error_max_structured_output_retries":
        return FailedError("parse", "no answer of the model fitted the schema", again=True)
    if status in (401, 403):
        return FailedError("agent", f"the model's API refused the key ({status}): {said}", f"check {_KEYS[0]}")
    if isinstance(status, int):
        return FailedError("agent", f"the model's API answered {status}: {said}", again=status in _AGAIN)
    return FailedError("agent", f"claude failed and {ended.how}: {said}{last_line(ended.errors)}", again=True)


def _tokens(usage: object) -> int:
    """All tokens, in and out, those from the model's own cache too."""
    found = usage if isinstance(usage, dict) else {}
    names = ("input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    return sum(found[name] for name in names if isinstance(found.get(name), int))


CLAUDE = Provider(
    stdin="prompt.md",
    records=True,
    ready=_ready,
    argv=_argv,
    environment=_environment,
    reader=_Stream,
)
