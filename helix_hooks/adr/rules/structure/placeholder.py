import re
from bisect import bisect_left
from collections.abc import Iterator
from operator import itemgetter

from ...model import Adr, RuleResult, rule
from ...names.aliases import FIELDS
from ...names.blank import (
    is_blank_row,
    is_blank_title,
    is_blank_value,
    is_label,
    is_left_over,
    markers,
    quoted,
)
from ...names.field import field_name
from ...norm import keys_of
from ...parse.blocks import Block, blocks, odd_tags
from ...parse.document import AdrDocument, Section
from ...parse.sections import tells_something
from ...template import DECISION, UNKNOWN
from ...unwritten import blank_in, is_left_open, still_blank, undecided_in
from .section_missing import sections_of

_CORE = ("context", DECISION)
"""Sections that need text in a complete ADR, whatever its template requires."""
_CHECKED_ELSEWHERE = frozenset(("status", "acceptance-criteria"))
"""Sections whose placeholders are reported by header-invalid and acceptance-criteria-too-few."""
_OPEN = frozenset(("questions", "out-of-scope", "changelog"))
"""Sections that may say what is still open."""
_UNFILLED = 2
"""Number of placeholders beside that of the title that make a file an unfilled template."""
_MAX_STATUS = 200
"""Characters of a status that are read."""
_LABEL_WORDS = 3
"""Words before a colon in a header field."""
_SIGNS = (
    rb"\{(?<![\w`$\\{]\{)[^\s\d{%#\"']"
    rb"|\[(?<![\w`!\]\[]\[)[^\[\]]{2,900}\](?![(\[:])"
    rb"|<(?<![\w`<]<)[^\W\d_]"
    rb"|TODO|TBD|TBC|FIXME"
    rb"|\| *(?:\.\.\.|\xe2\x80\xa6|(?i:names?|author|role|approver|date|tbd|todo|yyyy-mm-dd))"
    rb" *[|\n]"
)
"""The marks of a placeholder between real text."""
_FRONT_FIELD = r"[ \t]*[\w -]{1,40}:[ \t]*(\{[^{}:]{3,400}\})[ \t]*(?:#.*)?"
"""A field with a text in braces, which YAML reads as a mapping: `deciders: {list all of them}`."""
_TASKS = ("TODO", "FIXME")
_VALUE = r"[^:：]{2,40}[:：]\W*\w+\W*"
_NOTHING_DUE = frozenset(("Draft", "Superseded", "Deprecated", "Rejected", "Withdrawn"))


@rule("placeholder", "structure", "error")
def placeholder(adr: Adr) -> Iterator[RuleResult]:
    """A title, section, header field or table row is still a placeholder of the template.

    A section that says only "TODO" exists, but an ADR with it decides nothing. A placeholder is a
    text that the author must replace: a text in brackets (`{short title}`, `<decision>`,
    `[describe the context]`), words for unfinished text (TODO, TBD, "noch offen"), dots,
    `YYYY-MM-DD`, or the hint of a template alone in its section. In a new ADR, a section that has
    only texts of the folder's template file is a placeholder too. Words are known in English and
    German; marks and the template file count in any language. A decision section that says
    only "not yet decided" or "x" is reported too. "n/a" and "none" are answers. Code is not
    checked.

    A placeholder is an error if it is the whole visible text of the title, a required section, a
    known header field or a table row. It is a warning in other sections and between real text. A
    TODO in a sentence is information. In a Draft, placeholders are at most warnings. Replace the
    placeholder, or delete it. A template whose title and at least two other places are not filled
    in is one finding.
    """
    title = [*_in_title(adr)]
    fields = [*_in_fields(adr)]
    # A field of a text header is a line of the text too; header-invalid checks the status.
    lines = {item.line for item in fields}
    if "status" in adr.header.fields:
        lines.add(adr.header.fields["status"].line)
    others = fields + [item for item in _in_text(adr) if item.line not in lines]
    firm = [item for item in others if not item.severity] if title else []
    if len(firm) >= _UNFILLED:
        *rest, last = (str(item.line) for item in firm)
        places = f"the title, lines {', '.join(rest)} and {last}"
        yield title[0]._replace(
            message=f"the template is not filled in: {places}",
            help="replace each placeholder, or delete it",
            subject="template",
        )
    else:
        yield from (*title, *others)


