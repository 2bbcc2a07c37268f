from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...corpus import DECIDED, Corpus, Entry, PathHistory
from ...mention import Mention
from ...model import Found

if TYPE_CHECKING:
    from ....finding import Severity

_PAGES = (".md", ".html", ".png", ".svg", ".jpg", ".jpeg", ".gif", ".puml", ".pdf")
"""Files that people read: a dead link to one is fixed in an accepted ADR too."""


class ReferencedFileMissing:
    """A file that the ADR names is not there.

    An ADR explains the code by pointing at it. When a file moves, the pointer goes dead, and nobody
    can tell any more what the decision was about. Asked are relative links, the header's
    `files.create` and `files.modify`, and paths in backticks whose first folder the repository has.
    Git's history tells whether a file was moved (and where to), was deleted, or never existed. What
    is still to be created may be missing: a path in backticks while the ADR is not yet accepted,
    `files.create` until it is implemented. The text of an accepted ADR stays as it is. There, only
    a dead link to a page or picture is a warning; a path of code that was moved or deleted is
    information. A path in backticks that never existed may be an example. A new path is proposed
    only if the file is still there.
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
            if fate and mention.path not in told:
                yield from _found(mention, fate, entry.status)


def _found(mention: Mention, fate: PathHistory, status: str) -> Iterator[Found]:
    what = {
        "link": "the link to",
        "create": "`files.create` names",
        "modify": "`files.modify` names",
    }.get(mention.kind, "the text names")
    message = f"{what} {mention.text}"
    is_page = mention.kind == "link" and mention.path.endswith(_PAGES)
    severity: Severity = "info" if status in DECIDED and not is_page else ""
    if fate.kind == "moved":
        yield Found(
            line=mention.line,
            message=f"{message}, which has moved",
            help=f"it is now {fate.where}",
            severity=severity,
        )
    elif fate.kind == "lost":
        yield Found(
            line=mention.line,
            message=f"{message}, which was moved and later deleted",
            help="name the file that replaced it, or say that it was deleted",
            severity=severity,
        )
    elif fate.kind == "gone":
        yield Found(
            line=mention.line,
            message=f"{message}, which was deleted",
            help=f"it was deleted in {fate.where}; name the file that replaced it, or say that it "
            "was deleted",
            severity=severity,
        )
    elif mention.kind == "create" and status != "Implemented":
        return
    elif mention.kind != "quoted":
        yield Found(
            line=mention.line, message=f"{message}, which never existed", help="correct the path"
        )
    elif status in DECIDED:
        yield Found(
            line=mention.line,
            message=f"{message}, which never existed",
            help="correct the path, or say that it is only an example",
            severity="info",
        )
