"""The decisions of pull requests that the audit trail has imported. Pure.

Their fields are those of `schemas/decision.json`. The last decision of a pull request counts.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ..config.policy import MERGE
from ..decision.states import PENDING
from .figures import DEADLINE, JUDGE, PEOPLE, RULES, EndedQuestion
from .request import APPROVED, AUTO_APPROVED, EXPIRED, REJECTED
from .trail import IMPORTED, TrailEvent

Fields = Mapping[str, object]
_OUTCOMES = {
    APPROVED: APPROVED,
    AUTO_APPROVED: APPROVED,
    REJECTED: REJECTED,
    EXPIRED: EXPIRED,
}
_VOTES = {APPROVED: ("approve", "override"), REJECTED: ("reject",)}


def ended_pulls(events: Iterable[TrailEvent]) -> Iterator[EndedQuestion]:
    """Yield the pull requests whose last decision is an end."""
    for (project, _), decision in _last(events).items():
        status = str(decision.get("status"))
        if status in _OUTCOMES:
            yield EndedQuestion(
                project=project,
                type=str(decision.get("action_type") or MERGE),
                outcome=_OUTCOMES[status],
                by=_by(status, decision),
                asked_at=_number(decision, "requested_at"),
                ended_at=_number(decision, "decided_at"),
            )


def waiting_pulls(events: Iterable[TrailEvent]) -> int:
    """Return the number of pull requests whose last decision is pending."""
    return sum(decision.get("status") == PENDING for decision in _last(events).values())


class PullEnd(NamedTuple):
    """The recorded end of a pull request: "approved", "auto_approved" or "rejected", the login of
    the last vote that agrees, "" for none, and the time in seconds since 1970.
    """

    outcome: str
    by: str
    at: int


def pull_ends(events: Iterable[TrailEvent]) -> dict[tuple[str, int], PullEnd]:
    """Return the ends of pull requests by project and number."""
    ends = {}
    for pull, decision in _last(events).items():
        status = str(decision.get("status"))
        if status in (APPROVED, AUTO_APPROVED, REJECTED):
            kinds = _VOTES.get(status, ())
            votes = _items(decision, "votes")
            names = [vote.get("by") for vote in votes if vote.get("said") in kinds]
            by = str(names[-1] or "") if names else ""
            ends[pull] = PullEnd(status, by, _number(decision, "decided_at"))
    return ends


def _last(events: Iterable[TrailEvent]) -> dict[tuple[str, int], Fields]:
    """Return the last decision of each pull request before it was closed."""
    newest: dict[tuple[str, int], Fields] = {}
    for event in events:
        decision = event.fields.get("decision")
        if event.kind != IMPORTED or not isinstance(decision, dict) or decision.get("closed"):
            continue
        key = event.project, _number(decision, "pull_request")
        earlier = newest.get(key, {})
        if _number(earlier, "decided_at") <= _number(decision, "decided_at"):
            newest[key] = decision
    return newest


def _by(status: str, decision: Fields) -> str:
    if status == EXPIRED:
        return ""
    if status == AUTO_APPROVED:
        return DEADLINE
    if any(vote.get("said") in _VOTES[status] for vote in _items(decision, "votes")):
        return PEOPLE
    has_verdict = any(not judge.get("failed") for judge in _items(decision, "judges"))
    return JUDGE if has_verdict else RULES


def _items(fields: Fields, key: str) -> list[Fields]:
    value = fields.get(key)
    if not isinstance(value, list):
        return []
    return [item for item in value if isinstance(item, dict)]


def _number(fields: Fields, key: str) -> int:
    value = fields.get(key)
    # In Python `True` is an integer.
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
