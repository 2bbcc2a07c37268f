"""A light judge before the full one, as any program: what it is sent, what it may decide, and who answers when it fails."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Repository
from tests.fakes.program import approve
from tests.stories.approve.scene import ADR, Place, main_has, outcome

APPROVALS = "config/approvals.yaml"
BRIEFS = ("acceptance", "completeness", "conflicts", "header-honest", "migration")
LIGHT = """#!{python}
import json, os, sys, time
with open(os.environ["HELIX_JUDGE"] + "/schema.json") as file:
    properties = json.load(file)["properties"]
briefs = properties["checks"]["required"]
text = sys.stdin.read()
with open({log!r} + "/" + " ".join(briefs), "w") as file:
    file.write(text + "\\n".join(os.listdir(".")))
case = {case!r}
time.sleep(case.get("sleep", 0))
answer = {{"result": "approved", "confidence": 0.97, "summary": "Clear.", "findings": [],
    "recommendations": [], "checks": dict.fromkeys(briefs, "passed"),
    "files": properties["files"]["items"]["enum"], **case.get("answer", {{}})}}
print(json.dumps({{"answer": answer, "cost_usd": 0.002, "tokens_used": 10, "turns": 1, "model": "light-1",
    **case.get("beside", {{}})}}))
sys.exit(case.get("exit", 0))
"""
FULL = {
    "wrap": "answer",
    "answer": {},
    "beside": {"cost_usd": 0.2, "tokens_used": 100, "turns": 4, "model": "full-1"},
}
ERROR = {
    "severity": "error",
    "check": "conflicts",
    "message": "ADR-0001 rules it out.",
    "path": ADR,
    "line": 13,
    "evidence": "We will use Kafka",
    "help": "Supersede ADR-0001.",
}


class Judges:
    """A change with both judges, and a folder for what the light one is sent."""

    def __init__(self, change: Repository, place: Place, folder: Path) -> None:
        self._change, self._place, self._folder = change, place, folder
        self.sent = folder / "sent"
        self.sent.mkdir()

    def settings(self, smart: str = "", more: str = "") -> None:
        main_has(
            self._change,
            APPROVALS,
            "agents: {second: {command: stand-in}, light: {command: light-judge}}\n"
            "defaults:\n  agent: second\n  max_retries: 0\n"
            f"  smart: {{model: light-1, agent: light{smart}}}\n{more}",
        )

    def ask(self, case: dict[str, Any], *args: str) -> dict[str, Any]:
        """Return what `approve` says where the light judge does what a case says."""
        for path in self.sent.iterdir():
            path.unlink()
        environment = self._place(FULL)
        program = Path(environment["PATH"].split(":")[0]) / "light-judge"
        program.write_text(
            LIGHT.format(python=sys.executable, log=str(self.sent), case=case), encoding="utf-8"
        )
        program.chmod(0o755)
        done = approve("--base", "main", "--format", "json", *args, env=environment)
        assert done.stdout, done.stderr
        return outcome(done)

    @property
    def asked(self) -> list[str]:
        return sorted(path.name for path in self.sent.iterdir())


@pytest.fixture
def both(change: Repository, place: Place, tmp_path: Path) -> Judges:
    return Judges(change, place, tmp_path)


def about(found: dict[str, Any]) -> tuple[Any, ...]:
    """Return who decided, why the light judge did not, its cost, and that of both."""
    context = found["approvals"][0]["agent_context"]
    names = ("decided_by", "model", "light_reason", "light_cost_usd", "cost_usd")
    return tuple(context[name] for name in names)


def test_one_request_has_all_briefs_with_all_that_is_known_and_no_other_file(both: Judges) -> None:
    both.settings()
    hint = {**ERROR, "check": "migration", "severity": "info"}
    found = both.ask({"answer": {"confidence": 0.96, "findings": [hint]}})
    assert about(found) == ("light", "light-1", "", pytest.approx(0.002), pytest.approx(0.002))
    (verdict,) = found["approvals"]
    assert (verdict["result"], verdict["confidence"]) == ("approved", 0.96)
    assert verdict["checks"] == dict.fromkeys(BRIEFS, "passed") and both.asked == [" ".join(BRIEFS)]
    sent = (both.sent / " ".join(BRIEFS)).read_text(encoding="utf-8")
    assert all(f"# Brief `{brief}`" in sent for brief in BRIEFS)
    assert "We will use Kafka" in sent and "begins change.diff" in sent
    assert sent.endswith("```\n"), "the folder that it starts in is empty"


def test_one_error_rejects_and_the_full_judge_is_not_asked(both: Judges) -> None:
    both.settings()
    wrong = {"result": "rejected", "confidence": 0.6, "findings": [ERROR], "summary": "Ruled out."}
    found = both.ask({"answer": wrong})
    assert about(found)[:3] == ("light", "light-1", "") and len(both.asked) == 1
    (verdict,) = found["approvals"]
    assert found["decision"] == "rejected"
    assert verdict["confidence"] == 0.6
    assert verdict["summary"] == "Ruled out."
    assert [finding["check"] for finding in verdict["findings"]] == ["conflicts"]


@pytest.mark.parametrize(
    ("case", "reason"),
    [
        ({"answer": {"confidence": 0.95}}, "its confidence 0.95 is not above 0.95"),
        ({"exit": 1}, "the judge ended with exit code 1"),
        ({"answer": {"findings": None}}, "the answer does not fit its schema"),
        ({"answer": {"result": "needs_revision"}}, "it says needs_revision and names no error"),
        ({"answer": {"result": "rejected"}}, "it says rejected and names no error"),
        ({"beside": {"cost_usd": 0.06}}, "it took $0.0600, more than its budget"),
        ({"answer": {"findings": [{**ERROR, "check": "other"}]}}, "the answer does not fit"),
        ({"answer": {"checks": {}}}, "the answer does not fit its schema"),
    ],
)
def test_whatever_it_leaves_open_the_full_judge_answers(
    both: Judges, case: dict[str, Any], reason: str
) -> None:
    both.settings()
    found = both.ask(case)
    decided, model, why, _, _ = about(found)
    assert (decided, model) == ("full", "full-1") and why.startswith(reason)
    assert found["decision"] == "approved"


def test_a_light_judge_that_takes_too_long_is_ended_and_the_full_one_asked(both: Judges) -> None:
    both.settings(smart=", timeout: 1")
    found = both.ask({"sleep": 20})
    assert about(found)[:2] == ("full", "full-1") and found["decision"] == "approved"
    assert about(found)[2] == "the judge did not answer within 1 seconds"


def test_the_budget_holds_for_both_judges_together(both: Judges) -> None:
    both.settings(more="  max_cost_usd: 0.201\n")
    found = both.ask({"answer": {"confidence": 0.9}})
    (verdict,) = found["approvals"]
    assert found["failed"] and verdict["findings"][0]["check"] == "budget"
    assert found["cost_usd"] == pytest.approx(0.202)


def test_a_light_judge_that_does_not_say_its_cost_may_decide(both: Judges) -> None:
    both.settings()
    silent = {"beside": {"cost_usd": None}}
    found = both.ask(silent)
    assert about(found) == ("light", "light-1", "", None, None) and found["cost_usd"] is None
    unsure = {**silent, "answer": {"confidence": 0.5}}
    assert both.ask(unsure, "--no-cache")["decision"] == "approved"


def test_an_unknown_cost_counts_as_all_that_was_allowed(both: Judges) -> None:
    both.settings(more="  max_cost_usd: 0.22\n")
    found = both.ask({"beside": {"cost_usd": None}, "answer": {"confidence": 0.5}})
    (verdict,) = found["approvals"]
    assert found["failed"] and verdict["findings"][0]["check"] == "budget"


def test_who_names_a_judge_for_a_call_gets_that_one(both: Judges) -> None:
    both.settings()
    assert about(both.ask({}, "--model", "full-2"))[:3] == ("full", "full-1", "")
    assert about(both.ask({}, "--agent", "second"))[:3] == ("full", "full-1", "")
    assert both.asked == []


def test_an_answer_of_the_light_judge_is_reused_only_where_it_would_be_asked(both: Judges) -> None:
    both.settings()
    assert about(both.ask({}))[0] == "light"
    again = both.ask({})
    context = again["approvals"][0]["agent_context"]
    assert (context["cached"], context["decided_by"], context["agent"]) == (True, "light", "light")
    assert both.asked == []
    other = both.ask({}, "--model", "full-2")["approvals"][0]["agent_context"]
    assert (other["cached"], other["decided_by"]) == (False, "full")


def test_a_file_that_needs_tools_is_for_the_full_judge(both: Judges, change: Repository) -> None:
    both.settings(more="approvals: {adr: {}, docs: {paths: [notes.txt]}}\n")
    change.stage("notes.txt", "x" * 300_001)
    change.commit()
    found = both.ask({}, "--type", "docs")
    assert both.asked == [] and found["failed"], "a program is never sent so much either"
    assert about(found)[2] == "the files are too large for one message"


def test_records_say_who_decided(both: Judges, change: Repository) -> None:
    both.settings()
    both.ask({})
    records = (change.root / ".git/helix-hooks/runs.jsonl").read_text(encoding="utf-8")
    assert json.loads(records.splitlines()[-1])["decided_by"] == "light"
