"""In which language an ADR names its sections."""

from collections import Counter
from collections.abc import Iterable

from .aliases import LANGUAGES, SECTIONS
from .heading import normalise


def language(titles: Iterable[str], default: str = "") -> str:
    """The language in which most titles are names of sections; the default when none is, or it does as well as any."""
    keys = {normalise(title) for title in titles}
    found: Counter[str] = Counter()
    for languages in SECTIONS.values():
        for code, names in languages.items():
            found[code] += bool(keys.intersection(map(normalise, names)))
    best = max(LANGUAGES, key=lambda code: (found[code], code == default))
    return best if found[best] else default
