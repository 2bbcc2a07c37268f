"""Signs that an author's reply to a finding tries to steer the next judge. Pure."""

from collections.abc import Iterable

from ...finding import Finding
from ..earlier import EarlierFinding, EarlierRound
from .signs import Text, indicators

_NAME = "reply.md"
"""Replies are searched like Markdown, which has more signs than code."""


def in_replies(rounds: Iterable[EarlierRound]) -> tuple[Finding, ...]:
    """Return the signs in replies that a judge is shown, each at the place of its finding."""
    signs: list[Finding] = []
    for round in rounds:
        for item in round.findings:
            signs += _in_reply(item)
    return tuple(signs)


def _in_reply(item: EarlierFinding) -> Iterable[Finding]:
    reply, finding = item.decline, item.finding
    if reply is None:
        return
    for sign in indicators([Text(_NAME, reply.reason)], (), reviewed=True):
        yield sign._replace(
            message=f"the reply of @{reply.by} to {item.id[:8]}: {sign.message}",
            path=finding.path,
            line=finding.line,
            end_line=finding.line,
            help="a person looks at it; without the reply it is none",
        )
