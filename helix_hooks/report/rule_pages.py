"""The page of a rule: its text, why it matters, a failing and a passing example."""

import inspect
from typing import NamedTuple

from ..adr.model import Rule
from ..adr.rules.contextual.rule import ContextualRule
from ..adr.rules.registry import OFF, Ruleset, in_force
from ..text.sanitize import printable

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
