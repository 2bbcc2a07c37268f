"""The comment by which a person decides about a pull request. Pure.

It has one command, bound to the commit that was looked at. What the person says as a reason is a
reason: it can't be a command, narrow the approval to a type, or mention anybody.
"""

import re

from ..decision.commands import APPROVE, REJECT, commands, written
from ..errors import UsageError
from ..text import inline

MOST_REASON = 2_000
"""Maximum characters of a reason."""

_TYPE = re.compile(r"for\b", re.IGNORECASE)
"""The word that limits a command to approval types where a reason begins with it."""


def comment_of(answer: str, head: str, reason: str) -> str:
    """Return the comment for an answer, "approve" or "reject", about the commit `head`.

    Raises:
        UsageError: The reason is missing, too long, or not rendered as written.
    """
    if answer not in (APPROVE, REJECT):
        raise UsageError(f"invalid answer {answer!r} (expected {APPROVE} or {REJECT})")
    if len(reason) > MOST_REASON:
        raise UsageError(
            f"the reason is too long ({len(reason)} characters, maximum {MOST_REASON})"
        )
    words = inline(reason)
    if answer == REJECT and not words.strip():
        raise UsageError("give a reason, so that the author knows what to change")
    words = f"– {words}" if _TYPE.match(words) else words
    about = (head, words) if answer == APPROVE else (words,)
    body = written(answer, *filter(None, about))
    _check(body, answer, head)
    return body


def _check(body: str, answer: str, head: str) -> None:
    """Read the comment like the gate. Raise UsageError if that is another command."""
    found = commands(body)
    if len(found) != 1 or found[0].name != answer or found[0].types:
        raise UsageError("the reason must be plain text, without commands")
    if found[0].wrong:
        raise UsageError(f"the reason can't be used: {found[0].wrong}")
    if answer == APPROVE and found[0].commit != head:
        raise UsageError(f"invalid commit SHA {head!r}")
