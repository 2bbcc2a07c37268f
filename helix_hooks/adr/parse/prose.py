"""The text of a document by blocks and sections: its words, and sections that decide something.

`outline` is the text of a whole document for comparison.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import Any, NamedTuple

import pyromark

from ...text import without_invisible
from ..names import Meanings
from .document import OPTIONS, AdrDocument, Section
from .visible import Kind, Run, Span, indexes
from .visible import text as text_of

# Blocks: paragraphs, items, headings, rows of tables.

_IN_CODE = "`code`"
"""Replaces inline code, which is never a word of a template."""
_CELL = " | "


class Block(NamedTuple):
    """A paragraph, item, heading or row of a table.

    `text` is the visible text. `solid` blocks have code, a picture or a link, so they are not
    blanks of a template. `cells` are the cells of a row; `head` is true for the row of column
    names.
    """

    start: int
    stop: int
    text: str
    solid: bool = False
    head: bool = False
    cells: tuple[str, ...] = ()


def blocks(doc: AdrDocument, start: int, stop: int) -> Iterator[Block]:
    """Yield the blocks between two offsets, except empty ones."""
    runs = doc.shown.runs[slice(*indexes(doc.shown.runs, start, stop))]
    pieces: list[Run] = []
    has_cells = is_head = False
    for run in runs:
        begin, end, piece, kind = run
        if not kind & Kind.LAYOUT:
            pieces.append(run)
            continue
        # A picture and a line end within a block are no end of it; a rule is one.
        is_inside = not piece if kind & Kind.PICTURE else piece == "\n" and end > begin
        if is_inside:
            pieces.append(run)
        elif "|" in piece:
            pieces.append(run)
            has_cells = True
        elif "\n" in piece:
            if pieces and (block := _block(pieces, is_head)):
                yield block
            # A table begins with two line ends, its rows with one: the first row is the head.
            is_head = piece != "\n" or (is_head and not has_cells)
            has_cells = False
            pieces = []
    if pieces and (block := _block(pieces, is_head)):
        yield block


def _block(pieces: list[Run], is_head: bool) -> Block | None:
    """Return the block of some runs, None if it is empty."""
    start, _, first, first_kind = pieces[0]
    stop = pieces[-1][1]
    solid = False
    shown: list[str] = []
    for _, _, piece, kind in pieces:
        if not kind:
            shown.append(piece)
        elif kind & (Kind.CODE | Kind.PICTURE):
            solid = True
        elif kind & (Kind.STRUCK | Kind.UNSEEN):
            continue
        elif kind & Kind.SPAN:
            shown.append(_IN_CODE)
        elif piece == _CELL and kind & Kind.LAYOUT:
            shown.append("|")
        else:
            solid = solid or (bool(kind & Kind.LINKED) and bool(piece.strip()))
            shown.append(piece)
    text = "".join(shown)
    if not (solid or text.strip(" |\n")):
        return None
    is_row = first == _CELL and bool(first_kind & Kind.LAYOUT)
    return Block(
        start=start,
        stop=stop,
        text=" ".join(text.split()),
        solid=solid,
        head=is_row and is_head,
        cells=tuple(map(str.strip, text.split("|")[1:])) if is_row else (),
    )


class Paragraph(NamedTuple):
    """A top-level paragraph, and the spans of formatting, links and pictures in it."""

    start: int
    stop: int
    inside: list[Span]


def paragraphs(doc: AdrDocument) -> list[Paragraph]:
    """Return the top-level paragraphs, in order."""
    top_level: list[Paragraph] = []
    depth = 0
    event: Any
    place: Any
    for event, place in pyromark.events_with_range(
        str(doc.data[doc.body :], "utf-8"), options=OPTIONS
    ):
        span = (place["start"] + doc.body, place["end"] + doc.body)
        if "Start" in event:
            if not depth and event["Start"] == "Paragraph":
                top_level.append(Paragraph(*span, []))
            elif top_level and span[0] < top_level[-1].stop:
                top_level[-1].inside.append(span)
            depth += 1
        elif "End" in event:
            depth -= 1
    return top_level


# The amount of words, whatever the white space and markup.

_LONGEST = 40
"""Maximum characters of a word that count, so that a URL or an encoded image counts as one word."""
_PLACEHOLDERS = frozenset(
    "todo tbd tbc fixme wip n/a lorem ipsum to be done defined determined written decided coming "
    "soon later".split()
)
_MARKS = "*_`~#-+[](){}<>.,;:!?/|…"
_FEWEST_WORDS = 2
_FEWEST_SIGNS = 6
"""Minimum letters in scripts without blanks between words."""


def length(text: str, enough: int) -> int:
    """Return the characters of the words in a visible text, with one space between them.

    A word has a letter or a digit, so neither line ends nor layout change the number. Counting
    stops at `enough`.
    """
    total = -1
    for word in text.split():
        if word.isalnum() or any(map(str.isalnum, word)):
            total += min(len(word), _LONGEST) + 1
            if total >= enough:
                break
    return max(total, 0)


def says_something(text: str) -> bool:
    """Return whether a text has a word that is not a usual placeholder."""
    shown = without_invisible(text).strip()
    if shown.startswith("{") and shown.endswith("}"):
        return False
    for raw in shown.casefold().split():
        word = raw.strip(_MARKS)
        if word not in _PLACEHOLDERS and any(map(str.isalnum, word)):
            return True
    return False


def reason_of(text: str) -> str:
    """Return a text if it can be a reason, else "".

    A reason has at least two words, so the placeholder "why" in the help is not one.
    """
    words = re.findall(r"[^\W\d_]{2,}", text)
    is_unspaced = any(not word.isascii() and len(word) >= _FEWEST_SIGNS for word in words)
    if len(words) < _FEWEST_WORDS and not is_unspaced:
        return ""
    return text if says_something(text) else ""


def states_something(doc: AdrDocument, section: Section) -> bool:
    """Return whether a section, with its subsections, has prose of its own.

    That is a word outside of headings, links, code, quotes, pictures, struck-out text and the names
    of columns.
    """
    first = bisect_left(doc.sections, section.heading_start, key=attrgetter("heading_start"))
    for part in doc.sections[first:]:
        if part.heading_start >= section.stop:
            break
        start, stop = part.start, part.own_stop
        text = text_of(doc.shown.runs, start, stop, Kind.ASIDE | Kind.LINKED | Kind.SPAN)
        words = _words(text)
        if next(words, None) is None:
            continue
        if "|" not in text:
            return True
        named = 0
        for block in blocks(doc, start, stop):
            if block.head:
                named += len([*_words(" ".join(block.cells))])
        if not named or len([*words]) >= named:
            return True
    return False


def _words(text: str) -> Iterator[str]:
    """Yield the words that are no addresses and no usual placeholders."""
    for word in text.casefold().split():
        plain = word.strip(_MARKS)
        if "://" not in word and plain not in _PLACEHOLDERS and any(map(str.isalnum, plain)):
            yield plain


# Sections: their level, those that decide, and the text above them.

SIDE_SECTIONS = frozenset(
    ("acceptance-criteria", "options", "questions", "out-of-scope", "changelog")
)
"""Sections that do not count as others: a rejected option's migration is not a migration plan."""


