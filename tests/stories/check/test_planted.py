"""What is planted in one change takes no effect in a later one.

A story is a row of changes to one repository; each is checked against the commit before it, as it would be before a merge. An attack
has a change that is red; what people do all the time has none.

Attack by an author who hides an error: a decided ADR deleted, with a link to another ADR under its number.
Answer: reported as deleted; `gate-relaxed`.
Shown by: `tests/stories/check/test_planted.py`.

Attack by an author who hides an error: a concept that becomes a link to the ADR itself; a second name for an ADR, so that both share `concept.md`.
Answer: an error; the two names are still one ADR.
Shown by: `tests/stories/check/test_planted.py`.

Attack by an author who hides an error: other sections of the concept marked as critical instead of the former ones.
Answer: `gate-relaxed`.
Shown by: `tests/stories/check/test_planted.py`.
"""

import os

import pytest

from tests.conftest import Repository, Run

Text = str | None
Step = dict[str, Text]
"""Files that a change writes; None deletes one, and a text that begins with -> makes a link."""

ADR = "docs/adr/0007-kafka.md"
BESIDE = "docs/adr/0007-kafka.concept.md"
SETTINGS = ".helix-hooks.yaml"
PLAN = "First the producers move, within two days; then the queries, within three."
CONCEPT = "# Kafka\n\n## Context\n\nThree services.\n\n## Migration\n\nTwo days for the producers, then three for the queries, one after the other.\n"
TRIMMED = "# Kafka\n\n## Context\n\nThree services.\n"
HIDES = "<!-- helix-disable section-missing - decided in the meeting -->"
DROPS = "<!-- helix-dropped: Migration - nothing to migrate -->"
OPTIONS = "## Considered Options\n\nA broker, or a queue."
FENCED = f"```\n{HIDES}\n```"
SECTIONS = {
    "Context": "Three services query one table, and the database is at its limit.",
    "Decision": "The services exchange events through a broker and query no more.",
    "Consequences": "Somebody has to run the broker and pay for it, and to be on call for it.",
}
HELIX = {
    **SECTIONS,
    "Implementation": "Each service gets a producer; the broker is a managed service, paid by the month.",
    "Documentation": "The runbook gets a chapter on how the broker is run, and by whom.",
    "Acceptance Criteria": "- [ ] No query is left\n- [ ] The migration ran in a rehearsal\n- [ ] The runbook names the owner",
}
MIGRATION = {
    "Migration": "Phase 1 takes two days: producers in all services. Phase 2 takes three days: the queries are switched off, step by step. "
    "The rollback takes an hour."
}


def adr(
    *leave: str,
    status: str = "Proposed",
    number: int = 7,
    add: str = "",
    concept: str = "",
    **sections: str,
) -> str:
    """An ADR of the template nygard, without some sections and with others."""
    top = f"---\nconcept: {concept}\n---\n\n" if concept else ""
    written = {"Status": status, **SECTIONS, **sections}
    return (
        f"{top}# {number}. Use Kafka\n"
        + "".join(f"\n## {name}\n\n{text}\n" for name, text in written.items() if name not in leave)
        + f"\n{add}\n"
    )


def helix(scope: str, *leave: str, status: str = "Proposed") -> str:
    """An ADR of the template helix."""
    written = {**HELIX, **MIGRATION}
    body = "".join(
        f"\n## {name}\n\n{text}\n" for name, text in written.items() if name not in leave
    )
    return f'---\nadr_id: "007"\ntitle: Use Kafka\nstatus: {status}\nchange_scope: {scope}\n---\n\n# ADR-007: Use Kafka\n{body}'


CARRIES = adr(Migration=PLAN)
MISSPELT = adr(status="Accepted", Context=SECTIONS["Context"].replace("database", "databse"))
UNNUMBERED = helix("major").replace('"007"', "kafka").replace("ADR-007: ", "")

GUIDE = {
    "Migration": "The old clients read the old queue until May; before that the new ones are told how. After May the old queue is gone. See step 1 and 2."
}
GUIDED = helix("minor").replace(MIGRATION["Migration"], GUIDE["Migration"])
BREAKING = GUIDED.replace("Three services query", "This is a breaking change: three services query")

