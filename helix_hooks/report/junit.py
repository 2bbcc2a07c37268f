"""JUnit XML, as Jenkins, GitLab and the reporters for GitHub read it: one test case an ADR."""

from ..adr.check_report import CheckReport, FileReport, Skipped
from ..finding import Finding
from ..text.sanitize import xml


def render(report: CheckReport) -> str:
    """One suite; ASCII only, and without the characters that XML forbids, so that every reader
    takes it.
    """
    failures = sum(not file.passed for file in report.files)
    counts = (
        f'tests="{len(report.files) + len(report.skipped)}" failures="{failures}" errors="0" '
        f'skipped="{len(report.skipped)}" time="0"'
    )
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="helix-hooks" {counts}>',
        f'  <testsuite name="helix-hooks" {counts}>',
        f'    <properties><property name="suppressed" value="{report.suppressed}"/></properties>',
        *(line for file in report.files for line in _case(file)),
        *(line for skip in report.skipped for line in _skipped(skip)),
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
    """A check that was not made, named after the rule and the file it would have been about."""
    name = " ".join(filter(None, (skip.check, skip.path))) or "all checks"
    return _element(
        "not checked", name, skip.path, [f'      <skipped message="{xml(skip.reason)}"/>']
    )


def _element(classname: str, name: str, file: str, body: list[str]) -> list[str]:
    place = f' file="{xml(file)}"' if file else ""
    start = f'    <testcase classname="{xml(classname)}" name="{xml(name)}"{place} time="0"'
    return [f"{start}>", *body, "    </testcase>"] if body else [f"{start}/>"]


def _class(path: str) -> str:
    """`docs/adr/0007-use-kafka.md` as `docs.adr.0007-use-kafka`."""
    return path.removesuffix(".md").strip("/").replace("/", ".")


def _failure(finding: Finding) -> str:
    text = "\n".join(xml(line) for line in (f"{finding.path}:{finding.line}", finding.help) if line)
    return (
        f'      <failure type="{xml(finding.check)}" '
        f'message="{xml(finding.message)}">{text}</failure>'
    )


def _line(finding: Finding) -> str:
    help = f" = {finding.help}" if finding.help else ""
    return xml(
        f"{finding.path}:{finding.line}: {finding.severity}: {finding.message} "
        f"[{finding.check}]{help}"
    )
