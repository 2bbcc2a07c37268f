"""Which types and briefs are asked: types for named files alone, and some briefs of one. Cases of verdicts have those that always run."""

import json
from pathlib import Path

import pytest

from tests.conftest import Repository
from tests.fakes.program import approve
from tests.stories.approve.scene import ADR, SECOND, Place, main_has, outcome

APPROVALS = "config/approvals.yaml"
ALWAYS = SECOND + (
    "approvals:\n  adr: {}\n"
    "  security: {always: true, after: adr, paths: ['src/**'], checks: [secrets]}\n"
)
NO = {"result": "rejected", "summary": "No."}


@pytest.fixture
def plan(change: Repository) -> str:
    main_has(change, APPROVALS, SECOND)
    change.write("plan.md", b"# Plan\n\n1. Add the export.\n")
    return "plan.md"


def test_a_gate_of_a_flow_reviews_the_file_that_is_named(place: Place, plan: str) -> None:
    done = approve("--type", "plan", "--format", "json", plan, env=place({"answer": {}}))
    (verdict,) = outcome(done)["approvals"]
    assert (done.returncode, verdict["approval_type"]) == (0, "plan")
    assert verdict["checks"] == {"prompt": "passed", "response": "passed"}
    assert [file["path"] for file in verdict["files"]] == [plan]


@pytest.mark.parametrize("base", [(), ("--base", "main")])
def test_it_never_reviews_a_change_by_itself(
    place: Place, plan: str, base: tuple[str, ...]
) -> None:
    done = approve("--type", "plan", *base, env=place({"answer": {}}))
    way_out = "as in `helix-hooks approve --type plan FILE`"
    message = f"helix-hooks: --type plan: it reviews only files that are named, {way_out}\n"
    assert (done.returncode, done.stderr) == (2, message)


def test_an_adr_that_is_named_to_a_gate_is_checked_too(place: Place, plan: str) -> None:
    done = approve("--type", "plan", "--format", "json", plan, ADR, env=place({"answer": {}}))
    assert [file["path"] for file in outcome(done)["check"]["files"]] == [ADR]


def test_files_that_are_named_need_no_adr(place: Place, plan: str, change: Repository) -> None:
    change.git("rm", "-rfq", "docs")
    change.git("commit", "-qm", "No ADR")
    done = approve("--type", "plan", plan, env=place({"answer": {}}))
    assert done.returncode == 0, done.stderr
    assert "no ADR" not in done.stderr


def test_one_brief_of_a_type_is_asked_and_the_result_says_so(
    place: Place, plan: str, tmp_path: Path
) -> None:
    asked = ("--type", "plan", "--check", "response", "--format", "json", plan)
    done = approve(*asked, env=place({"answer": {}, "sent": str(tmp_path / "sent")}))
    (verdict,) = outcome(done)["approvals"]
    assert verdict["checks"] == {"response": "passed"}
    assert done.stderr == "helix-hooks: plan: only the briefs response run (--check)\n"
    (place_of_it,) = tmp_path.glob("sent-*")
    sent = place_of_it.read_text(encoding="utf-8")
    assert "Is this plan acceptable?" in sent and "ready to send to AI" not in sent


def test_a_narrowed_answer_is_never_one_to_all_briefs(
    place: Place, change: Repository, plan: str
) -> None:
    narrow = ("--type", "plan", "--check", "response", "--format", "json", plan)
    for _ in range(2):
        (verdict,) = outcome(approve(*narrow, env=place({"answer": {}})))["approvals"]
    assert verdict["agent_context"]["cached"]
    done = approve("--type", "plan", "--format", "json", plan, env=place({"answer": NO}))
    (verdict,) = outcome(done)["approvals"]
    assert (done.returncode, verdict["agent_context"]["cached"]) == (1, False)
    text = (change.root / ".git/helix-hooks/runs.jsonl").read_text(encoding="utf-8")
    records = [json.loads(line) for line in text.splitlines()]
    assert [record["narrowed"] for record in records] == [True, True, False]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--type", "plan", "--check", "respons"),
            "--check respons: the approval type plan has no such brief; available: prompt, response",
        ),
        (("--check", "response"), "--check requires exactly one approval type; specify it with"),
        (
            ("--type", "plan", "--type", "review", "--check", "response"),
            "--check requires exactly one approval type; specify it with --type",
        ),
    ],
)
def test_a_brief_that_is_not_there(
    place: Place, plan: str, arguments: tuple[str, ...], message: str
) -> None:
    done = approve(*arguments, plan, env=place({"answer": {}}))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1) and message in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--type", "none", ADR), "--type none: there is no such approval type"),
        (("--agent", "none", ADR), "--agent none: there is no such agent"),
        (("--head", "HEAD"), "--head requires --base"),
        (("none.md",), "none.md: no such file is reviewed by adr, security"),
        (("notes.txt",), "notes.txt: none of the approval types adr, security reviews it"),
    ],
)
def test_a_call_that_names_nothing_is_refused(
    change: Repository, place: Place, arguments: tuple[str, ...], message: str
) -> None:
    main_has(change, APPROVALS, ALWAYS)
    change.stage("notes.txt", "n\n")
    done = approve(*arguments, env=place({"answer": {}}))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert message in done.stderr
