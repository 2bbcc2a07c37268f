"""Find ADRs and their concepts in a tree, and read the packaged files."""

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .. import git
from ..adr.check_report import FileReport, Skipped, report_on_file
from ..adr.examine import Source
from ..adr.model import Described, RuleResult
from ..adr.names.place import likely
from ..adr.parse import header
from ..adr.parse.document import AdrDocument, unreadable
from ..adr.rules.registry import OFF, Ruleset
from ..adr.severity import finding_of
from ..config.settings import Settings
from ..errors import UsageError
from ..git import slashes
from ..paths import is_markdown, neighbours
from ..yaml_reader import Defect
from .trees import FILE, FOLDER, SUBMODULE, WRONG, GitTree, Tree, walk

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_PACKAGED = (_PACKAGE, os.path.join(_PACKAGE, "defaults"), os.path.dirname(_PACKAGE))
"""Folders of packaged files: the wheel has `approvals/` and `config/` below `defaults`."""
_ELSEWHERE = "this is a submodule; its ADRs belong to another repository"


def packaged(path: str) -> bytes | None:
    """Return the content of a packaged file: a default, a template, an example."""
    for root in _PACKAGED:
        place = os.path.join(root, path)
        if os.path.isfile(place):
            with open(place, "rb") as file:
                return file.read()
    return None


def packaged_names(folder: str) -> list[str]:
    """Return the names of the files in a packaged folder."""
    for root in _PACKAGED:
        place = os.path.join(root, folder)
        if os.path.isdir(place):
            return sorted(os.listdir(place))
    return []


class Selection(NamedTuple):
    """The ADRs to check, and the skipped paths with the reason."""

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
    """Return the path of each ADR of a tree once. Broken links at paths of ADRs are included."""
    if tree.names:
        return [path for path in tree.folder(folder) if is_adr(tree, settings, path)]
    paths = tree.markdown(folder)
    if not (settings.paths or settings.declared):
        # A fast look at the names leaves few files for the patterns.
        paths = likely(paths)
    return [path for path in paths if settings.is_adr(path)]


def is_adr(tree: Tree, settings: Settings, path: str) -> bool:
    """Return whether a path of a tree is an ADR, and not another name of one.

    A link to an ADR is another name of that ADR. Of several links to a file, the first by name is
    the ADR.
    """
    if path in tree.names:
        return path in _linked_adrs(tree, settings)
    return settings.is_adr(path)


def _linked_adrs(tree: Tree, settings: Settings) -> frozenset[str]:
    """Return the ADRs among the names that links give. The result is cached with the tree."""
    # A list that is searched by identity, since settings can't be hashed.
    for cached_settings, cached in tree.linked_adrs_cache:
        if cached_settings is settings:
            return cached
    adrs: dict[str, None] = {}
    ends: set[str] = set()
    for name, place in sorted(tree.names.items()):
        if place.kind == WRONG and (settings.is_adr(name) or holds_adrs(settings, name)):
            adrs[name] = None
        elif settings.is_adr(name) and not settings.is_adr(place.path) and place.path not in ends:
            adrs[name] = None
            ends.add(place.path)
    tree.linked_adrs_cache.append((settings, frozenset(adrs)))
    return frozenset(adrs)


def own_path(tree: Tree, settings: Settings, path: str) -> str:
    """Return the path at which an ADR with several names is checked."""
    place = tree.place(path)
    if place.links and place.kind == FILE and settings.is_adr(place.path):
        return place.path
    return path


def skipped_submodules(tree: Tree, settings: Settings, folder: str = "") -> tuple[Skipped, ...]:
    """Return the submodules at places of ADRs, or those of them below a folder."""
    start = f"{folder}/" if folder else ""
    paths = [path for path in tree.submodules() if path.startswith(start)]
    return tuple(Skipped("", path, _ELSEWHERE) for path in paths if holds_adrs(settings, path))


