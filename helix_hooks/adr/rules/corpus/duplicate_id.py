import re
from collections.abc import Iterator
from itertools import chain, islice

from ...corpus import Corpus, Entry
from ...model import RuleResult, rule
from ...reference import collection, stem

_NUMBER = r"(?<![0-9a-f])\d{1,6}(?![0-9a-f])"
"""A number that is not part of a hash."""
_MOST = 50
"""Number of ADRs with one id that get different next numbers."""


@rule("duplicate-id", "corpus", "error")
def duplicate_id(entry: Entry, corpus: Corpus) -> Iterator[RuleResult]:
    """Two ADRs of one folder have the same id.

    "See ADR-12" is then ambiguous. This happens if two branches take the next free number: git
    merges both without a conflict. Ids are compared as numbers: `ADR-012`, `012` and 12 are the
    same, `API-12` is another. The id is `adr_id` in the header, else the number in the file name,
    else the number in the title. Give the newer ADR the next free number; of two new ones, the
    first by path keeps its number. If the file name has another number than the header, write that
    one in the header.

    Each folder of ADRs has its own numbers. A version (`0012-x.v2.md`) or a translation
    (`0012-x.de.md`) is the same ADR.
    With `--since`, numbers that the other branch has used since then count too. It is a warning if
    only the title has the number.
    """
    owner, help = conflict(entry, corpus)
    if owner:
        yield RuleResult(
            line=entry.id_line if entry.declared else entry.title_line,
            message=f"the id {_written(entry)} is also used by {owner}",
            help=help,
            severity="" if entry.declared or entry.named else "warning",
            words=entry.id,
            subject=f"{entry.key} {owner}",
        )


def conflict(entry: Entry, corpus: Corpus) -> tuple[str, str]:
    """Return the first other ADR with the id, for a message, and what to do; "" without one."""
    if not entry.key:
        return "", ""
    twins = _twins(entry, corpus)
    folder = collection(entry.path)
    taken = corpus.taken.get(entry.key, ())
    branch = [path for path in taken if collection(path) == folder and path != entry.path]
    if not twins and not branch:
        return "", ""
    owner = twins[0].path if twins else f"{branch[0]} on the other branch"
    if not entry.key.isdigit():
        return owner, "give one of them another id"
    if _is_mistaken(entry, corpus):
        return owner, f"write {entry.named} in the header, as in the file name"
    # An ADR of the base keeps its number before new ones, and those before a renamed one.
    ages = [(item.is_new, item.titled not in ("", item.key), item.path) for item in (entry, *twins)]
    ordered = [path for *_, path in sorted(ages)]
    place = ordered.index(entry.path) + bool(branch)
    free = corpus.free_number(folder, chain.from_iterable(corpus.taken.values()))
    if place == 0:
        return owner, f"keep it here, and give {ordered[1]} the next free number, {free}"
    return owner, f"give this one the next free number, {free + place - 1}"


def _twins(entry: Entry, corpus: Corpus) -> list[Entry]:
    """Return the other ADRs with the id, by path.

    Without those whose file name has their own number, unless this one is of that kind too.
    """
    own_stem = stem(entry.path)
    twins: list[Entry] = []
    for other_stem, path in islice(corpus.same_id(entry).items(), _MOST):
        other = corpus.entry(path)
        if other and other_stem != own_stem:
            twins.append(other)
    if not twins or _is_mistaken(entry, corpus):
        return twins
    return [other for other in twins if not _is_mistaken(other, corpus)]


def _is_mistaken(entry: Entry, corpus: Corpus) -> bool:
    """Return whether the file name has another number than the header, which no other ADR has."""
    return header_differs(entry) and not corpus.same_id(entry._replace(key=entry.named))


def header_differs(entry: Entry) -> bool:
    """Return whether the header's id contains a number and shares none with the file name."""
    header_numbers = set(map(int, re.findall(_NUMBER, entry.declared)))
    if not (entry.named and header_numbers) or entry.declared == entry.named:
        return False
    return header_numbers.isdisjoint(map(int, re.findall(r"\d+", entry.named)))


def _written(entry: Entry) -> str:
    return f"{int(entry.key):03}" if entry.key.isdigit() else entry.id or entry.key
