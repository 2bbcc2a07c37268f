"""JUnit XML for Jenkins, GitLab and reporters on GitHub: one test case per ADR."""

from ..adr.check_report import CheckReport, FileReport, Skipped
from ..finding import Finding
from ..paths import without_suffix
from ..text import xml


def render(report: CheckReport) -> str:
    """Return one test suite in ASCII, without the characters that XML forbids."""
    failures = sum(not file.passed for file in report.files)
    counts = (
        f'tests="{len(report.files) + len(report.skipped)}" failures="{failures}" errors="0" '
        f'skipped="{len(report.skipped)}" time="0"'
    )
    cases: list[str] = []
    for file in report.files:
        cases += _case(file)
    for skip in report.skipped:
        cases += _skipped(skip)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="helix-hooks" {counts}>',
        f'  <testsuite name="helix-hooks" {counts}>',
        f'    <properties><property name="suppressed" value="{report.suppressed}"/></properties>',
        *cases,
        "  </testsuite>",
        "</testsuites>",
    ]
    return "\n".join(lines) + "\n"


def _case(file: FileReport) -> list[str]:
    body = [_failure(finding) for finding in file.findings if finding.severity == "error"]
    others = [_line(finding) for finding in file.findings if finding.severity != "error"]
    if others:
        body.append(f"      <system-out>{chr(10).join(others)}</system-out>")
    return _element(_class(file.path), file.path, file.path, body)


def _skipped(skip: Skipped) -> list[str]:
    """Return the test case of a skipped check, with the names of the rule and the file."""
    name = " ".join(filter(None, (skip.check, skip.path))) or "all checks"
    return _element(
        "not checked", name, skip.path, [f'      <skipped message="{xml(skip.reason)}"/>']
    )


def _element(classname: str, name: str, file: str, body: list[str]) -> list[str]:
    start = f'    <testcase classname="{xml(classname)}" name="{xml(name)}"'
    if file:
        start = f'{start} file="{xml(file)}"'
    if not body:
        return [f'{start} time="0"/>']
    return [f'{start} time="0">', *body, "    </testcase>"]


def _class(path: str) -> str:
    """Return a path as the name of a class: `docs/adr/0007-a.md` as `docs.adr.0007-a`."""
    # Readers of JUnit XML group test cases by the parts of this name.
    return without_suffix(path).strip("/").replace("/", ".")


def _failure(finding: Finding) -> str:
    lines = [xml(f"{finding.path}:{finding.line}")]
    if finding.help:
        lines.append(xml(finding.help))
    attributes = f'type="{xml(finding.check)}" message="{xml(finding.message)}"'
    return f"      <failure {attributes}>{chr(10).join(lines)}</failure>"


def _line(finding: Finding) -> str:
    place = f"{finding.path}:{finding.line}"
    line = f"{place}: {finding.severity}: {finding.message} [{finding.check}]"
    if finding.help:
        line = f"{line} = {finding.help}"
    return xml(line)
