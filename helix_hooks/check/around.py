"""The other ADRs, the versions before the change and the siblings that an ADR is compared with."""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property, partial
from typing import NamedTuple

from .. import git
from ..adr.check_report import FileReport, Skipped
from ..adr.corpus import REFUSED, Corpus, Entry, PathHistory, entry
from ..adr.examine import Before, Source, adr_id, read
from ..adr.model import DECISION, UNKNOWN, Adr, Norm, Template
from ..adr.names import number_in_path
from ..adr.norm import NEWEST, norm
from ..adr.parse.document import AdrDocument, is_same_text
from ..adr.place import is_collection
from ..adr.reference import collection
from ..adr.rules.registry import Ruleset
from ..config.settings import Settings
from .files import adrs, concept_of, is_adr
from .files import source as source_in
from .options import CheckContext, CheckTarget
from .trees import GitTree, Revision, Tree

_NO_REPOSITORY = "this is not a git repository, so the other ADRs are unknown"


def corpus_around(
    examined: list[FileReport],
    tree: Tree,
    settings: Settings,
    target: CheckTarget,
    *,
    is_staged: bool,
    is_whole: bool,
    taken: dict[str, list[str]] | None = None,
    fates: dict[str, PathHistory] | None = None,
) -> tuple[Corpus, list[Skipped]]:
    """Return the corpus around some ADRs, and the files for which a rule was skipped.

    With `is_whole`, the examined ADRs are all that there are. `taken` are paths of ADRs that
    another branch has added, by id. `fates` are the histories of missing files, None if unknown.
    """
    entries: list[Entry] = []
    folders: dict[str, None] = {}
    for file in examined:
        if file.entry:
            entries.append(file.entry)
            folders[collection(file.entry.path)] = None
    skipped: list[Skipped] = []
    lost = {
        mention.path: None
        for item in entries
        for mention in item.lost
        if mention.kind != "create" or item.status == "Implemented"  # else yet to be created
    }
    if lost and fates is None:
        from .lost import history_of

        repository, commit = target.repository, target.commit
        fates, skipped = history_of([*lost], entries, repository, staged=is_staged, commit=commit)
    is_alone = not (is_whole or target.repository)
    corpus = Corpus(
        read=partial(_load_entry, tree, settings.ruleset),
        exists=lambda path: bool(tree.present([path])),
        belongs=partial(is_adr, tree, settings),
        widen=tuple if is_whole else partial(tree.folder, ""),
        fates=fates,
        taken=taken,
        alone=is_alone,
        text=tree.text,
    )
    corpus.know(entries)
    if not is_whole:
        for folder in folders:
            corpus.add(tree.folder(folder))
    if is_alone:
        # Only these ADRs are read, so their references can't be checked.
        referring = [item.path for item in entries if item.references]
        skipped += [Skipped("dangling-reference", path, _NO_REPOSITORY) for path in referring]
    return corpus, skipped


def with_source_lines(file: FileReport, tree: Tree) -> FileReport:
    """Return a report with the text of each line that a finding points at.

    Findings in one ADR have theirs. Findings of corpus rules may point at other lines.
    """
    missing = {finding.line for finding in file.findings} - file.lines.keys()
    if not missing:
        return file
    rows = tree.text(file.path).split("\n")
    lines = {line: rows[line - 1] for line in missing if line <= len(rows)}
    return file._replace(lines={**file.lines, **lines})


def _load_entry(tree: Tree, ruleset: Ruleset, path: str) -> Entry | None:
    doc = tree.document(path)
    if doc.defect:
        return None
    adr = read(Source(doc, is_new=False), ruleset)
    return entry(adr, adr_id(adr))


# Versions before the change.


