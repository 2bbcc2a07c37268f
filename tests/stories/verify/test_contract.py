"""What an approved ADR promises, compared with the work: with the real git.

Attack on a verification: a ticked criterion, an empty file, a file of another time, a link, a pipe, an ignored or hidden file, invisible characters.
Answer: not counted: the next commit and a reader must see the work.
Shown by: `tests/stories/verify/test_contract.py`, `tests/stories/verify/test_phantoms.py`.
"""

import json
import os
from pathlib import Path

import pytest

from tests.conftest import Repository, Run
from tests.stories.check.samples import expect
from tests.stories.verify.work import (
    ADR,
    DONE,
    PATH,
    START,
    WITH_CRITERIA,
    commit_all,
    deliver,
    missing,
    start,
    states,
)


def test_work_that_delivers_everything_is_verified(delivered: Repository, run: Run) -> None:
    verified = f"{PATH}: verified (ADR-014: Use Kafka): 5 shown of 5 promises\n"
    expect(run("verify", "ADR-014"), 0, verified)


def test_criteria_that_nothing_ran_for_need_a_person(repository: Repository, run: Run) -> None:
    start(repository, WITH_CRITERIA)
    deliver(repository)
    result = run("verify", "ADR-014")
    assert result.code == 4
    assert result.out == (
        f"{PATH}: a person must look (ADR-014: Use Kafka): "
        "5 shown, 3 present, 1 unchecked of 9 promises\n"
        "  unchecked  criterion an order arrives within five milliseconds: it names no test, file "
        "or command (line 31 of the ADR)\n"
        "  present    criterion src/orders.py sends orders: src/orders.py is there; the sentence "
        "was not checked (line 28 of the ADR)\n"
        "  present    criterion tests/test_orders.py::test_sends passes: the test test_sends is "
        "there in tests/test_orders.py, and was not run (line 29 of the ADR)\n"
        "  present    criterion test_replays passes: the test test_replays is there, and was not "
        "run (line 30 of the ADR)\n"
        "  shown      create src/orders.py\n"
        "  shown      create src/kafka/__init__.py\n"
        "  shown      modify src/main.py\n"
        "  shown      delete src/rabbit.py\n"
        "  shown      docs docs/kafka.md\n"
    )


def test_a_pipeline_may_fail_on_what_is_missing_alone(repository: Repository, run: Run) -> None:
    start(repository, WITH_CRITERIA)
    assert run("verify", "ADR-014", "--fail-on", "missing").code == 1
    deliver(repository)
    assert run("verify", "ADR-014", "--fail-on", "missing").code == 0


def test_nothing_is_delivered(repository: Repository, run: Run) -> None:
    start(repository, WITH_CRITERIA)
    counts = "3 unchecked, 6 missing of 9 promises"
    expect(run("verify", "ADR-014"), 1, f"{PATH}: not done (ADR-014: Use Kafka): {counts}\n")


@pytest.mark.sampled
@pytest.mark.parametrize("path", [*DONE, "src/rabbit.py"])
def test_each_missing_piece_is_named(path: str, repository: Repository, run: Run) -> None:
    start(repository, WITH_CRITERIA)
    deliver(repository, path)
    named = [name for name in missing(run) if path.rpartition("/")[2] in name or "test_" in name]
    assert named
    assert run("verify", "ADR-014").code == 1


def test_a_ticked_criterion_is_no_evidence(repository: Repository, run: Run) -> None:
    start(repository, WITH_CRITERIA)
    done = WITH_CRITERIA.replace("[ ]", "[x]").replace("Accepted", "Implemented")
    repository.stage(PATH, done)
    repository.commit("Done")
    expect(run("verify"), 1, "3 unchecked, 6 missing")


def test_a_file_of_before_is_not_created(repository: Repository, run: Run) -> None:
    start(repository, files={**START, "src/orders.py": "def old(): ...\n"})
    deliver(repository, "src/orders.py")
    assert missing(run) == ["create src/orders.py"]


