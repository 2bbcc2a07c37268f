"""Each packaged rule fires through the real parser, and its patterns are what they claim to be.

In the original an enum was compared with a string: no rule ever fired, and every test was green.
"""

import re
from typing import Any

import pytest

from helix_hooks import files
from helix_hooks.adr.check import Source, check_file
from helix_hooks.adr.contextual import ContextualRule
from helix_hooks.adr.document import parse
from helix_hooks.adr.requirement import ContentPattern, RequiredSection
from helix_hooks.settings import load

RULESET = load(lambda path: None, files.packaged).ruleset

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
    fields = {"yaml": "change_scope: major", "bullets": "- **Change Scope:** major", "lines": "Change scope: major"}
    report = check_file(Source(parse((STYLES[style].format(fields[style]) + BODY).encode(), "adr/007-x.md")), RULESET)
    found = [finding for finding in report.findings if finding.check == "major-needs-migration"]
    assert found[0].severity == "error"
    line = (STYLES[style].format(fields[style]) + BODY).split("\n")[found[0].line - 1]
    assert line == fields[style], "the finding points at the key that demands the section"


def patterns() -> list[str]:
    found: list[str] = []
    for rule in RULESET.contextual:
        for requirement in rule.requirements:
            if isinstance(requirement, ContentPattern):
                found.append(requirement.element.pattern)
            elif isinstance(requirement, RequiredSection):
                found += [element.pattern for element in requirement.elements]
    return found


@pytest.mark.parametrize("pattern", patterns())
def test_packaged_patterns_are_linear(pattern: str) -> None:
    """An unbounded repeat stands only behind something fixed, repeats one character class, and has no other beside it.

    Backtracking needs two ways to divide a text between repeats; with one repeat there is only one.
    """
    tree = re._parser.parse(pattern, re.IGNORECASE)  # type: ignore[attr-defined]  # the standard library has no public parser
    for unbounded in _unbounded(list(tree)):
        assert unbounded == 1, "two unbounded repeats on one path, or one inside another"


def _unbounded(nodes: list[Any]) -> list[int]:
    """For each repeat without an upper limit, how many of them are reached together with it."""
    found = []
    for operation, value in nodes:
        name = str(operation)
        if name == "BRANCH":
            found += [count for branch in value[1] for count in _unbounded(list(branch))]
        elif name == "SUBPATTERN":
            found += _unbounded(list(value[-1]))
        elif name in ("MAX_REPEAT", "MIN_REPEAT"):
            inner = _unbounded(list(value[2]))
            endless = str(value[1]) == "MAXREPEAT"
            found += [count + endless for count in inner] if inner else [1] * endless
    return found
