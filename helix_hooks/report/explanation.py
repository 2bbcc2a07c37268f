"""The page of one rule, for a terminal and for programs."""

import json
import re
import textwrap

from ..text.sanitize import log_line, painted
from .addresses import address_of
from .example_diff import difference
from .rule_pages import LAYER_NAMES, Example, Page, shown

_WIDTH = 100
_LEAST = 40


def text(page: Page, color: bool = False, columns: int = 0) -> str:
    """Return the page for a terminal of `columns` cells; 0 without a terminal."""
    width = max(min(columns or _WIDTH, _WIDTH), _LEAST)
    blocks = [
        painted(f"{page.id}: {page.title}", "path", color),
        f"{LAYER_NAMES[page.layer]}, {shown(page.severity)}",
        *(_wrapped(paragraph, width) for paragraph in page.text.split("\n\n")),
        *_examples(page, color),
    ]
    url = address_of(page.id)
    if url:
        blocks.append(f"See {url}")
    return "\n\n".join(blocks) + "\n"


def as_json(page: Page) -> str:
    """Return the page as JSON of version 1; docs/json.md describes it."""
    value = {
        "version": 1,
        "id": page.id,
        "layer": page.layer,
        "severity": page.severity,
        "title": page.title,
        "text": page.text,
        "url": address_of(page.id),
        "fails": _example(page.fails),
        "passes": _example(page.passes),
    }
    return json.dumps(value, indent=2) + "\n"


def _example(example: Example | None) -> dict[str, object] | None:
    if example is None:
        return None
    beside = [{"label": label, "text": text} for label, text in example.beside]
    return {"text": example.text, "beside": beside}


def _examples(page: Page, color: bool) -> list[str]:
    """Return the examples as one difference, or else one after the other."""
    if page.fails and page.passes:
        both = difference(page.fails, page.passes, color)
        if both:
            return [f"Lines with `-` fail. Lines with `+` pass.\n\n{both}"]
    pairs = (("Fails:", page.fails), ("Passes:", page.passes))
    return [f"{heading}\n\n{_quoted(example)}" for heading, example in pairs if example]


def _wrapped(paragraph: str, width: int) -> str:
    text = log_line(" ".join(paragraph.split()))
    lines = textwrap.fill(text, width, break_on_hyphens=False, break_long_words=False)
    # A runner of GitHub Actions executes a line that begins with `::` as a command.
    return re.sub(r"(?m)^::", ": :", lines)


def _quoted(example: Example) -> str:
    blocks = [textwrap.indent(example.text.rstrip("\n"), "    ")]
    for label, text in example.beside:
        blocks.append(f"  {label}\n\n{textwrap.indent(text.rstrip(), '    ')}")
    return "\n\n".join(blocks)
