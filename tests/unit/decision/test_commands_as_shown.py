"""What is heard in a comment against what cmark-gfm shows of it, found out with none of the product's code.

An approval is heard only in a plain line of a paragraph that a reader sees. An objection that a reader sees in a line of its own is heard.

Attack by a hostile pull request: an approval that no reader sees: folded, in a formula, a link, a title or hidden HTML; with signs that turn the text around, or a commit that is shown differently.
Answer: refused with an answer, or no command at all; compared with what cmark-gfm and an HTML parser show.
Shown by: `tests/unit/decision/test_commands_as_shown.py`, `approve-*`.
"""

import re
from collections.abc import Iterator
from typing import Any

import cmarkgfm  # type: ignore[import-untyped]
import html5lib
import pytest
from cmarkgfm.cmark import Options  # type: ignore[import-untyped]
from hypothesis import given, settings
from hypothesis import strategies as st

from helix_hooks.decision.commands import APPROVE, OVERRIDE, REJECT, REVIEW, commands
from helix_hooks.decision.comment_lines import lines
from tests import series
from tests.unit.adr.parse import visible_oracle as oracle
from tests.unit.adr.parse.pieces import MARKUP, TAGS
from tests.unit.decision.comments import CASES, comment
from tests.unit.work import MOST, calls_of

A, R = "/helix approve a1b2c3d", "/helix reject late"
SEEN = re.compile(r"\W*(/helix (?:approve|override|review|reject)\b.*)")
OTHER = ("em", "strong", "a", "code", "img", "del", "input")


def page(markdown: str) -> Any:
    """The page as a tree, with alerts as plain boxes."""
    html = cmarkgfm.markdown_to_html_with_extensions(
        markdown,
        options=Options.CMARK_OPT_UNSAFE
        | Options.CMARK_OPT_FOOTNOTES
        | Options.CMARK_OPT_HARDBREAKS,
        extensions=["table", "autolink", "strikethrough", "tasklist", "tagfilter"],
    )
    tree = html5lib.parseFragment(
        html, container="div", treebuilder="etree", namespaceHTMLElements=False
    )
    for element in tree:
        oracle._alert(element)
    return tree


def plain_lines(tree: Any) -> Iterator[str]:
    """The lines of the paragraphs that stand in no other block."""
    for element in tree:
        if element.tag == "p":
            yield from "".join(_texts(element)).split("\n")


def _texts(element: Any) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        yield "\n" if child.tag == "br" else f"\x01{''.join(_texts(child))}"
        yield (child.tail or "").lstrip("\n") if child.tag == "br" else child.tail or ""


def shown_lines(tree: Any) -> list[str]:
    """The lines of all text but code, quotes and what is struck out."""
    return "".join(_shown(tree, 0)).split("\n")


def _shown(element: Any, kind: int) -> Iterator[str]:
    if (
        not isinstance(element.tag, str)
        or element.tag in ("img", "input")
        or element.attrib.keys() & {"data-footnote-ref", "data-footnote-backref"}
    ):
        return
    kind |= oracle.KINDS.get(element.tag, 0)
    aside = "\x01" if kind else ""
    apart = "\n" if element.tag in oracle.BLOCKS else aside
    yield apart
    yield aside or (element.text or "").replace("\n", " ")
    for child in element:
        yield from _shown(child, kind)
        yield aside or (child.tail or "").replace("\n", " ")
    yield apart


def words(line: str) -> str:
    return " ".join(line.replace("\u200b", "").split()).casefold()


def agree(comment: str) -> None:
    tree, heard = page(comment), commands(comment)
    plain = [words(line) for line in plain_lines(tree)]
    for command in heard:
        if command.wrong or command.name not in (APPROVE, OVERRIDE, REVIEW):
            continue
        start = words(f"/helix {command.name} {command.argument} {command.commit}")
        assert [
            line
            for line in plain
            if line.replace("\x01", "").replace("/helix rerun", "/helix review").startswith(start)
        ], (comment, plain)
    seen = [
        found[0]
        for line in shown_lines(tree)
        if (found := re.match(r"/helix reject \w", words(line)))
    ]
    assert not seen or any(command.name == REJECT for command in heard), (comment, seen)


@pytest.mark.parametrize("name", sorted(path.stem for path in CASES.glob("*.txt")))
def test_every_case_is_heard_as_it_is_shown(name: str) -> None:
    agree(comment(name))


LINES = (f"{A}\n", f"\n{A}\n", f"\n\n{A}\n\n", A, f"\n\n{R}\n\n", f"\n{R}\n", R)
MORE = (
    "~~",
    "~",
    "$",
    "|---|\n",
    "a | b\n--|--\n",
    "<details>\n\n",
    "\n\n</details>\n\n",
    "![",
    "[x]: ",
    "'",
    "===\n",
    "\t",
    "  \n",
    "\\\n",
    "&#47;",
    "helix approve a1b2c3d",
)


@settings(max_examples=series.examples(300), deadline=None, derandomize=True)
@given(st.lists(st.sampled_from((*LINES, *LINES, *MARKUP, *MORE)), max_size=14).map("".join))
def test_any_markdown_is_heard_as_it_is_shown(comment: str) -> None:
    agree(comment)


@settings(max_examples=series.examples(300), deadline=None, derandomize=True)
@given(
    st.lists(
        st.sampled_from(
            (*LINES, *LINES, *LINES, "word ", "\n", "\n\n", "- ", "> ", "**", "`", *TAGS)
        ),
        max_size=10,
    ).map("".join)
)
def test_any_html_is_heard_as_it_is_shown(comment: str) -> None:
    agree(comment)


LONG = {
    "tags": "<b></b>", "approvals": f"{A}\n", "approvals behind tags": f"<b></b>\n\n{A}\n\n", "quotes": f"> x\n{A}\n", "words in italics": f"*a*\n{A}\n",
    "brackets": f"[a\n{A}\n", "open tags": f"<a {A}\n", "formulas": f"$\n{A}\n", "objections without a reason": "/helix reject\n",
    "lines": "helix\n", "separators": "x\u2028", "open elements": "<div>\n\n", "lines typed below quotes": ">a\nb\n", "look-alikes": "\u2044",
}  # fmt: skip


@pytest.mark.parametrize("piece", LONG.values(), ids=LONG)
def test_a_long_comment_is_read_in_proportion(piece: str) -> None:
    """Attack by a hostile pull request: a comment of 64,000 characters that is slow to read.
    Answer: the work grows in proportion to it.
    """
    small, large = (calls_of(lambda size=size: lines(piece * size)) for size in (100, 200))  # type: ignore[misc]
    assert large <= MOST * small
