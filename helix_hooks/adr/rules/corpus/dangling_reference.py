from collections.abc import Iterator

from ...corpus import Corpus, Entry
from ...model import Found
from ...reference import Reference, key_in_path

_WORDS = {
    "supersedes": "supersedes",
    "superseded_by": "is superseded by",
    "depends_on": "depends on",
    "related_to": "is related to",
}


class DanglingReference:
    """The header or the status names an ADR that does not exist.

    "Superseded by ADR-31" sends every reader to the decision that holds now; when there is no
    ADR-31, the old one still rules. The rule checks `supersedes`, `superseded_by`, `depends_on`,
    `related_to` and the text of the status. The ADR is looked for by id in the same folder, then in
    all others. Names that look like ids of something else (`JIRA-7`), and other repositories, are
    left alone.
    """

    id = "dangling-reference"
    layer = "corpus"
    severity = "error"

    def check(self, entry: Entry, corpus: Corpus) -> Iterator[Found]:
        seen: set[str] = set()
        for reference in entry.references if not corpus.alone else ():
            target = reference.path or reference.key
            if target not in seen and _dangles(reference, entry, corpus):
                seen.add(target)
                yield _found(reference, corpus)


def _dangles(reference: Reference, entry: Entry, corpus: Corpus) -> bool:
    if reference.path:
        return not corpus.exists(reference.path) and not (
            reference.root and corpus.exists(reference.root)
        )
    if not any(map(str.isdigit, reference.key)) or corpus.find(reference, entry.path):
        return False
    lettered = reference.key[:-1].isdigit()
    return reference.key.isdigit() or lettered or corpus.uses_prefix(reference.key)


def _found(reference: Reference, corpus: Corpus) -> Found:
    says = f"this ADR {_WORDS[reference.kind]}"
    if not reference.path:
        return Found(
            line=reference.line,
            message=f"{says} {_spelt(reference)}, which does not exist",
            help="correct the id, or remove the reference",
            words=reference.text,
        )
    message = f"{says} {reference.root or reference.path}, which does not exist"
    same = Reference(
        kind=reference.kind,
        text=reference.text,
        key=key_in_path(reference.path),
        path="",
        line=reference.line,
    )
    others = corpus.find(same, reference.path)
    help = (
        f"ADR {same.key} is {others[0].path}"
        if others
        else "correct the link, or remove the reference"
    )
    return Found(line=reference.line, message=message, help=help, words=reference.text)


def _spelt(reference: Reference) -> str:
    key = reference.key
    if key[:-1].isdigit() and not key.isdigit():
        return f"ADR-{key}"
    return f"ADR-{int(key):03}" if key.isdigit() else key.upper()
