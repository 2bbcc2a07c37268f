"""`make test`, `make rest` and `make soak` together run every test, and the first two none twice."""

import subprocess
import sys

from tests.conftest import ROOT

MODULES = ("tests/unit/git/test_commits.py", "tests/stories/approve/test_killed.py")


def collected(*options: str) -> list[str]:
    command = [sys.executable, "-m", "pytest", "--collect-only", "--quiet", *options, *MODULES]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return [line for line in done.stdout.splitlines() if "::" in line]


def test_each_test_is_in_one_part() -> None:
    base, rest, whole = (collected(*option) for option in (["--base"], ["--rest"], []))
    assert base
    assert rest
    assert not {*base} & {*rest}
    table = "::test_nothing_that_a_repository_configures_is_run["
    left = sorted({*whole} - {*base} - {*rest})
    assert left
    assert {*left} <= {*collected("--soak")}
    of_base, of_whole = ([test for test in part if table in test] for part in (base, whole))
    assert of_base == of_whole[::6]
