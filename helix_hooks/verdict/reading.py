"""The files that a judge has not read, according to the provider's record of its tool. Pure.

A line counts as read if it was shown with its number and its text. So a file of the same name
elsewhere, part of a long file, a failed call or a search count only for the lines that they showed.
"""

import json
import posixpath
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ..text import without_invisible

WHOLE = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".pdf")
"""Extensions of files that are shown in one piece, as a picture or a document."""

NOTEBOOK = ".ipynb"
_NUMBERED = re.compile(r" *(\d{1,9})(?:\t|→)(.*)", re.DOTALL)


class ReadCall(NamedTuple):
    """The result of one call: the path that the judge named, and the text.

    `attached`: it was a picture or document.
    """

    path: str
    text: str
    attached: bool = False


class Unread(NamedTuple):
    """A file with the first range of lines that was not shown.

    All numbers are 0 for a file without countable lines.
    """

    path: str
    first: int
    last: int
    lines: int

    @property
    def text(self) -> str:
        """The file and its lines, for people."""
        if not self.lines or (self.first == 1 and self.last == self.lines):
            return self.path
        return f"{self.path} (lines {self.first} to {self.last} of {self.lines})"


def unread(
    files: Mapping[str, bytes], calls: Iterable[ReadCall], folder: str
) -> tuple[Unread, ...]:
    """Return the files that were not shown completely.

    `folder` is the absolute path of the judge's working folder.
    """
    by_path: dict[str, list[ReadCall]] = {}
    for call in calls:
        by_path.setdefault(_within(call.path, folder), []).append(call)
    missing = (_missing(path, data, by_path.get(path, [])) for path, data in files.items())
    return tuple(filter(None, missing))


def message(missing: tuple[Unread, ...]) -> str:
    """Return the message about unread files: the first one, and the number of others."""
    more = f", nor {len(missing) - 1} more" if missing[1:] else ""
    return f"the judge has not read {missing[0].text}{more}, so there is no verdict on it"


def lines_of(data: bytes) -> list[str]:
    """Return the lines of a file as the tool counts them: only LF ends a line."""
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = data.decode("utf-16" if wide else "utf-8-sig", errors="replace")
    return text.removesuffix("\n").split("\n")


def _within(path: str, folder: str) -> str:
    """Return a path relative to the judge's working folder."""
    plain, top = path.strip().replace("\\", "/"), folder.replace("\\", "/")
    absolute = posixpath.normpath(posixpath.join(top, plain))
    # A drive letter has a colon.
    if not absolute.startswith("/") and ":" not in absolute:
        return plain
    return _relative(absolute, posixpath.normpath(top))


def _relative(path: str, start: str) -> str:
    """Return a path relative to a folder, both absolute."""
    # `posixpath.relpath` would read the current folder, and this module is pure.
    parts = [name for name in path.split("/") if name]
    base = [name for name in start.split("/") if name]
    same = len(posixpath.commonprefix([parts, base]))
    return "/".join([*[".."] * (len(base) - same), *parts[same:]]) or "."


def _missing(path: str, data: bytes, calls: list[ReadCall]) -> Unread | None:
    nothing = Unread(path, 0, 0, 0)
    if not calls:
        return nothing
    if path.lower().endswith(WHOLE) and any(call.attached for call in calls):
        return None
    if path.lower().endswith(NOTEBOOK):
        return None if _has_cells(data, calls) else nothing
    return _lines_missing(path, lines_of(data), calls)


def _lines_missing(path: str, lines: list[str], calls: list[ReadCall]) -> Unread | None:
    shown = _shown(lines, calls)
    # Lines without visible characters need not be shown.
    expected = (number for number, line in enumerate(lines, 1) if _plain(line))
    first = next((number for number in expected if number not in shown), 0)
    if not first:
        return None
    last = first
    while last < len(lines) and last + 1 not in shown:
        last += 1
    return Unread(path, first, last, len(lines))


def _shown(lines: list[str], calls: list[ReadCall]) -> set[int]:
    """Return the numbers of the lines that some call showed."""
    shown: set[int] = set()
    for call in calls:
        for number, text in _numbered(call.text):
            if _is_line(lines, number, text):
                shown.add(number)
    return shown


def _numbered(text: str) -> list[tuple[int, str]]:
    """Return the lines of a result with their numbers, counted from 1."""
    matches = (_NUMBERED.fullmatch(line) for line in text.split("\n"))
    lines = [(int(match[1]), match[2]) for match in matches if match]
    # With an offset of 0 the tool counts from 0.
    shift = 1 if lines and lines[0][0] == 0 else 0
    return [(number + shift, line) for number, line in lines]


def _is_line(lines: list[str], number: int, text: str) -> bool:
    return 1 <= number <= len(lines) and _plain(lines[number - 1]) == _plain(text)


def _plain(line: str) -> str:
    """Return a line without invisible and undecodable characters and blanks at its end.

    Tools may leave these out.
    """
    return without_invisible(line.replace("\ufffd", "")).rstrip()


def _has_cells(data: bytes, calls: list[ReadCall]) -> bool:
    """Return whether the source of each cell of a notebook was shown; False if it has no cells."""
    text = "\n".join(call.text for call in calls)
    try:
        cells = json.loads(data)["cells"]
        return bool(cells) and all("".join(cell["source"]) in text for cell in cells)
    except (ValueError, TypeError, KeyError, RecursionError):
        return False
