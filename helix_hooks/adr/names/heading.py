"""A heading's meaning, whatever its spelling.

Case, numbering, emoji, bold, a colon, closing hashes, a trailing comment and German or English
compounds are one section: `## 2. **Migrations-Plan**:` means what `## Migration` means.
"""

import re
from functools import lru_cache

from ...records import NamedTuple
from .aliases import SECTIONS, SERVING, Table

_NUMBERING = (
    r"(?:(?:section|abschnitt|kapitel|chapter|teil|part|schritt"
    r"|step)\s+)?(?:\d+(?:\.\d+)*|[ivx]+|[a-z])[.):](?!\w)\s*|\d+(?:\.\d+)*\s+"
)
_COMMENT = r"<!--.*?-->|<[^>]*>"
_STRUCK = "~~[^~]*~~"
_ANCHOR = r"\s*\{[#.:][^{}]*\}\s*$"
_PARENTHESIS = r"[(（\[]([^()（）\[\]]*)[)）\]]"
_NOT_WORDS = re.compile(r"[^\w&/+'.;]+|(?<!\w)[.;']|[.;'](?!\w)|_")
_JOINING_WORDS = frozenset("und and et e y en with mit or oder".split())
_PARTS = rf"\s*(?:[:—–|&/,+]|\s-\s|\b(?:{'|'.join(sorted(_JOINING_WORDS))})\b)\s*"
_LEADING = frozenset(
    "the a an our this proposed final initial overall chosen positive negative der die das unser "
    "unsere le la les el los las o os il lo gli de het".split()
)
"""Words before a name that leave its meaning: `The Context`, `Our migration plan`."""
_REMEMBERED = 200_000
"""Headings whose meaning is kept: as many as one file may have, since each rule asks for all of
them.
"""
_LONGEST = 300
"""Characters of a heading that are looked at; no name is longer, and a hostile one could be."""
_QUALIFYING_WORDS = frozenset(
    "from of for to von zu zum zur für nach auf der des du de da della van voor".split()
)
_QUALIFIER = rf"\b(?:{'|'.join(sorted(_QUALIFYING_WORDS))})\b"

CORE = ("context", "decision", "options", "consequences")
"""Sections that built-in templates other than helix require."""

_UNDECIDED = frozenset(
    "related rejected alternative alternatives considered other open pending future previous past "
    "earlier deferred drivers driver makers maker criteria date log records record tree matrix "
    "history not no non without superseded questions undecided next missing".split()
)
"""Words beside which `decision` and the like name something else."""
_NO_OUTCOME = frozenset(
    "goal goals requirement requirements constraint constraints assumption assumptions driver "
    "drivers objective objectives need needs question disclaimer introduction glossary terminology "
    "definitions ziele anforderungen annahmen offene offen".split()
)
"""Words of headings above texts that lead to a decision and are none."""
_SHORTEST = 2

_FIRST_MARK = "\u0300"
_DECOMPOSED = (
    ("\u0300", "\u036f"),
    ("\u1100", "\u11ff"),
    ("\u3099", "\u309a"),
    ("\uff00", "\uffef"),
    ("\U0001d400", "\U0001d7ff"),
)
"""Combining marks, Korean and Japanese parts of letters, full-width and mathematical letters."""


