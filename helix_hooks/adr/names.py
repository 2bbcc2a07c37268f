"""The meaning of a heading, a header field, a status or a number, in any spelling. Pure.

Case, numbering, emoji, bold, a colon, closing hashes, trailing comments and compounds do not
matter: `## 2. **Migrations-Plan**:` has the same meaning as `## Migration`. The names are in
`words.yaml`.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from pkgutil import get_data
from typing import Any, NamedTuple
from unicodedata import normalize

import yaml

from ..paths import MARKDOWN_SUFFIX
from ..yaml_reader import nearest

LANGUAGES = ("en", "de")
Table = dict[str, dict[str, tuple[str, ...]]]
"""Names by id and language."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_LISTS: dict[str, dict[str, Any]] = yaml.load(
    get_data(__package__, "words.yaml") or b"",
    _LOADER,  # noqa: S506 -- a loader without objects, of a file of our own
)


def words(group: str, name: str) -> frozenset[str]:
    """Return a list of single words of `words.yaml`."""
    return frozenset(_LISTS[group][name].split())


def phrases(group: str, name: str) -> tuple[str, ...]:
    """Return a list of phrases of `words.yaml`."""
    return tuple(_LISTS[group][name].split("; "))


def _table(group: str) -> Table:
    return {
        key: {code: tuple(text.split("; ")) for code, text in languages.items()}
        for key, languages in _LISTS[group].items()
    }


SECTIONS, STATUSES = _table("sections"), _table("statuses")
FIELDS = {field: phrases("fields", field) for field in _LISTS["fields"]}

_REMEMBERED = 200_000
"""Maximum headings that are cached: as many as one file of 1 MB may have.

Each rule looks up all headings of a file.
"""


def composed(text: str) -> str:
    """Return a text in which each letter is one character.

    `é` may be written as two, and `Ａ` is an A.
    """
    return text if text.isascii() else normalize("NFKC", text)


def _names_of(table: Table) -> dict[str, str]:
    """Return ids by name. The first of two equal names wins.

    The names in the table are plain, so this step is cheaper than `normalise`; a test compares
    both.
    """
    names: dict[str, str] = {}
    for key, languages in table.items():
        for words in languages.values():
            for word in words:
                names.setdefault(" ".join(word.casefold().replace("-", " ").split()), key)
    return names


# Headings.

_LONGEST_HEADING = 300
"""Characters of a heading that are read. Names are shorter, but a hostile heading may be long."""
_NUMBERING = (
    r"(?:(?:section|abschnitt|kapitel|chapter|teil|part|schritt"
    r"|step)\s+)?(?:\d+(?:\.\d+)*|[ivx]+|[a-z])[.):](?!\w)\s*|\d+(?:\.\d+)*\s+"
)
_MARKUP = r"<!--.*?-->|<[^>]*>|~~[^~]*~~"
"""Comments, tags and struck-out text."""
_ANCHOR = r"\s*\{[#.:][^{}]*\}\s*$"
_PARENTHESIS = r"[(（\[]([^()（）\[\]]*)[)）\]]"
_NOT_WORDS = r"[^\w&/+'.;]+|(?<!\w)[.;']|[.;'](?!\w)|_"
_SEPARATOR = r"\s*(?:[:—–|&/,+]|\s-\s|\b(?:und|and|with|mit|or|oder)\b)\s*"
_QUALIFIER = r"\b(?:from|of|for|to|von|zu|zum|zur|für|nach|auf|der|des)\b"
_LEADING = frozenset(
    "the a an our this proposed final initial overall chosen positive negative der die das unser "
    "unsere".split()
)
"""Words before a name that do not change its meaning: `The Context`, `Our migration plan`."""


