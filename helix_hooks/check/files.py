"""Find ADRs and their concepts in a tree, and read the packaged files."""

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .. import git
from ..adr.check_report import FileReport, Skipped, finding_of
from ..adr.enforcement import FIELD as ENFORCEMENT
from ..adr.examine import Source, read
from ..adr.model import Adr, Described, RuleResult
from ..adr.parse import header
from ..adr.parse.document import AdrDocument, unreadable
from ..adr.place import likely
from ..adr.rules.registry import OFF, Ruleset
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
    """Return the path of each ADR of a tree, and of links that hide one."""
    paths = tree.markdown(folder)
    if not settings.paths:
        # A fast look at the names leaves few files for the patterns.
        paths = likely(paths)
    if not tree.links:
        return [path for path in paths if settings.is_adr(path)]
    start = f"{folder}/" if folder else ""
    links = [path for path in tree.links if path.startswith(start)]
    return sorted(path for path in {*paths, *links} if is_adr(tree, settings, path))


def is_adr(tree: Tree, settings: Settings, path: str) -> bool:
    """Return whether a path of a tree is an ADR, or a link that hides one.

    A link at the path of an ADR, or of a folder of ADRs, hides one unless each ADR behind it is
    checked at its own path, and there is one.
    """
    if path not in tree.links:
        return settings.is_adr(path)
    is_place = settings.is_adr(path) or holds_adrs(settings, path)
    return is_place and own_path(tree, settings, path) == path


def own_path(tree: Tree, settings: Settings, path: str) -> str:
    """Return the end of the links in a path, if all ADRs behind it are checked there; or the path.

    A file that is an ADR by its name behind the link alone is not checked at its own path.
    """
    place = tree.place(path)
    if not place.links or place.kind not in (FILE, FOLDER):
        return path
    ends = {path: place.path}
    if place.kind == FOLDER:
        ends = dict(zip(tree.folder(path), tree.folder(place.path), strict=True))
    checked = {name for name, end in ends.items() if settings.is_adr(end)}
    are_all = all(name in checked for name in ends if settings.is_adr(name))
    return place.path if checked and are_all else path


def skipped_submodules(tree: Tree, settings: Settings, folder: str = "") -> tuple[Skipped, ...]:
    """Return the submodules at places of ADRs, or those of them below a folder."""
    start = f"{folder}/" if folder else ""
    paths = [path for path in tree.submodules() if path.startswith(start)]
    return tuple(Skipped("", path, _ELSEWHERE) for path in paths if holds_adrs(settings, path))


def select(tree: Tree, paths: list[str], settings: Settings) -> Selection:
    """Return the ADRs at or below some paths of the work tree.

    A named file is treated as an ADR; a folder is searched. A link that leads to no ADR can't be
    read.

    Raises:
        UsageError: A path does not exist.
    """
    if not paths:
        on_disk = tuple(path for path in adrs(tree, settings) if tree.on_disk(path))
        return Selection(on_disk, skipped_submodules(tree, settings))
    selected: list[str] = []
    for path in paths:
        if not tree.on_disk(path):
            raise UsageError(f"{path}: there is no such file")
        end = own_path(tree, settings, path)
        if tree.is_folder(end) and end not in tree.links:
            selected += _below(tree, end, settings)
        else:
            selected.append(end)
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
        texts = {*filter(is_markdown, paths)}
        paths = [path for path in paths if is_adr(tree, settings, path)]
        others = texts.difference(paths)
        paths += with_concept_among(tree, settings, others) if others else ()
    selected: list[str] = []
    skipped: list[Skipped] = []
    for path in dict.fromkeys([own_path(tree, settings, path) for path in paths]):
        kind = tree.place(path).kind
        if tree.entry(path)[0] == SUBMODULE:
            skipped.append(Skipped("", path, _ELSEWHERE))
        elif kind in (FILE, WRONG) or path in tree.links:
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


def with_concept_among(tree: Tree, settings: Settings, texts: set[str]) -> Iterator[str]:
    """Yield the ADRs whose concept is one of some files."""
    for path in adrs(tree, settings):
        # Names and bytes show that most ADRs have another concept, or none.
        if not texts.isdisjoint(neighbours([path])) or may_name_concept(tree.content(path)):
            concept = concept_of(tree, tree.document(path), settings)
            if concept and concept.path in texts:
                yield path


def may_name_concept(text: bytes) -> bool:
    """Return whether a text has the key Concept or Konzept, in either case of its first letter."""
    return b"oncept" in text or b"onzept" in text


def source(tree: Tree, path: str, settings: Settings, concept: str | None = None) -> Source:
    """Read a document to check, with its concept; `concept` is the path that `--concept` names."""
    doc = tree.document(path)
    compared = tree.document(concept) if concept else concept_of(tree, doc, settings)
    if compared and compared.path == path:
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
    # Most headers have no such key, so that they need not be read.
    if not may_name_concept(top):
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
    lines = {finding.line: rows[finding.line - 1] for finding in findings}
    return [FileReport(path, findings, lines)]


def with_checks(tree: Tree, settings: Settings, path: str) -> Adr | None:
    """Return an ADR that has `enforcement:`; None for other files, and if it can't be read."""
    if not settings.is_adr(path) or ENFORCEMENT.encode() not in tree.content(path).lower():
        return None
    doc = tree.document(path)
    return None if doc.defect else read(Source(doc), settings.ruleset)
