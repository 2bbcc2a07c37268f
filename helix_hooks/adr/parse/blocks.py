"""The blocks of a document as a reader sees them: paragraphs, items, headings, rows of tables."""

import re
from bisect import bisect_left
from collections.abc import Iterator

from ...records import NamedTuple
from .document import AdrDocument
from .visible import CODE, LAYOUT, LINKED, PICTURE, SPAN, STRUCK, TASK, UNSEEN, Run

_IN_CODE = "`code`"
"""Stands for code in a line, which is no word of a template."""
_TAG = rb"<([A-Za-z]\w*)[^<>=/-]*>"
_ELEMENTS = frozenset(
    b"""a abbr acronym address article aside audio b bdi bdo big blockquote br button canvas
    caption center cite code col colgroup dd del details dfn dialog dir div dl dt em embed
    fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hr i iframe img input ins
    kbd label legend li link main map mark menu meta meter nav noscript object ol optgroup
    output p param picture pre progress q rp rt ruby s samp script section select small source
    span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead
    time tr track tt u ul var video wbr""".split()
)
"""Elements of HTML. Another name in angle brackets is a blank of a template, as `<decision>`."""


class Block(NamedTuple):
    """A paragraph, item, heading or row: the text that is shown, and names in angle brackets, which
    GitHub drops.

    `solid` is one with code, a picture or a link, which is no blank. `cells` are those of a row,
    `head` a row of names above others.
    """

    start: int
    stop: int
    text: str
    solid: bool = False
    emphasised: bool = False
    head: bool = False
    cells: tuple[str, ...] = ()


def blocks(doc: AdrDocument, start: int, stop: int) -> Iterator[Block]:
    """The blocks between two offsets that have a text, or something else to see."""
    tags = iter(odd_tags(doc, start, stop))
    tag = next(tags, None)
    pieces: list[Run] = []
    table = head = False
    for run in doc.shown.runs[slice(*doc.runs_between(start, stop))]:
        place, end, piece, kind = run
        while tag and tag[0] < place:
            pieces.append(tag)
            tag = next(tags, None)
        if not kind & LAYOUT or kind & TASK or (kind & PICTURE and not piece):
            if not kind & TASK:
                pieces.append(run)
        elif piece == "\n" and end > place and not kind & PICTURE:
            pieces.append(run)
        elif "|" in piece:
            pieces.append(run)
            table = True
        elif "\n" in piece:  # a rule, which is drawn, ends a block and is none
            if pieces:
                yield from _block(doc, pieces, head)
            head = piece != "\n" or (head and not table)
            table = False
            pieces = []
    while tag:
        pieces.append(tag)
        tag = next(tags, None)
    if pieces:
        yield from _block(doc, pieces, head)


def odd_tags(doc: AdrDocument, start: int, stop: int) -> list[Run]:
    """The tags between two offsets that HTML does not know, as runs; a component has attributes, or
    an end.
    """
    found: list[Run] = []
    tags = doc.shown.tags
    for begin, end in tags[bisect_left(tags, (start, 0)) : bisect_left(tags, (stop, 0))]:
        match = re.fullmatch(_TAG, doc.data[begin:end])
        if match and match[1].lower() not in _ELEMENTS and b"</" + match[1] not in doc.data:
            found.append((begin, end, doc.data[begin:end].decode(errors="replace"), 0))
    return found


def _block(doc: AdrDocument, pieces: list[Run], head: bool) -> Iterator[Block]:
    solid = False
    shown: list[str] = []
    for _, _, piece, kind in pieces:
        if kind & (CODE | PICTURE):
            solid = True
        elif kind & (STRUCK | UNSEEN):
            continue
        elif kind & SPAN:
            shown.append(_IN_CODE)
        else:
            solid = solid or (bool(kind & LINKED) and bool(piece.strip()))
            shown.append("|" if piece == " | " and kind & LAYOUT else piece)
    text = "".join(shown)
    if not (solid or text.strip(" |\n")):
        return
    first, last = pieces[0], pieces[-1]
    row = first[2] == " | " and bool(first[3] & LAYOUT)
    yield Block(
        start=first[0],
        stop=last[1],
        text=" ".join(text.split()),
        solid=solid,
        emphasised=doc.data[first[0] - 1 : first[0]] in (b"_", b"*")
        and doc.data[last[1] : last[1] + 1] in (b"_", b"*"),
        head=row and head,
        cells=tuple(cell.strip() for cell in text.split("|")[1:]) if row else (),
    )
