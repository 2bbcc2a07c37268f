"""`--mode snapshot`: what the pull request is at this moment, and its commits as data. Everything after it is about these commits."""

import os
import secrets

from ..change.repair import last_policy
from ..console.output import complain
from ..decision.handover import Handover, RunTarget
from ..decision.run_state import CarriedState
from ..errors import GitError, HelixError
from ..github import client, event, fetch, objects, runner
from ..github.event import Event
from ..publish.sticky import spent_before, stickies_of
from .options import StepOptions
from .settle import Access, access, memory, recorded
from .work import Work, unseen

_DEPTHS = (50, 1000)
"""Commits before the base that are fetched where its policy can't be read."""


def run(options: StepOptions, work: Work) -> int:
    environment = dict(os.environ)
    if environment.get("HELIX_NONCE") and os.path.exists(work.file):
        given = work.load(environment)  # an earlier job has seen the pull request already
        _fetch(given, work, environment)
    else:
        work.forget()
        given = _begun(event.read(environment), work, environment, options.config)
    runner.put(environment, {"nonce": given.target.nonce, "head": given.target.head})
    return 0


def _begun(seen: Event, work: Work, environment: dict[str, str], config: str) -> Handover:
    """The hand-over of a run that begins. One that can't begin leaves word of it, where the event says what it would have been about."""
    given = None
    try:
        given = _seen(seen, environment)
        _fetch(given, work, environment)
        _fetch_history(given, work, environment, config)
    except HelixError as error:
        if seen.head:
            work.save((given or unseen(seen))._replace(failure=(3, str(error))))
        raise
    work.save(given)
    return given


def _fetch(given: Handover, work: Work, environment: dict[str, str]) -> None:
    subject = given.target
    objects.fetch(work.objects, _url(subject.repository, environment), [subject.head, subject.base, subject.merge_base], _token(environment))


def _fetch_history(given: Handover, work: Work, environment: dict[str, str], config: str) -> None:
    """The commits before the base, where its policy can't be read: an older one decides about the repair.

    Without them the packaged policy decides, which is no failure.
    """
    subject = given.target
    for depth in _DEPTHS:
        found = last_policy(work.objects, subject.base, config)
        if found.commit or found.is_whole:
            return
        try:
            objects.deepen(work.objects, _url(subject.repository, environment), subject.base, depth, _token(environment))
        except GitError as error:
            complain(f"the history of {subject.base_ref or subject.base[:7]} could not be fetched: {error}")
            return


def _url(repository: str, environment: dict[str, str]) -> str:
    return f"{environment.get('GITHUB_SERVER_URL', 'https://github.com').rstrip('/')}/{repository}"


def _token(environment: dict[str, str]) -> str:
    return environment.get("GITHUB_TOKEN", "")


def _seen(seen: Event, environment: dict[str, str]) -> Handover:
    """The base is where its branch is now: what an event says of it may be old, above all when a run is repeated."""
    url, token = _url(seen.repository, environment), _token(environment)
    to = access(seen.repository, environment)
    with client.reached():
        seen = seen if seen.head else _looked_up(to, seen, environment)
        base = seen.base if seen.merges else event.commit(objects.tip(url, seen.base_ref, token))
        parted, now = (base, 0) if seen.merges else fetch.merge_base(to.repository, base, seen.head)
        left = CarriedState() if seen.merges else _kept(to, seen, now)
    nonce, parted = secrets.token_hex(16), event.commit(parted)
    subject = RunTarget(seen.repository, seen.number, seen.head, base, parted, nonce, "", seen.merges, seen.draft, seen.from_fork,
                      seen.base_ref)  # fmt: skip
    return Handover(subject, carried=left)


def _looked_up(to: Access, seen: Event, environment: dict[str, str]) -> Event:
    """An event that says no more than a number. A draft and a fork stay what they are, unless somebody who may do so has asked for the run."""
    pull = to.repository.get_pull(seen.number)
    asked = environment.get("HELIX_ANEW") == "yes"
    by_hand = seen.anew or asked
    fork = (pull.head.repo.full_name if pull.head.repo else "") != seen.repository
    return seen._replace(head=event.commit(pull.head.sha), base_ref=pull.base.ref, draft=bool(pull.draft) and not asked,
                         from_fork=fork and not by_hand, anew=by_hand)  # fmt: skip


def _kept(to: Access, seen: Event, now: int) -> CarriedState:
    """What was left by the last run; where pushes came too fast for it, the comment knows at least what was spent. At a commit that was pushed, and
    where people are to be asked anew, their time begins again; an objection stands.
    """
    here = fetch.status(to.repository, seen.head, to.app)
    before = here or (fetch.status(to.repository, seen.before, to.app) if seen.before else None)
    last = recorded(seen.number, before, "")
    found = memory(seen.number, before, last)
    if before is None:
        found = CarriedState(max(map(spent_before, stickies_of(fetch.comments(to.repository, seen.number), to.ours)), default=0))
    if not here:
        return found._replace(since=0, escalated=False, tampered=(), seen=now, retargeted=0)
    if last and last.target.base_ref != seen.base_ref:
        return found._replace(since=0, escalated=False, seen=now, retargeted=now)
    found = found._replace(seen=found.seen or now)
    return found._replace(since=0, escalated=False) if seen.before or seen.anew else found
