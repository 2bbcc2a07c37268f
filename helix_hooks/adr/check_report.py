"""The results of a check, as values: the report on each ADR, and the report of a run."""

from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from ..finding import FAIL_ON, Finding, failing
from .corpus import Entry
from .model import ConceptDiff

PENDING = 4
"""The exit code if only questions to a person remain."""


class RuleCounts(NamedTuple):
    """Numbers of contextual rules: checked, triggered by the ADR, and met by it."""

    checked: int = 0
    triggered: int = 0
    passed: int = 0


class Suppression(NamedTuple):
    """A suppressing comment: its `line`, its `rules`, and `only` the line it applies to (0: all
    lines).
    """

    line: int
    only: int
    rules: tuple[str, ...]
    reason: str


class Suppressed(NamedTuple):
    """A finding that is not reported, and why; `by` is inline or baseline."""

    finding: Finding
    by: str
    reason: str


class FileReport(NamedTuple):
    """The report on one ADR.

    `status` is the canonical word or "". `adr_id` is from the header, else from the title or file
    name. `lines` are the texts of the lines with findings. `comments` are the suppressing comments.
    `entry` has the facts for other ADRs; None if the file cannot be read. `counted` are the
    findings that the baseline may count, by rule; None if it has no entry for the file.
    """

    path: str
    findings: tuple[Finding, ...]
    lines: dict[int, str]
    adr_id: str = ""
    template: str = ""
    status: str = ""
    status_raw: str = ""
    rules: RuleCounts = RuleCounts()
    concept: ConceptDiff | None = None
    suppressed: tuple[Suppressed, ...] = ()
    comments: tuple[Suppression, ...] = ()
    entry: Entry | None = None
    counted: dict[str, int] | None = None

    @property
    def passed(self) -> bool:
        return not any(finding.severity == "error" for finding in self.findings)

    @property
    def is_clean(self) -> bool:
        """Return whether all findings are information."""
        return all(finding.severity == "info" for finding in self.findings)


def report_on_file(path: str, findings: tuple[Finding, ...], lines: dict[int, str]) -> FileReport:
    """Return a report on a file that is not an ADR, or that a judge reviewed."""
    return FileReport(path, findings, lines)


class Skipped(NamedTuple):
    """A rule that could not check a file, and the reason; `check` is "" for all rules."""

    check: str
    path: str
    reason: str


class CheckReport(NamedTuple):
    """The result of a run, with files in the order of their paths.

    `left_out` are rules that ran but were not selected for the report; `hidden` is the number of
    their findings.
    """

    files: tuple[FileReport, ...]
    skipped: tuple[Skipped, ...] = ()
    left_out: tuple[str, ...] = ()
    hidden: int = 0

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, by file and line. Suppressed ones are not among them."""
        return tuple(chain.from_iterable(map(attrgetter("findings"), self.files)))

    def count(self, severity: str) -> int:
        return sum(finding.severity == severity for finding in self.findings)

    @property
    def questions(self) -> int:
        """The number of findings that only a person can answer."""
        return sum(finding.question for finding in self.findings)

    @property
    def adrs(self) -> int:
        """The number of checked ADRs. A report may also be on settings or on a baseline."""
        return sum(bool(file.template) for file in self.files)

    @property
    def suppressed(self) -> int:
        return sum(len(file.suppressed) for file in self.files)

    @property
    def passed(self) -> bool:
        return all(file.passed for file in self.files)


def fails(report: CheckReport, fail_on: str) -> bool:
    """Return whether a report has a finding of a severity or a higher one; never for "never".

    Questions to a person are left out.
    """
    blocking = failing(fail_on)
    return any(item.severity in blocking and not item.question for item in report.findings)


def exit_code(report: CheckReport, fail_on: str, *, is_branch: bool) -> int:
    """Return the exit code of a check: 1 for findings, 4 if only questions to a person remain.

    At a commit a question is a finding like others: the person is asked on the pull request.
    """
    blocking = failing(fail_on)
    code = 0
    for finding in report.findings:
        if finding.question and is_branch:
            code = PENDING if fail_on != FAIL_ON[-1] else 0
        elif finding.severity in blocking:
            return 1
    return code