class Meanings(NamedTuple):
    """Normalised name to section id; names of a repository's settings are added to the packaged
    ones.

    `hints` are the first words of all names: most headings contain none of them, and are free
    without a closer look. `known` remembers answers, since the same headings are asked for by every
    rule and recur from ADR to ADR.
    """

    names: dict[str, str]
    hints: frozenset[str]
    known: dict[str, tuple[str, ...]]

    def of(self, title: str) -> tuple[str, ...]:
        """The section ids a heading may stand for, best first; empty when the heading is free.

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
        if self.hints.isdisjoint(
            name.replace("&", " ").replace("/", " ").replace("+", " ").split()
        ):
            return ()
        found = (self.names.get(normalise(part).rstrip(" 0123456789")) for part in parts(title))
        return tuple(dict.fromkeys(name for name in found if name))

    def all_of(self, title: str) -> tuple[str, ...]:
        """`of`, and the normalised title itself, by which a name without a known meaning is
        found.
        """
        return (*self.of(title), normalise(title))


def led(name: str) -> str:
    """A normalised name without a first word that leaves its meaning, "" without such a word."""
    first, _, rest = name.partition(" ")
    return rest if first in _LEADING else ""


@lru_cache(maxsize=_REMEMBERED)
def normalise(title: str) -> str:
    """The heading in lower case without markup, numbering, emoji and punctuation; words joined by
    one blank.
    """
    text = _unnumbered(title)
    if not text.replace(" ", "").isalnum():
        text = _NOT_WORDS.sub(" ", text)
    return " ".join(text.split())


@lru_cache(maxsize=_REMEMBERED)
def parts(title: str) -> tuple[str, ...]:
    """The pieces of a compound heading, each a candidate for a name of its own."""
    outside = text = _unnumbered(title)
    if _is_one_part(text):
        return text, text, text
    inside: list[str] = []
    if any(bracket in text for bracket in "([（"):
        inside = re.findall(_PARENTHESIS, text)
        outside = re.sub(_PARENTHESIS, " ", text)
    return (
        outside,
        *inside,
        *re.split(_PARTS, outside),
        *(part for text in inside for part in re.split(_PARTS, text)),
        re.split(_QUALIFIER, outside, maxsplit=1)[0],
    )


def _is_one_part(text: str) -> bool:
    """Return whether a heading has no sign and no word that could separate its parts."""
    words = text.split(" ")
    return "".join(words).isalnum() and (_JOINING_WORDS | _QUALIFYING_WORDS).isdisjoint(words)


def _is_marked(text: str) -> bool:
    """Return whether a heading may begin with a numbering. Most do not, and need no search."""
    if text[:1].isdigit():
        return True
    place = next((place for place, sign in enumerate(text[:16]) if sign in ".):"), 0)
    last = text[:place].split()[-1:]
    return bool(last) and (len(last[0]) == 1 or last[0].isdigit() or not last[0].strip("ivx"))


def _unnumbered(title: str) -> str:
    text = title[:_LONGEST]
    text = re.sub(_COMMENT, " ", text) if "<" in text else text
    text = re.sub(_STRUCK, " ", text) if "~~" in text else text
    text = re.sub(_ANCHOR, "", text) if "{" in text else text
    text = text.casefold().strip("#*_`: \t")
    if not text.isascii():
        text = composed(text)
        text = text.lstrip("".join(character for character in text if not character.isalnum()))
    marked = _is_marked(text) and re.match(_NUMBERING, text)
    return text[marked.end() :] if marked else text


def composed(text: str) -> str:
    """A text in which each letter is one character: `é` may be typed as two, and `Ａ` is an A."""
    marks = () if text.isascii() else {character for character in text if character >= _FIRST_MARK}
    if not any(low <= character <= high for character in marks for low, high in _DECOMPOSED):
        return text
    from unicodedata import normalize

    return normalize("NFKC", text)


def meanings(extra: dict[str, tuple[str, ...]] | None = None) -> Meanings:
    """The packaged names, and those that a repository adds: section id to names."""
    if not extra:
        return _packaged()
    added = {normalise(word): section for section, words in extra.items() for word in words}
    return _meanings({**_packaged().names, **added})


@lru_cache(maxsize=1)
def _packaged() -> Meanings:
    return _meanings(table_names(SECTIONS))


def _meanings(names: dict[str, str]) -> Meanings:
    return Meanings(names, frozenset(name.split(maxsplit=1)[0] for name in names), {})


def table_names(table: Table) -> dict[str, str]:
    """Name to id, the first entry winning.

    The table's own names are plain, so a cheaper step than `normalise` serves; a test holds the two
    equal.
    """
    names: dict[str, str] = {}
    for key, languages in table.items():
        for words in languages.values():
            for word in words:
                names.setdefault(" ".join(word.casefold().replace("-", " ").split()), key)
    return names


def display_name(section: str, language: str = "en") -> str:
    """Return the name of a section in a language, for messages and new ADRs."""
    names = SECTIONS.get(section, {})
    return (names.get(language) or names.get("en") or (section,))[0]


def serves(title: str, meanings: Meanings) -> frozenset[str]:
    """Return the required sections that a heading may stand for, by its name or a word of it."""
    found = set(meanings.of(title))
    names = [normalise(part) for part in (title, *parts(title))]
    table = _serving()
    for name in names:
        found.update(table.get(name, ()) or table.get(led(name), ()))
    return frozenset(found or _by_word(names[0]))


def leaves_open(title: str) -> bool:
    """Return whether a heading names what is not decided: `Future work`, `Open points`."""
    return not (_UNDECIDED | _NO_OUTCOME).isdisjoint(normalise(title).split())


def _by_word(name: str) -> set[str]:
    """Return what a word of a free heading names: `The three policy decisions`."""
    words = name.split()
    telling = _words()
    found = {telling[word] for word in words if word in telling}
    if not name.isascii():
        found.update(meaning for sign, meaning in _signs() if sign in name)
    return found if _UNDECIDED.isdisjoint(words) else found & {"options"}


@lru_cache(maxsize=1)
def _serving() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for section, languages in SERVING.items():
        for words in languages.values():
            for word in words:
                name = normalise(word)
                found[name] = (*found.get(name, ()), section)
    return found


@lru_cache(maxsize=1)
def _words() -> dict[str, str]:
    return {
        name: section
        for section in CORE
        for words in SECTIONS[section].values()
        for word in words
        if " " not in (name := normalise(word)) and len(name) > _SHORTEST
    }


@lru_cache(maxsize=1)
def _signs() -> tuple[tuple[str, str], ...]:
    """Return the names in scripts that put no blanks between words."""
    return tuple(
        (word, section)
        for section in CORE
        for code in ("zh", "ja")
        for word in SECTIONS[section].get(code, ())
        if len(word) >= _SHORTEST
    )
