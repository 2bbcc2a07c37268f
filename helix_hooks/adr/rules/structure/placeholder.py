import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator

from ....finding import Severity
from ...model import Adr, Found
from ...names.aliases import FIELDS
from ...names.blank import (
    is_blank,
    is_blank_row,
    is_blank_title,
    is_blank_value,
    is_hint,
    is_label,
    is_left_over,
    is_lower_phrase,
    is_plain_start,
    markers,
)
from ...names.field import field_name
from ...parse.blocks import Block, blocks, odd_tags
from ...parse.document import AdrDocument, Section
from ...parse.sections import tells_something
from ...template import OWN
from .section_missing import leads, standing_in

_CORE = ("context", "decision")
"""Sections that are never blank in a complete ADR, whatever its template requires."""
_ELSEWHERE = frozenset(("status", "acceptance-criteria"))
"""Sections whose blanks are reported by header-invalid and acceptance-criteria-too-few."""
_OPEN = frozenset(("questions", "out-of-scope", "changelog"))
"""Sections that may speak of what is still open."""
_NO_WORD = frozenset((".", "-", "--", "—", "_", "*", "?", "!", ":", "/", ","))
_SHOWN = 60
_MARKS = frozenset("[(<{$%@_«‹【〔〈《「『（")
"""First characters of the marks that `is_wrapped_blank` knows."""
_SHORT = 200
"""Bytes of the longest decision section that may say that nothing is decided."""
_TOP = 200
_LABEL_WORDS = 3
_LONGEST_STATUS = 200
_ROW_WORDS = rb"\.\.\.|\xe2\x80\xa6|(?i:names?|author|role|approver|date|tbd|todo|yyyy-mm-dd)"
_SIGNS = (
    (b"{", rb"\{(?<![\w`$\\{]\{)[^\s\d{%#\"']"),
    (b"[", rb"\[(?<![\w`!\]\[]\[)[^\[\]]{2,900}\](?![(\[:])"),
    (b"<", rb"<(?<![\w`<]<)[^\W\d_]"),
    (b"TODO", rb"TODO"),
    (b"TBD", rb"TBD"),
    (b"TBC", rb"TBC"),
    (b"FIXME", rb"FIXME"),
    (b"|", rb"\| *(?:" + _ROW_WORDS + rb") *[|\n]"),
)
"""The marks of a blank between real text, as bytes to look for and a pattern: brackets, words for
unfinished text, and the words of a row.
"""
_FRONT_FIELD = r"(?m)^[ \t]*([\w -]{1,40}):[ \t]*\{([^{}:\n]{3,400})\}[ \t]*(?:#.*)?$"


class Placeholder:
    """A title, section, field or row of a table is still a blank of the template.

    A section that says only "TODO" is there, but an ADR with it decides nothing. A blank is a place
    in a template that the author must fill in: a text in brackets (`{short title}`, `<decision>`,
    `[describe the context]`), words for unfinished text (TODO, TBD, "noch offen", "à rédiger"),
    dots, `YYYY-MM-DD`, or the hint of a template alone in its section. A decision section that says
    only "not yet decided" or "x" is reported too. "n/a" and "none" are answers. Code is exempt. A
    blank is an error if it is the whole visible text of the title, a required section, a known
    header field or a row of a table. It is a warning in other sections and between real text. A
    TODO in a sentence is information. In a Draft, blanks are warnings at most. Fill the blank in,
    or delete it.
    """

    id = "placeholder"
    layer = "structure"
    severity = "error"

    def check(self, adr: Adr) -> Iterator[Found]:
        yield from _title(adr)
        reported: set[int] = set()
        for found in _fields(adr):
            reported.add(found.line)
            yield found
        status = adr.header.fields.get("status")
        if status:
            reported.add(status.line)
        for found in _text(adr):
            if found.line not in reported:
                yield found


def still_blank(adr: Adr, sections: list[Section]) -> bool:
    """Return whether some sections show nothing but a blank."""
    wanted = {section.heading_start for section in sections}
    return all(
        _hollow(_below(adr.doc, number)) or _undecided(adr, number)
        for number, section in enumerate(adr.doc.sections)
        if section.heading_start in wanted
    )


def _title(adr: Adr) -> Iterator[Found]:
    title = adr.doc.title
    if not title:
        return
    shown = " ".join(block.text for block in blocks(adr.doc, title.heading_start, title.start))
    help = "say in a few words what is decided"
    if not shown.strip():
        if not adr.header.text("title") and adr.doc.shows_nothing(title.heading_start, title.start):
            yield Found(line=adr.title_line, message="the title is empty", help=help)
    elif is_blank_title(shown):
        yield Found(
            line=adr.doc.line_at(title.heading_start),
            message=f"the title is still a blank: {_short(shown)}",
            help=help,
        )


