"""Coding agents as users run them, headless: the real command-line programs, with a model that follows a script."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from filelock import FileLock

from tests.fakes import judges, scripted_model
from tests.fakes.loopback_model import LoopbackModel, Step, gemini, responses
from tests.fakes.scripted_model import Model

Done = subprocess.CompletedProcess[str]
AnyModel = Model | LoopbackModel
TASK = "Implement ADR-014."
_TIMEOUT = 120


class Scene(NamedTuple):
    """Where an agent runs: its repository, its home, and a folder of programs on its PATH."""

    root: Path
    home: Path
    programs: Path


class CodingAgent(NamedTuple):
    """An agent. `package` is its name and version in the npm registry, "" for the one that Python brings.

    `write` is the step that makes a file, `model` the server of some steps. `command` and `variables` start it with a model. `told` are the
    texts that reached the model as a user's, `shown` is what the user sees, None for one that shows no message of a hook.
    """

    package: str
    write: Callable[[Path, str], Step]
    model: Callable[[list[Step]], AnyModel]
    command: Callable[[str, Scene], list[str]]
    variables: Callable[[str, Scene], Mapping[str, str]]
    told: Callable[[dict[str, Any]], list[str]]
    shown: Callable[[Done], str] | None


def run(agent: CodingAgent, program: str, model: AnyModel, scene: Scene) -> Done:
    """Give the task to an agent."""
    scene.home.mkdir(exist_ok=True)
    path = f"{scene.programs}{os.pathsep}{_without_ours(os.environ['PATH'])}"
    variables = {"HOME": str(scene.home), "PATH": path, "TMPDIR": str(scene.home)}
    return subprocess.run(
        [program, *agent.command(model.url, scene)],
        stdin=subprocess.DEVNULL,
        cwd=scene.root,
        env={**os.environ, **variables, **agent.variables(model.url, scene)},
        capture_output=True,
        text=True,
        check=False,
        timeout=_TIMEOUT,
    )


def program_of(agent: CodingAgent, folder: Path) -> tuple[str, str]:
    """Return the program of an agent, installed once; or "" and why it is not there."""
    if not agent.package:
        return judges.claude(), ""
    if not shutil.which("npm"):
        return "", f"npm is not there, so {agent.package} is not installed"
    name = agent.package.rpartition("@")[0].rpartition("/")[2].partition("-")[0]
    place = folder / name
    program, failed = place / "node_modules" / ".bin" / name, place / "failed"
    with FileLock(f"{place}.lock"):
        if not program.exists() and not failed.exists():
            error = _installed(agent.package, place)
            if error:
                failed.write_text(error, encoding="utf-8")
    if failed.exists():
        return "", f"npm could not install {agent.package}: {failed.read_text(encoding='utf-8')}"
    return str(program), ""


def _installed(package: str, folder: Path) -> str:
    """Install a package; return "", or what npm says."""
    folder.mkdir(exist_ok=True)
    quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=0"]
    authorities = os.environ.get("SSL_CERT_FILE")
    extra = {"NODE_EXTRA_CA_CERTS": authorities} if authorities else {}
    done = subprocess.run(
        ["npm", "install", *quiet, "--prefix", str(folder), package],
        env={**os.environ, **extra},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    return done.stderr.strip()[-300:] or "it says nothing" if done.returncode else ""


def on_path(folder: Path, name: str, *command: str | Path) -> Path:
    """Write a program that starts a command, as an agent finds it on its PATH; return the folder."""
    folder.mkdir(exist_ok=True)
    place = folder / name
    place.write_text(f'#!/bin/sh\nexec {shlex.join(map(str, command))} "$@"\n', encoding="utf-8")
    place.chmod(0o755)
    return folder


def _without_ours(path: str) -> str:
    """Return a PATH without the environment of the tests, which has `helix-hooks` too."""
    ours = str(Path(sys.executable).parent)
    return os.pathsep.join(place for place in path.split(os.pathsep) if place != ours)


# Claude Code, and Copilot CLI with a model of Anthropic's.


def _messages_model(steps: list[Step]) -> Model:
    replies = [
        scripted_model.use(step.tool, **step.arguments)
        if step.tool
        else scripted_model.say(step.text)
        for step in steps
    ]
    return Model(scripted_model.in_turns(*replies))


def _messages_told(request: dict[str, Any]) -> list[str]:
    contents = [item["content"] for item in request["messages"] if item["role"] == "user"]
    blocks = [[{"text": item}] if isinstance(item, str) else item for item in contents]
    return [block["text"] for content in blocks for block in content if "text" in block]


def _shown_by_claude(done: Done) -> str:
    events = [json.loads(line) for line in done.stdout.splitlines()]
    notices = [event["content"] for event in events if event.get("subtype") == "informational"]
    return "\n".join(notices)


CLAUDE = CodingAgent(
    package="",
    write=lambda path, text: Step(
        tool="Write", arguments={"file_path": str(path), "content": text}
    ),
    model=_messages_model,
    command=lambda _url, _scene: [
        *("-p", TASK, "--output-format", "stream-json", "--verbose"),
        *("--permission-mode", "acceptEdits", "--model", "claude-sonnet-5-5"),
    ],
    variables=lambda url, scene: {
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": judges.KEY,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "CLAUDE_CODE_TMPDIR": str(scene.home),
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_ERROR_REPORTING": "1",
        "DISABLE_TELEMETRY": "1",
    },
    told=_messages_told,
    shown=_shown_by_claude,
)
COPILOT = CodingAgent(
    package="@github/copilot@1.0.102",
    write=lambda path, text: Step(tool="create", arguments={"path": str(path), "file_text": text}),
    model=_messages_model,
    command=lambda _url, _scene: ["-p", TASK, "--allow-all-tools"],
    variables=lambda url, _scene: {
        "COPILOT_MODEL": "claude-sonnet-4",
        "COPILOT_OFFLINE": "true",
        "COPILOT_PROVIDER_API_KEY": "scripted",
        "COPILOT_PROVIDER_BASE_URL": url,
        "COPILOT_PROVIDER_TYPE": "anthropic",
        "GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS": "true",
    },
    told=_messages_told,
    shown=lambda done: done.stdout,
)


# Gemini CLI


def _gemini_variables(url: str, scene: Scene) -> Mapping[str, str]:
    settings = scene.home / ".gemini" / "settings.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    auth = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
    settings.write_text(json.dumps(auth), encoding="utf-8")
    return {
        "GEMINI_API_KEY": "scripted",
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
        "GEMINI_TELEMETRY_ENABLED": "false",
        "GOOGLE_GEMINI_BASE_URL": url,
    }


GEMINI = CodingAgent(
    package="@google/gemini-cli@0.61.0",
    write=lambda path, text: Step(
        tool="write_file", arguments={"file_path": str(path), "content": text}
    ),
    model=lambda steps: LoopbackModel(gemini, steps),
    command=lambda _url, _scene: ["-m", "gemini-2.5-flash", "--yolo", "-p", TASK],
    variables=_gemini_variables,
    told=lambda request: [
        part.get("text", "") for content in request["contents"] for part in content["parts"]
    ],
    shown=lambda done: done.stderr,
)


# Codex


def _provider(url: str) -> str:
    fields = {"name": "scripted", "base_url": f"{url}/v1", "env_key": "SCRIPTED_KEY"}
    return ", ".join(f"{key}={json.dumps(value)}" for key, value in fields.items())


CODEX = CodingAgent(
    package="@openai/codex@0.169.0",
    write=lambda path, text: Step(
        tool="exec_command",
        arguments={
            "cmd": f"mkdir -p {shlex.quote(str(path.parent))} && "
            f"printf %s {shlex.quote(text)} > {shlex.quote(str(path))}"
        },
    ),
    model=lambda steps: LoopbackModel(responses, steps),
    command=lambda url, _scene: [
        *("exec", "--trust", "--dangerously-bypass-hook-trust"),
        *("--dangerously-bypass-approvals-and-sandbox", "-c", 'model="gpt-5.4"'),
        *("-c", 'model_provider="scripted"'),
        *("-c", f'model_providers.scripted={{{_provider(url)}, wire_api="responses"}}', TASK),
    ],
    variables=lambda _url, _scene: {"SCRIPTED_KEY": "scripted"},
    told=lambda request: [
        block.get("text", "")
        for item in request["input"]
        if item.get("role") == "user"
        for block in item["content"]
    ],
    shown=None,  # `codex exec`; in a terminal it is shown as a warning
)

AGENTS = {"claude": CLAUDE, "gemini": GEMINI, "copilot": COPILOT, "codex": CODEX}
