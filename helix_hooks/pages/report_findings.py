"""The findings of a report: grouped by file, each with its source; and by rule, with counts."""

from collections.abc import Iterable, Sequence

import htpy as h
from markupsafe import Markup

from ..adr.check_report import FileReport
from ..finding import SEVERITIES, Finding
from ..report import HOME, RULES
from ..report.rule_pages import Page
from ..text.plural import counted
from ..text.sanitize import printable, without_tokens
from .document_text import html_of
from .report_view import NumberedFinding, ReportView
from .shown import line, quoted

MOST_FINDINGS, MOST_SOURCES = 3_000, 1_000
"""Findings that are listed, and those of them that are shown with their source; worst first."""

_MOST_PLACES = 50
"""Findings of a rule that are listed under it."""
_MOST_OPEN = 8
"""Files with errors that are shown unfolded."""
_AROUND, _MOST_LINES, _MOST_CHARACTERS = 1, 6, 300
_JUDGED = "agent"

Numbered = dict[str, list[NumberedFinding]]


def numbered(files: Iterable[FileReport]) -> Numbered:
    """Return the findings that are listed, by path, with a number for each."""
    listed = [(file, finding) for file in files for finding in file.findings]
    listed.sort(key=lambda item: SEVERITIES.index(item[1].severity))
    chosen = {id(finding) for _, finding in listed[:MOST_FINDINGS]}
    with_source = {id(finding) for _, finding in listed[:MOST_SOURCES]}
    listed.sort(key=lambda item: (item[0].path, item[1].line))
    found: Numbered = {}
    number = 0
    for file, finding in listed:
        if id(finding) not in chosen:
            continue
        number += 1
        lines = file.lines if id(finding) in with_source else {}
        found.setdefault(file.path, []).append(NumberedFinding(number, finding, lines))
    return found


def findings_sections(view: ReportView, found: Numbered) -> h.Node:
    """Return the sections of files and of rules; none where nothing was found."""
    if not found:
        return None
    files = {file.path: file for file in view.report.files}
    total = sum(len(file.findings) for file in files.values())
    ordered = sorted(found, key=lambda path: (_rank(found[path]), path))
    return h.div(".found")[
        _filter(found),
        h.section("#findings", aria_labelledby="findings-title")[
            h.h2("#findings-title")["Findings by file"],
            _cut(total),
            (
                _file(files[path], found[path], is_open=number < _MOST_OPEN)
                for number, path in enumerate(ordered)
            ),
        ],
        _rules(view, found),
    ]


def _rank(findings: Sequence[NumberedFinding]) -> tuple[int, ...]:
    """Return a key that puts the file with the most errors first."""
    return tuple(-_count(findings, severity) for severity in SEVERITIES)


def _count(findings: Iterable[NumberedFinding], severity: str) -> int:
    return sum(item.finding.severity == severity for item in findings)


def _cut(total: int) -> h.Node:
    """Return what is left out of the page, so that nobody takes it for all."""
    if total <= MOST_SOURCES:
        return None
    listed = min(total, MOST_FINDINGS)
    words = f"{listed} of {total} findings are listed, the worst first" if total > listed else ""
    sources = f"the first {MOST_SOURCES} have their source"
    more = "`helix-hooks check` prints all."
    return h.p(".partial")[f"{'; '.join(filter(None, (words, sources)))}. {more}"]


