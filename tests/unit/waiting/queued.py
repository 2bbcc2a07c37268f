"""Entries of a queue, one of each source and state."""

from typing import Any

from helix_hooks.config.policy import Deciders
from helix_hooks.finding import Finding
from helix_hooks.waiting.entry import (
    ESCALATED,
    EXPIRED,
    FAILED,
    FLOW,
    PULL_REQUEST,
    REQUEST,
    VERIFICATION,
    WAITING,
    Queue,
    QueueEntry,
    Recommendation,
    Viewer,
)

NOW = 1_767_600_000
HOUR, DAY = 3600, 86400
MAX = Viewer(
    name="max", login="max", roles=(("acme/shop", "maintain"), ("acme/docs", "write")), at=NOW
)
NOBODY = Viewer(name="Mona", at=NOW)


def entry(id: str, source: str, title: str, **more: Any) -> QueueEntry:
    """Return an entry that was asked for an hour ago by alice."""
    usual = QueueEntry(
        id=id,
        source=source,
        project="acme/shop",
        title=title,
        category="routine",
        state=WAITING,
        turn="Waiting for a maintainer: approve adr",
        asked_by="alice",
        asked_at=NOW - HOUR,
        excluded=("alice",),
    )
    changed = usual._replace(**more)
    return changed._replace(repository=changed.project if "/" in changed.project else "")


PULL = entry(
    "acme/shop#45",
    PULL_REQUEST,
    "Add user authentication",
    asked_at=NOW - 2 * HOUR,
    due_at=NOW + 22 * HOUR,
    head="1f3c5a7b9d1f3c5a7b9d1f3c5a7b9d1f3c5a7b9d",
    action="pr_merge",
    reasons=("adr: a merge needs a maintainer here",),
    ways_on=("/helix approve 1f3c5a7b9d1f3c5a7b9d1f3c5a7b9d1f3c5a7b9d", "/helix reject REASON"),
    url="https://github.com/acme/shop/pull/45#issuecomment-new",
    invalidated=("the approval of @eve: it was for abc1234, but 1f3c5a7 was pushed later",),
    recommendation=Recommendation("approve", 0.93, "Sound and complete.", "claude-opus-4"),
    files=("docs/adr/014-use-kafka.md",),
    impact="ADR-014, 2 other files",
    findings=(Finding("warning", "owner", "agent", "nobody owns it", "docs/adr/014.md", 12),),
    cost_usd=0.21,
)
ALL = (
    PULL,
    entry(
        "20260105-090000-cache-3f2a/release",
        FLOW,
        "release of cache: a person decides on src/search.py",
        category="expertise",
        asked_at=NOW - 3 * DAY,
    ),
    entry(
        "6ab7827c-ec6a-4a4e-9c5b-6f5b7a0a6f11",
        REQUEST,
        "Deploy v1.2 to production",
        category="critical",
        asked_at=NOW - 15 * 60,
        due_at=NOW + 3 * HOUR,
        state=ESCALATED,
        turn="Escalated to acme/board",
        excluded=("max",),
    ),
    entry(
        "acme/docs#7",
        PULL_REQUEST,
        "Use \x1b[31mred\x1b[0m \u202eletters",
        project="acme/docs",
        state=FAILED,
        category="uncertainty",
    ),
    entry(
        "acme/shop#46",
        PULL_REQUEST,
        "Fix the validation of addresses that have more than one line, as in Belgium",
        state=EXPIRED,
        turn="Deadline passed: ask again with /helix review",
        asked_at=NOW - 9 * DAY,
        approved_by=("Max",),
    ),
    entry(
        "verify:docs/adr/014-use-kafka.md",
        VERIFICATION,
        "ADR-014: Use Kafka is not fulfilled after 3 attempts",
        category="expertise",
        turn="Waiting for the author of the work",
        needs_login=False,
    ),
)
QUEUE = Queue(ALL, NOW)
NAMED = Deciders(users=("zoe",), roles=())