def decided(
    sections: Iterable[Section], meanings: Meanings, wanted: Iterable[str] = ()
) -> Iterator[Section]:
    """Yield the sections that are not in `SIDE_SECTIONS`, nor inside such a section.

    Kinds of sections in `wanted` count like any other.
    """
    aside = SIDE_SECTIONS.difference(wanted)
    closed = 0
    for section in sections:
        if section.heading_start < closed:
            continue
        if aside.isdisjoint(meanings.of(section.title)):
            yield section
        else:
            closed = section.stop


USUAL = 2
_OWNERS = frozenset(("context", "decision", "options", "consequences"))
"""Sections that own their sub-sections: `### Consequences` below an option is not a section."""
_LOWEST = 4
"""The lowest level of headings on which an ADR has its sections."""


def level_of(sections: Iterable[Section], meanings: Meanings) -> int:
    """Return the level with most kinds of sections, the second level if none has more."""
    kinds: dict[int, set[str]] = {}
    closed = 0
    for section in sections:
        if section.heading_start < closed or section.level > _LOWEST:
            continue
        names = meanings.of(section.title)
        kinds.setdefault(section.level, set()).update(names)
        if not _OWNERS.isdisjoint(names):
            closed = section.stop
    return max(kinds, key=lambda level: (len(kinds[level]), level == USUAL), default=USUAL)


_LABEL = r"\W*[^\W\d_][\w /-]{0,30}[*_]*\s*[:\uff1a](.*)"
"""A line `Date: 2025-03-01`, or one with another label."""
_LONGEST_VALUE = 40
"""Characters of prose after a label; a longer text is a sentence."""
_ENOUGH = 24
"""Minimum characters of prose that are more than a subtitle."""


def tells_something(doc: AdrDocument) -> bool:
    """Return whether there is prose between title and first section, besides header lines."""
    start, stop = doc.text_start, doc.sections_start
    if stop - start < _ENOUGH:
        return False
    prose = ""
    for line in doc.prose(start, stop).split("\n"):
        label = re.match(_LABEL, line)
        is_labelled = label and length(label[1], _LONGEST_VALUE) < _LONGEST_VALUE
        if "|" not in line and not is_labelled:
            prose += f" {line}"
    return length(prose, _ENOUGH) >= _ENOUGH


# The outline: the words and blocks, whatever the line breaks.

Step = tuple[str, str]
"""The kind of an event, and its text or block."""


def outline(text: str) -> list[Step]:
    """Return blocks, spans and texts of a Markdown text in order.

    Two texts with the same outline look the same to a reader. Code and HTML are compared character
    by character; other texts have single blanks.
    """
    steps: list[Step] = []
    in_code = False
    event: Any
    for event in pyromark.events(text, options=OPTIONS):
        # An event is a name, or a dict with its name and its value.
        kind, value = next(iter(event.items())) if isinstance(event, dict) else (event, "")
        if kind in ("Start", "End"):
            if "CodeBlock" in value:
                in_code = kind == "Start"
            # A block or span with its attributes.
            steps.append((kind, re.sub(r"\s+", " ", repr(value))))
        elif in_code or kind not in ("Text", "SoftBreak"):
            steps.append((kind, str(value)))
        else:
            former = steps.pop()[1] if steps and steps[-1][0] == "text" else ""
            steps.append(("text", former + ("\n" if kind == "SoftBreak" else str(value))))
    return [(kind, " ".join(value.split()) if kind == "text" else value) for kind, value in steps]
