"""Every folder in tests/cases/gates is a repository in which a gate is asked, beside what `gate` says.

`base` is committed on `main`, `tree` lies over it in the work tree, `args` are those of `gate`. `replies.json` is the script of a model that the
double of the claude CLI speaks to; without it nobody answers.
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
