"""The accepted ADRs of the main branch that are due for a review, as entries of the queue."""

from contextlib import closing
from datetime import UTC, datetime

from .. import git
from ..adr.review_date import review_of
from ..check.settings import settings_of
from ..check.trees import Revision
from ..enforce.base_decisions import accepted_adrs
from ..enforce.governing import binding_decision
from ..verify.base import base_of
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
    head = git.run(git.HEAD, root, check=False).stdout.decode().strip()
    base = base_of(root, "", head)
    if base is None:
        return (), ()
    with closing(Revision(root, base.commit)) as tree:
        due = due_reviews(tree, now)
    found = tuple(review_entry.entry(item, by, now) for item in due)
    return found, ()


def due_reviews(tree: Revision, now: int) -> list[DueReview]:
    """Return the accepted ADRs of a tree that are due at a time, in seconds since 1970."""
    today = datetime.fromtimestamp(now, UTC).date()
    due = []
    for adr in accepted_adrs(tree, settings_of(tree), _SIGNS).adrs:
        review = review_of(adr, today, tree.paths)
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
