"""`--mode snapshot`: what the pull request is at this moment, and its commits as data. Everything after it is about these commits."""

import os
import secrets
from argparse import Namespace
from typing import TYPE_CHECKING

from ..github import client, event, fetch, objects, runner
from ..github.event import Event
from ..pull.handover import Handover, Subject
from ..pull.kept import Kept
from ..pull.payloads import spent_before, sticky_of
from .steps import Work, bot

if TYPE_CHECKING:
    from github.Repository import Repository


def run(_: Namespace, work: Work) -> int:
    environment = dict(os.environ)
    token = environment.get("GITHUB_TOKEN", "")
    server = environment.get("GITHUB_SERVER_URL", "https://github.com").rstrip("/")
    if environment.get("HELIX_NONCE") and os.path.exists(work.file):
        given = work.load(environment)  # an earlier job has seen the pull request already
    else:
        work.forget()
        seen = event.read(environment)
        given = _seen(seen, f"{server}/{seen.repository}", token, environment)
        work.save(given)
    subject = given.subject
    objects.fetch(work.objects, f"{server}/{subject.repository}", [subject.head, subject.base, subject.merge_base], token)
    runner.put(environment, {"nonce": subject.nonce, "head": subject.head})
    return 0


def _seen(seen: Event, url: str, token: str, environment: dict[str, str]) -> Handover:
    """The base is where its branch is now: what an event says of it may be old, above all when a run is repeated."""
    repository = client.repository(seen.repository, token, environment.get("GITHUB_API_URL", ""), client.pause(environment))
    with client.reached():
        if not seen.head:
            pull = repository.get_pull(seen.number)
            seen = seen._replace(head=event.commit(pull.head.sha), base_ref=pull.base.ref, draft=bool(pull.draft))
        base = seen.base if seen.merges else event.commit(objects.tip(url, seen.base_ref, token))
        parted = base if seen.merges else event.commit(fetch.merge_base(repository, base, seen.head))
        kept = Kept() if seen.merges else _kept(repository, seen, bot(environment))
    subject = Subject(seen.repository, seen.number, seen.head, base, parted, secrets.token_hex(16), "", seen.merges, seen.draft, seen.from_fork,
                      seen.base_ref)  # fmt: skip
    return Handover(subject, kept=kept)


def _kept(repository: "Repository", seen: Event, ours: int) -> Kept:
    """What was left by the last run; where pushes came too fast for it, the comment knows at least what was spent."""
    found = fetch.kept(repository, seen.head, seen.before)
    return found if found is not None else Kept(spent_before(sticky_of(fetch.comments(repository, seen.number), ours)))
