"""The summary comment on a pull request: its body, its hidden marks, and earlier ones. Pure.

A mark is an HTML comment, which GitHub does not show. The summary comment ends with STICKY, which
identifies it.
"""

import hashlib
import re
from collections.abc import Iterable
from typing import NamedTuple

from ..decision.chain import Chain, tip
from ..decision.decide import Decision
from ..decision.handover import Handover
from ..decision.pull_request import Comment
from ..decision.run_state import ledger, rounds_mark
from ..decision.states import APPROVED
from ..text import counted
from ..verdict.approval_result import AgentContext
from .links import Links
from .summary_text import page

STICKY = "<!-- helix:sticky -->"
LONGEST_PAGE = 60_000
_LONGEST = 65_000
"""Maximum characters of a comment with all its marks; GitHub accepts 65,536."""

_STATUS = "<!-- helix:status -->"
_SPENT = re.compile(r"^<!-- helix:spent=(\d{1,6}\.\d{4}) -->$", re.MULTILINE)
_PAGE = re.compile(
    r"^<!-- helix:page=([0-9a-f]{16})\.([0-9a-f]{16}) -->\n(.*)\Z", re.MULTILINE | re.DOTALL
)
_PAGE_MARK = "\n<!-- helix:page="
_NOBODY = AgentContext(agent="")


def sticky_body(handover: Handover, decision: Decision, decisions: Chain, to: Links) -> str:
    """Return the body of the summary comment: the text, and marks for the next run.

    The marks have two digests: one of the text, to notice an edit by another user, and one of the
    text without models and costs, to recognise a repeated run.
    """
    target, carried = handover.target, handover.carried
    spent = f"<!-- helix:spent={carried.spent:.4f} -->\n"
    noted = f"{ledger(carried.objections)}{rounds_mark(carried.rounds)}"
    marks = f"{spent}{tip(decisions, target.head)}{noted}{STICKY}"
    most = min(LONGEST_PAGE, _LONGEST - len(marks))
    text = page(handover, decision, most, to)
    comparable = page(*_without_cost(decision.handover or handover, decision), most, to)
    return f"{text}{_PAGE_MARK}{_digest(comparable)}.{_digest(text)} -->\n{marks}"


def _without_cost(handover: Handover, decision: Decision) -> tuple[Handover, Decision]:
    """Return both without the models and costs of judges, which differ in each run."""
    judged = (
        item._replace(verdict=item.verdict._replace(agent_context=_NOBODY))
        for item in handover.judged
    )
    return handover._replace(judged=tuple(judged)), decision._replace(handover=None)


def is_wanted(handover: Handover, decision: Decision, exists: bool) -> bool:
    """Return whether a comment is needed; a pull request without any problem gets none."""
    return exists or decision.state != APPROVED or bool(handover.findings)


class _Parts(NamedTuple):
    """The digests in a comment, "" without them, and the marks that follow them."""

    comparable_digest: str
    """Of the text without models and costs, to recognise a repeated verdict."""
    text_digest: str
    """Of the whole text, to notice an edit by another user."""
    marks: str


def is_up_to_date(before: str, now: str) -> bool:
    """Return whether a comment needs no update.

    A repeated verdict needs none. A text that another user has edited is replaced.
    """
    if before.strip() == now.strip():
        return True
    old, new = _parts(before), _parts(now)
    is_unedited = bool(old.text_digest) and _digest(_text_of(before)) == old.text_digest
    is_repeated = (old.comparable_digest, old.marks) == (new.comparable_digest, new.marks)
    return is_unedited and is_repeated


def _parts(body: str) -> _Parts:
    # GitHub stores what a browser sends with CRLF.
    matches = [*_PAGE.finditer(body.replace("\r\n", "\n"))]
    if not matches:
        return _Parts("", "", "")
    comparable_digest, text_digest, marks = matches[-1].groups()
    return _Parts(comparable_digest, text_digest, marks.strip())


def _text_of(body: str) -> str:
    """Return the text of a comment, without its marks."""
    return body.replace("\r\n", "\n").rpartition(_PAGE_MARK)[0]


def _digest(text: str) -> str:
    data = text.strip().replace("\r\n", "\n").encode(errors="surrogateescape")
    return hashlib.sha256(data).hexdigest()[:16]


def with_status(body: str) -> str:
    """Return the comment with a mark: a commit status has the state.

    The check run next to it is older, and could not be written again.
    """
    return body.replace(STICKY, f"{_STATUS}\n{STICKY}")


def has_status(body: str) -> bool:
    """Return whether a comment has the mark of `with_status`."""
    return _STATUS in body


def with_outdated_note(body: str, count: int) -> str:
    """Return the comment with a note on fixed findings whose comments at lines are outdated."""
    head, _, tail = body.partition("\n")
    verb = "is" if count == 1 else "are"
    note = (
        f"{counted(count, 'finding')} at lines of this change {verb} fixed, but the comments "
        "there could not be updated."
    )
    return f"{head}\n\n{note}\n{tail}"


def is_sticky(body: str) -> bool:
    """Return whether a comment of ours is the summary comment."""
    return body.rstrip().endswith(STICKY)


def stickies_of(comments: Iterable[Comment], ours: int) -> list[Comment]:
    """Return the summary comments by our user, oldest first.

    There is one at most, or one more for each run at the same time.
    """
    stickies = [item for item in comments if item.by.id == ours and is_sticky(item.body)]
    return sorted(stickies, key=lambda item: item.id)


def sticky_of(comments: Iterable[Comment], ours: int) -> Comment | None:
    """Return the summary comment; None if there is none yet."""
    return next(iter(stickies_of(comments, ours)), None)


def spent_before(before: Comment | None) -> float:
    """Return the cost of earlier runs in US dollars, according to the summary comment.

    The check run may not have it: after two pushes in a row, the second run finds no check run.
    """
    if not before:
        return 0
    return max(map(float, _SPENT.findall(before.body)), default=0)
