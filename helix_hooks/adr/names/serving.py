"""Headings that serve for a required section without being the same section.

`Rationale` tells the context, `Decision details` decides. Rules that compare versions or a concept
do not ask here.
"""

from functools import lru_cache

from .aliases import SECTIONS, SERVING
from .heading import Meanings, led, normalise, parts

CORE = ("context", "decision", "options", "consequences")
"""Sections that built-in templates other than helix require."""

_UNDECIDED = frozenset(
    "related rejected alternative alternatives considered other open pending future previous past "
    "earlier deferred drivers driver makers maker criteria date log records record tree matrix "
    "history not no non without superseded questions undecided next missing".split()
)
"""Words beside which `decision` and the like name something else."""
_SHORTEST = 2


def serves(title: str, meanings: Meanings) -> frozenset[str]:
    """Return the required sections that a heading may stand for, by its name or a word of it."""
    found = set(meanings.of(title))
    names = [normalise(part) for part in (title, *parts(title))]
    table = _names()
    for name in names:
        found.update(table.get(name, ()) or table.get(led(name), ()))
    return frozenset(found or _by_word(names[0]))


def _by_word(name: str) -> set[str]:
    """Return what a word of a free heading names: `The three policy decisions`."""
    words = name.split()
    telling = _words()
    found = {telling[word] for word in words if word in telling}
    if not name.isascii():
        found.update(meaning for sign, meaning in _signs() if sign in name)
    return found if _UNDECIDED.isdisjoint(words) else found & {"options"}


@lru_cache(maxsize=1)
def _names() -> dict[str, tuple[str, ...]]:
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
