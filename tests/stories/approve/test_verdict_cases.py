"""Every folder in tests/cases/verdicts/cases is a run of a judge over the same change, beside what `approve` says of it.

`replies.json` is the script of a model that the real claude CLI speaks to; `stand-in.json` what a stand-in program does in the place of a
judge. `tree` is laid over the change, `base` over what it is measured by, and `args` are added to `approve --base main`. Seconds and names
of commits are written as N.
"""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT, Repository
from tests.fakes import judges
from tests.fakes.program import program
from tests.fakes.scripted_model import Model

CASES = ROOT / "tests" / "cases" / "verdicts" / "cases"
PLAIN = ROOT / "tests" / "cases" / "verdicts" / "repository"


def lay_out(repository: Repository, folder: Path | None = None) -> None:
    """The repository of all cases, on the branch `change`, with what the case adds."""
    _commit(repository, PLAIN / "base", folder / "base" if folder else None)
    repository.git("checkout", "--quiet", "-b", "change")
    _commit(repository, PLAIN / "change", folder / "tree" if folder else None)


def _commit(repository: Repository, *folders: Path | None) -> None:
    for folder in folders:
        if folder and folder.exists():
            shutil.copytree(folder, repository.root, dirs_exist_ok=True, copy_function=shutil.copyfile)
    repository.git("add", "--all")
    repository.commit()


def normal(text: str) -> str:
    text = re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:N", text)
    return re.sub(r"\b\d+\.\d s\b", "N s", re.sub(r"\b[0-9a-f]{12}\b", "N", text))


def approve(*arguments: str, env: dict[str, str], timeout: float = 60) -> "subprocess.CompletedProcess[str]":
    return program("approve", *arguments, env=env, timeout=timeout)


@pytest.mark.parametrize("name", sorted(path.name for path in CASES.iterdir()))
def test_verdict(name: str, repository: Repository, tmp_path: Path) -> None:
    folder = CASES / name
    lay_out(repository, folder)
    args = ["--base", "main", *((folder / "args").read_text().split() if (folder / "args").exists() else [])]
    stand_in = folder / "stand-in.json"
    place = judges.programs(tmp_path / "programs", json.loads(stand_in.read_text()) if stand_in.exists() else None)
    replies = json.loads((folder / "replies.json").read_text()) if not stand_in.exists() else [[]]
    with Model(judges.script(replies)) as model:
        done = approve(*args, env=judges.without_claude(judges.environment(model, place)))
        asked = f", {len(model.requests)} requests" if not stand_in.exists() else ""
    assert normal(f"{done.stdout}{done.stderr}exit {done.returncode}{asked}\n") == (folder / "expected.txt").read_text(encoding="utf-8")
    assert (done.returncode == 0) == ("approved-" in f"{name}-"), "what is approved is called so, and nothing else"
