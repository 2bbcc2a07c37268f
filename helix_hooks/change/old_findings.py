"""The findings of a changed ADR that it had before the change. They are information."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Mapping
from typing import NamedTuple

from ..adr.check_report import FileReport
from ..adr.corpus import CLOSED, REFUSED
from ..adr.names import Meanings, normalise
from ..adr.parse.document import AdrDocument, is_same_text, word_pairs
from ..adr.rules.registry import OF_THE_CHANGE
from ..adr.rules.structure.file_unreadable import file_unreadable
from ..adr.rules.structure.merge_conflict import merge_conflict
from ..finding import SEVERITIES, Finding, Key, key_of

NOTE = " (pre-existing)"
"""The end of the message of an old finding."""

_RENAMED = "\0"
"""The name of each section that only one of the versions has."""

_NEVER_OLD = OF_THE_CHANGE | {file_unreadable.id, merge_conflict.id}
"""Rules on the change itself, and rules that prevent all others from running."""

_ABSENT = "section-missing"

PlacedKey = tuple[str, Key]
"""Section and key of a finding."""
Known = tuple[str, str, Key]
"""Severity, section and key of a finding from before."""


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
    return now.report.status in (*CLOSED, *REFUSED) or _state(now) == _state(before)


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
        message = f"{findings[number].message}{NOTE}"
        findings[number] = findings[number]._replace(severity="info", message=message)
    return now.report._replace(findings=tuple(findings))


def _old(
    now: CheckedAdr, before: CheckedAdr, *, meanings: Meanings, names: Mapping[str, str]
) -> list[int]:
    """Return the numbers of the findings that a version had: as many as it had of each kind."""
    places, places_before = _Places(now.doc, meanings), _Places(before.doc, meanings)
    shared = places.names & places_before.names
    known = _known(before.report, places_before, shared, names)
    pairs = word_pairs(before.doc.data)
    texts = now.doc.texts({finding.line for finding in now.report.findings})
    old: list[int] = []
    for number, finding in enumerate(now.report.findings):
        if finding.severity == "info" or finding.check in _NEVER_OLD:
            continue
        text = texts[finding.line] if places.is_prose(finding.line) else ""
        keys = _keys(finding, places.section(finding.line, shared), {})
        if not _is_new_text(text, pairs) and _was_known(finding, keys, known):
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
    is_broken = any(finding.check == "header-invalid" for finding in report.findings)
    front = version.doc.front if is_broken else ""
    return "", front or ""


def _is_new_text(line: str, before: Counter[tuple[bytes, bytes]]) -> bool:
    """Return whether most pairs of words of a line are new."""
    pairs = word_pairs(line.encode())
    return 2 * (pairs & before).total() < pairs.total()
