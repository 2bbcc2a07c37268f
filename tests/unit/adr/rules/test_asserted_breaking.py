"""Texts of tests/cases/assertions, one per paragraph that begins at a full line: does the ADR say that it breaks something?"""

import re

import pytest

from helix_hooks.adr.examine import Source, check_file
from helix_hooks.adr.parse.document import parse
from helix_hooks.check import files
from helix_hooks.config.settings import load
from helix_hooks.paths import SETTINGS
from tests.conftest import ROOT

ON = {SETTINGS: b"severities: {breaking-needs-upgrade: warning}\n"}
RULESET = load(ON.get, files.packaged).ruleset
TEXTS = ROOT / "tests" / "cases" / "assertions"


def _texts(name: str) -> list[str]:
    """A text is a line with what continues it: quoted lines, and what stands below a heading."""
    return re.findall(
        r"(?m)^### .*\n\n.*$|^> \[!.*\n>.*$|^.+$",
        (TEXTS / f"{name}.txt").read_text(encoding="utf-8"),
    )


def _triggered(text: str) -> int:
    adr = f"# 7. Use Kafka\n\n## Status\n\nAccepted\n\n## Context\n\nx\n\n## Decision\n\nWords.\n\n{text}\n\nMore words.\n\n## Consequences\n\nx\n"
    return check_file(Source(parse(adr.encode(), "adr/0007-kafka.md")), RULESET).rules.triggered


@pytest.mark.parametrize("text", _texts("breaking-asserted"))
def test_a_breaking_change_is_asserted(text: str) -> None:
    assert _triggered(text) == 1


@pytest.mark.parametrize("text", _texts("breaking-denied"))
def test_a_breaking_change_is_denied_or_not_asserted(text: str) -> None:
    assert _triggered(text) == 0
