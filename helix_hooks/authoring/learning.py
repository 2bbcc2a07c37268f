"""Settings that say what the ADRs of a repository have in common. Pure."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from ..adr.model import Adr
from ..adr.names.aliases import SECTIONS
from ..adr.names.heading import display_name, normalise
from ..adr.names.status import Statuses
from .habits import DECISION, FEWEST, Habit, Habits, habits_of
from .settings_text import Additions, ListItem

_NAME = "ours"
_FEWEST_ALIKE = 3
"""ADRs that must share an unknown word, so that it is the team's and not one author's."""

_ALIASED = (DECISION, "context", "consequences", "options")
_HEAD_FIRST = ("fr", "es", "pt", "it")
"""Languages whose main noun comes first: `Décision initiale`, but `Initial decision`."""

_OF_OTHERS = frozenset(
    "no not open pending previous earlier other others related future next past old former "
    "superseded rejected without keine keinen offene frühere weitere andere verworfene".split()
)
"""Words by which a heading is about other decisions, or none."""

_NEGATIONS = frozenset(
    "not no never nicht kein nie non pas ne jamais sin niet geen não nao".split()
)
_LONGEST = 60


def template_of(adrs: Sequence[Adr], taken: Collection[str]) -> tuple[Habits, Additions]:
    """Return the habits of ADRs, and a template of them; no template where they have no style.

    `taken` are names of templates. The decision is always among the required sections.
    """
    habits = habits_of(adrs)
    if len(adrs) < FEWEST or not habits.required:
        return habits, {}
    name = next(
        name for number in range(1, len(taken) + 2) if (name := _numbered(number)) not in taken
    )
    template: Additions = {"sections": _items(habits.required, habits.total)}
    if habits.optional:
        template["optional"] = _items(habits.optional, habits.total)
    if habits.fields:
        template["header"] = tuple(ListItem(field.name) for field in habits.fields)
    return habits, {"template": name, "templates": {name: template}}


def aliases_of(adrs: Sequence[Adr], named: Mapping[str, str]) -> Additions:
    """Return further words for sections and statuses, as settings; empty without any.

    `named` has the keys that the settings use for sections already, by what they mean.
    """
    if len(adrs) < FEWEST:
        return {}
    sections: Additions = {}
    for key in _ALIASED:
        titles = _titles_for(key, adrs)
        if titles:
            sections[named.get(key, display_name(key))] = titles
    statuses = _status_words(adrs)
    found: Additions = {}
    if sections:
        found["sections"] = sections
    if statuses:
        found["statuses"] = statuses
    return {"aliases": found} if found else {}


def _numbered(number: int) -> str:
    return _NAME if number == 1 else f"{_NAME}-{number}"


def _items(habits: Sequence[Habit], total: int) -> tuple[ListItem, ...]:
    return tuple(ListItem(habit.name, f"{habit.times} of {total}") for habit in habits)


def _titles_for(key: str, adrs: Sequence[Adr]) -> tuple[ListItem, ...]:
    """Return the titles that stand for a section in the ADRs that lack it under a known name.

    Such a title says the section's word, recurs, and never stands beside the section itself.
    """
    lacking = [adr for adr in adrs if key not in adr.h2]
    beside = {name for adr in adrs if key in adr.h2 for name in adr.h2}
    counts = Counter(
        section.title.strip()
        for adr in lacking
        for name in adr.h2.keys() - beside
        for section in adr.h2[name][:1]
        if _says(section.title, key, adr)
    )
    return tuple(
        ListItem(title, f"{count} of {len(adrs)}")
        for title, count in sorted(counts.items())
        if count >= _FEWEST_ALIKE
    )


def _says(title: str, key: str, adr: Adr) -> bool:
    """Return whether a title without a known meaning has the word of a section as its main noun."""
    words = normalise(title).split()
    if adr.meanings.of(title) or len(words) < 2 or not _OF_OTHERS.isdisjoint(words):
        return False
    if not title.isprintable() or len(title) > _LONGEST:
        return False
    return words[-1] in _nouns(key, head_first=False) or words[0] in _nouns(key, head_first=True)


def _nouns(key: str, *, head_first: bool) -> frozenset[str]:
    """Return the names of a section that are one word, and no plural where it is the decision."""
    return frozenset(
        name
        for code, names in SECTIONS[key].items()
        if (code in _HEAD_FIRST) == head_first
        for name in map(normalise, names)
        if " " not in name and not (key == DECISION and name.endswith(("s", "en")))
    )


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
    """Yield what the ADRs have in common, a line for each kind."""
    shown = (("", habits.required), ("at times ", habits.optional), ("field ", habits.fields))
    if not habits.required and habits.total >= FEWEST:
        name = "name it in `aliases: {sections: {Decision: [...]}}`"
        yield f"no decision in most of the {habits.total}; if a heading of yours is one, {name}"
    for kind, items in shown:
        if items:
            listed = ", ".join(f"{item.name}: {item.times} of {habits.total}" for item in items)
            yield f"{kind}{listed}"
