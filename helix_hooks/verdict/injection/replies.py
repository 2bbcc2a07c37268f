"""Signs in the replies to findings that an author tries to steer the next judge."""

from collections.abc import Iterable

from ...finding import Finding
from ..earlier import EarlierFinding, EarlierRound
from .signs import Text, indicators

_NAME = "reply.md"
"""Replies are searched like Markdown, in which more is a sign than in code."""


def in_replies(rounds: Iterable[EarlierRound]) -> tuple[Finding, ...]:
    """Return the signs in what a judge is told as replies, each at the place of its finding."""
    return tuple(sign for round in rounds for item in round.findings for sign in _in_reply(item))


def _in_reply(item: EarlierFinding) -> Iterable[Finding]:
    reply, at = item.decline, item.finding
    if reply is None:
        return
    for sign in indicators([Text(_NAME, reply.reason)], (), reviewed=True):
        yield sign._replace(
            message=f"the reply of @{reply.by} to {item.id[:8]}: {sign.message}",
            path=at.path,
            line=at.line,
            end_line=at.line,
            help="a person looks at it; without the reply it is none",
        )
