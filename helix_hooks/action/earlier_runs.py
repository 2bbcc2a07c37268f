"""The records of earlier runs on GitHub: run records, carried state, and the chain of decisions."""

from collections.abc import Iterator

from ..decision import chain, run_record, run_state
from ..decision.chain import Chain, Tip
from ..decision.handover import Handover, RunTarget
from ..decision.pull_request import Comment, PullRequest, Status
from ..decision.run_state import CarriedState
from ..errors import HelixError
from ..github import fetch, runner
from ..publish.check_run import states_before
from ..publish.sticky import sticky_of
from .access import Access

_MOST_COMMITS = 5
"""Maximum number of older commits that are searched for earlier decisions."""


def recorded(number: int, status: Status | None, commit: str) -> Handover | None:
    """Return the run record of a pull request from the check run of a commit.

    `commit` may be an abbreviated SHA. Return None if there is no valid record, or if it is about
    another commit or pull request.
    """
    if not status:
        return None
    data = run_record.read(status.text, number)
    if not data:
        return None
    try:
        handover = runner.checked(data)
    except HelixError:
        return None
    target, carried = handover.target, handover.carried
    if not target.head.startswith(commit) or target.number != number:
        return None
    common = run_state.read(status.text)
    spent = max(common.spent, carried.spent)
    return handover._replace(carried=carried._replace(spent=spent, sealed=common.sealed))


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
        status = fetch.status(to.repository, target.head, to.app)
        return chain_in(status, target.number)
    own = chain_in(pull.status, target.number)
    end = chain_end(sticky_of(pull.comments, to.ours))
    if own.lines:
        return chain.compared(own, end)
    for commit in _commits_before(to, pull, end, before):
        if commit == pull.head:
            continue
        last = chain_in(fetch.status(to.repository, commit, to.app), target.number)
        if last.lines:
            return chain.compared(last, end)._replace(others=own.others)
    return chain.compared(own, end)


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
