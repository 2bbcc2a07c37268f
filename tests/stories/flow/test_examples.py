"""The example files of the original design, end to end with scripted authors and a scripted judge."""

import json
import re

import pytest

from tests.stories.flow.examples import ADR, FlowScene, adr, code

pytestmark = pytest.mark.slow
"""Each command of a run starts an engine."""

CRITICAL = "output/ADR-critical.md"


def test_a_gate_of_a_phase_approves_at_once(scene: FlowScene) -> None:
    scene.writes(consultant=adr())
    done = scene.run("seed1-gate.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "approved: every phase was approved" in done.stdout
    assert [entry["feedback"] for entry in scene.tries("consultant")] == [""]


def test_rejected_then_approved_with_the_feedback_of_the_template(scene: FlowScene) -> None:
    scene.writes(consultant=adr("nobody owns the index"))
    done = scene.run("seed1-on-rejection.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    first, second = scene.tries("consultant")
    assert "Cache the search" in first["prompt"] and first["feedback"] == ""
    why = "approval: rejected; consultant runs again (1 of 2): approval: adr: "
    assert why in done.stderr
    assert "## Freigabe nicht erteilt" in second["feedback"]
    assert "nobody owns the index" in second["feedback"]
    assert "Write what is there, and no more." in second["feedback"]
    result = scene.tree() / "approvals/adr/output/approval-result.json"
    assert '"decision": "approved"' in result.read_text()


@pytest.mark.further
def test_a_concept_is_compared_and_then_a_judge_is_asked(scene: FlowScene) -> None:
    scene.writes(consultant=adr())
    scene.repository.stage("output/concept.md", "# Concept\n\n## Context\n\nA cache.\n")
    done = scene.run("seed0-gate.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "adr_complete: " in done.stdout and "approval: adr: Sound and complete." in done.stdout


@pytest.mark.further
def test_a_phase_without_outputs_of_its_own_follows_an_approval(scene: FlowScene) -> None:
    scene.writes(consultant=adr(), development=code())
    done = scene.run("seed1-phase.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    assert scene.states() == {
        "consultant": "approved",
        "approval": "approved",
        "development": "approved",
    }


def test_exhausted_is_paused_and_only_an_override_approves_it(scene: FlowScene) -> None:
    """Attack in a flow: be retried until it passes.
    Answer: at most `max_retries` times, and then a person decides.
    """
    defects = [f"defect {number}" for number in range(9)]
    scene.writes(consultant=adr(*defects))
    done = scene.run("seed1-on-rejection.yaml")
    assert done.returncode == 4, done.stdout + done.stderr
    assert len(scene.tries("consultant")) == 3, "max_retries: 2 are two tries after the first"
    assert "--override --reason TEXT" in done.stdout and "defect 2" in done.stdout
    code, shown = scene.at_terminal("flow", "approve", typed="approval\n")
    assert code == 2 and "an override needs a reason" in shown
    answer = ["--override", "--reason", "accepted until June"]
    code, shown = scene.at_terminal("flow", "approve", *answer, typed="approval\n")
    assert code == 0, shown
    (phase,) = [phase for phase in scene.status()["phases"] if phase["id"] == "approval"]
    assert phase["overridden"] == "test (not verified): accepted until June"
    assert len(scene.tries("consultant")) == 3


def test_escalated(scene: FlowScene) -> None:
    scene.writes(consultant=adr("it has no owner"))
    text = scene.example("seed1-on-rejection.yaml").replace("retry_phase", "escalate")
    lines = [line for line in text.splitlines() if not line.strip().startswith(
        ("target_phase", "max_retries", "feedback_template", "##", "{{")
    )]  # fmt: skip
    done = scene.run_text("\n".join(lines) + "\n")
    assert done.returncode == 4, done.stdout + done.stderr
    assert len(scene.tries("consultant")) == 1 and "it has no owner" in done.stdout


def test_pending_then_approved_at_another_terminal(scene: FlowScene) -> None:
    scene.writes(consultant=adr(text=f"{ADR}\nUNSURE whether it pays.\n"), development=code())
    done = scene.run("seed1-phase.yaml")
    assert done.returncode == 4, done.stdout + done.stderr
    assert scene.states()["development"] == "waiting"
    refused = scene.call("flow", "approve")
    assert refused.returncode == 2 and "cannot identify who wants to approve" in refused.stderr
    code_of, shown = scene.at_terminal("flow", "approve", typed="something\n")
    assert code_of == 2 and "nothing was decided" in shown
    code_of, shown = scene.at_terminal("flow", "approve", typed="approval\n")
    assert code_of == 0 and "To approve approval of" in shown, shown
    assert set(scene.states().values()) == {"approved"}
    assert len(scene.tries("consultant")) == 1
    again = scene.call("flow", "approve", scene.status()["run"], "--phase", "approval")
    assert again.returncode == 2
    assert (
        "approval is not waiting for a decision: it is approved (approved by test (not verified), "
        in again.stderr
    )


@pytest.mark.further
def test_rejected_by_a_person_with_feedback(scene: FlowScene) -> None:
    scene.writes(consultant=adr(text=f"{ADR}\nUNSURE whether it pays.\n"))
    assert scene.run("seed1-gate.yaml").returncode == 4
    done = scene.call("flow", "reject", "--feedback", " ")
    assert (
        done.returncode == 2 and "Invalid value for '--feedback': the value is empty" in done.stderr
    )
    answer = ["--feedback", "say what it costs"]
    code_of, _ = scene.at_terminal("flow", "reject", *answer, typed="consultant\n")
    assert code_of == 4
    assert "say what it costs" in scene.tries("consultant")[1]["feedback"]


def test_a_cascade_whose_middle_gate_rejects(scene: FlowScene) -> None:
    scene.writes(adr_creation=adr(path=CRITICAL), implementation=code("SQL is built from input"))
    done = scene.run("seed0-cascade.yaml")
    assert done.returncode == 1, done.stdout + done.stderr
    assert scene.states() == {
        "adr-creation": "approved",
        "adr-approval": "approved",
        "implementation": "approved",
        "code-approval": "rejected",
        "security-approval": "waiting",
    }
    assert "$0.02" in done.stdout, "its judge was not asked"
    assert "SQL is built from input" in done.stdout


@pytest.mark.further
def test_a_cascade_that_is_approved(scene: FlowScene) -> None:
    scene.writes(adr_creation=adr(path=CRITICAL), implementation=code())
    done = scene.run("seed0-cascade.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "$0.03" in done.stdout
    text = scene.call("stats").stdout
    assert "approved, " in text and re.search(r"security-approval +[\d.]+ s +\$0.01  1 try", text)
    (flow,) = json.loads(scene.call("stats", "--format", "json").stdout)["flows"]
    assert (flow["cost_usd"], len(flow["phases"])) == (0.03, 5)
