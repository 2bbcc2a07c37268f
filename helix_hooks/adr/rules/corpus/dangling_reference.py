from collections.abc import Iterator

from ...corpus import Corpus, Entry
from ...model import RuleResult, rule
from ...reference import Reference, key_in_path

_RELATIONS = {
    "supersedes": "supersedes",
    "superseded_by": "is superseded by",
    "depends_on": "depends on",
    "related_to": "is related to",
}


@rule("dangling-reference", "corpus", "error")
def dangling_reference(entry: Entry, corpus: Corpus) -> Iterator[RuleResult]:
    """The header or the status names an ADR that does not exist.

    "Superseded by ADR-31" sends readers to the decision in force. If there is no ADR-31, they find
    nothing. The rule checks `supersedes`, `superseded_by`, `depends_on`, `related_to` and the text
    of the status. It searches the id in the same folder, then in all other folders of ADRs. It does
    not report ids of other systems (`JIRA-7`), or ADRs of other repositories. Correct the id, or
    remove the reference.
    """
    if corpus.alone:
        return  # the other ADRs are unknown
    reported: set[str] = set()
    for reference in entry.references:
        target = reference.path or reference.key
        if target not in reported and _dangles(reference, entry, corpus):
            reported.add(target)
            yield _finding(reference, corpus)


def _dangles(reference: Reference, entry: Entry, corpus: Corpus) -> bool:
    if reference.path:
        paths = filter(None, (reference.path, reference.root))
        return not any(map(corpus.exists, paths))
    key = reference.key
    has_digit = any(map(str.isdigit, key))
    if not has_digit or corpus.find(reference, entry.path):
        return False
    # 12 and 12a are ids of ADRs; JIRA-12 is one only if other ADRs have such ids.
    return key.isdigit() or key[:-1].isdigit() or corpus.uses_prefix(key)


def _finding(reference: Reference, corpus: Corpus) -> RuleResult:
    relation = f"this ADR {_RELATIONS[reference.kind]}"
    if reference.path:
        message = f"{relation} {reference.root or reference.path}, which does not exist"
        help = _help_for_path(reference, corpus)
    else:
        message = f"{relation} {_written(reference.key)}, which does not exist"
        help = "correct the id, or remove the reference"
    return RuleResult(
        line=reference.line,
        message=message,
        help=help,
        words=reference.text,
        subject=reference.path or reference.key,
    )


def _help_for_path(reference: Reference, corpus: Corpus) -> str:
    """Return the help for a link; it names the ADR with the number in the link."""
    same_number = Reference(
        kind=reference.kind,
        text=reference.text,
        key=key_in_path(reference.path),
        path="",
        line=reference.line,
    )
    others = corpus.find(same_number, reference.path)
    if others:
        return f"ADR {same_number.key} is {others[0].path}"
    return "correct the link, or remove the reference"


def _written(key: str) -> str:
    if key.isdigit():
        return f"ADR-{int(key):03}"
    return f"ADR-{key}" if key[:-1].isdigit() else key.upper()
