import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from ...corpus import Corpus, Entry
from ...model import RuleResult, rule
from ...reference import collection, stem

_NUMBER = r"(?<![0-9a-f])\d{1,6}(?![0-9a-f])"
"""A number that is not part of a hash."""
_MOST = 50
"""Number of ADRs with one id that get different next numbers."""
_COMPANIONS = frozenset(
    (
        *("addendum", "annex", "anhang", "appendix", "attachment", "attachments", "background"),
        *("benchmark", "benchmarks", "comparison", "concept", "details", "diagram", "diagrams"),
        *("example", "examples", "faq", "notes", "poc", "references", "research", "supplement"),
    )
)
"""The last words of the names of files that belong to an ADR."""


@rule("duplicate-id", "corpus", "error")
def duplicate_id(entry: Entry, corpus: Corpus) -> Iterator[RuleResult]:
    """Two ADRs of one folder have the same id.

    "See ADR-12" is then ambiguous. This happens if two branches take the next free number: git
    merges both without a conflict. Ids are compared as numbers: `ADR-012`, `012` and 12 are the
    same, `API-12` is another. The id is `adr_id` in the header, else the number in the file name,
    else the number in the title. Give the newer ADR the next free number; of two new ones, the
    first by path keeps its number. If the file name has another number than the header, write that
    one in the header.

    Each folder of ADRs has its own numbers. A translation (`0012-x.de.md`) or a version
    (`0012-x.v2.md`) is the same ADR. A file belongs to the ADR with its number if it has only code,
    or if its name adds `-appendix`, `-notes` or the like, and neither header nor title has an id.
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
    if not entry.key or entry.is_code:
        return "", ""
    twins = _twins(entry, corpus)
    branch = [path for path in corpus.taken.get(entry.key, ()) if _is_beside(path, entry)]
    if not twins and not branch:
        return "", ""
    owner = twins[0].path if twins else f"{branch[0]} on the other branch"
    if not entry.key.isdigit():
        return owner, "give one of them another id"
    if _is_mistaken(entry, corpus):
        return owner, f"write {entry.named} in the header, as in the file name"
    ordered = [path for *_, path in sorted(map(_age, (entry, *twins)))]
    place = ordered.index(entry.path) + bool(branch)
    free = corpus.free_number(collection(entry.path), chain.from_iterable(corpus.taken.values()))
    if place == 0:
        return owner, f"keep it here, and give {ordered[1]} the next free number, {free}"
    return owner, f"give this one the next free number, {free + place - 1}"


def _age(entry: Entry) -> tuple[bool, bool, str]:
    """Return a key that sorts the ADR that keeps its number first, and renamed ones last."""
    return entry.is_new, entry.titled not in ("", entry.key), entry.path


def _twins(entry: Entry, corpus: Corpus) -> list[Entry]:
    """Return the other ADRs with the id, by path.

    Without those whose file name has their own number, unless this one is of that kind too.
    """
    own_stem, stems = stem(entry.path), corpus.same_id(entry)
    if stems and _is_companion(entry, own_stem, stems):
        return []
    twins: list[Entry] = []
    for other_stem, path in islice(stems.items(), _MOST):
        other = corpus.entry(path)
        if not other or other_stem == own_stem or other.is_code:
            continue
        if not _is_companion(other, other_stem, stems):
            twins.append(other)
    if _is_mistaken(entry, corpus):
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


def _is_beside(path: str, entry: Entry) -> bool:
    return collection(path) == collection(entry.path) and path != entry.path


def _is_companion(entry: Entry, own_stem: str, stems: Iterable[str]) -> bool:
    """Return whether a file belongs to the ADR of another stem: `0003-x-appendix` to `0003-x`."""
    if entry.declared or entry.titled:
        return False
    name = re.fullmatch(r"(.*)[-_.](\w+)", own_stem)
    return bool(name and name[2].casefold() in _COMPANIONS and name[1] in stems)


def _written(entry: Entry) -> str:
    return f"{int(entry.key):03}" if entry.key.isdigit() else entry.id or entry.key
