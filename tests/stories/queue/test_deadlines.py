"""Deadlines of the questions of real runs: refused after it, asked again, approved by the policy alone where it says so."""

import json
import time

import pytest

from helix_hooks.errors import UsageError
from helix_hooks.flow import answering
from helix_hooks.flow.answering import RunAnswer
from helix_hooks.phases.run_state import APPROVE, RETRY
from helix_hooks.queue import place as queue_place
from helix_hooks.queue.collect import collect
from helix_hooks.queue.place import QueuePlace, Wanted
from helix_hooks.queue.sweep import sweep
from helix_hooks.waiting.entry import ESCALATED, EXPIRED, WAITING, QueueEntry
from tests.stories.flow.examples import FlowScene, adr
from tests.stories.flow.scene import until

pytestmark = pytest.mark.slow
HOUR, DAY = 3600, 86400
MANUAL = """phases:
  - {id: write, type: development, run: [sh, -c, "mkdir -p out; echo x > out/a.md"], output: [out/a.md]}
  - {id: sign-off, type: approval, approver: manual, input: [out/a.md]}
"""


def policy(scene: FlowScene, action: str, category: str) -> None:
    """Commit a deadline of an hour for a category, and an action of the type `adr` that asks."""
    place = scene.repository.root / "config" / "approvals.yaml"
    settings = json.loads(place.read_text())
    expiry = {"action": action, **({"escalate_to": "acme/board"} if action == "escalate" else {})}
    settings["policy"] = {
        "autonomy": "full_control",
        "deadlines": {category: "1h"},
        "on_expiry": expiry,
    }
    settings["approvals"] = {"adr": {"action": "story_implementation"}}
    scene.repository.stage("config/approvals.yaml", json.dumps(settings))
    scene.repository.commit()


def here(scene: FlowScene) -> QueuePlace:
    return queue_place.place_of(str(scene.repository.root), scene.environment)


def only(scene: FlowScene, now: int) -> QueueEntry:
    queue = collect(here(scene), Wanted(), scene.environment, now)
    assert not queue.partial
    (entry,) = queue.entries
    return entry


def test_after_the_deadline_an_approval_is_refused_until_it_is_asked_again(
    scene: FlowScene,
) -> None:
    policy(scene, "block", "expertise")
    begun = int(time.time())
    assert scene.run_text(MANUAL).returncode == 4
    entry = only(scene, begun)
    assert begun <= entry.asked_at <= time.time() and entry.due_at == entry.asked_at + HOUR
    place, run = here(scene).flow, entry.id.partition("/")[0]
    wish = RunAnswer(APPROVE, run)
    answering.checked(place, wish, entry.due_at - 1)
    assert only(scene, entry.due_at - 1).state == WAITING
    for late in (0, 1):
        late_entry = only(scene, entry.due_at + late)
        assert (late_entry.state, late_entry.ways_on) == (
            EXPIRED,
            (f"helix-hooks flow retry {run} --phase sign-off",),
        )
        with pytest.raises(UsageError, match="the deadline of sign-off has passed") as refused:
            answering.checked(place, wish, entry.due_at + late)
        assert str(refused.value).endswith(f"helix-hooks flow retry {run} --phase sign-off")
    answering.checked(place, wish._replace(action=RETRY), entry.due_at)
    assert scene.at_terminal("flow", "retry", typed="sign-off\n")[0] == 4
    again = only(scene, entry.due_at)
    assert again.asked_at >= entry.asked_at and again.id == entry.id


@pytest.mark.further
def test_time_approves_a_routine_question_of_a_judge_and_once(scene: FlowScene) -> None:
    policy(scene, "auto_approve", "routine")
    scene.writes(consultant=adr())
    assert scene.run("seed1-gate.yaml").returncode == 4
    entry = only(scene, int(time.time()))
    assert (entry.category, entry.recommendation.answer) == ("routine", "approve")
    assert sweep(here(scene), entry.due_at - 1).changes == ()
    (line,) = sweep(here(scene), entry.due_at).changes
    assert line == f"{entry.id}: approved by the policy, since the deadline has passed"
    until(lambda: scene.states() == {"consultant": "approved"})
    (phase,) = scene.status()["phases"]
    assert phase["decided"].startswith("approved by the policy, since the deadline has passed, ")
    assert sweep(here(scene), entry.due_at + 1) == ((), ())


@pytest.mark.further
def test_time_approves_no_manual_gate(scene: FlowScene) -> None:
    policy(scene, "auto_approve", "expertise")
    assert scene.run_text(MANUAL).returncode == 4
    entry = only(scene, int(time.time()))
    late = entry.due_at + 9 * DAY
    assert sweep(here(scene), late) == ((), ()) and only(scene, late).state == EXPIRED


@pytest.mark.further
def test_an_escalation_is_seen_at_each_look(scene: FlowScene) -> None:
    policy(scene, "escalate", "expertise")
    assert scene.run_text(MANUAL).returncode == 4
    due = only(scene, int(time.time())).due_at
    entry = only(scene, due)
    assert (entry.state, entry.due_at, entry.turn) == (
        ESCALATED,
        due + DAY,
        "Escalated to acme/board",
    )
    assert only(scene, due + DAY).state == EXPIRED
