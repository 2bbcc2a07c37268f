"""Every rule has a page with an example that fails because of it and one that passes; page, rules and files agree."""

from pathlib import Path

import pytest

from helix_hooks import files
from helix_hooks.adr.check import CheckReport, Source, check
from helix_hooks.adr.document import parse
from helix_hooks.adr.rules import BLOCKING, RULES
from helix_hooks.explain import pages
from helix_hooks.report.rules import markdown
from helix_hooks.settings import load

from .conftest import ROOT, Run

SETTINGS = load(lambda path: None, files.packaged)
IDS = [page.id for page in pages(SETTINGS.ruleset)]
EXAMPLES = ROOT / "helix_hooks" / "examples"


def examine(rule: str, name: str) -> CheckReport:
    folder = EXAMPLES / rule
    concept = folder / f"{name}.concept.md"
    doc = parse((folder / f"{name}.md").read_bytes(), f"{name}.md")
    return check([Source(doc, parse(concept.read_bytes(), concept.name) if concept.exists() else None)], SETTINGS.ruleset)


@pytest.mark.parametrize("rule", [rule for rule in IDS if rule != "concept-unreadable"])
def test_the_failing_example_fails_because_of_the_rule(rule: str) -> None:
    assert rule in {finding.check for file in examine(rule, "fails").files for finding in file.findings}


def test_a_named_concept_that_is_not_there_fails(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("fails.md").write_bytes((EXAMPLES / "concept-unreadable" / "fails.md").read_bytes())
    assert "[concept-unreadable]" in run("check", "fails.md").out


@pytest.mark.parametrize("rule", IDS)
def test_the_passing_example_has_no_findings(rule: str) -> None:
    assert [file.findings for file in examine(rule, "passes").files] == [()]


def test_rules_and_examples_are_the_same_set() -> None:
    assert sorted(IDS) == sorted(path.name for path in EXAMPLES.iterdir())


def test_a_built_in_rule_lives_in_the_module_of_its_name() -> None:
    modules = {path.stem for path in (ROOT / "helix_hooks" / "adr" / "rules").glob("*.py")} - {"__init__"}
    assert {rule.id.replace("-", "_") for rule in (*BLOCKING, *RULES)} == modules


def test_every_page_says_what_and_why() -> None:
    for page in pages(SETTINGS.ruleset):
        assert page.title and len(page.text) > 100, page.id


def test_the_page_of_the_documentation_is_the_generated_one(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    generated = run("rules", "--format", "markdown").out
    assert (ROOT / "docs" / "rules.md").read_text(encoding="utf-8") == generated, "run `make docs`"


def test_the_page_stands_without_examples_too() -> None:
    assert "### section-missing" in markdown(pages(SETTINGS.ruleset))


@pytest.mark.parametrize("rule", IDS)
def test_explain(rule: str, run: Run) -> None:
    shown = run("explain", rule)
    assert shown.code == 0
    assert shown.out.startswith(f"{rule}: ") and "Fails:" in shown.out and "Passes:" in shown.out


def test_explain_suggests_the_nearest(run: Run) -> None:
    result = run("explain", "section-mising")
    assert (result.code, result.err) == (
        2,
        "helix-hooks: there is no rule 'section-mising'; did you mean section-missing? `helix-hooks rules` lists them\n",
    )
