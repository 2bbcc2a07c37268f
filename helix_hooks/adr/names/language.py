"""In which language an ADR names its sections."""

from collections.abc import Iterable
from functools import lru_cache

from .aliases import LANGUAGES, SECTIONS
from .heading import normalise


def language(titles: Iterable[str], default: str = "") -> str:
    """The language in which most titles are names of sections; the default when none is, or it does
    as well as any.
    """
    spoken = _languages()
    found = dict.fromkeys(LANGUAGES, 0)
    for title in titles:
        for code in spoken.get(normalise(title), ()):
            found[code] += 1
    best = max(LANGUAGES, key=lambda code: (found[code], code == default))
    return best if found[best] else default


@lru_cache(maxsize=1)
def _languages() -> dict[str, list[str]]:
    spoken: dict[str, list[str]] = {}
    for languages in SECTIONS.values():
        for code, names in languages.items():
            for name in names:
                spoken.setdefault(normalise(name), []).append(code)
    return spoken
