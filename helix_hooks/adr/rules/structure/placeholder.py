import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator

from ....finding import Severity
from ....paths import without_suffix
from ...model import Adr, RuleResult
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
    quoted,
)
from ...names.field import Field
from ...norm import keys_of
from ...parse.blocks import Block, blocks, odd_tags
from ...parse.document import AdrDocument, Section
from ...parse.sections import tells_something
from ...template import HELIX, UNKNOWN
from .section_missing import sections_of

_CORE = ("context", "decision")
"""Sections that need text in a complete ADR, whatever its template requires."""
_CHECKED_ELSEWHERE = frozenset(("status", "acceptance-criteria"))
"""Sections whose placeholders are reported by header-invalid and acceptance-criteria-too-few."""
_OPEN = frozenset(("questions", "out-of-scope", "changelog"))
"""Sections that may say what is still open."""
_PUNCTUATION = frozenset((".", "-", "--", "—", "_", "*", "?", "!", ":", "/", ","))
_MARKS = frozenset("[(<{$%@_«‹【〔〈《「『（")
"""First characters of the marks that `is_wrapped_blank` knows."""
_MAX_UNDECIDED = 200
"""Maximum bytes of a decision section that may say that nothing is decided."""
_FIRST_BYTES = 200
"""Bytes of a section in which its first line is read."""
_MAX_REMARK = 6
"""Maximum words of a remark that nothing is decided; the sentences of templates have more."""
_UNFILLED = 2
"""Number of placeholders beside that of the title that make a file an unfilled template."""
_MAX_STATUS = 200
"""Characters of a status that are read."""
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
"""The marks of a placeholder between real text: bytes, which are searched first, and a pattern."""
_FRONT_FIELD = r"(?m)^[ \t]*([\w -]{1,40}):[ \t]*\{([^{}:\n]{3,400})\}[ \t]*(?:#.*)?$"


class Placeholder:
    """A title, section, header field or table row is still a placeholder of the template.

    A section that says only "TODO" exists, but an ADR with it decides nothing. A placeholder is a
    text that the author must replace: a text in brackets (`{short title}`, `<decision>`,
    `[describe the context]`), words for unfinished text (TODO, TBD, "noch offen", "à rédiger"),
    dots, `YYYY-MM-DD`, or the hint of a template alone in its section. A decision section that says
    only "not yet decided" or "x" is reported too. "n/a" and "none" are answers. Code is not
    checked.

    A placeholder is an error if it is the whole visible text of the title, a required section, a
    known header field or a table row. It is a warning in other sections and between real text. A
    TODO in a sentence is information. In a Draft, placeholders are at most warnings. Replace the
    placeholder, or delete it. A template whose title and at least two other places are not filled
    in is one finding.
    """

    id = "placeholder"
    layer = "structure"
    severity = "error"

    def check(self, adr: Adr) -> Iterator[RuleResult]:
        title = [*_in_title(adr)]
        others = [*self._below_title(adr)]
        firm = [item for item in others if not item.severity]
        if title and len(firm) >= _UNFILLED:
            *rest, last = (str(item.line) for item in firm)
            places = f"the title, lines {', '.join(rest)} and {last}"
            yield title[0]._replace(
                message=f"the template is not filled in: {places}",
                help="replace each placeholder, or delete it",
                subject="template",
            )
        else:
            yield from (*title, *others)

    def _below_title(self, adr: Adr) -> Iterator[RuleResult]:
        reported: set[int] = set()
        for finding in _in_fields(adr):
            reported.add(finding.line)
            yield finding
        # The status of a text header is a line of the text too; header-invalid checks it.
        status = adr.header.fields.get("status")
        if status:
            reported.add(status.line)
        for finding in _in_text(adr):
            if finding.line not in reported:
                yield finding


# Three terms for a section whose text says nothing. Blank: it has only placeholders, such as TODO.
# Undecided: it is a decision section with words, such as "x", that decide nothing. Left open: it is
# blank or undecided, but its ADR is proposed and compares options, so it is reported as a warning.
def still_blank(adr: Adr, sections: list[Section]) -> bool:
    """Return whether each of some sections is blank or undecided."""
    starts = {section.heading_start for section in sections}
    has_options = _has_options(adr)
    return all(
        _only_placeholder(_blocks_below(adr.doc, index))
        or _undecided_block(adr, index, has_options=has_options)
        for index, section in enumerate(adr.doc.sections)
        if section.heading_start in starts
    )


def _has_options(adr: Adr) -> bool:
    return any("options" in adr.meanings.of(section.title) for section in adr.doc.sections)


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
    elif is_blank_title(text) and not _is_topic(adr, text):
        yield RuleResult(
            line=adr.doc.line_at(title.heading_start),
            message=f"the title is still a placeholder: {quoted(text)}",
            help=help,
            words=text.strip(),
            subject="title",
        )


def _is_topic(adr: Adr, title: str) -> bool:
    """Return whether the file has the same name as the title: then the ADR is about it."""
    name = without_suffix(adr.doc.path.rpartition("/")[2])
    words = re.findall(r"[^\W\d_]+", name.casefold())
    return len(words) > 1 and words == re.findall(r"[^\W\d_]+", title.casefold())


