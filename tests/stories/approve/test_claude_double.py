"""The double of the claude CLI says what the CLI says, as far as we read it, and asks a model the same.

Both are started as a judge is, in the same folder, against the same scripts.
"""

import json
import subprocess
import uuid
from pathlib import Path
from typing import Any

import pytest

from helix_hooks.config.agents import Agent, Run
from helix_hooks.judge.claude import CLAUDE
from helix_hooks.judge.provider import Call, FailedError
from helix_hooks.judge.workspace import Workspace
from helix_hooks.proc.run import Ended
from tests.fakes import judges
from tests.fakes.scripted_model import Model, Request

FILES = {
    "a.md": b"# A\n\nOne.\nTwo.\n",
    "docs/b.md": b"# B\n\nKafka, and Kafka.\nNo broker.\n\nKafka.",
    "odd/crlf.txt": b"one\r\ntwo\r\n",
    "odd/none.txt": b"",
    "odd/bom.txt": "\ufeffone\u2028\x0c\u200b\n\nöé\n".encode(),
}
SCHEMA = {
    "type": "object",
    "required": ["result", "checks", "files"],
    "properties": {
        "result": {"enum": ["approved", "rejected"]},
        "checks": {"type": "object", "required": ["tests"]},
        "files": {"type": "array", "items": {"enum": list(FILES)}},
    },
}
ANSWER: dict[str, Any] = {"answer": {}}


def reads(**calls: dict[str, Any]) -> dict[str, Any]:
    """A turn that reads, each time in another way; each name is that of its way alone."""
    return {"use": [["Read", given] for given in calls.values()]}


WAYS = reads(
    part={"file_path": "a.md", "limit": 2},
    rest={"file_path": "a.md", "offset": 3},
    middle={"file_path": "a.md", "offset": 2, "limit": 2},
    from_nothing={"file_path": "docs/b.md", "offset": 0},
    roundabout={"file_path": "./docs/../docs//b.md"},
    beyond={"file_path": "a.md", "offset": 99},
    absent={"file_path": "gone.md"},
    folder={"file_path": "docs"},
    outside={"file_path": "/etc/passwd"},
    beside={"file_path": "../judge/rubric.md"},
)
OTHERS = {
    "use": [
        ["Glob", {"pattern": "docs/**/*.md"}],
        ["Glob", {"pattern": "**/*.py"}],
        ["Grep", {"pattern": "Kafka", "path": "docs/b.md", "output_mode": "content"}],
        ["Grep", {"pattern": "Rabbit", "path": "docs/b.md", "output_mode": "content"}],
    ]
}
SONNET, OPUS = "claude-sonnet-5-5", "claude-opus-5-5"
SCRIPTS = {
    "all is read": (SONNET, [{"read": True}, ANSWER]),
    "it reads in its own ways": (OPUS, [WAYS, OTHERS, {**ANSWER, "tokens": [2000, 50]}]),
    "it is told to answer": (SONNET, [{"say": "I have read."}, {"answer": {"result": "rejected"}}]),
    "it never answers": (SONNET, [{"read": True}, {"say": "I approve."}]),
}


@pytest.mark.sampled
@pytest.mark.real_cli
@pytest.mark.parametrize(("model", "steps"), SCRIPTS.values(), ids=SCRIPTS)
def test_the_double_says_what_the_cli_says(
    model: str, steps: list[dict[str, Any]], tmp_path: Path
) -> None:
    work = laid_out(tmp_path / "judged")
    theirs, ours = (
        conversation(judges.programs(tmp_path / name, None, double=double), work, steps, model)
        for name, double in (("real", False), ("double", True))
    )
    assert ours == theirs


def laid_out(folder: Path) -> Workspace:
    for name, data in FILES.items():
        path = folder / "repo" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    for name in ("judge", "home"):
        (folder / name).mkdir()
    (folder / "judge" / "rubric.md").write_text("# Rubric\n\nJudge.\n", encoding="utf-8")
    return Workspace(str(folder))


def conversation(
    programs: Path, work: Workspace, steps: list[dict[str, Any]], model: str
) -> dict[str, Any]:
    """Return what we read of a conversation, and what the model was asked in it."""
    agent = Agent("claude", "claude", (str(programs / "claude"),))
    run = Run("claude", model, "", 60, 0, 0, 0.5, "auto", 1, 40)
    call = Call(work, agent, run, SCHEMA, 1, str(uuid.uuid4()))
    with Model(judges.script([steps])) as scripted:
        outside = judges.environment(scripted, programs)
        done = subprocess.run(
            CLAUDE.argv(call),
            input=b"Review these files.\n",
            cwd=work.repo,
            env=CLAUDE.environment(call, outside),
            capture_output=True,
            check=False,
            timeout=60,
        )
        requests = [asked(request, call.session) for request in scripted.requests]
        keys = scripted.keys
    reader = CLAUDE.reader()
    reader.feed(done.stdout)
    try:
        answer = reader.answer(Ended(done.returncode, "", done.stderr.decode()))
    except FailedError as error:
        answer = str(error)
    return {
        "code": done.returncode,
        "answer": answer,
        "usage": reader.usage(),
        "doing": reader.doing(),
        "shown": sorted(reader.shown()),
        "keys": keys,
        "requests": requests,
    }


def asked(request: Request, session: str) -> dict[str, Any]:
    """Return of a request what scripts and tests look at."""
    messages = [message for message in request["messages"] if message["role"] != "system"]
    calls = [
        block
        for message in messages
        for block in (message["content"] if isinstance(message["content"], list) else [])
    ]
    names = {block["id"]: number for number, block in enumerate(calls) if "name" in block}
    return {
        "is of the session": json.loads(request["metadata"]["user_id"])["session_id"] == session,
        "model": request["model"],
        "has the rubric": "# Rubric\\n\\nJudge.\\n" in json.dumps(request["system"]),
        "prompt": first_text(messages[0]["content"]),
        "schema": judges.asked_for(request),
        "tools": {"Read", "Glob", "Grep"} <= {tool["name"] for tool in request["tools"]},
        "roles": [message["role"] for message in messages],
        "calls": [(block["name"], block["input"]) for block in calls if "name" in block],
        "texts": [block["text"] for block in calls if block["type"] == "text"],
        "results": sorted(
            (names[block["tool_use_id"]], str(block["content"]), bool(block.get("is_error")))
            for block in calls
            if block["type"] == "tool_result"
        ),
    }


def first_text(content: Any) -> str:
    return content if isinstance(content, str) else str(content[0]["text"])
