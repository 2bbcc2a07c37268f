"""The stops of an agent: which are blocked, and what it is told."""

import json
import subprocess
from pathlib import Path

import pytest

from helix_hooks.verification.result import FAILED, UNAPPROVED, UNPROVEN
from helix_hooks.verify import store
from helix_hooks.verify.stop import INSIDE, StopDecision, decide_stop, inside
from tests.conftest import Repository
from tests.fakes.program import PROGRAM
from tests.stories.verify.scene import ADR, approve_adr, verified


class Agent:
    """An agent whose stops are decided on."""

    def __init__(self, repository: Repository, session: str = "s") -> None:
        if not (repository.root / ADR).exists():
            approve_adr(repository)
        self.repository, self.session = repository, session
        self.place = store.opened(str(repository.root))

    def stop(self, max_retries: int = 2) -> StopDecision:
        results = verified(self.repository.root)
        return decide_stop(results, self.session, self.place, max_retries, 1000)

    def stops(self, times: int) -> StopDecision:
        """Stop several times, each after other work, and return the last decision."""
        notes = self.repository.root / "notes.txt"
        for _ in range(times):
            notes.write_text(f"{notes.read_text()}more" if notes.exists() else "some")
            decision = self.stop()
        return decision


@pytest.fixture
def agent(repository: Repository) -> Agent:
    return Agent(repository)


def test_an_agent_that_reads_the_feedback_is_let_go(agent: Agent) -> None:
    first = agent.stop()
    assert not first.allow and first.exit_code == 1
    assert "create src/queue.py" in first.message and "- Attempt: 1 of 3" in first.message
    agent.repository.write("src/queue.py", "x = 1\n")
    second = agent.stop()
    assert not second.allow and "src/queue.py" not in second.message
    agent.repository.stage("src/worker.py", "x = 1\n")
    agent.repository.commit("Add the worker")
    assert agent.stop() == StopDecision(True, "ADR-014: verified", 0)


def test_an_agent_that_gives_up_may_stop_and_a_person_is_asked(agent: Agent) -> None:
    assert not agent.stops(1).allow and not agent.stops(1).allow
    agent.repository.write("notes.txt", "other")
    for _ in range(3):
        last = agent.stop()
        assert last.allow and last.exit_code == 4
        assert "gave up after 3 attempts" in last.message and "verified" not in last.message
    (item,) = store.read(agent.place)
    assert item.is_question
    assert item.errors == (
        "src/queue.py: the file is missing",
        "src/worker.py: the file is missing",
    )
    assert "gave up" in Path(agent.place.feedback).read_text()


def test_a_new_session_has_only_the_attempts_that_are_left(agent: Agent) -> None:
    assert not agent.stops(2).allow
    third = Agent(agent.repository, "t").stops(1)
    assert third.allow and third.exit_code == 4 and "gave up after 3 attempts" in third.message
    for session in ("u", "s"):
        last = Agent(agent.repository, session).stops(1)
        assert last.allow and "gave up after 3 attempts" in last.message
    (question,) = [item for item in store.read(agent.place) if item.feedback]
    assert question.is_question and question.attempts.number == 3


def test_the_two_hooks_of_one_stop_do_not_use_up_two_attempts(repository: Repository) -> None:
    """Copilot CLI also runs the hook of .claude/settings.json, with the same session."""
    for number in range(2):
        repository.write("notes.txt", f"{number}")
        for agent in ("claude", "copilot"):
            assert not Agent(repository, f"{agent}:a session").stop().allow


def test_a_new_session_after_an_answer_has_new_attempts(agent: Agent) -> None:
    agent.stops(3)
    store.clear(agent.place)
    assert agent.stops(1).allow, "an agent that clears its own feedback is not blocked again"
    store.clear(agent.place)
    assert "- Attempt: 1 of 3" in Agent(agent.repository, "t").stop().message


def test_an_old_session_takes_no_answer_back(agent: Agent) -> None:
    agent.stops(3)
    store.clear(agent.place)
    assert "- Attempt: 1 of 3" in Agent(agent.repository, "t").stop().message
    assert agent.stops(1).allow
    agent.repository.write("notes.txt", "and again")
    assert "- Attempt: 2 of 3" in Agent(agent.repository, "t").stop().message


def test_more_adrs_than_records_are_kept_end_too(agent: Agent) -> None:
    (result,) = verified(agent.repository.root)
    results = [result._replace(path=f"docs/adr/{number:03}-x.md") for number in range(120)]
    allowed = []
    for number in range(3):
        agent.repository.write("notes.txt", f"{number}")
        allowed.append(decide_stop(results, "s", agent.place, 2, 1000 + number).allow)
    assert allowed == [False, False, True]


