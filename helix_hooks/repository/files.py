"""Find ADRs and their concepts in a tree, and read the packaged files."""

import os
from collections.abc import Iterable, Iterator

from ..adr.check_report import FileReport, Skipped, report_on_file
from ..adr.examine import Source
from ..adr.model import Described, Found
from ..adr.names.place import likely
from ..adr.parse import header
from ..adr.parse.document import AdrDocument, unreadable
from ..adr.reference import collection
from ..adr.rules.registry import OFF, Ruleset
from ..adr.severity import finding_of
from ..adr.template import HABIT
from ..config.settings import Settings
from ..errors import UsageError
from ..paths import neighbours
from ..records import NamedTuple
from ..yaml_values import Defect
from . import git
from .git import slashes
from .index import Index
from .links import FILE, FOLDER, WRONG
from .staged_tree import StagedTree
from .trees import Tree, walk

__all__ = ["StagedTree", "Tree"]

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_ELSEWHERE = "this is a submodule; its ADRs belong to another repository"


def packaged(path: str) -> bytes | None:
    """Return the content of a packaged file: a default, a template, an example.

    In the wheel, `approvals/` and `config/` lie under `defaults`. In the source tree they lie
    beside the package.
    """
    for root in (_PACKAGE, os.path.join(_PACKAGE, "defaults"), os.path.dirname(_PACKAGE)):
        place = os.path.join(root, path)
        if os.path.isfile(place):
            with open(place, "rb") as file:
                return file.read()
    return None


def packaged_names(folder: str) -> list[str]:
    """Return the names of the files in a packaged folder."""
    for root in (_PACKAGE, os.path.join(_PACKAGE, "defaults"), os.path.dirname(_PACKAGE)):
        place = os.path.join(root, folder)
        if os.path.isdir(place):
            return sorted(os.listdir(place))
    return []


class Selection(NamedTuple):
    """The ADRs to check, and the paths that were passed over with the reason."""

    paths: tuple[str, ...]
    skipped: tuple[Skipped, ...] = ()


def holds_adrs(settings: Settings, folder: str) -> bool:
    """Return whether ADRs are looked for directly in a folder.

    A picture, such as `docs/adr/picture.svg`, is no ADR unless `paths` names it.
    """
    is_folder = "." not in folder.rpartition("/")[2] or any(
        glob.startswith(f"{folder}/") for glob in settings.paths
    )
    return is_folder and settings.holds_adrs(folder)


def adrs(tree: Tree, settings: Settings, folder: str = "") -> list[str]:
    """Return the ADRs of a tree, each once by its own path, and links in the place of ADRs that
    lead nowhere.
    """
    if tree.names():
        return [path for path in tree.folder(folder) if is_adr(tree, settings, path)]
    paths = tree.markdown(folder)
    candidates = paths if settings.paths or settings.declared else likely(paths)
    return [path for path in candidates if settings.is_adr(path)]


def has_habit(tree: Tree, settings: Settings, path: str) -> bool:
    """Return whether the folder of an ADR has enough ADRs to show a style of the team."""
    return shows_habit(tree, settings, collection(path))


def shows_habit(tree: Tree, settings: Settings, folder: str) -> bool:
    """Return whether a folder has enough ADRs to show a style of the team."""
    return len(adrs(tree, settings, folder)) >= HABIT


def is_adr(tree: Tree, settings: Settings, path: str) -> bool:
    """Return whether a path of a tree is an ADR, and not another name of one.

    A link to an ADR is another name of that ADR. Of several links to a file, the first by name is
    the ADR.
    """
    return path in _linked_adrs(tree, settings) if path in tree.names() else settings.is_adr(path)


def _linked_adrs(tree: Tree, settings: Settings) -> frozenset[str]:
    """Return the ADRs among the names that links give. The result is cached with the tree."""
    for asked, found in tree.linked:
        if asked is settings:
            return found
    adrs: dict[str, None] = {}
    ends: set[str] = set()
    for name, place in sorted(tree.names().items()):
        if place.kind == WRONG and (settings.is_adr(name) or holds_adrs(settings, name)):
            adrs[name] = None
        elif settings.is_adr(name) and not settings.is_adr(place.path) and place.path not in ends:
            adrs[name] = None
            ends.add(place.path)
    tree.linked.append((settings, frozenset(adrs)))
    return frozenset(adrs)


