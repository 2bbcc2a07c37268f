"""The result of a check, as values: a report per ADR, and the report of a run."""

from ..finding import Finding
from ..records import TYPE_CHECKING, NamedTuple
from .corpus import Entry
from .suppress import Suppressed, Suppression

if TYPE_CHECKING:
    from .concept import ConceptDiff
else:
    # Loaded where there is a concept; a quoted name in a NamedTuple would cost a millisecond.
    ConceptDiff = object


class RuleCounts(NamedTuple):
    """Contextual rules: asked, applicable, and of those met."""

    checked: int = 0
    triggered: int = 0
    passed: int = 0


class FileReport(NamedTuple):
    """The report on one ADR.

    `status` is the canonical word or "", `adr_id` the header's, else the file's number.

    `lines` are the texts of the lines that findings point at, `comments` the suppressing ones,
    `entry` what other ADRs need to know of this one (None of a file that can't be read). `counted`
    is what the file's entry in the baseline may count, by rule; None without one.
    """

    path: str
    adr_id: str
    template: str
    status: str
    status_raw: str
    rules: RuleCounts
    concept: ConceptDiff | None
    findings: tuple[Finding, ...]
    lines: dict[int, str]
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
    """Return a report on a file that is no ADR, or that a judge reviewed; `lines` by number."""
    return FileReport(
        path=path,
        adr_id="",
        template="",
        status="",
        status_raw="",
        rules=RuleCounts(),
        concept=None,
        findings=findings,
        lines=lines,
    )


class Skipped(NamedTuple):
    """A file or rule that could not be checked, and the reason; `check` is "" for all rules."""

    check: str
    path: str
    reason: str


class CheckReport(NamedTuple):
    """The result of a run, files in the order of their paths.

    `left_out` are rules that ran and are not reported, because others were selected; `hidden` is
    the number of their findings.
    """

    files: tuple[FileReport, ...]
    skipped: tuple[Skipped, ...] = ()
    left_out: tuple[str, ...] = ()
    hidden: int = 0

    def count(self, severity: str) -> int:
        return sum(finding.severity == severity for file in self.files for finding in file.findings)

    @property
    def adrs(self) -> int:
        """The number of ADRs checked; a report may also be on the settings or on a baseline."""
        return sum(bool(file.template) for file in self.files)

    @property
    def suppressed(self) -> int:
        return sum(len(file.suppressed) for file in self.files)

    @property
    def passed(self) -> bool:
        return all(file.passed for file in self.files)
