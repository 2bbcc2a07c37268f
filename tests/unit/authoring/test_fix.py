"""Reasons not to apply fixes."""

import pytest

from helix_hooks.adr.check_report import CheckReport, FileReport, Skipped
from helix_hooks.adr.model import Fix
from helix_hooks.authoring.fix import why_not
from helix_hooks.finding import Finding

STATUS = Fix("header-invalid", "a.md", 1, "status", ())


def report(**findings: str) -> CheckReport:
    """Return a report on files `a.md` and so on, each with rules such as `header-invalid=error`."""
    files = []
    for name, text in findings.items():
        path = f"{name}.md"
        pairs = (word.split("=") for word in text.split())
        found = tuple(Finding(severity, check, "structure", "m", path) for check, severity in pairs)
        files.append(FileReport(path, found, {}))
    return CheckReport(tuple(files))


INVALID = "header-invalid=error"


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ({"a": INVALID, "b": ""}, {"a": "", "b": ""}, ""),
        ({"a": INVALID, "b": ""}, {"a": "", "b": "section-missing=info"}, ""),
        (
            {"a": INVALID, "b": ""},
            {"a": "", "b": "section-missing=warning"},
            "b.md would get a finding of section-missing",
        ),
        (
            {"a": f"{INVALID} placeholder=warning"},
            {"a": "placeholder=error"},
            "a.md would get a finding of placeholder",
        ),
        (
            {"a": f"{INVALID} placeholder=error"},
            {"a": "placeholder=info"},
            "an error of placeholder in a.md would be hidden",
        ),
        ({"a": INVALID}, {"a": INVALID}, "the finding of header-invalid in a.md would stay"),
        ({"a": INVALID, "b": ""}, {"a": ""}, "an ADR would no longer be checked"),
    ],
)
def test_a_fix_is_applied_that_only_repairs(
    before: dict[str, str], after: dict[str, str], reason: str
) -> None:
    assert why_not(report(**before), report(**after), [STATUS]) == reason


def test_an_adr_that_is_no_longer_checked() -> None:
    before = report(a="header-invalid=error", b="")
    after = report(a="", b="")._replace(skipped=(Skipped("", "c.md", "r"),))
    assert "no longer be checked" in why_not(before, after, [STATUS])


def test_a_renamed_file_is_the_same_file() -> None:
    number = Fix("duplicate-id", "a.md", 1, "renamed", (), "c.md")
    before = report(a="duplicate-id=error section-missing=warning")
    after = report(c="section-missing=warning")
    assert why_not(before, after, [number]) == ""
