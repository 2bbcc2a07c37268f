"""Sections and fields that the ADRs of a repository share, and how many ADRs have each. Pure."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from ..adr.model import Adr
from ..adr.names.aliases import SECTIONS
from ..adr.names.heading import display_name, normalise, serves
from ..adr.names.language import language
from ..adr.names.number import number_in_path
from ..adr.rules.structure.section_missing import is_there
from ..adr.template import DECISION, HABIT, SECONDARY, Required

STATUS = "status"
_SUBSTITUTABLE = ("context", DECISION)
"""Sections that text under another name can replace. The others are looked up by name alone."""

_SECTION_TOLERANCE = 10
"""One ADR in 10 may lack a required section."""

_FIELD_TOLERANCE = 50
"""One ADR in 50 may lack a required field."""

_FEWEST_FREE = 2
"""Number of section names of the team's own, from which all constant sections are required."""
_LONGEST_NAME = 80
_FIELD = r"[a-z][a-z0-9_]{0,39}"


class Habit(NamedTuple):
    """A section or field that many ADRs have, and the number of these ADRs.

    `key` is the id of its meaning or the normalised title, `name` the name that the team uses.
    `is_firm` means that its absence is an error. It is true for a section of all ADRs that have a
    decision, except for a status or options that the built-in template makes a warning.
    """

    key: str
    name: str
    times: int
    is_firm: bool = False


class Habits(NamedTuple):
    """Sections in the order in which they are written, and header fields, of `total` ADRs.

    `usual` are sections that nine of ten ADRs have together, with the decision. If most ADRs use
    their own name for the decision, it is one of the sections that all of them have.
    `optional` are other sections that half of them have, or that the built-in template requires.
    """

    total: int
    usual: tuple[Habit, ...]
    optional: tuple[Habit, ...]
    fields: tuple[Habit, ...]


def habits_of(adrs: Sequence[Adr]) -> Habits:
    """Return the habits of some ADRs."""
    ordered = sorted(adrs, key=_chronological_key)
    keys = [_keys(adr) for adr in ordered]
    sections = _sections(ordered, keys)
    usual = _usual(ordered, sections, keys)
    fields = _fields(ordered, usual)
    optional: list[Habit] = []
    if usual:
        chosen = {item.key for item in (*usual, *fields)}
        frequent = _frequent(ordered, sections)
        optional = [item for item in frequent if item.key not in chosen]
    return Habits(
        total=len(ordered),
        usual=tuple(_without_twins(usual)),
        optional=tuple(_without_twins(optional, usual)),
        fields=fields,
    )


def _usual(adrs: Sequence[Adr], sections: list[Habit], keys: list[frozenset[str]]) -> list[Habit]:
    """Return the sections that nearly all ADRs have together."""
    usual = _common_sections(sections, keys, _required(adrs, ("", "error")))
    mild = _required(adrs, ("warning", "info")) & SECONDARY
    usual = [item._replace(is_firm=False) if item.key in mild else item for item in usual]
    with_status = sum(STATUS in adr.h2 for adr in adrs)
    if 2 * with_status < len(adrs):
        # Most ADRs have the status as a field of the header.
        usual = [item for item in usual if item.key != STATUS]
    return usual


def _frequent(adrs: Sequence[Adr], sections: Iterable[Habit]) -> list[Habit]:
    """Return the sections that half of the ADRs have, or that a template of them requires."""
    required: set[str] = set()
    for template in {adr.template for adr in adrs}:
        for section in template.all_sections:
            required.update(section.meanings)
    return [item for item in sections if item.key in required or 2 * item.times >= len(adrs)]


def _chronological_key(adr: Adr) -> tuple[str, int, str]:
    """Return a key that sorts older ADRs first: numbered ones by number, then others by name."""
    path = adr.doc.path
    number = number_in_path(path)
    if number is None:
        return (path.rpartition("/")[2], 0, path)
    return ("", number, path)


def _keys(adr: Adr) -> frozenset[str]:
    """Return the sections of an ADR by meaning, with those that another text replaces."""
    keys = {key for key in adr.h2 if serves(key, adr.meanings).isdisjoint(_SUBSTITUTABLE)}
    keys.update(key for key in _SUBSTITUTABLE if is_there(adr, Required("", (key,))))
    if adr.header.statuses:
        keys.add(STATUS)
    return frozenset(keys)


def _sections(adrs: Sequence[Adr], keys: Sequence[frozenset[str]]) -> list[Habit]:
    """Return all sections that several ADRs have, in the order in which they occur."""
    names: defaultdict[str, Counter[str]] = defaultdict(Counter)
    places: defaultdict[str, list[int]] = defaultdict(list)
    for adr in adrs:
        for place, (key, sections) in enumerate(adr.h2.items()):
            names[key][sections[0].title.strip()] += 1
            places[key].append(place)
    for place, key in enumerate(_SUBSTITUTABLE):
        places.setdefault(key, [place])
    spoken = _language(adrs)
    counts = Counter(chain.from_iterable(keys))
    habits: list[Habit] = []
    for key in places:
        name = _name(key, names[key], adrs[0], spoken) if counts[key] > 1 else ""
        if name:
            habits.append(Habit(key, name, counts[key]))
    return sorted(habits, key=lambda item: sum(places[item.key]) / len(places[item.key]))


