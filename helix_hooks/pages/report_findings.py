"""The findings of a report by file, each with its source."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import htpy as h

from ..adr.check_report import FileReport
from ..finding import SEVERITIES, Finding
from ..report.identity import address
from ..text import counted, printable, without_tokens
from .shown import line

MOST_FINDINGS = 3_000
"""Maximum number of findings on the page, worst first."""

MOST_SOURCES = 1_000
"""Maximum number of findings that are shown with their source, worst first."""


_MOST_OPEN = 8
"""Maximum number of files with errors that are shown unfolded."""
_AROUND, _MOST_LINES, _MOST_CHARACTERS = 1, 6, 300
"""Of a source: lines around a finding, lines of a finding, characters of a line."""


class NumberedFinding(NamedTuple):
    """A finding with its number on the page, from 1, and the texts of the lines around it."""

    number: int
    finding: Finding
    lines: Mapping[int, str]

    @property
    def anchor(self) -> str:
        return f"f{self.number}"


Numbered = dict[str, list[NumberedFinding]]


def numbered(files: Iterable[FileReport]) -> Numbered:
    """Return the worst findings by path, each with its number on the page, by path and line."""
    worst = [(finding, file) for file in files for finding in file.findings]
    worst.sort(key=lambda pair: SEVERITIES.index(pair[0].severity))
    listed = [
        (file.path, NumberedFinding(0, finding, file.lines if place < MOST_SOURCES else {}))
        for place, (finding, file) in enumerate(worst[:MOST_FINDINGS])
    ]
    listed.sort(key=lambda pair: (pair[0], pair[1].finding.line))
    by_path: Numbered = {}
    for number, (path, item) in enumerate(listed, 1):
        by_path.setdefault(path, []).append(item._replace(number=number))
    return by_path


def findings_section(reports: Iterable[FileReport], by_path: Numbered) -> h.Node:
    """Return the findings, files with the most errors first; None without findings."""
    if not by_path:
        return None
    files = {file.path: file for file in reports}
    total = sum(len(file.findings) for file in files.values())
    ordered = sorted(by_path, key=lambda path: (_rank(by_path[path]), path))
    sections = (
        _file(files[path], by_path[path], is_open=number < _MOST_OPEN)
        for number, path in enumerate(ordered)
    )
    return h.section("#findings", aria_labelledby="findings-title")[
        h.h2("#findings-title")["Findings"],
        _filter(by_path),
        _cut(total),
        sections,
    ]


def _rank(findings: Sequence[NumberedFinding]) -> tuple[int, ...]:
    """Return a sort key that puts the file with the most errors first."""
    return tuple(-_count(findings, severity) for severity in SEVERITIES)


def _count(findings: Iterable[NumberedFinding], severity: str) -> int:
    return sum(item.finding.severity == severity for item in findings)


def _cut(total: int) -> h.Node:
    """Return a note on what the page leaves out, so that it does not look complete."""
    if total <= MOST_SOURCES:
        return None
    text = f"only the first {MOST_SOURCES} are shown with their source"
    if total > MOST_FINDINGS:
        text = f"{MOST_FINDINGS} of {total} findings are listed, the worst first; {text}"
    return h.p(".partial")[f"{text}. `helix-hooks check` prints all."]


def _filter(by_path: Numbered) -> h.Element:
    """Return the fields of the filter. They are hidden until the script shows them."""
    findings = [item for items in by_path.values() for item in items]
    rules = sorted({item.finding.check for item in findings})
    severities = [name for name in SEVERITIES if _count(findings, name)]
    return h.form("#filter", hidden=True, role="search", aria_label="Filter findings")[
        h.label[
            h.span["Filter findings ", h.kbd["/"]],
            h.input(type="search", id="filter-text", placeholder="Text or path"),
        ],
        h.label[
            h.span["Rule"],
            h.select("#filter-rule")[
                h.option(value="")["All rules"],
                (h.option(value=line(rule))[line(rule)] for rule in rules),
            ],
        ],
        h.fieldset[
            h.legend(".unseen")["Severities"],
            (
                h.label(".check")[h.input(type="checkbox", value=name, checked=True), name]
                for name in severities
            ),
        ],
        h.p("#filter-count", role="status"),
    ]


def _file(file: FileReport, findings: Sequence[NumberedFinding], *, is_open: bool) -> h.Element:
    errors = _count(findings, "error")
    title = file.entry.title if file.entry else ""
    return h.details(".file", open=is_open and errors > 0)[
        h.summary[
            h.span(".path")[line(file.path)],
            title and h.span(".m")[line(title, 100)],
            _counts(findings),
        ],
        h.ol(".findings")[(_finding(item) for item in findings)],
    ]


def _counts(findings: Sequence[NumberedFinding]) -> h.Element:
    counts = [(name, _count(findings, name)) for name in SEVERITIES]
    return h.span(".counts")[
        (h.span(f".severity.{name}")[counted(number, name)] for name, number in counts if number)
    ]


def _finding(item: NumberedFinding) -> h.Element:
    finding = item.finding
    rule, page = line(finding.check), address(finding)
    return h.li(id=item.anchor, data_severity=finding.severity, data_rule=rule)[
        h.p[
            h.span(f".severity.{finding.severity}")[f"{finding.severity}:"],
            " ",
            line(finding.message, 600),
        ],
        _source(item),
        finding.help and h.p(".help")[line(finding.help, 600)],
        h.p(".m")[
            f"Line {finding.line} · ", h.a(href=page, rel="noreferrer")[rule] if page else rule
        ],
    ]


def _source(item: NumberedFinding) -> h.Node:
    """Return the lines of a finding and those around it; None if its line is empty."""
    finding, lines = item.finding, item.lines
    if not lines.get(finding.line, "").strip():
        return None
    last = min(max(finding.end_line, finding.line), finding.line + _MOST_LINES - 1)
    rows = []
    for number in range(finding.line - _AROUND, last + _AROUND + 1):
        text = lines.get(number, "")
        if text.strip():
            is_hit = finding.line <= number <= last
            rows.append(_row(number, text, finding, is_hit=is_hit))
    label = f"Source of finding {item.number}"
    return h.pre(".source", tabindex="0", role="region", aria_label=label)[rows]


def _row(number: int, text: str, finding: Finding, *, is_hit: bool) -> h.Element:
    shown: h.Node = printable(text, _MOST_CHARACTERS)
    if is_hit and number == finding.line:
        shown = _marked(text, finding)
    return h.span(".hit" if is_hit else "")[h.i[str(number)], h.code[shown], "\n"]


def _marked(text: str, finding: Finding) -> h.Node:
    """Return a line with the words of the finding marked, if they are in this line only."""
    end = finding.end_column
    is_in_line = finding.column < end <= min(len(text) + 1, _MOST_CHARACTERS)
    # Masking a token would move the columns behind it.
    has_token = without_tokens(text) != text
    if not is_in_line or has_token or finding.end_line > finding.line:
        return printable(text, _MOST_CHARACTERS)
    start = finding.column - 1
    parts = (text[:start], text[start : end - 1], text[end - 1 :])
    before, words, after = (printable(part, _MOST_CHARACTERS) for part in parts)
    return [before, h.mark[words], after]
