"""The norm of a collection, and what an ADR is held to by its template and its former versions.

A norm is what the newest ADRs of a collection, or its template file, have in common. The rule
unlike-siblings holds a new ADR to it, `new` writes it, and `init` tells it. Languages and styles
are not guessed: what most siblings have is counted, by meaning where `names` knows one, else by the
words of the heading. Pure.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from .blank import decides_nothing, is_blank
from .model import (
    CORE,
    DECISION,
    FEWEST,
    MADR,
    NYGARD,
    UNKNOWN,
    Adr,
    Form,
    Norm,
    Required,
    Template,
    Trait,
    line_of,
    meanings_of,
)
from .names import comparable, normalise
from .parse.document import Section
from .parse.prose import blocks

NEWEST = 20
"""Number of siblings that are counted, the newest by number."""
_SHARE = 0.8
"""Share of the siblings that must have something for it to belong to the norm."""
_NEWEST_OF_FILE = 10
"""Number of siblings of which half must have what a template file has, if there are `FEWEST`."""
_LABEL = r"(?m)^[^\w\n#]{0,12}([^\W\d_][^\n:：]{1,40})[:：](?!//)(?:[^\w\n]{0,9}\n)?([^\n]{1,200})"
"""A label and its text: `Decision: use Kafka`, `- **Context**: ...`."""
_LABELLED = frozenset(("context", "decision", "consequences"))
"""Statements that count behind a label in the text."""
_KEY = r"[\s>*+_|-]{0,12}([^\W\d_][\w .-]{0,40}?)[*_\s]{0,40}[:：|]"
"""The name of a field as its line has it."""
_FIELD = r"[^\W\d][\w .-]*"
"""The name of a field; a picture `![accepted](https:` is none."""
_NUMBER = r"(?i)^\W*(?:adr[-_ #]*)?\d{1,6}\s*[-:.)–—]*\s*"
"""The number before a title."""
_SHORT = frozenset(("status", "date", "deciders", "meta"))
"""Headings above a word or a few names."""
MOST_MEASURED = 2_000
"""Visible characters of a section that are counted."""
_OF_ITS_OWN = frozenset(
    "title adr_id supersedes superseded_by depends_on related_to concept metadata field property "
    "key".split()
)
"""Fields that an ADR has for a reason of its own, that other rules check, or heads of a table."""

_BLANK_TITLE = r"(?i)[\[\]{}<>]|\boptional\b"
_OPTIONAL = rb"(?is)<!--(?:(?!-->).)*\boptional\b"
_OPTIONAL_BEFORE = rb"(?is)(?:^|\n)[ \t]*<!--(?:(?!-->).)*\boptional\b(?:(?!-->).)*-->\s*$"
_OPTIONAL_BELOW = rb"(?is)\s*<!--(?:(?!-->).)*\boptional\b(?:(?!-->).)*-->(?!\s*#)"
"""A comment below a heading; directly above the next one it is about that."""
_SHORTEST_HINT = 8
"""Characters of a text of a template file below which an ADR may have it for good reason."""
_NEAR = 400
"""Bytes around a heading in which a comment of a template file may mark it as optional."""


def norm(siblings: Sequence[Adr], file: Adr | None = None, fewest: int = FEWEST) -> Norm | None:
    """Return the norm of ADRs of one folder, oldest first, and of their template file.

    None if there are fewer siblings than `fewest` and no template file that half of them follow.
    """
    forms = [adr.traits for adr in siblings]
    counted: tuple[Trait, ...] = ()
    if len(forms) >= fewest:
        counted = tuple(
            item._replace(shortest=_shortest(siblings, item)) for item in _counted(forms)
        )
    if file:
        required, mentioned = _of_file(file)
        recent = forms[-_NEWEST_OF_FILE:]
        is_shown = len(recent) >= FEWEST
        followed = [
            key
            for key in required
            if not is_shown or 2 * sum(key in form for form in recent) >= len(recent)
        ]
        if 2 * len(followed) > len(required):
            of_file = [
                Trait(
                    key,
                    required[key],
                    sum(key in form for form in forms),
                    is_recent=True,
                    of_file=True,
                )
                for key in followed
            ]
            others = [trait for trait in counted if trait.key not in mentioned]
            norm = Norm(0, (*of_file, *others), file.doc.path, hints=_hints(file, siblings))
            return _with_values(norm, (file, *siblings))
    return _with_values(Norm(0, counted), siblings) if counted else None


def _with_values(norm: Norm, read: Sequence[Adr]) -> Norm:
    """Return a norm with the names of its fields, and the titles and statuses of the siblings.

    `read` are the template file, if there is one, and the siblings.
    """
    siblings = [adr for adr in read if adr.doc.path != norm.file]
    traits = tuple(
        item._replace(form=_as_written(read, item.key, item.form)) for item in norm.traits
    )
    titles = tuple((title_of(adr), adr.doc.path) for adr in siblings)
    statuses = frozenset(comparable(adr.header.text("status")) for adr in siblings)
    return norm._replace(total=len(siblings), traits=traits, titles=titles, statuses=statuses)


def title_of(adr: Adr) -> str:
    """Return the normalised title of an ADR, without its number; "" for the name of a section."""
    if adr.meanings.of(adr.doc.title_text):
        return ""
    return normalise(re.sub(_NUMBER, "", adr.doc.title_text or adr.header.text("title")))


def _shortest(siblings: Sequence[Adr], trait: Trait) -> int:
    """Return the visible characters of the shortest section that siblings have for a heading."""
    if not trait.form[1] or trait.key in _SHORT:
        return 0
    sizes = [visible_size(adr, trait.key) for adr in siblings]
    return min((size for size in sizes if size is not None), default=0)


def visible_size(adr: Adr, key: str) -> int | None:
    """Return the visible characters below the headings of a key, up to `MOST_MEASURED`.

    None without such a heading.
    """
    sections = [item for item in adr.doc.sections if key in keys_of(adr, item.title)]
    if not sections:
        return None
    size = 0
    for section in sections:
        size += len(adr.doc.visible(section.start, section.stop).strip())
        if size >= MOST_MEASURED:
            return MOST_MEASURED
    return size


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


def _hints(file: Adr, siblings: Sequence[Adr]) -> frozenset[str]:
    """Return the texts of a template file, without those that half of its ADRs keep."""
    counts = Counter(text for adr in siblings for text in _texts(adr))
    return frozenset(text for text in _texts(file) if 2 * counts[text] < max(1, len(siblings)))


def _texts(adr: Adr) -> set[str]:
    """Return the texts in the sections of an ADR, as far as they are no single words."""
    sections = [item for item in adr.doc.sections if "status" not in adr.meanings.of(item.title)]
    texts = {
        comparable(block.text)
        for section in sections
        for block in blocks(adr.doc, section.start, section.own_stop)
        if not (block.solid or block.cells)
    }
    return {text for text in texts if len(text) >= _SHORTEST_HINT}


def no_longer_asked(old: Sequence[Adr], new: Sequence[Adr]) -> list[str]:
    """Return the headings and fields that a template file required and its new version does not.

    Each is the file, or nothing if it is not there or can't be read.
    """
    still = {key for file in new for key in _of_file(file)[0]}
    return [
        line_of(form) for file in old for key, form in _of_file(file)[0].items() if key not in still
    ]


def _of_file(file: Adr) -> tuple[dict[str, Form], frozenset[str]]:
    """Return what a template file requires, and everything that it mentions."""
    mentioned = file.traits
    optional: set[str] = set()
    for section in file.doc.sections:
        if _is_optional(file, section):
            optional.update(keys_of(file, section.title))
    for name, field in file.header.fields.items():
        if re.search(_OPTIONAL, file.doc.texts({field.line})[field.line].encode()):
            optional.add(name)
    required = {key: form for key, form in mentioned.items() if key not in optional}
    return required, frozenset(mentioned)


def _is_optional(file: Adr, section: Section) -> bool:
    """Return whether a template file marks a section as optional, or its heading as a blank."""
    if section.level > file.level or re.search(_BLANK_TITLE, section.title):
        return True
    data, start, stop = file.doc.data, section.heading_start, section.start
    if re.search(_OPTIONAL, data[start:stop]):
        return True
    before, below = data[max(0, start - _NEAR) : start], data[stop : stop + _NEAR]
    return bool(re.search(_OPTIONAL_BEFORE, before) or re.match(_OPTIONAL_BELOW, below))


def traits_of(adr: Adr) -> dict[str, Form]:
    """Return what an ADR has, by key, in its order: fields, headings and labels of the core."""
    forms: dict[str, Form] = {}
    fields = adr.header.fields
    for name, field in fields.items():
        # `files.create` is the field files_create; only the outer key is counted.
        is_nested = any(name[:end] in fields for end, sign in enumerate(name) if sign == "_")
        says_nothing = name in CORE and name != "status" and is_blank(field.text)
        is_name = re.fullmatch(_FIELD, name) and name not in _OF_ITS_OWN
        if is_name and not is_nested and not says_nothing:
            forms[name] = (name, 0)
    title = adr.doc.title
    # `# Context` may be the first section; `# A problem of ours` is a title.
    meaning = adr.meanings.names.get(normalise(title.title)) if title else None
    if title and meaning:
        forms[meaning] = (title.title, title.level)
    for section in adr.doc.sections:
        for key in keys_of(adr, section.title):
            if forms.get(key, ("", 0))[1] == 0:
                # A heading stands where it is in the text, also if its field was read before.
                forms.pop(key, None)
                forms[key] = (section.title, section.level)
    if not all(map(forms.__contains__, CORE)):
        for key, label in _labels(adr):
            forms.setdefault(key, (label, 0))
    return forms


def _labels(adr: Adr) -> Iterator[tuple[str, str]]:
    """Yield the labels of the core that have a text: `Decision: TBD` says nothing."""
    for match in re.finditer(_LABEL, adr.doc.prose_markup.decode()):
        # The status is read by the header; `status: ...` in the text is about something else.
        keys = _LABELLED.intersection(adr.meanings.of(match[1]))
        if not keys or is_blank(match[2]):
            continue
        # `Decision: accepted` is a status.
        if adr.statuses.read(match[2]) or decides_nothing(match[2], False):
            keys -= {"decision"}
        for key in keys:
            yield key, match[1]


def _as_written(siblings: Sequence[Adr], key: str, form: Form) -> Form:
    """Return the form of a trait; that of a field as the newest sibling writes it."""
    for adr in reversed(siblings):
        field = adr.header.fields.get(key)
        if field and not form[1]:
            match = re.match(_KEY, adr.doc.texts({field.line})[field.line])
            return (match[1], 0) if match else form
    return form


def keys_of(adr: Adr, title: str) -> tuple[str, ...]:
    """Return the meanings of a heading, or its normalised words without a known meaning."""
    return adr.meanings.of(title) or (normalise(title),)


def lacking(adr: Adr, norm: Norm) -> Iterator[Trait]:
    """Yield what an ADR lacks of a norm."""
    yield from (trait for trait in norm.traits if trait.key not in adr.traits)


# The template that an ADR follows, and what it is held to.

_HELIX_FIELDS = frozenset(("component_type", "classification", "change_scope"))
_HELIX_SECTIONS = frozenset(("acceptance-criteria", "documentation", "implementation"))
_MADR_NAMES = frozenset(
    "context and problem statement; decision outcome; considered options; "
    "considered alternatives; pros and cons of the options; kontext und problemstellung; "
    "ergebnis der entscheidung; betrachtete optionen".split("; ")
)
"""Normalised headings that only MADR has."""
_NYGARD_MARKS = frozenset(("status", "context", "decision", "consequences"))
_NO_STYLE = _NYGARD_MARKS | {"meta", "references", "changelog"}
"""Sections that do not show another style, such as in a nygard ADR without its other sections."""
_FEWEST_MARKS = 2
_MADR = MADR._replace(
    sections=tuple(item for item in MADR.sections if "options" not in item.meanings),
    optional=(Required("Considered Options", ("options",), "warning"),),
)
"""MADR as it is recognised: its options may be missing, but not empty."""
_DECIDING = Required("Decision", (DECISION,))
"""The section Decision as a requirement."""
_FIRST = frozenset(("status", "context", DECISION))
"""Sections that an ADR without siblings must have if it follows a known template."""


def of_first(template: Template) -> Template:
    """Return what a new ADR must have where no siblings and no template file say it.

    A known template asks for status, context and decision; its other sections are a warning. In an
    unknown style a missing decision is a warning.
    """
    if template.name == UNKNOWN.name:
        return template._replace(sections=(_DECIDING._replace(severity="warning"),))
    sections = tuple(
        item if _FIRST.intersection(item.meanings) else item._replace(severity="warning")
        for item in template.sections
    )
    return template._replace(sections=sections)


def of_siblings(template: Template, norm: Norm, has_decision: bool) -> Template:
    """Return what the template of a new ADR adds to the norm of its siblings: only the decision.

    With `has_decision` the norm asks for it, or the ADR has it. It is not asked for where a norm
    was counted and the siblings have none. In an unknown style it is a warning. The other sections
    may be missing, but not empty.
    """
    if has_decision or norm.total >= FEWEST or not norm.file:
        return template._replace(sections=(), optional=(*template.sections, *template.optional))
    severity = "warning" if template.name == UNKNOWN.name else ""
    others = tuple(item for item in template.sections if DECISION not in item.meanings)
    return template._replace(
        sections=(_DECIDING._replace(severity=severity),), optional=(*others, *template.optional)
    )


def of_old(template: Template, had: frozenset[str], before: Iterable[Required] = ()) -> Template:
    """Return what an ADR of the base is held to: to keep what its versions before all had.

    `had` are the meanings of what they had, `before` the sections of their templates. The other
    sections of the template are information.
    """
    known = [
        item._replace(severity="" if had.intersection(item.meanings) else "info")
        for item in template.sections
    ]
    for item in (*template.optional, *NYGARD.sections, *before):
        is_known = not meanings_of(known).isdisjoint(item.meanings)
        if had.intersection(item.meanings) and not is_known:
            known.append(item._replace(severity=""))
    optional = tuple(item for item in template.optional if not had.intersection(item.meanings))
    return template._replace(sections=tuple(known), optional=optional)


def detected(adr: Adr, helix: Template) -> Template:
    """Return the template that an ADR follows: the most demanding one with its marks.

    helix is recognised by `adr_id` in the header or by two of its other fields or sections; MADR by
    the names that only it uses, such as "Decision Outcome"; nygard by two of its sections, or if
    there are no others. Anything else is `UNKNOWN`. The options of madr may be missing.
    """
    has_id = re.search(r"(?m)^adr[-_]id\s*:", adr.doc.front or "")
    if has_id or len(_HELIX_FIELDS & adr.header.fields.keys()) >= _FEWEST_MARKS:
        return helix
    titles = [section.title for section in adr.doc.sections if section.level == adr.level]
    names = set(chain.from_iterable(map(adr.meanings.of, titles)))
    if names >= _HELIX_SECTIONS:
        return helix
    if not _MADR_NAMES.isdisjoint(map(normalise, titles)):
        return _MADR
    if len(_NYGARD_MARKS & names) >= _FEWEST_MARKS:
        return NYGARD
    has_other_style = any(_NO_STYLE.isdisjoint(adr.meanings.of(title)) for title in titles)
    return UNKNOWN if has_other_style else NYGARD
