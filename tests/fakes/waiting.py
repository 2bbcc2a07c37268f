"""A dozen entries of a queue, as three sources would give them, and one of them in detail."""

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
    ChangedDocument,
    EntryDetail,
    Queue,
    QueueEntry,
    Recommendation,
)

NOW = 1_795_600_000
MINUTE, HOUR, DAY = 60, 3600, 86400
MAINTAINERS = Deciders()
TWO = Deciders(minimum=2)

KAFKA = QueueEntry(
    id="acme/decisions#12",
    source=PULL_REQUEST,
    project="acme/decisions",
    repository="acme/decisions",
    title="ADR-031: Replace RabbitMQ by Kafka for order events",
    category="critical",
    state="waiting",
    turn="Waiting for a maintainer: approve adr",
    asked_by="alice",
    asked_at=NOW - 2 * HOUR,
    action="architecture_decision",
    due_at=NOW + 3 * HOUR,
    reasons=("A person always decides about architecture_decision", "docs/adr/031-kafka.md is protected by policy.protected_paths"),
    ways_on=("/helix approve 4075451c0f6e2f1f0a4d1b8e9d3c5a7b6e8f9012", "/helix reject REASON"),
    url="https://github.com/acme/decisions/pull/12#issue-comment-box",
    deciders=MAINTAINERS,
    excluded=("alice", "ci-agent"),
    head="4075451c0f6e2f1f0a4d1b8e9d3c5a7b6e8f9012",
    invalidated=("@max approved abc1234, but 4075451 was pushed later",),
    recommendation=Recommendation("approve", 0.82, "The consequences name the **cost of running** three brokers. The rollback is a feature flag.\n\n- criteria: 5 of 5\n- open: retention of old queues", "judge adr"),
    files=("docs/adr/031-kafka.md", "docs/adr/README.md"),
    description="Orders are lost when the broker restarts.\n\nThis change moves `orders.*` to Kafka first.",
    findings=(
        Finding("warning", "consequences-cost", "agent", "The cost of three brokers is not estimated.", path="docs/adr/031-kafka.md", line=41, help="Give the monthly cost.", evidence="Kafka runs on three nodes."),
        Finding("info", "links", "structure", "ADR-012 is superseded and still linked.", path="docs/adr/031-kafka.md", line=9),
    ),
    cost_usd=0.31,
)  # fmt: skip


def request(number: int, title: str, category: str, minutes: int, **more: object) -> QueueEntry:
    """Return an entry for a request by an agent."""
    made = QueueEntry(
        id=f"7c9e66{number:02x}-7425-40de-944b-e07fc1f90a{number:02x}",
        source=REQUEST,
        project="acme/shop",
        repository="acme/shop",
        title=title,
        category=category,
        state="waiting",
        turn="Waiting for a maintainer",
        asked_by="release-agent",
        asked_at=NOW - minutes * MINUTE,
        excluded=("release-agent",),
    )
    return made._replace(**more)  # type: ignore[arg-type]


def pull(number: int, title: str, category: str, minutes: int, **more: object) -> QueueEntry:
    """Return an entry for a pull request."""
    made = KAFKA._replace(
        id=f"acme/shop#{number}",
        project="acme/shop",
        repository="acme/shop",
        title=title,
        category=category,
        asked_by="carol",
        asked_at=NOW - minutes * MINUTE,
        action="pr_merge",
        due_at=0,
        reasons=("The level full_control asks about pr_merge",),
        url=f"https://github.com/acme/shop/pull/{number}#issue-comment-box",
        excluded=("carol",),
        invalidated=(),
        findings=(),
        recommendation=Recommendation("approve", 0.96, "", "judge code_review"),
    )
    return made._replace(**more)  # type: ignore[arg-type]


