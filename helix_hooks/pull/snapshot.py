"""`--mode snapshot`: fetch the pull request and its commits as git objects.

All later steps use these commits.
"""

import os
import secrets
from contextlib import suppress
from typing import NamedTuple

from ..config.workflows import CHECK
from ..console import print_message
from ..contract.claims import first_claims
from ..decision.handover import Failure, Handover, QueuedCommit, RunTarget
from ..decision.pull_request import NOBODY, PullRequest
from ..decision.run_state import CarriedState
from ..errors import GitError, HelixError
from ..judge.repair import last_policy
from ..verify.run import lacks_history
from . import client, event, fetch, objects, runner
from .access import Access, access, server
from .check import verify_options
from .earlier_runs import (
    Earlier,
    carried_state,
    earlier_rounds,
    is_retargeted,
    last_status,
    recorded,
    with_elsewhere,
)
from .event import Event
from .fetch import compare
from .group import Group, GroupFinder
from .runner import StepOptions, Work, unseen
from .summary_comment import spent_before, stickies_of

_DEPTHS = (50, 1000)
"""Numbers of commits before the base that are fetched if its policy can't be read."""

_WHOLE = 2_147_483_647
"""The depth that git takes for the whole history (`git fetch --unshallow` uses it)."""


def run(options: StepOptions, work: Work) -> int:
    environment = dict(os.environ)
    if environment.get("HELIX_NONCE") and os.path.exists(work.file):
        # An earlier job has written the hand-over; this runner may lack the git objects.
        handover = work.load(environment)
        _fetch(handover, work, environment)
    else:
        work.forget()
        handover = _begin(event.read(environment), work, environment, options.config)
    target = handover.target
    runner.put(environment, {"nonce": target.nonce, "head": target.head})
    return 0


def _begin(seen: Event, work: Work, environment: dict[str, str], config: str) -> Handover:
    """Create and save the hand-over of a new run.

    A failure is saved too if the event names the commit, so that the pull request shows it.
    """
    handover = None
    try:
        handover = _handover(seen, work, environment)
        _fetch(handover, work, environment)
        _fetch_history(handover.target, work, environment, config)
        _fetch_for_claims(handover, work, environment, config)
    except HelixError as error:
        if seen.head:
            failure = Failure(HelixError.exit_code, str(error))
            work.save((handover or unseen(seen))._replace(failure=failure))
        raise
    work.save(handover)
    return handover


def _fetch(handover: Handover, work: Work, environment: dict[str, str]) -> None:
    """Fetch the commits of a run, and the commits of earlier rounds that still exist."""
    target = handover.target
    url, token = _url(target.repository, environment), _token(environment)
    objects.fetch(work.objects, url, [target.head, target.base, target.merge_base], token)
    for commit in dict.fromkeys(round.commit for round in handover.earlier):
        # One fetch each: a push may have removed a commit, and a missing one fails the fetch.
        with suppress(GitError):
            objects.fetch(work.objects, url, [commit], token)


def _fetch_history(
    target: RunTarget,
    work: Work,
    environment: dict[str, str],
    config: str,
) -> None:
    """Fetch commits before the base if its policy can't be read, to find an older policy.

    If that fails too, the packaged policy applies; this is not a failure of the step.
    """
    url, token = _url(target.repository, environment), _token(environment)
    for depth in _DEPTHS:
        last = last_policy(work.objects, target.base, config)
        if last.commit or last.is_whole:
            return
        try:
            objects.deepen(work.objects, url, [target.base], depth, token)
        except GitError as error:
            name = target.base_ref or target.base[:7]
            print_message(f"the history of {name} could not be fetched: {error}")
            return


def _fetch_for_claims(
    handover: Handover, work: Work, environment: dict[str, str], config: str
) -> None:
    """Fetch the history since the approval of the ADRs that the change claims to implement."""
    target, options = handover.target, verify_options(handover, config)
    url, token = _url(target.repository, environment), _token(environment)
    # The next step gets the same error, for example of broken settings, and reports it.
    with suppress(HelixError):
        for depth in (*_DEPTHS, _WHOLE):
            if not lacks_history(options, work.objects):
                return
            objects.deepen(work.objects, url, [target.head, target.base], depth, token)


def _url(repository: str, environment: dict[str, str]) -> str:
    return f"{server(environment)}/{repository}"


def _token(environment: dict[str, str]) -> str:
    return environment.get("GITHUB_TOKEN", "")


def _handover(seen: Event, work: Work, environment: dict[str, str]) -> Handover:
    """Return the hand-over of a new run."""
    to = access(seen.repository, environment)
    with client.reached():
        if not seen.head:
            seen = _with_pull_request(to, seen, environment)
        if seen.merges:
            facts = _queue_facts(to, seen, work, environment)
        else:
            facts = _pull_facts(to, seen, environment)
    claims = first_claims(facts.text, facts.messages)
    target = RunTarget(
        repository=seen.repository,
        number=seen.number,
        head=seen.head,
        base=facts.base,
        merge_base=event.commit(facts.merge_base),
        nonce=secrets.token_hex(16),
        merges=seen.merges,
        draft=seen.draft,
        from_fork=seen.from_fork,
        base_ref=seen.base_ref,
        check=facts.check,
    )
    return Handover(
        target=target,
        carried=facts.carried,
        claims=claims.ids,
        claims_left_out=claims.left_out,
        earlier=facts.earlier.rounds,
        is_requested=facts.earlier.is_requested,
        group=tuple(QueuedCommit(*item) for item in facts.group.members),
        unknown_commits=facts.group.unknown,
    )


