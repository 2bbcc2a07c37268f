"""Blanks of a template between real text: paragraphs, rows and labels."""

from collections.abc import Iterator

from .model import Adr, RuleResult
from .names.aliases import FIELDS
from .names.blank import is_blank_row, is_left_over, quoted
from .names.field import field_name
from .parse.blocks import Block, blocks
from .parse.document import AdrDocument, Section
from .tasks import tasks

_LABEL_WORDS = 3


def in_section(adr: Adr, section: Section, may_be_open: bool) -> Iterator[RuleResult]:
    """Yield the blanks in a section with text, except in its sub-sections."""
    doc = adr.doc
    own = list(blocks(doc, section.start, section.own_stop))
    yield from _rows(doc, own)
    yield from (left_over(doc, block.start, block.text) for block in own if _is_left(block))
    if not may_be_open:
        yield from tasks(adr, section, own)


def below_title(adr: Adr, top: int, first: int) -> Iterator[RuleResult]:
    """Yield the blanks between the title and the first section."""
    doc = adr.doc
    own = list(blocks(doc, top, first))
    yield from _rows(doc, own)
    for block in own:
        if _is_blank_field(block):
            label = block.text.partition(":")[0]
            is_firm = field_name(label.strip(" *_")) in FIELDS
        elif _is_left(block):
            is_firm = False
        else:
            continue
        result = left_over(doc, block.start, block.text)
        yield result._replace(severity="") if is_firm else result


def _is_labelled(block: Block) -> bool:
    """Return whether a block has few words before its first colon, as a header field has."""
    return len(block.text.partition(":")[0].split()) <= _LABEL_WORDS


def _is_blank_field(block: Block) -> bool:
    _, colon, value = block.text.partition(":")
    if not colon or block.solid or block.cells:
        return False
    return _is_labelled(block) and is_left_over(value)


def _rows(doc: AdrDocument, own: list[Block]) -> Iterator[RuleResult]:
    """Yield the blank rows of tables; neighbouring rows are one finding."""
    above: Block | None = None
    is_reported = False
    for block in own:
        is_blank = _is_blank_row(block)
        if is_blank and not is_reported and not _continues(block, above):
            row = quoted(" | ".join(block.cells))
            yield RuleResult(
                line=doc.line_at(block.start),
                message=f"this table row is still a placeholder: {row}",
                help="fill it in, or delete it",
                subject=" | ".join(block.cells),
            )
        above, is_reported = block, is_blank


def _is_blank_row(block: Block) -> bool:
    if not block.cells or block.head or block.solid:
        return False
    return is_blank_row(block.cells)


def _continues(block: Block, above: Block | None) -> bool:
    """Return whether a row has only dots below a real row, where they mean "and so on"."""
    if any(map(str.isalnum, block.text)) or above is None:
        return False
    return bool(above.cells) and not above.head


def _is_left(block: Block) -> bool:
    return not (block.solid or block.cells) and is_left_over(block.text)


def left_over(doc: AdrDocument, place: int, text: str) -> RuleResult:
    """Return the finding of a blank at an offset."""
    return RuleResult(
        line=doc.line_at(place),
        message=f"a placeholder of the template is left: {quoted(text)}",
        help="fill it in, or delete it",
        severity="warning",
        words=text,
        subject=text,
    )