def _fields(adr: Adr) -> Iterator[Found]:
    """Yield the header fields whose value is a blank; in an unknown field, TBD is not one."""
    in_braces = _fields_in_braces(adr.doc)
    for name, field in adr.header.fields.items():
        text = next((text for text in field.texts if _is_blank_value(name, text)), "")
        if field.texts:
            text = in_braces.get(field.line, text)
        if name == "status":
            text = field.text if _offers_statuses(adr, field.text) else ""
        known = name in FIELDS or name in adr.template.fields
        if not text or (not known and is_label(text.upper())):
            continue
        yield Found(
            line=field.line,
            message=f"the field '{name}' is still a blank: {_short(text)}",
            help="fill it in, or delete it where it may be left out",
            severity="" if known else "warning",
            column=field.column,
        )


def _offers_statuses(adr: Adr, text: str) -> bool:
    """Return whether a status in brackets is a choice, `[proposed | accepted]`, that was read as
    its first one. A text that is no status is the business of header-invalid.
    """
    if text[:1] not in "[{<" or text[-1:] not in "]}>" or not adr.statuses.read(text):
        return False
    words = (word.strip("[]{}<>|,…") for word in text[:_LONGEST_STATUS].split())
    return len({status for word in words if (status := adr.statuses.read(word))}) > 1


def _is_blank_value(name: str, text: str) -> bool:
    """Return whether a field has no value of its own; `Date: DATE` repeats its name."""
    return is_blank_value(text) or (text.isupper() and text.casefold() == name)


def _fields_in_braces(doc: AdrDocument) -> dict[int, str]:
    """Return the fields that are a text in braces, by line; YAML reads one as a mapping."""
    if not doc.front or "{" not in doc.front:
        return {}
    found: dict[int, str] = {}
    line, counted = doc.front_line, 0
    for match in re.finditer(_FRONT_FIELD, doc.front):
        line += doc.front.count("\n", counted, match.start())
        counted = match.start()
        if is_lower_phrase(match[2]):
            found[line] = f"{{{match[2]}}}"
    return found


def _text(adr: Adr) -> Iterator[Found]:
    doc = adr.doc
    signs = _signs(doc)
    required = _required(adr)
    first = doc.sections[0].heading_start if doc.sections else len(doc.data)
    top = doc.title.start if doc.title and doc.title.start <= first else doc.body
    if _any_between(signs, top, first):
        own = list(blocks(doc, top, first))
        yield from _preamble(doc, own, "" if _is_blank_lead(adr, own) else "warning")
    done = 0
    for number, section in enumerate(doc.sections):
        meanings = set(adr.meanings.of(section.title))
        if section.heading_start < done or meanings & _ELSEWHERE:
            continue
        whole = not _any_between(required, section.start, section.stop)
        hollow = whole and not _begins_with_prose(doc, section) and _hollow(_below(doc, number))
        undecided = _undecided(adr, number) if whole and not hollow else None
        blank = hollow or undecided
        if not blank:
            yield from _own_text(doc, section, signs, meanings)
            continue
        done = section.stop
        if not meanings & _OPEN:
            state, help = "is still a blank", 'write the section; "none" is an answer too'
            if "decision" in meanings:
                help = "write what is decided, and why"
            if undecided:
                state = "decides nothing"
            yield Found(
                line=doc.line_at(blank.start),
                message=f"the section '{section.title}' {state}: {_short(blank.text)}",
                help=help,
                severity="" if section.heading_start in required else "warning",
            )


def _own_text(
    doc: AdrDocument, section: Section, signs: list[int], meanings: set[str]
) -> Iterator[Found]:
    """The blanks in a section that says something, its sub-sections apart."""
    if is_left_over(section.title):
        yield _left_over(doc, section.heading_start, section.title)
    if not _any_between(signs, section.start, section.own_stop):
        return
    own = list(blocks(doc, section.start, section.own_stop))
    yield from _rows(doc, own)
    yield from (_left_over(doc, block.start, block.text) for block in own if _remains(block))
    if not meanings & _OPEN:
        yield from _markers(doc, section, own)


def _signs(doc: AdrDocument) -> list[int]:
    """The offsets near which a blank may stand between real text."""
    prose = doc.prose_markup
    found = [
        match.start()
        for mark, pattern in _SIGNS
        if mark in prose
        for match in re.finditer(pattern, prose)
    ]
    return sorted([*found, *(run[0] for run in odd_tags(doc, 0, len(doc.data)))])


def _begins_with_prose(doc: AdrDocument, section: Section) -> bool:
    """Return whether the first line of a section is plainly no blank; most are, and cost no closer
    look.
    """
    top = doc.prose_markup[section.start : min(section.own_stop, section.start + _TOP)]
    line = top.lstrip(b" \n\t-").partition(b"\n")[0].removeprefix(b"* ").removeprefix(b"**")
    return is_plain_start(line.decode(errors="ignore"))


def _any_between(places: list[int], start: int, stop: int) -> bool:
    return bisect_left(places, start) < bisect_left(places, stop)


def _below(doc: AdrDocument, number: int) -> Iterator[Block]:
    """The blocks of a section and its sub-sections; of their headings those that are blanks."""
    stop = doc.sections[number].stop
    for index in range(number, len(doc.sections)):
        section = doc.sections[index]
        if section.heading_start >= stop:
            return
        if index > number and is_blank(section.title):
            yield Block(start=section.heading_start, stop=section.start, text=section.title)
        yield from blocks(doc, section.start, section.own_stop)


