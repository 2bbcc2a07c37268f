"""The report on an ADR among others: corpus rules, severity by status and age, suppressions and
baseline.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ..finding import Finding
from .check_report import FileReport
from .corpus import Corpus
from .rules.registry import (
    CORPUS,
    FIRM,
    OFF,
    Ruleset,
    in_force,
    switched_on,
)
from .severity import capped, finding_of, most_severe, relaxes
from .suppress import Suppressed, Suppression, Used, apply

if TYPE_CHECKING:
    from .rules.gate.suppression_invalid import Idle


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
    findings = [_capped(finding, file, ruleset, terms) for finding in findings]
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
                text = file.lines.get(item.line, "")
                across.append(
                    finding_of(rule, item, file.path, item.line, ruleset.severities, text)
                )
        known = (file.entry, ruleset.severities, tuple(across))
        corpus.across[file.path] = known
    return [*file.findings, *known[2]]


def idle_comments(file: FileReport, ruleset: Ruleset, corpus: Corpus | None) -> list["Idle"]:
    """Return the comments of an ADR that suppress nothing."""
    if not file.comments:
        return []
    from .rules.gate.suppression_invalid import idle

    _, _, used = apply(found_among(file, ruleset, corpus), file.comments, FIRM)
    return list(idle(file.comments, used, _ids(ruleset), FIRM))


def _ids(ruleset: Ruleset) -> dict[str, None]:
    """Return the ids of all rules, in their order."""
    return dict.fromkeys(rule.id for rule in in_force(ruleset))


def _capped(finding: Finding, file: FileReport, ruleset: Ruleset, terms: Terms) -> Finding:
    """Return a finding with the severity that the status and age of its ADR allow."""
    if not relaxes(finding.check, finding.layer):
        return finding
    status = file.status if terms.status in (None, file.status) else ""
    key = ""
    if file.entry and not terms.new:
        key = file.entry.key
    severity = capped(finding.severity, most_severe(status, key, ruleset.strict_from))
    if severity == finding.severity:
        return finding
    return finding._replace(severity=severity)


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
    from .rules.gate.suppression_invalid import idle, suppression_invalid

    rule = suppression_invalid
    if ruleset.severities.get(rule.id) == OFF:
        return
    if not corpus:
        used = used | _of_corpus_rules(file.comments)
    for comment, name, item in idle(file.comments, used, _ids(ruleset), FIRM):
        if (comment.line, name) not in reported:
            yield finding_of(rule, item, file.path, item.line, ruleset.severities)


def _of_corpus_rules(comments: tuple[Suppression, ...]) -> Used:
    """Return line and rule of comments that may be used by rules that did not run."""
    ids = {rule.id for rule in CORPUS}
    used: Used = set()
    for comment in comments:
        used.update((comment.line, name) for name in ids.intersection(comment.rules))
    return used