class BaseVersions(NamedTuple):
    """The commits with which ADRs are compared: one, or two in a merge.

    `changed` are the paths that differ from them; None if each path is compared. `old_names` are
    the former paths of renamed files. With `unchanged_too`, an unchanged ADR that is checked
    because of another file has a version too. `settings` are those of the base, None if they are
    not read.
    """

    trees: tuple[GitTree, ...]
    changed: frozenset[str] | None = None
    old_names: dict[str, str] = {}  # noqa: RUF012 -- never written to
    unchanged_too: bool = False
    settings: Settings | None = None

    def before(self, path: str, tree: Tree, settings: Settings) -> tuple[Before, ...]:
        """Return the versions of an ADR before the change.

        Empty for a new ADR, or if one of the commits has it unchanged.
        """
        if self.changed is not None and path not in self.changed:
            return ()
        old = self.old_names.get(path, path)
        compared = None
        if not self.unchanged_too and old == path and isinstance(tree, GitTree):
            compared = tree
        versions: list[Before] = []
        for base in self.trees:
            if not base.is_plain(old):
                continue
            if compared and compared.same(path, base, path):
                return ()
            versions.append(self.version(base, old, settings))
        return tuple(versions)

    def version(self, tree: GitTree, path: str, settings: Settings) -> Before:
        """Return an ADR at a commit, with its concept."""
        doc, old_settings = tree.document(path), self.settings or settings
        return Before(doc, concept_of(tree, doc, old_settings))

    def is_new(self, path: str) -> bool:
        """Return whether no commit has a file, under its present or its former path."""
        old = self.old_names.get(path, path)
        return not any(base.is_plain(old) for base in self.trees)


def last_versions(context: CheckContext, paths: tuple[str, ...]) -> BaseVersions | None:
    """Return the versions of ADRs at HEAD, and in a merge also those of the other side.

    Before the first commit there are none. None if nothing is compared with them.
    """
    target, tree = context.target, context.tree
    if not target.repository or not target.head or not paths:
        return None
    trees: tuple[GitTree, ...] = (target.head,)
    if git.merging(target.root):
        trees = (target.head, Revision(target.root, "MERGE_HEAD", target.head))
    if isinstance(tree, GitTree):
        return BaseVersions(trees)
    from ..git import history

    limits: list[str] = []
    if not context.is_whole:
        limits = [path for path in paths if not path.startswith("/")]
    changes = history.changes(target.root, "HEAD", staged=False, paths=limits)
    # Git ignores the changes of hidden paths on the disk.
    return BaseVersions(trees, frozenset((*(change.path for change in changes), *tree.hidden)))


def source(
    tree: Tree,
    settings: Settings,
    concept: str | None,
    versions: BaseVersions | None,
    path: str,
    siblings: "Siblings | None" = None,
    *,
    in_full: bool = False,
) -> Source:
    """Return an ADR to examine, with the norm of its siblings and its versions before."""
    source = source_in(tree, path, settings, concept)
    if not versions:
        return source
    source = source._replace(norm=partial(siblings.norm, path) if siblings else None)
    if versions.is_new(path):
        is_known = siblings is not None and siblings.has_moved(source.doc)
        return source._replace(is_new=not is_known)
    return source._replace(is_new=in_full, bases=versions.before(path, tree, settings))


_TEMPLATES = [
    f"{number}{word}.md"
    for word in "template adr-template adr_template Template TEMPLATE ADR-TEMPLATE".split()
    for number in ("", "0000-", "000-", "00-", "_")
]
"""Names of a template file beside the ADRs, the usual one first."""
MANY = 5
"""Number of ADRs above which those that are added at once are one question."""
_MOST_READ = 2 * NEWEST
"""Number of ADRs that are read, the newest first, to find `NEWEST` siblings in force."""


