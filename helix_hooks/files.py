"""Finding ADRs and their concepts, in the work tree or in the index, and the product's own default files."""

import os
import stat
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple, Protocol

from . import git
from .adr import header
from .adr.check import OFF, FileReport, RuleCounts, Ruleset, Skipped, Source, finding_of
from .adr.document import AdrDocument, parse, unreadable
from .adr.rule import Described, Found
from .errors import UsageError
from .git import slashes
from .places import MAX_BYTES, neighbours
from .settings import Settings
from .strict import Defect

_PACKAGE = os.path.dirname(os.path.abspath(__file__))
_LINKS_FOLLOWED = 5


def packaged(path: str) -> bytes | None:
    """A file that the product brings along: a default, a template, an example.

    `approvals/` and `config/` lie in the wheel under `defaults`, and beside the package in the source tree.
    """
    for root in (_PACKAGE, os.path.join(_PACKAGE, "defaults"), os.path.dirname(_PACKAGE)):
        place = os.path.join(root, path)
        if os.path.isfile(place):
            with open(place, "rb") as file:
                return file.read()
    return None


def packaged_names(folder: str) -> list[str]:
    """The names of the files in a folder that the product brings along."""
    for root in (_PACKAGE, os.path.join(_PACKAGE, "defaults"), os.path.dirname(_PACKAGE)):
        place = os.path.join(root, folder)
        if os.path.isdir(place):
            return sorted(os.listdir(place))
    return []


class Tree(Protocol):
    """Files of a repository by their path in it."""

    def read(self, path: str) -> bytes | None:
        """The bytes of a regular file, cut behind 1 MB; None where there is none."""

    def document(self, path: str) -> AdrDocument:
        """The parsed file, or one whose defect says why it can't be read."""

    def has(self, path: str) -> bool:
        """Whether the file is there."""

    def tracked(self, path: str) -> bool:
        """Whether git has the file; outside of a repository, whether it is there."""

    def folder(self, path: str) -> list[str]:
        """The paths of the files below a folder."""

    def present(self, paths: Collection[str]) -> set[str]:
        """Those of some paths at which there is a file or a folder; asked for many at once."""

    def remember(self) -> None:
        """To be called before many files are checked."""

    def in_a_process_of_its_own(self) -> None:
        """To be called in a process split from another one, before anything is read."""


