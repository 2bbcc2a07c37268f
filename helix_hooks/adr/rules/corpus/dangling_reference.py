from collections.abc import Iterator

from ...corpus import Corpus, Entry
from ...model import RuleResult, rule
from ...reference import key_in_path

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
        if target in reported or corpus.find(reference, entry.path):
            continue
        relation = f"this ADR {_RELATIONS[reference.kind]}"
        if reference.path:
            if any(map(corpus.exists, filter(None, (reference.path, reference.root)))):
                continue
            message = f"{relation} {reference.root or reference.path}, which does not exist"
            # The number in the name of the file may lead to the ADR.
            key = key_in_path(reference.path)
            others = corpus.find(reference._replace(key=key, path=""), reference.path)
            help = "correct the link, or remove the reference"
            if others:
                help = f"ADR {key} is {others[0].path}"
        elif reference.key.isdigit():
            message = f"{relation} ADR-{int(reference.key):03}, which does not exist"
            help = "correct the id, or remove the reference"
        else:
            continue  # JIRA-12
        reported.add(target)
        yield RuleResult(
            line=reference.line,
            message=message,
            help=help,
            words=reference.text,
            subject=target,
        )
