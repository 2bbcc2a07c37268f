"""Every folder in tests/cases/verdicts/cases is a run of a judge over the same change, beside what `approve` says of it.

`replies.json` is the script of a model that the real claude CLI speaks to; `stand-in.json` what a stand-in program does in the place of a
judge. `tree` is laid over the change, `base` over what it is measured by, and `args` are added to `approve --base main`. Seconds and names
of commits are written as N.
"""

import json
import re
from pathlib import Path

import pytest

from tests.conftest import ROOT, Repository
from tests.fakes import judges
from tests.fakes.change import lay_out
from tests.fakes.program import approve
from tests.fakes.scripted_model import Model

CASES = ROOT / "tests" / "cases" / "verdicts" / "cases"


def normal(text: str) -> str:
    text = re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:N", text)
    return re.sub(r"\b\d+\.\d s\b", "N s", re.sub(r"\b[0-9a-f]{12}\b", "N", text))


@pytest.mark.parametrize("name", sorted(path.name for path in CASES.iterdir()))
def test_verdict(name: str, repository: Repository, tmp_path: Path) -> None:
    folder = CASES / name
    lay_out(repository, folder)
    args = [
        "--base",
        "main",
        *((folder / "args").read_text().split() if (folder / "args").exists() else []),
    ]
    stand_in = folder / "stand-in.json"
    place = judges.programs(
        tmp_path / "programs", json.loads(stand_in.read_text()) if stand_in.exists() else None
    )
    replies = json.loads((folder / "replies.json").read_text()) if not stand_in.exists() else [[]]
    with Model(judges.script(replies)) as model:
        done = approve(*args, env=judges.without_claude(judges.environment(model, place)))
        asked = f", {len(model.requests)} requests" if not stand_in.exists() else ""
    assert normal(f"{done.stdout}{done.stderr}exit {done.returncode}{asked}\n") == (
        folder / "expected.txt"
    ).read_text(encoding="utf-8")
    assert (done.returncode == 0) == ("approved-" in f"{name}-"), (
        "what is approved is called so, and nothing else"
    )