def real(tree: Tree, settings: Settings, path: str) -> str:
    """Return the path at which an ADR with several names is checked."""
    place = tree.place(path)
    return (
        place.path if place.links and place.kind == FILE and settings.is_adr(place.path) else path
    )


def elsewhere(tree: Tree, settings: Settings) -> tuple[Skipped, ...]:
    """Return the submodules that stand where ADRs are looked for."""
    return tuple(
        Skipped("", path, _ELSEWHERE) for path in tree.submodules() if holds_adrs(settings, path)
    )


def alike(paths: Iterable[str]) -> Iterator[str]:
    """Yield a line for each ADR or folder of ADRs that another is called, but for the case."""
    known: dict[str, str] = {}
    for path in paths:
        for name in (path.rpartition("/")[0], path):
            first = known.setdefault(name.casefold(), name)
            if first != name:
                yield (
                    f"{first} and {name} differ in case only, and macOS and Windows keep one of "
                    "them; rename one"
                )
                known[name.casefold()] = name


def select(tree: Tree, root: str, paths: list[str], settings: Settings) -> Selection:
    """Return the ADRs among paths of the work tree. A named file counts as one; a folder is
    searched.

    Raises UsageError for a path that does not exist, or a folder of ADRs that may not be read.
    """
    if not paths:
        _refuse_closed(tree, settings)
        found = tuple(path for path in adrs(tree, settings) if tree.on_disk(path))
        return Selection(found, elsewhere(tree, settings))
    named: list[str] = []
    for path in paths:
        if not tree.on_disk(path):
            raise UsageError(f"{path}: there is no such file")
        named += (
            _below(tree, root, path, settings)
            if _is_searched(tree, root, path, settings)
            else [real(tree, settings, path)]
        )
    return Selection(tuple(dict.fromkeys(named)))


def _refuse_closed(tree: Tree, settings: Settings) -> None:
    """Raise UsageError for a folder of ADRs that may not be read, since its content is
    unknown.
    """
    for folder in tree.closed():
        if holds_adrs(settings, folder) or adrs(tree, settings, folder):
            raise UsageError(
                f"{folder} may not be read, so its ADRs would not be checked; give yourself "
                "permission (chmod u+rx)"
            )


def _is_searched(tree: Tree, root: str, path: str, settings: Settings) -> bool:
    """Return whether a named path is a folder. A broken link, or a link in the place of an ADR, is
    an unreadable file.
    """
    if not tree.is_folder(path):
        return False
    if os.path.isabs(path) or not os.path.islink(os.path.join(root, path)):
        return True
    return tree.place(path).kind != WRONG and not settings.is_adr(path)


def _below(tree: Tree, root: str, folder: str, settings: Settings) -> list[str]:
    """Return the ADRs in a folder, or its Markdown files if the settings call none of them an ADR.

    A folder that git does not know, such as an ignored one, is searched on the disk.
    """
    folder = "" if folder == "." else folder
    known = [] if os.path.isabs(folder) else tree.folder(folder)
    known = known or [
        slashes(name if os.path.isabs(folder) else os.path.relpath(name, root))
        for name in walk(os.path.join(root, folder))
    ]
    there = [name for name in known if tree.on_disk(name)]
    return [name for name in there if is_adr(tree, settings, name)] or [
        name for name in there if name.endswith(".md")
    ]


def select_staged(
    index: Index, root: str, paths: list[str], settings: Settings, matching: bool
) -> Selection:
    """Return the ADRs among staged paths.

    With `matching`, return only those that the settings call ADRs, and the ADR of a changed
    concept. Raises UsageError for a path that neither the index nor HEAD has, unless `matching`.
    """
    tree = StagedTree(index, root)
    if not paths:
        paths, matching = git.staged_paths(root), True
    if matching:
        paths = [
            path
            for path in (*paths, *_leading_to(tree, paths))
            if path.endswith(".md") or is_adr(tree, settings, path)
        ]
        texts = [path for path in paths if not settings.is_adr(path)]
        paths = [path for path in paths if is_adr(tree, settings, path)]
        woken = (*_adrs_of_concepts(tree, texts, settings), *_naming(tree, root, texts, settings))
        paths = list(
            dict.fromkeys([*paths, *(path for path in woken if is_adr(tree, settings, path))])
        )
    found, skipped = [], []
    index.look_up(neighbours(paths))
    for path in dict.fromkeys(real(tree, settings, path) for path in paths):
        kind = tree.place(path).kind
        if tree.is_submodule(path):
            skipped.append(Skipped("", path, _ELSEWHERE))
        elif kind in (FILE, WRONG) or (
            kind == FOLDER and tree.is_link(path) and settings.is_adr(path)
        ):
            found.append(path)
        elif kind == FOLDER:
            found += adrs(tree, settings, path)
            skipped += [
                item for item in elsewhere(tree, settings) if item.path.startswith(f"{path}/")
            ]
        elif matching or git.in_head(root, path):
            skipped.append(Skipped("", path, "the file is deleted"))
        else:
            hint = "; `git add` it first" if os.path.lexists(os.path.join(root, path)) else ""
            raise UsageError(f"{path}: the index has no such file{hint}")
    return Selection(tuple(found), tuple(skipped))