def case_conflicts(paths: Iterable[str]) -> Iterator[str]:
    """Yield a warning for each ADR or folder of ADRs whose name differs from another in case."""
    spellings: dict[str, str] = {}
    for path in paths:
        for name in (path.rpartition("/")[0], path):
            first = spellings.setdefault(name.casefold(), name)
            if first != name:
                yield (
                    f"{first} and {name} differ only in case, and macOS and Windows keep one of "
                    "them; rename one"
                )
                spellings[name.casefold()] = name


def select(tree: Tree, paths: list[str], settings: Settings) -> Selection:
    """Return the ADRs at or below some paths of the work tree.

    A named file is treated as an ADR; a folder is searched. A broken link, or a link with the name
    of an ADR, is an ADR that can't be read.

    Raises:
        UsageError: A path does not exist, or a folder of ADRs may not be read.
    """
    if not paths:
        for folder in tree.closed():
            if holds_adrs(settings, folder) or adrs(tree, settings, folder):
                raise UsageError(
                    f"{folder} may not be read, so its ADRs would not be checked; give yourself "
                    "permission (chmod u+rx)"
                )
        on_disk = tuple(path for path in adrs(tree, settings) if tree.on_disk(path))
        return Selection(on_disk, skipped_submodules(tree, settings))
    selected: list[str] = []
    for path in paths:
        if not tree.on_disk(path):
            raise UsageError(f"{path}: there is no such file")
        is_searched = tree.is_folder(path)
        is_link = not os.path.isabs(path) and os.path.islink(os.path.join(tree.root, path))
        if is_searched and is_link:
            is_searched = tree.place(path).kind != WRONG and not settings.is_adr(path)
        if is_searched:
            selected += _below(tree, path, settings)
        else:
            selected.append(own_path(tree, settings, path))
    return Selection(tuple(dict.fromkeys(selected)))


def _below(tree: Tree, folder: str, settings: Settings) -> list[str]:
    """Return the ADRs in a folder, or its Markdown files if the settings match none of them.

    A folder outside of the repository is absolute, and so are its files.
    """
    if os.path.isabs(folder):
        files = [*map(slashes, walk(folder))]
    else:
        folder = "" if folder == "." else folder
        files = tree.folder(folder)
        if not files:
            # git lists nothing of a folder that it ignores.
            walked = walk(os.path.join(tree.root, folder))
            files = [slashes(os.path.relpath(name, tree.root)) for name in walked]
        files = [name for name in files if tree.on_disk(name)]
    matching = [name for name in files if is_adr(tree, settings, name)]
    return matching or [name for name in files if is_markdown(name)]


def select_staged(tree: GitTree, paths: list[str], settings: Settings, matching: bool) -> Selection:
    """Return the ADRs among staged paths.

    With `matching`, return only those that the settings match, and the ADR of a changed concept.

    Raises:
        UsageError: Neither the index nor HEAD has a path, and not `matching`.
    """
    if not paths:
        paths, matching = git.staged_paths(tree.root), True
    if matching:
        paths = _affected(tree, paths, settings)
    selected: list[str] = []
    skipped: list[Skipped] = []
    for path in dict.fromkeys([own_path(tree, settings, path) for path in paths]):
        kind = tree.place(path).kind
        if tree.entry(path)[0] == SUBMODULE:
            skipped.append(Skipped("", path, _ELSEWHERE))
        # A link to a folder that has the name of an ADR is an error.
        elif kind in (FILE, WRONG) or (tree.is_link(path) and settings.is_adr(path)):
            selected.append(path)
        elif kind == FOLDER:
            selected += adrs(tree, settings, path)
            skipped += skipped_submodules(tree, settings, path)
        elif matching or git.in_head(tree.root, path):
            skipped.append(Skipped("", path, "the file is deleted"))
        else:
            hint = "; `git add` it first" if os.path.lexists(os.path.join(tree.root, path)) else ""
            raise UsageError(f"{path}: the index has no such file{hint}")
    return Selection(tuple(selected), tuple(skipped))


