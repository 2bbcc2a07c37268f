"""The facts beyond one file, gathered: the other ADRs, and what became of files that are not there."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from ..adr.check_report import FileReport, Skipped
from ..adr.corpus import Corpus, Entry, PathHistory, entry
from ..adr.examine import Source, adr_id, read
from ..adr.reference import collection
from ..config.settings import Settings
from ..repository import files

if TYPE_CHECKING:
    from ..repository import history
    from .changes import Measured

_RULE = "referenced-file-missing"


def corpus_of(tree: files.Tree, repository: str | None, settings: Settings, raw: list[FileReport], whole: bool, staged: bool,
              measured: "Measured | None", at: str = "") -> tuple[Corpus, list[Skipped]]:  # fmt: skip
    """The corpus around some ADRs, and what could not be found out about the files they name. `at` is a commit in the index's place."""
    entries = [file.entry for file in raw if file.entry]
    alone = not whole and not repository
    fates, skipped = _fates(repository, entries, staged, at)

    def load(path: str) -> Entry | None:
        doc = tree.document(path)
        if doc.defect:
            return None
        adr = read(Source(doc), settings.ruleset)
        return entry(adr, adr_id(adr))

    def text(path: str) -> str:
        return tree.content(path).decode(errors="replace")

    widen = tuple if whole else lambda: tree.folder("")
    taken = measured.taken if measured else None
    corpus = Corpus(load, lambda path: bool(tree.present([path])), partial(files.is_adr, tree, settings), widen, fates, taken, alone, text)
    corpus.know(entries)
    if not whole:
        corpus.add(path for folder in {collection(item.path): None for item in entries} for path in tree.folder(folder))
    if alone:
        reason = "this is no git repository, so nobody knows which other ADRs there are"
        skipped += [Skipped("dangling-reference", item.path, reason) for item in entries if item.references]
    return corpus, skipped


def _fates(repository: str | None, entries: list[Entry], staged: bool, at: str) -> tuple[dict[str, PathHistory], list[Skipped]]:
    lost = {mention.path: None for item in entries for mention in item.lost if mention.kind != "create" or item.status == "Implemented"}
    if not lost:
        return {}, []
    reason = "this is no git repository, so nobody knows what was there before"
    if repository:
        from ..repository import history

        if history.is_shallow(repository):
            reason = "this clone is shallow, so nobody knows what was there before; fetch the whole history (fetch-depth: 0)"
        else:
            return _told(repository, list(lost), staged, at), []
    return {}, [Skipped(_RULE, item.path, reason) for item in entries if item.lost]


def _told(root: str, lost: list[str], staged: bool, at: str) -> dict[str, PathHistory]:
    """What history says of each path; one that git ignores, or that lies in a submodule, is nobody's business here."""
    from ..repository import history
    from ..repository.revisions import Revision

    inside = history.in_submodules(root, lost)
    asked = [path for path in lost if path not in inside]
    there = {folder for path in Revision(root, "HEAD").look_up(asked) for folder in _above(path)}
    gone = [path for path in asked if path in there]
    now = {change.old: change for change in history.changes(root, "HEAD", staged, other=at) if change.status in "RD"} if gone else {}
    deleted = history.deleted(root, [path for path in asked if path not in there])
    before = {item.path: item for item in reversed(deleted)}
    below = {folder: item for item in reversed(before.values()) for folder in _above(item.path)}
    found = {path: _now(path, now) if path in there else _fate(path, before, below) for path in asked}
    never = [path for path, fate in found.items() if fate.kind == "never"]
    ignored = history.ignored(root, never) if never else set()
    return {path: fate for path, fate in found.items() if path not in ignored}


def _above(path: str) -> Iterator[str]:
    """A path and the folders it lies in."""
    while path:
        yield path
        path = path.rpartition("/")[0]


def _now(path: str, now: "dict[str, history.Changed]") -> PathHistory:
    """What this change does to a path that the last commit has."""
    change = now.get(path)
    return PathHistory("moved", change.path) if change and change.status == "R" else PathHistory("gone", "this change")


def _fate(path: str, before: "dict[str, history.Deleted]", below: "dict[str, history.Deleted]") -> PathHistory:
    """What became of a path: of the file, else of one that lay in a folder of that name."""
    deleted = before.get(path) or below.get(path)
    if not deleted:
        return PathHistory("never")
    return PathHistory("moved", deleted.moved_to) if deleted.moved_to and deleted.path == path else PathHistory("gone", deleted.commit)
