"""The visible text against an oracle that shares no code with the product: cmark-gfm and an HTML parser (`visible_oracle`).

Compared is each visible character with its kind: plain, code, quoted, struck out. `make visible DIR=...` does the
same for a folder of ADRs.

Attack by a hostile ADR: text that only the parser or only a reader sees: attributes over several lines, odd ends of comments, hidden elements, cells beyond the header, empty links, footnotes, entities, misnested tags.
Answer: only simple raw HTML is visible (ADR-133); the visible text is compared with what cmark-gfm and an HTML parser show, character by character.
Shown by: `tests/unit/adr/parse/test_visible.py`, `tests/cases/visible`.
"""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helix_hooks.adr.parse import document
from tests import series
from tests.conftest import ROOT
from tests.unit.adr.parse.comparison import agree
from tests.unit.adr.parse.pieces import MARKUP, TAGS

CASES = ROOT / "tests" / "cases"
HOSTILE = CASES / "visible"
OURS = sorted(
    [
        *CASES.glob("adr/*/*.md"),
        *CASES.glob("changes/*/*/docs/adr/*.md"),
        *ROOT.glob("docs/**/*.md"),
    ]
)


@pytest.mark.parametrize("path", sorted(HOSTILE.glob("*.md")), ids=lambda path: path.stem)
def test_hostile_text_shows_what_a_browser_shows(path: Path) -> None:
    agree(path.read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.parametrize("path", OURS, ids=lambda path: str(path.relative_to(ROOT)))
@pytest.mark.sampled
def test_every_document_here_shows_what_a_browser_shows(path: Path) -> None:
    data = path.read_bytes()
    doc = document.parse(data, "a.md")
    if not doc.defect:
        agree(doc.data[doc.body :].decode())


# NOTE: what is not among the pieces is where the two parsers of Markdown differ, or where misnested formatting would have to be rebuilt as a
# browser does: `~~` beside `*`, pictures whose alternative text holds blocks, definitions in lists, nested alerts, tables that begin within a
# paragraph, `</s>` around an open span. There the product takes more for hidden than GitHub, or the same letters with other signs.


@settings(max_examples=series.examples(400), deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(MARKUP), max_size=25).map("".join))
def test_any_markdown_shows_what_a_browser_shows(markdown: str) -> None:
    agree(markdown)


def _with_numbers(pieces: list[str]) -> str:
    """Every word is another one, so that a hidden word is not taken for a visible one."""
    return "".join(
        piece.replace("word", f"word{number}").replace("must", f"must{number}")
        for number, piece in enumerate(pieces)
    )


@settings(max_examples=series.examples(400), deadline=None, derandomize=True)
@given(
    st.lists(
        st.sampled_from(
            ("word ", "word", "must ", "\n", "\n\n", "- ", "> ", "**", "`", "~~", "&lt;", *TAGS)
        ),
        max_size=14,
    ).map(_with_numbers)
)
def test_any_html_shows_what_a_browser_shows(markdown: str) -> None:
    agree(markdown)