def _in_fields(adr: Adr) -> Iterator[RuleResult]:
    """Yield the header fields whose value is a placeholder; in an unknown field, TBD is a value."""
    in_braces = _fields_in_braces(adr.doc)
    for name, field in adr.header.fields.items():
        text = _blank_text(adr, name, field, in_braces)
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


def _blank_text(adr: Adr, name: str, field: Field, in_braces: dict[int, str]) -> str:
    """Return the placeholder in a field, "" without one."""
    if name == "status":
        return field.text if _offers_statuses(adr, field.text) else ""
    if field.texts and field.line in in_braces:
        return in_braces[field.line]
    return next((text for text in field.texts if _is_blank_value(name, text)), "")


def _offers_statuses(adr: Adr, text: str) -> bool:
    """Return whether a status is a choice that is read as its first: `[proposed | accepted]`."""
    if text[:1] not in "[{<" or text[-1:] not in "]}>" or not adr.statuses.read(text):
        return False
    words = (word.strip("[]{}<>|,…") for word in text[:_MAX_STATUS].split())
    statuses = {adr.statuses.read(word) for word in words}
    return len(statuses - {None, ""}) > 1


def _is_blank_value(name: str, text: str) -> bool:
    """Return whether a field has no value; `Date: DATE` repeats its name."""
    return is_blank_value(text) or (text.isupper() and text.casefold() == name)


def _fields_in_braces(doc: AdrDocument) -> dict[int, str]:
    """Return the values in braces, by line: YAML reads `{short title}` as a mapping."""
    if not doc.front or "{" not in doc.front:
        return {}
    values: dict[int, str] = {}
    line, counted = doc.front_line, 0
    for match in re.finditer(_FRONT_FIELD, doc.front):
        line += doc.front.count("\n", counted, match.start())
        counted = match.start()
        if is_lower_phrase(match[2]):
            values[line] = f"{{{match[2]}}}"
    return values


def _in_text(adr: Adr) -> Iterator[RuleResult]:
    doc = adr.doc
    signs = _signs(doc)
    required, has_options = _required_starts(adr), _has_options(adr)
    yield from _below_title(adr, signs)
    done = 0
    for index, section in enumerate(doc.sections):
        meanings = set(adr.meanings.of(section.title))
        if section.heading_start < done or meanings & _CHECKED_ELSEWHERE:
            continue
        finding = _on_whole_section(adr, index, required, has_options=has_options)
        if not finding:
            yield from _between_text(adr, section, signs, meanings)
            continue
        done = section.stop
        if not meanings & _OPEN:
            yield finding


def _below_title(adr: Adr, signs: list[int]) -> Iterator[RuleResult]:
    doc = adr.doc
    first = doc.sections[0].heading_start if doc.sections else len(doc.data)
    top = doc.title.start if doc.title and doc.title.start <= first else doc.body
    if _any_between(signs, top, first):
        from ...left_over import below_title  # late: most ADRs have no placeholder

        yield from below_title(adr, top, first)


def _on_whole_section(
    adr: Adr, index: int, required: list[int], *, has_options: bool
) -> RuleResult | None:
    """Return the finding on a blank or undecided section; None if it has other text."""
    doc = adr.doc
    section = doc.sections[index]
    if section.level < adr.level and _any_between(required, section.start, section.stop):
        return None  # its required sections are reported one by one
    state = "is still a placeholder"
    blank = None
    # A quick test, which spares most sections the split into blocks.
    if not _begins_with_prose(doc, section):
        blank = _only_placeholder(_blocks_below(doc, index))
    if not blank:
        state = "decides nothing"
        blank = _undecided_block(adr, index, has_options=has_options)
    if not blank:
        return None
    help = 'write the section; "none" is an answer too'
    if "decision" in adr.meanings.of(section.title):
        help = "write what is decided, and why"
    return RuleResult(
        line=doc.line_at(blank.start),
        message=f"the section '{section.title}' {state}: {quoted(blank.text)}",
        help=help,
        severity=_severity(adr, section, required, blank),
        words=blank.text,
        subject=section.title,
    )


def _severity(adr: Adr, section: Section, required: list[int], blank: Block) -> Severity:
    is_decision = "decision" in adr.meanings.of(section.title)
    if section.heading_start not in required or (is_decision and is_left_open(adr, blank.text)):
        return "warning"
    return ""


def is_left_open(adr: Adr, text: str = "") -> bool:
    """Return whether a proposed ADR compares options and may leave its decision open.

    `text` is the text of its decision section, "" without one. The instruction of a template must
    be replaced. The result is false if the version before the change has a decision.
    """
    if adr.template.name == HELIX.name or adr.had_decision or not adr.h2.get("options"):
        return False
    if adr.statuses.read(adr.header.text("status")) != "Proposed":
        return False
    return not still_blank(adr, adr.h2["options"]) and not _is_instruction(text)


