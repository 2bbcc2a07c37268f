"""A rule's page: what it says, why it matters, an example that fails and one that passes.

All of it from the rule.
"""

import inspect
from typing import NamedTuple

from ..adr.model import Described
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
    "other.md": "beside docs/adr/0008-other.md",
    "twin.md": "beside docs/adr/0007-other.md",
    "before.md": "before the change",
    "baseline.json": "with the baseline",
    "settings.yaml": "with these settings, before and after",
}
"""Files beside an example: suffix of the file to what the page says of it."""


class Example(NamedTuple):
    """An ADR as text, which lies at docs/adr/0007-kafka.md, and what is beside it: label and
    text.
    """

    text: str
    beside: tuple[tuple[str, str], ...] = ()


class Page(NamedTuple):
    """The page of a rule. `severity` is the one in force; missing examples are None."""

    id: str
    layer: str
    severity: str
    title: str
    text: str
    fails: Example | None = None
    passes: Example | None = None


def pages(ruleset: Ruleset) -> list[Page]:
    """Return the pages of all rules, also of those switched off, by layer; without examples."""
    order = list(LAYER_NAMES)
    unsorted = [
        page(rule, ruleset.severities.get(rule.id, rule.severity)) for rule in in_force(ruleset)
    ]
    return sorted(unsorted, key=lambda item: order.index(item.layer))


def page(rule: Described | ContextualRule, severity: str) -> Page:
    """A built-in rule's page is its docstring; a contextual rule's are its name and explanation in
    the rules file.
    """
    if isinstance(rule, ContextualRule):
        return Page(
            id=rule.id,
            layer=rule.layer,
            severity=severity,
            title=printable(rule.name),
            text=_text(rule.explanation or rule.help or rule.message),
        )
    title, _, text = inspect.cleandoc(type(rule).__doc__ or "").partition("\n")
    return Page(
        id=rule.id, layer=rule.layer, severity=severity, title=title.rstrip("."), text=text.strip()
    )


def _text(text: str) -> str:
    """Return paragraphs from a repository's rules, in lines that are safe for a terminal."""
    return "\n".join(map(printable, text.splitlines()))


def shown(severity: str) -> str:
    return "switched off" if severity == OFF else severity
