"""Proposals at a position of an ADR: ids of other ADRs, statuses, keys of the header, sections."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..adr.model import Adr
from ..adr.names.aliases import FIELDS, SECTIONS, STATUSES
from ..adr.names.field import field_name
from ..adr.names.heading import display_name
from ..adr.names.language import language
from ..adr.parse.document import Section
from ..adr.reference import RELATIONS
from ..adr.rules.structure.section_missing import is_there
from ..adr.template import HELIX
from ..report.adr_table import DatedEntry
from ..text.sanitize import printable
from .mentions import front_lines, key_above
from .positions import BufferText, TextPosition

ID, STATUS, KEY, SECTION = "id", "status", "key", "section"

_NEAR = 300
"""Characters before the cursor in which proposals are made; patterns would be slow on more."""
_TYPED_ID = r"(?i)(?<![\w-])adr[-_ ]\d*$"
_TYPED_HEADING = r"(#{1,6})[ \t]+[^#]*$"
_TYPED_FIELD = r"[\W_]*([^\W\d_][\w -]*?)[\s*_]*[:：][\s*_]*([\w -]*)$"
_LONGEST = 200
_LONGEST_STATUS = 40


class Proposal(NamedTuple):
    """A text to insert. `new` replaces the line from the column `start` to the cursor.

    `search` is the text that is compared with what was typed.
    """

    kind: str
    label: str
    new: str
    start: int
    detail: str = ""
    search: str = ""


def proposals(
    adr: Adr, text: BufferText, position: TextPosition, others: Sequence[DatedEntry]
) -> list[Proposal]:
    """Return the proposals at a position, the likeliest first.

    `others` are the ADRs of the repository, with or without the ADR itself.
    """
    before = text.line(position.line)[: position.column]
    if len(before) > _NEAR:
        return []
    others = [other for other in others if other.entry.path != adr.doc.path]
    typed = re.search(_TYPED_ID, before)
    if typed:
        return [_prefixed(other, typed.start()) for other in _with_id(others)]
    if position.line in front_lines(adr):
        return list(_in_front(adr, text, position, before, others))
    heading = re.match(_TYPED_HEADING, before)
    if heading:
        return list(_sections(adr, heading[1]))
    start = _start_of_status(adr, text, position, before)
    if start is None:
        return []
    return list(_statuses(adr, start, others))


def _with_id(others: Sequence[DatedEntry]) -> Iterator[DatedEntry]:
    return (other for other in others if other.entry.id)


def _in_front(
    adr: Adr, text: BufferText, position: TextPosition, before: str, others: Sequence[DatedEntry]
) -> Iterator[Proposal]:
    """Yield the proposals in the front matter."""
    if re.fullmatch(r"[\w-]*", before):
        yield from _keys(adr)
    is_value = ":" in before or re.match(r"\s*-|\s+", before)
    if not is_value:
        return
    field = key_above(text, position.line, front_lines(adr).start)
    start = len(before) - len(re.findall(r"[\w.-]*$", before)[0])
    if field == "status":
        yield from _statuses(adr, start, others)
    elif field in RELATIONS:
        is_quoted = before[:start].endswith(('"', "'"))
        for other in _with_id(others):
            yield _listed(other, start, is_quoted=is_quoted)


def _listed(other: DatedEntry, start: int, *, is_quoted: bool) -> Proposal:
    """Return an id as an item of a list."""
    id = other.entry.id
    new = id
    if id.isdigit() and not is_quoted:
        new = f'"{id}"'  # YAML would read digits as a number
    return _proposed(other, label=id, new=new, start=start)


def _prefixed(other: DatedEntry, start: int) -> Proposal:
    """Return an id as it is written in prose."""
    name = other.entry.id
    if name[:1].isdigit():
        name = f"ADR-{name}"
    return _proposed(other, label=name, new=name, start=start)


def _proposed(other: DatedEntry, label: str, new: str, start: int) -> Proposal:
    title = printable(other.entry.title, _LONGEST)
    return Proposal(
        kind=ID,
        label=printable(label, _LONGEST),
        new=new,
        start=start,
        detail=f"{title} ({other.entry.status or 'no status'})",
        search=f"{new} {title}",
    )


def _keys(adr: Adr) -> Iterator[Proposal]:
    """Yield the keys that the header lacks, those that the template requires first."""
    for key in dict.fromkeys((*adr.template.fields, *FIELDS)):
        if key not in adr.header.fields and not key.startswith("files_"):
            detail = "required" if key in adr.template.fields else ""
            yield Proposal(kind=KEY, label=key, new=f"{key}: ", start=0, detail=detail, search=key)


def _sections(adr: Adr, marks: str) -> Iterator[Proposal]:
    """Yield the names of sections in the language of the ADR, missing ones first."""
    if len(marks) != adr.level:
        return
    for name, detail in _section_names(adr).items():
        new = f"{marks} {name}"
        yield Proposal(kind=SECTION, label=name, new=new, start=0, detail=detail, search=new)


def _section_names(adr: Adr) -> dict[str, str]:
    """Return the names of the sections that an ADR lacks, each with its detail."""
    missing = [item for item in adr.template.sections if not is_there(adr, item)]
    names = {adr.called(item): "missing" for item in missing}
    for item in adr.template.optional:
        if not adr.has(item):
            names.setdefault(adr.called(item), "optional")
    written_in = _language(adr)
    # A missing section is proposed once, by the name that its template prefers.
    excluded = set(adr.h2).union(*(item.meanings for item in missing))
    for meaning in SECTIONS:
        if meaning not in excluded:
            names.setdefault(display_name(meaning, written_in), "")
    return names


def _language(adr: Adr) -> str:
    """Return the language of the ADR's headings, by default English."""
    titles = [section.title for section in adr.doc.sections if section.level == adr.level]
    return language(titles, "en")


