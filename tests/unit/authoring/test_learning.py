"""What is learned is what nearly all ADRs have, and never without the decision."""

import pytest

from helix_hooks.adr.examine import Source, read
from helix_hooks.adr.model import Adr
from helix_hooks.adr.parse.document import parse
from helix_hooks.authoring.learning import aliases_of, template_of
from helix_hooks.authoring.settings_text import ListItem
from helix_hooks.config.settings import load
from helix_hooks.repository import files

RULESET = load(lambda _: None, files.packaged).ruleset


def adrs(*shapes: str) -> list[Adr]:
    """Read an ADR for each shape: its sections, with blanks between them."""
    texts = (
        "".join(f"## {title}\n\nWords.\n\n" for title in shape.replace("_", "-").split("/"))
        for shape in shapes
    )
    sources = (
        Source(parse(f"# T\n\n{text}".encode(), f"adr/{number:04}-x.md"))
        for number, text in enumerate(texts, 1)
    )
    return [read(source, RULESET) for source in sources]


def names(found: list[Adr]) -> tuple[list[str], list[str]]:
    habits = template_of(found, ())[0]
    return [item.name for item in habits.usual], [item.name for item in habits.optional]


FULL, SHORT = "Context/Decision/Risks", "Context/Decision"


@pytest.mark.parametrize(
    ("shapes", "wanted"),
    [
        ([FULL] * 5, (["Context", "Decision", "Risks"], [])),
        ([FULL] * 9 + [SHORT], (["Context", "Decision", "Risks"], [])),
        ([FULL] * 8 + [SHORT] * 2, (["Context", "Decision"], ["Risks"])),
        ([FULL] * 18 + [SHORT] * 2, (["Context", "Decision"], ["Risks"])),
        ([SHORT] * 2 + [FULL] * 18, (["Context", "Decision", "Risks"], [])),
        ([FULL] * 3 + [SHORT] * 17, (["Context", "Decision"], [])),
        ([FULL] * 6 + ["Context"] * 4, (["Context", "Decision", "Risks"], [])),
        ([FULL] * 4 + ["Context"] * 6, ([], [])),
    ],
    ids=[
        "all", "one exception", "two of ten lack it", "the newest lack it", "only the oldest lack it",
        "it is rare", "the decision is never dropped", "most have no decision",
    ],
)  # fmt: skip
def test_sections(shapes: list[str], wanted: tuple[list[str], list[str]]) -> None:
    assert names(adrs(*shapes)) == wanted


def test_few_adrs_show_no_habit() -> None:
    assert template_of(adrs(*[FULL] * 4), ())[1] == {}
    assert aliases_of(stating("Team approved", 4)) == {}


def test_a_template_is_called_as_none_is() -> None:
    assert template_of(adrs(*[FULL] * 5), ("ours", "ours-2"))[1]["template"] == "ours-3"


def stating(status: str, count: int = 6) -> list[Adr]:
    """Read ADRs that state a status."""
    texts = (f"# T\n\nStatus: {status}\n\n## Decision\n\nKafka.\n" for _ in range(count))
    return [read(Source(parse(text.encode(), "adr/1.md")), RULESET) for text in texts]


@pytest.mark.parametrize(
    ("word", "status"),
    [
        ("Team approved", "Accepted"),
        ("Board-rejected", "Rejected"),
        ("Not accepted", ""),
        ("Accepted", ""),
        ("Blessed", ""),
        ("To be decided by all of us", ""),
        ("{a: b} accepted", ""),
    ],
)
def test_a_word_for_a_status_is_learned_where_it_ends_with_one(word: str, status: str) -> None:
    plain = word.casefold().replace("-", " ")
    learned = {"aliases": {"statuses": {status: (ListItem(plain, "6 of 6"),)}}}
    assert aliases_of(stating(word)) == (learned if status else {})


def test_a_word_of_one_author_is_no_habit() -> None:
    assert aliases_of([*stating("Team approved", 2), *stating("Accepted")]) == {}


def test_a_section_that_some_lack_is_a_warning_and_the_decision_an_error() -> None:
    shapes = [FULL] * 12 + [SHORT] + ["Context"]
    template = template_of(adrs(*shapes), ())[1]["templates"]
    assert isinstance(template, dict) and isinstance(template["ours"], dict)
    assert template["ours"]["sections"] == (
        ListItem("Context", "14 of 14"),
        ListItem("Decision", "13 of 14"),
        ListItem("Risks", "12 of 14", "warning"),
    )
