"""The path of a new ADR, as the team names its own: folder, number, form of the name. Pure."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from ..adr.names import place
from ..adr.names.number import number_in_path
from ..adr.reference import collection
from ..errors import UsageError
from .skeleton import slug

FOLDER = "docs/adr"
_NEWEST = 10
"""ADRs whose names are looked at: the last habit counts."""

_DATED = r"(?P<date>(?:19|20)\d\d(?P<dash>[-_.]?)[01]\d(?P=dash)[0-3]\d)(?P<gap>[-_. ]*)(?!\d{5})"
_NUMBERED = (
    r"(?P<prefix>[A-Za-z]+[-_. ]*)??(?P<year>(?:19|20)\d\d[-_.](?=\d{2,4}(?!\d)))?"
    r"(?P<digits>\d{1,6})(?!\d)(?P<separator>[-_. ]*)"
)
_NAME = re.compile(f"(?:{_DATED})?(?:{_NUMBERED})?(?P<words>.*)")
_SUFFIX = re.compile(r"(?:\.html)?\.md$")
_NOT_IN_NAMES = re.compile(r"[\x00-\x1f\x7f/\\:*?\"<>|]+")
_NO_NUMBERS = (999, 9999, 99999, 999999)
_HIGHEST = 999_999
"""The highest number that is read as one in a name."""
_LONGEST = 80
_MOST_BYTES = 180
"""Bytes of the words of a name; file systems allow 255 for the whole name."""


class FileName(NamedTuple):
    """The parts of a file name of an ADR. `date`, `year` and `digits` are "" if it has none."""

    date: str
    gap: str
    prefix: str
    year: str
    digits: str
    separator: str
    words: str
    suffix: str

    @property
    def kind(self) -> tuple[bool, bool, bool]:
        """Return whether the name has a date, a year and a number."""
        return bool(self.date), bool(self.year), bool(self.digits)


class Destination(NamedTuple):
    """The folder of a new ADR, and the form of its name.

    `own` is the name of the file in a folder that holds one ADR, "=" where it is that of the
    folder, "" where ADRs have no folders. `number` is the next free one, `today` as in 2024-05-31,
    `newest` are the last ADRs, oldest first. `homes` are the folders that share the numbers.
    """

    folder: str
    number: int
    today: str
    newest: tuple[str, ...]
    model: FileName
    own: str
    words: Callable[[str], str]
    homes: frozenset[str]

    @property
    def digits(self) -> str:
        """Return the number with as many digits as the last one."""
        return str(self.number).zfill(len(self.model.digits))

    def path(self, title: str) -> str:
        """Return the path of an ADR with a title."""
        model = self.model
        date = self.today.replace("-", _dash(model.date)) if model.date else ""
        digits = self.digits if model.digits else ""
        year = _this_year(model, self.today)
        stem = f"{date}{model.gap}{model.prefix}{year}{digits}"
        words = self.words(title) if model.words or not stem else ""
        name = f"{stem}{model.separator}{words}" if words else stem
        folder = f"{self.folder}/" if self.folder else ""
        if not self.own:
            return f"{folder}{name}{model.suffix or '.md'}"
        return f"{folder}{name}/{name if self.own == '=' else self.own[:-3]}.md"


def destination_of(
    adrs: Sequence[str], files: Iterable[str], today: str, folder: str | None = None
) -> Destination | None:
    """Return the destination of a new ADR beside the existing ones; None if there are none.

    `files` are all paths of the repository: none of their numbers is taken twice.
    """
    beside = _numbering(adrs, folder)
    if not beside:
        return None
    newest = sorted(beside, key=age)[-_NEWEST:]
    model_path = _model(newest)
    home = folder if folder is not None else _home(newest)
    own, model = parts(model_path)
    alike = [name for path in newest if (name := parts(path)[1]).kind == model.kind]
    homes = {_home([path]) for path in beside} | {home}
    return Destination(
        folder=home,
        number=_next([path for path in files if _home([path]) in homes], model, today),
        today=today,
        newest=tuple(newest),
        model=model._replace(suffix=_usual(name.suffix for name in alike)),
        own=own,
        words=_wording([name.words for name in alike]),
        homes=frozenset(homes),
    )


def free_number(paths: Iterable[str], folder: str) -> int:
    """Return the number after the highest one of the files of a folder without an ADR."""
    return _free(_numbers(path for path in paths if _home([path]) == folder))


def _free(taken: set[int]) -> int:
    """Return the number after the highest one, but for 999 and the like, which templates have.

    Raises: UsageError if the names have no place for a higher one.
    """
    number = max(taken.difference(_NO_NUMBERS), default=0) + 1
    while number in taken:
        number += 1
    if number > _HIGHEST:
        problem = f"a file or branch has taken the number {max(taken)}, and no higher one is read"
        raise UsageError(f"{problem}; rename that file, nothing was written")
    return number


def _numbering(adrs: Sequence[str], folder: str | None) -> list[str]:
    """Return the ADRs of a folder, or of the one with most, and those that share its numbers.

    Folders beside it, below it and above it share them where no number stands in two of them.
    """
    homes: dict[str, list[str]] = {}
    for path in adrs:
        homes.setdefault(_home([path]), []).append(path)
    if folder is not None:
        return homes.get(folder, [])
    if not homes:
        return []
    first = max(homes, key=lambda home: len(homes[home]))
    found, taken = list(homes[first]), _numbers(homes[first])
    for home, paths in homes.items():
        numbers = _numbers(paths)
        if home != first and numbers and _is_near(home, first) and taken.isdisjoint(numbers):
            found += paths
            taken |= numbers
    return found


def _is_near(one: str, other: str) -> bool:
    above, beside = one.rpartition("/")[0], other.rpartition("/")[0]
    return (above == beside and bool(above)) or above == other or one == beside


def _numbers(paths: Iterable[str]) -> set[int]:
    return {number for path in paths if (number := number_in_path(path)) is not None}


def age(path: str) -> tuple[str, int, str]:
    """Return a key by which older names come first."""
    name = parts(path)[1]
    date = re.sub(r"\D", "", name.date)
    return (f"{date}{name.year[:4]}", int(name.digits or 0), path)


def _model(paths: Sequence[str]) -> str:
    """Return the newest path of the usual kind."""
    usual, _ = Counter(parts(path)[1].kind for path in paths).most_common(1)[0]
    return next(path for path in reversed(paths) if parts(path)[1].kind == usual)


def _home(paths: Sequence[str]) -> str:
    """Return the folder under which most of some ADRs live, the last one's among equals."""
    homes = [_above(path) if place.has_own_folder(path) else collection(path) for path in paths]
    counts = Counter(reversed(homes))
    return counts.most_common(1)[0][0]


