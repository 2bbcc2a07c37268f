"""The language of an ADR, by the titles of its sections."""

from collections.abc import Iterable
from functools import lru_cache

from .aliases import LANGUAGES, SECTIONS
from .heading import normalise


def language(titles: Iterable[str], default: str = "") -> str:
    """Return the language in which most titles are names of sections.

    Return `default` if no title is such a name, or if as many are in the default language.
    """
    codes_of = _languages()
    counts = dict.fromkeys(LANGUAGES, 0)
    for title in titles:
        for code in codes_of.get(normalise(title), ()):
            counts[code] += 1
    best = max(LANGUAGES, key=lambda code: (counts[code], code == default))
    return best if counts[best] else default


@lru_cache(maxsize=1)
def _languages() -> dict[str, list[str]]:
    """Return the languages of each normalised title."""
    codes_of: dict[str, list[str]] = {}
    for languages in SECTIONS.values():
        for code in LANGUAGES:
            for name in languages.get(code, ()):
                codes_of.setdefault(normalise(name), []).append(code)
    return codes_of
