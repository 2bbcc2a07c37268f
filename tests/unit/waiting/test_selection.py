"""The entries that somebody wants to see, their order, and an entry by its name."""

import pytest

from helix_hooks.errors import UsageError
from helix_hooks.waiting.entry import EXPIRED, PULL_REQUEST, QueueEntry, Viewer
from helix_hooks.waiting.selection import (
    Filters,
    named,
    ordered,
    repositories_of,
    routine,
    selected,
    source_of,
)
from tests.unit.waiting.queued import (
    ALL,
    DAY,
    MAX,
    NOBODY,
    NOW,
    PULL,
    QUEUE,
)

RUN, REQUEST = ALL[1], ALL[2]
PULL_ID, RUN_ID, REQUEST_ID, FAILED_ID, EXPIRED_ID, VERIFY_ID = (item.id for item in ALL)


def shown(filters: Filters, viewer: Viewer = MAX) -> list[str]:
    return [item.id for item in selected(QUEUE, filters, viewer).entries]


def test_ones_turn_first_then_what_is_due_then_the_oldest() -> None:
    expected = [PULL_ID, RUN_ID, VERIFY_ID, REQUEST_ID, EXPIRED_ID, FAILED_ID]
    assert shown(Filters()) == expected
    assert [item.id for item in ordered(reversed(ALL), MAX)] == expected


@pytest.mark.parametrize(
    ("filters", "ids"),
    [
        (Filters(mine=True), [PULL_ID, RUN_ID, VERIFY_ID]),
        (Filters(categories=("critical", "uncertainty")), [REQUEST_ID, FAILED_ID]),
        (Filters(older_than=3 * DAY), [RUN_ID, EXPIRED_ID]),
        (Filters(older_than=3 * DAY + 1), [EXPIRED_ID]),
        (Filters(mine=True, categories=("critical",)), []),
    ],
)
def test_filters(filters: Filters, ids: list[str]) -> None:
    assert shown(filters) == ids


def test_for_somebody_whom_github_does_not_know_little_is_to_do() -> None:
    assert shown(Filters(mine=True), NOBODY) == [VERIFY_ID]


@pytest.mark.parametrize(
    ("name", "id"),
    [
        (PULL_ID, PULL_ID),
        ("ACME/Shop#45", PULL_ID),
        ("45", PULL_ID),
        ("#46", EXPIRED_ID),
        ("20260105", RUN_ID),
        ("20260105-090000-cache-3f2a", RUN_ID),
        ("6ab7", REQUEST_ID),
        ("verify:", VERIFY_ID),
    ],
)
def test_an_entry_by_its_name(name: str, id: str) -> None:
    assert named(ALL, name, "acme/shop").id == id


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("acme/shop#4", "no pending entry 'acme/shop#4'"),
        ("#4", "no pending entry '#4'"),
        ("4", "no pending entry '4' (pending: acme/shop#45, "),
        ("acme/nowhere#1", "no pending entry 'acme/nowhere#1'"),
        ("", "no pending entry ''"),
        ("6ab", "no pending entry '6ab'"),
        ("2026010", "no pending entry '2026010'"),
    ],
)
def test_no_entry(name: str, words: str) -> None:
    with pytest.raises(UsageError) as refused:
        named(ALL, name, "acme/shop")
    assert words in str(refused.value)


def test_a_queue_without_entries_says_so() -> None:
    with pytest.raises(UsageError, match="no pending entry '12': the queue is empty"):
        named((), "12", "acme/shop")


def test_many_entries_are_not_all_named() -> None:
    many = [RUN._replace(id=f"20260105-090000-cache/{number}") for number in range(100, 150)]
    with pytest.raises(UsageError, match="cache/109, and 40 more; write a longer prefix"):
        named(many, "20260105-090000-cache", "acme/shop")


@pytest.mark.parametrize(
    ("name", "alone"),
    [
        ("acme/shop#4", PULL),
        ("#4", PULL),
        ("4", REQUEST._replace(id="45ab7827-0000-4000-8000-000000000000")),
        ("45", REQUEST._replace(id="45ab7827-0000-4000-8000-000000000000")),
        ("4512", REQUEST._replace(id="4512345f-0000-4000-8000-000000000000")),
        ("6ab", REQUEST),
        ("", REQUEST),
        ("", PULL),
        ("2", RUN),
        (RUN_ID[:-1], RUN),
        ("acme", PULL),
    ],
)
def test_what_was_meant_and_waits_no_more_is_not_taken_for_the_only_other_one(
    name: str, alone: QueueEntry
) -> None:
    """Attack on the queue: a shortened id that means another entry, since the one that was meant waits no more.
    Answer: refused.
    """
    with pytest.raises(UsageError, match="no pending entry"):
        named((alone,), name, "acme/shop")


def test_a_short_id_of_digits_names_its_request() -> None:
    alone = REQUEST._replace(id="45127827-0000-4000-8000-000000000000")
    assert named((alone,), "45127827", "acme/shop") == alone


def test_routine_entries_are_those_that_one_may_approve_now() -> None:
    other = PULL._replace(id="acme/shop#48", asked_at=NOW)
    late = PULL._replace(id="acme/shop#49", state=EXPIRED)
    own = PULL._replace(id="acme/shop#50", excluded=("max",))
    critical = PULL._replace(id="acme/shop#51", category="critical")
    queue = QUEUE._replace(entries=(other, late, own, critical, PULL))
    assert [item.id for item in routine(queue, MAX)] == [PULL_ID, "acme/shop#48"]


def test_an_id_may_tell_its_source() -> None:
    assert (source_of("acme/shop#1"), source_of("verify:x")) == (PULL_REQUEST, "verification")
    assert source_of("45") == source_of("6ab7") == source_of("run/phase") == ""


def test_ids_of_pull_requests_tell_their_repositories() -> None:
    names = ["acme/shop#1", "acme/shop#2", "acme/docs#x", "#12", "12", "verify:a", "r/p", "a/b/c#1"]
    assert repositories_of(names) == ("acme/shop", "acme/docs")
