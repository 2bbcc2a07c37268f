"""The addresses of rules: each leads to a heading of the page of rules; a rule of a repository's own has none."""

import json

from helix_hooks.adr.rules.registry import built_in
from helix_hooks.check import files
from helix_hooks.config.settings import load
from helix_hooks.finding import Finding
from helix_hooks.report.identity import JUDGES, PACKAGED, address, address_of
from tests.conftest import ROOT, Repository, Run

RULES = """rules:
  - id: our-owner
    when: {status: Accepted}
    require: {sections: [{name: Owner}]}
    severity: warning
    message: "nobody owns this"
"""


def test_the_packaged_rules_are_those_of_the_rules_file() -> None:
    ruleset = load(lambda _: None, files.packaged).ruleset
    assert {rule.id for rule in ruleset.contextual} == PACKAGED


def test_each_address_is_a_heading_of_the_page() -> None:
    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    for rule in (*PACKAGED, *(rule.id for rule in built_in())):
        url = address_of(rule)
        assert url and url.endswith(f"/docs/rules.md#{rule}") and f"\n### {rule}\n" in page


def test_a_judge_has_its_page_and_an_unknown_rule_none() -> None:
    judged = Finding("error", "security", "agent", "x", "a.md")
    assert address(judged) == JUDGES
    assert address(judged._replace(layer="rules")) is None


def test_json_and_sarif_have_the_words_and_the_address(repository: Repository, run: Run) -> None:
    repository.stage("docs/adr/0001-x.md", "---\nstatus: Acepted\n---\n# 1. X\n\n## Context\n")
    report = json.loads(run("check", "--format", "json").out)
    (found,) = [
        item for item in report["files"][0]["findings"] if item["check"] == "header-invalid"
    ]
    assert (found["line"], found["column"], found["end_column"]) == (2, 9, 16)
    assert found["url"].endswith("/docs/rules.md#header-invalid")
    log = json.loads(run("check", "--format", "sarif").out)["runs"][0]
    regions = [item["locations"][0]["physicalLocation"]["region"] for item in log["results"]]
    assert {"startLine": 2, "startColumn": 9, "endLine": 2, "endColumn": 16} in regions
    assert "col=9" in run("check", "--format", "github").out
    assert "endColumn=16" in run("check", "--format", "github").out
