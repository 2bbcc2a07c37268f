"""The norm of the ADRs beside an ADR: its siblings and their template file, read at the base."""

import re
from collections import defaultdict
from collections.abc import Iterator

from ..adr.corpus import REFUSED
from ..adr.examine import Source, read
from ..adr.model import Adr
from ..adr.names.number import number_in_path
from ..adr.names.place import is_collection
from ..adr.norm import NEWEST, norm
from ..adr.old_findings import is_same_text
from ..adr.parse.document import AdrDocument
from ..adr.reference import collection
from ..adr.template import Norm, Template
from ..config.settings import Settings
from .files import adrs
from .trees import Tree

_TEMPLATE_NAMES = (
    "template",
    "adr-template",
    "adr_template",
    "Template",
    "TEMPLATE",
    "ADR-TEMPLATE",
)
_TEMPLATE_NUMBERS = ("", "0000-", "000-", "00-", "_")
"""Beginnings of the name of a template file beside the ADRs, the usual one first."""
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
        self._by_number: dict[int | None, list[str]] | None = None

    def has_moved(self, doc: AdrDocument) -> bool:
        """Return whether another folder has this ADR: its number, its title and half its text."""
        number, folder = number_in_path(doc.path), collection(doc.path)
        if self._by_number is None:
            self._by_number = defaultdict(list)
            for path in adrs(self._tree, self._settings):
                self._by_number[number_in_path(path)].append(path)
        alike = self._by_number.get(number, []) if number is not None else []
        for path in [path for path in alike if collection(path) != folder][:_MOST_READ]:
            other = self._tree.document(path)
            if other.title_text == doc.title_text and is_same_text(doc, other):
                return True
        return False

    def norm(self, path: str, template: Template) -> Norm | None:
        """Return the norm for an ADR at a path that follows a template.

        A folder with too few ADRs borrows from the folders whose ADRs have the same
        form of name and follow the same template.
        """
        folder = collection(path)
        is_there = self._tree.has(path)
        own = norm(*self.beside(folder, path)) if is_there else self.of_folder(folder)
        if own:
            return own
        key = (folder, _form(path), template.name)
        if key not in self._norms:
            self._norms[key] = norm(self._of_form(path, template), self.template_file(folder))
        return self._norms[key]

    def of_folder(self, folder: str) -> Norm | None:
        """Return the norm of the ADRs of a folder itself; None without one."""
        if (folder,) not in self._norms:
            self._norms[folder,] = norm(*self.beside(folder))
        return self._norms[folder,]

    def beside(self, folder: str, but: str = "") -> tuple[list[Adr], Adr | None]:
        """Return the newest ADRs of a folder but one, oldest first, and its template file."""
        paths = adrs(self._tree, self._settings, folder)
        siblings = [path for path in paths if collection(path) == folder and path != but]
        return self._newest(siblings), self.template_file(folder)

    def read(self, paths: list[str]) -> list[Adr]:
        """Return the ADRs at some paths that can be read."""
        return [*filter(None, (self._read(self._tree.document(path)) for path in paths))]

    def _of_form(self, path: str, template: Template) -> list[Adr]:
        """Return the newest ADRs of all folders that have the form of name and the template."""
        form = _form(path)
        every = adrs(self._tree, self._settings)
        paths = [other for other in every if _form(other) == form and other != path]
        return [adr for adr in self._newest(paths) if adr.template.name == template.name]

    def _newest(self, paths: list[str]) -> list[Adr]:
        """Return the newest ADRs of some paths that were not refused, oldest first."""
        newest: list[Adr] = []
        for path in sorted(paths, key=_age, reverse=True)[:_MOST_READ]:
            adr = self._read(self._tree.document(path))
            if adr and adr.statuses.read(adr.header.text("status")) not in REFUSED:
                newest.append(adr)
            if len(newest) == NEWEST:
                break
        return newest[::-1]

    def template_file(self, folder: str) -> Adr | None:
        """Return the template file of a folder, or of a folder of ADRs above it."""
        if folder not in self._files:
            path = next(filter(self._tree.has, _template_paths(folder)), "")
            doc = self._tree.document(path) if path else None
            self._files[folder] = self._read(doc) if doc else None
        return self._files[folder]

    def _read(self, doc: AdrDocument) -> Adr | None:
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
    name = path.rpartition("/")[2]
    return any(
        name == f"{number}{word}.md" for word in _TEMPLATE_NAMES for number in _TEMPLATE_NUMBERS
    )


def _template_paths(folder: str) -> Iterator[str]:
    """Yield the possible paths of the template for a folder, the likeliest first."""
    folders = [folder]
    while (above := folders[-1].rpartition("/")[0]) and is_collection(above):
        folders.append(above)
    for place in folders:
        for name in _TEMPLATE_NAMES:
            for number in _TEMPLATE_NUMBERS:
                yield f"{place}/{number}{name}.md".lstrip("/")
