"""The path of a new ADR, as the team names its own: folder, number, form of the name. Pure."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from ..adr.names import place
from ..adr.names.number import number_in_path
from ..adr.reference import collection
from ..errors import UsageError
from ..paths import MARKDOWN_SUFFIX
from .skeleton import slug

FOLDER = "docs/adr"
_NEWEST = 10
"""Number of ADRs whose names are compared: the latest habit of the team counts."""

_DATED = r"(?P<date>(?:19|20)\d\d(?P<dash>[-_.]?)[01]\d(?P=dash)[0-3]\d)(?P<gap>[-_. ]*)(?!\d{5})"
_NUMBERED = (
    r"(?P<prefix>[A-Za-z]+[-_. ]*)??(?P<year>(?:19|20)\d\d[-_.](?=\d{2,4}(?!\d)))?"
    r"(?P<digits>\d{1,6})(?!\d)(?P<separator>[-_. ]*)"
)
_NAME = re.compile(f"(?:{_DATED})?(?:{_NUMBERED})?(?P<words>.*)")
_SUFFIX = re.compile(rf"(?:\.html)?{MARKDOWN_SUFFIX}$")
_NOT_IN_NAMES = re.compile(r"[\x00-\x1f\x7f/\\:*?\"<>|]+")
_NO_NUMBERS = (999, 9999, 99999, 999999)
"""Numbers that teams use for templates and examples."""
_HIGHEST = 999_999
"""The highest number that is recognised in a name: `_NUMBERED` reads six digits."""
_LONGEST = 80
_MOST_BYTES = 180
"""Limit for the words of a name, in bytes; file systems allow 255 for the whole name."""


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

    `own` is the name of the file if each ADR has a folder of its own: "=" if it is the name of the
    folder, "" if ADRs have no folders. `number` is the next free one, `today` as in 2024-05-31,
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
        name = self._name(title)
        folder = ""
        if self.folder:
            folder = f"{self.folder}/"
        if not self.own:
            return f"{folder}{name}{self.model.suffix or '.md'}"
        if self.own == "=":
            return f"{folder}{name}/{name}.md"
        return f"{folder}{name}/{self.own}"

    def _name(self, title: str) -> str:
        """Return the name of the file, or of its folder, without the extension."""
        model = self.model
        stem = f"{model.gap}{model.prefix}{_this_year(model, self.today)}"
        if model.date:
            stem = self.today.replace("-", _dash(model.date)) + stem
        if model.digits:
            stem += self.digits
        # A name of a number alone has no words, but each name needs something.
        words = ""
        if model.words or not stem:
            words = self.words(title)
        if words:
            return f"{stem}{model.separator}{words}"
        return stem


def destination_of(
    adrs: Sequence[str], files: Iterable[str], today: str, folder: str | None = None
) -> Destination | None:
    """Return the destination of a new ADR beside the existing ones; None if there are none.

    `files` are all paths of the repository: none of their numbers is taken twice.

    Raises:
        UsageError: All numbers are taken.
    """
    beside = _numbering(adrs, folder)
    if not beside:
        return None
    newest = sorted(beside, key=age)[-_NEWEST:]
    home = folder if folder is not None else _home(newest)
    own, model = parts(_model(newest))
    alike = _of_kind(newest, model)
    homes = {_home([path]) for path in beside} | {home}
    numbered = [path for path in files if _home([path]) in homes]
    return Destination(
        folder=home,
        number=_next(numbered, model, today),
        today=today,
        newest=tuple(newest),
        model=model._replace(suffix=_usual(name.suffix for name in alike)),
        own=own,
        words=_wording([name.words for name in alike]),
        homes=frozenset(homes),
    )


def _of_kind(paths: Sequence[str], model: FileName) -> list[FileName]:
    """Return the names that have a date, a year and a number if the model has them."""
    names = [parts(path)[1] for path in paths]
    return [name for name in names if name.kind == model.kind]


def free_number(paths: Iterable[str], folder: str) -> int:
    """Return the number after the highest one of the files of a folder without an ADR."""
    return _free(_numbers(path for path in paths if _home([path]) == folder))


def _free(taken: set[int]) -> int:
    """Return the number after the highest one, ignoring 999 and the like.

    Raises UsageError if no higher number can be recognised.
    """
    number = max(taken.difference(_NO_NUMBERS), default=0) + 1
    while number in taken:
        number += 1
    if number > _HIGHEST:
        problem = f"a file or branch has the number {max(taken)}, the highest that is supported"
        raise UsageError(f"{problem}; rename that file, nothing was written")
    return number


def _numbering(adrs: Sequence[str], folder: str | None) -> list[str]:
    """Return the ADRs of a folder, or of the one with most, and those that share its numbers.

    Folders beside it, below it and above it share its numbers if no number is in two of them.
    """
    homes: dict[str, list[str]] = {}
    for path in adrs:
        homes.setdefault(_home([path]), []).append(path)
    if folder is not None:
        return homes.get(folder, [])
    if not homes:
        return []
    first = max(homes, key=lambda home: len(homes[home]))
    members, taken = list(homes[first]), _numbers(homes[first])
    for home, paths in homes.items():
        numbers = _numbers(paths)
        if home != first and numbers and _is_near(home, first) and taken.isdisjoint(numbers):
            members += paths
            taken |= numbers
    return members


def _is_near(one: str, other: str) -> bool:
    """Return whether a folder is beside, directly below or directly above another one."""
    above_one, above_other = one.rpartition("/")[0], other.rpartition("/")[0]
    # All folders of the root are beside each other, which says nothing.
    is_beside = above_one == above_other and bool(above_one)
    return is_beside or above_one == other or one == above_other


def _numbers(paths: Iterable[str]) -> set[int]:
    numbers = map(number_in_path, paths)
    return {number for number in numbers if number is not None}


def age(path: str) -> tuple[str, int, str]:
    """Return a key that sorts older names first."""
    name = parts(path)[1]
    date = re.sub(r"\D", "", name.date)
    return (f"{date}{name.year[:4]}", int(name.digits or 0), path)


def _model(paths: Sequence[str]) -> str:
    """Return the newest path of the usual kind."""
    usual, _ = Counter(parts(path)[1].kind for path in paths).most_common(1)[0]
    return next(path for path in reversed(paths) if parts(path)[1].kind == usual)


def _home(paths: Sequence[str]) -> str:
    """Return the folder in which most of some ADRs are, the last one's among equals."""
    homes = [_above(path) if place.has_own_folder(path) else collection(path) for path in paths]
    counts = Counter(reversed(homes))
    return counts.most_common(1)[0][0]


