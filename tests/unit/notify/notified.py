"""Entries of the queue, and preferences of people, for tests of notices."""

from typing import Any

from helix_hooks.config.notify import Channel, NotifiedPerson, NotifySettings, SharedChannels
from helix_hooks.config.policy import Deciders
from helix_hooks.notify.notices import Notice, notice_of
from helix_hooks.text.masking import NO_SECRETS
from helix_hooks.waiting.entry import PULL_REQUEST, WAITING, QueueEntry

NOW = 1_795_000_000
MAIL = (Channel("mail", "mailto://x@example.org"),)
PROJECT = "acme/shop"

ENTRY = QueueEntry(
    id=f"{PROJECT}#12",
    source=PULL_REQUEST,
    project=PROJECT,
    title="Adopt Kafka",
    category="critical",
    state=WAITING,
    turn="Waiting for a maintainer",
    asked_by="@alice",
    asked_at=NOW,
    due_at=NOW + 86400,
    reasons=("every architecture decision is for a person",),
    ways_on=("/helix approve 4075451c0f6e2f1f0a4d1b8e9d3c5a7b6e8f9012",),
    url="https://github.com/acme/shop/pull/12#issue-comment-box",
    deciders=Deciders(roles=(), users=("bob", "carol", "alice")),
    excluded=("alice",),
)


def person(login: str, **preferences: Any) -> NotifiedPerson:
    return NotifiedPerson(login=login, channels=MAIL)._replace(**preferences)


def people(*found: NotifiedPerson) -> NotifySettings:
    return NotifySettings(people=found)


def chat(projects: str) -> NotifySettings:
    return NotifySettings(shared=(SharedChannels(projects, (Channel("chat", "json://x"),)),))


def notice(**fields: Any) -> Notice:
    return notice_of(ENTRY._replace(**fields), NOW, NO_SECRETS)
