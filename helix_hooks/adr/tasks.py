"""Open tasks in the text of an ADR."""

import re
from collections.abc import Iterator

from .model import Adr, RuleResult
from .names.blank import is_label, markers
from .parse.blocks import Block
from .parse.document import Section

_TASKS = ("TODO", "FIXME")
_VALUE = r"[^:：]{2,40}[:：]\W*\w+\W*"
_NOTHING_DUE = frozenset(("Draft", "Superseded", "Deprecated", "Rejected", "Withdrawn"))


def tasks(adr: Adr, section: Section, own: list[Block]) -> Iterator[RuleResult]:
    """Yield one finding for a section with tasks.

    A Draft is open as a whole, and a retired ADR need not be completed.
    """
    if adr.statuses.read(adr.header.text("status")) in _NOTHING_DUE:
        return
    texts = [block for block in own if not block.solid and not block.cells]
    marked = list(filter(_task, texts))
    if not marked:
        return
    count = f", and {len(marked) - 1} more" if len(marked) > 1 else ""
    task = _task(marked[0])
    yield RuleResult(
        line=adr.doc.line_at(marked[0].start),
        message=f"section '{section.title}' has an open task: {task}{count}",
        help="resolve it, or link the issue that tracks it",
        severity="info",
        subject=section.title,
    )


def _task(block: Block) -> str:
    """Return the mark of a task in a block: TODO, or TBD before a text or alone after a label.

    "(name TBD)" is a detail that is open on purpose.
    """
    is_whole = is_label(block.text) or re.fullmatch(_VALUE, block.text)
    return next((mark for mark in markers(block.text) if is_whole or mark in _TASKS), "")
