"""Findings of judges on a pull request up to now, for the next run: from check runs and
comments.
"""

from collections.abc import Iterable
from typing import NamedTuple

from ..decision import chain
from ..decision.last_rounds import cut, last_rounds
from ..decision.pull_request import Comment, Status
from ..decision.rounds import with_rounds
from ..decision.run_state import RejectedRound, rounds_in
from ..github import fetch
from ..github.event import Event
from ..publish.sticky import stickies_of
from ..verdict.earlier import EarlierRound
from .access import Access
from .author_replies import with_replies
from .earlier_runs import carried_state, recorded


class Earlier(NamedTuple):
    """The last round of each approval type, all that was rejected, and how many errors no record
    has. `is_requested`: a person has asked for a run at this head.
    """

    rounds: tuple[EarlierRound, ...] = ()
    rejected: tuple[RejectedRound, ...] = ()
    unkept: int = 0
    is_requested: bool = False


def earlier_rounds(
    to: Access,
    seen: Event,
    here: Status | None,
    comments: tuple[Comment, ...],
    is_requested: bool,
) -> Earlier:
    """Return what earlier runs know of the rounds so far; `here` is the check run at the head.

    What was rejected is added up from all of them. That a person has asked for a run holds for all
    further runs at that head, until something else is pushed.
    """
    stickies = stickies_of(comments, to.ours)
    end = chain.in_comment(stickies[0].body) if stickies else None
    statuses = {
        place: here if place == seen.head else fetch.status(to.repository, place, to.app)
        for place in _places(seen, end.commit if end else "")
    }
    records = {place: recorded(seen.number, status, place) for place, status in statuses.items()}
    states = [
        carried_state(seen.number, status, records[place]) for place, status in statuses.items()
    ]
    noted = (item for sticky in stickies for item in rounds_in(sticky.body))
    rejected = with_rounds((item for state in states for item in state.rounds), noted)
    unkept = max((state.unkept for state in states), default=0)
    place = next((place for place, record in records.items() if record), "")
    last = records.get(place)
    if last is None:
        unkept = max(unkept, int(bool(rejected)))
        return Earlier(rejected=rejected, unkept=unkept, is_requested=is_requested)
    rounds, lost = cut(last_rounds(with_replies(to, last, comments)))
    was_requested = place == seen.head and last.is_requested
    return Earlier(
        rounds=rounds,
        rejected=rejected,
        unkept=max(unkept, lost),
        is_requested=is_requested or was_requested,
    )


def _places(seen: Event, named: str) -> Iterable[str]:
    """Return the commits at which the last run may have been, the likeliest first.

    `named` is the one that our comment names. After a push back to an old commit the last run was
    at the head before, and not the one there.
    """
    first = (named, seen.before) if named == seen.head else (seen.before, named)
    return dict.fromkeys(filter(None, (*first, seen.head)))
