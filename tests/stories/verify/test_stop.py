"""The stops of an agent: which are blocked, and what it is told."""

from pathlib import Path

from helix_hooks.verification.result import FAILED, NOTHING_SHOWN, UNAPPROVED
from helix_hooks.verify import store
from helix_hooks.verify.stop import INSIDE, StopDecision, decide_stop, inside
from tests.conftest import Repository
from tests.stories.verify.scene import approve_adr, verified


class Agent:
    """An agent whose stops are decided on."""

    def __init__(self, repository: Repository, session: str = "s") -> None:
        approve_adr(repository)
        self.repository, self.session = repository, session
        self.place = store.opened(str(repository.root))

    def stop(self, max_retries: int = 2) -> StopDecision:
        results = verified(self.repository.root)
        return decide_stop(results, self.session, self.place, max_retries, 1000)


def test_an_agent_that_reads_the_feedback_is_let_go(repository: Repository) -> None:
    agent = Agent(repository)
    first = agent.stop()
    assert not first.allow and first.exit_code == 1
    assert "create src/queue.py" in first.message and "- Attempt: 1 of 3" in first.message
    repository.write("src/queue.py", "x = 1\n")
    second = agent.stop()
    assert not second.allow and "src/queue.py" not in second.message
    repository.stage("src/worker.py", "x = 1\n")
    repository.commit("Add the worker")
    assert agent.stop() == StopDecision(True, "ADR-014: verified", 0)


def test_an_agent_that_gives_up_may_stop_and_a_person_is_asked(repository: Repository) -> None:
    agent = Agent(repository)
    for number in range(2):
        repository.write("notes.txt", f"{number}")
        assert not agent.stop().allow
    repository.write("notes.txt", "more")
    for _ in range(3):
        last = agent.stop()
        assert last.allow and last.exit_code == 4
        assert "gave up after 3 attempts" in last.message and "verified" not in last.message
    (item,) = store.read(agent.place)
    assert item.is_question and item.errors == (
        "src/queue.py: the file is missing",
        "src/worker.py: the file is missing",
    )
    assert "gave up" in Path(agent.place.feedback).read_text()


def test_an_agent_that_changes_nothing_is_let_go_early(repository: Repository) -> None:
    agent = Agent(repository)
    assert not agent.stop(5).allow
    second = agent.stop(5)
    assert second.allow and second.exit_code == 4
    assert "gave up after 2 attempts: the last two left the same files" in second.message


def test_a_commit_alone_is_no_change(repository: Repository) -> None:
    agent = Agent(repository)
    repository.write("src/queue.py", "x = 1\n")
    assert not agent.stop(5).allow
    repository.git("add", "-A")
    repository.commit("Add the queue")
    assert agent.stop(5).allow


def test_an_edit_of_a_changed_file_is_a_change(repository: Repository) -> None:
    agent = Agent(repository)
    for text in ("x = 1\n", "x = 2\n"):
        repository.write("src/queue.py", text)
        assert not agent.stop(5).allow


def test_an_infrastructure_failure_lets_the_agent_stop_and_says_so(repository: Repository) -> None:
    agent = Agent(repository)
    (result,) = verified(repository.root)
    failed = result._replace(state=FAILED, reason="git did not answer")
    for _ in range(5):
        decision = decide_stop([failed], "s", agent.place, 2, 1000)
        assert decision.allow and decision.exit_code == 3
        assert decision.message == "ADR-014: verification failed: git did not answer"
    assert "- Attempt: 1 of 3" in agent.stop().message


def test_damaged_counters_neither_pass_nor_block(repository: Repository) -> None:
    agent = Agent(repository)
    agent.stop()
    Path(agent.place.folder, "state.json").write_text("{")
    decision = agent.stop()
    assert decision.allow and decision.exit_code == 3
    assert decision.message.startswith("not verified: the attempt could not be counted")
    assert not agent.stop().allow, "the next stop is counted anew"


def test_a_contract_that_nobody_approved_is_a_question(repository: Repository) -> None:
    agent = Agent(repository)
    (result,) = verified(repository.root)
    item = result._replace(state=UNAPPROVED, reason="docs/adr/014-use-kafka.md is Proposed")
    decision = decide_stop([item], "s", agent.place, 2, 1000)
    assert decision.allow and decision.exit_code == 4
    assert "the ADR is not approved: docs/adr/014-use-kafka.md is Proposed" in decision.message


def test_a_contract_of_which_nothing_can_be_shown_stops_nobody_and_is_not_called_verified(
    repository: Repository,
) -> None:
    agent = Agent(repository)
    (result,) = verified(repository.root)
    decision = decide_stop([result._replace(state=NOTHING_SHOWN)], "s", agent.place, 2, 1000)
    assert decision.allow and decision.exit_code == 0
    assert decision.message.startswith("ADR-014: nothing could be verified")


def test_one_blocked_adr_blocks_the_stop_and_the_others_are_named(repository: Repository) -> None:
    agent = Agent(repository)
    (result,) = verified(repository.root)
    other = result._replace(adr_id="015", path="docs/adr/015-x.md", state=FAILED, reason="why")
    decision = decide_stop([result, other], "s", agent.place, 2, 1000)
    assert not decision.allow
    assert decision.message.endswith("ADR-015: verification failed: why")


def test_no_claim_is_no_attempt(repository: Repository) -> None:
    agent = Agent(repository)
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
