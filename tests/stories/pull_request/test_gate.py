"""`mode: gate`: a gate of the base about the head of a pull request, as data."""

from pathlib import Path

import pytest

from tests.conftest import Repository
from tests.fakes.github.server import FakeGitHub
from tests.fakes.runner import ADR, BROKEN, READER, Ended, Job
from tests.stories.pull_request.scene import Runner, main_has, push, written

APPROVALS = "config/approvals.yaml"
GATES = """gates:
  complete: {type: adr_complete, files: ["docs/adr/*.md"], semantic: false}
  parsed: {type: syntax, files: ["src/*.py"]}
  reviewed: {type: approval, approval_type: adr, files: ["docs/adr/0007-kafka.md"]}
  person: {type: approval, approver: manual, files: ["docs/adr/0007-kafka.md"]}
  done: {type: verified}
  passed: {type: approval_passed, result_file: approval-result.json}
  tests: {type: command, command: [touch, HERE]}
"""
HIDDEN = "<!-- helix-disable section-missing - later -->\n"


def ask(job: Job, name: str, **environment: str) -> Ended:
    assert job.step("snapshot", GITHUB_TOKEN=READER).code == 0
    return job.step("gate", "--gate", name, **environment)


@pytest.fixture
def based(repository: Repository, tmp_path: Path) -> Repository:
    main_has(repository, APPROVALS, GATES.replace("HERE", str(tmp_path / "ran")))
    return repository


@pytest.mark.parametrize(
    ("name", "code", "decision"),
    [
        ("complete", 0, "approved"),
        ("parsed", 0, "approved"),
        ("reviewed", 4, "pending"),
        ("person", 4, "pending"),
        ("done", 1, "rejected"),
        ("passed", 1, "rejected"),
        ("tests", 4, "pending"),
    ],
)
def test_each_kind_without_a_key(
    name: str, code: int, decision: str, based: Repository, github: FakeGitHub, runner: Runner
) -> None:
    job = runner.job()
    ended = ask(job, name)
    assert (ended.code, job.outputs["decision"]) == (code, decision), ended
    assert name in (job.folder / "summary").read_text(encoding="utf-8")
    assert written(github) == [], "nothing is said on the pull request"
    assert not (runner.folder / "ran").exists(), "no command of a gate runs"


def test_a_judge_is_asked_where_the_step_has_a_key(based: Repository, runner: Runner) -> None:
    job = runner.job()
    ended = ask(job, "reviewed", **runner.judge(structured={}))
    assert (ended.code, job.outputs["decision"]) == (0, "approved"), ended
    assert float(job.outputs["cost-usd"]) > 0


def test_a_judge_that_rejects(based: Repository, runner: Runner) -> None:
    job = runner.job()
    ended = ask(job, "reviewed", **runner.judge(structured={"result": "needs_revision"}))
    assert (ended.code, job.outputs["decision"]) == (1, "rejected"), ended


def test_no_judge_is_asked_about_a_fork(
    based: Repository, github: FakeGitHub, runner: Runner
) -> None:
    github.pulls[1] = github.pulls[1]._replace(fork="eve/decisions")
    ended = ask(runner.job(), "reviewed", **runner.judge(structured={}))
    assert ended.code == 4 and "this comes from a fork" in ended.out


@pytest.mark.parametrize("text", [BROKEN, f"{HIDDEN}{BROKEN}"])
def test_the_head_is_checked_by_the_base(
    text: str, based: Repository, github: FakeGitHub, runner: Runner
) -> None:
    """Neither a removed gate nor a suppression in the same change helps.

    Attack on a custom gate: removing or weakening a gate, or a new one, on the pull request.
    Answer: the gate of the base is asked, and the change is listed as a relaxation.
    Shown by: `test_the_head_is_checked_by_the_base`, `test_a_gate_that_the_change_plants_is_none`, `gates`, `agent-skip`.
    """
    push(based, ADR, text)
    push(based, APPROVALS, "gates:\n  complete: {type: files_exist, files: src/orders.py}\n")
    job = runner.job()
    ended = ask(job, "complete")
    assert (ended.code, job.outputs["decision"]) == (1, "rejected"), ended


def test_a_gate_that_the_change_plants_is_none(based: Repository, runner: Runner) -> None:
    push(based, APPROVALS, f"{GATES}  easy: {{type: files_exist, files: src/orders.py}}\n")
    ended = ask(runner.job(), "easy")
    assert ended.code == 2 and "there is no gate 'easy'" in ended.err


def test_a_result_that_the_change_forges_is_none(based: Repository, runner: Runner) -> None:
    push(based, "approval-result.json", '{"result": "approved", "decision": "approved"}')
    ended = ask(runner.job(), "passed")
    assert ended.code == 1 and "it is no approval-result" in ended.out


def test_a_link_out_of_the_tree_is_not_read(based: Repository, runner: Runner) -> None:
    (based.root / "src" / "outside.py").symlink_to("/etc/passwd")
    based.git("add", "--all")
    based.commit()
    ended = ask(runner.job(), "parsed")
    assert ended.code == 1 and "src/outside.py" in ended.out


@pytest.mark.parametrize(
    ("more", "message"),
    [([], "--mode gate requires --gate NAME"), (["--gate", "complet"], "did you mean 'complete'?")],
)
def test_wrong_calls(more: list[str], message: str, based: Repository, runner: Runner) -> None:
    job = runner.job()
    job.step("snapshot", GITHUB_TOKEN=READER)
    ended = job.step("gate", *more)
    assert ended.code == 2 and message in ended.err and "decision" not in job.outputs


def test_without_a_snapshot_nothing_is_known(based: Repository, runner: Runner) -> None:
    ended = runner.job().step("gate", "--gate", "complete")
    assert ended.code == 3 and "run `--mode snapshot` first" in ended.err