def _above(path: str) -> str:
    return "/".join(path.split("/")[:-2])


def parts(path: str) -> tuple[str, FileName]:
    """Return the name of the file in a folder of its own ("=" for that of the folder, "" without
    one), and the parts of the ADR's name.
    """
    *folders, name = path.split("/")
    if not place.has_own_folder(path):
        return "", _name(name)
    own = "=" if folders[-1] == name.rpartition(".")[0] else name
    return own, _name(folders[-1])


def _name(text: str) -> FileName:
    stem = _SUFFIX.sub("", text)
    found = _NAME.fullmatch(stem)
    texts = {key: value or "" for key, value in found.groupdict().items()} if found else {}
    texts.pop("dash", "")
    empty = dict.fromkeys(FileName._fields, "")
    return FileName(**{**empty, "words": stem, **texts, "suffix": text[len(stem) :]})


def _dash(date: str) -> str:
    return next((char for char in date if not char.isdigit()), "")


def _this_year(model: FileName, today: str) -> str:
    return f"{today[:4]}{model.year[4:]}" if model.year else ""


def _next(paths: Collection[str], model: FileName, today: str) -> int:
    """Return the number after the highest one; of a yearly numbering, after that of the year."""
    names = [parts(path)[1] for path in paths]
    if model.year:
        names = [name for name in names if name.year == _this_year(model, today)]
    return _free({int(name.digits) for name in names if name.digits})


def _cut(words: str) -> str:
    """Return the first words, as many bytes as fit into a file name beside a number and a date."""
    return words[:_LONGEST].encode()[:_MOST_BYTES].decode(errors="ignore")


def _usual(texts: Iterable[str]) -> str:
    return Counter(texts).most_common(1)[0][0]


def _wording(names: Sequence[str]) -> Callable[[str], str]:
    """Return the form in which existing names write the words of a title."""
    joined = Counter(char for name in names for char in name if char in "-_ ")
    joiner = joined.most_common(1)[0][0] if joined else "-"
    spelt = [name for name in names if any(map(str.isalpha, name))]
    is_lower = 2 * sum(name == name.lower() for name in spelt) >= len(spelt)

    def lower(title: str) -> str:
        return _cut(slug(title)).strip("-").replace("-", joiner)

    def as_typed(title: str) -> str:
        plain = " ".join(_NOT_IN_NAMES.sub(" ", title).split())
        words = re.sub(r"[^\w ]+", " ", plain).split() if joiner != " " else plain.split(" ")
        return _cut(joiner.join(words)).strip(f"{joiner} .")

    return lower if is_lower else as_typed
