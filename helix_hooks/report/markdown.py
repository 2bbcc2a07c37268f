"""The report in Markdown, for a comment on a pull request or the summary of a job.

Text of an ADR is inert: it has no effect as a mention, a link or an image.
"""

from collections.abc import Iterator, Sequence

from ..adr.check_report import CheckReport
from ..finding import SEVERITIES, Finding
from ..text import counted, inert_cell
from .drawing import mermaid
from .graph import connected, decision_graph
from .identity import address

MOST = 100
"""Maximum number of rows in a table."""
_LARGEST, _LARGEST_PART = 60_000, 45_000
"""Characters of all and of one table or picture: GitHub takes comments of up to 65,536, and Mermaid
draws no more than 50,000.
"""
_LEFT_OUT = (
    "The report is too long for this page and was truncated. `helix-hooks check` and "
    "`helix-hooks graph` print all."
)


def render(report: CheckReport) -> str:
    """Return the findings by file, suppressed findings, skipped checks and the decision graph.

    Parts that would make the text too long are left out.
    """
    errors = report.count("error")
    result = counted(errors, "error") if errors else "passed"
    parts = [f"## helix-hooks: {result}", _summary(report)]
    size = sum(map(len, parts))
    is_truncated = False
    for part in (*_tables(report), *_suppressed(report), *_skipped(report), *_graph(report)):
        if len(part) > _LARGEST_PART or size + len(part) > _LARGEST:
            is_truncated = True
        else:
            parts.append(part)
            size += len(part)
    if is_truncated:
        parts.append(_LEFT_OUT)
    return "\n\n".join(parts) + "\n"


def _summary(report: CheckReport) -> str:
    counts = {severity: report.count(severity) for severity in SEVERITIES}
    parts = [counted(number, noun) for noun, number in counts.items() if number] or ["no findings"]
    if report.suppressed:
        parts.append(f"{report.suppressed} suppressed")
    checked = counted(len(report.files), "ADR") if report.files else "No ADRs"
    return f"{checked} checked: {', '.join(parts)}."


def _tables(report: CheckReport) -> Iterator[str]:
    """Yield a table per file. If there are too many findings, only the worst are shown."""
    findings = report.findings
    worst = sorted(findings, key=lambda finding: SEVERITIES.index(finding.severity))[:MOST]
    shown = set(worst)
    if len(findings) > MOST:
        yield f"The worst {MOST} of {len(findings)} findings are shown."
    for file in report.files:
        rows = [_row(finding) for finding in file.findings if finding in shown]
        if rows:
            table = _table(("severity", "line", "finding", "rule"), rows)
            yield f"### {inert_cell(file.path)}\n\n{table}"


def _row(finding: Finding) -> tuple[str, ...]:
    severity = finding.severity
    if severity == "error":
        severity = f"**{severity}**"
    message = inert_cell(finding.message)
    if finding.help:
        message = f"{message}<br><sub>{inert_cell(finding.help)}</sub>"
    rule = inert_cell(finding.check)
    if page := address(finding):
        rule = f"[{rule}]({page})"
    return severity, str(finding.line), message, rule


def _suppressed(report: CheckReport) -> Iterator[str]:
    rows = []
    for item in [item for file in report.files for item in file.suppressed]:
        finding = item.finding
        place = f"{inert_cell(finding.path)}:{finding.line}"
        rows.append((place, *map(inert_cell, (finding.message, finding.check, item.reason))))
    yield from _folded("suppressed", ("where", "finding", "rule", "reason"), rows)


def _skipped(report: CheckReport) -> Iterator[str]:
    rows = [
        (inert_cell(skip.path), inert_cell(skip.check or "all rules"), inert_cell(skip.reason))
        for skip in report.skipped
    ]
    yield from _folded("not checked", ("where", "rule", "reason"), rows)


def _folded(title: str, heads: tuple[str, ...], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield a table that is closed until a reader opens it; nothing without rows."""
    if not rows:
        return
    # GitHub reads Markdown in `<details>` only behind a blank line.
    parts = [
        f"<details>\n<summary>{len(rows)} {title}</summary>",
        _table(heads, rows[:MOST]),
    ]
    if len(rows) > MOST:
        parts.append(f"{len(rows) - MOST} more are not shown.")
    yield "\n\n".join([*parts, "</details>"])


def _table(heads: tuple[str, ...], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in (heads, ["---"] * len(heads), *rows))


def _graph(report: CheckReport) -> Iterator[str]:
    if drawn := graph(report):
        yield f"### How these decisions are related\n\n{drawn}"


def graph(report: CheckReport) -> str:
    """Return the graph of the ADRs that refer to others, and of their targets; "" without any."""
    entries = (file.entry for file in report.files if file.entry)
    drawn = connected(decision_graph(entries, with_missing=True))
    if not drawn.edges:
        return ""
    return f"```mermaid\n{mermaid(drawn)}```"
