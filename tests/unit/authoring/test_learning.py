"""What is learned is what nearly all ADRs have, and never without the decision."""

import pytest

from helix_hooks.adr.examine import Source, read
from helix_hooks.adr.model import Adr
from helix_hooks.adr.parse.document import parse
from helix_hooks.authoring.learning import aliases_of, template_of
from helix_hooks.config.settings import load
from helix_hooks.repository import files

RULESET = load(lambda _: None, files.packaged).ruleset


def adrs(*shapes: str) -> list[Adr]:
    """Read an ADR for each shape: its sections, with blanks between them."""
    texts = (
        "".join(f"## {title}\n\nx\n\n" for title in shape.replace("_", "-").split("/"))
        for shape in shapes
    )
    sources = (
        Source(parse(f"# T\n\n{text}".encode(), f"adr/{number:04}-x.md"))
        for number, text in enumerate(texts, 1)
    )
    return [read(source, RULESET) for source in sources]


def names(found: list[Adr]) -> tuple[list[str], list[str]]:
    habits = template_of(found, ())[0]
    return [item.name for item in habits.required], [item.name for item in habits.optional]


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
    assert aliases_of(adrs(*["Context/Initial decision"] * 4), {}) == {}


def test_a_template_is_called_as_none_is() -> None:
    assert template_of(adrs(*[FULL] * 5), ("ours", "ours-2"))[1]["template"] == "ours-3"


@pytest.mark.parametrize(
    ("title", "section"),
    [
        ("Initial decision", "Decision"),
        ("Décision initiale", "Decision"),
        ("Business context", "Context"),
        ("Decision makers", ""),
        ("Pending decision", ""),
        ("Previous decisions", ""),
        ("No decision", ""),
    ],
)
def test_a_title_with_the_word_of_a_section_is_that_section(title: str, section: str) -> None:
    other = "Context" if section != "Context" else "Decision"
    found = aliases_of(adrs(*[f"{other}/{title}"] * 6), {})
    sections = {section: ((title, "6 of 6"),)}
    assert found == ({"aliases": {"sections": sections}} if section else {})


def test_a_title_beside_the_section_is_not_that_section() -> None:
    shapes = ["Context/Decision/Initial decision", *["Context/Initial decision"] * 6]
    assert aliases_of(adrs(*shapes), {}) == {}


def test_words_of_the_settings_keep_their_key() -> None:
    found = aliases_of(adrs(*["Context/Initial decision"] * 6), {"decision": "Beschluss"})
    assert found == {"aliases": {"sections": {"Beschluss": (("Initial decision", "6 of 6"),)}}}