class _Facts(NamedTuple):
    """The facts about a new run: its base, its texts, and the state of earlier runs.

    `text` is the description of the pull request, and `messages` are those of its commits.
    """

    base: str
    merge_base: str
    text: str
    messages: tuple[str, ...]
    carried: CarriedState
    earlier: Earlier
    check: str
    group: Group = Group()


def _queue_facts(to: Access, seen: Event, work: Work, environment: dict[str, str]) -> _Facts:
    """Return the facts about a run of a merge queue. It carries no state: its commit is new.

    The base of the event may be the head of the group before this one, which is not merged yet. So
    the base is the tip of the branch, unless it has the commits of this group already.
    """
    url, token = _url(seen.repository, environment), _token(environment)
    base = event.commit(objects.tip(url, seen.base_ref, token))
    compared = compare(to.repository, base, seen.head)
    if not compared.commits:
        base = seen.base
        compared = compare(to.repository, base, seen.head)
    folder = work.objects
    finder = GroupFinder(
        repository=to.repository,
        base_ref=seen.base_ref,
        last=seen.number,
        folder=folder,
        fetch=lambda commits: objects.fetch(folder, url, commits, token),
    )
    group = finder.group(compared, base, seen.head)
    numbers = dict.fromkeys((*(number for number, _ in group.members), seen.number))
    texts = [to.repository.get_pull(number).body or "" for number in numbers]
    return _Facts(
        base=base,
        merge_base=compared.merge_base,
        text="\n\n".join(texts),
        messages=compared.messages,
        group=group,
        carried=CarriedState(),
        earlier=Earlier(),
        check=to.check_name(seen.base_ref, seen.default_branch),
    )


def _pull_facts(to: Access, seen: Event, environment: dict[str, str]) -> _Facts:
    # The base of the event may be old, above all if a run is repeated.
    url, token = _url(seen.repository, environment), _token(environment)
    base = event.commit(objects.tip(url, seen.base_ref, token))
    compared = compare(to.repository, base, seen.head)
    is_requested = seen.name == "workflow_dispatch" or _is_asked(environment)
    check = to.check_name(seen.base_ref, seen.default_branch)
    carried, earlier = _carried(to, seen, check, compared.now, is_requested)
    return _Facts(
        base=base,
        merge_base=compared.merge_base,
        text=seen.text,
        messages=compared.messages,
        carried=carried,
        earlier=earlier,
        check=check,
    )


def _is_asked(environment: dict[str, str]) -> bool:
    """Return whether a person with the right to do so has asked for this run in a comment."""
    return environment.get("HELIX_ANEW") == "yes"


def _with_pull_request(to: Access, seen: Event, environment: dict[str, str]) -> Event:
    """Return an event that has only a number, with the facts about that pull request.

    A draft or a fork counts as such, unless a person with the right to do so asked for the run.
    """
    pull = to.repository.get_pull(seen.number)
    is_asked = _is_asked(environment)
    by_hand = seen.anew or is_asked
    source = ""
    if pull.head.repo:  # None after a fork was deleted
        source = pull.head.repo.full_name
    return seen._replace(
        head=event.commit(pull.head.sha),
        base_ref=pull.base.ref,
        draft=bool(pull.draft) and not is_asked,
        from_fork=source != seen.repository and not by_hand,
        anew=by_hand,
        text=pull.body or "",
        default_branch=pull.base.repo.default_branch,
    )


def _carried(
    to: Access, seen: Event, check: str, now: int, is_requested: bool
) -> tuple[CarriedState, Earlier]:
    """Return the state that the last run left, and the earlier findings of judges.

    After a push, or if deadlines shall restart, the clock of a question is reset. Objections stay.
    """
    pull = _with_statuses(to, seen, check)
    here = last_status(pull)
    before = here
    if not here and seen.before:
        before = fetch.status_about(to.repository, seen.before, to.app, seen.number)
    last = recorded(seen.number, before, "")
    carried = carried_state(seen.number, before, last)
    comments = fetch.comments(to.repository, seen.number)
    if before is None:
        # Pushes came faster than runs. Our comment still has the costs.
        stickies = stickies_of(comments, to.ours)
        carried = CarriedState(spent=max(map(spent_before, stickies), default=0))
    earlier = earlier_rounds(to, seen, here, comments, is_requested)
    carried = carried._replace(rounds=earlier.rejected, unkept=earlier.unkept)
    if seen.retargeted or is_retargeted(pull):
        seen = seen._replace(retargeted=True)
    return _restarted(carried, seen, is_new=here is None, now=now), earlier


def _restarted(carried: CarriedState, seen: Event, *, is_new: bool, now: int) -> CarriedState:
    """Return the state with its clock, which restarts at a new head and for another base."""
    restarted = carried._replace(since=0, escalated=False)
    if is_new:
        restarted = restarted._replace(tampered=(), retargeted=0)
    if seen.retargeted:
        return restarted._replace(seen=now, retargeted=now)
    if is_new:
        return restarted._replace(seen=now)
    if seen.before or seen.anew:
        carried = restarted
    return carried._replace(seen=carried.seen or now)


def _with_statuses(to: Access, seen: Event, check: str) -> PullRequest:
    """Return the pull request with our check runs at its head, for this and other bases."""
    pull = PullRequest(
        number=seen.number,
        author=NOBODY,
        head=seen.head,
        base=seen.base,
        is_open=True,
        base_ref=seen.base_ref,
        check=check,
        status=fetch.status(to.repository, seen.head, to.app, check),
    )
    last = recorded(pull.number, pull.status, pull.head)
    if check == CHECK and last and last.target.settings and last.target.base_ref == pull.base_ref:
        return pull
    return with_elsewhere(to, pull)