LONG = (
    "The team looked at load, cost and people in a meeting, and wrote down what it found there and why. "
    * 12
)

ATTACKS: dict[str, list[Step]] = {
    "a comment, then the section is dropped": [{ADR: adr()}, {ADR: adr(add=HIDES)}, {ADR: adr("Decision", add=HIDES)}],
    "a comment in a fence, then without": [{ADR: adr()}, {ADR: adr(add=FENCED)}, {ADR: adr("Decision", add=HIDES)}],
    "a comment without a reason, then with one": [
        {ADR: adr()}, {ADR: adr(add="<!-- helix-disable section-missing -->")}, {ADR: adr("Decision", add=HIDES)},
    ],
    "a comment in a draft, then accepted": [
        {ADR: adr("Decision", status="Draft")}, {ADR: adr("Decision", status="Draft", add=HIDES)},
        {ADR: adr("Decision", status="Accepted", add=HIDES)},
    ],
    "a comment where no ADR is, then moved": [
        {ADR: adr(), "notes/0008-x.md": adr("Decision", number=8, add=HIDES)},
        {"notes/0008-x.md": None, "docs/adr/0008-x.md": adr("Decision", number=8, add=HIDES)},
    ],
    "a comment in a template, then numbered": [
        {"docs/adr/template.md": adr("Decision", add=HIDES)}, {"docs/adr/template.md": None, ADR: adr("Decision", add=HIDES)},
    ],
    "an accepted comment, copied to another ADR": [
        {ADR: adr("Decision", add=HIDES)}, {"docs/adr/0008-x.md": adr("Decision", number=8, add=HIDES)},
    ],
    "two new files for one that was deleted": [
        {ADR: adr("Decision", add=HIDES)},
        {ADR: None, "docs/adr/0007-a.md": adr("Decision", add=HIDES, Consequences="One broker."), "docs/adr/0007-a-b.md": adr("Decision", add=HIDES, Consequences="Two brokers.")},
    ],
    "a drop, then the section is dropped": [
        {ADR: CARRIES, BESIDE: CONCEPT}, {ADR: adr(Migration=PLAN, add=DROPS)}, {ADR: adr(add=DROPS)},
    ],
    "a drop that drops nothing, a concept trimmed, then used": [
        {ADR: adr(Migration=PLAN, add=DROPS), BESIDE: CONCEPT}, {BESIDE: TRIMMED}, {ADR: adr(add=DROPS)},
    ],
    "a drop before there is a concept": [{ADR: adr()}, {ADR: adr(add=DROPS)}, {BESIDE: CONCEPT}],
    "a count for a file to come": [
        {SETTINGS: "baseline: b.json\n", "b.json": '{"version": 1, "findings": {}}\n', ADR: adr()},
        {"b.json": '{"version": 1, "findings": {"docs/adr/0008-x.md": {"section-missing": 1}}}\n'},
        {"docs/adr/0008-x.md": adr("Decision", number=8)},
    ],
    "a count of a file that was deleted": [
        {SETTINGS: "baseline: b.json\n", "b.json": '{"version": 1, "findings": {"docs/adr/0007-kafka.md": {"section-missing": 1}}}\n', ADR: adr("Decision")},
        {ADR: None}, {ADR: adr("Decision", Notes="Written anew.")},
    ],
    "a concept trimmed, then used": [{ADR: CARRIES, BESIDE: CONCEPT}, {BESIDE: TRIMMED}, {ADR: adr()}],
    "a concept deleted, then used": [{ADR: CARRIES, BESIDE: CONCEPT}, {BESIDE: None}, {ADR: adr()}],
    "a concept that becomes a link, whose target is trimmed": [
        {ADR: CARRIES, BESIDE: CONCEPT}, {BESIDE: "->../plan.md", "docs/plan.md": CONCEPT}, {"docs/plan.md": TRIMMED}, {ADR: adr()},
    ],
    "a concept that becomes a link to nothing": [{ADR: CARRIES, BESIDE: CONCEPT}, {BESIDE: "->../nothing.md"}, {ADR: adr()}],
    "a concept that becomes a link to another text": [
        {ADR: CARRIES, BESIDE: CONCEPT, "docs/other.md": TRIMMED}, {BESIDE: "->../other.md"}, {ADR: adr()},
    ],
    "a concept of an accepted ADR, then a short section": [
        {ADR: adr(status="Accepted", Context=LONG, Migration="Producers first, then queries."), BESIDE: CONCEPT}, {BESIDE: None},
        {ADR: adr(status="Accepted", Context=LONG)},
    ],
    "a concept named elsewhere, then trimmed there": [
        {ADR: adr(Migration=PLAN, concept="docs/plan.md"), "docs/plan.md": CONCEPT},
        {ADR: adr(Migration=PLAN, concept="docs/b.md"), "docs/b.md": CONCEPT}, {"docs/b.md": TRIMMED}, {ADR: adr(concept="docs/b.md")},
    ],
    "a concept that is called like an ADR, then trimmed": [
        {ADR: adr(Migration=PLAN, concept="docs/adr/plan.md"), "docs/adr/plan.md": adr(Migration=PLAN)}, {"docs/adr/plan.md": adr()},
        {ADR: adr(concept="docs/adr/plan.md")},
    ],
    "a concept that nobody can read, then used": [
        {ADR: CARRIES, BESIDE: CONCEPT}, {BESIDE: f"---\nkey: value\n{CONCEPT}"}, {ADR: adr()},
    ],
    "a concept shared with a second ADR, then used": [
        {"docs/adr/a/0007-kafka.md": CARRIES, "docs/adr/a/concept.md": CONCEPT}, {"docs/adr/a/0008-b.md": adr(number=8)},
        {"docs/adr/a/0007-kafka.md": adr()},
    ],
    "a scope lowered, then the plan is dropped": [{ADR: helix("major")}, {ADR: helix("minor")}, {ADR: helix("minor", "Migration")}],
    "a scope lowered in a rejected ADR, proposed again": [
        {ADR: helix("major")}, {ADR: helix("minor", status="Rejected")}, {ADR: helix("minor")}, {ADR: helix("minor", "Migration")},
    ],
    "a scope lowered as it is accepted, then the plan is dropped": [
        {ADR: helix("major")}, {ADR: helix("minor", status="Accepted")}, {ADR: helix("minor", "Migration", status="Accepted")},
    ],
    "no more breaking, then the guide is dropped": [{ADR: BREAKING}, {ADR: GUIDED}, {ADR: helix("minor", "Migration")}],
    "another template, then less than it asked for": [
        {ADR: adr()}, {ADR: adr(add=OPTIONS)},
        {ADR: adr("Consequences", add=OPTIONS)},
    ],
    "a low number, then the section is dropped": [
        {SETTINGS: "strict_from: 9\n", "docs/adr/0050-kafka.md": adr(number=50)}, {"docs/adr/0050-kafka.md": None, ADR: adr()}, {ADR: adr("Decision")},
    ],
    "a new ADR with a low number, then less of it": [{SETTINGS: "strict_from: 9\n"}, {ADR: adr()}, {ADR: adr("Decision")}],
    "a decided ADR deleted, and a link to another one under its number": [
        {ADR: adr(status="Accepted"), "docs/adr/0008-x.md": adr(number=8)}, {ADR: None, "docs/adr/0007-old.md": "->0008-x.md"},
    ],
    "other sections of the concept are critical, then one is dropped": [
        {ADR: CARRIES, BESIDE: CONCEPT}, {SETTINGS: "concept:\n  errors: [Costs]\n"}, {ADR: adr()},
    ],
    "another name for an ADR, then its concept is used": [
        {"docs/adr/a/0007-kafka.md": CARRIES, "docs/adr/a/concept.md": CONCEPT, "docs/adr/a/latest.md": "->0007-kafka.md"},
        {"docs/adr/a/0007-kafka.md": adr()},
    ],
    "a baseline that nobody could read, then one that counts": [
        {SETTINGS: "baseline: b.json\n", "b.json": "{", ADR: adr()},
        {"b.json": '{"version": 1, "findings": {"docs/adr/0007-kafka.md": {"section-missing": 1}}}\n'},
    ],
    "a concept that becomes a link to the ADR itself": [{ADR: CARRIES, BESIDE: CONCEPT}, {BESIDE: "->0007-kafka.md"}],
    "a draft, less of it, then accepted": [
        {ADR: adr()}, {ADR: adr(status="Draft")}, {ADR: adr("Decision", status="Draft")}, {ADR: adr("Decision", status="Accepted")},
    ],
}  # fmt: skip

