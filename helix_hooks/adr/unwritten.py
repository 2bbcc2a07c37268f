"""Sections whose text says nothing yet. Pure.

A section is blank if it has only placeholders of a template, such as TODO. A decision section is
undecided if its words, such as "x" or "not yet decided", decide nothing.
"""

from collections.abc import Iterable, Iterator

from .model import Adr
from .names.blank import decides_nothing, is_blank, is_blank_alone, is_blank_row, may_be_blank
from .names.field import comparable
from .parse.blocks import Block, blocks
from .parse.document import Section
from .template import DECISION, HELIX

_NO_TEXT = frozenset((".", "-", "--", "—", "_", "*", "?", "!", ":", "/", ","))
_FIRST_BYTES = 200
"""Bytes of a section of which the first words are read."""
_MAX_UNDECIDED = 200
"""Maximum bytes of a decision section that may say that nothing is decided."""
_MARKS = "[{<«%$@_"
_MAX_REMARK = 6
"""Maximum words of a remark that nothing is decided; the sentences of templates have more."""


def blank_in(adr: Adr, index: int) -> Block | None:
    """Return the first placeholder of a section that is blank as a whole, else None."""
    section = adr.doc.sections[index]
    start = adr.doc.prose_markup[
        section.start : min(section.own_stop, section.start + _FIRST_BYTES)
    ]
    # A quick test, which spares most sections the division into blocks.
    has_hints = adr.norm is not None and bool(adr.norm.hints)
    if not has_hints and not may_be_blank(start.decode(errors="ignore")):
        return None
    first: Block | None = None
    for block in _blocks_below(adr, index):
        if block.text in _NO_TEXT and not block.solid:
            continue
        if block.solid or not _is_placeholder(adr, block):
            return None
        first = first or block
    return first


def undecided_in(adr: Adr, index: int) -> Block | None:
    """Return the first block of a short decision section that decides nothing, else None."""
    section = adr.doc.sections[index]
    if section.stop - section.start > _MAX_UNDECIDED:
        return None
    if DECISION not in adr.meanings.of(section.title):
        return None
    below = list(_blocks_below(adr, index))
    if not below or any(block.solid for block in below):
        return None
    text = " ".join(block.text for block in below if not _is_placeholder(adr, block))
    return below[0] if decides_nothing(text, has_options="options" in adr.h2) else None


def still_blank(adr: Adr, sections: Iterable[Section]) -> bool:
    """Return whether each of some sections is blank or undecided."""
    starts = {section.heading_start for section in sections}
    return all(
        blank_in(adr, index) or undecided_in(adr, index)
        for index, section in enumerate(adr.doc.sections)
        if section.heading_start in starts
    )


def is_left_open(adr: Adr, text: str = "") -> bool:
    """Return whether a proposed ADR compares options and may leave its decision open.

    `text` is the text of its decision section, "" without one. The instruction of a template must
    be replaced. The result is false if the version before the change has a decision.
    """
    if adr.template.name == HELIX.name or adr.had_decision or not adr.h2.get("options"):
        return False
    if adr.statuses.read(adr.header.text("status")) != "Proposed":
        return False
    is_instruction = text[:1] in tuple(_MARKS) or len(text.split()) > _MAX_REMARK
    return not is_instruction and not still_blank(adr, adr.h2["options"])


def _blocks_below(adr: Adr, index: int) -> Iterator[Block]:
    """Yield the blocks of a section and its subsections, without the heads of tables.

    Of the headings of subsections only placeholders count.
    """
    doc = adr.doc
    stop = doc.sections[index].stop
    for below in range(index, len(doc.sections)):
        section = doc.sections[below]
        if section.heading_start >= stop:
            return
        if below > index and is_blank(section.title):
            yield Block(start=section.heading_start, stop=section.start, text=section.title)
        for block in blocks(doc, section.start, section.own_stop):
            if not block.head:
                yield block


def _is_placeholder(adr: Adr, block: Block) -> bool:
    """Return whether a block of a section is a placeholder, or a text of the template file."""
    if block.cells:
        return is_blank_row(block.cells)
    if adr.norm and comparable(block.text) in adr.norm.hints:
        return True
    return is_blank_alone(block.text, block.emphasised)
