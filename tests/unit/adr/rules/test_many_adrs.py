"""Thousands of ADRs that are made to hold up a check: chains, circles and crowds end, and say what they are."""

from helix_hooks.adr.corpus import Corpus, Entry
from helix_hooks.adr.reference import Reference
from helix_hooks.adr.rules.registry import CORPUS

COUNT = 5_000


def entry(path: str, number: int, *targets: int) -> Entry:
    """Return an accepted ADR that depends on others."""
    key = str(number)
    references = [Reference("depends_on", str(target), str(target), "", 3) for target in targets]
    return Entry(
        path=path,
        id=f"{number:03}",
        key=key,
        declared="",
        titled=key,
        title="X",
        title_line=1,
        id_line=1,
        status="Accepted",
        status_line=2,
        references=tuple(references),
        lost=(),
        named=key,
    )


def depending(number: int, *targets: int) -> Entry:
    return entry(f"adr/{number:05}-x.md", number, *targets)


def findings(entries: list[Entry]) -> list[str]:
    """The ids of what the rules across ADRs find, with the messages."""
    corpus = Corpus(lambda path: None, lambda path: True)
    corpus.know(entries)
    pairs = [(rule, mine) for mine in entries for rule in CORPUS]
    return [
        f"{rule.id}: {item.message}" for rule, mine in pairs for item in rule.check(mine, corpus)
    ]


def test_a_chain() -> None:
    chain = [depending(number, number + 1) for number in range(COUNT)]
    dangling = f"dangling-reference: this ADR depends on ADR-{COUNT}, which does not exist"
    assert findings(chain) == [dangling]


def test_a_circle() -> None:
    circle = [depending(number, (number + 1) % COUNT) for number in range(COUNT)]
    cycle = f"dependency-cycle: this ADR depends on itself: a cycle of {COUNT} ADRs"
    assert findings(circle) == [cycle] * COUNT


def test_many_with_one_number_are_each_told_of_another() -> None:
    crowd = [entry(f"adr/0007-{number}x.md", 7) for number in range(500)]
    found = findings(crowd)
    assert len(found) == len(crowd)
    assert found[1] == "duplicate-id: the id 007 is also used by adr/0007-0x.md"
