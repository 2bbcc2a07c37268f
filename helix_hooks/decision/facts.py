"""The facts that a decision is based on, for a pull request and for a local review. Pure."""

from collections.abc import Mapping
from typing import NamedTuple

from ..finding import Finding
from .assess import Assessment
from .effective_votes import EffectiveVotes
from .handover import Handover
from .overrides import overridden
from .pull_request import PullRequest
from .reasons import NOTHING_TO_JUDGE, of_assessment, of_signs, reasons_in_queue, reasons_of
from .states import MOVED, REJECTED, Reason

NO_VOTES = EffectiveVotes()


class Facts(NamedTuple):
    """The reasons and votes for one decision.

    `reasons` are those for and against a change before any vote; there is at least one. The other
    fields are for a pull request: `handover` with overrides applied, its `author`, the votes, and
    the time in seconds since 1970. Without a hand-over no question can be answered.
    """

    reasons: tuple[Reason, ...]
    handover: Handover | None = None
    author: str = ""
    votes: EffectiveVotes = NO_VOTES
    now: int = 0


def of_pull_request(
    handover: Handover, pull: PullRequest, votes: EffectiveVotes = NO_VOTES, now: int = 0
) -> Facts:
    """Return the facts about a pull request: hand-over, current head and votes."""
    handover, unseen = overridden(handover, votes.overrides)
    moved = _moved(handover, pull)
    if moved:
        reasons = [moved]
    elif handover.target.merges:
        reasons = [*reasons_in_queue(handover, pull), *unseen]
    else:
        reasons = [*reasons_of(handover), *unseen]
    return Facts(tuple(reasons), handover, pull.author.login, votes, now)


def of_review(assessments: Mapping[str, Assessment], indicators: tuple[Finding, ...] = ()) -> Facts:
    """Return the facts of a local review, by approval type.

    Without any verdict the indicators are still questions to a person.
    """
    reasons: list[Reason] = []
    for name, assessment in assessments.items():
        reasons += of_assessment(name, assessment, indicators)
    if not assessments:
        reasons = of_signs(indicators)
    return Facts(tuple(reasons) or (NOTHING_TO_JUDGE,))


def of_rejection(reason: str) -> Facts:
    """Return the facts of a review that ended before any judge ran."""
    return Facts((Reason(state=REJECTED, text=reason),))


def _moved(handover: Handover, pull: PullRequest) -> Reason | None:
    """Return why another run decides about the pull request now; None if this one does."""
    run = handover.target
    if run.merges:
        return None
    if pull.head != run.head:
        text = f"{pull.head[:7]} was pushed meanwhile"
        return Reason(state=MOVED, text=text, way_out="wait for the run for that commit")
    if run.base_ref and pull.base_ref != run.base_ref:
        text = f"the base branch is now {pull.base_ref}, not {run.base_ref}"
        return Reason(state=MOVED, text=text, way_out="wait for the run for that branch")
    return None
