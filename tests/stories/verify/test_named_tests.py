"""Tests that criteria name by file and name run here, with the runner of the settings at the base."""

import json
import sys

import pytest

from tests.conftest import Repository, Run
from tests.stories.verify.work import ADR, START, commit_all, deliver, start

SETTINGS = "config/approvals.yaml"
PYTEST = "verify:\n  tests: pytest\n"
FILE = "tests/test_orders.py"


@pytest.fixture(autouse=True)
def programs(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = repository.root.parent / "programs"
    folder.mkdir()
    (folder / "pytest").symlink_to(f"{sys.prefix}/bin/pytest")
    monkeypatch.setenv("PATH", str(folder), prepend=":")


def begin(repository: Repository, *ids: str, settings: str = PYTEST) -> None:
    criteria = "".join(f"- [ ] `{id}` passes\n" for id in ids)
    adr = f"{ADR}\n## Acceptance Criteria\n\n{criteria}"
    start(repository, adr, {**START, SETTINGS: settings})
    deliver(repository)


def found(run: Run, *arguments: str) -> list[tuple[str, str]]:
    """Return the state and the reason of each criterion."""
    (result,) = json.loads(run("verify", "ADR-014", "--format", "json", *arguments).out)["results"]
    criteria = [item for item in result["expectations"] if item["kind"] == "criterion"]
    return [(item["state"], item["reason"]) for item in criteria]


@pytest.mark.parametrize(
    ("id", "text", "state", "reason"),
    [
        ("test_a", "def test_a(): pass", "shown", ""),
        ("test_a", "def test_a(): assert 1 == 2", "missing", "the test failed: assert 1 == 2"),
        ("test_a", "def test_a(x): pass", "missing", "the test failed: failed on setup with"),
        ("test_a", "import pytest\n@pytest.mark.skip('later')\ndef test_a(): pass", "present", "the test was skipped: later"),
        ("test_a", "import pytest\n@pytest.mark.xfail\ndef test_a(): assert 0", "present", "the test was skipped"),
        ("test_a", "import pytest\n@pytest.fixture\ndef test_a(): pass", "missing", " did not run the test: it ended with exit code 4"),
        ("test_a", "if False:\n    def test_a(): pass", "missing", " did not run the test: it ended with exit code 4"),
        ("test_a", "import missing_module\ndef test_a(): pass", "missing", " did not run the test: it ended with exit code 4"),
        ("TestB::test_a", "class TestB:\n    def test_a(self): pass\ndef test_a(): assert 0", "shown", ""),
        ("test_a", "class TestB:\n    def test_a(self): assert 0\ndef test_a(): pass", "shown", ""),
        ("test_a[1]", "import pytest\n@pytest.mark.parametrize('x', [0, 1])\ndef test_a(x): assert x", "shown", ""),
        ("test_a[0]", "import pytest\n@pytest.mark.parametrize('x', [0, 1])\ndef test_a(x): assert x", "missing", "the test failed: assert 0"),
        ("test_a[2]", "import pytest\n@pytest.mark.parametrize('x', [0, 1])\ndef test_a(x): assert x", "missing", " did not run the test: it ended with exit code 4"),
        ("test_a", "import pytest\n@pytest.mark.parametrize('x', [1, 0])\ndef test_a(x): assert x", "missing", "the test failed: assert 0"),
        ("test_a", "import os\ndef test_a(): os._exit(0)", "missing", ": it wrote no report: there is no file"),
    ],
)  # fmt: skip
def test_one_test(
    id: str, text: str, state: str, reason: str, repository: Repository, run: Run
) -> None:
    begin(repository, f"{FILE}::{id}")
    repository.write(FILE, f"{text}\n")
    ((seen, why),) = found(run)
    assert (seen, reason in why) == (state, True), why


def test_all_shown_is_verified(repository: Repository, run: Run) -> None:
    begin(repository, f"{FILE}::test_sends", f"{FILE}::test_replays")
    result = run("verify", "ADR-014")
    assert (result.code, "7 shown" in result.out) == (0, True), result.out


def test_a_test_that_is_not_found_hides_no_other(repository: Repository, run: Run) -> None:
    begin(repository, f"{FILE}::test_a", f"{FILE}::test_b", f"{FILE}::test_c")
    text = "def test_a(): pass\nif False:\n    def test_b(): pass\ndef test_c(): assert 0\n"
    repository.write(FILE, text)
    assert [state for state, _ in found(run)] == ["shown", "missing", "missing"]


def test_only_the_named_tests_run(repository: Repository, run: Run) -> None:
    begin(repository, f"{FILE}::test_a")
    repository.write(FILE, "def test_a(): pass\ndef test_b(): open('ran', 'w')\n")
    assert found(run) == [("shown", "")]
    assert not (repository.root / "ran").exists()


SLOW = "import pytest\n@pytest.mark.slow\ndef test_x(): assert 0\n"
PASSES = "def test_x(): pass\n"


@pytest.mark.parametrize(
    ("files", "ids", "states"),
    [
        # Another file of the same name, beside the ADR.
        ({"tests/t.py": PASSES, "docs/tests/t.py": "def test_x(): assert 0\n"}, ["tests/t.py::test_x", "../tests/t.py::test_x"], ["shown", "missing"]),
        # A file whose path ends in that of another one, left out by the project's own options.
        ({"t.py": PASSES, "sub/__init__.py": "", "sub/t.py": SLOW}, ["t.py::test_x", "sub/t.py::test_x"], ["shown", "missing"]),
        # The same name in a class.
        ({"t.py": f"{SLOW}class TestA:\n    def test_x(self): pass\n"}, ["t.py::test_x", "t.py::TestA::test_x"], ["missing", "shown"]),
        # A parameter that the project's own options leave out.
        ({"t.py": "import pytest\n@pytest.mark.parametrize('p', [1, pytest.param(2, marks=pytest.mark.slow)])\ndef test_x(p): assert p == 1\n"}, ["t.py::test_x"], ["missing"]),
        ({"t.py": "import pytest\npytest.importorskip('no_such_module')\ndef test_x(): pass\n"}, ["t.py::test_x"], ["present"]),
        ({"t.py": PASSES}, ["./t.py::test_x"], ["missing"]),
        ({"docs/adr/t.py": PASSES}, ["./t.py::test_x"], ["shown"]),
        ({"@t.py": PASSES}, ["@t.py::test_x"], ["shown"]),
    ],
)  # fmt: skip
def test_the_result_of_another_test_does_not_count(
    files: dict[str, str], ids: list[str], states: list[str], repository: Repository, run: Run
) -> None:
    options = '[pytest]\naddopts = --import-mode=importlib -m "not slow" --ff\nmarkers = slow\n'
    begin(repository, *ids)
    for path, text in {**files, "pytest.ini": options}.items():
        repository.write(path, text)
    assert [state for state, _ in found(run)] == states


@pytest.mark.parametrize("arguments", [["--no-commands"], ["--head", "HEAD"]])
def test_what_did_not_run_is_present(
    arguments: list[str], repository: Repository, run: Run
) -> None:
    begin(repository, f"{FILE}::test_a")
    repository.write(FILE, "def test_a(): open('ran', 'w')\n")
    commit_all(repository, "All")
    assert found(run, *arguments) == [
        ("present", f"the test test_a is there in {FILE}, and was not run")
    ]
    assert not (repository.root / "ran").exists()


def test_the_runner_of_the_change_is_not_used(repository: Repository, run: Run) -> None:
    begin(repository, f"{FILE}::test_sends")
    repository.write(SETTINGS, "verify:\n  tests: touch evil {junit} {tests}\n")
    assert found(run) == [("shown", "")]
    assert not (repository.root / "evil").exists()


def test_a_runner_that_is_not_there(repository: Repository, run: Run) -> None:
    settings = "verify:\n  tests: no-such-program {junit} {tests}\n"
    begin(repository, f"{FILE}::test_sends", settings=settings)
    result = run("verify", "ADR-014")
    assert result.code == 3
    assert "the named tests were not run: there is no program no-such-program" in result.out


def test_the_limit_is_that_of_all_tests_together(repository: Repository, run: Run) -> None:
    settings = f"{PYTEST}  timeout: 3\n"
    begin(repository, f"{FILE}::test_a", f"{FILE}::test_b", settings=settings)
    repository.write(FILE, "import time\ndef test_a(): time.sleep(60)\ndef test_b(): pass\n")
    (state, reason), (other, _) = found(run)
    assert (state, other) == ("missing", "missing")
    assert "did not run the test: it was stopped after 3 seconds" in reason


RUN = (
    '<testsuite><testcase name="test_sends" classname="tests.test_orders" status="run" '
    'result="{}"/></testsuite>'
)
CASE = '<testsuite><testcase name="{}" classname="{}"{}>{}</testcase></testsuite>'


@pytest.mark.parametrize(
    ("report", "state"),
    [
        (CASE.format("test_sends", "tests.test_orders", "", ""), "shown"),
        (CASE.format("test_sends", FILE, "", ""), "shown"),
        (CASE.format("test_sends", "tests.test_orders", ' status="failed"', ""), "missing"),
        (CASE.format("test_sends", "tests.test_orders", ' status="notrun"', ""), "present"),
        (RUN.format("suppressed"), "present"),
        (RUN.format("completed"), "shown"),
        (CASE.format("test_sends", "tests.test_orders", ' status="timedout"', ""), "present"),
        (CASE.format("test_sends", "test_orders", "", ""), "present"),
        (CASE.format("test_sends", "tests.test_orders.TestA", "", ""), "present"),
        (CASE.format("test_sends", "tests.test_orders", f' file="./{FILE}"', ""), "shown"),
        (CASE.format("test_sends", "tests.test_orders", f' file="app/{FILE}"', ""), "present"),
        (CASE.format("test_sends", "tests.test_orders", ' xmlns:f="u"', "<f:failure/>"), "missing"),
        (CASE.format("test_sends", "", f' file="{FILE}"', ""), "shown"),
        (CASE.format("test_sends()", "", ' file="tests\\test_orders.py"', ""), "shown"),
        (CASE.format("test_sends", "", "", ""), "present"),
        (CASE.format("test_sends", "tests.test_other", "", ""), "present"),
        (CASE.format("test_sends", "", ' file="tests/other.py"', ""), "present"),
        (CASE.format("test_sends_all", "tests.test_orders", "", ""), "present"),
        (CASE.format("test_sends", "tests.test_orders", "", "<skipped/>"), "present"),
        (CASE.format("test_sends", "tests.test_orders", "", "<error/>"), "missing"),
        (CASE.format("test_sends", "tests.test_orders", "", "<failure>no</failure>"), "missing"),
        ("<testsuite/>", "present"),
        ("", "missing"),
        ("no XML", "missing"),
        ("<!DOCTYPE x [<!ENTITY a 'b'>]><testsuite/>".encode("utf-16"), "missing"),
        ("<!DOCTYPE x [<!ENTITY a 'b'>]><testsuite/>", "missing"),
        ("<?xml version='1.0' encoding='no-such'?><testsuite/>", "missing"),
    ],
)
def test_a_report_of_another_runner(
    report: str | bytes, state: str, repository: Repository, run: Run
) -> None:
    settings = 'verify:\n  tests: ["sh", "-c", "cp report.xml {junit}; : {tests}"]\n'
    begin(repository, f"{FILE}::test_sends", settings=settings)
    repository.write("report.xml", report)
    ((seen, why),) = found(run)
    assert seen == state, why


def test_a_report_that_leads_elsewhere(repository: Repository, run: Run) -> None:
    settings = 'verify:\n  tests: ["sh", "-c", "ln -s /etc/hosts {junit}; : {tests}"]\n'
    begin(repository, f"{FILE}::test_sends", settings=settings)
    ((state, why),) = found(run)
    assert (state, "it is no file" in why) == ("missing", True), why


@pytest.mark.parametrize("command", ["pytest -q", "make {junit}", "make {tests}", "''"])
def test_a_command_without_the_places_is_refused(
    command: str, repository: Repository, run: Run
) -> None:
    repository.write(SETTINGS, f"verify:\n  tests: {command}\n")
    result = run("check-config")
    assert result.code == 2
    assert f"{SETTINGS}:2: " in result.out + result.err
