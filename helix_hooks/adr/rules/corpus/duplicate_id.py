from collections.abc import Iterator
from itertools import chain

from ...corpus import Corpus, Entry
from ...model import Found
from ...reference import collection, stem


class DuplicateId:
    """Two ADRs of one folder have the same id.

    "See ADR-12" then means either. It happens when two branches take the next free number: both
    merge clean, since no line of text is in conflict. Ids are compared as numbers, so `ADR-012`,
    `012` and 12 are the same; `API-12` is another. The id is `adr_id` in the header, else the
    number of the file name, else that in the title. Each folder of ADRs counts on its own, and a
    translation (`0012-x.de.md`) or version (`0012-x.v2.md`) is the same ADR. A file of code alone
    belongs to the ADR of its number. With `--since`,
    numbers that the other branch has taken in the meantime count too. Where only the title has a
    number, it is a warning: nobody refers to it. Give the newer one the next free number.
    """

    id = "duplicate-id"
    layer = "corpus"
    severity = "error"

    def check(self, entry: Entry, corpus: Corpus) -> Iterator[Found]:
        if not entry.key or entry.is_code:
            return
        line = entry.id_line if entry.declared else entry.title_line
        folder = collection(entry.path)
        mine = stem(entry.path)
        others = (
            path
            for other, path in corpus.same_id(entry).items()
            if not _companions(other, mine) and not _is_code(corpus.entry(path))
        )
        taken = (
            path
            for path in corpus.taken.get(entry.key, ())
            if collection(path) == folder and path != entry.path
        )
        for path, where in chain(
            ((path, "") for path in others), ((path, " on the other branch") for path in taken)
        ):
            help = (
                f"give the newer one the next free number, {corpus.free_number(folder)}"
                if entry.key.isdigit()
                else "give one of them another id"
            )
            yield Found(
                line=line,
                message=f"the id {_shown(entry)} is also that of {path}{where}",
                help=help,
                severity="" if entry.declared or entry.named else "warning",
                words=entry.id,
            )
            return


def _companions(one: str, other: str) -> bool:
    """`0003-x-appendix.md` goes with `0003-x.md`."""
    return one == other or one.startswith(f"{other}-") or other.startswith(f"{one}-")


def _is_code(entry: Entry | None) -> bool:
    return entry is not None and entry.is_code


def _shown(entry: Entry) -> str:
    return f"{int(entry.key):03}" if entry.key.isdigit() else entry.id or entry.key
