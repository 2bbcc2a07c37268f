"""The status words of ADRs and their meanings, also as names of folders: `rejected/`. Pure."""

import re
from functools import lru_cache
from typing import NamedTuple

from .aliases import STATUSES
from .heading import composed, table_names

_LINK = r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?"
_STRUCK = r"~~.*?~~|<!--.*?-->|<[^>]*>"
_DATE = r"\W*(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{4})\W*"
_WORDS = r"[^\W_]+(?:['’-][^\W_]+)*"
_ALTERNATIVES = r"\s+[|/]\s+|\|"
_STATED = (
    r"(?:(?<!not )\b(?:been|was|is)\s+|[.;,|]\s*)([^\W\d_]+)(?=\s*(?:$|[.,;)]|(?:on|by|in)\b))"
)
"""A status in a sentence, or at the beginning of a later one."""
_LONGEST = 4
"""Maximum words of a status."""
_STEP = 30
"""Maximum characters of a choice, or of a step before an arrow; a longer one is a sentence."""
_CHOICE_WORDS = 3
_COMPARED_WORDS = 2
"""Words of an unknown status that are compared with the known ones."""
_MIN_SIMILARITY = 0.8
_READ = 400
"""Maximum characters of a status that are read."""

DRAFT = "Draft"
_DRAFTS = frozenset(("draft", "drafts", "wip", "work in progress", "entwurf", "entwürfe"))
"""Names of folders of drafts, without numbers: `0_drafts/`."""


class Statuses(NamedTuple):
    """Normalised words by status, such as `Accepted`.

    `known` caches answers, since most ADRs have one of a few texts as their status.
    """

    names: dict[str, str]
    known: dict[str, str | None]

    def read(self, raw: str) -> str | None:
        """Return the status with which a text begins, None without a known one.

        `**Accepted** (2024-05-01), see [ADR-7](7.md)` is Accepted, `~~Proposed~~ Accepted` too. A
        list of several (`proposed | accepted | rejected`) is a hint of a template: None.
        """
        if raw not in self.known:
            self.known[raw] = self._read(raw)
        return self.known[raw]

    def nearest(self, raw: str) -> str:
        """Return the name that the first words of a text nearly are, "" without one."""
        from ...yaml_reader import nearest  # late: few statuses are misspelt

        words = re.findall(r"\w+", raw[:_READ].casefold())[:_COMPARED_WORDS]
        beginnings = [" ".join(words[:count]) for count in range(1, len(words) + 1)]
        if not self.names.keys().isdisjoint(beginnings):
            return ""
        similar = (nearest(beginning, self.names, _MIN_SIMILARITY) for beginning in beginnings)
        return next(filter(None, similar), "")

    def _read(self, raw: str) -> str | None:
        plain = self.names.get(raw.casefold())
        if plain:
            return plain
        text = re.sub(_STRUCK, " ", re.sub(_LINK, r"\1", composed(raw[:_READ]))).casefold()
        text = _after_arrows(text)
        date = re.match(_DATE, text)
        if date:
            text = text[date.end() :]
        choices = re.split(_ALTERNATIVES, text)
        if len(choices) > 1 and all(map(_is_choice, choices)):
            statuses = {self._first(choice) for choice in choices} - {None}
            return statuses.pop() if len(statuses) == 1 else None
        return self._first(text) or self._in_sentence(text)

    def _in_sentence(self, text: str) -> str | None:
        """Return the status that a sentence states: `The decision has been accepted.`"""
        for match in re.finditer(_STATED, text):
            status = self.names.get(match[1])
            if status:
                return status
        return None

    def _first(self, text: str) -> str | None:
        words = re.findall(_WORDS, text)[:_LONGEST]
        for count in range(len(words), 0, -1):
            name = self.names.get(" ".join(words[:count]).replace("-", " "))
            if name:
                return name
        return None


def _is_choice(text: str) -> bool:
    return len(text.split()) <= _CHOICE_WORDS and len(text) <= _STEP


def _after_arrows(text: str) -> str:
    """Return the last step of `proposed → accepted`; an arrow in a sentence means nothing."""
    steps = re.split("→|->|=>", text)
    if any(len(step) > _STEP for step in steps):
        return text
    return steps[-1]


def statuses(extra: dict[str, tuple[str, ...]] | None = None) -> Statuses:
    """Return the packaged words, and those that a repository adds: words by status."""
    if not extra:
        return Statuses(_packaged(), {})
    names = dict(_packaged())
    for status, words in extra.items():
        for word in words:
            names[" ".join(word.casefold().replace("-", " ").split())] = status
    return Statuses(names, {})


@lru_cache(maxsize=1)
def _packaged() -> dict[str, str]:
    return table_names(STATUSES)


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
