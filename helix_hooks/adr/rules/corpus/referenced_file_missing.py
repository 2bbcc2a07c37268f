from collections.abc import Iterator

from ....records import TYPE_CHECKING
from ...corpus import DECIDED, Corpus, Entry, PathHistory
from ...mention import Mention
from ...model import Found
from ...reference import Reference, key_in_path

if TYPE_CHECKING:
    from ....finding import Severity

_PAGES = (".md", ".html", ".png", ".svg", ".jpg", ".jpeg", ".gif", ".puml", ".pdf")
"""Files that people read: a dead link to one is fixed in an accepted ADR too."""


class ReferencedFileMissing:
    """A file that the ADR names is not there.

    An ADR explains the code by naming its files. When a file moves, the name goes dead, and readers
    no longer know what the decision was about. The rule checks relative links, the header's
    `files.create` and `files.modify`, and paths in backticks whose first folder the repository has.
    A relative link may also lead to where a documentation site finds the file: without a suffix,
    from the page's own address (`docs/0004-x/` for `docs/0004-x.md`), or in a folder `public` or
    `static`. Git's history tells whether a file was moved (and where to) or deleted. A file that is
    still to be created may be missing: a path in backticks while the ADR is not yet accepted,
    `files.create` until it is implemented. The text of an accepted ADR stays as it is. There, only
    a dead link to a page or picture is a warning; a path of code that was moved or deleted is
    information. Outside of the helix template a path in backticks is reported only if this change
    moves or deletes the file: an old ADR describes the code as it was, or gives an example. A new
    path is proposed only if the file is still there.
    """

    id = "referenced-file-missing"
    layer = "corpus"
    severity = "warning"

    def check(self, entry: Entry, corpus: Corpus) -> Iterator[Found]:
        told = {reference.path for reference in entry.references}
        for mention in entry.lost:
            fate = corpus.fates.get(mention.path)
            if fate and fate.kind == "moved" and not corpus.exists(fate.where):
                fate = fate._replace(kind="lost")
            if fate and mention.path not in told and _matters(mention, fate, entry):
                yield from _found(mention, fate, entry.status, _same_number(mention, entry, corpus))


def _matters(mention: Mention, fate: PathHistory, entry: Entry) -> bool:
    """Return whether a missing file is reported.

    A path in backticks may be history or an example.
    """
    return entry.is_helix or mention.kind != "quoted" or fate.recent


def _same_number(mention: Mention, entry: Entry, corpus: Corpus) -> str:
    """Return the path of the ADR with the number in a link, "" if there is not exactly one."""
    key = key_in_path(mention.path) if mention.kind == "link" else ""
    if not key:
        return ""
    meant = Reference(kind="related_to", text="", key=key, path="", line=mention.line)
    others = corpus.find(meant, mention.path)
    return others[0].path if len(others) == 1 and others[0].path != entry.path else ""


def _found(mention: Mention, fate: PathHistory, status: str, meant: str) -> Iterator[Found]:
    what = {
        "link": "the link leads to",
        "create": "`files.create` names",
        "modify": "`files.modify` names",
    }.get(mention.kind, "the text names")
    message = f"{what} {mention.text}"
    is_page = mention.kind == "link" and mention.path.endswith(_PAGES)
    severity: Severity = "info" if status in DECIDED and not is_page else ""
    if fate.kind == "moved":
        yield Found(
            line=mention.line,
            words=mention.text,
            message=f"{message}, which has moved",
            help=f"it is now {fate.where}",
            severity=severity,
        )
    elif fate.kind == "lost":
        yield Found(
            line=mention.line,
            words=mention.text,
            message=f"{message}, which was moved and later deleted",
            help="name the file that replaced it, or say that it was deleted",
            severity=severity,
        )
    elif fate.kind == "gone":
        yield Found(
            line=mention.line,
            words=mention.text,
            message=f"{message}, which was deleted",
            help=f"it was deleted in {fate.where}; name the file that replaced it, or say that it "
            "was deleted",
            severity=severity,
        )
    elif mention.kind == "create" and status != "Implemented":
        return
    elif mention.kind != "quoted":
        yield Found(
            line=mention.line,
            words=mention.text,
            message=f"{message}, which does not exist",
            help=f"correct the path; the ADR of this number is {meant}"
            if meant
            else "correct the path",
        )
    elif status in DECIDED:
        yield Found(
            line=mention.line,
            words=mention.text,
            message=f"{message}, which does not exist",
            help="correct the path, or say that it is only an example",
            severity="info",
        )
