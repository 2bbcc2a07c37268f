"""Settings that express what the ADRs of a repository have in common. Pure."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence

from ..adr.model import Adr
from ..adr.names.status import Statuses
from ..adr.template import HABIT
from .habits import Habit, Habits, habits_of
from .settings_text import Additions, ListItem

_NAME = "ours"
_FEWEST_ALIKE = 3
"""Number of ADRs that must share an unknown word, so that it is not the word of one author."""

_NEGATIONS = frozenset(
    "not no never nicht kein nie non pas ne jamais sin niet geen não nao".split()
)
_LONGEST = 60


def template_of(adrs: Sequence[Adr], taken: Collection[str]) -> tuple[Habits, Additions]:
    """Return the habits of ADRs, and a template of them; no template if they have no style.

    `taken` are the names of existing templates. A section that some ADRs lack is a warning there,
    but the decision is always an error.
    """
    habits = habits_of(adrs)
    if len(adrs) < HABIT or not habits.usual:
        return habits, {}
    name = _free_name(taken)
    template: Additions = {"sections": tuple(_required(habits))}
    if habits.optional:
        template["optional"] = _items(habits.optional, habits.total)
    if habits.fields:
        template["header"] = tuple(ListItem(field.name) for field in habits.fields)
    return habits, {"template": name, "templates": {name: template}}


def aliases_of(adrs: Sequence[Adr]) -> Additions:
    """Return more words for statuses, as settings; empty if there are none."""
    if len(adrs) < HABIT:
        return {}
    words = _status_words(adrs)
    if words:
        return {"aliases": {"statuses": words}}
    return {}


def _free_name(taken: Collection[str]) -> str:
    """Return the first name for a template that is not taken: ours, ours-2 and so on."""
    name, number = _NAME, 1
    while name in taken:
        number += 1
        name = f"{_NAME}-{number}"
    return name


def _required(habits: Habits) -> Iterator[ListItem]:
    for habit, item in zip(habits.usual, _items(habits.usual, habits.total), strict=True):
        yield item if habit.is_firm else item._replace(severity="warning")


def _items(habits: Sequence[Habit], total: int) -> tuple[ListItem, ...]:
    return tuple(ListItem(habit.name, f"{habit.times} of {total}") for habit in habits)


def _status_words(adrs: Sequence[Adr]) -> Additions:
    """Return unknown status texts that end with a known word, by the status that they mean."""
    texts = Counter(_plain(adr.header.text("status")) for adr in adrs)
    items: defaultdict[str, list[ListItem]] = defaultdict(list)
    for text, count in sorted(texts.items()):
        status = _status_meant(text, adrs[0].statuses)
        if status and count >= _FEWEST_ALIKE:
            items[status].append(ListItem(text, f"{count} of {len(adrs)}"))
    return {status: tuple(listed) for status, listed in items.items()}


def _plain(status: str) -> str:
    return " ".join(status.strip("*_`.: ").casefold().replace("-", " ").split())


def _status_meant(text: str, statuses: Statuses) -> str | None:
    """Return the status that the last word of an unknown text means, as in `was accepted`."""
    words = text.split()
    if statuses.read(text) or not 2 <= len(words) <= 4 or not _NEGATIONS.isdisjoint(words):
        return None
    if not re.fullmatch(r"[^\W\d_]+(?: [^\W\d_]+)*", text) or len(text) > _LONGEST:
        return None
    return statuses.names.get(words[-1])


def habit_lines(habits: Habits) -> Iterator[str]:
    """Yield what the ADRs have in common, one line for each kind."""
    if not habits.usual and habits.total >= HABIT:
        todo = "name it in `aliases: {sections: {Decision: [...]}}`"
        yield f"most of the {habits.total} have no Decision section; if a heading is one, {todo}"
    kinds = (("", habits.usual), ("at times ", habits.optional), ("field ", habits.fields))
    for kind, items in kinds:
        if items:
            listed = ", ".join(f"{item.name}: {item.times} of {habits.total}" for item in items)
            yield f"{kind}{listed}"
