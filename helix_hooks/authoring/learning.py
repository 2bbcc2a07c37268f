"""Settings that express what the ADRs of a repository have in common. Pure."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from ..adr.model import Adr
from ..adr.names.status import Statuses
from ..adr.template import HABIT
from .habits import Habit, Habits, habits_of
from .settings_text import Additions, ListItem

_NAME = "ours"
_FEWEST_ALIKE = 3
"""ADRs that must share an unknown word, so that it is the team's and not one author's."""

_NEGATIONS = frozenset(
    "not no never nicht kein nie non pas ne jamais sin niet geen não nao".split()
)
_LONGEST = 60


def template_of(adrs: Sequence[Adr], taken: Collection[str]) -> tuple[Habits, Additions]:
    """Return the habits of ADRs, and a template of them; no template if they have no style.

    `taken` are names of templates. A section that some ADRs lack is a warning there, but the
    decision is always an error.
    """
    habits = habits_of(adrs)
    if len(adrs) < HABIT or not habits.usual:
        return habits, {}
    name = next(
        name for number in range(1, len(taken) + 2) if (name := _numbered(number)) not in taken
    )
    template: Additions = {
        "sections": tuple(
            item._replace(severity="" if habit.is_firm else "warning")
            for habit, item in zip(habits.usual, _items(habits.usual, habits.total), strict=True)
        )
    }
    if habits.optional:
        template["optional"] = _items(habits.optional, habits.total)
    if habits.fields:
        template["header"] = tuple(ListItem(field.name) for field in habits.fields)
    return habits, {"template": name, "templates": {name: template}}


def aliases_of(adrs: Sequence[Adr]) -> Additions:
    """Return more words for statuses, as settings; empty if there are none."""
    words = _status_words(adrs) if len(adrs) >= HABIT else {}
    return {"aliases": {"statuses": words}} if words else {}


def _numbered(number: int) -> str:
    return _NAME if number == 1 else f"{_NAME}-{number}"


def _items(habits: Sequence[Habit], total: int) -> tuple[ListItem, ...]:
    return tuple(ListItem(habit.name, f"{habit.times} of {total}") for habit in habits)


def _status_words(adrs: Sequence[Adr]) -> Additions:
    """Return unknown status texts that end with a known word, by the status that they mean."""
    texts = Counter(_plain(adr.header.text("status")) for adr in adrs)
    found: Additions = {}
    for text, count in sorted(texts.items()):
        meant = _meant(text, adrs[0].statuses)
        if meant and count >= _FEWEST_ALIKE:
            others = found.get(meant, ())
            known = others if isinstance(others, tuple) else ()
            found[meant] = (*known, ListItem(text, f"{count} of {len(adrs)}"))
    return found


def _plain(status: str) -> str:
    return " ".join(status.strip("*_`.: ").casefold().replace("-", " ").split())


def _meant(text: str, statuses: Statuses) -> str | None:
    words = text.split()
    if statuses.read(text) or not 2 <= len(words) <= 4 or not _NEGATIONS.isdisjoint(words):
        return None
    if not re.fullmatch(r"[^\W\d_]+(?: [^\W\d_]+)*", text) or len(text) > _LONGEST:
        return None
    return statuses.names.get(words[-1])


def seen(habits: Habits) -> Iterator[str]:
    """Yield what the ADRs have in common, one line for each kind."""
    shown = (("", habits.usual), ("at times ", habits.optional), ("field ", habits.fields))
    if not habits.usual and habits.total >= HABIT:
        name = "name it in `aliases: {sections: {Decision: [...]}}`"
        yield f"no decision in most of the {habits.total}; if a heading of yours is one, {name}"
    for kind, items in shown:
        if items:
            listed = ", ".join(f"{item.name}: {item.times} of {habits.total}" for item in items)
            yield f"{kind}{listed}"
