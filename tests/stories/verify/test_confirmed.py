"""A person who has looked says so, at a terminal, about the files as they are."""

import json
import sys
from pathlib import Path

import pytest

from helix_hooks.verify import store
from helix_hooks.verify.options import VerifyOptions
from helix_hooks.verify.run import verify
from helix_hooks.verify.stop import decide_stop
from tests.conftest import Repository, Run
from tests.fakes.terminal import at_a_terminal
from tests.stories.verify.work import ADR, commit_all, deliver, start, states

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")

CRITERION = "an order arrives within five milliseconds"
STORE = ".git/helix-hooks/verify/confirmed.json"


@pytest.fixture
def work(repository: Repository) -> Repository:
    """Delivered work, of which one criterion is left to a person."""
    start(repository, f"{ADR}\n## Acceptance Criteria\n\n- [ ] {CRITERION}\n")
    repository.git("config", "user.name", "Max Muster")
    deliver(repository)
    return repository


def confirm(work: Repository, typed: str = "014\n", **variables: str) -> tuple[int, str]:
    part = "five milliseconds"
    arguments = ["verify", "ADR-014", "--confirm", part, "--reason", "measured it: 3 ms"]
    return at_a_terminal(arguments, work.root, {"CI": "", **variables}, typed=typed)


def test_what_a_person_has_seen_is_judged(work: Repository, run: Run) -> None:
    assert run("verify", "ADR-014").code == 4
    code, shown = confirm(work)
    assert code == 0, shown
    assert f"To confirm {CRITERION}, type 014" in shown
    result = run("verify", "ADR-014")
    assert result.code == 0
    assert "verified (ADR-014: Use Kafka): 5 shown, 1 judged of 6 promises" in result.out
    assert f"judged  criterion {CRITERION}: Max Muster has looked: measured it: 3 ms" in result.out


def test_what_a_person_says_is_an_answer_and_the_attempts_begin_anew(work: Repository) -> None:
    (work.root / "src/orders.py").unlink()
    place = store.opened(str(work.root))

    def stop() -> bool:
        notes = work.root / "notes.txt"
        notes.write_text(f"{notes.read_text()}more" if notes.exists() else "some")
        results = verify(VerifyOptions(("ADR-014",)), str(work.root)).results
        return decide_stop(results, "s", place, 2, 1000).allow

    assert [stop() for _ in range(4)] == [False, False, True, True]
    assert confirm(work)[0] == 1, "a file is missing"
    assert [stop() for _ in range(3)] == [False, False, True]


def test_other_files_need_another_look(work: Repository, run: Run) -> None:
    assert confirm(work)[0] == 0
    commit_all(work, "All")
    assert run("verify", "ADR-014").code == 0, "a commit alone changes nothing"
    work.write("src/orders.py", "def send(): return 2\n")
    assert run("verify", "ADR-014").code == 4


def test_a_commit_is_not_the_work_tree(work: Repository, run: Run) -> None:
    assert confirm(work)[0] == 0
    commit_all(work, "All")
    assert states(run, "ADR-014", "--head", "HEAD")[f"criterion {CRITERION}"] == "unchecked"


@pytest.mark.parametrize("typed", ["yes\n", "\n", "15\n"])
def test_another_word_confirms_nothing(typed: str, work: Repository) -> None:
    assert confirm(work, typed=typed)[0] == 2
    assert not (work.root / STORE).exists()


def test_no_program_confirms(work: Repository, run: Run) -> None:
    result = run("verify", "ADR-014", "--confirm", CRITERION, "--reason", "x")
    assert result.code == 2 and "cannot identify who wants to confirm" in result.err
    assert confirm(work, HELIX_HOOKS_INSIDE="1")[0] == 2
    assert not (work.root / STORE).exists()


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--confirm", "e"], "--confirm and --reason belong together"),
        (["--confirm", "six", "--reason", "x"], "'six' is in none of the criteria to confirm"),
        (["--confirm", "six", "--reason", "x", "--head", "HEAD"], "cannot be used with --head"),
    ],
)
def test_what_cannot_be_confirmed(
    arguments: list[str], problem: str, work: Repository, run: Run
) -> None:
    result = run("verify", "ADR-014", *arguments)
    assert (result.code, result.err.count("\n")) == (2, 1)
    assert problem in result.err


def test_a_missing_file_cannot_be_confirmed(work: Repository, run: Run) -> None:
    Path(work.root / "src/orders.py").unlink()
    result = run("verify", "ADR-014", "--confirm", "src/orders.py", "--reason", "I saw it")
    assert result.code == 2 and "is in none of the criteria" in result.err


@pytest.mark.parametrize("text", ["{", "[]", json.dumps({"version": 9})])
def test_damaged_confirmations_are_no_success(text: str, work: Repository, run: Run) -> None:
    assert confirm(work)[0] == 0
    work.write(STORE, text)
    result = run("verify", "ADR-014")
    assert (result.code, result.err.count("\n")) == (3, 1)
    assert "confirmed.json can't be read" in result.err