def _language(adrs: Sequence[Adr]) -> str:
    """Return the language of the section titles of all ADRs together."""
    titles: list[str] = []
    for adr in adrs:
        titles += (section.title for section in adr.doc.sections)
    return language(titles, "en")


def _name(key: str, titles: Counter[str], adr: Adr, spoken: str) -> str:
    """Return the usual title that means this section and nothing else; "" without one."""
    for title, _ in titles.most_common():
        name = normalise(title)
        is_free = name == key and not adr.meanings.of(title)
        is_named = adr.meanings.names.get(name) == key
        if (is_free or is_named) and title.isprintable() and len(title) <= _LONGEST_NAME:
            return title
    name = display_name(key, spoken)
    if adr.meanings.of(name) == (key,):
        return name
    return ""


def _required(adrs: Sequence[Adr], severities: tuple[str, ...]) -> frozenset[str]:
    """Return the sections that the templates of most ADRs require with one of some severities."""
    counts: Counter[str] = Counter()
    for adr in adrs:
        for section in adr.template.all_sections:
            if section.severity in severities:
                counts.update(section.meanings)
    return frozenset(key for key, count in counts.items() if 2 * count > len(adrs))


def _common_sections(
    sections: list[Habit], keys: list[frozenset[str]], firm: frozenset[str]
) -> list[Habit]:
    """Return the decision and all sections that, together, nearly all ADRs with a decision have."""
    deciding = [present for present in keys if DECISION in present]
    if 2 * len(deciding) < len(keys):
        return _of_unknown_names(sections, keys)
    chosen = _keys_together(sections, deciding)
    firm |= {item.key for item in sections if _is_constant(item, deciding)}
    return [item._replace(is_firm=item.key in firm) for item in sections if item.key in chosen]


def _keys_together(sections: list[Habit], deciding: list[frozenset[str]]) -> set[str]:
    """Return the keys that nearly all records have together, and also the newest third.

    A team may have changed its habits, so the newest ADRs must agree.
    """
    newest = deciding[-max(HABIT, len(deciding) // 3) :]
    chosen = {DECISION}
    # The most frequent section first: each section that is added leaves fewer exceptions.
    for item in sorted(sections, key=lambda item: -item.times):
        wider = chosen | {item.key}
        if _hold(wider, deciding) and _hold(wider, newest):
            chosen = wider
    return chosen


def _is_constant(habit: Habit, records: list[frozenset[str]]) -> bool:
    return all(habit.key in record for record in records)


def _of_unknown_names(sections: list[Habit], keys: list[frozenset[str]]) -> list[Habit]:
    """Return the sections that all ADRs have, if several of them have names of the team's own.

    One of them is the decision. With fewer such names there may be no decision.
    """
    constant = [item for item in sections if _is_constant(item, keys)]
    if sum(map(_is_unknown, constant)) < _FEWEST_FREE:
        return []
    return [item._replace(is_firm=True) for item in constant]


def _is_unknown(item: Habit) -> bool:
    return item.key == normalise(item.name) and item.key not in SECTIONS


def _hold(keys: set[str], records: list[frozenset[str]]) -> bool:
    """Return whether nearly all records have some keys. A single exception does not count."""
    exceptions = sum(not keys <= record for record in records)
    return exceptions <= max(1, len(records) // _SECTION_TOLERANCE)


def _without_twins(sections: Iterable[Habit], above: Iterable[Habit] = ()) -> list[Habit]:
    """Return the sections, without those that have the name of another one."""
    names = {normalise(item.name) for item in above}
    distinct: list[Habit] = []
    for item in sections:
        name = normalise(item.name)
        if name not in names:
            names.add(name)
            distinct.append(item)
    return distinct


def _fields(adrs: Sequence[Adr], sections: Sequence[Habit]) -> tuple[Habit, ...]:
    """Return the fields that nearly all ADRs have, in their order.

    The status is one of them unless a required section Status asks for it already. The others count
    only in YAML headers: elsewhere a field is a label in running text.
    """
    in_yaml = 2 * sum(adr.header.style == "yaml" for adr in adrs) >= len(adrs)
    has_section = any(item.key == STATUS for item in sections)
    least = len(adrs) - len(adrs) // _FIELD_TOLERANCE
    fields: list[Habit] = []
    for name, count in _field_counts(adrs).items():
        is_eligible = not has_section if name == STATUS else in_yaml
        if is_eligible and count >= least and re.fullmatch(_FIELD, name):
            fields.append(Habit(name, name, count))
    return tuple(fields)


def _field_counts(adrs: Sequence[Adr]) -> Counter[str]:
    """Return how many ADRs have each header field with a value."""
    counts: Counter[str] = Counter()
    for adr in adrs:
        counts.update(name for name in adr.header.fields if adr.header.text(name))
    return counts
