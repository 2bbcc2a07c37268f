"""Every folder in tests/cases/gates is a repository in which a gate is asked, beside what `gate` says.

`base` is committed on `main`, `tree` lies over it in the work tree, `args` are those of `gate`. `replies.json` is the script of a model that the
double of the claude CLI speaks to; without it nobody answers.

Attack on a custom gate: a command in the settings, or in a `phases.yaml`, of the change.
Answer: it does not run unless the base has the same gate, or the very file; never in a hook or in the Action.
Shown by: `failed-command-planted`, `failed-command-changed`, `failed-command-of-a-flow-planted`, `failed-command-of-a-flow-changed`, `failed-docs-compiled-planted`, `test_each_kind_without_a_key`.

Attack on a custom gate: an `approval-result.json` written by hand, edited, of other files, or of what was changed since.
Answer: what counts is the record of the clone or of the run, and the present hashes.
Shown by: `rejected-approval-passed-by-hand`, `test_a_result_that_was_edited_is_not_believed`, `test_an_approval_of_other_files_is_not_enough`, `test_a_recorded_approval_passes_as_long_as_nothing_changes`.

Attack on a custom gate: a pattern that matches nothing, only a template, a deleted file, a file larger than 1 MB or of a kind that nothing parses.
Answer: rejected.
Shown by: `rejected-adr-complete-nothing-matches`, `rejected-adr-complete-only-a-template`, `test_a_deleted_file_is_missing_though_git_tracks_it`, `test_a_huge_file_is_not_passed_half_read`, `rejected-syntax-no-parser`.

Attack on a custom gate: settings or a judge of one's own in the work tree.
Answer: the judge's approval waits for a person.
Shown by: `pending-approval-while-the-gate-itself-changes`, `test_a_planted_judge_is_a_sign`.
"""

import json
import re
from pathlib import Path

import pytest

from tests.conftest import ROOT, Repository
from tests.fakes import judges
from tests.fakes.program import Done, program
from tests.fakes.scripted_model import Model

CASES = ROOT / "tests" / "cases" / "gates"
PLAIN = ROOT / "tests" / "cases" / "verdicts" / "repository"


def marks(name: str) -> list[pytest.MarkDecorator]:
    return [pytest.mark.double] if (CASES / name / "replies.json").exists() else []


def normal(text: str) -> str:
    text = re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:N", text)
    text = re.sub(r"\b[0-9a-f]{40}\b", "HASH", re.sub(r"\b\d+\.\d s\b", "N s", text))
    text = re.sub(r'("duration_seconds"|"approval_id"|"timestamp"): [^,\n]+', r"\1: N", text)
    return re.sub(r"\b[0-9a-f]{12}\b", "N", text)


def lay_out(repository: Repository, folder: Path) -> None:
    for top in (PLAIN / "base", PLAIN / "change", folder / "base"):
        _copy(top, repository)
    repository.git("add", "--all")
    repository.commit("Begin")
    _copy(folder / "tree", repository)


def _copy(top: Path, repository: Repository) -> None:
    for path in sorted(top.rglob("*")) if top.exists() else ():
        if path.is_file():
            repository.write(path.relative_to(top).as_posix(), path.read_bytes())


def asked(folder: Path, tmp_path: Path) -> tuple[Done, str]:
    args = (folder / "args").read_text(encoding="utf-8").split()
    replies = folder / "replies.json"
    place = judges.programs(tmp_path / "programs", None, double=True)
    if not replies.exists():
        environment = judges.without_claude(judges.environment(None, place))
        return program("gate", *args, env=environment), ""
    with Model(judges.script(json.loads(replies.read_text(encoding="utf-8")))) as model:
        environment = judges.without_claude(judges.environment(model, place))
        done = program("gate", *args, env=environment)
        return done, f", {len(model.requests)} requests"


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=marks(name))
        for name in sorted(path.name for path in CASES.iterdir())
    ],
)
@pytest.mark.sampled
def test_gate(name: str, repository: Repository, tmp_path: Path) -> None:
    folder = CASES / name
    lay_out(repository, folder)
    done, requests = asked(folder, tmp_path)
    found = normal(f"{done.stdout}{done.stderr}exit {done.returncode}{requests}\n")
    assert found == (folder / "expected.txt").read_text(encoding="utf-8")
    assert (done.returncode == 0) == name.startswith("approved-"), "what is approved is called so"
