"""`helix-hooks feedback`: what is pending, and for whom."""

import json
import sys
from pathlib import Path

import pytest

from helix_hooks.verify import store
from helix_hooks.verify.stop import INSIDE, decide_stop
from tests.conftest import Repository, Run
from tests.fakes.terminal import at_a_terminal
from tests.stories.verify.scene import ADR, approve_adr, verified


@pytest.fixture(autouse=True)
def approved(repository: Repository) -> None:
    approve_adr(repository)


def stop(repository: Repository, times: int = 1) -> store.Store:
    place = store.opened(str(repository.root))
    notes = repository.root / "notes.txt"
    for _ in range(times):
        notes.write_text(f"{notes.read_text()}more" if notes.exists() else "some")
        decide_stop(verified(repository.root), "s", place, 2, 1000)
    return place


def test_feedback_a_question_and_its_answer(repository: Repository, run: Run) -> None:
    nothing = run("feedback")
    assert (nothing.code, nothing.out) == (0, "no feedback is pending\n")
    stop(repository)
    pending = run("feedback")
    assert pending.code == 1 and pending.out.startswith("# Verification feedback: ADR-014")
    place = stop(repository, 2)
    asked = run("feedback")
    assert asked.code == 4
    assert asked.out.startswith(
        "A person must decide: ADR-014: Use Kafka is not fulfilled after 3 attempts."
    )
    assert Path(place.feedback).read_text() in asked.out
    cleared = run("feedback", "--clear")
    assert (cleared.code, cleared.out) == (0, "cleared the feedback on 1 ADR\n")
    assert run("feedback").code == 0 and not Path(place.feedback).exists()
    assert run("feedback", "--clear", "--quiet").out == ""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")
def test_an_answer_gives_new_attempts_and_only_a_person_gives_them_to_the_same_session(
    repository: Repository, run: Run
) -> None:
    stop(repository, 3)
    assert run("feedback", "--clear").code == 0
    stop(repository)
    assert run("feedback").code == 4, "the same session gives up at once"
    code, shown = at_a_terminal(["feedback", "--clear"], repository.root, {"CI": ""})
    assert code == 0 and "cleared the feedback on 1 ADR" in shown
    stop(repository)
    assert "- Attempt: 1 of 3" in run("feedback").out


def test_an_agent_inside_of_a_run_answers_no_question(
    repository: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop(repository, 3)
    monkeypatch.setenv(INSIDE, "1")
    result = run("feedback", "--clear")
    assert result.code == 2 and "is not allowed inside of a run" in result.err
    assert run("feedback").code == 4


def test_feedback_for_programs(repository: Repository, run: Run) -> None:
    assert json.loads(run("feedback", "--format", "json").out) == {"version": 1, "pending": []}
    stop(repository, 3)
    (item,) = json.loads(run("feedback", "--format", "json").out)["pending"]
    assert item["path"] == ADR and item["question"] is True and item["capped"] == "exhausted"
    assert (item["attempts"], item["at"]) == (3, 1000)
    assert item["errors"][0] == "src/queue.py: the file is missing"
    assert len(json.loads(run("feedback", "--clear", "--format", "json").out)["pending"]) == 1


def test_damaged_records_are_not_called_empty(repository: Repository, run: Run) -> None:
    place = stop(repository)
    Path(place.folder, "state.json").write_text("{")
    result = run("feedback")
    assert result.code == 3 and "can't be read: not JSON" in result.err
    assert run("feedback", "--clear").code == 0
    assert run("feedback").code == 0
