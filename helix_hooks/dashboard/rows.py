"""The rows of a page for one viewer, with whose turn each entry is, and the filters."""

from collections import Counter

from ..config.policy import CATEGORIES
from ..pages.queue import MINE
from ..pages.view import ELSEWHERE, HERE, OTHERS, UNKNOWN, QueueRow
from ..waiting.entry import EXPIRED, PULL_REQUEST, UNDECIDED, VERIFICATION, QueueEntry, Viewer
from ..waiting.right import is_requester, is_turn, refusal
from ..waiting.selection import ordered, stamp
from .access import Visible

_EXPIRED = "Its deadline has passed. It must be requested again."
_VERIFICATION = "Resolve a verification in the work tree where it ran."
_REVIEW = "Confirm the decision with a later date in the ADR, or supersede it."
_APPROVED = "You have approved it. Other approvals are pending."
_REPLY = "A decider asks you something: reply in a terminal."
_ASKED_BACK = (
    "The requester has not replied to a question. If it can't wait, decide in a terminal with "
    "helix-hooks queue."
)
_ANSWERED = "You have answered it. The gate has not counted your answer yet."
_HANDED_OVER = (
    "It was handed over to another person. If it can't wait, decide in a terminal with "
    "helix-hooks queue."
)
_LINKS_ONLY = "Decide on the pull request itself: a proxy signed you in, not GitHub."


def rows(visible: Visible, *, links_only: bool) -> tuple[QueueRow, ...]:
    """Return all rows in the order of the list.

    With `links_only`, pull requests can't be decided on the page, because the server does not have
    the viewer's token.
    """
    viewer = visible.viewer
    return tuple(
        _row(entry, viewer, links_only=links_only)
        for entry in ordered(visible.queue.entries, viewer)
    )


def _row(entry: QueueEntry, viewer: Viewer, *, links_only: bool) -> QueueRow:
    if not viewer.login:
        return QueueRow(entry, UNKNOWN)
    turn, reason = _turn(entry, viewer, links_only=links_only)
    return QueueRow(entry, turn, reason, stamp(entry))


def _turn(entry: QueueEntry, viewer: Viewer, *, links_only: bool) -> tuple[str, str]:
    """Return whose turn it is, and why the viewer can't decide on the page ("" if they can)."""
    if entry.source in UNDECIDED:
        return OTHERS, _VERIFICATION if entry.source == VERIFICATION else _REVIEW
    if entry.state == EXPIRED:
        return OTHERS, _EXPIRED
    if entry.is_asked_back:
        if is_requester(viewer, entry):
            return ELSEWHERE, _REPLY
        return OTHERS, _ASKED_BACK
    if reason := refusal(viewer, entry):
        return OTHERS, reason
    if not is_turn(viewer, entry):
        return OTHERS, _others_turn(entry, viewer.login.casefold())
    if links_only and entry.source == PULL_REQUEST:
        return ELSEWHERE, _LINKS_ONLY
    return HERE, ""


def _others_turn(entry: QueueEntry, login: str) -> str:
    """Return why it is not the turn of a login that may decide."""
    if login in map(str.casefold, entry.answered):
        return _ANSWERED
    return _APPROVED if entry.handed_to.casefold() in ("", login) else _HANDED_OVER


def counts(all_rows: tuple[QueueRow, ...]) -> tuple[tuple[str, int], ...]:
    """Return the number of rows of each filter."""
    by_category = Counter(item.entry.category for item in all_rows)
    viewer_rows = sum(is_viewers_turn(item) for item in all_rows)
    categories = ((name, by_category[name]) for name in CATEGORIES)
    return (("", len(all_rows)), (MINE, viewer_rows), *categories)


def filtered(all_rows: tuple[QueueRow, ...], shown: str) -> tuple[QueueRow, ...]:
    """Return the rows of a filter."""
    if shown == MINE:
        return tuple(item for item in all_rows if is_viewers_turn(item))
    return tuple(item for item in all_rows if shown in ("", item.entry.category))


def is_viewers_turn(row: QueueRow) -> bool:
    return row.turn in (HERE, ELSEWHERE)
