"""Sections and fields that the ADRs of a repository share, and how many ADRs have each. Pure."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..adr.model import Adr
from ..adr.names.aliases import SECTIONS
from ..adr.names.heading import display_name, normalise, serves
from ..adr.names.language import language
from ..adr.names.number import number_in_path
from ..adr.rules.structure.section_missing import is_there
from ..adr.template import DECISION, HABIT, SECONDARY, Required

STATUS = "status"
_SERVED = ("context", DECISION)
"""Sections for which text of another name counts. The others are looked up by their names alone."""

_MOST = 10
"""One of so many ADRs may lack a required section."""

_NEARLY_ALL = 50
"""One of so many ADRs may lack a required field."""

_FEWEST_FREE = 2
_LONGEST_NAME = 80
_FIELD = r"[a-z][a-z0-9_]{0,39}"


class Habit(NamedTuple):
    """A section: what it means (an id, or the normalised title), how the team calls it, and how
    many ADRs have it. `is_firm` means that its absence is an error: all ADRs that have a decision
    have it; but not a status or options that the built-in template makes a warning.
    """

    key: str
    name: str
    times: int
    is_firm: bool = False


class Habits(NamedTuple):
    """Sections in the order in which they are written, and header fields, of `total` ADRs.

    `usual` are sections that nine of ten ADRs have together, with the decision. Where most ADRs
    give their decision a name of their own, it is one of the sections that all of them have.
    `optional` are others that half of them have, or that the built-in template requires.
    """

    total: int
    usual: tuple[Habit, ...]
    optional: tuple[Habit, ...]
    fields: tuple[Habit, ...]


def habits_of(adrs: Sequence[Adr]) -> Habits:
    """Return the habits of some ADRs."""
    ordered = sorted(adrs, key=_age)
    keys = [_keys(adr) for adr in ordered]
    sections = _sections(ordered, keys)
    usual = _together(sections, keys, _asked(ordered, ("", "error")))
    mild = _asked(ordered, ("warning", "info")) & SECONDARY
    usual = [item._replace(is_firm=False) if item.key in mild else item for item in usual]
    if 2 * sum(STATUS in adr.h2 for adr in ordered) < len(ordered):
        usual = [item for item in usual if item.key != STATUS]  # it is a field of the header
    asked = {
        meaning
        for adr in ordered
        for section in adr.template.all_sections
        for meaning in section.meanings
    }
    known = [item for item in sections if item.key in asked or 2 * item.times >= len(ordered)]
    fields = _fields(ordered, usual)
    chosen = {item.key for item in (*usual, *fields)}
    optional = [item for item in known if item.key not in chosen] if usual else []
    return Habits(
        total=len(ordered),
        usual=tuple(_without_twins(usual)),
        optional=tuple(_without_twins(optional, usual)),
        fields=fields,
    )


def _age(adr: Adr) -> tuple[str, int, str]:
    """Return a key by which older ADRs come first: date-named ones by name, else by number."""
    path = adr.doc.path
    number = number_in_path(path)
    return ("", number, path) if number is not None else (path.rpartition("/")[2], 0, path)


def _keys(adr: Adr) -> frozenset[str]:
    """Return the sections of an ADR by meaning, with those that another text replaces."""
    free = (key for key in adr.h2 if serves(key, adr.meanings).isdisjoint(_SERVED))
    served = (key for key in _SERVED if is_there(adr, Required("", (key,))))
    stated = [STATUS] if adr.header.statuses else []
    return frozenset((*free, *served, *stated))


def _sections(adrs: Sequence[Adr], keys: Sequence[frozenset[str]]) -> list[Habit]:
    """Return all sections that several ADRs have, in the order in which they occur."""
    names: defaultdict[str, Counter[str]] = defaultdict(Counter)
    places: defaultdict[str, list[int]] = defaultdict(list)
    for adr in adrs:
        for place, (key, sections) in enumerate(adr.h2.items()):
            names[key][sections[0].title.strip()] += 1
            places[key].append(place)
    for place, key in enumerate(_SERVED):
        places.setdefault(key, [place])
    spoken = language([section.title for adr in adrs for section in adr.doc.sections], "en")
    counts = Counter(key for found in keys for key in found)
    found = [
        Habit(key, name, counts[key])
        for key in places
        if counts[key] > 1 and (name := _name(key, names[key], adrs[0], spoken))
    ]
    return sorted(found, key=lambda item: sum(places[item.key]) / len(places[item.key]))


def _name(key: str, titles: Counter[str], adr: Adr, spoken: str) -> str:
    """Return the usual title that means this section and nothing else; "" without one."""
    for title, _ in titles.most_common():
        name = normalise(title)
        is_free = name == key and not adr.meanings.of(title)
        is_named = adr.meanings.names.get(name) == key
        if (is_free or is_named) and title.isprintable() and len(title) <= _LONGEST_NAME:
            return title
    name = display_name(key, spoken)
    return name if adr.meanings.of(name) == (key,) else ""


def _asked(adrs: Sequence[Adr], severities: tuple[str, ...]) -> frozenset[str]:
    """Return the sections whose absence has one of some severities in most ADRs, by the template
    they follow.
    """
    asked = Counter(
        meaning
        for adr in adrs
        for section in adr.template.all_sections
        for meaning in section.meanings
        if section.severity in severities
    )
    return frozenset(key for key, count in asked.items() if 2 * count > len(adrs))


def _together(
    sections: list[Habit], keys: list[frozenset[str]], firm: frozenset[str]
) -> list[Habit]:
    """Return the decision and all sections that, together, nearly all ADRs with a decision have.

    The newest third must agree: a team may have changed its habits.
    """
    deciding = [found for found in keys if DECISION in found]
    if 2 * len(deciding) < len(keys):
        return _of_unknown_names(sections, keys)
    newest = deciding[-max(HABIT, len(deciding) // 3) :]
    chosen = {DECISION}
    for item in sorted(sections, key=lambda item: -item.times):
        wider = chosen | {item.key}
        if _hold(wider, deciding) and _hold(wider, newest):
            chosen = wider
    return [
        item._replace(is_firm=item.key in firm or all(item.key in found for found in deciding))
        for item in sections
        if item.key in chosen
    ]


def _of_unknown_names(sections: list[Habit], keys: list[frozenset[str]]) -> list[Habit]:
    """Return the sections that all ADRs have, if several have names of the team's own.

    The decision is one of them. If there is only one, or none, there may be no decision.
    """
    constant = [item for item in sections if all(item.key in found for found in keys)]
    free = [item for item in constant if item.key == normalise(item.name)]
    if len([item for item in free if item.key not in SECTIONS]) < _FEWEST_FREE:
        return []
    return [item._replace(is_firm=True) for item in constant]


def _hold(keys: set[str], records: list[frozenset[str]]) -> bool:
    """Return whether nearly all records have some keys. A single exception does not count."""
    exceptions = sum(not keys <= found for found in records)
    return exceptions <= max(1, len(records) // _MOST)


def _without_twins(sections: Iterable[Habit], above: Iterable[Habit] = ()) -> list[Habit]:
    """Return the sections, without those that have the name of another one."""
    taken = {normalise(item.name) for item in above}
    found: list[Habit] = []
    for item in sections:
        if normalise(item.name) not in taken:
            taken.add(normalise(item.name))
            found.append(item)
    return found


def _fields(adrs: Sequence[Adr], sections: Sequence[Habit]) -> tuple[Habit, ...]:
    """Return the fields that nearly all ADRs state, in their order.

    Fields outside of a YAML header are a matter of words in the text, so that of these only the
    status counts. A required section Status asks for it already.
    """
    in_yaml = 2 * sum(adr.header.style == "yaml" for adr in adrs) >= len(adrs)
    counts = Counter(name for adr in adrs for name in adr.header.fields if adr.header.text(name))
    least = len(adrs) - len(adrs) // _NEARLY_ALL
    has_section = any(item.key == STATUS for item in sections)
    return tuple(
        Habit(name, name, count)
        for name, count in counts.items()
        if count >= least and re.fullmatch(_FIELD, name)
        if (name != STATUS and in_yaml) or (name == STATUS and not has_section)
    )
