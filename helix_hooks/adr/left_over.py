"""Blanks of a template that were left between real text: paragraphs, rows and labels."""

from collections.abc import Iterator

from .model import Adr, Found
from .names.aliases import FIELDS
from .names.blank import is_blank_row, is_left_over, quoted
from .names.field import field_name
from .parse.blocks import Block, blocks
from .parse.document import AdrDocument, Section
from .tasks import tasks

_LABEL_WORDS = 3


def in_section(adr: Adr, section: Section, may_be_open: bool) -> Iterator[Found]:
    """The blanks in a section that says something, its sub-sections apart."""
    doc = adr.doc
    own = list(blocks(doc, section.start, section.own_stop))
    yield from _rows(doc, own)
    yield from (left_over(doc, block.start, block.text) for block in own if _remains(block))
    if not may_be_open:
        yield from tasks(adr, section, own)


def below_title(adr: Adr, top: int, first: int, is_context: bool) -> Iterator[Found]:
    """Yield the blanks between the title and the first section.

    `is_context` tells that this text has to be the context.
    """
    doc = adr.doc
    own = list(blocks(doc, top, first))
    is_lead = is_context and _is_blank(own)
    yield from _rows(doc, own)
    for block in own:
        label, colon, value = block.text.partition(":")
        labelled = colon and len(label.split()) <= _LABEL_WORDS and not block.solid
        if labelled and not block.cells and is_left_over(value):
            found = left_over(doc, block.start, block.text)
            known = field_name(label.strip(" *_")) in FIELDS
            yield found._replace(severity="") if known else found
        elif _remains(block):
            found = left_over(doc, block.start, block.text)
            yield found._replace(severity="") if is_lead else found


def _is_blank(own: list[Block]) -> bool:
    """Return whether some blocks say nothing; fields are left aside."""
    return all(
        _remains(block) or len(block.text.partition(":")[0].split()) <= _LABEL_WORDS
        for block in own
    )


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
            row = quoted(" | ".join(block.cells))
            yield Found(
                line=doc.line_at(block.start),
                message=f"this row of the table is still a placeholder: {row}",
                help="fill it in, or delete it",
            )
        last = block


def _remains(block: Block) -> bool:
    return not (block.solid or block.cells) and is_left_over(block.text)


def left_over(doc: AdrDocument, place: int, text: str) -> Found:
    return Found(
        line=doc.line_at(place),
        message=f"a blank of the template is left: {quoted(text)}",
        help="fill it in, or delete it",
        severity="warning",
        words=text,
    )
