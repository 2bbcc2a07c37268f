"""Folders that other ADR tools declare: `.adr-dir` of adr-tools, `.log4brains.yml` of log4brains.

Each tool's own definition of an ADR holds there: adr-tools numbers all files, log4brains takes all
Markdown files of the folder.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping

from .. import yaml_load
from ..paths import ADR_DIR, LOG4BRAINS
from ..records import NamedTuple
from ..yaml_values import Value

_NUMBERED = re.compile(r"\d+-")
_SHOWN = 80
"""Maximum characters of a value in a message."""


class DeclaredFolder(NamedTuple):
    """A folder of ADRs, from the root of the repository, and the file that declares it.

    With `is_numbered`, only files whose names start with a number are ADRs.
    """

    folder: str
    path: str
    is_numbered: bool

    def holds(self, path: str) -> bool:
        """Return whether a Markdown file is an ADR of this folder."""
        folder, _, name = path.rpartition("/")
        return folder == self.folder and (not self.is_numbered or bool(_NUMBERED.match(name)))


class Declarations(NamedTuple):
    """The declared folders, and a line on each declaration that is ignored."""

    folders: tuple[DeclaredFolder, ...]
    ignored: tuple[str, ...]


def declarations(texts: Mapping[str, str]) -> Declarations:
    """Return what files declare, by their paths. Raises ConfigError for a file that is no YAML."""
    folders: list[DeclaredFolder] = []
    ignored: list[str] = []
    for path, text in texts.items():
        named = _adr_dir(text) if path == ADR_DIR else _log4brains(text)
        for line, value in named:
            folder = _folder(value)
            reason = _reason(value, folder)
            if reason:
                where = f"{path}:{line}: ignored: {value[:_SHOWN]!r} {reason}"
                ignored.append(f"{where}; name the folder in `paths` of the settings")
            else:
                folders.append(DeclaredFolder(folder, path, is_numbered=path == ADR_DIR))
    return Declarations(tuple(dict.fromkeys(folders)), tuple(ignored))


def _adr_dir(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the folder of a file with nothing but a folder."""
    yield 1, text.strip()


def _log4brains(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the folder of the project, and of each of its packages."""
    project = _entry(yaml_load.load(text, LOG4BRAINS), "project")
    packages = _entry(project, "packages")
    listed = packages.data if packages and isinstance(packages.data, list) else []
    for item in (project, *listed):
        folder = _entry(item, "adrFolder")
        if folder:
            yield folder.line, folder.data if isinstance(folder.data, str) else ""


def _entry(value: Value | None, key: str) -> Value | None:
    """Return an entry of a mapping; None where there is no mapping, or no such entry."""
    entry = value.data.get(key) if value and isinstance(value.data, dict) else None
    return entry.value if entry else None


def _folder(value: str) -> str:
    return posixpath.normpath(value) if value else ""


def _reason(value: str, folder: str) -> str:
    """Return why a value cannot be a folder of ADRs in the repository; "" if it can."""
    names = value.split("/")
    if not value or not value.isprintable():
        return "is not the name of one folder"
    if value.startswith("/") or "\\" in value or re.match("[A-Za-z]:", value):
        return "is not a path from the root of the repository, with `/`"
    if ".." in names or ".git" in map(str.casefold, names):
        return "may lie outside of the repository"
    return "is the whole repository" if folder == "." else ""