class Siblings:
    """The ADRs of a tree that a new ADR is compared with. Each norm is computed once."""

    def __init__(self, tree: Tree, settings: Settings) -> None:
        self._tree, self._settings = tree, settings
        self._norms: dict[tuple[str, ...], Norm | None] = {}
        self._files: dict[str, Adr | None] = {}

    @cached_property
    def _by_number(self) -> dict[int | None, list[str]]:
        by_number: dict[int | None, list[str]] = defaultdict(list)
        for path in adrs(self._tree, self._settings):
            by_number[number_in_path(path)].append(path)
        return by_number

    def has_moved(self, doc: AdrDocument) -> bool:
        """Return whether another folder has this ADR: its number, its title and half its text."""
        number, folder = number_in_path(doc.path), collection(doc.path)
        alike = self._by_number.get(number, []) if number is not None else []
        for path in alike[:_MOST_READ]:
            other = self._tree.document(path)
            is_elsewhere = collection(path) != folder
            if is_elsewhere and other.title_text == doc.title_text and is_same_text(doc, other):
                return True
        return False

    def norm(self, path: str, template: Template) -> Norm | None:
        """Return the norm for an ADR at a path that follows a template.

        A folder with too few ADRs borrows from the folders whose ADRs have the same
        form of name and follow the same template.
        """
        folder, form = collection(path), _form(path)
        own = self.of_folder(folder, path if self._tree.has(path) else "")
        key = (folder, form, template.name)
        if not own and key not in self._norms:
            every = adrs(self._tree, self._settings)
            alike = [other for other in every if _form(other) == form and other != path]
            newest = [adr for adr in self._newest(alike) if adr.template.name == template.name]
            self._norms[key] = norm(newest, self.template_file(folder))
        return own or self._norms[key] or self._of_few(folder, path, template)

    def _of_few(self, folder: str, path: str, template: Template) -> Norm | None:
        """Return what the few ADRs of an own style have, if they state no decision.

        They are too few for an error, so nothing in it is firm.
        """
        siblings, _ = self.beside(folder, path if self._tree.has(path) else "")
        is_own_style = template.name == UNKNOWN.name
        if not is_own_style or any(DECISION in adr.traits for adr in siblings):
            return None
        few = norm(siblings, fewest=1)
        return few and few._replace(
            traits=tuple(trait._replace(is_recent=False) for trait in few.traits)
        )

    def of_folder(self, folder: str, but: str = "") -> Norm | None:
        """Return the norm of the ADRs of a folder itself but one; None without one."""
        if (folder, but) not in self._norms:
            self._norms[folder, but] = norm(*self.beside(folder, but))
        return self._norms[folder, but]

    def beside(self, folder: str, but: str = "") -> tuple[list[Adr], Adr | None]:
        """Return the newest ADRs of a folder but one, oldest first, and its template file."""
        paths = adrs(self._tree, self._settings, folder)
        siblings = [path for path in paths if collection(path) == folder and path != but]
        return self._newest(siblings), self.template_file(folder)

    def read(self, paths: list[str]) -> list[Adr]:
        """Return the ADRs at some paths that can be read."""
        return [*filter(None, map(self._read, paths))]

    def _newest(self, paths: list[str]) -> list[Adr]:
        """Return the newest ADRs of some paths that were not refused, oldest first."""
        newest: list[Adr] = []
        for path in sorted(paths, key=_age, reverse=True)[:_MOST_READ]:
            adr = self._read(path)
            if adr and adr.status not in REFUSED:
                newest.append(adr)
            if len(newest) == NEWEST:
                break
        return newest[::-1]

    def template_file(self, folder: str) -> Adr | None:
        """Return the template file of a folder, or of a folder of ADRs above it."""
        if folder not in self._files:
            path = next(filter(self._tree.has, _template_paths(folder)), "")
            self._files[folder] = self._read(path) if path else None
        return self._files[folder]

    def _read(self, path: str) -> Adr | None:
        doc = self._tree.document(path)
        return None if doc.defect else read(Source(doc, is_new=False), self._settings.ruleset)


def _age(path: str) -> tuple[int, str]:
    """Return the key that sorts ADRs by age: by number, then by path."""
    number = number_in_path(path)
    return (-1 if number is None else number, path)


def _form(path: str) -> str:
    """Return the form of the name of a file: its letters and digits before the first words."""
    name = path.rpartition("/")[2]
    start = re.match(r"(?:[A-Za-z]+[-_])?\d+(?:-\d\d-\d\d)?", name)
    return re.sub(r"\d", "9", start[0]) if start else ""


def is_template(path: str) -> bool:
    """Return whether a file has the name of a template file."""
    return path.rpartition("/")[2] in _TEMPLATES


def _template_paths(folder: str) -> Iterator[str]:
    """Yield the possible paths of the template for a folder, the likeliest first."""
    folders = [folder]
    while (above := folders[-1].rpartition("/")[0]) and is_collection(above):
        folders.append(above)
    for place in folders:
        yield from (f"{place}/{name}".lstrip("/") for name in _TEMPLATES)