def test_a_person_at_a_terminal_gives_new_attempts_to_the_same_session(
    agent: Agent,
) -> None:
    agent.stops(3)
    store.clear(agent.place, is_person=True)
    assert "- Attempt: 1 of 3" in agent.stop().message


def test_an_agent_that_changes_nothing_is_let_go_early(agent: Agent) -> None:
    assert not agent.stop(5).allow
    second = agent.stop(5)
    assert second.allow and second.exit_code == 4
    assert "gave up after 2 attempts: the last two left the same files" in second.message


def test_a_commit_alone_is_no_change(agent: Agent) -> None:
    agent.repository.write("src/queue.py", "x = 1\n")
    assert not agent.stop(5).allow
    agent.repository.git("add", "-A")
    agent.repository.commit("Add the queue")
    assert agent.stop(5).allow


def test_an_edit_of_a_changed_file_is_a_change(agent: Agent) -> None:
    for text in ("x = 1\n", "x = 2\n"):
        agent.repository.write("src/queue.py", text)
        assert not agent.stop(5).allow


def test_another_finding_in_the_same_files_is_a_change(agent: Agent) -> None:
    assert not agent.stop(5).allow
    fewer = verified(agent.repository.root, "src/queue.py")
    assert not decide_stop(fewer, "s", agent.place, 5, 1000).allow


def test_damaged_counters_neither_pass_nor_block(agent: Agent) -> None:
    agent.stop()
    Path(agent.place.folder, "state.json").write_text("{")
    decision = agent.stop()
    assert decision.allow and decision.exit_code == 3
    assert decision.message.startswith("not verified: the attempt could not be counted")
    assert not agent.stop().allow, "the next stop is counted anew"


@pytest.mark.parametrize(
    ("state", "reason", "exit_code", "message"),
    [
        (FAILED, "git did not answer", 3, "verification failed: git did not answer"),
        (UNAPPROVED, "it is Proposed", 4, "not verified, the ADR is not approved: it is Proposed"),
        (UNPROVEN, "", 4, "not verified: 2 missing: a person must look"),
    ],
)
def test_what_is_no_verification_lets_the_agent_stop_and_is_no_attempt(
    state: str, reason: str, exit_code: int, message: str, agent: Agent
) -> None:
    (result,) = verified(agent.repository.root)
    other = result._replace(state=state, reason=reason)
    for _ in range(5):
        decision = decide_stop([other], "s", agent.place, 2, 1000)
        assert decision == StopDecision(True, f"ADR-014: {message}", exit_code)
    assert "- Attempt: 1 of 3" in agent.stop().message


def test_one_blocked_adr_blocks_the_stop_and_the_others_are_named(agent: Agent) -> None:
    (result,) = verified(agent.repository.root)
    other = result._replace(adr_id="015", path="docs/adr/015-x.md", state=FAILED, reason="why")
    decision = decide_stop([result, other], "s", agent.place, 2, 1000)
    assert not decision.allow
    assert decision.message.endswith("ADR-015: verification failed: why")


def test_the_user_is_told_that_nothing_was_declared(repository: Repository) -> None:
    approve_adr(repository)
    payload = {"hook_event_name": "Stop", "session_id": "s", "stop_hook_active": False}
    done = subprocess.run(
        [PROGRAM, "verify", "--hook", "claude"],
        cwd=repository.root,
        input=json.dumps({**payload, "cwd": str(repository.root)}),
        capture_output=True,
        text=True,
        check=True,
    )
    message = "helix-hooks: no ADR is claimed to be implemented, so nothing was verified"
    assert json.loads(done.stdout) == {"systemMessage": message}
    assert not (repository.root / ".git" / "helix-hooks").exists()


def test_no_claim_is_no_attempt(agent: Agent) -> None:
    decision = decide_stop([], "s", agent.place, 2, 1000)
    assert decision.allow and decision.exit_code == 0 and not Path(agent.place.folder).exists()


def test_a_stop_inside_its_own_run_is_not_counted() -> None:
    assert inside({}) is None
    decision = inside({INSIDE: "1"})
    assert decision and decision.allow and "not counted" in decision.message


def test_a_session_of_any_length_has_a_short_name(repository: Repository) -> None:
    agent = Agent(repository, "\udcff/../" + "x" * 1_000_000)
    assert not agent.stop().allow
    assert Path(agent.place.folder, "state.json").stat().st_size < 5_000
