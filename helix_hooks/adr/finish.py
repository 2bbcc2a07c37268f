"""The report of an ADR among the others: corpus rules, severity by status and age, suppressions,
the baseline.
"""

from collections.abc import Iterator

from ..finding import Finding
from ..records import TYPE_CHECKING, NamedTuple
from .check_report import FileReport
from .corpus import Corpus, Entry
from .rules.registry import (
    CORPUS,
    FIRM,
    OFF,
    Ruleset,
    in_force,
    switched_on,
)
from .severity import capped, finding_of, most_severe, relaxes
from .suppress import Used, apply

if TYPE_CHECKING:
    from .rules.gate.suppression_invalid import Idle


class Terms(NamedTuple):
    """The facts besides the rules that decide how a finding counts.

    `status` is that of the version before, without which the status makes nothing milder; None
    where it does not matter. `new` is an ADR that was not older than `strict_from` before, which no
    number makes an old one. `counts` are this file's in the baseline. `idle` are line and rule of
    comments that suppress nothing and were reported already.
    """

    status: str | None = None
    new: bool = False
    counts: dict[str, int] | None = None
    idle: frozenset[tuple[int, str]] = frozenset()


NO_TERMS = Terms()


def finish(
    file: FileReport, ruleset: Ruleset, corpus: Corpus | None = None, terms: Terms = NO_TERMS
) -> FileReport:
    """Finish the report of an ADR: add the findings of the corpus rules, then apply status,
    suppressions, baseline and `terms`.
    """
    findings = found_among(file, ruleset, corpus)
    if not findings and not file.comments:
        return file
    findings = [_capped(finding, file, ruleset, terms) for finding in findings]
    findings, suppressed, used = (
        apply(findings, file.comments, FIRM) if file.comments else (findings, [], set())
    )
    there = None
    if terms.counts:
        from . import baseline

        there = baseline.counted(findings)
        findings, counted = baseline.apply(findings, terms.counts, FIRM)
        suppressed += counted
    findings += _comments(file, ruleset, used, corpus, terms.idle)
    ordered = tuple(sorted(findings, key=lambda finding: (finding.line, finding.column)))
    return file._replace(findings=ordered, suppressed=tuple(suppressed), counted=there)


def found_among(file: FileReport, ruleset: Ruleset, corpus: Corpus | None) -> list[Finding]:
    """Return the findings in one ADR on its own, and among the others."""
    return [
        *file.findings,
        *(_across(file.entry, file.lines, corpus, ruleset) if corpus and file.entry else ()),
    ]


def idle_comments(file: FileReport, ruleset: Ruleset, corpus: Corpus | None) -> list["Idle"]:
    """The comments of an ADR that suppress nothing."""
    if not file.comments:
        return []
    from .rules.gate.suppression_invalid import SUPPRESSION_INVALID

    _, _, used = apply(found_among(file, ruleset, corpus), file.comments, FIRM)
    return list(SUPPRESSION_INVALID.idle(file.comments, used, _ids(ruleset), FIRM))


def _ids(ruleset: Ruleset) -> dict[str, None]:
    """Return the ids of all rules, in their order."""
    return dict.fromkeys(rule.id for rule in in_force(ruleset))


def _across(
    mine: Entry, lines: dict[int, str], corpus: Corpus, ruleset: Ruleset
) -> tuple[Finding, ...]:
    """Return the findings across ADRs, cached in the corpus: a changed ADR is finished several
    times.
    """
    severities = tuple(ruleset.severities.get(rule.id, "") for rule in CORPUS)
    known = corpus.across.get(mine.path)
    if known and known[0] is mine and known[1] == severities:
        return known[2]
    asked = switched_on(CORPUS, ruleset)
    found = tuple(
        finding_of(rule, item, mine.path, item.line, ruleset.severities, lines.get(item.line, ""))
        for rule in asked
        for item in rule.check(mine, corpus)
    )
    corpus.across[mine.path] = (mine, severities, found)
    return found


def _capped(finding: Finding, file: FileReport, ruleset: Ruleset, terms: Terms) -> Finding:
    if not relaxes(finding.check, finding.layer):
        return finding
    status = file.status if terms.status in (None, file.status) else ""
    most = most_severe(
        status, file.entry.key if file.entry and not terms.new else "", ruleset.strict_from
    )
    severity = capped(finding.severity, most)
    return finding if severity == finding.severity else finding._replace(severity=severity)


def _comments(
    file: FileReport,
    ruleset: Ruleset,
    used: Used,
    corpus: Corpus | None,
    reported: frozenset[tuple[int, str]],
) -> Iterator[Finding]:
    """Findings on the comments themselves, but for those that were reported already, by line and
    rule.
    """
    if not file.comments:
        return
    from .rules.gate.suppression_invalid import SUPPRESSION_INVALID

    rule = SUPPRESSION_INVALID
    if ruleset.severities.get(rule.id) == OFF:
        return
    excused = frozenset(item.id for item in CORPUS if not corpus)
    used = used | {
        (comment.line, name)
        for comment in file.comments
        for name in excused.intersection(comment.rules)
    }
    for comment, name, item in rule.idle(file.comments, used, _ids(ruleset), FIRM):
        if (comment.line, name) not in reported:
            yield finding_of(rule, item, file.path, item.line, ruleset.severities)