def _regular(place: str) -> bytes | None:
    """The bytes of a regular file, None of anything else; in four calls of the system, since it is done for every ADR."""
    opened = os.open(place, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        facts = os.fstat(opened)
        if not stat.S_ISREG(facts.st_mode):
            return None
        data = os.read(opened, min(facts.st_size, MAX_BYTES) + 1)
        return data if len(data) >= min(facts.st_size, MAX_BYTES) else None
    finally:
        os.close(opened)


class WorkTree:
    """Files as they lie on disk below `root`; a path outside of it is absolute."""

    def __init__(self, root: str, index: git.Index | None) -> None:
        self._root, self._index = root, index
        self._known: list[str] | None = None
        self._places: set[str] | None = None

    def read(self, path: str) -> bytes | None:
        place = os.path.join(self._root, path)
        try:
            if not stat.S_ISREG(os.stat(place).st_mode):
                return None
            with open(place, "rb") as file:
                return file.read(MAX_BYTES + 1)
        except OSError:
            return None

    def document(self, path: str) -> AdrDocument:
        place = f"{self._root}/{path}" if path[:1] != "/" else path
        try:
            data = _regular(place)
        except OSError:
            data = None
        if data is not None:
            return parse(data, path)
        defect = self._defect(os.path.join(self._root, path))
        if defect:
            return unreadable(path, defect)
        with open(place, "rb") as file:
            return parse(file.read(MAX_BYTES + 1), path)

    def _defect(self, place: str) -> Defect | None:
        if os.path.islink(place):
            if not os.path.exists(place):
                return Defect(1, "the file is a symbolic link to nothing; commit the ADR itself")
            if os.path.relpath(os.path.realpath(place), os.path.realpath(self._root)).startswith(".."):
                return Defect(1, "the file is a symbolic link that leads out of the repository; commit the ADR itself")
        if not stat.S_ISREG(os.stat(place).st_mode):
            return Defect(1, "this is not a regular file; an ADR is a Markdown file")
        if not os.access(place, os.R_OK):
            return Defect(1, "the file may not be read; give yourself permission (chmod +r)")
        return None

    def has(self, path: str) -> bool:
        return (self._places is None or path in self._places) and os.path.isfile(os.path.join(self._root, path))

    def tracked(self, path: str) -> bool:
        return self.has(path) and (self._index is None or self._index.kind(path) is not None)

    def folder(self, path: str) -> list[str]:
        if self._known is None:
            walked = (slashes(os.path.relpath(name, self._root)) for name in _walk(self._root))
            self._known = git.known_paths(self._root) if self._index else list(walked)
        return [name for name in self._known if name.startswith(f"{path}/") or not path]

    def remember(self) -> None:
        """Look up from now on in the list of all paths, which costs less than asking the disk when many files are checked."""
        self._places = places = set(self.folder(""))
        for path in list(places):
            while (path := os.path.dirname(path)) and path not in places:
                places.add(path)

    def present(self, paths: Collection[str]) -> set[str]:
        if self._places is not None:
            return {path for path in paths if path.rstrip("/") in self._places}
        return {path for path in paths if os.path.lexists(os.path.join(self._root, path))}

    def in_a_process_of_its_own(self) -> None:
        if self._index:
            self._index.in_a_process_of_its_own()


class StagedTree:
    """Files as they lie in the index, or in a commit, of the repository at `root`."""

    def __init__(self, index: git.Index, root: str) -> None:
        self._index, self._root = index, root

    def read(self, path: str) -> bytes | None:
        return self._index.read(path) if self._index.kind(path) == git.FILE else None

    def document(self, path: str) -> AdrDocument:
        if self._index.unmerged(path):
            return unreadable(path, Defect(1, "the merge of this file is not finished; resolve it and `git add` it"))
        target = self.target(path)
        data = self.read(target) if target else None
        if data is None:
            return unreadable(path, Defect(1, "the file is a symbolic link to nothing in the repository; commit the ADR itself"))
        return parse(data, path)

    def target(self, path: str) -> str | None:
        """Where a path leads to when links are followed, itself where it is none; None for a way out of the tree, or in a circle."""
        for _ in range(_LINKS_FOLLOWED):
            if self._index.kind(path) != git.LINK:
                return path
            link = (self._index.read(path) or b"").decode(errors="surrogateescape")
            path = slashes(os.path.normpath(os.path.join(os.path.dirname(path), link)))
            if path.startswith(("..", "/")):
                return None
        return None

    def has(self, path: str) -> bool:
        target = self.target(path)
        return target is not None and self._index.kind(target) == git.FILE

    def is_link(self, path: str) -> bool:
        return self._index.kind(path) == git.LINK

    tracked = has

    def folder(self, path: str) -> list[str]:
        return self._index.below(path)

    def present(self, paths: Collection[str]) -> set[str]:
        """A folder is there when the disk has it, which is asked since the index would list all that lies in it."""
        named = [path.rstrip("/") for path in paths]
        files = [path for path in named if "." in path.rpartition("/")[2]]
        self._index.look_up(files)
        found = {path for path in files if self._index.kind(path)}
        return found | {path for path in named if path not in found and os.path.isdir(os.path.join(self._root, path))}

    def blob(self, path: str) -> tuple[str, str] | None:
        return self._index.blob(path)

    def remember(self) -> None:
        self._index.below("")

    def same(self, path: str, other: "StagedTree", other_path: str) -> bool:
        """Whether two places hold the same bytes."""
        return self.blob(path) == other.blob(other_path)

    def in_a_process_of_its_own(self) -> None:
        self._index.in_a_process_of_its_own()

    def close(self) -> None:
        self._index.close()


class Selection(NamedTuple):
    """The ADRs to check, and the paths that were passed over with the reason."""

    paths: tuple[str, ...]
    skipped: tuple[Skipped, ...] = ()


def select(tree: Tree, root: str, paths: list[str], settings: Settings) -> Selection:
    """The ADRs among paths of the work tree: a file is one because it was named, a folder is searched.

    Raises UsageError for a path that does not exist.
    """
    if not paths:
        return Selection(tuple(path for path in tree.folder("") if settings.is_adr(path) and os.path.lexists(os.path.join(root, path))))
    found: list[str] = []
    for path in paths:
        place = os.path.join(root, path)
        if not os.path.lexists(place):
            raise UsageError(f"{path}: there is no such file")
        found += _below(tree, root, path, settings) if os.path.isdir(place) else [path]
    return Selection(tuple(dict.fromkeys(found)))


def _below(tree: Tree, root: str, folder: str, settings: Settings) -> list[str]:
    """ADRs in a folder; when the settings call nothing in it an ADR, its Markdown files, since someone named it.

    A folder of which git knows nothing, such as an ignored one or a symbolic link, is searched on the disk.
    """
    folder = "" if folder == "." else folder
    known = [] if os.path.isabs(folder) else tree.folder(folder)
    known = known or [slashes(name if os.path.isabs(folder) else os.path.relpath(name, root)) for name in _walk(os.path.join(root, folder))]
    names = [name for name in known if name.endswith(".md") and os.path.lexists(os.path.join(root, name))]
    return [name for name in names if settings.is_adr(name)] or names


def select_staged(index: git.Index, root: str, paths: list[str], settings: Settings, matching: bool) -> Selection:
    """The ADRs among staged paths; with `matching`, only those the settings call ADRs, and the ADR of a changed concept.

    Raises UsageError for a path that neither the index nor HEAD has, unless `matching`.
    """
    if not paths:
        paths, matching = git.staged_paths(root), True
    if matching:
        paths = [path for path in paths if path.endswith(".md")]
        texts = [path for path in paths if not settings.is_adr(path)]
        paths = [path for path in paths if settings.is_adr(path)]
        woken = (*_adrs_of_concepts(index, texts, settings), *_naming(index, root, texts, settings))
        paths = list(dict.fromkeys([*paths, *filter(settings.is_adr, woken)]))
    found, skipped = [], []
    index.look_up(neighbours(paths))
    for path in paths:
        kind = index.kind(path)
        if kind in (git.FILE, git.LINK):
            found.append(path)
        elif kind == git.SUBMODULE:
            skipped.append(Skipped("", path, "this is a submodule; its ADRs belong to another repository"))
        elif below := index.below(path):
            found += [name for name in below if settings.is_adr(name)]
        elif matching or git.in_head(root, path):
            skipped.append(Skipped("", path, "the file is deleted"))
        else:
            hint = "; `git add` it first" if os.path.lexists(os.path.join(root, path)) else ""
            raise UsageError(f"{path}: the index has no such file{hint}")
    return Selection(tuple(found), tuple(skipped))


def _adrs_of_concepts(index: git.Index, paths: list[str], settings: Settings) -> Iterator[str]:
    for path in paths:
        folder = os.path.dirname(path)
        if path.endswith(".concept.md"):
            adr = f"{path.removesuffix('.concept.md')}.md"
            if index.kind(adr):
                yield adr
        elif os.path.basename(path) == "concept.md":
            adrs = [name for name in index.below(folder) if os.path.dirname(name) == folder and settings.is_adr(name)]
            yield from adrs if len(adrs) == 1 else ()


def _naming(index: git.Index, root: str, texts: list[str], settings: Settings) -> Iterator[str]:
    """The ADRs whose header names one of some texts as the concept."""
    names = dict.fromkeys(os.path.basename(path) for path in texts if not path.endswith("concept.md"))
    tree = StagedTree(index, root)
    for path in git.speaking_of(root, names) if names else ():
        if settings.is_adr(path):
            doc = tree.document(path)
            named = _named_concept(doc, settings)
            if named and _resolve(tree, path, named).path in texts:
                yield path


def source(tree: Tree, path: str, settings: Settings, concept: str | None = None) -> Source:
    """A document to check, with its concept; `concept` is the path that `--concept` names."""
    doc = tree.document(path)
    found = tree.document(concept) if concept else concept_of(tree, doc, settings)
    return Source(doc, unreadable(path, Defect(1, "it is the ADR itself")) if found and found.path == path else found)


def concept_of(tree: Tree, doc: AdrDocument, settings: Settings) -> AdrDocument | None:
    """The concept of an ADR: the one its header names, the one beside it, or that of a folder which has only this ADR."""
    named = _named_concept(doc, settings)
    if named:
        return _resolve(tree, doc.path, named)
    _, beside, shared = neighbours([doc.path])
    if tree.has(beside):
        return tree.document(beside)
    folder = os.path.dirname(doc.path)
    if shared != doc.path and tree.has(shared):
        adrs = [name for name in tree.folder(folder) if os.path.dirname(name) == folder and settings.is_adr(name)]
        if adrs == [doc.path]:
            return tree.document(shared)
    return None


def _named_concept(doc: AdrDocument, settings: Settings) -> str:
    """The header key `concept`; the header is read only when the word stands above the first section."""
    top = doc.data[: doc.sections[0].heading_start] if doc.sections else doc.data
    if b"oncept" not in top and b"onzept" not in top:
        return ""
    return header.read(doc, settings.ruleset.meanings).text("concept")


def _resolve(tree: Tree, adr: str, named: str) -> AdrDocument:
    for path in (named, os.path.join(os.path.dirname(adr), named)):
        inside = slashes(os.path.normpath(path))
        if inside.startswith(("..", "/")) or os.path.isabs(path):
            continue
        if tree.tracked(inside):
            return tree.document(inside)
    outside = os.path.isabs(named) or slashes(os.path.normpath(os.path.join(os.path.dirname(adr), named))).startswith("..")
    reason = "it lies outside the repository" if outside else "the repository has no such file"
    return unreadable(named, Defect(1, reason))


def _walk(folder: str) -> Iterator[str]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in (".git", "node_modules", "vendor", ".venv"))
        yield from (os.path.join(place, name) for name in sorted(names))


def report_on(path: str, text: str, rule: Described, found: Iterable[Found], ruleset: Ruleset) -> list[FileReport]:
    """A report on a file that is no ADR, such as the settings; none without findings."""
    rows = text.split("\n")
    findings = tuple(finding_of(rule, item, path, len(rows), ruleset.severities) for item in found)
    lines = {finding.line: rows[finding.line - 1] for finding in findings}
    return [FileReport(path, "", "", "", "", RuleCounts(), None, findings, lines)] if findings and ruleset.severities.get(rule.id) != OFF else []
