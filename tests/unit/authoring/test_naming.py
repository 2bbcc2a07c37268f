"""A new ADR goes where the others are, is named as they are, and takes a number that nothing has."""

import pytest

from helix_hooks.authoring.naming import destination_of, slug

TODAY = "2026-03-09"
TITLE = "Keep Sessions in Redis"
MANY = [f"docs/adr/{number:04}-page-{number}.md" for number in range(1, 13)]

CASES = {
    "four digits": (["doc/adr/0001-a-b.md", "doc/adr/0009-c-d.md"], "doc/adr/0010-keep-sessions-in-redis.md"),
    "no zeros": (["adr/adr-9-a-b.md", "adr/adr-8-c.md"], "adr/adr-10-keep-sessions-in-redis.md"),
    "prefix in capitals": (["adr/ADR-001-a-b.md"], "adr/ADR-002-keep-sessions-in-redis.md"),
    "number right after the prefix": (["adr/ADR001-a-b.md"], "adr/ADR002-keep-sessions-in-redis.md"),
    "underscores": (["adr/0001_one_device.md", "adr/0002_two.md"], "adr/0003_keep_sessions_in_redis.md"),
    "blanks": (["4.ADRs/003 Logs kept.md"], "4.ADRs/004 Keep Sessions in Redis.md"),
    "dot and blank": (["adr/001. Use Rust, and C.md"], "adr/002. Keep Sessions in Redis.md"),
    "capitals joined": (["adr/017-Variable-Naming.md", "adr/018-Log-Level.md"], "adr/019-Keep-Sessions-in-Redis.md"),
    "number alone": (["arch/adr-31.md", "arch/adr-32.md"], "arch/adr-33.md"),
    "further ending": (["adr/ADR001-a.html.md"], "adr/ADR002-keep-sessions-in-redis.html.md"),
    "date": (["adr/2025-03-29_add_crc.md"], "adr/2026-03-09_keep_sessions_in_redis.md"),
    "date without marks": (["adr/20250329-add-crc.md"], "adr/20260309-keep-sessions-in-redis.md"),
    "date and number": (["adr/2023-12-06_029-use-x.md"], "adr/2026-03-09_030-keep-sessions-in-redis.md"),
    "number of the year": (["adr/2026-007-use-x.md", "adr/2025-090-y-z.md"], "adr/2026-008-keep-sessions-in-redis.md"),
    "first of the year": (["adr/2025-007-use-x.md"], "adr/2026-001-keep-sessions-in-redis.md"),
    "no number": (["adr/use-kafka.md", "adr/drop-java.md"], "adr/keep-sessions-in-redis.md"),
    "folder of its own": (["adr/0004-use-x/README.md", "adr/0005-y/README.md"], "adr/0006-keep-sessions-in-redis/README.md"),
    "folder and file alike": (["adr/0004-use-x/0004-use-x.md"], "adr/0005-keep-sessions-in-redis/0005-keep-sessions-in-redis.md"),
    "one without a number": ([*MANY, "docs/adr/use-kafka.md"], "docs/adr/0013-keep-sessions-in-redis.md"),
    "numberings of their own": (
        ["a/adr/0001-a.md", "a/adr/0002-b.md", "b/adr/0001-c.md", "b/adr/0009-d.md", "a/adr/0003-c.md"],
        "a/adr/0004-keep-sessions-in-redis.md",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("adrs", "path"), CASES.values(), ids=CASES)
def test_a_new_adr_is_named_as_its_neighbours(adrs: list[str], path: str) -> None:
    destination = destination_of(adrs, adrs, TODAY)
    assert destination and destination.path(TITLE) == path


def test_a_number_of_a_file_that_is_no_adr_is_taken() -> None:
    files = [*MANY, "docs/adr/0013-picture.svg", "docs/adr/0014-old.adoc", "src/0099-x.md"]
    destination = destination_of(MANY, files, TODAY)
    assert destination and destination.path("X").startswith("docs/adr/0015-")


@pytest.mark.parametrize(("last", "number"), [(12, 13), (998, 1000), (9998, 10000)])
def test_the_number_of_a_template_counts_for_nothing_but_is_taken(last: int, number: int) -> None:
    adrs = [f"docs/adr/{last:04}-x.md"]
    destination = destination_of(adrs, [*adrs, "docs/adr/0999-t.md", "docs/adr/9999-t.md"], TODAY)
    assert destination and destination.number == number


def test_a_folder_that_is_named_has_a_numbering_of_its_own() -> None:
    adrs = [*MANY, "api/adr/007-x.md"]
    destination = destination_of(adrs, adrs, TODAY, "api/adr")
    assert destination and destination.path("Go") == "api/adr/008-go.md"
    assert destination_of(adrs, adrs, TODAY, "new/adr") is None


@pytest.mark.parametrize("title", ["../../etc/passwd", "a/b\\c: *?", "..", "CON <x>"])
def test_a_title_leads_to_no_other_folder(title: str) -> None:
    for adrs in (["adr/003 Logs kept.md"], ["adr/0001-a.md"], ["adr/x/README.md"]):
        destination = destination_of(adrs, adrs, TODAY)
        assert destination
        path = destination.path(title)
        assert path.startswith("adr/") and not {"..", "."} & set(path.split("/"))


def test_slugs() -> None:
    assert [slug(title) for title in ("Use Kafka!", "Größe & Maß", "Été à la carte", "決定", "a/b\\c..d")] == [
        "use-kafka", "groesse-mass", "ete-a-la-carte", "決定", "a-b-c-d",
    ]  # fmt: skip


def test_a_slug_is_short_and_ends_with_a_word() -> None:
    assert slug(f"{'a' * 79} b") == "a" * 79
