"""The report for a pull request's comment or a job's summary.

Text of an ADR is inert: it mentions nobody, links nothing and shows no picture.
"""

from collections.abc import Iterator, Sequence

from ..adr.check_report import CheckReport
from ..finding import SEVERITIES, Finding
from ..text.plural import counted
from ..text.sanitize import inert_cell
from . import mermaid
from .addresses import address
from .graph import connected, decision_graph

MOST = 100
"""Rows of one kind that are shown."""
_LARGEST, _LARGEST_PART = 60_000, 45_000
"""Characters of all and of one table or picture: GitHub takes comments of up to 65,536, and Mermaid
draws no more than 50,000.
"""
_LEFT_OUT = (
    "Some of it is too long for this page and is left out; `helix-hooks check` and "
    "`helix-hooks graph` print all."
)


def render(report: CheckReport) -> str:
    """Headline, findings by file, what was suppressed or not checked, and the graph of the
    decisions.
    """
    errors = report.count("error")
    parts = [
        f"## helix-hooks: {counted(errors, 'error') if errors else 'passed'}",
        _summary(report),
    ]
    size = sum(map(len, parts))
    left_out = False
    for part in (*_tables(report), *_suppressed(report), *_skipped(report), *_graph(report)):
        if len(part) > _LARGEST_PART or size + len(part) > _LARGEST:
            left_out = True
        else:
            parts.append(part)
            size += len(part)
    return "\n\n".join([*parts, *([_LEFT_OUT] if left_out else [])]) + "\n"


def _summary(report: CheckReport) -> str:
    found = (
        (report.count("error"), "error"),
        (report.count("warning"), "warning"),
        (report.count("info"), "info"),
    )
    words = [counted(number, noun) for number, noun in found if number] or ["no findings"]
    suppressed = [f"{report.suppressed} suppressed"] if report.suppressed else []
    return (
        f"{len(report.files) or 'No'} ADR{'' if len(report.files) == 1 else 's'} checked: "
        f"{', '.join([*words, *suppressed])}."
    )


def _tables(report: CheckReport) -> Iterator[str]:
    """A table a file; of too many findings the worst."""
    found = [finding for file in report.files for finding in file.findings]
    shown = set(sorted(found, key=lambda finding: SEVERITIES.index(finding.severity))[:MOST])
    if len(found) > MOST:
        yield f"The worst {MOST} of {len(found)} findings are shown."
    for file in report.files:
        rows = [_row(finding) for finding in file.findings if finding in shown]
        if rows:
            yield (
                f"### {inert_cell(file.path)}\n\n"
                f"{_table(('severity', 'line', 'finding', 'rule'), rows)}"
            )


def _row(finding: Finding) -> tuple[str, ...]:
    severity = f"**{finding.severity}**" if finding.severity == "error" else finding.severity
    help = f"<br><sub>{inert_cell(finding.help)}</sub>" if finding.help else ""
    rule, page = inert_cell(finding.check), address(finding)
    return (
        severity,
        str(finding.line),
        f"{inert_cell(finding.message)}{help}",
        f"[{rule}]({page})" if page else rule,
    )


def _suppressed(report: CheckReport) -> Iterator[str]:
    items = [item for file in report.files for item in file.suppressed]
    rows = [
        (
            f"{inert_cell(item.finding.path)}:{item.finding.line}",
            *map(inert_cell, (item.finding.message, item.finding.check, item.reason)),
        )
        for item in items
    ]
    yield from _folded("suppressed", ("where", "finding", "rule", "reason"), rows)


def _skipped(report: CheckReport) -> Iterator[str]:
    rows = [
        (inert_cell(skip.path), inert_cell(skip.check or "all rules"), inert_cell(skip.reason))
        for skip in report.skipped
    ]
    yield from _folded("not checked", ("where", "rule", "reason"), rows)


def _folded(title: str, heads: tuple[str, ...], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    if rows:
        more = [f"{len(rows) - MOST} more are not shown."] if len(rows) > MOST else []
        yield "\n\n".join(
            [
                f"<details>\n<summary>{len(rows)} {title}</summary>",
                _table(heads, rows[:MOST]),
                *more,
                "</details>",
            ]
        )


def _table(heads: tuple[str, ...], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in (heads, ["---"] * len(heads), *rows))


def _graph(report: CheckReport) -> Iterator[str]:
    if drawn := graph(report):
        yield f"### How these decisions are related\n\n{drawn}"


def graph(report: CheckReport) -> str:
    """A picture of the ADRs that refer to others, and of those; an ADR on its own needs none."""
    entries = (file.entry for file in report.files if file.entry)
    drawn = connected(decision_graph(entries, with_missing=True))
    return f"```mermaid\n{mermaid.render(drawn)}```" if drawn.edges else ""
