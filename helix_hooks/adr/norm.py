"""The norm of a collection: what its newest ADRs, or its template file, have in common. Pure.

The rule unlike-siblings holds a new ADR to it, `new` writes it, and `init` tells it. Languages and
styles are not guessed: what most siblings have is counted, by meaning where `names` knows one, else
by the words of the heading.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from .model import Adr
from .names.heading import normalise
from .parse.document import Section

NEWEST = 20
"""Number of siblings that are counted, the newest by number."""
FEWEST = 5
"""Number of siblings below which nothing is counted."""
FIRM = 8
"""Number of siblings that must all have a heading or field for its absence to be an error."""
CORE = ("status", "context", "decision", "consequences")
"""What an ADR states in a heading, a label or the header."""

_SHARE = 0.8
"""Share of the siblings that must have something for it to belong to the norm."""
_NEWEST_OF_FILE = 10
"""Number of siblings of which half must follow a template file for it to be in use."""
_LABEL = r"(?m)^[^\w\n]{0,12}([^\W\d_][^\n:：]{1,40})[:：](?!//)"
"""A label at the start of a line: `Decision: use Kafka`, `- **Context**: ...`."""
_KEY = r"[\s>*+_|-]{0,12}([^\W\d_][\w .-]{0,40}?)[*_\s]{0,4}[:：|]"
"""The name of a field as its line has it."""
_OF_ITS_OWN = frozenset(("title", "adr_id", "supersedes", "superseded_by", "concept"))
"""Fields that an ADR has for a reason of its own, or that other rules check."""

_BLANK_TITLE = r"(?i)[\[\]{}<>]|\boptional\b"
_OPTIONAL_BEFORE = rb"(?is)<!--(?:(?!-->).)*\boptional\b(?:(?!-->).)*-->\s*$"
_OPTIONAL_BELOW = rb"(?is)\s*<!--(?:(?!-->).)*\boptional\b"
_NEAR = 400
"""Bytes around a heading in which a comment of a template file may mark it as optional."""

Form = tuple[str, int]
"""The words of a heading and its level; for a field its name and 0."""


class Trait(NamedTuple):
    """Something that the siblings have: a heading, a header field or a label.

    `key` is its meaning, else the normalised heading or the name of the field. `form` is how most
    siblings write it. `number` counts the siblings that have it; `is_recent` tells whether one
    of the two newest does. `of_file` tells that the template file requires it.
    """

    key: str
    form: Form
    number: int
    is_recent: bool
    of_file: bool = False

    def written(self) -> str:
        """Return the trait as a line of an ADR."""
        name, level = self.form
        return f"{'#' * level} {name}" if level else f"{name}:"


class Norm(NamedTuple):
    """What a new ADR is held to, in the order in which the newest sibling has it.

    `total` is the number of siblings; `file` is the path of the template file that they follow, ""
    without one.
    """

    total: int
    traits: tuple[Trait, ...]
    file: str = ""

    def is_firm(self, trait: Trait) -> bool:
        """Return whether the absence of a trait is an error, not a warning."""
        if trait.of_file:
            return trait.key in CORE
        is_habit = trait.key in CORE or trait.number == self.total >= FIRM
        return is_habit and trait.is_recent

    def has(self, key: str) -> bool:
        return any(trait.key == key for trait in self.traits)


def norm(siblings: Sequence[Adr], file: Adr | None = None) -> Norm | None:
    """Return the norm of ADRs of one folder, oldest first, and of their template file.

    None if there are fewer than `FEWEST` siblings and no template file that half of them follow.
    """
    forms = [traits(adr) for adr in siblings]
    counted = _counted(forms) if len(forms) >= FEWEST else ()
    if file:
        required, mentioned = _of_file(file)
        recent = forms[-_NEWEST_OF_FILE:]
        followed = [key for key in required if 2 * _count(recent, key) >= len(recent)]
        if 2 * len(followed) > len(required):
            of_file = [
                Trait(key, required[key], _count(forms, key), is_recent=True, of_file=True)
                for key in followed
            ]
            others = [trait for trait in counted if trait.key not in mentioned]
            return Norm(len(siblings), (*of_file, *others), file.doc.path)
    return Norm(len(siblings), counted) if counted else None


def _counted(forms: Sequence[dict[str, Form]]) -> tuple[Trait, ...]:
    """Return what most siblings have, in the order of the newest."""
    counts = Counter(key for form in forms for key in form)
    order = dict.fromkeys(key for form in reversed(forms) for key in form)
    recent = {key for form in forms[-2:] for key in form}
    found: list[Trait] = []
    for key in order:
        if counts[key] >= _SHARE * len(forms):
            usual = Counter(form[key] for form in forms if key in form).most_common(1)[0][0]
            found.append(Trait(key, usual, counts[key], key in recent))
    return tuple(found)


def _count(forms: Iterable[dict[str, Form]], key: str) -> int:
    return sum(key in form for form in forms)


def _of_file(file: Adr) -> tuple[dict[str, Form], frozenset[str]]:
    """Return what a template file requires, and everything that it mentions."""
    mentioned = traits(file)
    optional: set[str] = set()
    for section in file.doc.sections:
        if _is_optional(file, section):
            optional.update(keys_of(file, section.title))
    required = {key: form for key, form in mentioned.items() if key not in optional}
    return required, frozenset(mentioned)


def _is_optional(file: Adr, section: Section) -> bool:
    """Return whether a template file marks a section as optional, or its heading as a blank."""
    if section.level > file.level or re.search(_BLANK_TITLE, section.title):
        return True
    data, start, stop = file.doc.data, section.heading_start, section.start
    before, below = data[max(0, start - _NEAR) : start], data[stop : stop + _NEAR]
    return bool(re.search(_OPTIONAL_BEFORE, before) or re.match(_OPTIONAL_BELOW, below))


def traits(adr: Adr) -> dict[str, Form]:
    """Return what an ADR has, by key, in its order: fields, headings and labels of the core."""
    forms: dict[str, Form] = {}
    fields = adr.header.fields
    for name, field in fields.items():
        is_nested = any(name.startswith(f"{other}_") for other in fields)
        if name not in _OF_ITS_OWN and not is_nested:
            forms[name] = (_as_written(adr, name, field.line), 0)
    title = adr.doc.title
    if title and adr.meanings.of(title.title):
        forms.update((key, (title.title, title.level)) for key in keys_of(adr, title.title))
    for section in adr.doc.sections:
        for key in keys_of(adr, section.title):
            if forms.get(key, ("", 0))[1] == 0:
                forms[key] = (section.title, section.level)
    missing = [key for key in CORE if key not in forms]
    if missing:
        for match in re.finditer(_LABEL, adr.doc.prose_markup.decode()):
            for key in adr.meanings.of(match[1]):
                if key in missing:
                    forms.setdefault(key, (match[1], 0))
    return forms


def _as_written(adr: Adr, name: str, line: int) -> str:
    """Return the name of a field as the ADR writes it."""
    match = re.match(_KEY, adr.doc.texts({line})[line])
    return match[1] if match else name


def keys_of(adr: Adr, title: str) -> tuple[str, ...]:
    """Return the meanings of a heading, or its normalised words without a known meaning."""
    return adr.meanings.of(title) or (normalise(title),)


def lacking(adr: Adr, norm: Norm) -> Iterator[Trait]:
    """Yield what an ADR lacks of a norm."""
    own = traits(adr)
    yield from (trait for trait in norm.traits if trait.key not in own)
