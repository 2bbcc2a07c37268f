"""`--mode snapshot`: the pull request at this moment, and its commits as git objects.

All later steps are about these commits.
"""

import os
import secrets
from contextlib import suppress

from ..change.last_policy import last_policy
from ..console.output import print_message
from ..contract.claims import first_claims
from ..decision.handover import Handover, RunTarget
from ..decision.run_state import CarriedState
from ..errors import GitError, HelixError
from ..github import client, event, fetch, objects, runner
from ..github.environment import server
from ..github.event import Event
from ..publish.sticky import spent_before, stickies_of
from ..verify.run import lacks_history
from .access import Access, access
from .claims import verify_options
from .earlier_rounds import Earlier, earlier_rounds
from .earlier_runs import carried_state, recorded
from .options import StepOptions
from .work import Work, unseen

_DEPTHS = (50, 1000)
"""Commits before the base that are fetched if its policy can't be read."""

_WHOLE = 2_147_483_647
"""To git, the depth of the whole history."""


def run(options: StepOptions, work: Work) -> int:
    environment = dict(os.environ)
    if environment.get("HELIX_NONCE") and os.path.exists(work.file):
        handover = work.load(environment)  # an earlier job has seen the pull request already
        _fetch(handover, work, environment)
    else:
        work.forget()
        handover = _begin(event.read(environment), work, environment, options.config)
    target = handover.target
    runner.put(environment, {"nonce": target.nonce, "head": target.head})
    return 0


def _begin(seen: Event, work: Work, environment: dict[str, str], config: str) -> Handover:
    """Save the hand-over of a new run; a failure too, if the event names the commit."""
    handover = None
    try:
        handover = _handover(seen, environment)
        _fetch(handover, work, environment)
        _fetch_history(handover.target, work, environment, config)
        _fetch_for_claims(handover, work, environment, config)
    except HelixError as error:
        if seen.head:
            failure = (HelixError.exit_code, str(error))
            work.save((handover or unseen(seen))._replace(failure=failure))
        raise
    work.save(handover)
    return handover


def _fetch(handover: Handover, work: Work, environment: dict[str, str]) -> None:
    """Fetch the commits of a run, and those that were judged before, as far as they are there."""
    target = handover.target
    url, token = _url(target.repository, environment), _token(environment)
    objects.fetch(work.objects, url, [target.head, target.base, target.merge_base], token)
    for commit in dict.fromkeys(round.commit for round in handover.earlier):
        with suppress(GitError):
            objects.fetch(work.objects, url, [commit], token)


def _fetch_history(
    target: RunTarget,
    work: Work,
    environment: dict[str, str],
    config: str,
) -> None:
    """Fetch commits before the base if its policy can't be read; an older one counts then.

    Without them the packaged policy decides, which is no failure.
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
    """Fetch the history since the approval of the ADRs that the change claims to implement.

    Whatever goes wrong, such as broken settings, the next step meets too, and reports.
    """
    target, options = handover.target, verify_options(handover, config)
    url, token = _url(target.repository, environment), _token(environment)
    with suppress(HelixError):
        for depth in (*_DEPTHS, _WHOLE):
            if not lacks_history(options, work.objects):
                return
            objects.deepen(work.objects, url, [target.head, target.base], depth, token)


def _url(repository: str, environment: dict[str, str]) -> str:
    return f"{server(environment)}/{repository}"


def _token(environment: dict[str, str]) -> str:
    return environment.get("GITHUB_TOKEN", "")


def _handover(seen: Event, environment: dict[str, str]) -> Handover:
    """Return the hand-over of a new run.

    The base is the tip of its branch now: that of the event may be old, above all if a run is
    repeated.
    """
    url, token = _url(seen.repository, environment), _token(environment)
    to = access(seen.repository, environment)
    with client.reached():
        if not seen.head:
            seen = _looked_up(to, seen, environment)
        if seen.merges:
            base = merge_base = seen.base
            carried, earlier = CarriedState(), Earlier()
            text = to.repository.get_pull(seen.number).body or ""
            compared = fetch.comparison(to.repository, base, seen.head)
        else:
            base = event.commit(objects.tip(url, seen.base_ref, token))
            text = seen.text
            compared = fetch.comparison(to.repository, base, seen.head)
            merge_base = compared.merge_base
            is_requested = _is_requested(seen, environment)
            carried, earlier = _carried(to, seen, compared.now, is_requested)
    claims = first_claims((text, *compared.messages))
    target = RunTarget(
        repository=seen.repository,
        number=seen.number,
        head=seen.head,
        base=base,
        merge_base=event.commit(merge_base),
        nonce=secrets.token_hex(16),
        merges=seen.merges,
        draft=seen.draft,
        from_fork=seen.from_fork,
        base_ref=seen.base_ref,
    )
    return Handover(
        target=target,
        carried=carried,
        claims=claims.ids,
        claims_left_out=claims.left_out,
        earlier=earlier.rounds,
        is_requested=earlier.is_requested,
    )


def _is_requested(seen: Event, environment: dict[str, str]) -> bool:
    """Return whether a person who may start a run has asked for this one."""
    return seen.name == "workflow_dispatch" or environment.get("HELIX_ANEW") == "yes"


def _looked_up(to: Access, seen: Event, environment: dict[str, str]) -> Event:
    """Return an event that names only a number, with the pull request of that number.

    A draft and a fork stay what they are, unless somebody who may ask has asked for the run.
    """
    pull = to.repository.get_pull(seen.number)
    is_asked = environment.get("HELIX_ANEW") == "yes"
    by_hand = seen.anew or is_asked
    source = pull.head.repo.full_name if pull.head.repo else ""
    return seen._replace(
        head=event.commit(pull.head.sha),
        base_ref=pull.base.ref,
        draft=bool(pull.draft) and not is_asked,
        from_fork=source != seen.repository and not by_hand,
        anew=by_hand,
        text=pull.body or "",
    )


def _carried(to: Access, seen: Event, now: int, is_requested: bool) -> tuple[CarriedState, Earlier]:
    """Return what the last run left for this one, and what judges have found up to now.

    If pushes came too fast for it, our comment knows at least what was spent. At a pushed commit,
    and if people are to be asked anew, the clocks of questions start again; an objection stands.
    """
    here = fetch.status(to.repository, seen.head, to.app)
    before = here
    if not here and seen.before:
        before = fetch.status(to.repository, seen.before, to.app)
    last = recorded(seen.number, before, "")
    carried = carried_state(seen.number, before, last)
    comments = fetch.comments(to.repository, seen.number)
    if before is None:
        stickies = stickies_of(comments, to.ours)
        carried = CarriedState(spent=max(map(spent_before, stickies), default=0))
    earlier = earlier_rounds(to, seen, here, comments, is_requested)
    carried = carried._replace(rounds=earlier.rejected, unkept=earlier.unkept)
    restarted = carried._replace(since=0, escalated=False)
    if not here:
        return restarted._replace(tampered=(), seen=now, retargeted=0), earlier
    if last and last.target.base_ref != seen.base_ref:
        return restarted._replace(seen=now, retargeted=now), earlier
    is_anew = seen.before or seen.anew
    return (restarted if is_anew else carried)._replace(seen=carried.seen or now), earlier
