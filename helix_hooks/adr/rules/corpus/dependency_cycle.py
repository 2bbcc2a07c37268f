from collections.abc import Iterator

from ...corpus import Corpus, Entry
from ...model import Found

_WORDS = {"depends_on": "depends on itself", "supersedes": "supersedes itself"}
_SHOWN = 6


class DependencyCycle:
    """ADRs depend on, or supersede, each other in a circle.

    Nothing in a circle can be decided first, and of two ADRs that supersede each other none holds.
    `depends_on` and `supersedes` must lead from newer decisions to older ones. Turn one of the
    arrows around, or use `related_to`.
    """

    id = "dependency-cycle"
    layer = "corpus"
    severity = "error"

    def check(self, entry: Entry, corpus: Corpus) -> Iterator[Found]:
        stated = {reference.kind for reference in entry.references}
        for kind in filter(stated.__contains__, _WORDS):
            members = corpus.circle(entry.path, kind)
            if members:
                ways = (
                    item.line
                    for item in entry.of(kind)
                    if any(found.path in members for found in corpus.find(item, entry.path))
                )
                way = _shown(entry, members, kind, corpus)
                yield Found(
                    line=next(ways, 1),
                    message=f"this ADR {_WORDS[kind]}: {way}",
                    help="remove one of these relations, or write it as `related_to`",
                )


def _shown(entry: Entry, members: frozenset[str], kind: str, corpus: Corpus) -> str:
    """The way around, of a short circle; of a long one, how many it has."""
    if len(members) > _SHOWN:
        return f"it is one of {len(members)} in a circle"
    way = [entry.path]
    while len(way) <= len(members):
        nexts = [path for path in corpus.targets(way[-1], kind) if path in members]
        if entry.path in nexts:
            break
        way.append(next((path for path in nexts if path not in way), nexts[0]))
    return " -> ".join(path.rpartition("/")[2] for path in (*way, entry.path))
