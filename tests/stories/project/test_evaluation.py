"""The cases of the evaluation are what they say they are, and its counts are right."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from evaluation import rates, report, seeded
from evaluation.rates import Run
from evaluation.run import KEYS, _exit_code, _judged, main
from evaluation.seeded import Case
from helix_hooks.check.work_tree import WorkTree
from helix_hooks.errors import ConfigError
from helix_hooks.judge.approvals import approvals_of
from helix_hooks.paths import matches
from helix_hooks.verdict.injection.signs import Text, indicators
from tests.conftest import ROOT
from tests.conftest import Run as Call
from tests.fakes import judges

FOLDER = ROOT / "evaluation"
CASES = seeded.cases(FOLDER)
TYPES = ("adr", "architecture", "compliance", "migration")
DEFECT = Case("a", "docs/adr/a.md", "", ("migration",))
ADR = "docs/adr/014-export-for-a-customer.md"
EMPTY = WorkTree(str(ROOT / "evaluation" / "repository"), None)
GOOD = Case("b", "docs/adr/b.md", "")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.sampled
def test_only_a_judge_can_tell_the_cases_apart(
    case: Case, run: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeded.lay_out(case, FOLDER, tmp_path)
    monkeypatch.chdir(tmp_path)
    result = run("check", "--since", "main", "--format", "json")
    checked = json.loads(result.out)
    assert [file["path"] for file in checked["files"]] == ([] if case.files else [case.adr])
    assert not any(file["findings"] for file in checked["files"]) and result.code == 0
    for path, text in case.files or ((case.adr, case.text),):
        assert not indicators([Text(path, text)], [path], reviewed=True)


@pytest.mark.parametrize("case", [case for case in CASES if case.files], ids=lambda case: case.name)
def test_the_type_of_a_change_reviews_its_files(case: Case) -> None:
    paths = approvals_of(EMPTY).types[case.type].paths
    assert any(matches(path, paths) for path, _ in case.files)
    good = next(other for other in CASES if other.adr == case.adr and "as-it-is" in other.name)
    edited = {path for path, text in case.files if dict(good.files)[path] != text}
    assert bool(edited) == ("as-it-is" not in case.name)
    for path, text in case.files:
        if path.endswith(".py"):
            compile(text, path, "exec")


@pytest.mark.parametrize("type", TYPES)
def test_each_brief_has_its_defects_and_each_subject_its_harmless_edit(type: str) -> None:
    cases = [case for case in CASES if case.type == type]
    briefs = {path.stem for path in (ROOT / "approvals" / type / "checks").glob("*.md")}
    assert {brief for case in cases for brief in case.briefs} == briefs
    assert len([case for case in cases if case.is_defect]) >= (16 if type == "adr" else 5)
    edited = [case for case in cases if not case.is_defect and not case.name.endswith("as-it-is")]
    assert {case.adr for case in edited} == {case.adr for case in cases}


def call(*arguments: str, programs: Path | None = None) -> "subprocess.CompletedProcess[str]":
    without = {name: value for name, value in os.environ.items() if name not in KEYS}
    if programs:
        without["PATH"] = f"{programs}{os.pathsep}{without['PATH']}"
    command = [sys.executable, "-m", "evaluation", *arguments]
    return subprocess.run(
        command, env=without, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.further
@pytest.mark.double
def test_a_defect_and_a_harmless_edit_against_the_scripted_model(tmp_path: Path) -> None:
    programs = judges.programs(tmp_path / "programs", None, double=True)
    done = call("--only", "010-plan-gone", "--only", "013-folgen-als-liste", programs=programs)
    lines = done.stdout.splitlines()
    assert (done.returncode, lines[0], lines[-1]) == (0, report.SCRIPTED, report.SCRIPTED), (
        done.stderr
    )
    counts = "2 cases, 1 with a defect and 1 without one; 2 runs"
    assert lines[2] == f"{counts}, judged by claude-sonnet-5-5"
    assert lines[5].split()[:3] == ["010-plan-gone", "migration", "found"]
    assert lines[6].split()[:3] == ["013-folgen-als-liste", "-", "right"]
    assert lines[8].startswith("missed (false negatives)          0 of 1, 0.0 %")
    assert lines[9].startswith("false alarms (false positives)    0 of 1, 0.0 %")
    assert lines[14] == "no verdict, counted nowhere else  0 of 2"


DEFECT_OF = f"adr: {ADR}\nkind: defect\nbrief: migration\nedits:\n  - "
EDIT_OF_A_FILE = "kind: harmless\nedits:\n  - {file: no.sql, old: a, new: b}"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            f"{DEFECT_OF}{{old: no such words, new: x}}",
            f"edits[0].old: it must stand in {ADR} once",
        ),
        (f"{DEFECT_OF}{{old: the, new: x}}", f"edits[0].old: it must stand in {ADR} once"),
        (f"{DEFECT_OF}{{old: Whoever asks, new: Whoever   asks}}", "edits[0].new: another text"),
        (f"adr: {ADR}\nkind: defect\nedits: []", ":2: kind: a defect names the brief that"),
        (f"{DEFECT_OF.replace('defect', 'harmless')}x", ":2: kind: a defect names the brief that"),
        (f"adr: {ADR}\nkind: harmful\nedits: []", ":2: kind: invalid value 'harmful'"),
        (f"adr: {ADR}\nkind: harmless", ":1: missing key 'edits'"),
        (f"adr: {ADR}\nchange: a/b\nkind: harmless\nedits: []", ":1: adr: a case with `change`"),
        (
            EDIT_OF_A_FILE,
            ":1: kind: the case names no `adr` of review/ and no `change` of changes/",
        ),
        (f"change: migration/none\n{EDIT_OF_A_FILE}", ":1: change: there is no migration/none in"),
        (f"change: migration\n{EDIT_OF_A_FILE}", ":1: change: there is no migration in"),
        (
            f"change: migration/tariffs\n{EDIT_OF_A_FILE}",
            ":4: edits[0].file: invalid value 'no.sql'",
        ),
    ],
)
def test_a_case_that_is_wrong_says_where(tmp_path: Path, lines: str, message: str) -> None:
    shutil.copytree(FOLDER, tmp_path, dirs_exist_ok=True)
    place = tmp_path / "cases" / "a-wrong-one.yaml"
    place.write_text(f"{lines}\nwhy: a test\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"a-wrong-one\.yaml") as raised:
        seeded.cases(tmp_path)
    assert message in str(raised.value)


@pytest.mark.further
@pytest.mark.double
def test_changes_of_other_types_against_the_scripted_model(tmp_path: Path) -> None:
    programs = judges.programs(tmp_path / "programs", None, double=True)
    names = "migration-prices-dropped compliance-agpl architecture-as-it-is architecture-r*"
    only = [word for name in names.split() for word in ("--only", name)]
    done = call("--type", "all", "--format", "json", *only, programs=programs)
    runs = json.loads(done.stdout)["runs"]
    found = {run["case"]: (run["type"], run["outcome"]) for run in runs}
    assert found["migration-prices-dropped"] == ("migration", rates.FOUND), done.stderr
    assert found["compliance-agpl"] == ("compliance", rates.FOUND)
    assert found["architecture-reservations-as-it-is"] == ("architecture", rates.RIGHT)


@pytest.mark.further
def test_a_judge_by_api_against_the_scripted_model(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    done = call("--model", "openai:gpt-4.1", "--only", "010-plan-gone", "--format", "json")
    (run,) = json.loads(done.stdout)["runs"]
    assert (run["outcome"], run["judge"], done.returncode) == (rates.FOUND, "gpt-4.1", 0)


def test_a_pattern_that_names_no_case_is_a_usage_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["evaluate.py", "--only", "nope*"])
    assert (main(), capsys.readouterr().err) == (2, "evaluate: no case is called nope*\n")


@pytest.mark.parametrize(
    ("run", "outcome"),
    [
        (Run(DEFECT, "rejected", frozenset({"migration", "conflicts"})), rates.FOUND),
        (Run(DEFECT, "rejected", frozenset({"conflicts"})), rates.ELSEWHERE),
        (Run(DEFECT, "pending"), rates.ELSEWHERE),
        (Run(DEFECT, "approved", frozenset({"migration"})), rates.MISSED),
        (Run(DEFECT, ""), rates.NONE),
        (Run(GOOD, "approved"), rates.RIGHT),
        (Run(GOOD, "pending"), rates.PERSON),
        (Run(GOOD, "rejected"), rates.ALARM),
        (Run(GOOD, ""), rates.NONE),
    ],
)
def test_what_a_run_comes_to(run: Run, outcome: str) -> None:
    assert run.outcome == outcome


def test_a_run_without_a_verdict_is_in_no_rate_and_no_exit_code_0() -> None:
    runs = [
        Run(DEFECT, "rejected", frozenset({"migration"}), 10, 0.1),
        Run(GOOD, "approved", frozenset(), 20, 0.2),
    ]
    assert [row.met for row in rates.rows(runs)] == [True] * 4
    assert _exit_code(runs, scripted=False) == 0
    failed = [*runs, Run(GOOD, "", seconds=300, cost=0.3, reason="timeout")]
    assert (rates.missed(failed), rates.alarms(failed)) == ((0, 1), (0, 1))
    assert _exit_code(failed, scripted=False) == _exit_code(failed, scripted=True) == 1
    assert _exit_code(failed[2:], scripted=True) == 3
    assert "no verdict in 1 run: timeout" in report.text(failed, scripted=False)


def test_targets_that_are_not_met_are_exit_code_1_but_for_the_scripted_model() -> None:
    runs = [
        Run(DEFECT, "approved", frozenset(), 61, 0.31),
        Run(GOOD, "rejected", frozenset(), 10, 0.1),
    ]
    assert [row.met for row in rates.rows(runs)] == [False] * 4
    assert _exit_code(runs, scripted=False) == 1 and _exit_code(runs, scripted=True) == 0
    assert report.text(runs, scripted=False).count("NOT MET") == 4


def test_a_finding_of_layers_1_to_3_is_no_verdict_of_a_judge() -> None:
    stopped = {
        "approvals": [],
        "failed": False,
        "decision": "rejected",
        "not_judged": [{"reason": "the deterministic checks have findings"}],
    }
    run = _judged(Run(DEFECT, ""), stopped)
    assert (run.outcome, run.reason) == (rates.NONE, "the deterministic checks have findings")