class Meanings(NamedTuple):
    """Section ids by normalised name: the packaged names, and those of a repository's settings.

    `known` caches answers, since every rule looks up the same headings.
    """

    names: dict[str, str]
    known: dict[str, tuple[str, ...]]

    def of(self, title: str) -> tuple[str, ...]:
        """Return the section ids that a heading may mean, best first; () without a known meaning.

        A name that is known as a whole wins. Otherwise each part counts: `Kontext / Context`, `결과
        (Consequences)`, `Decision 2 — use Kafka`, `Migration und Rollback`.
        """
        if title in self.known:
            return self.known[title]
        name = normalise(title)
        first, _, rest = name.partition(" ")
        whole = self.names.get(name) or self.names.get(rest if first in _LEADING else "")
        ids = [whole]
        if not whole:
            text = _unnumbered(title)
            outside = re.sub(_PARENTHESIS, " ", text)
            inside = re.findall(_PARENTHESIS, text)
            parts = [outside, *inside]
            for part in (outside, *inside):
                parts += re.split(_SEPARATOR, part)
            parts.append(re.split(_QUALIFIER, outside, maxsplit=1)[0])
            ids = [self.names.get(normalise(part).rstrip(" 0123456789")) for part in parts]
        self.known[title] = tuple(dict.fromkeys(filter(None, ids)))
        return self.known[title]

    def all_of(self, title: str) -> tuple[str, ...]:
        """Return the section ids of a heading, and its normalised title for names without an id."""
        return (*self.of(title), normalise(title))


@lru_cache(maxsize=_REMEMBERED)
def normalise(title: str) -> str:
    """Return a heading in lowercase, without markup, numbering, emoji and punctuation.

    Words are joined by one blank.
    """
    text = _unnumbered(title)
    if not text.replace(" ", "").isalnum():
        text = re.sub(_NOT_WORDS, " ", text)
    return " ".join(text.split())


def _unnumbered(title: str) -> str:
    text = re.sub(_ANCHOR, "", re.sub(_MARKUP, " ", title[:_LONGEST_HEADING]))
    text = text.casefold().strip("#*_`: \t")
    if not text.isascii():
        # Emoji and other signs before the first letter or digit.
        text = re.sub(r"^[\W_]+", "", composed(text))
    return re.sub(f"^(?:{_NUMBERING})", "", text)


def meanings(extra: dict[str, tuple[str, ...]] | None = None) -> Meanings:
    """Return the packaged names, and those that a repository adds: names by section id."""
    if not extra:
        return _PACKAGED_MEANINGS
    added = {normalise(word): section for section, words in extra.items() for word in words}
    return Meanings({**_PACKAGED_MEANINGS.names, **added}, {})


_PACKAGED_MEANINGS = Meanings(_names_of(SECTIONS), {})


def display_name(section: str) -> str:
    """Return the English name of a section, for messages."""
    return SECTIONS.get(section, {}).get("en", (section,))[0]


def language(titles: Iterable[str], default: str = "") -> str:
    """Return the language in which most titles are names of sections.

    Return `default` if no title is such a name, or if as many are in the default language.
    """
    names = [*map(normalise, titles)]
    counts = {code: sum(map(_names_in(code).__contains__, names)) for code in LANGUAGES}
    best = max(LANGUAGES, key=lambda code: (counts[code], code == default))
    return best if counts[best] else default


@lru_cache(maxsize=2)
def _names_in(code: str) -> frozenset[str]:
    """Return all names of sections in a language."""
    tables = (languages.get(code, ()) for languages in SECTIONS.values())
    return frozenset(normalise(name) for names in tables for name in names)


# Header fields.

_AROUND_VALUE = " \t*_`~\"'()[]{}<>.,;:!?\\"


class Field(NamedTuple):
    """A header field: its texts (one for a scalar, none if empty) and the place of its key.

    `lines` are those of the texts in a YAML header; () elsewhere.
    """

    texts: tuple[str, ...]
    line: int
    column: int = 1
    lines: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        return ", ".join(self.texts)


@lru_cache(maxsize=4096)
def field_name(key: str) -> str:
    """Return the field that a key means.

    `Depends-On`, `dependsOn`, `depends on` and `Abhängig von` are `depends_on`.
    """
    name = _FIELD_NAMES.get(squashed(key))
    if name:
        return name
    return "_".join(composed(key).casefold().replace("-", " ").replace("_", " ").split())


