"""`--mode snapshot`: what the pull request is at this moment, and its commits as data. Everything after it is about these commits."""

import os
import secrets
from argparse import Namespace

from ..github import client, event, fetch, objects, runner
from ..github.event import Event
from ..pull.handover import Handover, Subject
from ..pull.kept import Kept
from .steps import Work


def run(_: Namespace, work: Work) -> int:
    environment = dict(os.environ)
    token = environment.get("GITHUB_TOKEN", "")
    if os.path.exists(work.file):
        given = work.load(environment)  # an earlier job has seen the pull request already
    else:
        given = _seen(event.read(environment), token, environment)
        work.save(given)
    subject = given.subject
    server = environment.get("GITHUB_SERVER_URL", "https://github.com").rstrip("/")
    objects.fetch(work.objects, f"{server}/{subject.repository}", [subject.head, subject.base, subject.merge_base], token)
    runner.put(environment, {"nonce": subject.nonce, "head": subject.head})
    return 0


def _seen(seen: Event, token: str, environment: dict[str, str]) -> Handover:
    repository = client.repository(seen.repository, token, environment.get("GITHUB_API_URL", ""), client.pause(environment))
    head, base, draft = seen.head, seen.base, seen.draft
    with client.reached():
        if not head:
            pull = repository.get_pull(seen.number)
            head, base, draft = event.commit(pull.head.sha), event.commit(pull.base.sha), bool(pull.draft)
        parted = base if seen.merges else event.commit(fetch.merge_base(repository, base, head))
        kept = Kept() if seen.merges else fetch.kept(repository, seen.before or head)
    subject = Subject(seen.repository, seen.number, head, base, parted, secrets.token_hex(16), "", seen.merges, draft, seen.from_fork)
    return Handover(subject, kept=kept)
