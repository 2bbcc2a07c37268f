"""The results of earlier runs on GitHub, for the next one.

These are records, the carried state, the chain of decisions, and findings of earlier rounds with
the replies to them.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..decision import chain, run_record, run_state
from ..decision.chain import Chain, Tip
from ..decision.handover import Handover, RunTarget
from ..decision.pull_request import Comment, Commit, Person, PullRequest, Status
from ..decision.rounds import (
    AuthorReply,
    cut,
    declines,
    last_rounds,
    refused,
    replies,
    with_declines,
    with_rounds,
)
from ..decision.run_state import CarriedState, RejectedRound, rounds_in
from ..decision.states import MOVED
from ..verdict.earlier import EarlierRound
from . import client, event, fetch
from .access import Access
from .check_run import states_before
from .event import Event
from .summary_comment import stickies_of, sticky_of

_MOST_COMMITS = 5
"""Maximum number of older commits that are searched for earlier decisions."""


def recorded(number: int, status: Status | None, commit: str) -> Handover | None:
    """Return the run record of a pull request from the check run of a commit.

    `commit` may be an abbreviated SHA. Return None if there is no valid record, or if it is about
    another commit or pull request.
    """
    if not status:
        return None
    handover = run_record.read(status.text, number)
    if not handover:
        return None
    target, carried = handover.target, handover.carried
    if not target.head.startswith(commit) or target.number != number:
        return None
    common = run_state.read(status.text)
    spent = max(common.spent, carried.spent)
    return handover._replace(carried=carried._replace(spent=spent, sealed=common.sealed))


def with_elsewhere(to: Access, pull: PullRequest) -> PullRequest:
    """Add our check runs of other names at the head, from when it had another base."""
    others = [
        status
        for status in fetch.statuses(to.repository, pull.head, to.app)
        if status.name != pull.check and pull.number in states_before(status)
    ]
    return pull._replace(elsewhere=tuple(others))


def is_retargeted(pull: PullRequest) -> bool:
    """Return whether a result at the head is for another base, and was not withdrawn."""
    if is_for_another_base(pull, pull.status):
        return True
    return any(
        states_before(status).get(pull.number) != MOVED
        and (is_for_another_base(pull, status) or recorded(pull.number, status, "") is None)
        for status in pull.elsewhere
    )


def is_for_another_base(pull: PullRequest, status: Status | None) -> bool:
    """Return whether a check run has a record of the pull request for another base."""
    last = recorded(pull.number, status, pull.head)
    return last is not None and last.target.base_ref != pull.base_ref


def last_status(pull: PullRequest) -> Status | None:
    """Return the check run at the head with the last result about the pull request.

    It may be the result for an earlier base. Without any it is that of others at the commit.
    """
    own = pull.status
    if own is None or states_before(own).get(pull.number, MOVED) == MOVED:
        return next(iter(pull.elsewhere), own)
    return own


def carried_state(number: int, status: Status | None, record: Handover | None) -> CarriedState:
    """Return the state that the last run at a commit left; `record` is its run record."""
    if record:
        return record.carried
    if not status:
        return CarriedState()
    carried = run_state.read(status.text)
    # A check run belongs to a commit, and several pull requests may share the commit.
    if {*states_before(status)} <= {number}:
        return carried
    return carried.without_people()


def chain_of(to: Access, target: RunTarget, pull: PullRequest, before: str = "") -> Chain:
    """Return the decisions so far on a pull request. `before` is the head before a push.

    They are on the check run of this commit, else on the check run of the commit that our comment
    names, or of the head before the push. A merge queue continues the chain of the pull request.
    """
    if not target.merges and pull.head != target.head:
        status = fetch.status_about(to.repository, target.head, to.app, target.number)
        return chain_in(status, target.number)
    own = _longest_chain(pull)
    end = chain_end(sticky_of(pull.comments, to.ours))
    if own.lines:
        return chain.compared(own, end)
    for commit in _commits_before(to, pull, end, before):
        if commit == pull.head:
            continue
        status = fetch.status_about(to.repository, commit, to.app, target.number)
        last = chain_in(status, target.number)
        if last.lines:
            return chain.compared(last, end)._replace(others=own.others)
    return chain.compared(own, end)


def _longest_chain(pull: PullRequest) -> Chain:
    """Return the decisions at the head, which may be on the check run for an earlier base."""
    own = chain_in(pull.status, pull.number)
    chains = [own, *(chain_in(status, pull.number) for status in pull.elsewhere)]
    return max(chains, key=lambda chain: chain.length)._replace(others=own.others)


def chain_in(status: Status | None, number: int) -> Chain:
    """Return the decisions on a pull request that a check run has."""
    if status is None:
        return chain.read("", number)
    return chain.read(status.text, number)


def chain_end(comment: Comment | None) -> Tip | None:
    """Return the end of the chain that our comment names; None without a comment."""
    if comment is None:
        return None
    return chain.in_comment(comment.body)


def _commits_before(to: Access, pull: PullRequest, end: Tip | None, pushed: str) -> Iterator[str]:
    """Yield commits that may have earlier decisions; `pushed` is the head before a push, or ""."""
    if end:
        yield end.commit
        if pushed and pushed != end.commit:
            yield pushed
    elif pushed:
        yield pushed
        # The run for that head may be missing, if the next push came too soon.
        searched = (pull.head, pushed)
        names = reversed(fetch.commit_names(to.repository, pull.number))
        yield from [name for name in names if name not in searched][:_MOST_COMMITS]


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
        for commit in _commits_of_last_run(seen, chain_end(next(iter(stickies), None)))
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


def _commits_of_last_run(seen: Event, end: Tip | None) -> Iterable[str]:
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
        author = event.person(client.one(to.repository, f"/pulls/{number}")["user"])
    commits: tuple[Commit, ...] = ()
    if any(item.comment.by.id != author.id for item in written):
        # Others may reply only if they wrote a commit.
        commits = fetch.commits(to.repository, number)[0]
    checked = [item._replace(refused=refused(item, handover, author, commits)) for item in written]
    doubts = fetch.doubts(
        to.repository, [item.comment.node for item in checked if not item.refused]
    )
    return tuple(
        item._replace(refused=item.refused or doubts.get(item.comment.node, "")) for item in checked
    )
