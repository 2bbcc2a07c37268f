"""The meaning of a heading, in any spelling.

Case, numbering, emoji, bold, a colon, closing hashes, trailing comments and compounds do not
matter: `## 2. **Migrations-Plan**:` has the same meaning as `## Migration`.
"""

import re
from functools import lru_cache
from typing import NamedTuple
from unicodedata import normalize

from .aliases import SECTIONS, Table

_NUMBERING = (
    r"(?:(?:section|abschnitt|kapitel|chapter|teil|part|schritt"
    r"|step)\s+)?(?:\d+(?:\.\d+)*|[ivx]+|[a-z])[.):](?!\w)\s*|\d+(?:\.\d+)*\s+"
)
_COMMENT = r"<!--.*?-->|<[^>]*>"
_STRUCK = "~~[^~]*~~"
_ANCHOR = r"\s*\{[#.:][^{}]*\}\s*$"
_PARENTHESIS = r"[(（\[]([^()（）\[\]]*)[)）\]]"
_NOT_WORDS = re.compile(r"[^\w&/+'.;]+|(?<!\w)[.;']|[.;'](?!\w)|_")
_JOINING_WORDS = frozenset("und and with mit or oder".split())
_PARTS = rf"\s*(?:[:—–|&/,+]|\s-\s|\b(?:{'|'.join(sorted(_JOINING_WORDS))})\b)\s*"
_LEADING = frozenset(
    "the a an our this proposed final initial overall chosen positive negative der die das unser "
    "unsere".split()
)
"""Words before a name that do not change its meaning: `The Context`, `Our migration plan`."""
_REMEMBERED = 200_000
"""Maximum headings whose meaning is cached: as many as one file of 1 MB may have.

Each rule looks up all headings of a file.
"""
_LONGEST = 300
"""Characters of a heading that are read. Names are shorter, but a hostile heading may be long."""
_QUALIFYING_WORDS = frozenset("from of for to von zu zum zur für nach auf der des".split())
_QUALIFIER = rf"\b(?:{'|'.join(sorted(_QUALIFYING_WORDS))})\b"

_SEPARATORS = str.maketrans("&/+", "   ")


class Meanings(NamedTuple):
    """Section ids by normalised name: the packaged names, and those of a repository's settings.

    `hints` are the first words of all names. Most headings have none of them, so they need no
    further look-up. `known` caches answers, since every rule looks up the same headings.
    """

    names: dict[str, str]
    hints: frozenset[str]
    known: dict[str, tuple[str, ...]]

    def of(self, title: str) -> tuple[str, ...]:
        """Return the section ids that a heading may mean, best first; () without a known meaning.

        A name that is known as a whole wins. Otherwise each part counts: `Kontext / Context`, `결과
        (Consequences)`, `Decision 2 — use Kafka`, `Migration und Rollback`.
        """
        answer = self.known.get(title)
        if answer is None:
            if len(self.known) > _REMEMBERED:
                self.known.clear()
            answer = self.known[title] = self._of(title)
        return answer

    def _of(self, title: str) -> tuple[str, ...]:
        name = normalise(title)
        whole = self.names.get(name) or self.names.get(led(name))
        if whole:
            return (whole,)
        words = name.translate(_SEPARATORS).split()
        if self.hints.isdisjoint(words):
            return ()
        sections: dict[str, None] = {}
        for part in parts(title):
            section = self.names.get(normalise(part).rstrip(" 0123456789"))
            if section:
                sections[section] = None
        return tuple(sections)

    def all_of(self, title: str) -> tuple[str, ...]:
        """Return the section ids of a heading, and its normalised title for names without an id."""
        return (*self.of(title), normalise(title))


def led(name: str) -> str:
    """Return a normalised name without a word such as `the` before it, "" without such a word."""
    first, _, rest = name.partition(" ")
    return rest if first in _LEADING else ""


@lru_cache(maxsize=_REMEMBERED)
def normalise(title: str) -> str:
    """Return a heading in lowercase, without markup, numbering, emoji and punctuation.

    Words are joined by one blank.
    """
    text = _unnumbered(title)
    if not text.replace(" ", "").isalnum():
        text = _NOT_WORDS.sub(" ", text)
    return " ".join(text.split())


@lru_cache(maxsize=_REMEMBERED)
def parts(title: str) -> tuple[str, ...]:
    """Return the parts of a compound heading, each of which may be a name."""
    outside = text = _unnumbered(title)
    if _is_one_part(text):
        return text, text, text
    inside: list[str] = []
    if any(map(text.__contains__, "([（")):
        inside = re.findall(_PARENTHESIS, text)
        outside = re.sub(_PARENTHESIS, " ", text)
    pieces = [outside, *inside, *re.split(_PARTS, outside)]
    for part in inside:
        pieces += re.split(_PARTS, part)
    return (*pieces, re.split(_QUALIFIER, outside, maxsplit=1)[0])


def _is_one_part(text: str) -> bool:
    """Return whether a heading has no sign and no word that could separate its parts."""
    words = text.split(" ")
    return "".join(words).isalnum() and (_JOINING_WORDS | _QUALIFYING_WORDS).isdisjoint(words)


def _unnumbered(title: str) -> str:
    text = title[:_LONGEST]
    if "<" in text:
        text = re.sub(_COMMENT, " ", text)
    if "~~" in text:
        text = re.sub(_STRUCK, " ", text)
    if "{" in text:
        text = re.sub(_ANCHOR, "", text)
    text = text.casefold().strip("#*_`: \t")
    if not text.isascii():
        # Emoji and other signs before the first letter or digit.
        text = re.sub(r"^[\W_]+", "", composed(text))
    numbering = re.match(_NUMBERING, text)
    return text[numbering.end() :] if numbering else text


def composed(text: str) -> str:
    """Return a text in which each letter is one character.

    `é` may be written as two, and `Ａ` is an A.
    """
    return text if text.isascii() else normalize("NFKC", text)


def meanings(extra: dict[str, tuple[str, ...]] | None = None) -> Meanings:
    """Return the packaged names, and those that a repository adds: names by section id."""
    if not extra:
        return _packaged()
    names = dict(_packaged().names)
    for section, words in extra.items():
        names.update(dict.fromkeys(map(normalise, words), section))
    return _meanings(names)


@lru_cache(maxsize=1)
def _packaged() -> Meanings:
    return _meanings(table_names(SECTIONS))


def _meanings(names: dict[str, str]) -> Meanings:
    return Meanings(names, frozenset(name.split(maxsplit=1)[0] for name in names), {})


def table_names(table: Table) -> dict[str, str]:
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


def display_name(section: str) -> str:
    """Return the English name of a section, for messages."""
    return SECTIONS.get(section, {}).get("en", (section,))[0]