def _leading_to(tree: StagedTree, paths: list[str]) -> list[str]:
    """Return the names given by links whose file, or a link on the way to it, is among some
    paths.
    """
    changed = frozenset(paths)
    return [
        name
        for name, place in tree.names().items()
        if name not in changed and place.passed & changed
    ]


def _adrs_of_concepts(tree: StagedTree, paths: list[str], settings: Settings) -> Iterator[str]:
    for path in paths:
        folder = os.path.dirname(path)
        if path.endswith(".concept.md"):
            adr = f"{path.removesuffix('.concept.md')}.md"
            if tree.there(adr):
                yield adr
        elif os.path.basename(path) == "concept.md":
            below = _beside(tree, settings, folder)
            yield from below if len(below) == 1 else ()


def _naming(tree: StagedTree, root: str, texts: list[str], settings: Settings) -> Iterator[str]:
    """Return the ADRs whose header names one of some texts as the concept."""
    names = dict.fromkeys(
        os.path.basename(path) for path in texts if not path.endswith("concept.md")
    )
    speaking = git.speaking_of(root, names) if names else []
    for path in (*speaking, *_leading_to(tree, speaking)):
        if settings.is_adr(path):
            doc = tree.document(path)
            named = _named_concept(doc, settings)
            if named and _resolve(tree, path, named).path in texts:
                yield path


def source(tree: Tree, path: str, settings: Settings, concept: str | None = None) -> Source:
    """Read a document to check, with its concept; `concept` is the path that `--concept` names."""
    doc = tree.document(path)
    found = tree.document(concept) if concept else concept_of(tree, doc, settings)
    if found and (found.path == path or tree.place(found.path).path == tree.place(path).path):
        return Source(doc, unreadable(path, Defect(1, "it is the ADR itself")))
    return Source(doc, found)


def concept_of(tree: Tree, doc: AdrDocument, settings: Settings) -> AdrDocument | None:
    """Return the concept of an ADR: the one that its header names, the one beside it, or that of a
    folder with only this ADR.
    """
    named = _named_concept(doc, settings)
    if named:
        return _resolve(tree, doc.path, named)
    _, beside, shared = neighbours([doc.path])
    if tree.there(beside):
        return tree.document(beside)
    folder = os.path.dirname(doc.path)
    if shared != doc.path and tree.there(shared) and _beside(tree, settings, folder) == [doc.path]:
        return tree.document(shared)
    return None


def _beside(tree: Tree, settings: Settings, folder: str) -> list[str]:
    """Return the ADRs directly in a folder, each once."""
    names = (name for name in tree.folder(folder) if os.path.dirname(name) == folder)
    return [name for name in names if is_adr(tree, settings, name)]


def _named_concept(doc: AdrDocument, settings: Settings) -> str:
    """Return the header key `concept`. The header is read only if the word stands above the first
    section.
    """
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
    outside = os.path.isabs(named) or slashes(
        os.path.normpath(os.path.join(os.path.dirname(adr), named))
    ).startswith("..")
    reason = "it lies outside the repository" if outside else "the repository has no such file"
    return unreadable(named, Defect(1, reason))


def report_on(
    path: str, text: str, rule: Described, broken: Iterable[Found], ruleset: Ruleset
) -> list[FileReport]:
    """Return a report on a file that is no ADR, such as the settings; none without findings."""
    rows = text.split("\n")
    severities = ruleset.severities
    findings = tuple(finding_of(rule, item, path, len(rows), severities) for item in broken)
    if not findings or severities.get(rule.id) == OFF:
        return []
    report = report_on_file(
        path=path,
        findings=findings,
        lines={finding.line: rows[finding.line - 1] for finding in findings},
    )
    return [report]
