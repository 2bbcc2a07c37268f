from collections.abc import Iterator

from ....paths import MARKDOWN
from ...corpus import DECIDED, Corpus, Entry, PathHistory
from ...model import RuleResult, rule
from ...reference import Mention, Reference, key_in_path

_PAGES = (*MARKDOWN, ".html", ".png", ".svg", ".jpg", ".jpeg", ".gif", ".puml", ".pdf")
"""Files that people read: a broken link to one is corrected in an accepted ADR too."""
_MENTIONS = {
    "link": "the link points to",
    "create": "`files.create` names",
    "modify": "`files.modify` names",
}
_REPLACED = "name the file that replaced it, or say that it was deleted"


@rule("referenced-file-missing", "corpus", "warning")
def referenced_file_missing(entry: Entry, corpus: Corpus) -> Iterator[RuleResult]:
    """A file that the ADR names does not exist.

    If a named file moves, readers no longer know what the decision is about. The rule checks
    relative links, `files.create` and `files.modify` in the header, and paths in backticks whose
    first folder exists.

    A file may be missing if it is not created yet: in `files.create`, until the ADR is implemented.

    The text of an accepted ADR must not change, so a broken link is only a warning there, and a
    moved code file is information. Outside of the helix template, a path in backticks is reported
    only if this change moves or deletes the file.

    To fix a finding, correct the path, or say that the file was deleted.
    """
    if not entry.lost:
        return
    # dangling-reference reports the paths of references.
    references = {reference.path for reference in entry.references}
    for mention in entry.lost:
        history = corpus.fates.get(mention.path)
        if not history or mention.path in references:
            continue
        if history.kind == "moved" and not corpus.exists(history.where):
            history = history._replace(kind="lost")
        # A path in backticks may be history or an example.
        if mention.kind == "quoted" and not (entry.is_helix or history.recent):
            continue
        is_link = mention.kind == "link"
        key = key_in_path(mention.path) if is_link else ""
        same_number = ""
        if key:
            reference = Reference(kind="related_to", text="", key=key, path="", line=mention.line)
            paths = [other.path for other in corpus.find(reference, mention.path)]
            same_number = paths[0] if len(paths) == 1 and paths[0] != entry.path else ""
        # A link with the name of an ADR.
        is_to_adr = bool(key) and mention.path.lower().endswith(MARKDOWN)
        for finding in _findings(mention, history, entry.status, same_number):
            is_dead = entry.is_new and not finding.severity and is_to_adr
            yield finding._replace(severity="error") if is_dead else finding


def _findings(
    mention: Mention, history: PathHistory, status: str, same_number: str
) -> Iterator[RuleResult]:
    """Yield the finding on a missing file, if it has to exist."""
    message = f"{_MENTIONS.get(mention.kind, 'the text names')} {mention.text}"
    finding = RuleResult(
        line=mention.line, message=message, words=mention.text, subject=mention.path
    )
    past = {
        "moved": (", which has moved", f"it is now {history.where}"),
        "lost": (", which was moved and later deleted", _REPLACED),
        "gone": (", which was deleted", f"it was deleted in {history.where}; {_REPLACED}"),
    }
    if history.kind in past:
        end, help = past[history.kind]
        is_page = mention.kind == "link" and mention.path.lower().endswith(_PAGES)
        is_old = status in DECIDED and not is_page
        yield finding._replace(message=message + end, help=help, severity="info" if is_old else "")
        return
    if mention.kind == "create" and status != "Implemented":
        return
    finding = finding._replace(message=f"{message}, which does not exist")
    if mention.kind != "quoted":
        help = "correct the path"
        if same_number:
            help += f"; the ADR of this number is {same_number}"
        yield finding._replace(help=help)
    elif status in DECIDED:
        help = "correct the path, or say that it is only an example"
        yield finding._replace(help=help, severity="info")