def squashed(key: str) -> str:
    """Return the letters and digits of a key in lowercase.

    Two spellings of one key have the same.
    """
    return "".join(filter(str.isalnum, composed(key).casefold()))


_FIELD_NAMES = {squashed(word): field for field, words in FIELDS.items() for word in words}


def comparable(text: str) -> str:
    """Return a value for comparison: in lowercase, without markup, quotes and invisible characters
    around or in it.
    """
    plain = composed(text).casefold()
    if not plain.isascii():
        plain = "".join(filter(str.isprintable, plain))
    return plain.strip(_AROUND_VALUE)


def says_value(text: str, values: tuple[str, ...]) -> bool:
    """Return whether a text is one of the (lowercase) values, or begins with one.

    `Major (all services)` is major.
    """
    plain = comparable(text)
    if plain in values:
        return True
    # The value ends at a sign, but `1.2` does not begin with the value `1`.
    return any(
        plain.startswith(value) and re.match(r"(?!\.\w)\W", plain[len(value) :]) for value in values
    )


def nearest_name(word: str, names: Iterable[str], alike: float) -> str:
    """Return the name that is most like a word; "" if none has the similarity `alike` (0 to 1).

    A typo changes few letters, and most names need no slow comparison.
    """
    letters = set(word)
    close = [
        name
        for name in names
        if abs(len(name) - len(word)) <= 2 and len(letters.symmetric_difference(name)) <= 3
    ]
    return nearest(word, close, alike) if close else ""


# Statuses.

_LINK = r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?"
_STRUCK = r"~~.*?~~|<!--.*?-->|<[^>]*>"
_DATE = r"\W*(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{4})\W*"
_WORDS = r"[^\W_]+(?:['’-][^\W_]+)*"
_ALTERNATIVES = r"\s+[|/]\s+|\|"
_MOST_STATUS_WORDS = 4
_STEP = 30
"""Maximum characters of a choice, or of a step before an arrow; a longer one is a sentence."""
_CHOICE_WORDS = 3
_COMPARED_WORDS = 2
"""Words of an unknown status that are compared with the known ones."""
_MIN_SIMILARITY = 0.8
_LONGEST_STATUS = 400
"""Maximum characters of a status that are read."""

DRAFT = "Draft"
_DRAFTS = frozenset(("draft", "drafts", "wip", "work in progress", "entwurf", "entwürfe"))
"""Names of folders of drafts, without numbers: `0_drafts/`."""


class Statuses(NamedTuple):
    """The statuses, such as `Accepted`, by normalised words."""

    names: dict[str, str]

    def read(self, raw: str) -> str | None:
        """Return the status with which a text begins, None without a known one.

        `**Accepted** (2024-05-01), see [ADR-7](7.md)` is Accepted, `~~Proposed~~ Accepted` too. A
        list of several (`proposed | accepted | rejected`) is a hint of a template: None.
        """
        status = self.names.get(raw.casefold())
        if status:
            return status
        text = composed(raw[:_LONGEST_STATUS])
        text = re.sub(_STRUCK, " ", re.sub(_LINK, r"\1", text)).casefold()
        # The last step of `proposed → accepted`; an arrow in a sentence means nothing.
        steps = re.split("→|->|=>", text)
        if all(len(step) <= _STEP for step in steps):
            text = steps[-1]
        text = re.sub(f"^{_DATE}", "", text)
        choices = re.split(_ALTERNATIVES, text)
        are_short = all(
            len(choice) <= _STEP and len(choice.split()) <= _CHOICE_WORDS for choice in choices
        )
        if len(choices) > 1 and are_short:
            statuses = {self._first(choice) for choice in choices} - {None}
            return statuses.pop() if len(statuses) == 1 else None
        return self._first(text)

    def _first(self, text: str) -> str | None:
        words = re.findall(_WORDS, text)[:_MOST_STATUS_WORDS]
        for count in range(len(words), 0, -1):
            name = self.names.get(" ".join(words[:count]).replace("-", " "))
            if name:
                return name
        return None

    def nearest(self, raw: str) -> str:
        """Return the name that the first words of a text nearly are, "" without one."""
        words = re.findall(r"\w+", raw[:_LONGEST_STATUS].casefold())[:_COMPARED_WORDS]
        beginnings = [" ".join(words[:count]) for count in range(1, len(words) + 1)]
        if not self.names.keys().isdisjoint(beginnings):
            return ""
        similar = (nearest(beginning, self.names, _MIN_SIMILARITY) for beginning in beginnings)
        return next(filter(None, similar), "")


