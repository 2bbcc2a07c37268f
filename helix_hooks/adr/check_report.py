"""The reports on an ADR and on a run, as values, and the last step of a report on an ADR.

After the rules on other ADRs, findings are suppressed: by comments in the ADR, its status and age,
and the baseline.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from ..finding import FAIL_ON, SEVERITIES, Finding, Severity, failing
from .corpus import Corpus, Entry
from .model import UNKNOWN, ConceptDiff, Described, RuleResult, Suppressed, Suppression
from .parse.document import AdrDocument
from .parse.prose import reason_of
from .rules.gate.suppression_invalid import Idle, idle, suppression_invalid
from .rules.registry import CORPUS, FIRM, OFF, Ruleset, in_force, switched_on

PENDING = 4
"""The exit code if only questions to a person remain."""


class RuleCounts(NamedTuple):
    """Numbers of contextual rules: checked, triggered by the ADR, and met by it."""

    checked: int = 0
    triggered: int = 0
    passed: int = 0


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


def merged(report: CheckReport, other: CheckReport) -> CheckReport:
    """Return a report with the findings of another one; a file has one report."""
    files = {file.path: file for file in report.files}
    for file in other.files:
        mine = files.get(file.path, file._replace(findings=(), lines={}))
        findings = sorted((*mine.findings, *file.findings), key=attrgetter("line", "column"))
        lines = {**mine.lines, **file.lines}
        files[file.path] = mine._replace(findings=tuple(findings), lines=lines)
    ordered = tuple(files[path] for path in sorted(files))
    return report._replace(files=ordered, skipped=(*report.skipped, *other.skipped))


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


# The last step of a report.


Used = set[tuple[int, str]]
"""Line and rule of the comments that suppressed something."""


class Terms(NamedTuple):
    """The facts, in addition to the rules, that decide the severity of findings.

    `status` is the status of the version before: the present one lowers severities only if both are
    equal; None without this condition. A `new` ADR is not old, whatever its number. `counts` are
    the counts of this file in the baseline. `idle` are line and rule of unused comments that were
    reported already.
    """

    status: str | None = None
    new: bool = False
    counts: dict[str, int] | None = None
    idle: frozenset[tuple[int, str]] = frozenset()


NO_TERMS = Terms()


def finish(
    file: FileReport, ruleset: Ruleset, corpus: Corpus | None = None, terms: Terms = NO_TERMS
) -> FileReport:
    """Return the finished report of an ADR.

    It has the findings of the corpus rules. Status, suppressions, baseline and `terms` are applied.
    """
    findings = found_among(file, ruleset, corpus)
    if not findings and not file.comments:
        return file
    status = file.status if terms.status in (None, file.status) else ""
    key = file.entry.key if file.entry and not terms.new else ""
    most = most_severe(status, key, ruleset.strict_from)
    findings = [
        finding._replace(severity=capped(finding.severity, most))
        if relaxes(finding.check, finding.layer)
        else finding
        for finding in findings
    ]
    suppressed: list[Suppressed] = []
    used: Used = set()
    if file.comments:
        findings, suppressed, used = apply(findings, file.comments, FIRM)
    counted = None
    if terms.counts:
        from . import baseline

        counted = baseline.counted(findings)
        findings, in_baseline = baseline.apply(findings, terms.counts, FIRM)
        suppressed += in_baseline
    findings += _comments(file, ruleset, used, corpus, terms.idle)
    ordered = tuple(sorted(findings, key=lambda finding: (finding.line, finding.column)))
    return file._replace(findings=ordered, suppressed=tuple(suppressed), counted=counted)


def found_among(file: FileReport, ruleset: Ruleset, corpus: Corpus | None) -> list[Finding]:
    """Return the findings in one ADR on its own, and among the others."""
    if not corpus or not file.entry:
        return [*file.findings]
    known = corpus.across.get(file.path)
    # Kept in the corpus, since a changed ADR is finished several times.
    if not known or known[0] is not file.entry or known[1] != ruleset.severities:
        across: list[Finding] = []
        for rule in switched_on(CORPUS, ruleset):
            for item in rule.check(file.entry, corpus):
                text = corpus.line(file.path, item.line)
                across.append(
                    finding_of(rule, item, file.path, item.line, ruleset.severities, text)
                )
        known = (file.entry, ruleset.severities, tuple(across))
        corpus.across[file.path] = known
    return [*file.findings, *known[2]]


def idle_comments(file: FileReport, ruleset: Ruleset, corpus: Corpus | None) -> list[Idle]:
    """Return the comments of an ADR that suppress nothing."""
    if not file.comments:
        return []
    _, _, used = apply(found_among(file, ruleset, corpus), file.comments, FIRM)
    return list(idle(file.comments, used, _ids(ruleset), FIRM))


def _ids(ruleset: Ruleset) -> dict[str, None]:
    """Return the ids of all rules, in their order."""
    return dict.fromkeys(rule.id for rule in in_force(ruleset))


def _comments(
    file: FileReport,
    ruleset: Ruleset,
    used: Used,
    corpus: Corpus | None,
    reported: frozenset[tuple[int, str]],
) -> Iterator[Finding]:
    """Yield the findings on the comments, except those in `reported`, by line and rule."""
    if not file.comments:
        return
    if ruleset.severities.get(suppression_invalid.id) == OFF:
        return
    # Rules that did not run may use a comment.
    not_run = {rule.id for rule in CORPUS if not corpus}
    if file.entry and not file.entry.is_new:
        # These ask more of a new ADR, so a comment may be in use only until it is committed.
        not_run.add("unlike-siblings")
        if file.template == UNKNOWN.name:
            not_run.add("section-missing")
    used = {*used}
    for comment in file.comments:
        used.update((comment.line, name) for name in not_run.intersection(comment.rules))
    for comment, name, item in idle(file.comments, used, _ids(ruleset), FIRM):
        if (comment.line, name) not in reported:
            yield finding_of(suppression_invalid, item, file.path, item.line, ruleset.severities)


# Inline suppressions: `<!-- helix-disable RULE - reason -->`, also `helix-disable-next-line`.

_COMMENT = r"helix-disable(-next-line)?\b(.*)"

_REASON = r"\s+[-–—]+\s+|\s*:\s+"


def suppressions(doc: AdrDocument) -> tuple[Suppression, ...]:
    """Return the suppressing comments of a document, in order. In code they are examples."""
    comments: list[Suppression] = []
    for start, stop in doc.comments:
        comment = doc.data[start:stop].decode().removeprefix("<!--").removesuffix("-->")
        match = re.fullmatch(_COMMENT, " ".join(comment.split()), re.IGNORECASE)
        if not match:
            continue
        names, *rest = re.split(_REASON, f"{match[2]} ", maxsplit=1)
        comments.append(
            Suppression(
                line=doc.line_at(start),
                only=_next_line(doc, stop) if match[1] else 0,
                rules=tuple(filter(None, re.split(r"[,\s]+", names))),
                reason=reason_of("".join(rest).strip()),
            )
        )
    return tuple(comments)


def _next_line(doc: AdrDocument, stop: int) -> int:
    """Return the next line that is not empty."""
    line = doc.line_at(stop - 1) + 1
    end = doc.data.find(b"\n", stop)
    if end < 0:
        return line
    # A match in place, since a copy of the rest for each of many comments would be slow.
    blank = re.compile(rb"\s*").match(doc.data, end + 1)
    return line + (blank[0].count(b"\n") if blank else 0)


def apply(
    findings: Iterable[Finding], comments: tuple[Suppression, ...], firm: frozenset[str]
) -> tuple[list[Finding], list[Suppressed], Used]:
    """Return the reported findings, the suppressed ones, and the comments that suppress them.

    `firm` rules cannot be suppressed.
    """
    reported: list[Finding] = []
    suppressed: list[Suppressed] = []
    used: Used = set()
    # The first comment with a reason, and its number, for each rule and line (0: all).
    by_place: dict[tuple[str, int], tuple[int, Suppression]] = {}
    for number, comment in enumerate(comments):
        for rule in comment.rules if comment.reason else ():
            by_place.setdefault((rule, comment.only), (number, comment))
    for finding in findings:
        places = [(finding.check, 0), (finding.check, finding.line)]
        covering = [by_place[place] for place in places if place in by_place]
        if not covering or finding.check in firm:
            reported.append(finding)
            continue
        _, comment = min(covering)
        used.add((comment.line, finding.check))
        suppressed.append(Suppressed(finding, "inline", comment.reason))
    return reported, suppressed, used


# The severity of a finding: decisions in force must be complete; drafts and retired ADRs need not
# be.

MOST = {
    "Draft": "warning",
    "Superseded": "info",
    "Deprecated": "info",
    "Rejected": "info",
    "Withdrawn": "info",
}
"""The highest severity of a finding by status. Other statuses have no limit."""

OLD = "info"
"""The highest severity of a finding in an ADR older than `strict_from`."""

_SEARCHED = 5_000
"""Characters of a line, from the column, in which words are searched."""
_LETTER = "[0-9A-Za-zÀ-ÖØ-öø-ÿ]"
"""A digit or letter of Western Europe: words beside one are a part of a longer word."""

_ASKING = frozenset(("structure", "rules", "concept"))
_FIRM = frozenset(
    (
        "file-unreadable",
        "merge-conflict",
        "header-invalid",
        "status-conflict",
        "suppression-invalid",
    )
)


def relaxes(check: str, layer: str) -> bool:
    """Return whether status and age lower the severity of a rule's findings.

    They do not if the file cannot be read, or if its status cannot be trusted.
    """
    return (layer in _ASKING and check not in _FIRM) or check == "referenced-file-missing"


def capped(severity: Severity, most: Severity) -> Severity:
    """Return a severity, but not a higher one than `most`; "" is no limit."""
    if not most:
        return severity
    return max(severity, most, key=SEVERITIES.index)


def most_severe(status: str, key: str, strict_from: int) -> Severity:
    """Return the highest severity for an ADR with a status and an id (see `id_key`), "" if there is
    no limit.

    ADRs without a number are never old.
    """
    return OLD if is_old(key, strict_from) else MOST.get(status, "")


def is_old(key: str, strict_from: int) -> bool:
    """Return whether an id (see `id_key`) is a number below `strict_from`."""
    return key.isdigit() and int(key) < strict_from


def finding_of(
    rule: Described,
    item: RuleResult,
    path: str,
    last: int,
    severities: Mapping[str, str],
    text: str = "",
) -> Finding:
    """Return the finding of a rule. `last` is the last line of the file, `text` its own line."""
    line = min(item.line, last)
    end_line = min(max(item.end_line, line), last)
    # The configured severity, but not a higher one than the rule gives to this result.
    severity = severities.get(rule.id, "") or item.severity or rule.severity
    if item.severity:
        severity = max(severity, item.severity, key=SEVERITIES.index)
    column, end_column = item.column, item.end_column
    if item.words and line == item.line:
        column, end_column = span(text, item.words, item.column)
    return Finding(
        severity=severity,
        check=rule.id,
        layer=rule.layer,
        message=item.message,
        path=path,
        line=line,
        end_line=end_line,
        column=column,
        help=item.help,
        end_column=end_column,
        question=item.question,
        subject=item.subject,
    )


def span(text: str, words: str, column: int = 1) -> tuple[int, int]:
    """Return the first and the end column of words in a line, from a column on.

    Words inside longer ones do not count. If the words are not there, return the column and 0: a
    parsed value may be spelt differently.
    """
    start = max(column - 1, 0)
    # Only the next characters are searched: a line of 1 MB may have thousands of findings.
    near = text[start : start + _SEARCHED]
    if not words or len(words) > _SEARCHED or words not in near:
        return column, 0
    match = re.search(rf"(?<!{_LETTER}){re.escape(words)}(?!{_LETTER})", near)
    return (start + match.start() + 1, start + match.end() + 1) if match else (column, 0)