@pytest.mark.parametrize(
    ("path", "text", "state"),
    [
        ("src/orders.py", "# def send(): later\n", "present"),
        ("src/orders.py", '"""Send orders."""\n', "present"),
        ("src/orders.py", "def send():\n    raise NotImplementedError(json)\n", "present"),
        ("src/orders.py", "class Sender:\n    def send(self): ...\n", "present"),
        ("src/orders.ts", "// export function send() {}\n/* later */\n", "present"),
        ("src/orders.ts", "// Send.\nexport function send() {}\n", "shown"),
        ("src/orders.go", "// Package orders sends.\n\n/*\nfunc Send() {}\n*/\n", "present"),
        ("src/orders.rb", "# def send; end\n", "present"),
        ("src/orders.md", "# Orders\n", "shown"),
        ("src/orders.css", "#orders {}\n", "shown"),
    ],
)
def test_a_file_without_code_is_present_and_not_shown(
    path: str, text: str, state: str, repository: Repository, run: Run
) -> None:
    start(repository, ADR.replace("src/orders.py", path))
    deliver(repository)
    repository.write(path, text)
    assert states(run, "ADR-014")[f"create {path}"] == state
    assert run("verify", "ADR-014").code == {"present": 4, "shown": 0}[state]


def test_an_ignored_file_is_not_delivered(repository: Repository, run: Run) -> None:
    start(repository, files={**START, ".gitignore": "orders.py\n"})
    deliver(repository)
    assert "create src/orders.py" in missing(run)


def test_a_link_to_an_old_file_is_not_created(started: Repository, run: Run) -> None:
    deliver(started, "src/orders.py")
    os.symlink("../README.md", started.root / "src" / "orders.py")
    assert "create src/orders.py" in missing(run)


def test_a_syntax_error_is_missing_work(delivered: Repository, run: Run) -> None:
    delivered.write("src/orders.py", "def send(:\n")
    expect(run("verify", "ADR-014"), 1, "syntax src/orders.py: line 1: invalid syntax")


def test_a_weakened_contract_changes_nothing(started: Repository, run: Run) -> None:
    """Attack on a verification: a contract made smaller, renamed or rewritten in the same change.
    Answer: the version that the base accepted counts.
    Shown by: `test_a_weakened_contract_changes_nothing`, `test_a_renamed_adr_keeps_its_contract`, `test_a_weakened_contract_on_the_only_branch_changes_nothing`.
    """
    weak = ADR.replace("    - src/orders.py\n", "")
    started.stage(PATH, weak.replace("Accepted", "Implemented"))
    started.commit("Done")
    assert "create src/orders.py" in missing(run)


@pytest.mark.further
def test_a_renamed_adr_keeps_its_contract(started: Repository, run: Run) -> None:
    started.git("mv", PATH, "docs/adr/014-kafka.md")
    started.commit("Rename")
    expect(run("verify", "docs/adr/014-kafka.md"), 1, "5 missing")


def test_a_weakened_contract_on_the_only_branch_changes_nothing(
    started: Repository, run: Run
) -> None:
    started.git("checkout", "--quiet", "main")
    started.git("branch", "--quiet", "-D", "work")
    started.stage(PATH, ADR.replace("    - src/orders.py\n", ""))
    started.commit("Amend")
    assert "create src/orders.py" in missing(run)


def test_a_proposed_adr_is_no_contract(repository: Repository, run: Run) -> None:
    """Attack on a verification: an ADR that only the change accepts.
    Answer: exit 4: no contract.
    """
    start(repository, ADR.replace("Accepted", "Proposed"))
    repository.stage(PATH, ADR)
    repository.commit("Accept it myself")
    deliver(repository)
    result = run("verify", "ADR-014")
    assert result.code == 4
    assert result.out == f"{PATH}: contract not approved: the ADR is not accepted in main\n"


def test_a_new_adr_is_no_contract(started: Repository, run: Run) -> None:
    done = ADR.replace("Accepted", "Implemented")
    started.stage("docs/adr/015-new.md", done.replace("014", "015"))
    started.commit("New")
    expect(run("verify"), 4, "docs/adr/015-new.md: contract not approved: it is new")
    started.write("docs/adr/016-new.md", ADR.replace("014", "016"))
    for base in ([], ["--base", "HEAD"]):
        expect(run("verify", "ADR-016", *base), 4, "no approval is recorded")


