"""Any program as a judge.

Instructions, message and files go to its standard input; its judge-answer comes as JSON from
standard output. It starts in the copy of the repository. HELIX_JUDGE is the folder with rubric,
briefs and schema, HELIX_MODEL the model of the settings.

The answer may be alone, in a fence, or in an object that wraps it, as `{"response": "..."}` and
`{"result": "..."}` of other vendors' tools. Such an object may also have `cost_usd`,
`tokens_used`, `turns` and `model`.
"""

import os
import re
from collections.abc import Mapping

from ..config.agents import Agent
from ..repository.program import find
from ..verdict.reading import ReadCall
from ..verdict.verdict import RefusedError, load
from .process import Ended
from .provider import Call, FailedError, Provider, Usage, dollars, environment, last_line

_INPUT = "judge/whole.md on standard input, judge/schema.json for the answer"
_SHOWN = f"--keep-workspace leaves what it was given: {_INPUT}"
_WRAPPED = ("answer", "structured_output", "response", "result", "output")


def _ready(agent: Agent, env: Mapping[str, str]) -> None:
    if not find(agent.command[0], env):
        message = f"there is no program {agent.command[0]!r} on the PATH"
        help = f"install it, or change agents.{agent.name}.command"
        raise FailedError("spawn", message, help)


def _argv(call: Call) -> list[str]:
    places = {"{model}": call.run.model, "{judge}": call.work.judge}
    program, *words = call.agent.command
    pattern = re.compile(r"\{model\}|\{judge\}")
    arguments = [pattern.sub(lambda match: places[match[0]], word) for word in words]
    return [find(program, os.environ), *arguments]


def _environment(call: Call, outside: Mapping[str, str]) -> dict[str, str]:
    return {
        **environment(call, outside),
        "HELIX_JUDGE": call.work.judge,
        "HELIX_MODEL": call.run.model,
        "HELIX_MAX_COST_USD": f"{call.budget:.6f}",
    }


class _Output:
    """All that the program prints, which is read at its end."""

    def __init__(self) -> None:
        self._chunks: list[bytes] = []
        self._usage = Usage()

    def feed(self, chunk: bytes) -> None:
        self._chunks.append(chunk)

    def doing(self) -> str:
        return ""

    def usage(self) -> Usage:
        return self._usage

    def shown(self) -> list[ReadCall]:
        return []

    def answer(self, ended: Ended) -> object:
        text = b"".join(self._chunks).decode(errors="replace").strip()
        if ended.code:
            message = f"the judge {ended.how}{last_line(ended.errors)}"
            raise FailedError("agent", message, _SHOWN, again=True)
        if not text:
            message = "the judge ended well and printed nothing"
            raise FailedError("output", message, _SHOWN, again=True)
        return self._unwrapped(_loaded(text))

    def _unwrapped(self, value: object) -> object:
        if not isinstance(value, dict) or "checks" in value:
            return value
        self._usage = _usage(value)
        if value.get("is_error") not in (None, False) or value.get("error"):
            raise FailedError("agent", "the judge says that it failed", again=True)
        for name in _WRAPPED:
            inner = value.get(name)
            if isinstance(inner, dict):
                return inner
            if isinstance(inner, str) and inner.lstrip().startswith(("{", "```")):
                return _loaded(inner)
        message = "the judge printed JSON without an answer in it"
        raise FailedError("output", message, _SHOWN, again=True)


def _loaded(text: str) -> object:
    text = text.strip()
    if text.startswith("```") and text.endswith("```"):
        text = text[:-3].partition("\n")[2]
    try:
        return load(text)
    except RefusedError as error:
        message = f"{error}; it begins with {' '.join(text[:60].split())!r}"
        help = "let it print one JSON object and nothing else"
        raise FailedError("parse", message, help, again=True) from None


def _usage(value: dict[str, object]) -> Usage:
    cost, tokens, turns = (value.get(name) for name in ("cost_usd", "tokens_used", "turns"))
    model = value.get("model")
    return Usage(
        cost_usd=dollars(cost),
        tokens=tokens if isinstance(tokens, int) and tokens >= 0 else 0,
        turns=turns if isinstance(turns, int) and turns >= 0 else 0,
        model=model if isinstance(model, str) else "",
    )


COMMAND = Provider(
    stdin="whole.md",
    records=False,
    ready=_ready,
    argv=_argv,
    environment=_environment,
    reader=_Output,
)
