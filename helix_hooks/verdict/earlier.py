"""Findings of an earlier judge on the same change, the replies to them, and the next judge's answer
to each. Pure.

A reply was written by an author of the change. It is data, like the change itself.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Annotated, NamedTuple

from ..codec import Commit, Count, Fingerprint, TypeName
from ..finding import SEVERITIES, Finding
from ..text import one_line

FIXED, ANSWERED, OPEN = "fixed", "answered", "open"
ANSWERS = (FIXED, ANSWERED, OPEN)
FILE, SINCE = "earlier.json", "since.diff"
"""Files in the judge's folder: the earlier findings, and what was changed since."""

MOST = 50
"""Maximum number of earlier findings for a judge, worst first."""

_MESSAGE, _QUOTE, _HELP, _REASON = 800, 500, 400, 800
"""Maximum characters of a text on one line of the file: the tool Read cuts long lines."""


class Decline(NamedTuple):
    """An author's reply to a finding: the reason why it is wrong.

    `at` is in seconds since 1970, `source` the id of the comment.
    """

    by: str
    by_id: Count
    at: Count
    source: Count
    reason: str


class EarlierFinding(NamedTuple):
    """A finding of an earlier round by its fingerprint, with the reply that a judge was shown.

    `answer` is the answer of this round's judge: FIXED, ANSWERED, OPEN, or "" for none. A finding
    that is ANSWERED remains so in later rounds, and no judge is asked about it again.
    """

    id: Fingerprint
    finding: Finding
    decline: Decline | None = None
    answer: Annotated[str, ("", *ANSWERS)] = ""


class EarlierRound(NamedTuple):
    """The findings of the last round of an approval type, which was about `commit`."""

    approval_type: TypeName
    commit: Commit
    findings: tuple[EarlierFinding, ...]

    @property
    def asked(self) -> tuple[EarlierFinding, ...]:
        """The findings that a judge must answer."""
        return tuple(item for item in self.findings if item.answer != ANSWERED)

    @property
    def settled(self) -> tuple[EarlierFinding, ...]:
        """The findings that were answered before, which a judge is shown for information."""
        return tuple(item for item in self.findings if item.answer == ANSWERED)


def worst_first(findings: Iterable[EarlierFinding]) -> list[EarlierFinding]:
    return sorted(findings, key=lambda item: SEVERITIES.index(item.finding.severity))


def choices(asked: Iterable[EarlierFinding], has_changed: bool) -> dict[str, list[str]]:
    """Return the answers that a judge may give, by finding.

    Without a change nothing is fixed, and without a reply no finding is answered.
    """
    allowed = {}
    for item in asked:
        answers = [OPEN]
        if item.decline:
            answers.insert(0, ANSWERED)
        if has_changed:
            answers.insert(0, FIXED)
        allowed[item.id] = answers
    return allowed


def text(round: EarlierRound, asked: Iterable[EarlierFinding]) -> str:
    """Return the file for a judge: the findings to answer, and those that were answered before."""
    data = {
        "judged": round.commit,
        "findings": [_shown(item) for item in asked],
        "settled": [_shown(item) for item in round.settled],
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def _shown(item: EarlierFinding) -> dict[str, object]:
    finding, reply = item.finding, item.decline
    declined = None
    if reply:
        declined = {"by": one_line(reply.by, _HELP), "reason": one_line(reply.reason, _REASON)}
    return {
        "id": item.id,
        "severity": finding.severity,
        "check": finding.check,
        "path": finding.path,
        "line": finding.line,
        "message": one_line(finding.message, _MESSAGE),
        "evidence": one_line(finding.evidence, _QUOTE),
        "help": one_line(finding.help, _HELP),
        "declined": declined,
    }


def open_errors(asked: Iterable[EarlierFinding], answers: Mapping[str, str]) -> bool:
    """Return whether an earlier error is still open."""
    errors = (item for item in asked if item.finding.severity == SEVERITIES[0])
    return any(answers.get(item.id) == OPEN for item in errors)