def _required(adr: Adr) -> list[int]:
    """The offsets of the sections that must say something: those that the template asks for, and
    the core.
    """
    asked = {name for required in adr.template.all_sections for name in required.meanings}
    found = {
        section.heading_start for name in asked.union(_CORE) for section in adr.h2.get(name, ())
    }
    for required in adr.template.sections:
        others = standing_in(adr, required)
        if others and still_blank(adr, others):
            found.update(section.heading_start for section in others)
    if adr.template.name == OWN and not tells_something(adr.doc) and _all_blank(adr):
        found.update(section.heading_start for section in adr.doc.sections)
    return sorted(found)


def _all_blank(adr: Adr) -> bool:
    """Return whether no section says anything: an empty one does not, and neither does a blank."""
    return all(
        adr.doc.shows_nothing(section.start, section.stop) or still_blank(adr, [section])
        for section in adr.doc.sections
        if section.level == adr.level and "status" not in adr.meanings.of(section.title)
    )


def _hollow(part: Iterable[Block]) -> Block | None:
    """The first blank of a stretch in which a reader sees nothing else; None where something is
    said, and where there is nothing.
    """
    first: Block | None = None
    for block in part:
        if block.head or (block.text in _NO_WORD and not block.solid):
            continue
        if block.solid or not _says_nothing(block):
            return None
        first = first or block
    return first


def _undecided(adr: Adr, number: int) -> Block | None:
    """Return the first block of a short decision section that decides nothing."""
    section = adr.doc.sections[number]
    if section.stop - section.start > _SHORT or "decision" not in adr.meanings.of(section.title):
        return None
    from ...names.blank_decision import decides_nothing

    below = [block for block in _below(adr.doc, number) if not block.head]
    if not below or any(block.solid for block in below):
        return None
    rest = " ".join(block.text for block in below if not _says_nothing(block))
    has_options = any("options" in adr.meanings.of(other.title) for other in adr.doc.sections)
    return below[0] if decides_nothing(rest, has_options) else None


def _says_nothing(block: Block) -> bool:
    if block.cells:
        return is_blank_row(block.cells)
    if is_blank(block.text, block.emphasised) or is_label(block.text) or is_hint(block.text):
        return True
    if block.text[:1] not in _MARKS:
        return False
    from ...names.blank_decision import is_wrapped_blank

    return is_wrapped_blank(block.text)


def _rows(doc: AdrDocument, own: list[Block]) -> Iterator[Found]:
    """Yield the blank rows of tables; neighbouring rows are one finding.

    Dots below a real row mean "and so on".
    """
    last: Block | None = None
    for index, block in enumerate(own):
        if not block.cells or block.head or block.solid or not is_blank_row(block.cells):
            last = None
            continue
        dots = not any(map(str.isalnum, block.text))
        if not last and not (dots and index and own[index - 1].cells and not own[index - 1].head):
            row = _short(" | ".join(block.cells))
            yield Found(
                line=doc.line_at(block.start),
                message=f"this row of the table is still a blank: {row}",
                help="fill it in, or delete it",
            )
        last = block


def _remains(block: Block) -> bool:
    return not (block.solid or block.cells) and is_left_over(block.text)


def _is_blank_lead(adr: Adr, own: list[Block]) -> bool:
    """Return whether the text under the title has to be the context and is a blank.

    Fields are left aside.
    """
    wanted = (item for item in adr.template.sections if not adr.has(item))
    return any(leads(adr, item) for item in wanted) and all(
        _remains(block) or len(block.text.partition(":")[0].split()) <= _LABEL_WORDS
        for block in own
    )


def _preamble(doc: AdrDocument, own: list[Block], severity: Severity) -> Iterator[Found]:
    yield from _rows(doc, own)
    for block in own:
        label, colon, value = block.text.partition(":")
        labelled = colon and len(label.split()) <= _LABEL_WORDS and not block.solid
        if labelled and not block.cells and is_left_over(value):
            found = _left_over(doc, block.start, block.text)
            known = field_name(label.strip(" *_")) in FIELDS
            yield found._replace(severity="") if known else found
        elif _remains(block):
            yield _left_over(doc, block.start, block.text)._replace(severity=severity)


def _left_over(doc: AdrDocument, place: int, text: str) -> Found:
    return Found(
        line=doc.line_at(place),
        message=f"a blank of the template is left: {_short(text)}",
        help="fill it in, or delete it",
        severity="warning",
    )


def _markers(doc: AdrDocument, section: Section, own: list[Block]) -> Iterator[Found]:
    """Yield one finding for each section that leaves something open."""
    marked = [block for block in own if not block.solid and markers(block.text)]
    if marked:
        count = f", and {len(marked) - 1} more" if len(marked) > 1 else ""
        yield Found(
            line=doc.line_at(marked[0].start),
            message=f"the section '{section.title}' leaves something open: "
            f"{markers(marked[0].text)[0]}{count}",
            help="decide it, or link the issue that will decide it",
            severity="info",
        )


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return repr(plain if len(plain) <= _SHOWN else plain[: _SHOWN - 1] + "…")