def statuses(extra: dict[str, tuple[str, ...]] | None = None) -> Statuses:
    """Return the packaged words, and those that a repository adds: words by status."""
    if not extra:
        return _PACKAGED_STATUSES
    added = _names_of({status: {"": words} for status, words in extra.items()})
    return Statuses({**_PACKAGED_STATUSES.names, **added})


_PACKAGED_STATUSES = Statuses(_names_of(STATUSES))


def of_folder(path: str, statuses: Statuses) -> str:
    """Return the status that a folder of a file is named after, "" without one."""
    if is_among_drafts(path):
        return DRAFT
    return next(filter(None, map(statuses.names.get, _folders(path))), "")


def is_among_drafts(path: str) -> bool:
    """Return whether the folder of a file is named after drafts."""
    return not _DRAFTS.isdisjoint(_folders(path)[-1:])


def _folders(path: str) -> list[str]:
    """Return the names of the folders of a file, without their numbers."""
    names = (re.sub(r"^\d+[a-z]?[-_ ]+", "", name) for name in path.split("/")[:-1])
    return [re.sub(r"[-_ ]+", " ", name).casefold() for name in names]


# Numbers: `ADR-023`, `023`, `0023-use-kafka.md` and 23 are equal.

_LONGEST_NAME = 200


def number(id: str) -> int | None:
    """Return the first number of up to six digits in an id, None without one."""
    match = re.search(r"(?<!\d)0*(\d{1,6})(?!\d)", id)
    return int(match[1]) if match else None


def number_in_path(path: str) -> int | None:
    """Return the number at the beginning of a file name, else of the folder of a single ADR.

    The year of a date is not a number.
    """
    parts = path.rsplit("/", 2)
    for name in (parts[-1], *parts[-2:-1]):
        match = re.match(r"(?:[A-Za-z]+[-_ ]?)?0*(\d{1,6})(?!\d|\.\d)", name)
        if match and not re.match(r"\d{4}-\d{2}-\d{2}", name):
            return int(match[1])
    return None


def number_in_title(title: str) -> int | None:
    """Return the number at the beginning of a title: `ADR-014: Docs`, `14. Docs`, `0014 - Docs`."""
    match = re.match(
        r"\W*(?:[Aa][Dd][Rr][-_ #]*)?(?!\d{4}-\d)0*(\d{1,6})(?=\s*(?:[-–—:)]|\.(?!\d)))", title
    )
    return int(match[1]) if match else None


def named(text: str) -> set[int]:
    """Return the numbers of the ADRs that a text names: `ADR-023`, `ADR 23`, but not `23`."""
    names = re.finditer(r"(?<![\w-])(?:ADR|Adr|adr)[-_ ]*0*(\d{1,6})(?!\d)", text)
    return {int(match[1]) for match in names}


def linked(text: str) -> set[int]:
    """Return the numbers of the ADRs whose files a text links to: `0023-use-kafka.md`."""
    numbers: set[int] = set()
    for piece in re.split(MARKDOWN_SUFFIX, text)[:-1]:
        match = re.search(r"(?:^|[^\w-])0*(\d{1,6})-[\w.-]*$", piece[-_LONGEST_NAME:])
        if match:
            numbers.add(int(match[1]))
    return numbers
