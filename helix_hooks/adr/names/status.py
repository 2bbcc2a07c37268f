"""The status words of an ADR and what they mean."""

import re
from functools import lru_cache

from ...records import NamedTuple
from .aliases import STATUSES
from .heading import composed, table_names

_LINK = r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?"
_STRUCK = r"~~.*?~~|<!--.*?-->|<[^>]*>"
_DATE = r"\W*(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{4})\W*"
_WORDS = r"[^\W_]+(?:['’-][^\W_]+)*"
_ALTERNATIVES = r"\s+[|/]\s+|\|"
_LONGEST = 4
_STEP = 30
_READ = 400
"""Characters of a status that are looked at."""


class Statuses(NamedTuple):
    """Normalised word to status, as `Accepted`.

    `known` remembers answers: few texts state most statuses.
    """

    names: dict[str, str]
    known: dict[str, str | None]

    def read(self, raw: str) -> str | None:
        """Return the status with which a text begins, None without a known one.

        `**Accepted** (2024-05-01), see [ADR-7](7.md)` is Accepted, `~~Proposed~~ Accepted` too. A
        list of several (`proposed | accepted | rejected`) is an unreplaced hint of a template, and
        gives None.
        """
        if raw not in self.known:
            self.known[raw] = self._read(raw)
        return self.known[raw]

    def _read(self, raw: str) -> str | None:
        plain = self.names.get(raw.casefold())
        if plain:
            return plain
        text = re.sub(_STRUCK, " ", re.sub(_LINK, r"\1", composed(raw[:_READ]))).casefold()
        text = _outcome(text)
        dated = re.match(_DATE, text)
        text = text[dated.end() :] if dated else text
        choices = re.split(_ALTERNATIVES, text)
        if len(choices) > 1 and all(
            len(choice.split()) <= 3 and len(choice) <= 30 for choice in choices
        ):
            known = {self._first(choice) for choice in choices} - {None}
            return known.pop() if len(known) == 1 else None
        return self._first(text)

    def _first(self, text: str) -> str | None:
        words = re.findall(_WORDS, text)[:_LONGEST]
        for count in range(len(words), 0, -1):
            name = self.names.get(" ".join(words[:count]).replace("-", " "))
            if name:
                return name
        return None


def _outcome(text: str) -> str:
    """`proposed → accepted` is accepted; an arrow in a sentence says nothing."""
    steps = re.split("→|->|=>", text)
    return steps[-1] if all(len(step) <= _STEP for step in steps) else text


def statuses(extra: dict[str, tuple[str, ...]] | None = None) -> Statuses:
    """The packaged words, and those that a repository adds: status to words."""
    if not extra:
        return Statuses(_packaged(), {})
    added = {
        " ".join(word.casefold().replace("-", " ").split()): status
        for status, words in extra.items()
        for word in words
    }
    return Statuses({**_packaged(), **added}, {})


@lru_cache(maxsize=1)
def _packaged() -> dict[str, str]:
    return table_names(STATUSES)
