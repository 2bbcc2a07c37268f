"""Earlier findings of judges on a pull request, from check runs and comments, for the next run."""

from collections.abc import Iterable
from typing import NamedTuple

from ..decision.chain import Tip
from ..decision.handover import Handover
from ..decision.last_rounds import cut, last_rounds
from ..decision.pull_request import Comment, Status
from ..decision.rounds import with_rounds
from ..decision.run_state import CarriedState, RejectedRound, rounds_in
from ..verdict.earlier import EarlierRound
from . import fetch
from .access import Access
from .author_replies import with_replies
from .earlier_runs import carried_state, chain_end, recorded
from .event import Event
from .sticky import stickies_of


class Earlier(NamedTuple):
    """The last round of each approval type, and all rejected rounds.

    `unkept` is the number of errors that no record has. With `is_requested`, a person has asked for
    a run at this head.
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
    """Return the earlier rounds; `here` is the check run at the head.

    The rejected rounds of all records are joined. The request of a person holds for all runs at the
    same head, until the next push.
    """
    stickies = stickies_of(comments, to.ours)
    runs = [
        _run_at(to, seen, commit, here)
        for commit in _commits_before(seen, chain_end(next(iter(stickies), None)))
    ]
    rejected = _rejected(runs, stickies)
    unkept = max((run.state.unkept for run in runs), default=0)
    for run in runs:
        if run.record is None:
            continue
        rounds, lost = cut(last_rounds(with_replies(to, run.record, comments)))
        was_requested = run.commit == seen.head and run.record.is_requested
        return Earlier(
            rounds=rounds,
            rejected=rejected,
            unkept=max(unkept, lost),
            is_requested=is_requested or was_requested,
        )
    # Rounds were rejected, and no record has their findings.
    unkept = max(unkept, int(bool(rejected)))
    return Earlier(rejected=rejected, unkept=unkept, is_requested=is_requested)


class _Run(NamedTuple):
    """The last run at a commit: its run record, and its carried state."""

    commit: str
    record: Handover | None
    state: CarriedState


def _run_at(to: Access, seen: Event, commit: str, here: Status | None) -> _Run:
    status = here
    if commit != seen.head:
        status = fetch.status_about(to.repository, commit, to.app, seen.number)
    record = recorded(seen.number, status, commit)
    return _Run(commit, record, carried_state(seen.number, status, record))


def _rejected(runs: list[_Run], stickies: Iterable[Comment]) -> tuple[RejectedRound, ...]:
    in_states = [item for run in runs for item in run.state.rounds]
    in_comments: list[RejectedRound] = []
    for sticky in stickies:
        in_comments += rounds_in(sticky.body)
    return with_rounds(in_states, in_comments)


def _commits_before(seen: Event, end: Tip | None) -> Iterable[str]:
    """Return the commits at which the last run may have been, the most likely one first.

    `end` is the end of the chain of decisions that our comment names.
    """
    commits = [seen.before, seen.head]
    if end and end.commit == seen.head:
        # A push to an earlier commit: our comment knows that the last run was there.
        commits = [end.commit, seen.before]
    elif end:
        commits = [seen.before, end.commit, seen.head]
    return dict.fromkeys(filter(None, commits))
