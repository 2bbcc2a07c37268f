"""`make test` and `make rest` together run every test that is no long series, and none twice."""

import subprocess
import sys

import pytest

from tests.conftest import ROOT

SAMPLED = "tests/unit/repository/test_commits.py"
FURTHER = "tests/stories/approve/test_killed.py"


def collected(*options: str) -> list[str]:
    command = [sys.executable, "-m", "pytest", "--collect-only", "--quiet", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return [line for line in done.stdout.splitlines() if "::" in line]


@pytest.mark.parametrize("module", [SAMPLED, FURTHER])
def test_each_test_is_in_one_part(module: str) -> None:
    base, rest, whole = (collected(*option, module) for option in (["--base"], ["--rest"], []))
    assert base
    assert rest
    assert sorted(base + rest) == sorted(whole)


def test_of_a_sampled_table_every_third_case_is_in_the_base() -> None:
    name = "test_nothing_that_a_repository_configures_is_run["
    base, whole = (
        [line for line in collected(*option, SAMPLED) if name in line]
        for option in (["--base"], [])
    )
    assert base == whole[::3]
