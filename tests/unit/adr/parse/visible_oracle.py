"""What a reader of GitHub sees of a Markdown text, found out with none of the product's code: cmark-gfm renders it, html5lib reads the page.

GitHub renders with cmark-gfm, parses the page as HTML and sends it through a sanitizer. The lists below say what that sanitizer and a
browser take away (github/markup, README, "Sanitization"; the HTML standard, section 15.3.1 "Hidden elements").
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

import cmarkgfm  # type: ignore[import-untyped]
import html5lib
from cmarkgfm.cmark import Options  # type: ignore[import-untyped]

SPAN, CODE, QUOTE, STRUCK, PICTURE, HIDDEN = 1, 2, 4, 8, 16, 32

NOT_DRAWN = {
    "template",
    "dialog",
    "noscript",
    "object",
    "video",
    "audio",
    "canvas",
    "svg",
    "math",
    "select",
    "datalist",
    "rp",
}
"""Elements of which a browser does not draw the text."""
HIDING = re.compile(
    r"display:none|visibility:(hidden|collapse)|opacity:0(?![\d.]*[1-9])|font-size:0(?![\d.]*[1-9])|position:(absolute|fixed)"
)
"""Style attributes that hide. GitHub removes every `style`, other renderers do not."""
BLOCKS = set(
    "address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 "
    "header hgroup hr li main menu nav ol optgroup option p pre search section summary table tbody td tfoot th thead tr ul".split()
)
"""Elements that stand apart from the words around them."""
KINDS = {
    "pre": CODE,
    "code": SPAN,
    "kbd": SPAN,
    "samp": SPAN,
    "tt": SPAN,
    "blockquote": QUOTE,
    "del": STRUCK,
    "s": STRUCK,
    "strike": STRUCK,
}
TASK = re.compile(r"\A\s*\[[ xX]\](?=\s|\Z)")
"""The box of a task. GitHub draws it in quotes too, where cmark-gfm does not know it."""
CONCATENATING = set(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
)
"""Format characters that are drawn, around the digits behind them."""
DRAWN_AS_NOTHING = set(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U0001d159"
) | set(map(chr, [*range(0xFE00, 0xFE10), *range(0xFFF0, 0xFFF9), *range(0xE0000, 0xE1000)]))
"""Letters, marks, signs and unassigned code points that Unicode calls ignorable, or that fonts draw as nothing."""
ALERT = re.compile(r"\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|\Z)", re.IGNORECASE)
"""The first line of a quote that GitHub shows as a box with a title. cmark-gfm does not know it."""

Character = tuple[str, int]
"""A character and the kinds of the elements around it; a blank, whatever it is, has no kind."""


def characters(markdown: str) -> list[Character]:
    """The characters that the page shows, in order; what separates words is one blank."""
    page = cmarkgfm.markdown_to_html_with_extensions(
        markdown,
        options=Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_FOOTNOTES,
        extensions=["table", "autolink", "strikethrough", "tasklist", "tagfilter"],
    )
    tree = html5lib.parseFragment(
        page, container="div", treebuilder="etree", namespaceHTMLElements=False
    )
    for element in tree:
        _alert(element)
    return collapsed(_walk(tree, 0))


def _alert(element: Any) -> None:
    """Make a quote that is an alert a plain box."""
    first = next(iter(element), None)
    if (
        element.tag != "blockquote"
        or first is None
        or first.tag != "p"
        or not ALERT.match(first.text or "")
    ):
        return
    element.tag = "div"
    first.text = ALERT.sub("", first.text, count=1)


def collapsed(found: Iterator[Character]) -> list[Character]:
    """Without blanks at the ends, and with one in the place of several."""
    result: list[Character] = []
    for character, kind in found:
        if character == " ":
            if result and result[-1][0] != " ":
                result.append((" ", 0))
        else:
            result.append((character, kind))
    return result[:-1] if result and result[-1][0] == " " else result


def _walk(element: Any, kind: int) -> Iterator[Character]:
    tag = element.tag
    if not isinstance(tag, str):
        return
    attributes = element.attrib
    if tag in ("img", "input"):
        return
    if "data-footnote-ref" in attributes or "data-footnote-backref" in attributes:
        return
    inside = kind | _kind(tag, attributes)
    apart = tag in BLOCKS
    if apart:
        yield " ", 0
    yield from _characters(
        TASK.sub("", element.text or "") if tag == "li" else element.text, inside
    )
    for child in element:
        yield from _walk(child, inside)
        yield from _characters(child.tail, inside)
    if apart:
        yield " ", 0


def _kind(tag: str, attributes: dict[str, str]) -> int:
    style = re.sub(r"\s", "", attributes.get("style", "")).lower()
    hidden = tag in NOT_DRAWN or "hidden" in attributes or HIDING.search(style)
    return KINDS.get(tag, 0) | (HIDDEN if hidden else 0)


def _characters(text: str | None, kind: int) -> Iterator[Character]:
    for character in text or "":
        if character.isspace() and character not in "\x1c\x1d\x1e\x1f\x85":
            yield " ", 0
        elif not _invisible(character):
            yield character, kind & ~SPAN if kind & CODE else kind


def _invisible(character: str) -> bool:
    if character in CONCATENATING:
        return False
    return unicodedata.category(character) in ("Cf", "Cc") or character in DRAWN_AS_NOTHING
