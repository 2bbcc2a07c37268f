"""The findings of a changed ADR that it had before the change. They are information."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Mapping
from itertools import pairwise
from typing import NamedTuple

from ..finding import SEVERITIES, Finding, Key, key_of
from .check_report import FileReport
from .corpus import CLOSED, REFUSED
from .names.heading import Meanings, normalise
from .parse.document import AdrDocument
from .rules.registry import OF_THE_CHANGE
from .rules.structure.file_unreadable import file_unreadable
from .rules.structure.merge_conflict import merge_conflict

NOTE = " (pre-existing)"
"""The end of the message of an old finding."""

_RENAMED = "\0"
"""The name of each section that only one of the versions has."""

_NEVER_OLD = OF_THE_CHANGE | {file_unreadable.id, merge_conflict.id}
"""Rules on the change itself, and rules that prevent all others from running."""

_ABSENT, _NO_HEADING = "section-missing", "headings-missing"
"""The rule on one section, and the rule on a text in which no section has a heading."""

PlacedKey = tuple[str, Key]
"""Section and key of a finding."""
Known = tuple[str, str, Key]
"""Severity, section and key of a finding from before."""
Pairs = Counter[tuple[bytes, bytes]]
"""The pairs of neighbouring words of a text."""


class CheckedAdr(NamedTuple):
    """An ADR at one moment: its document, and the report of a check of it."""

    doc: AdrDocument
    report: FileReport


def is_measured(now: CheckedAdr, before: CheckedAdr) -> bool:
    """Return whether old findings are information: it is the same ADR, with the same status.

    A retired ADR need not be completed, so its status may change.
    """
    if before.doc.defect or not is_same_text(now.doc, before.doc):
        return False
    is_retired = now.report.status in (*CLOSED, *REFUSED)
    return is_retired or _state(now) == _state(before)


def as_information(
    now: CheckedAdr, before: Collection[CheckedAdr], meanings: Meanings, names: Mapping[str, str]
) -> FileReport:
    """Return the report, with findings that one of the versions before had as information.

    `names` maps the old names of renamed files to new ones.
    """
    old: set[int] = set()
    for version in before:
        old.update(_old(now, version, meanings=meanings, names=names))
    findings = list(now.report.findings)
    for number in old:
        findings[number] = _noted(findings[number])
    return now.report._replace(findings=tuple(findings))


def _noted(finding: Finding) -> Finding:
    return finding._replace(severity="info", message=f"{finding.message}{NOTE}")


def _old(
    now: CheckedAdr, before: CheckedAdr, *, meanings: Meanings, names: Mapping[str, str]
) -> list[int]:
    """Return the numbers of the findings that a version had: as many as it had of each kind."""
    places, places_before = _Places(now.doc, meanings), _Places(before.doc, meanings)
    shared = places.names & places_before.names
    known = _known(before.report, places_before, shared, names)
    had_no_heading = _has(before.report, _NO_HEADING)
    pairs = _pairs(before.doc.data)
    texts = now.doc.texts({finding.line for finding in now.report.findings})
    old: list[int] = []
    for number, finding in enumerate(now.report.findings):
        if finding.severity == "info" or finding.check in _NEVER_OLD:
            continue
        text = texts[finding.line] if places.is_prose(finding.line) else ""
        keys = _keys(finding, places.section(finding.line, shared), {})
        was_there = not _is_new_text(text, pairs) and _was_known(finding, keys, known)
        # Such a text lacked all sections, though the report names none of them.
        if was_there or (had_no_heading and finding.check == _ABSENT):
            old.append(number)
    return old


def _known(
    report: FileReport, places: "_Places", shared: Collection[str], names: Mapping[str, str]
) -> Counter[Known]:
    known: Counter[Known] = Counter()
    for finding in report.findings:
        section = places.section(finding.line, shared)
        known.update((finding.severity, *key) for key in _keys(finding, section, names))
    return known


def _was_known(finding: Finding, keys: list[PlacedKey], known: Counter[Known]) -> bool:
    """Return whether a version had a finding, and then remove it from `known`."""
    matches = [_known_as(finding, key, known) for key in keys]
    if not all(matches):
        return False
    known.subtract(filter(None, matches))
    return True


def _keys(finding: Finding, section: str, names: Mapping[str, str]) -> list[PlacedKey]:
    """Return the placed keys of a finding. A missing section has no place."""
    place = "" if finding.check == _ABSENT else section
    return [(place, key) for key in key_of(finding, names)]


def _known_as(finding: Finding, key: PlacedKey, known: Counter[Known]) -> Known | None:
    """Return the matching old finding with the lowest severity that is at least as high."""
    for severity in reversed(SEVERITIES[: SEVERITIES.index(finding.severity) + 1]):
        if known[severity, *key] > 0:
            return (severity, *key)
    return None


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

    A header that cannot be read may have a status, so its whole text is returned too.
    """
    report = version.report
    if report.status:
        return report.status, ""
    if report.status_raw:
        return report.status_raw.casefold(), ""
    header = version.doc.front if _has(report, "header-invalid") else None
    return "", header or ""


def _has(report: FileReport, check: str) -> bool:
    return any(finding.check == check for finding in report.findings)


def _is_new_text(line: str, before: Pairs) -> bool:
    """Return whether most pairs of words of a line are new."""
    pairs = _pairs(line.encode())
    return 2 * (pairs & before).total() < pairs.total()


def is_same_text(now: AdrDocument, before: AdrDocument) -> bool:
    """Return whether at least half of the pairs of words from before are still there.

    Otherwise it is another ADR in the same file. Of the pairs of ADRs in one repository, 1 % share
    at least half.
    """
    old = _pairs(before.data)
    return 2 * (old & _pairs(now.data)).total() >= old.total()


def _pairs(data: bytes) -> Pairs:
    words = data.split()
    return Counter(pairwise(words))
