"""`revision-issues.md`: each finding of a gate, and whether the reviser accepts or declines it.

An answer decides nothing by itself: the next gate and the people who decide read it.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..adr.finding_key import key_of
from ..finding import Finding
from ..text.sanitize import markdown_cell, printable

OPEN, ACCEPTED, DECLINED = "open", "accepted", "declined"
ANSWERS = (OPEN, ACCEPTED, DECLINED)

_HEAD = """# Revision issues

Whoever revises answers each finding in its last line: `accepted` once it is fixed, or `declined:`
with the reason. A finding without an answer is open, and so is one that is declined without
a reason. The next gate and the people who decide read the answers.
"""
_HEADING = re.compile(r"##[ \t]+(\S+)[ \t]*")
_ANSWER = re.compile(r"[-*][ \t]+Answer:(.*)", re.IGNORECASE)
_LONGEST_REASON = 1000
_LONGEST_NAME = 40


class Issue(NamedTuple):
    """A finding of a gate with the reviser's answer.

    `id` is the same in each round, wherever the finding has moved. `round` is the last task of the
    phase whose gate found it. `text` is one line. `reason` is why it was declined. `gone` is the
    task since which the gate no longer finds it, 0 if it still does.
    """

    id: str
    phase: str
    round: int
    place: str
    text: str
    answer: str = OPEN
    reason: str = ""
    gone: int = 0


class Answers(NamedTuple):
    """The issues with the answers of a text, and what is wrong with these answers."""

    issues: tuple[Issue, ...]
    complaints: tuple[str, ...] = ()


def issues_of(phase: str, round: int, findings: Iterable[Finding]) -> tuple[Issue, ...]:
    """Return the findings of a gate as open issues."""
    times: Counter[str] = Counter()
    found = []
    for finding in findings:
        parts = [phase, finding.path, *(part for key in key_of(finding) for part in key)]
        id = hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:10]
        times[id] += 1
        number = f"-{times[id]}" if times[id] > 1 else ""
        found.append(
            Issue(
                id=f"{id}{number}",
                phase=phase,
                round=round,
                place=f"{finding.path}:{finding.line}" if finding.path else "",
                text=f"{finding.severity} {finding.check}: {finding.message}",
            )
        )
    return tuple(found)


def merged(
    issues: Sequence[Issue], phase: str, round: int, new: Sequence[Issue]
) -> tuple[Issue, ...]:
    """Return the issues of all rounds after a task of a phase, whose gate found the `new` ones.

    A finding that was accepted and is found again is open again: it was not fixed. One that was
    declined keeps its reason.
    """
    still = {issue.id for issue in new}
    found = {
        issue.id: issue._replace(gone=issue.gone or round)
        if issue.phase == phase and issue.id not in still
        else issue
        for issue in issues
    }
    for issue in new:
        before = found.get(issue.id)
        if before and before.answer == DECLINED:
            found[issue.id] = issue._replace(answer=DECLINED, reason=before.reason)
        else:
            found[issue.id] = issue
    return tuple(found.values())


def revision_issues(issues: Sequence[Issue]) -> str:
    """Return the text of `revision-issues.md`. Nothing in a finding adds a heading or an answer."""
    return "\n".join([_HEAD, *map(_section, issues)])


def answered(text: str, issues: Sequence[Issue]) -> Answers:
    """Return the issues as a text answers them, which anybody may have edited.

    What is not answered clearly is open. An id that no gate gave is reported.
    """
    known = {issue.id: issue for issue in issues}
    said: dict[str, list[str]] = {}
    complaints = []
    id = ""
    for line in text.splitlines():
        heading, answer = _HEADING.fullmatch(line), _ANSWER.fullmatch(line)
        if heading:
            id = heading[1]
            if id not in known:
                complaints.append(f"no gate has a finding {printable(id, _LONGEST_NAME)!r}")
        elif answer and id in known:
            said.setdefault(id, []).append(answer[1].strip())
    found = []
    for issue in issues:
        now, complaint = _answer(issue, said.get(issue.id, []))
        found.append(now)
        complaints += [complaint] if complaint else []
    return Answers(tuple(found), tuple(dict.fromkeys(complaints)))


def _answer(issue: Issue, said: Sequence[str]) -> tuple[Issue, str]:
    unanswered = issue._replace(answer=OPEN, reason="")
    if not said:
        return unanswered, f"{issue.id}: its answer is gone"
    if len({*said}) > 1:
        return unanswered, f"{issue.id} is answered twice, and differently"
    word, _, reason = (part.strip() for part in said[0].partition(":"))
    if word.casefold() == DECLINED:
        if not re.search(r"\w", reason):
            return unanswered, f"{issue.id} is declined without a reason"
        return issue._replace(answer=DECLINED, reason=printable(reason, _LONGEST_REASON)), ""
    if word.casefold() == ACCEPTED and not reason:
        return issue._replace(answer=ACCEPTED, reason=""), ""
    if said[0].casefold() in ("", OPEN):
        return unanswered, ""
    wrong = printable(said[0], _LONGEST_NAME)
    return unanswered, f"{issue.id}: {wrong!r} is no answer; write accepted, or declined: REASON"


def _section(issue: Issue) -> str:
    answer = f"{DECLINED}: {issue.reason}" if issue.answer == DECLINED else issue.answer
    place = f"- Place: {markdown_cell(issue.place)}\n" if issue.place else ""
    gone = f"- Since task {issue.gone}: the gate no longer finds it\n" if issue.gone else ""
    return (
        f"## {issue.id}\n\n- Phase: {issue.phase}, task {issue.round}\n{place}"
        f"- Finding: {markdown_cell(issue.text)}\n{gone}- Answer: {answer}\n"
    )