HONEST: dict[str, list[Step]] = {
    "a draft is written, completed, accepted": [
        {"README.md": "ADRs\n"}, {ADR: adr("Decision", "Consequences", status="Draft").replace("Draft", "Proposed") + "\n## Decision\n\nTo Kafka.\n"
                                  "\n## Consequences\n\nSomebody pays.\n"},
        {ADR: adr()}, {ADR: adr(status="Accepted")},
    ],
    "an ADR with a comment that people agreed to is edited, renamed and accepted": [
        {ADR: adr("Decision", add=HIDES)}, {ADR: adr("Decision", add=HIDES, Context="Four services query one table.")},
        {ADR: None, "docs/adr/0007-events.md": adr("Decision", add=HIDES, Context="Four services query one table.")},
        {"docs/adr/0007-events.md": adr("Decision", add=HIDES, status="Accepted", Context="Four services query one table.")},
    ],
    "what a comment hid is written, and the comment goes later": [{ADR: adr("Decision", add=HIDES)}, {ADR: adr(add=HIDES)}, {ADR: adr()}],
    "an ADR and its concept grow together": [
        {ADR: adr(), BESIDE: TRIMMED}, {ADR: CARRIES, BESIDE: CONCEPT}, {ADR: adr(Migration=PLAN, status="Accepted"), BESIDE: CONCEPT}, {BESIDE: None},
    ],
    "a concept and its ADR move": [
        {ADR: CARRIES, BESIDE: CONCEPT},
        {ADR: None, BESIDE: None, "docs/adr/a/0007-kafka.md": CARRIES, "docs/adr/a/0007-kafka.concept.md": CONCEPT},
        {"docs/adr/a/0007-kafka.md": adr(Migration=f"{PLAN} No more.")},
    ],
    "a baseline shrinks, to nothing": [
        {SETTINGS: "baseline: b.json\n", "b.json": '{"version": 1, "findings": {"docs/adr/0007-kafka.md": {"section-missing": 2}}}\n', ADR: adr("Decision", "Context")},
        {ADR: adr("Context"), "b.json": '{"version": 1, "findings": {"docs/adr/0007-kafka.md": {"section-missing": 1}}}\n'},
        {ADR: adr("Context", Consequences="Somebody pays for the broker.")},
        {ADR: adr(), "b.json": '{"version": 1, "findings": {}}\n'},
    ],
    "an old ADR is edited": [
        {SETTINGS: "strict_from: 9\n", ADR: adr("Decision")}, {ADR: adr("Decision", Context="Four services query one table.")}, {ADR: adr()},
    ],
    "more files are looked at": [
        {SETTINGS: 'paths: ["docs/adr/*.md"]\n', "notes/0008-x.md": adr("Decision", number=8)},
        {SETTINGS: 'paths: ["docs/adr/*.md", "notes/*.md"]\n'},
    ],
    "a typo is corrected where a link gives the ADR a second name": [
        {ADR: MISSPELT, "docs/adr/0008-x.md": adr(number=8), "docs/adr/latest.md": "->0007-kafka.md"}, {ADR: adr(status="Accepted")},
    ],
    "an ADR that has a second name and is counted in the baseline is superseded": [
        {SETTINGS: "baseline: b.json\n", "b.json": '{"version": 1, "findings": {"docs/adr/0007-kafka.md": {"section-missing": 1}}}\n',
         ADR: adr("Decision", status="Accepted"), "docs/adr/0006-now.md": "->0007-kafka.md"},
        {ADR: adr("Decision", status="Superseded by [ADR-0008](0008-x.md)"), "docs/adr/0006-now.md": "->0008-x.md",
         "docs/adr/0008-x.md": adr(number=8, status="Accepted\n\nSupersedes [ADR-0007](0007-kafka.md)")},
    ],
    "a decision on which one with a second name rests is deprecated": [
        {ADR: adr(status="Accepted"), "docs/adr/0008-x.md": adr("Decision", number=8, add="[ADR-0007](0007-kafka.md)"),
         SETTINGS: "baseline: b.json\n", "b.json": '{"version": 1, "findings": {"docs/adr/0008-x.md": {"section-missing": 1}}}\n'},
        {ADR: adr(status="Deprecated"), "docs/adr/0009-now.md": "->0008-x.md"},
    ],
    "a second name for an ADR that has a concept": [
        {"docs/adr/a/0007-kafka.md": CARRIES, "docs/adr/a/concept.md": CONCEPT}, {"docs/adr/a/latest.md": "->0007-kafka.md"},
    ],
    "a baseline that nobody could read is repaired": [
        {SETTINGS: "baseline: b.json\n", "b.json": "{", ADR: adr()}, {"b.json": '{"version": 1, "findings": {}}\n'},
    ],
    "a scope is raised": [{ADR: helix("minor")}, {ADR: helix("major")}, {ADR: helix("major", status="Accepted")}],
}  # fmt: skip


