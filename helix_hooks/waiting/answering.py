"""Check a person's answer to a request, and apply it to the request; apply its deadline."""

from ..config.policy import Policy, duration
from ..decision.decide import AUTO_APPROVED as BY_TIME
from ..decision.decide import ESCALATED, LONGER, WAITING, deadline_status
from ..decision.who_may import giver_of, is_sole, not_confirmed
from ..errors import UsageError
from ..text import moment
from .request import (
    APPROVED,
    AUTO_APPROVED,
    EXPIRED,
    PENDING,
    PROXY,
    REJECTED,
    WITHDRAWN,
    ApprovalRequest,
    RequestVote,
)

_ENDS = {
    APPROVED: "was approved",
    REJECTED: "was rejected",
    EXPIRED: "has expired",
    AUTO_APPROVED: "was approved without a person",
    WITHDRAWN: "was withdrawn",
}


class AlreadyDecidedError(UsageError):
    """Another person or the deadline decided the request first. Exit code 2."""


def is_repeated(request: ApprovalRequest, vote: RequestVote) -> bool:
    """Return whether the same person has given the same answer, and the request still allows it."""
    compatible_states = (PENDING, APPROVED if vote.approves else REJECTED)
    return request.status in compatible_states and any(
        _person_key(item) == _person_key(vote) and item.approves == vote.approves
        for item in request.votes
    )


def already_decided(request: ApprovalRequest, vote: RequestVote) -> str:
    """Return who decided a request before this vote, "" if it is open."""
    if request.status == PENDING or is_repeated(request, vote):
        return ""
    own = "approval" if vote.approves else "rejection"
    return (
        f"request {request.id} {ending(request)}; the {own} by {vote.by.in_words} was not recorded"
    )


def ending(request: ApprovalRequest) -> str:
    """Return how, by whom and when a request ended, such as "was approved by @anna on ..."."""
    is_by_people = request.status in (APPROVED, REJECTED) and request.votes
    last = f" by {request.votes[-1].by.in_words}" if is_by_people else ""
    return f"{_ENDS[request.status]}{last} on {moment(request.decided_at)}"


def refusal(request: ApprovalRequest, vote: RequestVote, policy: Policy) -> str:
    """Return the reason why a vote does not count, "" if it counts.

    `decision.rights` checks the right to decide with data from GitHub. This function checks what
    follows from the request, the vote and the policy.
    """
    if vote.by.verified and vote.by.name.casefold().endswith("[bot]"):
        return f"@{vote.by.name} is a bot, and bots cannot approve"
    if not vote.approves:
        return ""
    if not vote.by.verified:
        return _why_unverified_cannot_approve(request, policy)
    why = _why_requester_cannot_approve(request, vote, policy)
    if why:
        return why
    represented, asker = _represented(vote), request.requested_by
    names = (asker.name.casefold(), asker.on_behalf_of.casefold())
    if represented and represented.casefold() in names:
        return f"@{vote.by.name} is a delegate of @{represented}, who requested this"
    return ""


def _why_unverified_cannot_approve(request: ApprovalRequest, policy: Policy) -> str:
    """Return why a person without a confirmed GitHub login can't approve, "" if they can."""
    requester = request.requested_by
    if requester.verified:
        return not_confirmed(requester.name)
    needed = minimum_of(request, policy)
    if needed <= 1:
        return ""
    return (
        f"{needed} people must approve, so GitHub must confirm each of them; "
        "set GITHUB_TOKEN, or log in with `gh auth login`"
    )


def _why_requester_cannot_approve(
    request: ApprovalRequest, vote: RequestVote, policy: Policy
) -> str:
    """Return why an approval is, or may be, the requester's own; "" if it is not."""
    requester, login = request.requested_by, vote.by.name
    if is_sole(login, policy.deciders):
        return ""
    if not requester.verified and vote.via != PROXY:
        return (
            f"the requester ({requester.name or 'unknown'}) is not verified, so self-approval "
            "can't be ruled out; reject the request, and ask again with GITHUB_TOKEN"
        )
    if login.casefold() == requester.name.casefold():
        return f"@{login} requested this and can't approve it (see policy.sole_maintainer)"
    if login.casefold() == requester.on_behalf_of.casefold():
        return f"@{requester.name} requested this on behalf of @{login}, who can't approve it"
    return ""


