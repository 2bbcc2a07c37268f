"""The decisions of pull requests that the audit trail has imported, for figures and for messages
about the end of a pull request. Pure.

Their fields are those of `schemas/decision.json`. The last decision of a pull request counts.
"""

from collections.abc import Iterable, Iterator, Mapping

from ..config.policy import MERGE
from ..decision.states import PENDING
from .entry import PULL_REQUEST
from .figures import DEADLINE, JUDGE, PEOPLE, RULES, EndedQuestion
from .notices import Ending, Notice
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


def pull_endings(events: Iterable[TrailEvent], gone: Iterable[Notice]) -> dict[str, Ending]:
    """Return the recorded ends of pull requests, by entry."""
    decisions = _last(events)
    endings = {}
    for notice in gone:
        number = notice.id.rpartition("#")[2]
        is_first = notice.since <= notice.asked_at
        if notice.source != PULL_REQUEST or not number.isdecimal() or not is_first:
            continue
        decision = decisions.get((notice.project, int(number)), {})
        status = str(decision.get("status"))
        # An earlier decision was about another question.
        is_later = _number(decision, "decided_at") >= notice.asked_at
        if is_later and status in (APPROVED, AUTO_APPROVED, REJECTED):
            endings[notice.entry] = Ending(status, _decider(status, decision))
    return endings


def _decider(status: str, decision: Fields) -> str:
    """Return the login of the last vote that agrees with a decision, "" for none."""
    kinds = _VOTES.get(status, ())
    names = [vote.get("by") for vote in _items(decision, "votes") if vote.get("said") in kinds]
    return str(names[-1] or "") if names else ""


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
