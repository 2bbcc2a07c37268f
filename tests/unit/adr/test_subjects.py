"""Each finding says as data what it is about, so that two versions of an ADR can be compared."""

from collections import Counter
from pathlib import Path

import pytest

from helix_hooks.adr.examine import Source, check_file
from helix_hooks.adr.parse.document import parse
from helix_hooks.check import files
from helix_hooks.config.settings import load
from helix_hooks.finding import Finding, keys_of
from tests.conftest import ROOT

RULESET = load(lambda path: None, files.packaged).ruleset
ADRS = sorted(
    [
        *(ROOT / "helix_hooks" / "examples").glob("*/fails.md"),
        *(ROOT / "tests" / "cases" / "adr").glob("*/adr.md"),
    ]
)
WHOLE_FILE = {"file-unreadable", "merge-conflict"}
"""Rules on a file as a whole, of which a file has at most one finding."""


def findings(data: bytes) -> tuple[Finding, ...]:
    return check_file(Source(parse(data, "docs/adr/0007-x.md")), RULESET).findings


@pytest.mark.parametrize("path", ADRS, ids=lambda path: path.parent.name)
def test_each_finding_has_a_subject_that_does_not_move_with_its_lines(path: Path) -> None:
    data = path.read_bytes()
    seen = findings(data)
    assert {item.check for item in seen if not item.subject} <= WHOLE_FILE
    if not data.startswith((b"---", b"\xef")) and b"\0" not in data:
        moved = findings(b"\n\n\n" + data)
        assert keys_of(moved) == keys_of(seen)


def test_the_examples_are_of_many_rules() -> None:
    rules = Counter(item.check for path in ADRS for item in findings(path.read_bytes()))
    assert len(rules) >= 20