def test_a_recorded_approval_is_a_contract(repository: Repository, run: Run) -> None:
    start(repository, ADR.replace("Accepted", "Proposed"))
    repository.stage(PATH, ADR)
    repository.commit("Accept")
    name = repository.git("rev-parse", f"HEAD:{PATH}").stdout.strip()
    record = {"approval_type": "adr", "decision": "approved", "files": {PATH: name}}
    repository.write(".git/helix-hooks/runs.jsonl", json.dumps(record) + "\n")
    repository.stage(PATH, ADR.replace("    - src/orders.py\n", ""))
    repository.commit("Weaken")
    assert "create src/orders.py" in missing(run)


@pytest.mark.further
def test_another_recorded_content_is_no_contract(repository: Repository, run: Run) -> None:
    start(repository, ADR.replace("Accepted", "Proposed"))
    record = {"approval_type": "adr", "decision": "pending", "files": {PATH: "0" * 40}}
    repository.write(".git/helix-hooks/runs.jsonl", json.dumps(record) + "\nnot json\n")
    assert run("verify", "ADR-014").code == 4


def test_a_second_branch_counts_the_work_of_the_first(started: Repository, run: Run) -> None:
    deliver(started, "src/main.py")
    commit_all(started, "First part")
    started.git("checkout", "--quiet", "main")
    started.git("merge", "--quiet", "--no-ff", "--no-edit", "work")
    started.git("checkout", "--quiet", "-b", "second")
    assert missing(run) == ["modify src/main.py"]
    started.write("src/main.py", DONE["src/main.py"])
    assert missing(run) == []


def test_work_that_the_branch_does_not_have_is_not_counted(
    repository: Repository, run: Run
) -> None:
    """The ADR was accepted on main after the branch began, together with other changes."""
    for path, text in START.items():
        repository.stage(path, text)
    repository.commit("Start")
    repository.git("checkout", "--quiet", "-b", "work")
    repository.git("checkout", "--quiet", "main")
    repository.stage("src/main.py", "changed = 'by others'\n")
    repository.stage(PATH, ADR)
    repository.commit("Accept")
    repository.git("checkout", "--quiet", "work")
    assert "modify src/main.py" in missing(run)


def test_a_trailer_claims(started: Repository, run: Run) -> None:
    assert run("verify").code == 0
    deliver(started, "docs/kafka.md")
    commit_all(started, "Use it\n\nImplements: ADR-014")
    expect(run("verify"), 1, "docs docs/kafka.md: the file does not exist")


def test_claims_beyond_the_limit_are_not_green(repository: Repository, run: Run) -> None:
    for number in range(1, 103):
        repository.stage(f"docs/adr/{number:04}-x.md", f"# {number}. X\n\n## Status\n\nAccepted\n")
    repository.commit("Accept")
    repository.git("checkout", "--quiet", "-b", "work")
    names = ", ".join(f"ADR-{number}" for number in range(1, 103))
    repository.stage("a.py", "x = 1\n")
    repository.commit(f"All\n\nImplements: {names}\n")
    results = json.loads(run("verify", "--format", "json").out)["results"]
    assert len(results) == 101
    assert "more than 100 ADRs are claimed" in results[-1]["reason"]


@pytest.mark.parametrize("message", ["Use it", "Use it\n\nImplements: SHOP-77, 4711"])
def test_nothing_claimed_says_so(message: str, started: Repository, run: Run) -> None:
    started.commit(message)
    result = run("verify")
    expect(result, 0, "nothing to verify: no ADR was set to Implemented")


@pytest.mark.parametrize("claim", ["ADR-999", "ADR-014x9"])
def test_a_claim_of_no_adr_is_not_green(claim: str, started: Repository, run: Run) -> None:
    started.commit(f"Use it\n\nImplements: {claim}")
    expect(run("verify"), 4, "there is no such ADR")


