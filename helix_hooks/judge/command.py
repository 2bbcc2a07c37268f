"""Any program as a judge.

The program gets instructions, message and files on standard input, and prints its judge-answer as
JSON. It starts in the copy of the repository. HELIX_JUDGE is the folder with rubric, briefs and
schema, HELIX_MODEL the model of the settings.

The answer may be plain, in a code fence, or in an object, such as the `{"response": "..."}` and
`{"result": "..."}` of other vendors' tools. Such an object may also have `cost_usd`,
`tokens_used`, `turns` and `model`.
"""

import os
import re
from collections.abc import Mapping

from ..config.agents import Agent
from ..proc import find
from ..proc.run import Ended
from ..verdict.reading import ReadCall
from ..verdict.verdict import RefusedError, load
from .provider import Call, FailedError, Provider, Usage, dollars, environment, last_line, variables

_INPUT = "judge/whole.md (standard input) and judge/schema.json (the answer)"
_SHOWN = f"--keep-workspace keeps its files: {_INPUT}"
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
    return {**environment(call, outside), **variables(call)}


class _Output:
    """The output of the program, which is parsed at its end."""

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
        """Return the answer in the output.

        Raises:
            FailedError: The program failed, or printed no answer.
        """
        text = b"".join(self._chunks).decode(errors="replace").strip()
        if ended.code:
            message = f"the judge {ended.how}{last_line(ended.errors)}"
            raise FailedError("agent", message, _SHOWN, again=True)
        if not text:
            message = "the judge exited successfully without output"
            raise FailedError("output", message, _SHOWN, again=True)
        return self._unwrapped(_loaded(text))

    def _unwrapped(self, value: object) -> object:
        """Return the answer inside of a vendor's object, and take the usage from that object."""
        if not isinstance(value, dict) or "checks" in value:
            return value
        self._usage = _usage(value)
        if value.get("is_error") not in (None, False) or value.get("error"):
            raise FailedError("agent", "the judge reported a failure", again=True)
        for name in _WRAPPED:
            inner = value.get(name)
            if isinstance(inner, dict):
                return inner
            if isinstance(inner, str) and inner.lstrip().startswith(("{", "```")):
                return _loaded(inner)
        message = "the JSON output of the judge has no answer"
        raise FailedError("output", message, _SHOWN, again=True)


def _loaded(text: str) -> object:
    text = text.strip()
    if text.startswith("```") and text.endswith("```"):
        text = text[:-3].partition("\n")[2]
    try:
        return load(text)
    except RefusedError as error:
        message = f"{error}; it begins with {' '.join(text[:60].split())!r}"
        help = "it must print one JSON object and nothing else"
        raise FailedError("parse", message, help, again=True) from None


def _usage(value: dict[str, object]) -> Usage:
    model = value.get("model")
    if not isinstance(model, str):
        model = ""
    return Usage(
        cost_usd=dollars(value.get("cost_usd")),
        tokens=_count(value.get("tokens_used")),
        turns=_count(value.get("turns")),
        model=model,
    )


def _count(value: object) -> int:
    if not isinstance(value, int) or value < 0:
        return 0
    return value


COMMAND = Provider(
    stdin="whole.md",
    records=False,
    ready=_ready,
    argv=_argv,
    environment=_environment,
    reader=_Output,
)
