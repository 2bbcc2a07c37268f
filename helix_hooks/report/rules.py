"""The list of rules, and the Markdown page of all rules (`docs/rules.md`)."""

import json

from ..text.table import table
from .rule_pages import LAYER_NAMES, Example, Page, shown


def listing(pages: list[Page]) -> str:
    """Return one line per rule, by layer."""
    lines = table(((page.id, shown(page.severity), page.title) for page in pages), indent=2)
    blocks = []
    for layer, name in LAYER_NAMES.items():
        of_layer = [line for page, line in zip(pages, lines, strict=True) if page.layer == layer]
        blocks.append("\n".join([name, *of_layer]))
    blocks.append("\n".join([name, *lines]))
    blocks.append("`helix-hooks explain RULE` shows why, with an example.\n")
    return "\n\n".join(blocks)


def as_json(pages: list[Page]) -> str:
    """Return the rules as a JSON array."""
    fields = ("id", "layer", "severity", "title", "text")
    rules = [{field: getattr(page, field) for field in fields} for page in pages]
    return json.dumps(rules, indent=2) + "\n"


def markdown(pages: list[Page]) -> str:
    """Return the page of all rules in Markdown."""
    lines = [
        "# Rules",
        "",
        "This page is generated from the rules (`make docs`); the examples run as tests.",
        "",
        "The severities are defaults. `severities` in the settings replaces them by rule id.",
        "",
        "| rule | severity | what is wrong |",
        "|---|---|---|",
        *(f"| [{page.id}](#{page.id}) | {page.severity} | {page.title} |" for page in pages),
    ]
    for layer, name in LAYER_NAMES.items():
        lines += ["", f"## {name}"]
        for page in pages:
            if page.layer == layer:
                lines += ["", *_section(page)]
    return "\n".join(lines) + "\n"


def _section(page: Page) -> list[str]:
    lines = [f"### {page.id}", "", f"**{page.title}.** Severity: {page.severity}.", "", page.text]
    for heading, example in (("Fails:", page.fails), ("Passes:", page.passes)):
        if example:
            lines += ["", heading, "", *_fenced(example)]
    return lines


def _fenced(example: Example) -> list[str]:
    # Four backticks, because examples have blocks of code with three.
    lines = ["````markdown", *example.text.rstrip("\n").split("\n"), "````"]
    for label, text in example.beside:
        lines += ["", label, "", "````markdown", *text.rstrip("\n").split("\n"), "````"]
    return lines