def _start_of_status(adr: Adr, text: BufferText, position: TextPosition, before: str) -> int | None:
    """Return the start column of the status at the cursor; None if no status is typed there."""
    field = re.match(_TYPED_FIELD, before)
    if field and field_name(field[1]) == "status":
        return field.start(2)
    line = position.line + 1
    for section in adr.h2.get("status", ()):
        if _is_first_text(adr, text, section, line):
            return len(before) - len(before.lstrip(" \t*_-"))
    return None


def _is_first_text(adr: Adr, text: BufferText, section: Section, line: int) -> bool:
    """Return whether a line is in a section, with only empty lines between it and the heading."""
    first, last = adr.doc.line_at(section.start - 1) + 1, adr.doc.line_at(section.own_stop)
    above = "".join(text.line(number - 1) for number in range(first, line))
    return first <= line <= last and not above.strip()


def _statuses(adr: Adr, start: int, others: Sequence[DatedEntry]) -> Iterator[Proposal]:
    """Yield the statuses of the template, in the words of the other ADRs or of the language."""
    # The statuses of our own template are English in all languages.
    written_in = "en" if adr.template.name == HELIX.name else _language(adr)
    used = _used(adr, others)
    for status in adr.template.statuses:
        translated = STATUSES.get(status, {}).get(written_in, (status,))[0]
        word = used.get(status, translated)
        detail = status if word != status else ""
        yield Proposal(kind=STATUS, label=word, new=word, start=start, detail=detail, search=word)


def _used(adr: Adr, others: Sequence[DatedEntry]) -> dict[str, str]:
    """Return the most frequent word of the other ADRs for each status."""
    words: dict[str, Counter[str]] = {}
    for other in others:
        status, word = other.entry.status, other.entry.status_text.strip()
        if _is_word(word) and adr.statuses.names.get(word.casefold()) == status:
            words.setdefault(status, Counter())[word] += 1
    return {status: counts.most_common(1)[0][0] for status, counts in words.items()}


def _is_word(text: str) -> bool:
    """Return whether a text is a word or several, and not a sentence about the status."""
    return 0 < len(text) <= _LONGEST_STATUS and text.replace(" ", "").isalpha()
