"""The visible blocks of a document: paragraphs, items, headings, rows of tables."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from .document import AdrDocument
from .visible import CODE, LAYOUT, LINKED, PICTURE, SPAN, STRUCK, UNSEEN, Run, indexes

_IN_CODE = "`code`"
"""Replaces inline code, which is never a word of a template."""
_CELL = " | "
_EMPHASIS = (b"_", b"*")
_TAG = rb"<([A-Za-z]\w*)[^<>=/-]*>"


class Block(NamedTuple):
    """A paragraph, item, heading or row of a table.

    `text` is the visible text, and names in angle brackets, which GitHub drops. `solid` blocks have
    code, a picture or a link, so they are not blanks of a template. `cells` are the cells of a row;
    `head` is true for the row of column names.
    """

    start: int
    stop: int
    text: str
    solid: bool = False
    emphasised: bool = False
    head: bool = False
    cells: tuple[str, ...] = ()


def blocks(doc: AdrDocument, start: int, stop: int) -> Iterator[Block]:
    """Yield the blocks between two offsets, except empty ones."""
    runs = doc.shown.runs[slice(*indexes(doc.shown.runs, start, stop))]
    tags = odd_tags(doc, start, stop)
    if tags:
        runs = sorted([*runs, *tags], key=itemgetter(0))
    pieces: list[Run] = []
    has_cells = is_head = False
    for run in runs:
        begin, end, piece, kind = run
        if not kind & LAYOUT:
            pieces.append(run)
            continue
        # A picture and a line end within a block are no end of it; a rule is one.
        is_inside = not piece if kind & PICTURE else piece == "\n" and end > begin
        if is_inside:
            pieces.append(run)
        elif "|" in piece:
            pieces.append(run)
            has_cells = True
        elif "\n" in piece:
            if pieces and (block := _block(doc, pieces, is_head)):
                yield block
            # A table begins with two line ends, its rows with one: the first row is the head.
            is_head = piece != "\n" or (is_head and not has_cells)
            has_cells = False
            pieces = []
    if pieces and (block := _block(doc, pieces, is_head)):
        yield block


def odd_tags(doc: AdrDocument, start: int, stop: int) -> list[Run]:
    """Return the tags between two offsets that HTML does not know, as runs of text.

    A tag with attributes or an end tag is a component, not a blank of a template.
    """
    tags = doc.shown.tags
    if not tags:
        return []
    from .raw_html import KNOWN

    runs: list[Run] = []
    for begin, end in tags[bisect_left(tags, (start, 0)) : bisect_left(tags, (stop, 0))]:
        tag = doc.data[begin:end]
        match = re.fullmatch(_TAG, tag)
        if not match or match[1].decode().lower() in KNOWN or match[1] in _ended(doc.data):
            continue
        runs.append((begin, end, tag.decode(errors="replace"), 0))
    return runs


@lru_cache(maxsize=4)
def _ended(data: bytes) -> frozenset[bytes]:
    """Return the names of the end tags of a file."""
    return frozenset(re.findall(rb"</([A-Za-z]\w*)", data))


def _block(doc: AdrDocument, pieces: list[Run], is_head: bool) -> Block | None:
    """Return the block of some runs, None if it is empty."""
    start, _, first, first_kind = pieces[0]
    stop = pieces[-1][1]
    solid = False
    shown: list[str] = []
    for _, _, piece, kind in pieces:
        if not kind:
            shown.append(piece)
        elif kind & (CODE | PICTURE):
            solid = True
        elif kind & (STRUCK | UNSEEN):
            continue
        elif kind & SPAN:
            shown.append(_IN_CODE)
        elif piece == _CELL and kind & LAYOUT:
            shown.append("|")
        else:
            solid = solid or (bool(kind & LINKED) and bool(piece.strip()))
            shown.append(piece)
    text = "".join(shown)
    if not (solid or text.strip(" |\n")):
        return None
    is_row = first == _CELL and bool(first_kind & LAYOUT)
    return Block(
        start=start,
        stop=stop,
        text=" ".join(text.split()),
        solid=solid,
        emphasised=doc.data[start - 1 : start] in _EMPHASIS
        and doc.data[stop : stop + 1] in _EMPHASIS,
        head=is_row and is_head,
        cells=tuple(map(str.strip, text.split("|")[1:])) if is_row else (),
    )