@pytest.mark.further
def test_one_broken_claim_loses_nothing_of_the_others(started: Repository, run: Run) -> None:
    started.commit("Use it\n\nImplements: ADR-999, ADR-014")
    result = run("verify", "--format", "json")
    assert result.code == 1
    found = {item["adr_id"]: item["state"] for item in json.loads(result.out)["results"]}
    assert found == {"ADR-999": "unapproved", "014": "unmet"}


def test_an_unknown_adr_is_a_usage_error(started: Repository, run: Run) -> None:
    result = run("verify", "ADR-999")
    assert (result.code, result.out) == (2, "")
    assert "ADR-999: no such ADR in the work tree or in main" in result.err


def test_a_commit_is_verified_without_the_work_tree(delivered: Repository, run: Run) -> None:
    commit_all(delivered, "All")
    delivered.write("src/orders.py", "")
    assert missing(run, "--head", "HEAD") == []
    assert "create src/orders.py" in missing(run)


def test_an_adr_without_promises_is_no_success(repository: Repository, run: Run) -> None:
    text = "# 14. Use Kafka\n\nStatus: Accepted\n\n## Context\n\nx\n\n## Decision\n\nKafka.\n"
    start(repository, text)
    result = run("verify", "14", "--format", "json")
    assert result.code == 4
    (found,) = json.loads(result.out)["results"]
    assert (found["state"], found["success"]) == ("unproven", False)


@pytest.mark.further
def test_before_the_first_commit(repository: Repository, run: Run) -> None:
    repository.stage(PATH, ADR)
    expect(run("verify", "ADR-014"), 4, "no commit yet, so no ADR is approved")


@pytest.mark.further
def test_outside_of_a_repository(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.chdir(str(tmp_path))
    assert run("verify").code == 2


@pytest.mark.parametrize(
    ("written", "state"),
    [
        ("src/kafka/", "shown"),
        ("src/*.py", "shown"),
        ("src/*.rs", "missing"),
        ("src/kafka", "present"),
        ("../../../other/file.py", "unchecked"),
        ("/etc/passwd", "missing"),
    ],
)
def test_paths_in_odd_spellings(written: str, state: str, repository: Repository, run: Run) -> None:
    start(repository, ADR.replace("    - src/orders.py", f'    - "{written}"'))
    deliver(repository)
    repository.write("src/kafka/client.py", "x = 1\n")
    assert states(run, "ADR-014")[f"create {written}"] == state


def test_sarif_and_github_name_what_is_missing(started: Repository, run: Run) -> None:
    deliver(started, "docs/kafka.md")
    assert run("verify", "ADR-014", "--format", "github").out == (
        f"::error file={PATH},line=14,endLine=14,col=1,title=helix%3A verify-docs::docs/kafka.md: "
        "the file does not exist%0Acreate docs/kafka.md\n"
    )
    log = json.loads(run("verify", "ADR-014", "--format", "sarif").out)
    assert [item["ruleId"] for item in log["runs"][0]["results"]] == ["verify-docs"]


def test_of_two_adrs_with_an_id_a_path_claims_one(started: Repository, run: Run) -> None:
    started.stage("docs/adr/014-drink-tea.md", ADR.replace("Use Kafka", "Drink tea"))
    started.commit("Two\n\nImplements: ADR-014")
    started.git("branch", "--force", "main", "work")
    started.commit(f"Use it\n\nImplements: {PATH}")
    assert run("verify", "README.md").code == 2
    (result,) = json.loads(run("verify", "--format", "json").out)["results"]
    assert (result["path"], result["state"]) == (PATH, "unmet")


def test_a_cut_history_that_has_the_approval_is_enough(
    started: Repository, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started.commit("More")
    started.git("branch", "--force", "main", "work")
    deliver(started, "src/orders.py")
    commit_all(started, "Some")
    source = f"file://{started.root}"
    for depth, code, reason in (("3", 1, "1 missing"), ("2", 3, "git fetch --unshallow")):
        place = str(tmp_path / depth)
        started.git("clone", "-q", f"--depth={depth}", "--no-single-branch", source, place)
        monkeypatch.chdir(place)
        expect(run("verify", "ADR-014", "--base", "origin/main"), code, reason)
