"""Judges that follow a script: the real claude CLI against a scripted model, its double, and a stand-in program for what no real one does on
command.
"""

import importlib.util
import json
import os
import shlex
import shutil
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from tests import series
from tests.fakes.scripted_model import (
    Model,
    Reply,
    Request,
    Script,
    answer,
    fail,
    say,
    tool_use,
    turn,
)

STAND_IN = Path(__file__).parent / "stand_in.py"
DOUBLE = Path(__file__).parent / "claude_double.py"
KEY = "sk-ant-scripted-0123456789"
VERSION = "2.1.330 (Claude Code)"


def claude() -> str:
    """The claude CLI, which the package claude-agent-sdk carries; the package takes long to import."""
    spec = importlib.util.find_spec("claude_agent_sdk")
    assert spec and spec.origin, "claude-agent-sdk is not installed"
    place = Path(spec.origin).parent / "_bundled" / "claude"
    assert place.exists(), "claude-agent-sdk brings no CLI for this platform"
    return str(place)


def asked_for(request: Request) -> tuple[list[str], list[str]]:
    """The briefs and the files that the schema of an answer names."""
    (tool,) = (tool for tool in request["tools"] if tool["name"] == "StructuredOutput")
    properties = tool["input_schema"]["properties"]
    return properties["checks"]["required"], properties["files"]["items"]["enum"]


def earlier(request: Request) -> dict[str, str]:
    """The mildest answer to each earlier finding that the schema names."""
    (tool,) = (tool for tool in request["tools"] if tool["name"] == "StructuredOutput")
    asked = tool["input_schema"]["properties"].get("earlier", {}).get("properties", {})
    return {name: item["enum"][0] for name, item in asked.items()}


def full(briefs: list[str], files: list[str], changed: dict[str, Any]) -> dict[str, Any]:
    """An approval that leaves nothing out, with some of it changed; a key that is changed to null is left out."""
    plain = {
        "result": "approved",
        "confidence": 0.95,
        "summary": "Sound and complete.",
        "findings": [],
        "recommendations": [],
    }
    whole = {**plain, "checks": dict.fromkeys(briefs, "passed"), "files": files, **changed}
    return {key: value for key, value in whole.items() if value is not None}


def script(conversations: list[list[dict[str, Any]]]) -> Script:
    """A script from replies as cases write them, one list for each conversation; the last one serves all further ones."""
    begun: list[str] = []
    failed: Counter[str] = Counter()

    def reply(request: Request) -> Reply:
        session = json.loads(request["metadata"]["user_id"])["session_id"]
        if session not in begun:
            begun.append(session)
        steps = conversations[min(begun.index(session), len(conversations) - 1)]
        step = steps[min(turn(request), len(steps) - 1)]
        if "then" in step and (
            failed[session] >= step.get("times", 1000)
            or request["model"] != step.get("model", request["model"])
        ):
            step = step["then"]
        failed[session] += "status" in step
        return _reply(step, request)

    return reply


def _reply(step: dict[str, Any], request: Request) -> Reply:
    rest = {key: value for key, value in step.items() if key in ("hold", "stall", "cut")}
    if "tokens" in step:
        rest["tokens"] = tuple(step["tokens"])
    if "status" in step:
        return fail(step["status"], *step.get("headers", {}).items())._replace(**rest)
    if "answer" in step:
        before = earlier(request)
        told = {**({"earlier": before} if before else {}), **step["answer"]}
        return answer(full(*asked_for(request), told))._replace(**rest)
    if "read" in step:
        return Reply(
            tuple(tool_use("Read", {"file_path": path}) for path in asked_for(request)[1])
        )._replace(**rest)
    if "use" in step:
        return Reply(tuple(tool_use(name, given) for name, given in step["use"]))._replace(**rest)
    return say(step.get("say", ""))._replace(**rest)


def environment(model: Model | None, folder: Path) -> dict[str, str]:
    """What a call is given: a PATH with `claude` first, a key, and other secrets that no judge may see."""
    return {
        **os.environ,
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "ANTHROPIC_API_KEY": KEY,
        "ANTHROPIC_BASE_URL": model.url if model else "http://127.0.0.1:9",
        "GITHUB_TOKEN": "ghs-secret",
        "ACTIONS_RUNTIME_TOKEN": "runtime-secret",
        "INPUT_GITHUB-TOKEN": "input-secret",
        "SECRET_OF_SOMEONE": "other-secret",
    }


def programs(folder: Path, case: dict[str, Any] | None, double: bool = False) -> Path:
    """A folder with `claude` and `stand-in`; a `case` says what a stand-in does, and whether it stands in for claude.

    A `double` of the claude CLI is there in its place; not in `make soak`, which runs the real one.
    """
    folder.mkdir()
    if case is not None:
        (folder / "case.json").write_text(json.dumps(case), encoding="utf-8")
    for name in ("claude", "stand-in"):
        if name == "claude" and (case is None or case.get("as") != "claude"):
            if double and series.chosen() != series.SOAK:
                _write_program(folder / name, VERSION, DOUBLE)
            else:
                (folder / name).symlink_to(claude())
        elif not (case or {}).get("absent"):
            version = (case or {}).get("version", VERSION)
            _write_program(folder / name, version, STAND_IN, folder / "case.json")
    return folder


def _write_program(place: Path, version: str, *command: Path) -> None:
    """Write a program in Python, which starts fast and says its version at once."""
    start = shlex.join(map(str, (sys.executable, "-I", "-S", *command)))
    says = f"echo {shlex.quote(version)}; exit"
    text = f'#!/bin/sh\ncase " $* " in *" --version "*) {says};; esac\nexec {start} "$@"\n'
    place.write_text(text, encoding="utf-8")
    place.chmod(0o755)


def without_claude(environment: dict[str, str]) -> dict[str, str]:
    """An environment in whose PATH there is no other claude than that of the first folder."""
    folders = environment["PATH"].split(os.pathsep)
    return {
        **environment,
        "PATH": os.pathsep.join(
            [
                folders[0],
                *(place for place in folders[1:] if not shutil.which("claude", path=place)),
            ]
        ),
    }
