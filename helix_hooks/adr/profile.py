"""The common habits of the ADRs of a repository, so that a new one looks like its neighbours."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from .model import Adr

MOST = 0.8
"""The part of the ADRs that must agree on something for it to be the repository's habit."""


class Profile(NamedTuple):
    """`template` is the built-in one that most follow, "" for none; `sections` are the second-level
    titles most have.
    """

    template: str
    sections: tuple[str, ...]
    states_status: bool


def profile(adrs: Sequence[Adr]) -> Profile:
    """The habits of the ADRs; empty without any."""
    templates = Counter(adr.template.name for adr in adrs)
    template, count = templates.most_common(1)[0] if adrs else ("", 0)
    titles: dict[str, Counter[str]] = {}
    for adr in adrs:
        for key, sections in adr.h2.items():
            titles.setdefault(key, Counter())[sections[0].title] += 1
    common: list[str] = []
    taken: set[str] = set()
    for names in titles.values():
        title = names.most_common(1)[0][0]
        means = adrs[0].meanings.of(title)
        if names.total() >= MOST * len(adrs) and taken.isdisjoint(means):
            common.append(title)
            taken.update(means)
    stated = sum(bool(adr.header.statuses) for adr in adrs)
    return Profile(
        template if count >= MOST * len(adrs) else "",
        tuple(dict.fromkeys(common)),
        bool(adrs) and stated >= MOST * len(adrs),
    )
