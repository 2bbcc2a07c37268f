"""docs/flows.md: its flow is run, and each of its commands is executed in the order of the page."""

import re
import shlex
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.fakes import coding_agents
from tests.stories.flow.examples import ADR, CODE, FAKES, FlowScene, adr

pytestmark = pytest.mark.slow
PAGE = (ROOT / "docs" / "flows.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
COMMANDS = [
    line
    for language, text in BLOCKS
    if language == "sh"
    for line in text.splitlines()
    if line.startswith("helix-hooks ")
]
PARTS = {
    "write_adr": {"path": "docs/adr/001-cache-the-search.md", "text": ADR},
    "implement": {"path": "src/search.py", "text": CODE},
}


def yaml(title: str) -> str:
    """Return the block of YAML that begins with a comment."""
    (found,) = [
        text for language, text in BLOCKS if language == "yaml" and text.startswith(f"# {title}\n")
    ]
    return str(found)


@pytest.mark.further
def test_the_flow_of_the_page_and_its_commands(scene: FlowScene, tmp_path: Path) -> None:
    agent = f'#!/bin/sh\nexec "{sys.executable}" -I "{FAKES / "flow_agent.py"}" "{scene.script}"\n'
    place = tmp_path / "claude"
    place.write_text(agent)
    place.chmod(0o755)
    programs = coding_agents.on_path(tmp_path / "bin", "claude", place)
    scene.environment["PATH"] = f"{programs}:{scene.environment['PATH']}"
    scene.writes(**PARTS)
    scene.repository.write("phases.yaml", yaml("phases.yaml"))
    shown = []
    for line in COMMANDS:
        words = [word.split("#")[0] for word in shlex.split(line, comments=True)]
        arguments = [*words[1:], *(["--until-idle"] if "worker" in words else [])]
        expected = 4 if {"run", "reject"} & {*words} else 0
        if {"approve", "reject"} & {*words}:
            code, text = scene.at_terminal(*arguments, typed="release\n")
        else:
            done = scene.call(*arguments)
            code, text = done.returncode, done.stdout + done.stderr
        assert code == expected, (line, text)
        shown.append(text)
    assert len(COMMANDS) == 7 and "every phase was approved" in shown[4]
    assert set(scene.states().values()) == {"approved"}


def test_the_page_names_what_a_run_leaves(scene: FlowScene) -> None:
    scene.writes(consultant=adr("it has no owner"))
    assert scene.run("seed1-on-rejection.yaml").returncode == 0
    names = {path.name for path in scene.folder().rglob("*") if path.is_file()}
    for name in (
        "flow.yaml",
        "events.jsonl",
        "revision-issues.md",
        "prompt.md",
        "output.log",
        "gate.json",
        "feedback.md",
    ):
        assert name in names and f"`{name}`" in PAGE, name