def _in_title(adr: Adr) -> Iterator[RuleResult]:
    title = adr.doc.title
    if not title:
        return
    text = " ".join(block.text for block in blocks(adr.doc, title.heading_start, title.start))
    help = "say in a few words what is decided"
    if not text.strip():
        # A title with only a picture is not empty, and the header may have the title.
        if not adr.header.text("title") and adr.doc.shows_nothing(title.heading_start, title.start):
            yield RuleResult(
                line=adr.title_line, message="the title is empty", help=help, subject="title"
            )
    elif is_blank_title(text):
        yield RuleResult(
            line=adr.doc.line_at(title.heading_start),
            message=f"the title is still a placeholder: {quoted(text)}",
            help=help,
            words=text.strip(),
            subject="title",
        )


def _in_fields(adr: Adr) -> Iterator[RuleResult]:
    """Yield the header fields whose value is a placeholder; in an unknown field, TBD is a value."""
    in_braces: dict[int, str] = {}
    for number, line in enumerate((adr.doc.front or "").split("\n"), adr.doc.front_line):
        match = re.fullmatch(_FRONT_FIELD, line) if "{" in line else None
        if match:
            in_braces[number] = match[1]
    for name, field in adr.header.fields.items():
        texts = field.texts
        if field.line in in_braces and texts:
            texts = (in_braces[field.line],)
        if name == "status":
            text = field.text if _offers_statuses(adr, field.text) else ""
        else:
            # `Date: DATE` repeats its name.
            blanks = (item for item in texts if item == name.upper() or is_blank_value(item))
            text = next(blanks, "")
        is_known = name in FIELDS or name in adr.template.fields
        if not text or (not is_known and is_label(text.upper())):
            continue
        yield RuleResult(
            line=field.line,
            message=f"the field '{name}' is still a placeholder: {quoted(text)}",
            help="fill it in, or delete it if it is optional",
            severity="" if is_known else "warning",
            column=field.column,
            words=text,
            subject=name,
        )


def _offers_statuses(adr: Adr, text: str) -> bool:
    """Return whether a status is a choice that is read as its first: `[proposed | accepted]`."""
    if text[:1] not in "[{<" or text[-1:] not in "]}>" or not adr.statuses.read(text):
        return False
    words = (word.strip("[]{}<>|,…") for word in text[:_MAX_STATUS].split())
    statuses = {adr.statuses.read(word) for word in words}
    return len(statuses - {None, ""}) > 1


def _in_text(adr: Adr) -> Iterator[RuleResult]:
    """Yield blank sections, and the placeholders between the text of others."""
    doc = adr.doc
    signs = [match.start() for match in re.finditer(_SIGNS, doc.prose_markup)]
    signs = sorted([*signs, *map(itemgetter(0), odd_tags(doc, 0, len(doc.data)))])
    first = doc.sections[0].heading_start if doc.sections else len(doc.data)
    top = doc.title.start if doc.title and doc.title.start <= first else doc.body
    if _any_between(signs, top, first):
        yield from _below_title(doc, list(blocks(doc, top, first)))
    firm = _firm_sections(adr)
    done = 0
    for index, section in enumerate(doc.sections):
        meanings = set(adr.meanings.of(section.title))
        if section.heading_start < done or meanings & _CHECKED_ELSEWHERE:
            continue
        is_whole = section.level >= adr.level or not _any_between(firm, section.start, section.stop)
        finding = _on_whole_section(adr, index, firm) if is_whole else None
        if finding:
            done = section.stop
            if not meanings & _OPEN:
                yield finding
            continue
        if is_left_over(section.title):
            yield _left_over(doc, section.heading_start, section.title)
        if _any_between(signs, section.start, section.own_stop):
            own = list(blocks(doc, section.start, section.own_stop))
            yield from _blank_rows(doc, own)
            yield from (_left_over(doc, item.start, item.text) for item in own if _is_left(item))
            if not meanings & _OPEN:
                yield from _tasks(adr, section, own)


def _any_between(offsets: list[int], start: int, stop: int) -> bool:
    """Return whether one of the sorted offsets is in a span."""
    return bisect_left(offsets, start) < bisect_left(offsets, stop)


def _firm_sections(adr: Adr) -> list[int]:
    """Return the sorted offsets of the headings of all sections that need text.

    These are the sections of the template and of the norm, and its core.
    """
    sections: list[Section] = []
    for meaning in _CORE:
        sections += adr.h2.get(meaning, ())
    for required in adr.template.all_sections:
        sections += sections_of(adr, required)
    if adr.norm:
        usual = {trait.key for trait in adr.norm.traits}
        sections += [
            section
            for section in adr.doc.sections
            if not usual.isdisjoint(keys_of(adr, section.title))
        ]
    if adr.template.name == UNKNOWN.name and not tells_something(adr.doc):
        own = [section for section in adr.doc.sections if section.level == adr.level]
        filled = [
            section
            for section in own
            if "status" not in adr.meanings.of(section.title)
            and not adr.doc.shows_nothing(section.start, section.stop)
        ]
        if still_blank(adr, filled):
            sections += adr.doc.sections
    return sorted({section.heading_start for section in sections})


