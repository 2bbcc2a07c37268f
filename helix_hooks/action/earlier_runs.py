"""The records of earlier runs on GitHub: run records, carried state, and the chain of decisions."""

from collections.abc import Iterator

from ..decision import chain, run_record, run_state
from ..decision.chain import Chain
from ..decision.handover import Handover, RunTarget
from ..decision.pull_request import PullRequest, Status
from ..decision.run_state import CarriedState
from ..errors import HelixError
from ..github import fetch, runner
from ..publish.check_run import states_before
from ..publish.sticky import sticky_of
from .access import Access

_MOST_COMMITS = 5
"""Maximum number of older commits at which earlier decisions are looked up."""


def recorded(number: int, status: Status | None, commit: str) -> Handover | None:
    """Return the run record of a pull request on the check run of a commit.

    `commit` may be the beginning of a name. None if there is no readable record, or it is about
    something else.
    """
    data = run_record.read(status.text, number) if status else None
    if not status or not data:
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
    """Return what the last run at a commit left for the next one; `record` is its run record.

    A check run belongs to a commit, which several pull requests may share. So what it has beside a
    record counts only if it is about this pull request alone.
    """
    if record:
        return record.carried
    if not status:
        return CarriedState()
    carried = run_state.read(status.text)
    is_ours_alone = {*states_before(status)} <= {number}
    return carried if is_ours_alone else carried.without_people()


def chain_of(to: Access, target: RunTarget, pull: PullRequest, before: str = "") -> Chain:
    """Return the decisions so far on a pull request. `before` is the head before a push.

    They stand on the check run of this commit, else on that of the commit that our comment names,
    or of the head before the push. A merge queue continues those of the pull request.
    """
    at_head = target.merges or pull.head == target.head
    status = pull.status if at_head else fetch.status(to.repository, target.head, to.app)
    own = chain.read(status.text if status else "", target.number)
    if not at_head:
        return own
    sticky = sticky_of(pull.comments, to.ours)
    end = chain.in_comment(sticky.body) if sticky else None
    if own.lines:
        return chain.compared(own, end)
    for commit in _commits_before(to, pull, end.commit if end else "", before):
        status = fetch.status(to.repository, commit, to.app) if commit != pull.head else None
        last = chain.read(status.text if status else "", target.number)
        if last.lines:
            return chain.compared(last, end)._replace(others=own.others)
    return chain.compared(own, end)


def _commits_before(to: Access, pull: PullRequest, named: str, pushed: str) -> Iterator[str]:
    """Yield commits that may have earlier decisions.

    The run for a push may be missing if another push came too soon.
    """
    yield from dict.fromkeys(filter(None, (named, pushed)))
    if pushed and not named:
        known = (pull.head, pushed)
        names = reversed(fetch.names(to.repository, pull.number))
        yield from [name for name in names if name not in known][:_MOST_COMMITS]