def _above(path: str) -> str:
    return "/".join(path.split("/")[:-2])


def parts(path: str) -> tuple[str, FileName]:
    """Return the name of the file if the ADR has a folder of its own, and the parts of its name.

    The name of the file is "=" if it is the name of the folder, and "" without such a folder.
    """
    *folders, name = path.split("/")
    if not place.has_own_folder(path):
        return "", _name(name)
    if folders[-1] == name.rpartition(".")[0]:
        name = "="
    return name, _name(folders[-1])


def _name(text: str) -> FileName:
    stem = _SUFFIX.sub("", text)
    suffix = text[len(stem) :]
    named = _NAME.fullmatch(stem)
    if not named:
        empty = dict.fromkeys(FileName._fields, "")
        return FileName(**{**empty, "words": stem, "suffix": suffix})
    groups = named.groupdict(default="")
    del groups["dash"]
    return FileName(**groups, suffix=suffix)


def _dash(date: str) -> str:
    return next((char for char in date if not char.isdigit()), "")


def _this_year(model: FileName, today: str) -> str:
    """Return the year with the separator of the model; "" if names have none."""
    if model.year:
        return f"{today[:4]}{model.year[4:]}"
    return ""


def _next(paths: Collection[str], model: FileName, today: str) -> int:
    """Return the number after the highest one, or after that of this year if names have a year."""
    names = [parts(path)[1] for path in paths]
    if model.year:
        names = [name for name in names if name.year == _this_year(model, today)]
    return _free({int(name.digits) for name in names if name.digits})


def _cut(words: str) -> str:
    """Return as many of the first words as fit into a file name with a number and a date."""
    return words[:_LONGEST].encode()[:_MOST_BYTES].decode(errors="ignore")


def _usual(texts: Iterable[str]) -> str:
    return Counter(texts).most_common(1)[0][0]


def _wording(names: Sequence[str]) -> Callable[[str], str]:
    """Return a function that writes the words of a title in the form of existing names."""
    joiners = Counter(char for char in "".join(names) if char in "-_ ")
    joiner = joiners.most_common(1)[0][0] if joiners else "-"
    spelt = [name for name in names if any(map(str.isalpha, name))]
    is_lower = 2 * sum(name == name.lower() for name in spelt) >= len(spelt)

    def lower(title: str) -> str:
        return _cut(slug(title)).strip("-").replace("-", joiner)

    def as_typed(title: str) -> str:
        plain = " ".join(_NOT_IN_NAMES.sub(" ", title).split())
        if joiner == " ":
            return _cut(plain).strip(" .")
        words = re.sub(r"[^\w ]+", " ", plain).split()
        return _cut(joiner.join(words)).strip(f"{joiner} .")

    if is_lower:
        return lower
    return as_typed
