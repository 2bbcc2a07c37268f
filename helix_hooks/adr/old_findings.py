"""The findings of a changed ADR that it had before the change. They are information."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Mapping
from itertools import pairwise
from typing import NamedTuple

from ..finding import SEVERITIES, Finding
from .check_report import FileReport
from .corpus import CLOSED, REFUSED
from .finding_key import Key, key_of
from .names.heading import Meanings, normalise
from .parse.document import AdrDocument
from .rules.registry import BLOCKING, OF_REFERENCES, OF_THE_CHANGE, OF_THE_NAME

NOTE = " (was there before)"
"""The end of the message of an old finding."""

_RENAMED = "\0"
"""Stands for each section that only one of the versions has."""

_NEVER_OLD = OF_THE_CHANGE | {rule.id for rule in BLOCKING}
"""Rules on the change itself, and rules that prevent all others from running."""

_ABSENT, _NO_HEADING = "section-missing", "headings-missing"
"""The rule on one section, and the rule on a text in which no section has a heading."""

PlacedKey = tuple[str, Key]
"""Section and key of a finding."""
Known = tuple[str, str, Key]
"""Severity, section and key of a finding from before."""
Pairs = Counter[tuple[bytes, bytes]]
"""The pairs of neighbouring words of a text."""


class FileChange(NamedTuple):
    """A file since a revision: changed lines, the (check, message) pairs found in the version
    before as often and as severely, and whether it was renamed, or names ADRs that it did not name
    before.
    """

    lines: frozenset[int]
    before: frozenset[tuple[str, str]]
    renamed: bool = False
    refers: bool = False


class CheckedAdr(NamedTuple):
    """An ADR at one moment: its document, and the report of a check of it."""

    doc: AdrDocument
    report: FileReport


def is_measured(now: CheckedAdr, before: CheckedAdr) -> bool:
    """Return whether old findings are information: the ADR is the same one, in the same status.

    An ADR that is retired need not be completed for that.
    """
    if before.doc.defect or not _is_same_text(now.doc, before.doc):
        return False
    is_retired = now.report.status in (*CLOSED, *REFUSED)
    return is_retired or _state(now) == _state(before)


def as_information(
    now: CheckedAdr, before: Collection[CheckedAdr], meanings: Meanings, names: Mapping[str, str]
) -> FileReport:
    """Return the report, where a finding that one of the versions before had is information.

    `names` maps the old names of renamed files to new ones.
    """
    old = {
        number
        for version in before
        for number in _old(now, version, meanings=meanings, names=names)
    }
    findings = tuple(
        _noted(finding) if number in old else finding
        for number, finding in enumerate(now.report.findings)
    )
    return now.report._replace(findings=findings)


def on_unchanged_lines(report: FileReport, change: FileChange) -> FileReport:
    """Return the report with the findings on unchanged lines as information, except those that the
    change caused.
    """
    findings = tuple(
        finding._replace(severity="info") if _is_untouched(finding, change) else finding
        for finding in report.findings
    )
    return report._replace(findings=findings)


def _is_untouched(finding: Finding, change: FileChange) -> bool:
    if finding.check in _NEVER_OLD or finding.line in change.lines:
        return False
    is_caused = (change.renamed and finding.check in OF_THE_NAME) or (
        change.refers and finding.check in OF_REFERENCES
    )
    is_known = (finding.check, finding.message) in change.before
    return is_known or (finding.layer == "corpus" and not is_caused)


def _noted(finding: Finding) -> Finding:
    return finding._replace(severity="info", message=f"{finding.message}{NOTE}")


def _old(
    now: CheckedAdr, before: CheckedAdr, *, meanings: Meanings, names: Mapping[str, str]
) -> list[int]:
    """Return the numbers of the findings that a version had: as many as it had of each kind."""
    places, places_before = (_Places(item.doc, meanings) for item in (now, before))
    shared = places.names & places_before.names
    known = Counter(
        (finding.severity, *key)
        for finding in before.report.findings
        for key in _keys(finding, places_before.section(finding.line, shared), names)
    )
    had_no_heading = any(finding.check == _NO_HEADING for finding in before.report.findings)
    pairs = _pairs(before.doc.data)
    texts = now.doc.texts({finding.line for finding in now.report.findings})
    old: list[int] = []
    for number, finding in enumerate(now.report.findings):
        if finding.severity == "info" or finding.check in _NEVER_OLD:
            continue
        keys = _keys(finding, places.section(finding.line, shared), {})
        is_new = places.is_prose(finding.line) and _is_new_text(texts[finding.line], pairs)
        excuses = [_excuse(finding, key, known) for key in keys]
        if not is_new and all(excuses):
            known.subtract(filter(None, excuses))
            old.append(number)
        elif finding.check == _ABSENT and had_no_heading:
            old.append(number)
    return old


def _keys(finding: Finding, section: str, names: Mapping[str, str]) -> list[PlacedKey]:
    """Return the placed keys of a finding.

    A missing section has no place, whatever heading the message names.
    """
    if finding.check == _ABSENT:
        return [("", (_ABSENT, finding.message.partition(": ")[0]))]
    return [(section, key) for key in key_of(finding, names)]


def _excuse(finding: Finding, key: PlacedKey, known: Counter[Known]) -> Known | None:
    """Return the old finding with the mildest severity that is not milder than the finding."""
    severities = reversed(SEVERITIES[: SEVERITIES.index(finding.severity) + 1])
    found = ((severity, *key) for severity in severities)
    return next((item for item in found if known[item] > 0), None)


class _Places:
    """The sections of a document by line. Headings with the same meaning are the same section."""

    def __init__(self, doc: AdrDocument, meanings: Meanings) -> None:
        self._lines = [doc.line_at(section.heading_start) for section in doc.sections]
        self._names = [
            next(iter(meanings.of(section.title)), normalise(section.title))
            for section in doc.sections
        ]
        self.names = frozenset(self._names)

    def section(self, line: int, shared: Collection[str]) -> str:
        """Return the section of a line; "" above the first one."""
        number = bisect_right(self._lines, line)
        if not number:
            return ""
        name = self._names[number - 1]
        return name if name in shared else _RENAMED

    def is_prose(self, line: int) -> bool:
        """Return whether a line is below a heading and is not a heading.

        A finding at a title, a heading or the header is about what the ADR lacks.
        """
        number = bisect_right(self._lines, line)
        return bool(number) and self._lines[number - 1] != line


def _state(version: CheckedAdr) -> tuple[str, str]:
    """Return the status, as written if it is unknown.

    If the header cannot be read, it may state a status, so its whole text is returned too.
    """
    report = version.report
    if report.status:
        return report.status, ""
    is_unread = any(finding.check == "header-invalid" for finding in report.findings)
    header = version.doc.front or "" if is_unread and not report.status_raw else ""
    return report.status_raw.casefold(), header


def _is_new_text(line: str, before: Pairs) -> bool:
    """Return whether most words of a line were not there together."""
    pairs = _pairs(line.encode())
    return 2 * (pairs & before).total() < pairs.total()


def _is_same_text(now: AdrDocument, before: AdrDocument) -> bool:
    """Return whether at least half of the pairs of words from before are still there.

    Otherwise it is another ADR in the same file. Of the pairs of ADRs in one repository, 1 % share
    at least half.
    """
    old = _pairs(before.data)
    return 2 * (old & _pairs(now.data)).total() >= old.total()


def _pairs(data: bytes) -> Pairs:
    words = data.split()
    return Counter(pairwise(words))
