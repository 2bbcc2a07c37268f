"""docs/queue.md: each of its commands is executed in the order of the page, and its list is one of ours."""

import json
import re
import shlex
import sys

import pytest

from helix_hooks.waiting import queue_text
from helix_hooks.waiting.entry import ESCALATED, PULL_REQUEST, REQUEST, Queue
from tests.conftest import ROOT
from tests.stories.flow.examples import FlowScene
from tests.unit.waiting.queued import HOUR, MAX, NOW, entry

PAGE = (ROOT / "docs" / "queue.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
COMMANDS = [
    line.removeprefix("helix-hooks ")
    for language, text in BLOCKS
    if language == "sh"
    for line in text.splitlines()
]


@pytest.mark.slow
@pytest.mark.further
@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals on Windows")
def test_the_commands_of_the_page(scene: FlowScene) -> None:
    first = scene.call("ask", "Merge the parser", "--action", "pr_merge", "--format", "json")
    second = scene.call("ask", "Deploy", "--action", "production_deployment", "--format", "json")
    third = scene.call("ask", "Release", "--action", "sprint_completion", "--format", "json")
    asked = {
        "approve": first,
        "reject": second,
        **dict.fromkeys(("ask-back", "reply", "withdraw"), third),
    }
    ids = {word: json.loads(done.stdout)["request"]["id"] for word, done in asked.items()}
    assert len(COMMANDS) == 12
    for line in COMMANDS:
        verb = line.split()[1]
        id = ids.get(verb, ids["reject"])
        words = shlex.split(line, comments=True)
        arguments = [id if word in ("ID", "6ab7827c") else word for word in words]
        if verb in ("approve", "reject", "ask-back"):
            code, text = scene.at_terminal(*arguments, typed=f"{id[:8]}\n")
        else:
            done = scene.call(*arguments)
            code, text = done.returncode, done.stdout + done.stderr
        assert code == (4 if line.startswith("ask") or "--all-routine" in line else 0), (line, text)


def test_the_list_of_the_page() -> None:
    entries = (
        entry("acme/shop#45", PULL_REQUEST, "Add user authentication", asked_at=NOW - 2 * HOUR, due_at=NOW + 22 * HOUR),
        entry("acme/shop#46", PULL_REQUEST, "Start sprint 4", category="milestone", asked_at=NOW - 30 * 60),
        entry("acme/shop#47", PULL_REQUEST, "Update dependencies", asked_at=NOW - 5 * HOUR, excluded=("max",)),
        entry("6ab7827c-1", REQUEST, "Deploy v1.2 to production", category="critical", state=ESCALATED, asked_at=NOW - 15 * 60,
              due_at=NOW + 3 * HOUR, turn="Escalated to acme/board", excluded=("max",)),
    )  # fmt: skip
    shown = queue_text.as_text(Queue(entries, NOW), MAX, columns=80)
    (text,) = [text for language, text in BLOCKS if language == "text"]
    assert shown == text
