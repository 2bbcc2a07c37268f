import re
from collections.abc import Iterable, Iterator

from ...corpus import Corpus, Entry
from ...model import RuleResult
from ...reference import collection, stem

_COMPANIONS = frozenset(
    (
        *("addendum", "annex", "anhang", "appendix", "attachment", "attachments", "background"),
        *("benchmark", "benchmarks", "comparison", "concept", "details", "diagram", "diagrams"),
        *("example", "examples", "faq", "notes", "poc", "references", "research", "supplement"),
    )
)
"""The last words of the names of files that belong to an ADR."""


class DuplicateId:
    """Two ADRs of one folder have the same id.

    "See ADR-12" is then ambiguous. This happens if two branches take the next free number: git
    merges both without a conflict. Ids are compared as numbers: `ADR-012`, `012` and 12 are the
    same, `API-12` is another. The id is `adr_id` in the header, else the number in the file name,
    else the number in the title. Give the newer ADR the next free number.

    Each folder of ADRs has its own numbers. A translation (`0012-x.de.md`) or a version
    (`0012-x.v2.md`) is the same ADR. A file belongs to the ADR with its number if it has only code,
    or if its name adds `-appendix`, `-notes` or the like, and neither header nor title has an id.
    With `--since`, numbers that the other branch has used since then count too. It is a warning if
    only the title has the number.
    """

    id = "duplicate-id"
    layer = "corpus"
    severity = "error"

    def check(self, entry: Entry, corpus: Corpus) -> Iterator[RuleResult]:
        if not entry.key or entry.is_code:
            return
        owner = _owner(entry, corpus)
        if not owner:
            return
        help = "give one of them another id"
        if entry.key.isdigit():
            number = corpus.free_number(collection(entry.path))
            help = f"give the newer one the next free number, {number}"
        yield RuleResult(
            line=entry.id_line if entry.declared else entry.title_line,
            message=f"the id {_written(entry)} is also used by {owner}",
            help=help,
            severity="" if entry.declared or entry.named else "warning",
            words=entry.id,
            subject=f"{entry.key} {owner}",
        )


def _owner(entry: Entry, corpus: Corpus) -> str:
    """Return the first other ADR with the id, for a message; "" without one."""
    own_stem, stems = stem(entry.path), corpus.same_id(entry)
    if stems and _is_companion(entry, own_stem, stems):
        return ""
    for other_stem, path in stems.items():
        other = corpus.entry(path)
        if not other or other_stem == own_stem or other.is_code:
            continue
        if not _is_companion(other, other_stem, stems):
            return path
    folder = collection(entry.path)
    for path in corpus.taken.get(entry.key, ()):
        if collection(path) == folder and path != entry.path:
            return f"{path} on the other branch"
    return ""


def _is_companion(entry: Entry, own_stem: str, stems: Iterable[str]) -> bool:
    """Return whether a file belongs to the ADR of another stem: `0003-x-appendix` to `0003-x`."""
    if entry.declared or entry.titled:
        return False
    name = re.fullmatch(r"(.*)[-_.](\w+)", own_stem)
    return bool(name and name[2].casefold() in _COMPANIONS and name[1] in stems)


def _written(entry: Entry) -> str:
    return f"{int(entry.key):03}" if entry.key.isdigit() else entry.id or entry.key
