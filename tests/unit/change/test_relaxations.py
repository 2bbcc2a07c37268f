"""Every folder in tests/cases/loosened is a change of settings: the repository `before` and `after`, and the lines that say what asks for less."""

import time
from pathlib import Path
from typing import Any

import pytest

from helix_hooks.change.relaxations import between
from helix_hooks.decision import run_record
from helix_hooks.decision.handover import Handover, RunTarget
from helix_hooks.decision.handover_from_json import read
from helix_hooks.repository.work_tree import WorkTree
from tests.conftest import ROOT

CASES = ROOT / "tests" / "cases" / "loosened"


def files_below(top: Path) -> dict[str, bytes]:
    return {
        path.relative_to(top).as_posix(): path.read_bytes()
        for path in top.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("name", sorted(path.name for path in CASES.iterdir()))
def test_what_asks_for_less(name: str) -> None:
    before, after = CASES / name / "before", CASES / name / "after"
    old, new = files_below(before), files_below(after)
    touched = sorted(path for path in {*old, *new} if old.get(path) != new.get(path))
    lines = between(WorkTree(str(before), None), WorkTree(str(after), None), touched)
    assert lines == tuple(
        filter(
            "nothing".__ne__,
            (CASES / name / "expected.txt").read_text(encoding="utf-8").splitlines(),
        )
    )


@pytest.mark.slow
def test_a_record_that_is_cut_down_keeps_the_numbers() -> None:
    many: dict[str, Any] = {
        name: tuple(f"{name}/{n}/{'ab' * 1900}{n * 7919}" for n in range(2000))
        for name in ("protected", "loosened")
    }
    given = Handover(
        RunTarget("o/r", 1, "a" * 40, "b" * 40, "b" * 40, "c" * 32, "d" * 64), no_judge="", **many
    )
    data = run_record.read(run_record.text(given), 1)
    assert data
    found = read(data)
    assert (len(found.protected) + found.protected_left_out, found.loosened[-1]) == (
        2000,
        "and 1996 more",
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    ["policy: {{overrides: [{}]}}\n", "policy: {{approvers: {{roles: [admin], users: [{}]}}}}\n"],
)
def test_settings_with_many_names_are_compared_once_each(tmp_path: Path, text: str) -> None:
    """A megabyte of them took minutes: each name was looked for in a list of all."""
    trees = []
    for name in ("before", "after"):
        place = tmp_path / name / "config" / "approvals.yaml"
        place.parent.mkdir(parents=True)
        place.write_text(
            text.format(",".join(f"{name}-{number}" for number in range(20_000))), encoding="utf-8"
        )
        trees.append(WorkTree(str(tmp_path / name), None))
    began = time.process_time()
    (line,) = between(trees[0], trees[1], ["config/approvals.yaml"])
    assert "after-9 and 19990 more" in line
    assert time.process_time() - began < 15
