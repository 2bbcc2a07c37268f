"""Every rule has a page with an example that fails because of it and one that passes; page, rules and files agree."""

import json
import re
from pathlib import Path

import pytest

from helix_hooks.check import files
from helix_hooks.config.settings import load
from helix_hooks.paths import RULES_FILE
from helix_hooks.paths import SETTINGS as SETTINGS_FILE
from helix_hooks.report.rule_pages import Page, pages
from tests.conftest import ROOT, Repository, Run
from tests.stories.check.samples import expect

SETTINGS = load(lambda path: None, files.packaged)
PAGES = pages(SETTINGS.ruleset)
IDS = [page.id for page in PAGES]
EXAMPLES = ROOT / "helix_hooks" / "examples"

HOSTILE_RULE = r"""contextual_rules:
  - id: my-rule
    name: "a \e]8;;http://evil.example\alink \x9b31m \u202e"
    severity: error
    when: {status: accepted}
    require:
      sections: [{name: Risks, min_length: 5}]
    message: "the risks are missing"
    help: "::error file=x::a \e]8;;http://evil.example\alink ##[error]x \u202e"
"""


PLACES = {
    "md": "0007-kafka.md",
    "concept.md": "0007-kafka.concept.md",
    "other.md": "0008-other.md",
    "twin.md": "0007-other.md",
    "code.txt": "../../src/orders.py",
}
OF_ENFORCE = ("decision-violated", "enforcement-unproven")
"""The rules of `enforce`, not of `check`."""


def examine(rule: str, name: str, repository: Repository, run: Run) -> str:
    """Return the report on an example in a repository: staged as a new ADR, or compared with the version before it."""
    folder = EXAMPLES / rule
    before, settings = (folder / f"{name}.{suffix}" for suffix in ("before.md", "settings.yaml"))
    for suffix, place in (("template", "template.md"), ("sibling", "0006-kafka.md")):
        if (folder / f"{name}.{suffix}.md").exists():
            repository.stage(f"docs/adr/{place}", (folder / f"{name}.{suffix}.md").read_bytes())
    if settings.exists():
        repository.stage(SETTINGS_FILE, settings.read_bytes())
    repository.stage(
        "docs/adr/0007-kafka.md" if before.exists() else "README.md",
        before.read_bytes() if before.exists() else "x",
    )
    repository.commit()
    repository.git("checkout", "--quiet", "-b", "change")
    for suffix, place in PLACES.items():
        if (folder / f"{name}.{suffix}").exists():
            repository.stage(f"docs/adr/{place}", (folder / f"{name}.{suffix}").read_bytes())
    baseline = folder / f"{name}.baseline.json"
    arguments = ["--staged"]
    if before.exists() or baseline.exists():
        repository.commit()
        arguments = ["--baseline", str(baseline)] if baseline.exists() else ["--since", "main"]
    if rule in OF_ENFORCE:
        return run("enforce", "--since", "main").out
    return run("check", "docs/adr/0007-kafka.md", *arguments).out


@pytest.mark.sampled
@pytest.mark.parametrize("rule", [rule for rule in IDS if rule != "concept-unreadable"])
def test_the_failing_example_fails_because_of_the_rule(
    rule: str, repository: Repository, run: Run
) -> None:
    assert f"[{rule}]" in examine(rule, "fails", repository, run)


def test_a_named_concept_that_is_not_there_fails(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("fails.md").write_bytes((EXAMPLES / "concept-unreadable" / "fails.md").read_bytes())
    assert "[concept-unreadable]" in run("check", "fails.md").out


@pytest.mark.sampled
@pytest.mark.parametrize("rule", IDS)
def test_the_passing_example_has_no_findings(rule: str, repository: Repository, run: Run) -> None:
    checked = "1 rule of accepted ADRs ran" if rule in OF_ENFORCE else "1 ADR checked"
    assert examine(rule, "passes", repository, run).startswith(f"{checked}: no findings")


def test_rules_and_examples_are_the_same_set() -> None:
    assert sorted(IDS) == sorted(path.name for path in EXAMPLES.iterdir())


def test_the_page_of_the_documentation_is_the_generated_one(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    generated = run("rules", "--format", "markdown").out
    assert (ROOT / "docs" / "rules.md").read_text(encoding="utf-8") == generated, "run `make docs`"


@pytest.mark.sampled
@pytest.mark.parametrize("rule", IDS)
def test_explain(rule: str, run: Run) -> None:
    shown = run("explain", rule)
    assert shown.code == 0
    assert shown.out.startswith(f"{rule}: ")
    both = "Fails:" in shown.out and "Passes:" in shown.out
    assert both or "Lines with `-` fail. Lines with `+` pass." in shown.out
    address = f"https://github.com/helix-hooks/helix-hooks/blob/main/docs/rules.md#{rule}"
    assert shown.out.endswith(f"\n\nSee {address}\n")
    assert run("explain", address).out == run("explain", f"[{rule}]").out == shown.out
    page = json.loads(run("explain", rule, "--format", "json").out)
    assert (page["id"], page["url"], page["version"]) == (rule, address, 1)
    assert page["fails"]["text"] and page["passes"]["text"]


def test_explain_shows_the_difference_of_the_examples(run: Run) -> None:
    shown = run("explain", "placeholder").out
    assert "    - {Say what is done from now on, and why.}\n" in shown
    assert "    + The services exchange events through Kafka.\n" in shown
    assert "Three services poll" not in shown, "what is the same is left out"


def test_explain_suggests_the_nearest(run: Run) -> None:
    suggestion = "did you mean section-missing? `helix-hooks rules` lists them"
    message = f"helix-hooks: there is no rule 'section-mising'; {suggestion}\n"
    expect(run("explain", "section-mising"), 2, err=message)
    expect(run("explain", "section-to-short"), 2, err="did you mean section-too-short")


def test_a_rule_of_a_repository_sends_nothing_to_a_terminal_or_a_runner(
    repository: Repository, run: Run
) -> None:
    repository.stage(RULES_FILE, HOSTILE_RULE)
    listed = run("rules").out
    page = run("rules", "--format", "markdown").out
    explained = run("explain", "my-rule").out
    for text in (listed, page, explained):
        assert "my-rule" in text
        assert not set("\x1b\x07\x9b\u202e") & set(text) and r"\x1b]8;;" in text
    assert not re.search(r"(?m)^\s*::|##\[", explained), explained


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.id)
def test_the_text_of_a_rule_is_short(page: Page) -> None:
    assert len(page.text.split()) <= 120
