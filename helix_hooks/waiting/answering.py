"""Check a person's answer to a request, and apply it to the request."""

from ..config.policy import Policy
from ..decision.flow_decider import is_sole, not_confirmed
from ..decision.rights import giver_of
from ..errors import UsageError
from ..text.moment import moment
from .request import (
    APPROVED,
    AUTO_APPROVED,
    EXPIRED,
    PENDING,
    REJECTED,
    ApprovalRequest,
    RequestVote,
)

_ENDS = {
    APPROVED: "was approved",
    REJECTED: "was rejected",
    EXPIRED: "has expired",
    AUTO_APPROVED: "was approved without a person",
}


class AlreadyDecidedError(UsageError):
    """Another person or the deadline decided the request first. Exit code 2."""


def is_repeated(request: ApprovalRequest, vote: RequestVote) -> bool:
    """Return whether the same person has already given the same answer."""
    standing = (PENDING, APPROVED if vote.approves else REJECTED)
    return request.status in standing and any(
        _name(item) == _name(vote) and item.approves == vote.approves for item in request.votes
    )


def already_decided(request: ApprovalRequest, vote: RequestVote) -> str:
    """Return who decided a request before this vote, "" if it is open."""
    if request.status == PENDING or is_repeated(request, vote):
        return ""
    last = f" by {request.votes[-1].by.in_words}" if _by_people(request) else ""
    own = "approval" if vote.approves else "rejection"
    return (
        f"request {request.id} {_ENDS[request.status]}{last} on {moment(request.decided_at)}; "
        f"the {own} by {vote.by.in_words} was not recorded"
    )


def refusal(request: ApprovalRequest, vote: RequestVote, policy: Policy) -> str:
    """Return why a vote does not count, "" if it does.

    `decision.rights` checks the right to decide with data from GitHub. This function checks what
    follows from the request, the vote and the policy.
    """
    if vote.by.verified and vote.by.name.casefold().endswith("[bot]"):
        return f"@{vote.by.name} is a bot, and bots cannot approve"
    if not vote.approves:
        return ""
    if not vote.by.verified:
        return _of_unverified(request, policy)
    why = _of_requester(request, vote.by.name, policy)
    if why:
        return why
    giver = _giver(vote)
    if giver and _has_asked(request, giver):
        return f"@{vote.by.name} is a delegate of @{giver}, who requested this"
    return ""


def _of_unverified(request: ApprovalRequest, policy: Policy) -> str:
    """Return why a person without a confirmed GitHub login can't approve."""
    asker = request.requested_by
    if asker.verified:
        return not_confirmed(asker.name)
    needed = minimum_of(request, policy)
    if needed <= 1:
        return ""
    return (
        f"{needed} people must approve, so GitHub must confirm each of them; "
        "set GITHUB_TOKEN, or log in with `gh auth login`"
    )


def _of_requester(request: ApprovalRequest, login: str, policy: Policy) -> str:
    """Return why an approval is, or may be, the requester's own."""
    asker = request.requested_by
    if is_sole(login, policy.deciders):
        return ""
    if not asker.verified:
        return (
            f"the requester ({asker.name or 'unknown'}) is not verified, so self-approval can't be "
            "ruled out; reject the request, and ask again with GITHUB_TOKEN"
        )
    if login.casefold() == asker.name.casefold():
        return f"@{login} requested this and can't approve it (see policy.sole_maintainer)"
    if login.casefold() == asker.on_behalf_of.casefold():
        return f"@{asker.name} requested this on behalf of @{login}, who can't approve it"
    return ""


def _has_asked(request: ApprovalRequest, login: str) -> bool:
    asker = request.requested_by
    return login.casefold() in (asker.name.casefold(), asker.on_behalf_of.casefold())


def minimum_of(request: ApprovalRequest, policy: Policy) -> int:
    """Return the number of required approvals.

    It is the higher one of the current policy and of the request.
    """
    now = policy.deciders_about(by_agents=request.requested_by.is_agent)
    return max(request.minimum, now.minimum)


def with_vote(request: ApprovalRequest, vote: RequestVote, policy: Policy) -> ApprovalRequest:
    """Return a pending request with a vote that counts. One objection rejects it."""
    others = tuple(item for item in request.votes if _voter(item) != _voter(vote))
    voted = request._replace(votes=(*others, vote), minimum=minimum_of(request, policy))
    if not vote.approves:
        return _decided(voted, REJECTED, vote)
    if approvals(voted) < voted.minimum:
        return voted
    return _decided(voted, APPROVED, vote)


def approvals(request: ApprovalRequest) -> int:
    """Return the number of approvals; a person and their delegate share one right."""
    return len({_right(vote) for vote in request.votes if vote.approves})


def _decided(request: ApprovalRequest, status: str, vote: RequestVote) -> ApprovalRequest:
    return request._replace(status=status, decided_at=vote.at, comment=vote.reason)


def _by_people(request: ApprovalRequest) -> bool:
    return request.status in (APPROVED, REJECTED) and bool(request.votes)


def _name(vote: RequestVote) -> tuple[bool, str]:
    """Return the voter's name for messages."""
    return vote.by.verified, vote.by.name.casefold()


def _voter(vote: RequestVote) -> str:
    """Return the identity of a voter; all who are not confirmed count as one person."""
    return vote.by.name.casefold() if vote.by.verified else ""


def _right(vote: RequestVote) -> str:
    """Return the identity of the right that a vote uses."""
    return _giver(vote).casefold() or _voter(vote)


def _giver(vote: RequestVote) -> str:
    """Return the person whom a delegate represents, "" for none."""
    return vote.by.delegate_of or giver_of(vote.right)
