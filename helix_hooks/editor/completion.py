"""Proposals at a place of an ADR: ids of others, statuses, keys of the header, sections."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from ..adr.model import Adr
from ..adr.names.aliases import FIELDS, SECTIONS, STATUSES
from ..adr.names.field import field_name
from ..adr.names.heading import display_name
from ..adr.names.language import language
from ..adr.reference import RELATIONS
from ..adr.rules.structure.section_missing import is_there
from ..adr.template import HELIX
from ..records import NamedTuple
from ..report.adr_table import DatedEntry
from ..text.sanitize import printable
from .mentions import front_lines, key_above
from .positions import BufferText, TextPosition

ID, STATUS, KEY, SECTION = "id", "status", "key", "section"

_NEAR = 300
_TYPED_ID = r"(?i)(?<![\w-])adr[-_ ]\d*$"
_TYPED_HEADING = r"(#{1,6})[ \t]+[^#]*$"
_TYPED_FIELD = r"[\W_]*([^\W\d_][\w -]*?)[\s*_]*[:：][\s*_]*([\w -]*)$"
_LONGEST = 200
_LONGEST_STATUS = 40


class Proposal(NamedTuple):
    """A text to insert: `new` replaces the line from the column `start` to the cursor.

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

    `others` are the ADRs of the repository; the ADR itself may be among them.
    """
    before = text.line(position.line)[: position.column]
    if len(before) > _NEAR:
        return []
    known = [other for other in others if other.entry.path != adr.doc.path]
    typed = re.search(_TYPED_ID, before)
    if typed:
        return [_prefixed(other, typed.start()) for other in known if other.entry.id]
    if position.line in front_lines(adr):
        return list(_in_front(adr, text, position, before, known))
    heading = re.match(_TYPED_HEADING, before)
    if heading:
        return list(_sections(adr, heading[1]))
    start = _start_of_status(adr, text, position, before)
    return list(_statuses(adr, start, known)) if start is not None else []


def _in_front(
    adr: Adr, text: BufferText, position: TextPosition, before: str, known: Sequence[DatedEntry]
) -> Iterator[Proposal]:
    """Yield the proposals in the front matter."""
    if re.fullmatch(r"[\w-]*", before):
        yield from _keys(adr)
    field = key_above(text, position.line, front_lines(adr).start)
    start = len(before) - len(re.findall(r"[\w.-]*$", before)[0])
    is_value = ":" in before or re.match(r"\s*-|\s+", before)
    if not is_value:
        return
    if field == "status":
        yield from _statuses(adr, start, known)
    elif field in RELATIONS:
        is_quoted = before[:start].endswith(('"', "'"))
        yield from (_listed(other, start, is_quoted=is_quoted) for other in known if other.entry.id)


def _listed(other: DatedEntry, start: int, *, is_quoted: bool) -> Proposal:
    """Return an id as an item of a list; digits are quoted, else YAML reads them as a number."""
    id = other.entry.id
    new = f'"{id}"' if id.isdigit() and not is_quoted else id
    return _proposed(other, label=id, new=new, start=start)


def _prefixed(other: DatedEntry, start: int) -> Proposal:
    """Return an id as it is written in prose."""
    id = other.entry.id
    name = f"ADR-{id}" if id[:1].isdigit() else id
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
    """Yield names of sections in the language of the ADR, those that are missing first."""
    if len(marks) != adr.level:
        return
    missing = [item for item in adr.template.sections if not is_there(adr, item)]
    names = {adr.called(item): "missing" for item in missing}
    optional = (item for item in adr.template.optional if not adr.has(item))
    names.update(dict.fromkeys((adr.called(item) for item in optional), "optional") | names)
    there = [section.title for section in adr.doc.sections if section.level == adr.level]
    mine = language(there, "en")
    taken = {meaning for item in missing for meaning in item.meanings}
    for meaning in SECTIONS:
        if meaning not in adr.h2 and meaning not in taken:
            names.setdefault(display_name(meaning, mine), "")
    for name, detail in names.items():
        new = f"{marks} {name}"
        yield Proposal(kind=SECTION, label=name, new=new, start=0, detail=detail, search=new)


def _start_of_status(adr: Adr, text: BufferText, position: TextPosition, before: str) -> int | None:
    """Return the start column of the status at the cursor; None if no status is typed there."""
    field = re.match(_TYPED_FIELD, before)
    if field and field_name(field[1]) == "status":
        return field.start(2)
    line = position.line + 1
    for section in adr.h2.get("status", ()):
        first, last = adr.doc.line_at(section.start - 1) + 1, adr.doc.line_at(section.own_stop)
        above = [text.line(number - 1) for number in range(first, line)]
        if first <= line <= last and not "".join(above).strip():
            return len(before) - len(before.lstrip(" \t*_-"))
    return None


def _statuses(adr: Adr, start: int, known: Sequence[DatedEntry]) -> Iterator[Proposal]:
    """Yield the statuses of the template, in the words of the other ADRs or of the language."""
    titles = [section.title for section in adr.doc.sections if section.level == adr.level]
    mine = "en" if adr.template.name == HELIX.name else language(titles, "en")
    used = _used(adr, known)
    for status in adr.template.statuses:
        translated = STATUSES.get(status, {}).get(mine, (status,))[0]
        word = used.get(status, translated)
        detail = status if word != status else ""
        yield Proposal(kind=STATUS, label=word, new=word, start=start, detail=detail, search=word)


def _used(adr: Adr, known: Sequence[DatedEntry]) -> dict[str, str]:
    """Return the commonest word of the other ADRs for each status."""
    words: dict[str, Counter[str]] = {}
    for other in known:
        entry = other.entry
        word = entry.status_text.strip()
        is_word = 0 < len(word) <= _LONGEST_STATUS and word.replace(" ", "").isalpha()
        if is_word and adr.statuses.names.get(word.casefold()) == entry.status:
            words.setdefault(entry.status, Counter())[word] += 1
    return {status: counts.most_common(1)[0][0] for status, counts in words.items()}
