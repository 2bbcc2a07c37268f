"""Thousands of ADRs that are made to hold up a check: chains, circles and crowds end, and say what they are."""

from collections.abc import Callable

import pytest

from helix_hooks.adr.corpus import Corpus, Entry
from helix_hooks.adr.reference import Reference
from helix_hooks.adr.rules.registry import CORPUS
from helix_hooks.check import files
from helix_hooks.config.settings import load

COUNT = 5_000
is_adr: Callable[[str], bool] = load(lambda path: None, files.packaged).is_adr


def entry(number: int, *targets: int, kind: str = "depends_on", name: str = "") -> Entry:
    references = tuple(Reference(kind, str(target), str(target), "", 3) for target in targets)
    return Entry(
        name or f"adr/{number:05}-x.md",
        f"{number:03}",
        str(number),
        "",
        str(number),
        "X",
        1,
        1,
        "Accepted",
        2,
        references,
        (),
        str(number),
    )


def findings(entries: list[Entry]) -> list[str]:
    """The ids of what the rules across ADRs find, with the messages."""
    corpus = Corpus(lambda path: None, lambda path: True)
    corpus.know(entries)
    return [
        f"{rule.id}: {item.message}"
        for mine in entries
        for rule in CORPUS
        for item in rule.check(mine, corpus)
    ]


def test_a_chain() -> None:
    chain = [entry(number, number + 1) for number in range(COUNT)]
    assert findings(chain) == [
        f"dangling-reference: this ADR depends on ADR-{COUNT}, which does not exist"
    ]


def test_a_circle() -> None:
    circle = [entry(number, (number + 1) % COUNT) for number in range(COUNT)]
    assert (
        findings(circle)
        == [f"dependency-cycle: this ADR depends on itself: a cycle of {COUNT} ADRs"] * COUNT
    )


@pytest.mark.further
@pytest.mark.slow
def test_everyone_depends_on_a_few() -> None:
    assert (
        findings(
            [
                entry(number, *(target for target in range(20) if target < number))
                for number in range(COUNT)
            ]
        )
        == []
    )


def test_many_with_one_number_are_each_told_of_another() -> None:
    crowd = [entry(7, name=f"adr/0007-{number}x.md") for number in range(500)]
    found = findings(crowd)
    assert len(found) == len(crowd)
    assert found[1] == "duplicate-id: the id 007 is also used by adr/0007-0x.md"


@pytest.mark.slow
def test_all_supersede_the_first() -> None:
    found = findings(
        [entry(number, *([0] if number else []), kind="supersedes") for number in range(COUNT)]
    )
    assert len(found) == COUNT - 1 and all(
        text.startswith("supersede-asymmetric") for text in found
    )


def test_only_what_is_asked_for_is_read() -> None:
    read: list[str] = []

    def reading(path: str) -> Entry | None:
        read.append(path)
        return entry(int(path[4:9]))

    corpus = Corpus(reading, lambda path: True, belongs=is_adr)
    mine = entry(7, 12, 13)
    corpus.know([mine])
    corpus.add(f"adr/{number:05}-x.md" for number in range(COUNT))
    assert [item for rule in CORPUS for item in rule.check(mine, corpus)] == []
    assert sorted(read) == ["adr/00012-x.md", "adr/00013-x.md"]


def test_a_file_that_was_read_is_still_looked_up() -> None:
    corpus = Corpus(lambda path: entry(int(path[4:9])), lambda path: True, belongs=is_adr)
    mine = entry(7, 12)
    corpus.know([mine])
    assert corpus.entry("adr/00012-x.md")
    corpus.add(["adr/00012-x.md"])
    assert [item.path for item in corpus.find(mine.references[0], mine.path)] == ["adr/00012-x.md"]
