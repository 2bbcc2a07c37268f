"""Reasons not to apply fixes."""

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


def test_a_repaired_finding() -> None:
    assert why_not(report(a="header-invalid=error", b=""), report(a="", b=""), [STATUS]) == ""


def test_a_new_finding_in_any_file() -> None:
    before = report(a="header-invalid=error", b="")
    for severity in ("error", "warning"):
        after = report(a="", b=f"section-missing={severity}")
        assert "b.md would get a finding of section-missing" in why_not(before, after, [STATUS])
    assert why_not(before, report(a="", b="section-missing=info"), [STATUS]) == ""


def test_a_warning_that_becomes_an_error() -> None:
    before = report(a="header-invalid=error placeholder=warning")
    reason = why_not(before, report(a="placeholder=error"), [STATUS])
    assert reason == "a.md would get a finding of placeholder"


def test_an_error_that_is_hidden() -> None:
    before = report(a="header-invalid=error placeholder=error")
    reason = why_not(before, report(a="placeholder=info"), [STATUS])
    assert reason == "an error of placeholder in a.md would be hidden"


def test_a_finding_that_stays() -> None:
    before = report(a="header-invalid=error")
    assert "would stay" in why_not(before, before, [STATUS])


def test_an_adr_that_is_no_longer_checked() -> None:
    before = report(a="header-invalid=error", b="")
    assert "no longer be checked" in why_not(before, report(a=""), [STATUS])
    after = report(a="", b="")._replace(skipped=(Skipped("", "c.md", "r"),))
    assert "no longer be checked" in why_not(before, after, [STATUS])


def test_a_renamed_file_is_the_same_file() -> None:
    number = Fix("duplicate-id", "a.md", 1, "renamed", (), "c.md")
    before = report(a="duplicate-id=error section-missing=warning")
    after = report(c="section-missing=warning")
    assert why_not(before, after, [number]) == ""
