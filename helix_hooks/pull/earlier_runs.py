"""The records of earlier runs on GitHub: run records, carried state, and the chain of decisions."""

from collections.abc import Iterator

from ..decision import chain, run_record, run_state
from ..decision.chain import Chain, Tip
from ..decision.handover import Handover, RunTarget
from ..decision.pull_request import Comment, PullRequest, Status
from ..decision.run_state import CarriedState
from ..decision.states import MOVED
from . import fetch
from .access import Access
from .check_run import states_before
from .sticky import sticky_of

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
