from collections.abc import Iterator

from ...corpus import Corpus, Entry
from ...model import RuleResult, rule

_RELATIONS = {"depends_on": "depends on itself", "supersedes": "supersedes itself"}
_MAX_SHOWN = 6


@rule("dependency-cycle", "corpus", "error")
def dependency_cycle(entry: Entry, corpus: Corpus) -> Iterator[RuleResult]:
    """ADRs depend on, or supersede, each other in a cycle.

    In a cycle of dependencies no ADR can be decided first. If two ADRs supersede each other, none
    is in force. `depends_on` and `supersedes` must point from newer decisions to older ones.
    Reverse one of the relations, or use `related_to`.
    """
    for kind, relation in _RELATIONS.items():
        if not any(entry.of(kind)):
            continue
        members = corpus.circle(entry.path, kind)
        if not members:
            continue
        # The reference to the next ADR of the cycle.
        lines = (
            reference.line
            for reference in entry.of(kind)
            if any(other.path in members for other in corpus.find(reference, entry.path))
        )
        cycle = f"a cycle of {len(members)} ADRs"
        if len(members) <= _MAX_SHOWN:
            way = _way_around(entry.path, members, kind, corpus)
            cycle = " -> ".join(path.rpartition("/")[2] for path in (*way, entry.path))
        yield RuleResult(
            line=next(lines, 1),
            message=f"this ADR {relation}: {cycle}",
            help="remove one of these relations, or write it as `related_to`",
            subject=f"{kind} {len(members)} {min(members)}",
        )


def _way_around(start: str, members: frozenset[str], kind: str, corpus: Corpus) -> list[str]:
    """Return the paths from the start to the ADR that refers back to it."""
    way = [start]
    while len(way) <= len(members):
        targets = [path for path in corpus.targets(way[-1], kind) if path in members]
        if start in targets:
            break
        way.append(next((path for path in targets if path not in way), targets[0]))
    return way
