from collections.abc import Iterator

from ...corpus import Corpus, Entry
from ...model import RuleResult, rule
from .duplicate_id import conflict, header_differs


@rule("id-filename-mismatch", "corpus", "error")
def id_filename_mismatch(entry: Entry, corpus: Corpus) -> Iterator[RuleResult]:
    """The id in the header or title differs from the number in the file name.

    A reader who looks for ADR-14 opens the file 0014 and finds another decision. This happens if an
    ADR is copied or renumbered and one of the two places is forgotten. A different id in the header
    is an error, in the title a warning. A file name without a number is not compared, and an id
    that another ADR has is a duplicate-id. Make both the same.
    """
    if conflict(entry, corpus)[0]:
        return
    if header_differs(entry):
        yield _mismatch(entry, corpus, "header", entry.id, entry.declared)
    # A title that repeats the header's id needs no second check.
    elif entry.named.isdigit() and entry.titled not in ("", entry.declared, entry.named):
        yield _mismatch(entry, corpus, "title", entry.titled, entry.titled)


def _mismatch(entry: Entry, corpus: Corpus, place: str, words: str, key: str) -> RuleResult:
    help = f"write {entry.named} in the {place}, as in the file name"
    others = corpus.same_id(entry._replace(key=entry.named)).values()
    owner = next((path for path in others if path != entry.path), "")
    if owner:
        help = f"{owner} has the number {entry.named}; rename the file to the number {key}"
    return RuleResult(
        line=entry.id_line if place == "header" else entry.title_line,
        message=f"the {place} says {words}, but the file name says {entry.named}",
        help=help,
        severity="" if place == "header" else "warning",
        words=words,
        subject=f"{key} {entry.named}",
    )
