"""`review_by:` and `revisit_when:` make an entry of the queue when they come due; `stats` counts them."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from tests.conftest import Repository, Run
from tests.stories.enforce.samples import CONTRACT, PATH, PATTERN, adr, main_has

TODAY = datetime.now(UTC).date()
YESTERDAY, TOMORROW = (TODAY + timedelta(days) for days in (-1, 1))


def with_header(lines: str, entries: str = PATTERN) -> str:
    return adr(entries).replace("date: 2026-01-10\n", f"date: 2026-01-10\n{lines}")


def accept(repository: Repository, lines: str) -> None:
    main_has(repository, {PATH: with_header(lines), "src/old/a.py": "", "src/new/a.py": ""})


DUE = {
    "a day": (f"review_by: {YESTERDAY}\n", f"it was to be reviewed by {YESTERDAY}"),
    "today": (f"review_by: {TODAY}\n", f"it was to be reviewed by {TODAY}"),
    "a file that exists": (
        "revisit_when: exists src/new/**\n",
        "its condition is met: exists src/new/**",
    ),
    "files that are gone": (
        "revisit_when: [a second team, missing src/gone/**]\n",
        "its condition is met: missing src/gone/**",
    ),
    "a condition that can't be read": (
        'revisit_when: ["exists {a"]\n',
        "its condition 'exists {a' can't be read: unbalanced brace in '{a'",
    ),
    "a day that can't be read": ("review_by: spring\n", "its review date 'spring' can't be read"),
}
NOT_DUE = {
    "nothing": "",
    "a later day": f"review_by: {TOMORROW}\n",
    "a file that does not exist": "revisit_when: exists src/gone/**\n",
    "files that are there": "revisit_when: missing src/old/**\n",
    "a condition for people": "revisit_when: the second team starts\n",
}


@pytest.mark.parametrize(("lines", "reason"), DUE.values(), ids=DUE)
def test_a_review_that_is_due_is_an_entry(
    lines: str, reason: str, repository: Repository, run: Run
) -> None:
    accept(repository, lines)
    listed = run("queue", "list", "--source", "review")
    assert listed.code == 0
    assert f"review:{PATH}" in listed.out
    assert "Review ADR-007: Use httpx for HTTP calls" in listed.out
    assert "queue approve" not in listed.out, "nobody approves it"
    shown = run("queue", "show", f"review:{PATH}")
    assert shown.code == 0
    assert reason in shown.out
    assert f'helix-hooks new "TITLE" --supersedes {PATH}' in shown.out
    assert "1 overdue for a review" in run("stats").out


@pytest.mark.parametrize("lines", NOT_DUE.values(), ids=NOT_DUE)
def test_a_review_that_is_not_due_is_none(lines: str, repository: Repository, run: Run) -> None:
    accept(repository, lines)
    assert "review:" not in run("queue", "list").out
    assert "0 overdue for a review" in run("stats").out


def test_only_the_main_branch_counts(repository: Repository, run: Run) -> None:
    accept(repository, f"review_by: {YESTERDAY}\n")
    repository.stage(PATH, with_header(f"review_by: {TOMORROW}\n"))
    repository.commit()
    assert "review:" in run("queue", "list").out
    repository.git("checkout", "--quiet", "main")
    repository.git("merge", "--quiet", "work")
    assert "review:" not in run("queue", "list").out


def test_a_condition_for_people_is_shown_with_the_review(repository: Repository, run: Run) -> None:
    accept(repository, f"review_by: {YESTERDAY}\nrevisit_when: the second team starts\n")
    assert "revisit when: the second team starts" in run("queue", "show", f"review:{PATH}").out


def test_a_later_day_is_no_change_of_the_decision(repository: Repository, run: Run) -> None:
    accept(repository, f"review_by: {YESTERDAY}\n")
    repository.stage(PATH, with_header(f"review_by: {TOMORROW}\n"))
    assert run("check", "--since", "main").out.startswith("1 ADR checked: no findings")


def test_a_day_that_can_not_be_read_is_an_error(repository: Repository, run: Run) -> None:
    repository.stage(PATH, with_header("review_by: spring\n"))
    done = run("check", "--staged")
    assert done.code == 1
    assert "the review date 'spring' cannot be read [date-impossible]" in done.out


ENFORCED = {
    "a proven rule": (PATTERN + CONTRACT, "1 of 2 accepted decisions is enforced", (1, 0, 0, 0)),
    "an unproven rule": (
        PATTERN + CONTRACT.replace("import shop.db", "import shop.money"),
        "0 of 2 accepted decisions are enforced, 0 overdue for a review, 1 with an unproven rule",
        (0, 1, 0, 0),
    ),
    "an entry that can't be read": (
        PATTERN + "  - by: nowhere\n",
        "1 with an unproven rule",
        (0, 1, 0, 0),
    ),
    "a named check": (
        "  - by: tests/test_a.py::test_b\n",
        "0 of 2 accepted decisions are enforced, 0 overdue for a review, 1 with a named check only",
        (0, 0, 1, 0),
    ),
    "a reason": ("  - none: people\n", "1 with a reason for none", (0, 0, 0, 1)),
}


@pytest.mark.parametrize(("entries", "text", "figures"), ENFORCED.values(), ids=ENFORCED)
def test_stats_counts_proven_rules_only(
    entries: str, text: str, figures: tuple[int, ...], repository: Repository, run: Run
) -> None:
    silent = adr("").replace("enforcement:\n", "").replace("httpx", "curl")
    main_has(repository, {PATH: adr(entries), "docs/adr/0008-curl.md": silent})
    assert text in run("stats").out
    decisions = json.loads(run("stats", "--format", "json").out)["enforcement"]
    keys = ("enforced", "unproven", "named", "explained")
    assert tuple(decisions[key] for key in keys) == figures
    assert (decisions["accepted"], decisions["overdue"]) == (2, 0)


def test_a_person_is_no_review_date(repository: Repository, run: Run) -> None:
    text = (
        with_header("", PATTERN)
        .partition("---\n\n")[2]
        .replace("## Context", "Status: Accepted\nReview by: Ann\n\n## Context")
    )
    repository.stage(PATH, text)
    assert run("check", "--staged").out.startswith("1 ADR checked: no findings")
    repository.commit()
    assert "review:" not in run("queue", "list").out


def test_stats_names_what_can_not_be_read(repository: Repository, run: Run) -> None:
    main_has(repository, {PATH: adr(PATTERN.replace("requests.get(url)", "f({ a: b })"))})
    assert "0 of no accepted decisions are enforced, 0 overdue for a review, 1 can't be read" in (
        run("stats").out
    )
