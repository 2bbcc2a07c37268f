"""Replies of authors to findings of judges, with the facts about their authors."""

from collections.abc import Iterable

from ..decision.declines import AuthorReply, declines, refused, replies, with_declines
from ..decision.handover import Handover
from ..decision.pull_request import Comment, Commit, Person
from . import edits, event, fetch, reading
from .access import Access


def with_replies(
    to: Access, handover: Handover, comments: Iterable[Comment], author: Person | None = None
) -> Handover:
    """Return a hand-over whose findings have the replies that count.

    `author` is the author of the pull request; None to fetch it.
    """
    counted = counted_replies(to, handover, comments, author)
    accepted = [item for item in counted if not item.refused]
    return with_declines(handover, declines(handover, accepted))


def counted_replies(
    to: Access, handover: Handover, comments: Iterable[Comment], author: Person | None = None
) -> tuple[AuthorReply, ...]:
    """Return all replies, each with the reason why it does not count, "" if it counts."""
    written = replies(comments)
    if not written:
        return ()
    number = handover.target.number
    if author is None:
        author = event.person(reading.one(to.repository, f"/pulls/{number}")["user"])
    commits: tuple[Commit, ...] = ()
    if any(item.comment.by.id != author.id for item in written):
        # Others may reply only if they wrote a commit.
        commits = fetch.commits(to.repository, number)[0]
    checked = [item._replace(refused=refused(item, handover, author, commits)) for item in written]
    doubts = edits.doubts(
        to.repository, [item.comment.node for item in checked if not item.refused]
    )
    return tuple(
        item._replace(refused=item.refused or doubts.get(item.comment.node, "")) for item in checked
    )