def _write(repository: Repository, step: Step) -> None:
    for path, text in step.items():
        place = repository.root / path
        place.unlink(missing_ok=True)
        if text is not None and text.startswith("->"):
            place.parent.mkdir(parents=True, exist_ok=True)
            os.symlink(text.removeprefix("->"), place)
        elif text is not None:
            repository.write(path, text)
    repository.git("add", "--all")
    repository.commit()


def _verdicts(repository: Repository, run: Run, story: list[Step]) -> list[tuple[int, str]]:
    """The exit code and the report of each change but the first, which is how the repository was."""
    found = []
    _write(repository, story[0])
    for step in story[1:]:
        _write(repository, step)
        result = run("check", "--since", "HEAD~1")
        found.append((result.code, result.out + result.err))
    return found


@pytest.mark.parametrize("name", ATTACKS)
@pytest.mark.sampled
def test_what_is_planted_is_found(name: str, repository: Repository, run: Run) -> None:
    verdicts = _verdicts(repository, run, ATTACKS[name])
    assert {1, 4} & {code for code, _ in verdicts}, verdicts
    assert {code for code, _ in verdicts} <= {0, 1, 4}, verdicts


@pytest.mark.parametrize("name", HONEST)
@pytest.mark.sampled
def test_what_people_do_is_no_plant(name: str, repository: Repository, run: Run) -> None:
    verdicts = _verdicts(repository, run, HONEST[name])
    assert {code for code, _ in verdicts} <= {0, 4}, verdicts
    assert not any("[gate-relaxed]" in text for _, text in verdicts), verdicts


def test_a_base_that_is_merged_into_the_branch_is_no_plant(
    repository: Repository, run: Run
) -> None:
    _write(repository, {ADR: adr()})
    repository.git("checkout", "--quiet", "-b", "change")
    _write(repository, {ADR: adr(Context="Four services query one table.")})
    repository.git("checkout", "--quiet", "main")
    _write(
        repository,
        {
            "docs/adr/0008-x.md": adr("Decision", number=8, add=HIDES),
            "docs/adr/0009-y.md": helix("minor").replace("007", "009"),
        },
    )
    repository.git("checkout", "--quiet", "change")
    repository.git("merge", "--quiet", "--no-edit", "main")
    result = run("check", "--since", "main")
    assert (result.code, result.out) == (0, "1 ADR checked: no findings\n")
