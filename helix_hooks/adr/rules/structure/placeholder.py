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
    quoted,
)
from ...parse.blocks import Block, blocks, odd_tags
from ...parse.document import AdrDocument, Section
from ...parse.sections import tells_something
from ...template import HELIX, OWN
from .section_missing import leads, standing_in

_CORE = ("context", "decision")
"""Sections that are never blank in a complete ADR, whatever its template requires."""
_ELSEWHERE = frozenset(("status", "acceptance-criteria"))
"""Sections whose blanks are reported by header-invalid and acceptance-criteria-too-few."""
_OPEN = frozenset(("questions", "out-of-scope", "changelog"))
"""Sections that may speak of what is still open."""
_NO_WORD = frozenset((".", "-", "--", "—", "_", "*", "?", "!", ":", "/", ","))
_MARKS = frozenset("[(<{$%@_«‹【〔〈《「『（")
"""First characters of the marks that `is_wrapped_blank` knows."""
_SHORT = 200
"""Bytes of the longest decision section that may say that nothing is decided."""
_TOP = 200
_FEW_WORDS = 6
"""Most words of a remark that nothing is decided; the sentences of templates have more."""
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
    elif is_blank_title(shown) and not _is_topic(adr, shown):
        yield Found(
            line=adr.doc.line_at(title.heading_start),
            message=f"the title is still a blank: {quoted(shown)}",
            help=help,
            words=shown.strip(),
        )


def _is_topic(adr: Adr, title: str) -> bool:
    """Return whether an ADR is about what its title names: its file is called the same."""
    name = adr.doc.path.rpartition("/")[2].removesuffix(".md")
    words = re.findall(r"[^\W\d_]+", name.casefold())
    return len(words) > 1 and words == re.findall(r"[^\W\d_]+", title.casefold())


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
            message=f"the field '{name}' is still a blank: {quoted(text)}",
            help="fill it in, or delete it where it may be left out",
            severity="" if known else "warning",
            column=field.column,
            words=text,
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
        from ...left_over import below_title

        wanted = (item for item in adr.template.sections if not adr.has(item))
        is_context = any(leads(adr, item) for item in wanted)
        yield from below_title(adr, top, first, is_context)
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
            yield from _between_text(adr, section, signs, meanings)
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
                message=f"the section '{section.title}' {state}: {quoted(blank.text)}",
                help=help,
                severity=_severity(adr, section, required, blank),
                words=blank.text,
            )


def _severity(adr: Adr, section: Section, required: list[int], blank: Block) -> Severity:
    if section.heading_start not in required:
        return "warning"
    is_decision = "decision" in adr.meanings.of(section.title)
    return "warning" if is_decision and is_left_open(adr, blank.text) else ""


def is_left_open(adr: Adr, text: str = "") -> bool:
    """Return whether a proposed ADR compares options and says that none is chosen yet.

    The text of a template does not say so, and neither does a change that takes a decision out.
    """
    if adr.template.name == HELIX.name or adr.had_decision or not adr.h2.get("options"):
        return False
    is_proposed = adr.statuses.read(adr.header.text("status")) == "Proposed"
    return is_proposed and not still_blank(adr, adr.h2["options"]) and not _asks_for_text(text)


def _asks_for_text(text: str) -> bool:
    """Return whether a blank is more than a word such as TBD or "pending"."""
    return text[:1] in _MARKS - {"("} or len(text.split()) > _FEW_WORDS


def _between_text(
    adr: Adr, section: Section, signs: list[int], meanings: set[str]
) -> Iterator[Found]:
    """The blanks in a section that says something, its sub-sections apart."""
    is_blank_heading = is_left_over(section.title) and not _is_label(adr.doc, section.title)
    if not is_blank_heading and not _any_between(signs, section.start, section.own_stop):
        return
    from ...left_over import in_section, left_over

    if is_blank_heading:
        yield left_over(adr.doc, section.heading_start, section.title)
    yield from in_section(adr, section, may_be_open=bool(meanings & _OPEN))


def _is_label(doc: AdrDocument, title: str) -> bool:
    """Return whether a text in brackets is explained elsewhere: `[Option 1] Keep the table`."""
    explained = re.escape(title.encode()) + rb"[*_]*[ :]+[^\W_]"
    return bool(re.search(explained, doc.prose_markup))


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