ENTRIES: tuple[QueueEntry, ...] = (
    KAFKA,
    request(1, "Deploy v1.2 to production", "critical", 15, action="production_deployment", due_at=NOW + 45 * MINUTE, state=ESCALATED, turn="Escalated to @board", escalated_to=("board",), reasons=("A person always decides about production_deployment",), impact="All shops, 2 minutes read-only", recommendation=Recommendation("approve", 0.91, "Staging has run it for two days.", "release-agent"), minimum=2, approvals=1, deciders=TWO, description="## Changes\n\n1. New checkout\n2. Faster search\n\n| area | risk |\n|---|---|\n| checkout | medium |\n| search | low |\n"),
    pull(45, "Add user authentication", "routine", 120),
    pull(46, "Fix login validation for addresses with a plus sign", "routine", 115),
    pull(47, "Update dependencies", "routine", 60, recommendation=Recommendation("approve", 0.99, "", "judge code_review")),
    QueueEntry(
        id="20261123-sprint-4/sign-off", source=FLOW, project="acme/shop", repository="acme/shop", title="Sprint 4: sign off the migration plan", category="milestone", state="waiting",
        turn="Waiting for a person", asked_by="bob", asked_at=NOW - 30 * MINUTE, action="sprint_completion", due_at=NOW + 2 * DAY, reasons=("The gate sign-off is manual",),
        ways_on=("helix-hooks flow approve 20261123-sprint-4 sign-off", "helix-hooks flow reject 20261123-sprint-4 sign-off --reason REASON"), cost_usd=1.84,
    ),
    request(2, "Which payment provider should new shops in Norway get?", "expertise", 300, reasons=("The agent asks for a person: legal terms differ by country",), action="requirements_approval", asked_by="design-agent"),
    pull(48, "ADR-032: Keep sessions in PostgreSQL", "uncertainty", 26 * 60, reasons=("The judge is 61 % sure, and required_confidence is 85 %",), recommendation=Recommendation("reject", 0.61, "The load test is missing.", "judge adr"), action="architecture_decision"),
    pull(39, "ADR-030: One queue for all tenants", "critical", 4 * 24 * 60, state=EXPIRED, turn="Deadline passed: ask again with /helix review", due_at=0, asked_by="dave"),
    pull(51, "Speed up the nightly import", "expertise", 50, state=FAILED, turn="Waiting for a maintainer: the judge failed", reasons=("The judge gave no verdict: its answer had no quote from the file",), recommendation=Recommendation()),
    QueueEntry(
        id="verify:/srv/agents/shop-7", source=VERIFICATION, project="acme/shop", repository="acme/shop", title="ADR-021 is not implemented after 5 attempts", category="expertise", state="waiting",
        turn="Waiting for a person", asked_by="codex", asked_at=NOW - 7 * HOUR, reasons=("3 of 7 promises are not kept: tests, docs, rollback",), ways_on=("helix-hooks verify --continue",),
    ),
    request(3, "Raise the budget of sprint 4 from $50 to $80", "critical", 9 * 60, action="budget_threshold_exceeded", due_at=NOW + 15 * HOUR, reasons=("A person always decides about budget_threshold_exceeded",), asked_by="planning-agent"),
)  # fmt: skip

QUEUE = Queue(ENTRIES, NOW)

_BEFORE = """---
adr_id: "031"
title: Replace RabbitMQ by Kafka for order events
status: Proposed
---

# ADR-031: Replace RabbitMQ by Kafka for order events

## Context

Orders are lost when the broker restarts. Each loss costs about two hours of support.

## Decision

We use Kafka for all events.

## Consequences

- Kafka runs on three nodes.
"""
_AFTER = _BEFORE.replace("We use Kafka for all events.", "We use Kafka for `orders.*` first, and for all other events after four weeks without loss.").replace(
    "- Kafka runs on three nodes.\n",
    "- Kafka runs on three nodes.\n- A feature flag switches back to RabbitMQ within a minute.\n\n| broker | lost events a month | cost |\n|---|---|---|\n| RabbitMQ | 14 | $210 |\n| Kafka | 0 | $640 |\n",
)  # fmt: skip

DETAIL = EntryDetail(KAFKA, (ChangedDocument("docs/adr/031-kafka.md", _BEFORE, _AFTER),))
