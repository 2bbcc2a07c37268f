"""Findings of an earlier judge on the same change, with the replies to it, and what the next judge
says of each finding. Pure.

A reply was written by those whose work is judged. It is data, like the change itself.
"""

import json
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ..finding import SEVERITIES, Finding
from ..text.cut import one_line

FIXED, ANSWERED, OPEN = "fixed", "answered", "open"
FILE, SINCE = "earlier.json", "since.diff"
"""Files in the judge's folder: the earlier findings, and what was changed since."""

MOST = 50
"""Maximum number of earlier findings that a judge is given; the worst come first."""

_MESSAGE, _QUOTE, _HELP, _REASON = 800, 500, 400, 800
"""Characters of a text on one line of the file; the tool Read cuts long lines."""


class Decline(NamedTuple):
    """The reply of an author to a finding: why it is none. `at` is in seconds since 1970, `source`
    the id of the comment.
    """

    by: str
    by_id: int
    at: int
    source: int
    reason: str


class EarlierFinding(NamedTuple):
    """A finding of an earlier round by its fingerprint, with the reply that a judge was told.

    `answer` is what the judge of this round says of it: FIXED, ANSWERED, OPEN, or "" for nothing.
    One that is ANSWERED stays so in later rounds, and is no longer asked about.
    """

    id: str
    finding: Finding
    decline: Decline | None = None
    answer: str = ""


class EarlierRound(NamedTuple):
    """The findings of the last round of an approval type, which was about `commit`."""

    approval_type: str
    commit: str
    findings: tuple[EarlierFinding, ...]

    @property
    def asked(self) -> tuple[EarlierFinding, ...]:
        """The findings about which a judge is asked."""
        return tuple(item for item in self.findings if item.answer != ANSWERED)

    @property
    def settled(self) -> tuple[EarlierFinding, ...]:
        """The findings that were answered before, of which a judge is told."""
        return tuple(item for item in self.findings if item.answer == ANSWERED)


def worst_first(findings: Iterable[EarlierFinding]) -> list[EarlierFinding]:
    return sorted(findings, key=lambda item: SEVERITIES.index(item.finding.severity))


def choices(asked: Iterable[EarlierFinding], has_changed: bool) -> dict[str, list[str]]:
    """Return the answers that a judge may give, by finding.

    Where nothing was changed nothing is fixed, and what nobody has replied to is not answered.
    """
    fixed = [FIXED] if has_changed else []
    return {item.id: [*fixed, *([ANSWERED] if item.decline else []), OPEN] for item in asked}


def text(round: EarlierRound, asked: Iterable[EarlierFinding]) -> str:
    """Return the file for a judge: what it is asked about, and what was answered before."""
    data = {
        "judged": round.commit,
        "findings": [_shown(item) for item in asked],
        "settled": [_shown(item) for item in round.settled],
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def _shown(item: EarlierFinding) -> dict[str, object]:
    finding, reply = item.finding, item.decline
    return {
        "id": item.id,
        "severity": finding.severity,
        "check": finding.check,
        "path": finding.path,
        "line": finding.line,
        "message": one_line(finding.message, _MESSAGE),
        "evidence": one_line(finding.evidence, _QUOTE),
        "help": one_line(finding.help, _HELP),
        "declined": {"by": one_line(reply.by, _HELP), "reason": one_line(reply.reason, _REASON)}
        if reply
        else None,
    }


def open_errors(asked: Iterable[EarlierFinding], answers: Mapping[str, str]) -> bool:
    """Return whether an earlier error is still there."""
    return any(
        answers.get(item.id) == OPEN and item.finding.severity == SEVERITIES[0] for item in asked
    )
