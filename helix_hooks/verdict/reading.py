"""The files that a judge has not read, by the provider's record of what its tool has shown. Pure.

A line counts as read where it was shown under its number, as it stands in the file. So a file of
the same name elsewhere, a part of a long file, a failed call or a search count for what they have
shown, and no further.
"""

import json
import posixpath
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ..text.invisible import without_invisible

WHOLE = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".pdf")
"""Endings of files that are shown in one piece, as a picture or a document."""

NOTEBOOK = ".ipynb"
_NUMBERED = re.compile(r" *(\d{1,9})(?:\t|→)(.*)", re.DOTALL)


class ReadCall(NamedTuple):
    """The result of one call: the path as the judge named it, the text, and whether it was a
    picture or document.
    """

    path: str
    text: str
    attached: bool = False


class Unread(NamedTuple):
    """A file with the first lines of it that were not shown, all 0 where a file can't be counted in
    lines.
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

    `folder` is the absolute path of the folder in which the judge works.
    """
    by_path: dict[str, list[ReadCall]] = {}
    for call in calls:
        by_path.setdefault(_within(call.path, folder), []).append(call)
    missing = (_missing(path, data, by_path.get(path, [])) for path, data in files.items())
    return tuple(item for item in missing if item)


def message(missing: tuple[Unread, ...]) -> str:
    """Return what was not read, for people: the first file, and how many more."""
    more = f", nor {len(missing) - 1} more" if missing[1:] else ""
    return f"the judge has not read {missing[0].text}{more}, so there is no verdict on it"


def lines_of(data: bytes) -> list[str]:
    """Return the lines of a file as the tool counts them: ended by a line feed, and none behind the
    last one.
    """
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = data.decode("utf-16" if wide else "utf-8-sig", errors="replace")
    return text.removesuffix("\n").split("\n")


def _within(path: str, folder: str) -> str:
    """Return a path as it is in the repository."""
    plain, top = path.strip().replace("\\", "/"), folder.replace("\\", "/")
    whole = posixpath.normpath(posixpath.join(top, plain))
    is_absolute = whole.startswith("/") or ":" in whole
    return _relative(whole, posixpath.normpath(top)) if is_absolute else plain


def _relative(path: str, start: str) -> str:
    """Return a path from a folder, both absolute.

    `posixpath.relpath` would ask for the current folder.
    """
    parts, base = ([name for name in one.split("/") if name] for one in (path, start))
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
    seen = {
        number
        for call in calls
        for number, text in _numbered(call.text)
        if _stands(lines, number, text)
    }
    wanted = [number for number, line in enumerate(lines, 1) if _plain(line) and number not in seen]
    if not wanted:
        return None
    last = next(
        (number for number in range(wanted[0], len(lines)) if number + 1 in seen), len(lines)
    )
    return Unread(path, wanted[0], last, len(lines))


def _numbered(text: str) -> list[tuple[int, str]]:
    """Return the lines of a result with their numbers.

    From an offset of 0 the tool counts from 0.
    """
    lines = [
        (int(match[1]), match[2])
        for line in text.split("\n")
        if (match := _NUMBERED.fullmatch(line))
    ]
    shift = 1 if lines and lines[0][0] == 0 else 0
    return [(number + shift, line) for number, line in lines]


def _stands(lines: list[str], number: int, text: str) -> bool:
    return 1 <= number <= len(lines) and _plain(lines[number - 1]) == _plain(text)


def _plain(line: str) -> str:
    """Return a line without what tools may leave out: invisible characters, what could not be
    decoded, blanks at the end.
    """
    return without_invisible(line.replace("\ufffd", "")).rstrip()


def _has_cells(data: bytes, calls: list[ReadCall]) -> bool:
    """Return whether the source of each cell of a notebook was shown.

    A notebook without cells has shown nothing.
    """
    text = "\n".join(call.text for call in calls)
    try:
        cells = json.loads(data)["cells"]
        return bool(cells) and all("".join(cell["source"]) in text for cell in cells)
    except (ValueError, TypeError, KeyError, RecursionError):
        return False
