"""The example files of the original design, end to end with scripted authors and a scripted judge."""

import pytest

from tests.stories.flow.scene import FlowScene, adr, code

pytestmark = pytest.mark.slow
"""Each command of a run starts an engine."""

CRITICAL = "output/ADR-critical.md"
BACK = ["--phase", "code-approval"]


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
    assert "## Freigabe nicht erteilt" in second["feedback"]
    assert "nobody owns the index" in second["feedback"]
    assert "Write what is there, and no more." in second["feedback"]
    result = scene.repository.root / "approvals/adr/output/approval-result.json"
    assert '"decision": "approved"' in result.read_text()
