"""A person's decision about a pull request, posted as their own comment.

The comment is a vote like any other: the gate reads it and decides. Before it is posted, it is
counted as the gate would count it, so a comment that would not count is not written.
"""

from collections.abc import Mapping

from ..decision.commands import APPROVE, REJECT
from ..decision.decide import decide, of_pull_request
from ..decision.pull_request import Comment, Person, PullRequest
from ..decision.votes import Vote, count_votes, effective_votes
from ..errors import UsageError
from ..pull import client, fetch, identity
from ..pull.access import Access, access
from ..pull.earlier_runs import recorded
from ..pull.evaluate import Evaluation, evaluate, voter_facts
from ..pull.title import title
from ..pull.write import Stored, Writer
from ..waiting.entry import QueueEntry
from ..waiting.pull_comment import comment_of
from ..waiting.pull_entry import project_and_number, waits

_WORDS = {APPROVE: "approval", REJECT: "objection"}
_NOT_YET = -1
"""The id of a comment that is not posted."""


def post(
    entry: QueueEntry, answer: str, reason: str, token: str, environment: Mapping[str, str]
) -> str:
    """Post the comment of an answer, "approve" or "reject", and return its address.

    The comment is written by the person whose token it is. Raises UsageError where the entry is no
    longer as they saw it, or they may not decide, and HelixError where GitHub does not answer.
    """
    project, number = project_and_number(entry.id)
    body = comment_of(answer, entry.head, reason)
    to = access(project, {**environment, "GITHUB_TOKEN": token})
    with client.reached():
        who = identity.user(to.repository)
        pull = fetch.pull_request(to.repository, number, to.app)
        _check_entry(entry, pull)
        now = _evaluated(to, entry, pull)
        _check_question(entry, answer, now)
        comment = Comment(id=_NOT_YET, by=who, body=body, at=pull.now, changed=pull.now)
        _check_vote(to, now, comment, entry.id)
        return _posted(to, pull, who, body)


def _check_entry(entry: QueueEntry, pull: PullRequest) -> None:
    if not pull.is_open:
        raise UsageError(f"{entry.id} is closed or merged, so there is nothing to decide")
    if pull.head != entry.head:
        raise UsageError(
            f"{entry.id}: {pull.head[:7]} was pushed since {entry.head[:7]}; look at it again"
        )


def _evaluated(to: Access, entry: QueueEntry, pull: PullRequest) -> Evaluation:
    record = recorded(pull.number, pull.status, pull.head)
    if record is None:
        raise UsageError(
            f"{entry.id}: there is no result of the gate at {pull.head[:7]}; wait for it"
        )
    return evaluate(to, record, pull)


def _check_question(entry: QueueEntry, answer: str, now: Evaluation) -> None:
    if not waits(now.decision):
        raise UsageError(
            f"{entry.id} no longer waits for a person: {title(now.handover, now.decision)}"
        )
    if answer == APPROVE and not now.decision.asked:
        ways = dict.fromkeys(item.way_out for item in now.decision.reasons if item.way_out)
        raise UsageError(
            f"{entry.id}: an approval has no effect; {'; '.join(ways) or 'see the page'}"
        )


def _check_vote(to: Access, now: Evaluation, comment: Comment, id: str) -> None:
    """Raise UsageError with the reason where the vote in a comment would not count."""
    handover = now.handover
    pull = now.pull._replace(comments=(*now.pull.comments, comment))
    votes = effective_votes(count_votes(handover, pull, voter_facts(to, handover, pull)))
    decision = decide(of_pull_request(handover, pull, votes, pull.now))
    refused = [vote for vote in decision.refused if _is_of(comment, vote)]
    if refused:
        kind = refused[0].kind
        raise UsageError(
            f"{id}: the {_WORDS.get(kind, kind)} would not count: {refused[0].refused}"
        )
    if not any(_is_of(comment, vote) for vote in (*votes.approvals, *votes.objections)):
        raise UsageError(f"{id}: @{comment.by.login} cannot vote on this pull request")


def _is_of(comment: Comment, vote: Vote) -> bool:
    return vote.source == comment.id and not vote.is_review


def _posted(to: Access, pull: PullRequest, person: Person, body: str) -> str:
    path = f"/issues/{pull.number}/comments"
    known = {item.id for item in pull.comments}

    def look() -> Stored | None:
        new = (item for item in client.listed(to.repository, path) if item["id"] not in known)
        mine = (item for item in new if item["user"] and item["user"]["id"] == person.id)
        return next((item for item in mine if (item["body"] or "").strip() == body), None)

    found = Writer(to.repository).post(path, {"body": body}, look)
    return str(found.get("html_url") or "")
