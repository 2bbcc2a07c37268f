import re
from collections.abc import Iterator

from ... import blank
from ...enforcement import FIELD as ENFORCEMENT
from ...model import DECISION, UNKNOWN, Adr, RuleResult, rule
from ...names import FIELDS
from ...norm import keys_of
from ...parse.document import Section
from ...parse.prose import Block, blocks, tells_something
from .section_missing import sections_of

_CHECKED_ELSEWHERE = frozenset(("status", "acceptance-criteria"))
"""Sections whose placeholders are reported by header-invalid and acceptance-criteria-too-few."""
_OPEN = frozenset(("questions", "out-of-scope", "changelog"))
"""Sections that may say what is still open."""
_FRONT_FIELD = r"[ \t]*[\w -]{1,40}:[ \t]*(\{[^{}:]{3,400}\})[ \t]*(?:#.*)?"
"""A field with a text in braces, which YAML reads as a mapping: `deciders: {list all of them}`."""
_SIGNS = rb"[{\[<&]|TODO|FIXME|TBD|TBC"
"""A text between real text has one of these if it has a placeholder; most sections have none."""
_TASKS = ("TODO", "FIXME")
"""Marks of a task within a sentence too; TBD only before a text, or alone after a label."""
_VALUE = r"[^:：]{2,40}[:：]\W*\w+\W*"
_NOTHING_DUE = frozenset(("Draft", "Superseded", "Deprecated", "Rejected", "Withdrawn"))


@rule("placeholder", "structure", "error")
def placeholder(adr: Adr) -> Iterator[RuleResult]:
    """A title, section or header field is still a placeholder of the template.

    A placeholder is a text that the author must replace: brackets (`{short title}`, `<decision>`,
    `[describe the context]`), TODO, TBD, `YYYY-MM-DD`, dots, or the hint of a template alone in its
    section. Words are known in English and German. A section of a new ADR that has only texts of
    the folder's template file is one too. "n/a" and "none" are answers. Code is not checked.

    It is an error if it is the whole title, a whole required section or a whole known header field.
    It is a warning in other sections and between real text. In a Draft it is at most a warning.

    To fix a finding, replace or delete the placeholder.
    """
    text = adr.doc.title_text
    if adr.doc.title and blank.is_blank_title(text):
        yield RuleResult(
            line=adr.doc.line_at(adr.doc.title.heading_start),
            message=f"the title is still a placeholder: {blank.quoted(text)}",
            help="say in a few words what is decided",
            words=text,
            subject="title",
        )
    fields = [*_in_fields(adr)]
    yield from fields
    # A field of a text header is a line of the text too; header-invalid checks the status.
    lines = {item.line for item in fields}
    if "status" in adr.header.fields:
        lines.add(adr.header.fields["status"].line)
    yield from (item for item in _in_text(adr) if item.line not in lines)


def _in_fields(adr: Adr) -> Iterator[RuleResult]:
    """Yield the header fields whose value is a placeholder; in an unknown field, TBD is a value."""
    in_braces: dict[int, str] = {}
    for number, line in enumerate((adr.doc.front or "").split("\n"), adr.doc.front_line):
        match = re.fullmatch(_FRONT_FIELD, line) if "{" in line else None
        if match:
            in_braces[number] = match[1]
    for name, field in adr.header.fields.items():
        if name == ENFORCEMENT:  # its snippets are code
            continue
        texts = field.texts
        if field.line in in_braces and texts:
            texts = (in_braces[field.line],)
        # `Date: DATE` repeats its name. header-invalid checks the status.
        blanks = (item for item in texts if item == name.upper() or blank.is_blank_value(item))
        text = "" if name == "status" else next(blanks, "")
        is_known = name in FIELDS or name in adr.template.fields
        if not text or (not is_known and blank.is_label(text.upper())):
            continue
        yield RuleResult(
            line=field.line,
            message=f"the field '{name}' is still a placeholder: {blank.quoted(text)}",
            help="fill it in, or delete it if it is optional",
            severity="" if is_known else "warning",
            column=field.column,
            words=text,
            subject=name,
        )


def _in_text(adr: Adr) -> Iterator[RuleResult]:
    """Yield blank sections, and the placeholders between the text of others."""
    doc = adr.doc
    firm = _firm_sections(adr)
    done = 0
    for index, section in enumerate(doc.sections):
        meanings = set(adr.meanings.of(section.title))
        if section.heading_start < done or meanings & _CHECKED_ELSEWHERE:
            continue
        is_firm = section.heading_start in firm
        # A section above the level of the sections only has them.
        finding = _on_whole_section(adr, index, is_firm) if section.level >= adr.level else None
        if finding:
            done = section.stop
            if not meanings & _OPEN:
                yield finding
            continue
        if not re.search(_SIGNS, doc.data[section.start : section.own_stop]):
            continue
        own = [
            block
            for block in blocks(doc, section.start, section.own_stop)
            if not (block.solid or block.cells)
        ]
        for block in own:
            if blank.is_left_over(block.text):
                yield RuleResult(
                    line=doc.line_at(block.start),
                    message=f"a placeholder of the template is left: {blank.quoted(block.text)}",
                    help="fill it in, or delete it",
                    severity="warning",
                    words=block.text,
                    subject=block.text,
                )
        if not meanings & _OPEN:
            yield from _tasks(adr, section, own)


def _firm_sections(adr: Adr) -> set[int]:
    """Return the offsets of the headings of all sections that need text.

    These are the sections of the template and of the norm.
    """
    sections: list[Section] = []
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
        if blank.still_blank(adr, filled):
            sections += adr.doc.sections
    return {section.heading_start for section in sections}


def _on_whole_section(adr: Adr, index: int, is_firm: bool) -> RuleResult | None:
    """Return the finding on a blank or undecided section; None if it has other text."""
    section = adr.doc.sections[index]
    state = "is still a placeholder"
    block = blank.blank_in(adr, index)
    if not block:
        state = "decides nothing"
        block = blank.undecided_in(adr, index)
    if not block:
        return None
    help = 'write the section; "none" is an answer too'
    severity = "" if is_firm else "warning"
    if DECISION in adr.meanings.of(section.title):
        help = "write what is decided, and why"
        if blank.is_left_open(adr, block.text):
            severity = "warning"
    return RuleResult(
        line=adr.doc.line_at(block.start),
        message=f"the section '{section.title}' {state}: {blank.quoted(block.text)}",
        help=help,
        severity=severity,
        words=block.text,
        subject=section.title,
    )


def _tasks(adr: Adr, section: Section, own: list[Block]) -> Iterator[RuleResult]:
    """Yield one finding for a section with tasks.

    A Draft is open as a whole, and a retired ADR need not be completed.
    """
    if adr.status in _NOTHING_DUE:
        return
    marked: list[tuple[Block, str]] = []
    for block in own:
        for mark in blank.markers(block.text):
            # "(name TBD)" is a detail that is open on purpose.
            is_whole = blank.is_label(block.text) or re.fullmatch(_VALUE, block.text)
            if is_whole or mark in _TASKS:
                marked.append((block, mark))
                break
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
