"""What one step of a run writes reaches the next: from the judge to the next prompt, and to people."""

import json
import sys
from pathlib import Path

import pytest

from tests.conftest import Repository
from tests.stories.flow.examples import CODE, FlowScene
from tests.stories.flow.scene import Scene

pytestmark = pytest.mark.slow


# The command.

CRASH = """#!/bin/sh
cat > "prompt-$HELIX_ATTEMPT"
cat "$HELIX_FEEDBACK_FILE" > "feedback-$HELIX_ATTEMPT" || exit 9
echo "half of the work"
[ "$HELIX_ATTEMPT" -lt "$1" ] && { echo "no key in the keychain" >&2; exit 3; }
mkdir -p out && echo done > out/a.txt
"""
PHASE = "phases:\n  - {id: a, type: writer, run: [sh, crash.sh, '%s'], output: [out/a.txt], max_retries: 1}\n"


def test_a_crash_is_told_to_the_next_try(repository: Repository, tmp_path: Path) -> None:
    repository.stage("crash.sh", CRASH)
    flow = Scene(repository, PHASE % 2, tmp_path / "log")
    done = flow.run()
    assert done.returncode == 0, done.stderr
    assert (flow.tree() / "feedback-1").read_text() == "", "a first try has an empty file"
    feedback = (flow.tree() / "feedback-2").read_text()
    assert "Phase a, attempt 1 of 2: sh: it ended with exit code 3" in feedback, feedback
    assert "half of the work\n" in feedback and "no key in the keychain\n" in feedback
    assert "no key in the keychain" in (flow.tree() / "prompt-2").read_text()


def test_a_crash_is_not_called_a_failed_gate(repository: Repository, tmp_path: Path) -> None:
    repository.stage("crash.sh", CRASH)
    flow = Scene(repository, PHASE % 9, tmp_path / "log")
    done = flow.run()
    assert done.returncode == 4
    shown = flow.call("flow", "status").stdout
    assert "the command failed: sh: it ended with exit code 3" in shown, shown
    assert "the gate failed" not in shown and "--override" not in shown, "nothing was checked"
    done = flow.call("flow", "approve", "--override", "--reason", "it is fine")
    assert done.returncode == 2 and "no gate has checked a" in done.stderr, done.stderr


# The judge.

FLOW = """phases:
  - id: code
    type: development
    output: [new/src/critical/search.py]
    allow_rewrite: true
  - id: approval
    type: approval
    approval_type: code
    input: [new/src/critical/search.py]
    on_rejection:
      action: retry_phase
      target_phase: code
      max_retries: 2
      feedback_template: |
        {{phase}} {{attempt}}/{{tries}} ({{max_retries}}): {{blocking_issues}} / {{suggestions}}
"""


@pytest.fixture
def flow(repository: Repository, tmp_path: Path) -> FlowScene:
    scene = FlowScene(repository, tmp_path)
    settings = json.loads((repository.root / "config/approvals.yaml").read_text())
    settings["approvals"] = {"code": {"paths": ["new/src/**"]}}
    repository.stage("config/approvals.yaml", json.dumps(settings))
    repository.commit("Review code")
    return scene


def code(*defects: str, text: str = CODE) -> dict[str, object]:
    return {"path": "new/src/critical/search.py", "text": text, "defects": defects}


def test_all_that_a_judge_says_is_in_the_next_prompt(flow: FlowScene) -> None:
    flow.writes(code=code("no test", "no owner"))
    done = flow.run_text(FLOW)
    assert done.returncode == 0, done.stdout + done.stderr
    first, second, third = flow.tries("code")
    assert first["feedback"] == ""
    assert "approval 1/3 (2): - new/src/critical/search.py:" in second["feedback"]
    assert "no test; Take the defect out. / - Write what is there" in second["feedback"]
    assert "approval 2/3 (2): " in third["feedback"] and "no owner" in third["feedback"]
    assert "wrote new/src/critical/search.py, try 1" in third["prompt"], "the first rejected try"
    assert "wrote new/src/critical/search.py, try 2" in third["prompt"]


SUGGESTING = """
import json, os, pathlib
schema = json.loads((pathlib.Path(os.environ["HELIX_JUDGE"]) / "schema.json").read_text())["properties"]
path, briefs = schema["files"]["items"]["enum"][0], schema["checks"]["required"]
first = pathlib.Path(path).read_text().splitlines()[0]
finding = {"severity": "error", "check": briefs[0], "message": "no type", "path": path, "line": 1,
           "evidence": first, "help": "", "suggestion": {"start": 1, "end": 1, "text": "def index() -> Index:"}}
is_open = first != "def index() -> Index:"
answer = {"result": "rejected" if is_open else "approved", "confidence": 0.95, "summary": "s", "files": [path],
          "findings": [finding] * is_open, "recommendations": [],
          "checks": dict.fromkeys(briefs, "passed") | {briefs[0]: "failed" if is_open else "passed"}}
if schema["earlier"]["properties"]:
    answer["earlier"] = dict.fromkeys(schema["earlier"]["properties"], "fixed")
print(json.dumps(answer))
"""


@pytest.mark.parametrize("allowed", [True, False])
def test_a_suggested_text_reaches_the_author(
    flow: FlowScene, repository: Repository, tmp_path: Path, allowed: bool
) -> None:
    (tmp_path / "suggest.py").write_text(SUGGESTING)
    settings = json.loads((repository.root / "config/approvals.yaml").read_text())
    settings["agents"]["scripted"]["command"] = [sys.executable, str(tmp_path / "suggest.py")]
    repository.stage("config/approvals.yaml", json.dumps(settings))
    repository.commit("Suggest")
    flow.writes(code=code())
    text = FLOW if allowed else FLOW.replace("allow_rewrite: true", "allow_rewrite: false")
    flow.run_text(text)
    second = flow.tries("code")[1]
    for part in (second["feedback"], second["prompt"]):
        shown = (
            "new/src/critical/search.py, lines 1 to 1:\n\n```text\ndef index() -> Index:\n```"
            in part
        )
        assert shown == allowed, part


DECLINING = """
import os, pathlib, re, sys
place = pathlib.Path("new/src/critical/search.py")
place.parent.mkdir(parents=True, exist_ok=True)
place.write_text("# DEFECT: no owner\\n")
issues = pathlib.Path(os.environ["HELIX_ISSUES_FILE"])
if issues.exists():
    issues.write_text(re.sub("Answer: .*", f"Answer: declined: {sys.argv[1]}", issues.read_text()))
print("declined")
"""


@pytest.mark.parametrize("is_answer", [True, False])
def test_the_reason_of_an_author_reaches_judge_and_person(
    flow: FlowScene, repository: Repository, tmp_path: Path, is_answer: bool
) -> None:
    reason = "it is generated because of the schema" if is_answer else "I prefer it so"
    (tmp_path / "decline.py").write_text(DECLINING)
    author = [sys.executable, str(tmp_path / "decline.py"), reason]
    settings = json.loads((repository.root / "config/approvals.yaml").read_text())
    settings["flow"]["creators"]["development"] = {"command": author}
    repository.stage("config/approvals.yaml", json.dumps(settings))
    repository.commit("Decline")
    done = flow.run_text(FLOW.replace("      max_retries: 2\n", "      max_retries: 1\n"))
    if is_answer:
        assert done.returncode == 0, done.stdout + done.stderr
        return
    assert done.returncode == 4, done.stdout + done.stderr
    shown = flow.call("flow", "status").stdout
    assert f"no owner (declined by the reviser: {reason})" in shown, shown
    assert shown.count("no owner") == 1, "an open finding is kept, not repeated"
