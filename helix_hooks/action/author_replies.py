"""Replies of authors to findings of judges, with what must be known of those who wrote them."""

from collections.abc import Iterable

from ..decision.declines import AuthorReply, declines, refused, replies, with_declines
from ..decision.handover import Handover
from ..decision.pull_request import Comment, Person
from ..github import edits, event, fetch
from .access import Access


def with_replies(
    to: Access, handover: Handover, comments: Iterable[Comment], author: Person | None = None
) -> Handover:
    """Return a hand-over with the replies that count now beside its findings.

    `author` is that of the pull request, who is fetched where it is not given.
    """
    counted = counted_replies(to, handover, comments, author)
    return with_declines(
        handover, declines(handover, [item for item in counted if not item.refused])
    )


def counted_replies(
    to: Access, handover: Handover, comments: Iterable[Comment], author: Person | None = None
) -> tuple[AuthorReply, ...]:
    """Return all replies, each with why it does not count, "" where it does."""
    written = replies(comments)
    if not written:
        return ()
    number = handover.target.number
    if author is None:
        author = event.person(fetch.one(to.repository, f"/pulls/{number}")["user"])
    by_others = any(item.comment.by.id != author.id for item in written)
    commits = fetch.commits(to.repository, number)[0] if by_others else ()
    judged = tuple(
        item._replace(refused=refused(item, handover, author, commits)) for item in written
    )
    nodes = [item.comment.node for item in judged if not item.refused]
    doubts = edits.doubts(to.repository, nodes) if nodes else {}
    return tuple(
        item if item.refused else item._replace(refused=doubts.get(item.comment.node, ""))
        for item in judged
    )
