"""Each packaged rule fires through the real parser, and its patterns are what they claim to be.

In the original an enum was compared with a string: no rule ever fired, and every test was green.
"""

import re
from typing import Any

import pytest

from helix_hooks.adr.examine import Source, check_file
from helix_hooks.adr.parse.document import parse
from helix_hooks.adr.rules.contextual.rule import ContextualRule
from tests.unit.adr.rules.patterns import RULESET, patterns

HEADERS = {
    "major-needs-migration": "change_scope: major",
    "major-needs-rollback": "change_scope: Major",
    "new-needs-examples": "classification: NEW\nfiles: {create: [a.py]}",
    "breaking-needs-upgrade": "domain: x",
    "deps-need-references": 'depends_on: ["002"]',
    "tools-need-cli": "component_type: TOOL\nclassification: NEW",
    "service-needs-api": "component_type: SERVICE",
}
STYLES = {
    "yaml": '---\nadr_id: "007"\ntitle: x\nstatus: Proposed\n{}\n---\n\n# ADR-007: x\n',
    "bullets": "# ADR-007: x\n\n- **Status:** Proposed\n{}\n",
    "lines": "# ADR-007: x\n\nStatus: Proposed\n{}\n",
}
BODY = "\n## Kontext\n\nDas ist ein Breaking Change.\n\n## Implementation\n\nText.\n"


@pytest.mark.parametrize("rule", RULESET.contextual, ids=lambda rule: rule.id)
def test_each_packaged_rule_fires(rule: ContextualRule) -> None:
    text = STYLES["yaml"].format(HEADERS[rule.id]) + BODY
    report = check_file(Source(parse(text.encode(), "adr/007-x.md")), RULESET)
    assert rule.id in {finding.check for finding in report.findings}


@pytest.mark.parametrize("style", STYLES)
def test_metadata_counts_in_any_header_style(style: str) -> None:
    fields = {
        "yaml": "change_scope: major",
        "bullets": "- **Change Scope:** major",
        "lines": "Change scope: major",
    }
    report = check_file(
        Source(parse((STYLES[style].format(fields[style]) + BODY).encode(), "adr/007-x.md")),
        RULESET,
    )
    found = [finding for finding in report.findings if finding.check == "major-needs-migration"]
    assert found[0].severity == "error"
    line = (STYLES[style].format(fields[style]) + BODY).split("\n")[found[0].line - 1]
    assert line == fields[style], "the finding points at the key that demands the section"


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
