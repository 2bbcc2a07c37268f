"""`revision-issues.md`: the findings of gates, each with the answer of the reviser.

An answer has no effect by itself. The next gate and the deciders read it.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..finding import Finding, key_of
from ..text import markdown_cell, printable
from ..verdict.earlier import Decline, EarlierFinding

OPEN, ACCEPTED, DECLINED = "open", "accepted", "declined"
ANSWERS = (OPEN, ACCEPTED, DECLINED)

_HEAD = """# Revision issues

Answer each finding in its last line: `accepted` once it is fixed, or `declined:` with the reason.
A finding without an answer, or declined without a reason, is open. The next gate and the deciders
read the answers.
"""
_HEADING = re.compile(r"##[ \t]+(\S+)[ \t]*")
_ANSWER = re.compile(r"[-*][ \t]+Answer:(.*)", re.IGNORECASE)
_LONGEST_REASON = 1000
_LONGEST_NAME = 40
"""Maximum characters of a reason, and of an id in a message."""


class Issue(NamedTuple):
    """A finding of a gate with the reviser's answer.

    `id` is the same in each round, even if the finding moved. `round` is the number of the last
    task whose gate had the finding. `text` is one line. `reason` is the reason for declining it.
    `gone` is the number of the first task without the finding, 0 if the finding is still there.
    `finding` is the whole finding, None in a file that an older version wrote.
    """

    id: str
    phase: str
    round: int
    place: str
    text: str
    answer: str = OPEN
    reason: str = ""
    gone: int = 0
    finding: Finding | None = None


class Answers(NamedTuple):
    """The issues with the answers of a text, and complaints about invalid answers."""

    issues: tuple[Issue, ...]
    complaints: tuple[str, ...] = ()


def issues_of(phase: str, round: int, findings: Iterable[Finding]) -> tuple[Issue, ...]:
    """Return the findings of a gate as open issues."""
    times: Counter[str] = Counter()
    issues = []
    for finding in findings:
        # Without the line, so that the id stays the same when the finding moves.
        parts = [phase, finding.path, *(part for key in key_of(finding) for part in key)]
        id = hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:10]
        times[id] += 1
        if times[id] > 1:
            id = f"{id}-{times[id]}"
        place = f"{finding.path}:{finding.line}" if finding.path else ""
        text = f"{finding.severity} {finding.check}: {finding.message}"
        issues.append(
            Issue(id=id, phase=phase, round=round, place=place, text=text, finding=finding)
        )
    return tuple(issues)


def merged(
    issues: Sequence[Issue], phase: str, round: int, new: Sequence[Issue]
) -> tuple[Issue, ...]:
    """Return the issues of all rounds after a task of a phase. `new` are those of its gate.

    An accepted issue that is found again is open again, because it was not fixed. A declined one
    keeps its reason.
    """
    new_ids = {issue.id for issue in new}
    by_id: dict[str, Issue] = {}
    for issue in issues:
        by_id[issue.id] = issue
        if issue.phase == phase and issue.id not in new_ids and not issue.gone:
            by_id[issue.id] = issue._replace(gone=round)
    declined = {issue.id: issue.reason for issue in issues if issue.answer == DECLINED}
    for issue in new:
        by_id[issue.id] = issue
        if issue.id in declined:
            reason = declined[issue.id]
            by_id[issue.id] = issue._replace(answer=DECLINED, reason=reason)
    return tuple(by_id.values())


def earlier_findings(issues: Iterable[Issue], phase: str) -> tuple[EarlierFinding, ...]:
    """Return the findings of a phase that its gate still had, with the reasons of the reviser.

    Without any answer there are none: a judge with fresh eyes then sees the files alone.
    """
    still = [issue for issue in issues if issue.phase == phase and not issue.gone]
    if all(issue.answer == OPEN for issue in still):
        return ()
    return tuple(
        EarlierFinding(issue.id, issue.finding, _decline(issue)) for issue in still if issue.finding
    )


def _decline(issue: Issue) -> Decline | None:
    if issue.answer != DECLINED:
        return None
    return Decline(by="the reviser", by_id=0, at=0, source=0, reason=issue.reason)


def with_answers(findings: Iterable[Finding], issues: Iterable[Issue]) -> tuple[Finding, ...]:
    """Return the findings, for people and the next try, with the reasons of the reviser."""
    declined = {issue.finding: issue.reason for issue in issues if issue.answer == DECLINED}
    return tuple(
        finding._replace(message=f"{finding.message} (declined by the reviser: {reason})")
        if (reason := declined.get(finding))
        else finding
        for finding in findings
    )


def revision_issues(issues: Sequence[Issue]) -> str:
    """Return the text of `revision-issues.md`. A finding can't add a heading or an answer."""
    return "\n".join([_HEAD, *map(_section, issues)])


def answered(text: str, issues: Sequence[Issue]) -> Answers:
    """Return the issues with the answers of a text, which may be edited by hand.

    An issue without a clear answer is open. An unknown id is reported.
    """
    ids = {issue.id for issue in issues}
    answers: dict[str, list[str]] = {}
    complaints = []
    for id, lines in _sections(text):
        if id in ids:
            answers.setdefault(id, []).extend(lines)
        else:
            complaints.append(f"unknown finding {printable(id, _LONGEST_NAME)!r}")
    answered_issues = []
    for issue in issues:
        answered_issue, complaint = _answer(issue, answers.get(issue.id, []))
        answered_issues.append(answered_issue)
        if complaint:
            complaints.append(complaint)
    return Answers(tuple(answered_issues), tuple(dict.fromkeys(complaints)))


def _sections(text: str) -> list[tuple[str, list[str]]]:
    """Return the id of each section, with its answers."""
    sections: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if heading := _HEADING.fullmatch(line):
            sections.append((heading[1], []))
        elif sections and (answer := _ANSWER.fullmatch(line)):
            sections[-1][1].append(answer[1].strip())
    return sections


def _answer(issue: Issue, answers: Sequence[str]) -> tuple[Issue, str]:
    """Return an issue with its answer, and a complaint, "" for none."""
    unanswered = issue._replace(answer=OPEN, reason="")
    if not answers:
        return unanswered, f"{issue.id}: the answer is missing"
    if len({*answers}) > 1:
        return unanswered, f"{issue.id} has two different answers"
    word, _, reason = (part.strip() for part in answers[0].partition(":"))
    if word.casefold() == DECLINED:
        if not re.search(r"\w", reason):
            return unanswered, f"{issue.id} is declined without a reason"
        return issue._replace(answer=DECLINED, reason=printable(reason, _LONGEST_REASON)), ""
    if word.casefold() == ACCEPTED and not reason:
        return issue._replace(answer=ACCEPTED, reason=""), ""
    if answers[0].casefold() in ("", OPEN):
        return unanswered, ""
    wrong = printable(answers[0], _LONGEST_NAME)
    return (
        unanswered,
        f"{issue.id}: {wrong!r} is not an answer (expected `accepted` or `declined: REASON`)",
    )


def _section(issue: Issue) -> str:
    lines = [f"## {issue.id}", "", f"- Phase: {issue.phase}, task {issue.round}"]
    if issue.place:
        lines.append(f"- Place: {markdown_cell(issue.place)}")
    lines.append(f"- Finding: {markdown_cell(issue.text)}")
    if issue.gone:
        lines.append(f"- Since task {issue.gone}: the gate no longer finds it")
    answer = issue.answer
    if answer == DECLINED:
        answer = f"{DECLINED}: {issue.reason}"
    lines.append(f"- Answer: {answer}")
    return "\n".join(lines) + "\n"
