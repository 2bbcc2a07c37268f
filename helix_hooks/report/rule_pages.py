"""The pages of rules: values with their examples, one page for a terminal, and the list of all."""

import inspect
import re
import textwrap
from typing import NamedTuple

from ..adr.model import Rule
from ..adr.rules.contextual.rule import ContextualRule
from ..adr.rules.registry import OFF, Ruleset, in_force
from ..text import dumped, log_line, painted, printable
from ..text.table import table
from .example_diff import difference
from .identity import address_of

_WIDTH = 100
_LEAST = 40

LAYER_NAMES = {
    "structure": "Layer 1: structure",
    "rules": "Layer 2: contextual rules",
    "concept": "Layer 3: concept",
    "corpus": "Across ADRs and versions",
    "config": "The gate itself",
}


BESIDE = {
    "concept.md": "with the concept",
    "template.md": "beside docs/adr/template.md",
    "sibling.md": "beside docs/adr/0006-kafka.md",
    "other.md": "beside docs/adr/0008-other.md",
    "twin.md": "beside docs/adr/0007-other.md",
    "before.md": "before the change",
    "code.txt": "with src/orders.py",
    "baseline.json": "with the baseline",
    "settings.yaml": "with these settings, before and after",
}
"""Labels of the files that belong to an example, by the suffix of the file's name."""


class Example(NamedTuple):
    """An ADR as text, as if it were docs/adr/0007-kafka.md.

    `beside` has the label and text of each other file of the example.
    """

    text: str
    beside: tuple[tuple[str, str], ...] = ()


class Page(NamedTuple):
    """The page of a rule. `severity` is the one that the settings set, or else the default."""

    id: str
    layer: str
    severity: str
    title: str
    text: str
    fails: Example | None = None
    passes: Example | None = None


def pages(ruleset: Ruleset) -> list[Page]:
    """Return the pages of all rules by layer, without examples. Disabled rules are included."""
    order = list(LAYER_NAMES)
    unsorted = [
        page(rule, ruleset.severities.get(rule.id, rule.severity)) for rule in in_force(ruleset)
    ]
    return sorted(unsorted, key=lambda item: order.index(item.layer))


def page(rule: Rule[...] | ContextualRule, severity: str) -> Page:
    """Return the page of a rule, without examples.

    The text of a built-in rule is its docstring. The text of a contextual rule is its name and
    explanation in the rules file.
    """
    if isinstance(rule, ContextualRule):
        return Page(
            id=rule.id,
            layer=rule.layer,
            severity=severity,
            title=printable(rule.name),
            text=_text(rule.explanation or rule.help or rule.message),
        )
    title, _, text = inspect.cleandoc(rule.documentation).partition("\n")
    return Page(
        id=rule.id, layer=rule.layer, severity=severity, title=title.rstrip("."), text=text.strip()
    )


def _text(text: str) -> str:
    """Return paragraphs of a repository's rules file, safe for a terminal."""
    return "\n".join(map(printable, text.splitlines()))


def shown(severity: str) -> str:
    """Return a severity, or that the rule is switched off."""
    if severity == OFF:
        return "switched off"
    return severity


def explained(page: Page, color: bool = False, columns: int = 0) -> str:
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


def page_json(page: Page) -> str:
    """Return the page as JSON of version 1; docs/api.md describes it."""
    value = {
        "version": 1,
        "id": page.id,
        "layer": page.layer,
        "severity": page.severity,
        "title": page.title,
        "text": page.text,
        "url": address_of(page.id),
        "fails": _example_fields(page.fails),
        "passes": _example_fields(page.passes),
    }
    return dumped(value)


def _example_fields(example: Example | None) -> dict[str, object] | None:
    if example is None:
        return None
    beside = [{"label": label, "text": text} for label, text in example.beside]
    return {"text": example.text, "beside": beside}


def _examples(page: Page, color: bool) -> list[str]:
    """Return the examples as one difference, or else one after the other."""
    if page.fails and page.passes:
        both = difference(_texts(page.fails), _texts(page.passes), color)
        if both:
            return [f"Lines with `-` fail. Lines with `+` pass.\n\n{both}"]
    pairs = (("Fails:", page.fails), ("Passes:", page.passes))
    return [f"{heading}\n\n{_quoted(example)}" for heading, example in pairs if example]


def _texts(example: Example) -> dict[str, str]:
    """Return the texts of an example by their labels; the ADR itself has the label ""."""
    return {"": example.text, **dict(example.beside)}


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


def list_json(pages: list[Page]) -> str:
    """Return the rules as a JSON array."""
    fields = ("id", "layer", "severity", "title", "text")
    rules = [{field: getattr(page, field) for field in fields} for page in pages]
    return dumped(rules)


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
