"""The table "Who decides about a change" of docs/people.md, each cell from outside; and no decision changes without a judge or a person."""

import json
import re
from itertools import product

import pytest

from tests.conftest import ROOT, Repository, Run
from tests.fakes.github.server import FakeGitHub
from tests.stories.pull_request.decided import (
    CASES,
    STATUSES,
    TEXT,
    Case,
    move,
    status_of,
    with_status,
)
from tests.stories.pull_request.scene import People, Runner, base_has, check

PAGE = (ROOT / "docs" / "people.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("## Who decides about a change\n")[2].partition("\n## ")[0]
ROWS = {
    cells[0]: tuple(cells[1:])
    for row in re.findall(r"(?m)^\| (.*) \|$", SECTION)[1:]
    for cells in [row.split(" | ")]
}
UNSEEN = (
    "another file name or folder",
    "moved to where no ADRs are looked for",
    "deleted, or another number",
)
"""Rows of which git tells a hook nothing: the commit passes."""
CODES = {"nothing": 0, "a warning": 0, "a question": 4, "an error": 1}
AT_COMMIT = {"a question": "a warning"}
TITLES = {
    "nothing": "Approved: no judge was needed",
    "the judge": "Approved by the judge",
    "a person": "Waiting for a maintainer",
    "the author": "Author to fix",
}
DECIDED = ("accepted", "implemented", "ratified")
ALL = [(row, case) for row, cases in CASES.items() for case in cases]
NAMED = [pytest.param(row, case, id=f"{row}: {case.name}") for row, case in ALL]
MATRIX = [
    Case(f"{before or 'none'} to {after or 'none'}", status_of(after), before)
    for before, after in product(STATUSES, STATUSES)
    if before != after
]


def lay(repository: Repository, case: Case) -> None:
    """Commit the files before a change on main, and put those after it into the work tree."""
    repository.git("checkout", "--quiet", "main")
    for path, text in case.base.items():
        repository.write(path, text)
    repository.git("add", "--all")
    repository.commit()
    repository.git("checkout", "--quiet", "-b", "other")
    change(repository, case)


def change(repository: Repository, case: Case) -> None:
    for path in case.base.keys() - case.head.keys():
        (repository.root / path).unlink()
    for path, text in case.head.items():
        repository.write(path, text)
    repository.git("add", "--all")


def pull(github: FakeGitHub, repository: Repository, runner: Runner, case: Case) -> str:
    """Return the title of the check after a run with a judge that approves."""
    base_has(repository, case.base, {})
    repository.git("checkout", "--quiet", "-b", "other", "main")
    change(repository, case)
    repository.commit()
    github.open_pull(2, head="other")
    runner.run(2, structured={})
    return str(check(github).output["title"])


def test_the_table_has_a_row_for_each_kind_of_change() -> None:
    assert [*ROWS] == [*CASES]


@pytest.mark.parametrize(("row", "case"), NAMED)
def test_on_this_machine(row: str, case: Case, repository: Repository, run: Run) -> None:
    """Attack by an author who hides an error: another target of a link or picture, another number of a list, an opened or closed fold, a `?` for a full stop, a field `valid: false`.
    Answer: part of the decision: a question to a person, or an error.
    Shown by: `test_on_this_machine`, `test_on_the_pull_request`.

    Attack by an author who hides an error: an accepted ADR renamed, or a folder of ADRs moved.
    Answer: one question to a person for each folder.
    Shown by: `test_on_this_machine`, `test_moving_a_folder_is_one_question`.
    """
    lay(repository, case)
    on_branch, _ = ROWS[row]
    at_commit = "nothing" if row in UNSEEN else AT_COMMIT.get(on_branch, on_branch)
    staged = run("check", "--staged")
    assert staged.code == CODES[at_commit], staged
    assert at_commit == "an error" or ("to a person" in staged.out) == (at_commit == "a warning"), (
        staged
    )
    repository.commit()
    since = run("check", "--since", "main")
    assert since.code == CODES[on_branch], since
    is_asked = "to a person" in since.out
    assert on_branch == "an error" or is_asked == (on_branch == "a question"), since


@pytest.mark.parametrize(("row", "case"), NAMED)
def test_on_the_pull_request(
    row: str, case: Case, github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    title = pull(github, repository, runner, case)
    assert title.startswith(TITLES[ROWS[row][1]]), f"{title}\n{check(github).output['summary']}"


@pytest.mark.parametrize("case", MATRIX, ids=[case.name for case in MATRIX])
@pytest.mark.sampled
def test_no_status_changes_without_a_judge_or_a_person(
    case: Case, github: FakeGitHub, repository: Repository, runner: Runner, run: Run
) -> None:
    """Attack by an author who hides an error: an accepted decision retired by its author, or by a successor that is proposed, absent or does not name it.
    Answer: a question to a person; with an accepted successor, the judge reviews both.
    Shown by: `test_no_status_changes_without_a_judge_or_a_person`, `test_on_the_pull_request`.
    """
    title = pull(github, repository, runner, case)
    assert not title.startswith("Approved: no judge"), title
    before, after = case.before, case.name.partition(" to ")[2].replace("none", "")
    if before in DECIDED and after not in DECIDED:
        assert not title.startswith("Approved"), title
        assert run("check", "--since", "main").code in (1, 4)


@pytest.mark.parametrize("row", [row for row, cells in ROWS.items() if cells[1] == "a person"])
def test_a_person_answers_the_question(
    row: str, github: FakeGitHub, repository: Repository, people: People
) -> None:
    assert pull(github, repository, people, CASES[row][0]).startswith(TITLES["a person"])
    sha = github.head(2)
    people.says("alice", f"/helix approve {sha}", 2)
    assert check(github).conclusion == "action_required", "authors do not decide"
    people.says("max", f"/helix approve {sha}", 2)
    assert check(github).conclusion == "success"


def test_a_question_in_json_and_with_fail_on(repository: Repository, run: Run) -> None:
    lay(repository, CASES["at most three words that keep the meaning"][0])
    reply = json.loads(run("check", "--staged", "--format", "json").out)
    (finding,) = reply["files"][0]["findings"]
    assert finding["question"] is True and finding["severity"] == "warning"
    assert reply["summary"]["questions"] == 1 and reply["passed"] is True
    assert run("check", "--staged", "--fail-on", "warning").code == 1
    repository.commit()
    for fail_on, code in (("error", 4), ("warning", 4), ("never", 0)):
        assert run("check", "--since", "main", "--fail-on", fail_on).code == code


def test_moving_a_folder_is_one_question(repository: Repository, run: Run) -> None:
    texts = {f"docs/adr/{number:04}-events.md": TEXT for number in range(20, 32)}
    base = {path: with_status(text, "accepted") for path, text in texts.items()}
    files = tuple((path, path.replace("/adr/", "/decisions/")) for path in base)
    lay(repository, Case("folder", move(*files), more=base))
    repository.commit()
    result = run("check", "--since", "main")
    assert result.code == 4 and result.out.count("[accepted-changed]") == 1, result
    assert "0020-events.md, docs/adr/0021-events.md" in result.out and "and 9 more" in result.out
