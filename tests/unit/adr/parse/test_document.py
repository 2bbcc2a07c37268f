"""What is no header, and texts that are made to hold up the parser."""

import pytest

from helix_hooks.adr.parse.document import parse

UNITS = (">", "- ", "[", "*a ", "`", "![", "<!-- ", "| a ", "    ", "#", "1. ", "<a>", "\\", "[^")
FENCES_AND_HEADINGS = ("~~~\n", "```\n", "## a\n")


@pytest.mark.parametrize(
    "text",
    [
        "---\n\n# Title\n",
        "---\n# Title\n---\n",
        "---\n- a list\n\n# Title\n",
        "text\n---\na: b\n---\n",
    ],
)
def test_a_rule_at_the_top_is_no_header(text: str) -> None:
    doc = parse(text.encode(), "a.md")
    assert doc.front_closed and (doc.front is None or ":" not in doc.front)


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("unit", [*UNITS, *FENCES_AND_HEADINGS])
def test_20000_fold_nesting_ends(unit: str) -> None:
    assert parse((unit * 20_000).encode(), "a.md").defect is None
