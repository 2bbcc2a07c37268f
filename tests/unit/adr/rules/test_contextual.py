"""The patterns of the packaged rules take no longer for a text than it is long.

Attack by a hostile ADR: patterns that backtrack without end, in the rules of the change under review.
Answer: the Action runs the patterns of the base; a limit: `check --since` elsewhere runs those of the change, and the packaged ones have at most one unbounded repeat.
Shown by: `tests/unit/adr/rules/test_contextual.py`.
"""

import re
from typing import Any

import pytest

from helix_hooks.adr.rules.contextual.rule import ContentPattern, RequiredSection
from helix_hooks.check import files
from helix_hooks.config.settings import load


def patterns() -> list[str]:
    listed: list[str] = []
    for rule in load(lambda path: None, files.packaged).ruleset.contextual:
        for requirement in rule.requirements:
            if isinstance(requirement, ContentPattern):
                listed.append(requirement.element.pattern)
            elif isinstance(requirement, RequiredSection):
                listed += [element.pattern for element in requirement.elements]
    return listed


@pytest.mark.parametrize("pattern", patterns())
def test_packaged_patterns_are_linear(pattern: str) -> None:
    """No way through a pattern has two unbounded repeats: with one there is only one way to divide a text.

    That none is tried again at each place of a long run is shown by tests/unit/adr/test_hostile_files.py.
    """
    tree = re._parser.parse(pattern, re.IGNORECASE)  # type: ignore[attr-defined]  # the standard library has no public parser
    assert _unbounded(list(tree)) <= 1


@pytest.mark.parametrize("pattern", [r"^\s*\d+", r"(a+)+", r"(a|b+)*", r"a*(b|c+)"])
def test_a_pattern_that_is_not_linear_is_seen(pattern: str) -> None:
    tree = re._parser.parse(pattern)  # type: ignore[attr-defined]
    assert _unbounded(list(tree)) > 1


def _unbounded(nodes: list[Any]) -> int:
    """The most repeats without an upper limit that one way through a pattern has, those inside of others included."""
    total = 0
    for operation, value in nodes:
        name = str(operation)
        if name == "BRANCH":
            total += max(_unbounded(list(branch)) for branch in value[1])
        elif name == "SUBPATTERN":
            total += _unbounded(list(value[-1]))
        elif name in ("MAX_REPEAT", "MIN_REPEAT"):
            total += _unbounded(list(value[2])) + (str(value[1]) == "MAXREPEAT")
    return total
