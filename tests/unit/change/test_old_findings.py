"""Which findings of a changed ADR are old: as many as it had, of the same rule, section, text and severity."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helix_hooks.adr.examine import Source, check_file
from helix_hooks.adr.parse.document import parse
from helix_hooks.change.old_findings import NOTE, CheckedAdr, as_information, is_measured
from helix_hooks.check import files
from helix_hooks.config.settings import load
from helix_hooks.finding import SEVERITIES, Finding, keys_of
from tests import series

RULESET = load(lambda path: None, files.packaged).ruleset
TEXT = """# 7. Use Kafka

## Status

Proposed

## Context

The queue forgets orders whenever somebody restarts it.

## Notes

The queue is drawn in a picture that nobody has found.
"""
CONTEXT, NOTES = 9, 13
"""Lines of prose, each in a section of its own."""


def checked(text: str = TEXT, *findings: Finding) -> CheckedAdr:
    source = Source(parse(text.encode(), "docs/adr/0007-x.md"))
    report = check_file(source, RULESET)
    return CheckedAdr(source.doc, report._replace(findings=findings) if findings else report)


def finding(
    line: int, subject: str = "one", check: str = "own", severity: str = "error"
) -> Finding:
    path = "docs/adr/0007-x.md"
    message = f"a message about line {line}"
    return Finding(severity, check, "rules", message, path, line, line, subject=subject)


def information(now: CheckedAdr, *before: CheckedAdr) -> list[bool]:
    """Return of each finding whether it is old."""
    report = as_information(now, before, RULESET.meanings, {})
    return [item.message.endswith(NOTE) and item.severity == "info" for item in report.findings]


@pytest.mark.parametrize(("now", "before", "is_old"), [
    (finding(CONTEXT), finding(CONTEXT), True),
    (finding(CONTEXT), finding(NOTES), False),
    (finding(CONTEXT), finding(CONTEXT, check="other"), False),
    (finding(CONTEXT), finding(CONTEXT, "other"), False),
    (finding(CONTEXT), finding(CONTEXT, severity="warning"), False),
    (finding(CONTEXT, severity="warning"), finding(CONTEXT), True),
    (finding(CONTEXT, "one"), finding(CONTEXT, "two\none"), True),
    (finding(CONTEXT, "one\ntwo"), finding(CONTEXT, "one"), False),
    (finding(CONTEXT, "x", "section-missing"), finding(1, "x", "section-missing"), True),
    (finding(CONTEXT, check="accepted-changed"), finding(CONTEXT, check="accepted-changed"), False),
    (finding(CONTEXT, check="merge-conflict"), finding(CONTEXT, check="merge-conflict"), False),
])  # fmt: skip
def test_what_is_the_same_finding(now: Finding, before: Finding, is_old: bool) -> None:
    assert information(checked(TEXT, now), checked(TEXT, before)) == [is_old]


def test_a_finding_more_of_the_same_kind_is_new() -> None:
    twice = checked(TEXT, finding(CONTEXT), finding(CONTEXT))
    once = checked(TEXT, finding(CONTEXT))
    assert information(twice, once) == [True, False]
    assert information(twice, once, once) == [True, False], "two sides of a merge had the same one"
    assert information(twice, twice) == [True, True]


def test_a_line_of_other_words_is_new() -> None:
    before = checked(TEXT, finding(CONTEXT))
    other = TEXT.replace("forgets orders whenever somebody restarts", "knows nothing at all about")
    assert information(checked(other, finding(CONTEXT)), before) == [False]
    wrapped = TEXT.replace("orders whenever", "orders\nwhenever")
    assert information(checked(wrapped, finding(CONTEXT)), before) == [True]


@pytest.mark.parametrize(("old", "new", "is_same"), [
    ("queue forgets", "queue foregts", True),
    ("Proposed", "Accepted", False),
    ("Proposed", "Superseded by ADR-8", True),
    ("Proposed", "In force since May", False),
    (TEXT[TEXT.index("## Context") :], "## Context\n\nAll of it is said anew, and it is another text.\n", False),
])  # fmt: skip
def test_when_an_adr_is_measured_by_the_version_before(old: str, new: str, is_same: bool) -> None:
    assert is_measured(checked(TEXT.replace(old, new)), checked()) is is_same


findings = st.builds(
    finding,
    st.sampled_from((1, CONTEXT, NOTES)),
    st.sampled_from(("one", "two", "one\ntwo")),
    st.sampled_from(("one", "other", "merge-conflict")),
    st.sampled_from(SEVERITIES),
)


@settings(max_examples=series.examples(400), deadline=None)
@given(st.lists(findings, min_size=1, max_size=8), st.lists(findings, min_size=1, max_size=8))
def test_no_more_is_old_than_there_was(now: list[Finding], before: list[Finding]) -> None:
    old = information(checked(TEXT, *now), checked(TEXT, *before))
    noted = keys_of(item for item, is_old in zip(now, old, strict=True) if is_old)
    there = keys_of(before)
    assert all(count <= there[key] for key, count in noted.items())
    assert all(item.severity != "info" and item.check != "merge-conflict"
               for item, is_old in zip(now, old, strict=True) if is_old)  # fmt: skip