def _on_whole_section(adr: Adr, index: int, firm: list[int]) -> RuleResult | None:
    """Return the finding on a blank or undecided section; None if it has other text."""
    section = adr.doc.sections[index]
    state = "is still a placeholder"
    blank = blank_in(adr, index)
    if not blank:
        state = "decides nothing"
        blank = undecided_in(adr, index)
    if not blank:
        return None
    help = 'write the section; "none" is an answer too'
    is_firm = _any_between(firm, section.heading_start, section.start)
    severity = "" if is_firm else "warning"
    if DECISION in adr.meanings.of(section.title):
        help = "write what is decided, and why"
        if is_left_open(adr, blank.text):
            severity = "warning"
    return RuleResult(
        line=adr.doc.line_at(blank.start),
        message=f"the section '{section.title}' {state}: {quoted(blank.text)}",
        help=help,
        severity=severity,
        words=blank.text,
        subject=section.title,
    )


def _below_title(doc: AdrDocument, own: list[Block]) -> Iterator[RuleResult]:
    """Yield the placeholders between the title and the first section; a known field is firm."""
    yield from _blank_rows(doc, own)
    for block in own:
        label, colon, value = block.text.partition(":")
        is_field = colon and not (block.solid or block.cells) and is_left_over(value)
        if is_field and len(label.split()) <= _LABEL_WORDS:
            result = _left_over(doc, block.start, block.text)
            is_firm = field_name(label.strip(" *_")) in FIELDS
            yield result._replace(severity="") if is_firm else result
        elif _is_left(block):
            yield _left_over(doc, block.start, block.text)


def _blank_rows(doc: AdrDocument, own: list[Block]) -> Iterator[RuleResult]:
    """Yield the blank rows of tables; neighbouring rows are one finding."""
    above: Block | None = None
    was_blank = False
    for block in own:
        is_row = bool(block.cells) and not block.head and not block.solid
        is_blank = is_row and is_blank_row(block.cells)
        is_below_row = above is not None and bool(above.cells) and not above.head
        # Dots below a real row mean "and so on".
        goes_on = is_below_row and not any(map(str.isalnum, block.text))
        if is_blank and not was_blank and not goes_on:
            row = " | ".join(block.cells)
            yield RuleResult(
                line=doc.line_at(block.start),
                message=f"this table row is still a placeholder: {quoted(row)}",
                help="fill it in, or delete it",
                subject=row,
            )
        above, was_blank = block, is_blank


def _is_left(block: Block) -> bool:
    return not (block.solid or block.cells) and is_left_over(block.text)


def _left_over(doc: AdrDocument, place: int, text: str) -> RuleResult:
    return RuleResult(
        line=doc.line_at(place),
        message=f"a placeholder of the template is left: {quoted(text)}",
        help="fill it in, or delete it",
        severity="warning",
        words=text,
        subject=text,
    )


def _tasks(adr: Adr, section: Section, own: list[Block]) -> Iterator[RuleResult]:
    """Yield one finding for a section with tasks.

    A Draft is open as a whole, and a retired ADR need not be completed.
    """
    if adr.statuses.read(adr.header.text("status")) in _NOTHING_DUE:
        return
    texts = [block for block in own if not block.solid and not block.cells]
    marked = [(block, task) for block in texts if (task := _task(block.text))]
    if not marked:
        return
    first, task = marked[0]
    count = f", and {len(marked) - 1} more" if len(marked) > 1 else ""
    yield RuleResult(
        line=adr.doc.line_at(first.start),
        message=f"section '{section.title}' has an open task: {task}{count}",
        help="resolve it, or link the issue that tracks it",
        severity="info",
        subject=section.title,
    )


def _task(text: str) -> str:
    """Return the mark of a task in a block: TODO, or TBD before a text or alone after a label.

    "(name TBD)" is a detail that is open on purpose.
    """
    is_whole = is_label(text) or re.fullmatch(_VALUE, text)
    return next((mark for mark in markers(text) if is_whole or mark in _TASKS), "")
