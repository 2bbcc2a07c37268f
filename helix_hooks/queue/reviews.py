"""The accepted ADRs of the main branch that are due for a review, as entries of the queue."""

from collections.abc import Collection, Iterable
from contextlib import closing
from datetime import UTC, datetime

from ..adr.model import Adr
from ..adr.review_date import review_of
from ..check.settings import settings_of
from ..check.trees import Revision
from ..enforce.base_decisions import accepted_adrs
from ..enforce.governing import binding_decision
from ..verify.base import base_here
from ..waiting import review_entry
from ..waiting.entry import ProjectPolicy
from ..waiting.review_entry import DueReview
from .requests import Found

_SIGNS = (b"review", b"revisit")
"""One of them is in each ADR with a date or a condition; the others are not parsed."""


def entries(root: str, by: ProjectPolicy, now: int) -> Found:
    """Return an entry for each review that is due, and a line for each ADR that can't be read.

    Raises:
        HelixError: The main branch or its settings can't be read.
    """
    base = base_here(root)
    if base is None:
        return (), ()
    with closing(Revision(root, base.commit)) as tree:
        accepted = accepted_adrs(tree, settings_of(tree), _SIGNS)
        due = due_reviews(accepted.adrs, tree.paths, now)
    unread = tuple(f"the review date of {path} could not be read" for path in accepted.unread)
    return tuple(review_entry.entry(item, by, now) for item in due), unread


def due_reviews(adrs: Iterable[Adr], paths: Collection[str], now: int) -> list[DueReview]:
    """Return the accepted ADRs that are due at a time, in seconds since 1970.

    `paths` are those of the repository.
    """
    today = datetime.fromtimestamp(now, UTC).date()
    due = []
    for adr in adrs:
        review = review_of(adr, today, paths)
        if review.is_due:
            decision = binding_decision(adr)
            due.append(
                DueReview(
                    path=decision.path,
                    name=decision.name,
                    title=decision.title,
                    reasons=review.reasons,
                    since=review.since,
                    conditions=review.conditions,
                )
            )
    return due