def _filter(found: Numbered) -> h.Element:
    """Return the fields of the filter, which only the script shows."""
    findings = [item.finding for items in found.values() for item in items]
    rules = sorted({finding.check for finding in findings})
    used = [name for name in SEVERITIES if any(item.severity == name for item in findings)]
    return h.form("#filter", hidden=True, role="search", aria_label="Filter of findings")[
        h.label[
            h.span["Filter findings ", h.kbd["/"]],
            h.input(type="search", id="filter-text", placeholder="Words or a path"),
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
                for name in used
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
            h.span(".m")[line(title, 100)] if title else None,
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
    rule = line(finding.check)
    return h.li(id=item.anchor, data_severity=finding.severity, data_rule=rule)[
        h.p[
            h.span(f".severity.{finding.severity}")[f"{finding.severity}:"],
            " ",
            line(finding.message, 600),
        ],
        _source(item),
        h.p(".help")[line(finding.help, 600)] if finding.help else None,
        h.p(".m")[f"Line {finding.line} · ", h.a(href=f"#{_rule_anchor(finding.check)}")[rule]],
    ]


def _rule_anchor(rule: str) -> str:
    return f"rule-{quoted(rule)}"


def _source(item: NumberedFinding) -> h.Node:
    finding, lines = item.finding, item.lines
    if not lines.get(finding.line, "").strip():
        return None
    last = min(max(finding.end_line, finding.line), finding.line + _MOST_LINES - 1)
    wanted = range(finding.line - _AROUND, last + _AROUND + 1)
    rows = [
        _row(number, lines[number], finding, is_hit=finding.line <= number <= last)
        for number in wanted
        if number in lines and (number == finding.line or lines[number].strip())
    ]
    label = f"Source of finding {item.number}"
    return h.pre(".source", tabindex="0", role="region", aria_label=label)[rows]


def _row(number: int, text: str, finding: Finding, *, is_hit: bool) -> h.Element:
    shown: h.Node = printable(text, _MOST_CHARACTERS)
    if is_hit and number == finding.line:
        shown = _marked(text, finding)
    return h.span(".hit" if is_hit else "")[h.i[str(number)], h.code[shown], "\n"]


def _marked(text: str, finding: Finding) -> h.Node:
    """Return a line with the words in question marked, where the finding says which."""
    end = finding.end_column
    masked = without_tokens(text)
    is_known = finding.column < end <= min(len(text) + 1, _MOST_CHARACTERS)
    if not is_known or masked != text or finding.end_line > finding.line:
        return printable(text, _MOST_CHARACTERS)
    start = finding.column - 1
    parts = (text[:start], text[start : end - 1], text[end - 1 :])
    before, words, after = (printable(part, _MOST_CHARACTERS) for part in parts)
    return [before, h.mark[words], after]


def _rules(view: ReportView, found: Numbered) -> h.Element:
    by_rule: dict[str, list[NumberedFinding]] = {}
    for findings in found.values():
        for item in findings:
            by_rule.setdefault(item.finding.check, []).append(item)
    ordered = sorted(by_rule, key=lambda rule: (_rank(by_rule[rule]), rule))
    return h.section("#rules", aria_labelledby="rules-title")[
        h.h2("#rules-title")["Findings by rule"],
        (_rule(rule, by_rule[rule], view.rules.get(rule)) for rule in ordered),
    ]


def _rule(rule: str, findings: Sequence[NumberedFinding], page: Page | None) -> h.Element:
    places = findings[:_MOST_PLACES]
    left_out = len(findings) - len(places)
    return h.details(".rule", data_rule=line(rule))[
        h.summary[
            h.span(".path")[line(rule)],
            h.span(".m")[line(page.title, 200)] if page else None,
            _counts(findings),
        ],
        h.div(id=_rule_anchor(rule))[
            h.div(".text")[_explanation(page)] if page else None,
            h.p(".m")[h.a(href=_address(findings[0].finding), rel="noreferrer")[_PAGE]],
            h.ul(".plain")[
                (h.li[h.a(href=f"#{item.anchor}")[_place(item.finding)]] for item in places)
            ],
            h.p(".m")[f"and {left_out} more, in the list by file"] if left_out else None,
        ],
    ]


_PAGE = "The rule's page, with examples"


def _explanation(page: Page) -> Markup:
    return html_of(page.text)


def _address(finding: Finding) -> str:
    """Return the address of a rule's page; a judge's findings have one together."""
    is_judged = finding.layer == _JUDGED
    return f"{HOME}/blob/main/docs/judges.md" if is_judged else f"{RULES}#{quoted(finding.check)}"


def _place(finding: Finding) -> str:
    return f"{line(finding.path)}:{finding.line}"
