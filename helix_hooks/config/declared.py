"""Folders that other ADR tools declare: `.adr-dir` of adr-tools, `.log4brains.yml` of log4brains.

The definition of an ADR is that of the tool: adr-tools numbers all files, log4brains takes all
Markdown files of the folder.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from .. import yaml_reader
from ..paths import ADR_DIR, LOG4BRAINS
from ..yaml_reader import Value

_NUMBERED = re.compile(r"\d+-")
_MAX_SHOWN = 80
"""Maximum characters of a value in a message."""


class DeclaredFolder(NamedTuple):
    """A folder of ADRs, from the root of the repository, and the file that declares it.

    With `is_numbered`, only files whose names begin with a number are ADRs.
    """

    folder: str
    path: str
    is_numbered: bool

    def holds(self, path: str) -> bool:
        """Return whether a Markdown file is an ADR of this folder."""
        folder, _, name = path.rpartition("/")
        if folder != self.folder:
            return False
        return not self.is_numbered or bool(_NUMBERED.match(name))


class Declarations(NamedTuple):
    """The declared folders, and a line on each ignored declaration."""

    folders: tuple[DeclaredFolder, ...]
    ignored: tuple[str, ...]


def declarations(texts: Mapping[str, str]) -> Declarations:
    """Return the declarations in some files. `texts` are their contents by path."""
    folders: list[DeclaredFolder] = []
    ignored: list[str] = []
    for path, text in texts.items():
        declared = _adr_dir(text) if path == ADR_DIR else _log4brains(text)
        for line, value in declared:
            folder = _folder(value)
            reason = _reason(value, folder)
            if reason:
                where = f"{path}:{line}: ignored: {value[:_MAX_SHOWN]!r} {reason}"
                ignored.append(f"{where}; add the folder to `paths` in the settings")
            else:
                folders.append(DeclaredFolder(folder, path, is_numbered=path == ADR_DIR))
    return Declarations(tuple(dict.fromkeys(folders)), tuple(ignored))


def _adr_dir(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the folder of a file that has only a folder."""
    yield 1, text.strip()


def _log4brains(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the folder of the project and of each of its packages.

    A value that is not a string is yielded as "", so that it is reported.
    """
    project = _entry(yaml_reader.load(text, LOG4BRAINS), "project")
    packages = _entry(project, "packages")
    listed = packages.data if packages and isinstance(packages.data, list) else []
    for item in (project, *listed):
        folder = _entry(item, "adrFolder")
        if folder:
            yield folder.line, folder.data if isinstance(folder.data, str) else ""


def _entry(value: Value | None, key: str) -> Value | None:
    """Return an entry of a mapping; None if it is missing, or the value is not a mapping."""
    if not value or not isinstance(value.data, dict):
        return None
    entry = value.data.get(key)
    return entry.value if entry else None


def _folder(value: str) -> str:
    if not value:
        return ""
    return posixpath.normpath(value)


def _reason(value: str, folder: str) -> str:
    """Return why a value is not a folder of ADRs in the repository; "" if it is one."""
    if not value or not value.isprintable():
        return "is not the name of one folder"
    if value.startswith("/") or "\\" in value or re.match("[A-Za-z]:", value):
        return "is not a path relative to the repository root, with `/`"
    names = value.split("/")
    if ".." in names or ".git" in map(str.casefold, names):
        return "could be outside the repository"
    if folder == ".":
        return "is the whole repository"
    return ""