def minimum_of(request: ApprovalRequest, policy: Policy) -> int:
    """Return the number of required approvals.

    It is the higher one of the current policy and of the request.
    """
    now = policy.deciders_about(by_agents=request.requested_by.is_agent)
    return max(request.minimum, now.minimum)


def with_vote(request: ApprovalRequest, vote: RequestVote, policy: Policy) -> ApprovalRequest:
    """Return a pending request with a vote that counts. One objection rejects it."""
    others = tuple(item for item in request.votes if _voter_key(item) != _voter_key(vote))
    voted = request._replace(votes=(*others, vote), minimum=minimum_of(request, policy))
    if not vote.approves:
        return _decided(voted, REJECTED, vote)
    if approvals(voted) < voted.minimum:
        # The turn of others again, if it was that of this person alone.
        return voted._replace(handed_to="")
    return _decided(voted, APPROVED, vote)


def approvals(request: ApprovalRequest) -> int:
    """Return the number of approvals; a person and their delegate share one right."""
    return len({_right_holder(vote) for vote in request.votes if vote.approves})


def _decided(request: ApprovalRequest, status: str, vote: RequestVote) -> ApprovalRequest:
    return request._replace(status=status, decided_at=vote.at, comment=vote.reason)


def _person_key(vote: RequestVote) -> tuple[bool, str]:
    """Return a key that tells whether two votes are by the same person."""
    return vote.by.verified, vote.by.name.casefold()


def _voter_key(vote: RequestVote) -> str:
    """Return the voter's name, casefolded; "" for all who are not confirmed: they count as one."""
    return vote.by.name.casefold() if vote.by.verified else ""


def _right_holder(vote: RequestVote) -> str:
    """Return whose right to vote is used: a represented person's, or else the voter's own."""
    return _represented(vote).casefold() or _voter_key(vote)


def _represented(vote: RequestVote) -> str:
    """Return the person whom a delegate represents, "" for none."""
    return vote.by.delegate_of or giver_of(vote.right)


def swept(request: ApprovalRequest, now: int) -> tuple[ApprovalRequest, str]:
    """Return a request at a time, and its change since, "" for none.

    A change is "escalated", "expired" or "auto_approved". In the second of its deadline a request
    has changed. Only routine and milestone requests are ever approved by time.
    """
    if not request.due_at:
        return request, ""
    longer = LONGER if request.escalated_at else 0
    limit = request.expires_at - request.requested_at - longer  # without an escalation
    policy = Policy(deadlines={request.category: limit}, expiry=request.expiry)
    status = deadline_status(request.category, request.requested_at, policy, now)
    if status.state == WAITING or (status.state == ESCALATED and request.escalated_at):
        return request, ""
    # If no program ran during the 24 hours of an escalation, the request has expired without one.
    if status.state == ESCALATED:
        escalated = request._replace(escalated_at=request.expires_at, expires_at=status.until)
        return escalated, ESCALATED
    end = AUTO_APPROVED if status.state == BY_TIME else EXPIRED
    text = "approved: nobody objected" if end == AUTO_APPROVED else "blocked: it was not answered"
    text += f" within {duration_in_words(limit - request.stopped)}"
    if request.escalated_at:
        text += f" and {duration(LONGER)} after the escalation"
    return request._replace(status=end, decided_at=status.until, comment=text), end


def duration_in_words(seconds: int) -> str:
    """Return a time for people, e.g. "2d"; in seconds if it is not a number of minutes."""
    if seconds > 0 and seconds % 60 == 0:
        return duration(seconds)
    return f"{seconds} seconds"
