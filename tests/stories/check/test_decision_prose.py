"""A new, changed or newly accepted ADR whose decision has no prose is an error, wherever the decision stands."""

import pytest

from tests.conftest import Repository, Run

NOTHING = {
    "a rule": "---",
    "a picture": "![Kafka](kafka.png)",
    "the head of a table": "| Topic | Choice |\n|---|---|",
    "an empty table": "| | |\n|---|---|\n| | |",
    "struck-out text": "~~We use Kafka for all events.~~",
    "not available": "n/a",
    "an instruction": "Write the decision here.",
    "a link": "[Kafka](https://kafka.apache.org)",
    "an address": "https://kafka.apache.org",
    "code": "```\nuse kafka\n```",
    "inline code": "`kafka`",
    "a quote": "> We use Kafka.",
    "a sign": "🎉",
    "dots": "...",
    "a comment": "<!-- We use Kafka. -->",
    "to be done": "TBD",
    "an empty item": "- ",
    "an empty box": "- [ ] ",
    "empty HTML": "<br>",
}
PROSE = ("We use Kafka.", "Kafka", "#### Kafka",
    "- Use Kafka\n- Keep HTTP", "Use [Kafka](https://k.org)",
         "| Topic | Choice |\n|---|---|\n| broker | Kafka |", "我们使用Kafka。")  # fmt: skip
PLACES = {
    "a section": "## Status\n\n{status}\n\n## Context\n\n{context}\n\n## Decision\n\n{decision}\n\n## Consequences\n\n{rest}\n",
    "the outcome": "## Status\n\n{status}\n\n## Context and Problem Statement\n\n{context}\n\n## Considered Options\n\n* Kafka\n* HTTP\n\n"
    "## Decision Outcome\n\n{decision}\n\n### Consequences\n\n{rest}\n",
}
PATH = "docs/adr/0001-use-kafka.md"
FULL = "We use Kafka between the services."


def text(place: str, decision: str, status: str = "Accepted") -> str:
    filled = PLACES[place].format(
        status=status,
        decision=decision,
        context="Orders are lost when a service is down, twice in a month.",
        rest="" if place == "the outcome" else "Somebody runs the broker and pays for it.",
    )
    return f"# 1. Use Kafka\n\n{filled}"


@pytest.mark.parametrize("decision", NOTHING.values(), ids=NOTHING)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("change", ["new", "changed", "accepted"])
def test_nothing_is_decided(
    change: str, place: str, decision: str, repository: Repository, run: Run
) -> None:
    if change != "new":
        before = FULL if change == "changed" else decision
        repository.stage(PATH, text(place, before, "Proposed"))
    repository.commit()
    status = "Proposed" if change == "changed" else "Accepted"
    repository.stage(PATH, text(place, decision, status))
    staged = run("check", "--staged")
    repository.commit()
    since = run("check", "--since", "HEAD~1")
    assert (staged.code, since.code) == (1, 1), staged.out + since.out
    for result in (staged, since):
        assert any(f"[{rule}]" in result.out for rule in ("section-too-short", "placeholder"))


@pytest.mark.parametrize("decision", PROSE)
@pytest.mark.parametrize("place", PLACES)
def test_something_is_decided(place: str, decision: str, repository: Repository, run: Run) -> None:
    repository.commit()
    repository.stage(PATH, text(place, decision))
    result = run("check", "--staged")
    assert result.code == 0, result.out


@pytest.mark.parametrize("decision", ["---", "n/a"])
def test_an_old_adr_stays_as_it_is(decision: str, repository: Repository, run: Run) -> None:
    repository.stage(PATH, text("a section", decision))
    repository.commit()
    old = text("a section", decision)
    repository.stage(PATH, old.replace("pays for it.", "pays for it.\n\n## Amendments\n\nNone."))
    assert run("check", "--staged").code == 0
