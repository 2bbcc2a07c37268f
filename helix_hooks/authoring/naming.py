"""The path of a new ADR, named as the newest one: folder, number, form of the name. Pure."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..adr import place
from ..adr.names import number_in_path
from ..adr.reference import collection
from ..paths import MARKDOWN_SUFFIX

FOLDER = "docs/adr"

_DATED = r"(?P<date>(?:19|20)\d\d(?P<dash>[-_.]?)[01]\d(?P=dash)[0-3]\d)(?P<gap>[-_. ]*)(?!\d{5})"
_NUMBERED = (
    r"(?P<prefix>[A-Za-z]+[-_. ]*)??(?P<year>(?:19|20)\d\d[-_.](?=\d{2,4}(?!\d)))?"
    r"(?P<digits>\d{1,6})(?!\d)(?P<separator>[-_. ]*)"
)
_NAME = re.compile(f"(?:{_DATED})?(?:{_NUMBERED})?(?P<words>.*)", re.DOTALL)
_SUFFIX = re.compile(rf"(?:\.html)?{MARKDOWN_SUFFIX}$")
_NO_NUMBERS = (999, 9999, 99999, 999999)
"""Numbers that teams use for templates and examples."""

_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "o"})
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


class Destination(NamedTuple):
    """The folder of a new ADR, and the name of the newest ADR there as a model.

    `own` is the name of the file if each ADR has a folder of its own: "=" if it is the name of the
    folder, "" if ADRs have no folders. `number` is the next free one, `today` as in 2024-05-31.
    """

    folder: str
    number: int
    today: str
    model: FileName
    own: str

    @property
    def digits(self) -> str:
        """Return the number with as many digits as the last one."""
        return str(self.number).zfill(len(self.model.digits))

    def path(self, title: str) -> str:
        """Return the path of an ADR with a title."""
        model, name = self.model, ""
        if model.date:
            name = self.today.replace("-", re.sub(r"\d", "", model.date)[:1])
        name += f"{model.gap}{model.prefix}{_this_year(model, self.today)}"
        if model.digits:
            name += self.digits
        # A name of a number alone has no words, but each name needs something.
        if model.words or not name:
            name += f"{model.separator}{_words(title, model)}"
        folder = f"{self.folder}/" if self.folder else ""
        if not self.own:
            return f"{folder}{name}{model.suffix or '.md'}"
        return f"{folder}{name}/{f'{name}.md' if self.own == '=' else self.own}"


def destination_of(
    adrs: Sequence[str], files: Iterable[str], today: str, folder: str | None = None
) -> Destination | None:
    """Return the destination of a new ADR in a folder, by default that with most ADRs.

    None without an ADR there. `files` are all paths of the repository: none of their numbers is
    taken twice.
    """
    if folder is None and adrs:
        folder = Counter(map(collection, sorted(adrs, key=age, reverse=True))).most_common(1)[0][0]
    beside = [path for path in adrs if collection(path) == folder]
    if folder is None or not beside:
        return None
    own, model = parts(max(beside, key=age))
    names = [parts(path)[1] for path in files if collection(path) == folder]
    if model.year:
        names = [name for name in names if name.year == _this_year(model, today)]
    number = _free({int(name.digits) for name in names if name.digits})
    return Destination(folder, number, today, model, own)


def free_number(paths: Iterable[str], folder: str) -> int:
    """Return the number after the highest one of the files of a folder without an ADR."""
    numbers = (number_in_path(path) for path in paths if collection(path) == folder)
    return _free({number for number in numbers if number is not None})


def _free(taken: set[int]) -> int:
    """Return the number after the highest one, ignoring 999 and the like."""
    number = max(taken.difference(_NO_NUMBERS), default=0) + 1
    while number in taken:
        number += 1
    return number


def age(path: str) -> tuple[str, int, str]:
    """Return a key that sorts older names first."""
    name = parts(path)[1]
    date = re.sub(r"\D", "", name.date)
    return (f"{date}{name.year[:4]}", int(name.digits or 0), path)


def parts(path: str) -> tuple[str, FileName]:
    """Return the name of the file if the ADR has a folder of its own, and the parts of its name.

    The name of the file is "=" if it is the name of the folder, and "" without such a folder.
    """
    *folders, name = path.split("/")
    own = ""
    if place.has_own_folder(path):
        own, name = name, folders[-1]
        if own.rpartition(".")[0] == name:
            own = "="
    stem = _SUFFIX.sub("", name)
    match = _NAME.fullmatch(stem)
    groups = match.groupdict(default="") if match else {}
    groups.pop("dash", None)
    return own, FileName(**groups, suffix=name[len(stem) :])


def _this_year(model: FileName, today: str) -> str:
    """Return the year with the separator of the model; "" if names have none."""
    return f"{today[:4]}{model.year[4:]}" if model.year else ""


def slug(title: str) -> str:
    """Return a title as part of a file name: lowercase letters and digits joined by hyphens."""
    # German and Danish letters have a spelling in ASCII; other marks are dropped.
    decomposed = unicodedata.normalize("NFKD", title.lower().translate(_UMLAUTS))
    plain = "".join(char for char in decomposed if not unicodedata.combining(char))
    return _cut(re.sub(r"[\W_]+", "-", plain).strip("-")).rstrip("-")


def _words(title: str, model: FileName) -> str:
    """Return the words of a title with the joiner and the case of those of a file name."""
    joiners = re.findall("[-_ ]", model.words) or re.findall("[-_]", model.separator) or "-"
    joiner = Counter(joiners).most_common(1)[0][0]
    if model.words == model.words.lower():
        return slug(title).replace("-", joiner)
    # Between blanks the signs of a title stay, but for those that file systems refuse.
    refused = r"[\x00-\x1f\x7f/\\:*?\"<>|]+" if joiner == " " else r"[^\w ]+"
    words = re.sub(refused, " ", title).split()
    return _cut(joiner.join(words)).strip(f"{joiner} .")


def _cut(words: str) -> str:
    """Return as many of the first words as fit into a file name with a number and a date."""
    return words[:_LONGEST].encode()[:_MOST_BYTES].decode(errors="ignore")