def _is_instruction(text: str) -> bool:
    """Return whether a placeholder is more than a word such as TBD or "pending"."""
    return text[:1] in _MARKS - {"("} or len(text.split()) > _MAX_REMARK


def _between_text(
    adr: Adr, section: Section, signs: list[int], meanings: set[str]
) -> Iterator[RuleResult]:
    """Yield the placeholders in a section with other text, without those in its subsections."""
    is_blank_heading = is_left_over(section.title) and not _is_label(adr.doc, section.title)
    if not is_blank_heading and not _any_between(signs, section.start, section.own_stop):
        return
    from ...left_over import in_section, left_over  # late: most ADRs have no placeholder

    if is_blank_heading:
        yield left_over(adr.doc, section.heading_start, section.title)
    yield from in_section(adr, section, may_be_open=bool(meanings & _OPEN))


def _is_label(doc: AdrDocument, title: str) -> bool:
    """Return whether a text in brackets is explained elsewhere: `[Option 1] Keep the table`."""
    explained = re.escape(title.encode()) + rb"[*_]*[ :]+[^\W_]"
    return bool(re.search(explained, doc.prose_markup))


def _signs(doc: AdrDocument) -> list[int]:
    """Return the sorted offsets of marks that a placeholder may have."""
    prose = doc.prose_markup
    starts = [run[0] for run in odd_tags(doc, 0, len(doc.data))]
    for mark, pattern in _SIGNS:
        if mark in prose:
            starts += [match.start() for match in re.finditer(pattern, prose)]
    return sorted(starts)


def _begins_with_prose(doc: AdrDocument, section: Section) -> bool:
    """Return whether the first line of a section is plainly not a placeholder."""
    stop = min(section.own_stop, section.start + _FIRST_BYTES)
    text = doc.prose_markup[section.start : stop].lstrip(b" \n\t-")
    line = text.partition(b"\n")[0].removeprefix(b"* ").removeprefix(b"**")
    return is_plain_start(line.decode(errors="ignore"))


def _any_between(offsets: list[int], start: int, stop: int) -> bool:
    """Return whether one of the sorted offsets is in a span."""
    return bisect_left(offsets, start) < bisect_left(offsets, stop)


def _blocks_below(doc: AdrDocument, index: int) -> Iterator[Block]:
    """Yield the blocks of a section and its subsections; of their headings only placeholders."""
    stop = doc.sections[index].stop
    for below in range(index, len(doc.sections)):
        section = doc.sections[below]
        if section.heading_start >= stop:
            return
        if below > index and is_blank(section.title):
            yield Block(start=section.heading_start, stop=section.start, text=section.title)
        yield from blocks(doc, section.start, section.own_stop)


def _required_starts(adr: Adr) -> list[int]:
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
        for section in adr.doc.sections:
            if not usual.isdisjoint(keys_of(adr, section.title)):
                sections.append(section)
    if (
        adr.template.name == UNKNOWN.name
        and not tells_something(adr.doc)
        and _has_only_blank_sections(adr)
    ):
        sections += adr.doc.sections
    return sorted({section.heading_start for section in sections})


def _has_only_blank_sections(adr: Adr) -> bool:
    """Return whether each section, except the status, is empty, blank or undecided."""
    own = (section for section in adr.doc.sections if section.level == adr.level)
    told = [section for section in own if "status" not in adr.meanings.of(section.title)]
    filled = [section for section in told if not adr.doc.shows_nothing(section.start, section.stop)]
    return still_blank(adr, filled)


def _only_placeholder(part: Iterable[Block]) -> Block | None:
    """Return the first placeholder of a blank part; None for one with other text, or nothing."""
    first: Block | None = None
    for block in part:
        if block.head or (block.text in _PUNCTUATION and not block.solid):
            continue
        if block.solid or not _is_placeholder(block):
            return None
        first = first or block
    return first


def _undecided_block(adr: Adr, index: int, *, has_options: bool) -> Block | None:
    """Return the first block of a short decision section that decides nothing.

    `has_options` is true if a section of the ADR has the considered options.
    """
    section = adr.doc.sections[index]
    if section.stop - section.start > _MAX_UNDECIDED:
        return None
    if "decision" not in adr.meanings.of(section.title):
        return None
    from ...names.blank_decision import decides_nothing  # late: for a short decision only

    below = [block for block in _blocks_below(adr.doc, index) if not block.head]
    if not below or any(block.solid for block in below):
        return None
    return below[0] if decides_nothing(_real_text(below), has_options) else None


def _real_text(below: list[Block]) -> str:
    """Return the text of the blocks that are no placeholders."""
    return " ".join(block.text for block in below if not _is_placeholder(block))


def _is_placeholder(block: Block) -> bool:
    """Return whether a block is a placeholder as a whole."""
    if block.cells:
        return is_blank_row(block.cells)
    if is_blank(block.text, block.emphasised) or is_label(block.text) or is_hint(block.text):
        return True
    if block.text[:1] not in _MARKS:
        return False
    from ...names.blank_decision import is_wrapped_blank  # late: few blocks begin with a mark

    return is_wrapped_blank(block.text)