def _affected(tree: GitTree, paths: list[str], settings: Settings) -> list[str]:
    """Return the ADRs among some paths, the ADRs of the concepts among them, and links to them."""
    adr_paths: dict[str, None] = {}
    texts: list[str] = []
    for path in (*paths, *_leading_to(tree, paths)):
        is_known = is_adr(tree, settings, path)
        if is_known:
            adr_paths[path] = None
        if not settings.is_adr(path) and (is_known or is_markdown(path)):
            texts.append(path)
    if texts:
        naming = _naming_concept(tree, texts, settings)
        for path in (*_adrs_of_concepts(tree, texts, settings), *naming):
            if is_adr(tree, settings, path):
                adr_paths[path] = None
    return list(adr_paths)


def _leading_to(tree: GitTree, paths: list[str]) -> list[str]:
    """Return the names given by links that lead to or through some paths."""
    if not tree.names:
        return []
    changed = frozenset(paths)
    return [
        name for name, place in tree.names.items() if name not in changed and place.passed & changed
    ]


def _adrs_of_concepts(tree: GitTree, paths: list[str], settings: Settings) -> Iterator[str]:
    """Yield the ADRs whose concept is among some paths by its name."""
    for path in paths:
        folder = os.path.dirname(path)
        if path.endswith(".concept.md"):
            adr = f"{path.removesuffix('.concept.md')}.md"
            if tree.there(adr):
                yield adr
        elif os.path.basename(path) == "concept.md":
            beside = _beside(tree, settings, folder)
            # concept.md belongs to an ADR only if the folder has no other ADR.
            if len(beside) == 1:
                yield beside[0]


def _naming_concept(tree: GitTree, texts: list[str], settings: Settings) -> Iterator[str]:
    """Yield the ADRs whose header names one of some texts as the concept."""
    candidates = [path for path in texts if not path.endswith("concept.md")]
    if not candidates:
        return
    # `git grep` finds the few ADRs that have the name, faster than a look at each header.
    naming = git.speaking_of(tree.root, dict.fromkeys(map(os.path.basename, candidates)))
    for path in (*naming, *_leading_to(tree, naming)):
        if settings.is_adr(path):
            concept = _named_concept(tree.document(path), settings)
            if concept and _resolve(tree, path, concept).path in texts:
                yield path


def source(tree: Tree, path: str, settings: Settings, concept: str | None = None) -> Source:
    """Read a document to check, with its concept; `concept` is the path that `--concept` names."""
    doc = tree.document(path)
    compared = tree.document(concept) if concept else concept_of(tree, doc, settings)
    if compared and tree.place(path).path == tree.place(compared.path).path:
        return Source(doc, unreadable(path, Defect(1, "it is the ADR itself")))
    return Source(doc, compared)


def concept_of(tree: Tree, doc: AdrDocument, settings: Settings) -> AdrDocument | None:
    """Return the concept of an ADR: the file that its header names, or the file beside it.

    `concept.md` counts in a folder that has only this ADR. None without a concept.
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
    """Return the value of the header key `concept`; "" without it."""
    top = doc.data[: doc.sections[0].heading_start] if doc.sections else doc.data
    # Concept or Konzept, in either case of the first letter. Most headers have neither, so that
    # they need not be read.
    if b"oncept" not in top and b"onzept" not in top:
        return ""
    return header.read(doc, settings.ruleset.meanings).text("concept")


def _resolve(tree: Tree, adr: str, named: str) -> AdrDocument:
    """Return the file that a header names, relative to the repository or to the ADR."""
    reason = "it is outside of the repository"
    for path in (named, os.path.join(os.path.dirname(adr), named)):
        inside = slashes(os.path.normpath(path))
        if os.path.isabs(path) or inside.startswith(("..", "/")):
            continue
        if tree.tracked(inside):
            return tree.document(inside)
        reason = "the repository has no such file"
    return unreadable(named, Defect(1, reason))


def report_on(
    path: str, text: str, rule: Described, broken: Iterable[RuleResult], ruleset: Ruleset
) -> list[FileReport]:
    """Return a report on a file that is not an ADR, such as the settings; [] without findings."""
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
