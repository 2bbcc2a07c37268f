"""Parse Markdown to an AdrDocument: sections, task items and regions that are not prose.

Structure is CommonMark (pulldown-cmark with tables and task lists), so a heading is what GitHub
renders as one. All offsets are byte offsets into `data`: the file with LF line ends and no BOM.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from functools import lru_cache
from itertools import accumulate
from operator import itemgetter
from typing import Any, NamedTuple

import pyromark

from ...yaml_reader import Defect
from .source import FrontMatter, defect_of, front_matter, invalid_byte, with_line_feeds
from .visible import (
    ASIDE,
    HIDDEN,
    LAYOUT,
    LEFT_OUT,
    NOTHING,
    PICTURE,
    STRUCK,
    TASK,
    UNSEEN,
    Event,
    Run,
    Span,
    VisibleReader,
    VisibleText,
    covers,
    text,
)

_SMALL = 30_000
"""Bytes up to which a file is parsed and its lines are counted each time; larger ones are cached.

Hashing a small file costs as much as the work that a cache would save.
"""

OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_TASKLISTS
    | pyromark.Options.ENABLE_FOOTNOTES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_GFM
)
_BLANKED = bytes(10 if byte == 10 else 32 for byte in range(256))
"""Maps every byte except a line end to a blank, so that offsets and lines stay valid."""

Range = Mapping[str, int]
"""pyromark's `start` and `end` of an event: offsets in the Markdown, not in the file."""


class Section(NamedTuple):
    """A heading and the text below it, including sub-sections.

    `start` is the offset after the heading, `own_stop` the offset of the next heading of any level,
    `stop` the offset of the next heading of this or a higher level.
    """

    title: str
    level: int
    heading_start: int
    start: int
    own_stop: int
    stop: int


class Task(NamedTuple):
    """A task list item, `- [ ] text` in any list style."""

    checked: bool
    text: str
    offset: int


class Fence(NamedTuple):
    """A code block; `info` is None for an indented one."""

    info: str | None
    start: int
    stop: int


class AdrDocument(NamedTuple):
    """A parsed Markdown file.

    `shown` is the visible text, which `visible` and `prose` return by offsets. `markup` is `data`
    with blanks instead of hidden text, such as comments; `prose_markup` also has blanks instead of
    code blocks, HTML tags and quotes. Both keep every offset and the Markdown syntax, from which
    header fields, links and file names are read. `front` is the YAML text between its markers (None
    without), which starts on line `front_line`; `body` is the offset at which the Markdown begins.
    `front_closed` is False if the closing marker is missing. `defect` is the reason why the bytes
    cannot be read as text; all other fields are empty then.
    """

    path: str
    data: bytes
    prose_markup: bytes
    markup: bytes
    body: int
    front: str | None
    front_line: int
    front_closed: bool
    title: Section | None
    sections: tuple[Section, ...]
    fences: tuple[Fence, ...]
    comments: tuple[Span, ...]
    shown: VisibleText = NOTHING
    defect: Defect | None = None

    def prose(self, start: int, stop: int, most: int = 0) -> str:
        """Return the author's text between two offsets, without code, quotes and pictures."""
        return text(self.shown.runs, start, stop, ASIDE, most)

    def visible(self, start: int, stop: int) -> str:
        """Return the text between two offsets that a reader sees, including code and quotes."""
        return text(self.shown.runs, start, stop, UNSEEN)

    def runs_between(self, start: int, stop: int) -> tuple[int, int]:
        """Return the range of indexes of the runs between two offsets."""
        return _first(self.shown.runs, start), _first(self.shown.runs, stop)

    def shows_nothing(self, start: int, stop: int) -> bool:
        """Return whether there is no word, picture, rule or code between two offsets."""
        runs = self.shown.runs[slice(*self.runs_between(start, stop))]
        return not any(
            (kind & PICTURE and not kind & HIDDEN)
            or (not kind & (LAYOUT | UNSEEN) and piece.strip())
            for _, _, piece, kind in runs
        )

    def line_at(self, offset: int) -> int:
        """Return the line of an offset, counted from 1."""
        if len(self.data) <= _SMALL:
            return self.data.count(b"\n", 0, min(offset, len(self.data) - 1)) + 1
        ends = _line_ends(self.data)
        return min(bisect_right(ends, offset) + 1, len(ends) or 1)

    @property
    def title_text(self) -> str:
        """The title, "" without one."""
        return self.title.title if self.title else ""

    @property
    def sections_start(self) -> int:
        """The offset of the first section, or the end of the document."""
        return self.sections[0].heading_start if self.sections else len(self.data)

    @property
    def last_line(self) -> int:
        return max(1, self.data.count(b"\n") + (not self.data.endswith(b"\n")))

    def texts(self, lines: set[int]) -> dict[int, str]:
        """Return the texts of lines without their line ends; "" beyond the last line."""
        if len(self.data) > _SMALL:
            return {line: self._text(line, _line_ends(self.data)) for line in lines}
        rows = self.data.split(b"\n", max(lines, default=0))
        texts = dict.fromkeys(lines, "")
        for line in lines:
            if 1 <= line <= len(rows):
                texts[line] = rows[line - 1].decode()
        return texts

    def _text(self, line: int, ends: tuple[int, ...]) -> str:
        if not 1 <= line <= len(ends):
            return ""
        start = 0
        if line > 1:
            start = ends[line - 2]
        return self.data[start : ends[line - 1]].removesuffix(b"\n").decode()


def parse(raw: bytes, path: str) -> AdrDocument:
    """Parse the bytes of a file; anything except UTF-8 text of at most 1 MB gives a `defect`."""
    if len(raw) <= _SMALL:
        return _parsed(raw, path)
    return _parsed_once(raw, path)


@lru_cache(maxsize=4)
def _parsed_once(raw: bytes, path: str) -> AdrDocument:
    return _parsed(raw, path)


def _parsed(raw: bytes, path: str) -> AdrDocument:
    data = with_line_feeds(raw)
    defect = defect_of(raw, data)
    if defect:
        return unreadable(path, defect)
    try:
        source = str(data, "utf-8")
    except UnicodeDecodeError as error:
        return unreadable(path, invalid_byte(data, error.start))
    # Markdown would read the front matter as a heading, since `---` follows its text.
    front = front_matter(data)
    if front.body:
        source = str(data[front.body :], "utf-8")
    events = pyromark.events_with_range(source, options=OPTIONS)
    return _document(path, data, front, list(events))


def unreadable(path: str, defect: Defect) -> AdrDocument:
    """Return an empty document with the reason why it cannot be read."""
    return AdrDocument(
        path=path,
        data=b"",
        prose_markup=b"",
        markup=b"",
        body=0,
        front=None,
        front_line=1,
        front_closed=True,
        title=None,
        sections=(),
        fences=(),
        comments=(),
        shown=NOTHING,
        defect=defect,
    )


_Heading = tuple[int, int, int]
"""Level (1 to 6), start and stop of a heading."""


class _Scan(NamedTuple):
    """The blocks of a document. Offsets count from the start of the Markdown."""

    headings: list[_Heading]
    fences: list[tuple[Any, Range]]
    quotes: list[Range]


def _scan(events: list[Event]) -> _Scan:
    """Return the blocks of a document.

    The ends of blocks are known from their starts: a heading is inside a list item, quote or
    footnote if it starts before the end of the last one.
    """
    scan = _Scan([], [], [])
    nested_stop = quote_stop = 0
    event: Any
    place: Any
    # The loop calls nothing for common blocks, since it visits every event of every ADR.
    for event, place in events:
        if "Start" not in event:
            continue
        block = event["Start"]
        if block.__class__ is str:
            if block == "Item":
                nested_stop = max(nested_stop, place["end"])
        elif "Heading" in block:
            if place["start"] >= nested_stop:
                level = int(block["Heading"]["level"][1])
                scan.headings.append((level, place["start"], place["end"]))
        elif "CodeBlock" in block:
            scan.fences.append((block["CodeBlock"], place))
        elif "BlockQuote" in block:
            quote_stop = _add_quote(scan.quotes, block["BlockQuote"], place, quote_stop)
            nested_stop = max(nested_stop, quote_stop)
        elif "FootnoteDefinition" in block:
            nested_stop = max(nested_stop, place["end"])
    return scan


def _add_quote(quotes: list[Range], alert: str | None, place: Range, last_stop: int) -> int:
    """Add a quote that is in no other one, and return where the last one ends."""
    if place["start"] < last_stop:
        return last_stop
    if not alert:
        quotes.append(place)  # an alert is the author's own text
    return place["end"]


def _document(path: str, data: bytes, front: FrontMatter, events: list[Event]) -> AdrDocument:
    body = front.body
    scan = _scan(events)
    seen = _visible_text(events, data, body)
    fences = tuple(_fence(info, place, body) for info, place in scan.fences)
    code = [(fence.start, fence.stop) for fence in fences]
    markup = _blank(data, seen.unseen)
    prose_markup = _blank(markup, [*_spans(scan.quotes, body), *seen.tags, *code])
    headings = [
        (level, start + body, stop + body)
        for level, start, stop in scan.headings
        if not seen.doubts or not covers(seen.doubts, start + body)
    ]
    title, sections = _sections(headings, seen, len(data))
    return AdrDocument(
        path=path,
        data=data,
        prose_markup=prose_markup,
        markup=markup,
        body=body,
        front=front.text,
        front_line=front.line,
        front_closed=front.closed,
        title=title,
        sections=sections,
        fences=fences,
        comments=tuple(seen.comments),
        shown=seen,
    )


def _visible_text(events: list[Event], data: bytes, body: int) -> VisibleText:
    shown = VisibleReader(data, body).read(events)
    if b"<" in data and any("Html" in event or "InlineHtml" in event for event, _ in events):
        # Most ADRs have no raw HTML, and a hook on them does not load its reader.
        from .raw_html import with_raw_html

        return with_raw_html(shown, events, data, body)
    return shown


def _first(runs: list[Any], offset: int) -> int:
    return bisect_left(runs, offset, key=itemgetter(0))


def _fence(block: Any, place: Range, body: int) -> Fence:
    info = None if block == "Indented" else block["Fenced"]
    return Fence(info, place["start"] + body, place["end"] + body)


def tasks(doc: AdrDocument, section: Section) -> list[Task]:
    """Return the unquoted task list items of a section, each with its first paragraph."""
    runs = doc.shown.runs
    items: list[Task] = []
    stop = _first(runs, section.stop)
    for index in range(_first(runs, section.start), stop):
        _, offset, box, kind = runs[index]
        if kind & TASK and not kind & ASIDE:
            items.append(Task(box == "[x] ", _first_paragraph(runs, index + 1, stop), offset))
    return items


def _first_paragraph(runs: list[Run], first: int, stop: int) -> str:
    """Return the prose of the runs from `first` up to the end of the block."""
    pieces: list[str] = []
    # Not `islice`, which would step over all runs before the first.
    for index in range(first, stop):
        _, _, piece, kind = runs[index]
        if kind & LAYOUT and piece != "\n":
            break
        pieces.append(" " if kind & ASIDE else piece)
    return "".join(pieces).strip()


def _spans(places: list[Range], body: int) -> list[tuple[int, int]]:
    return [(place["start"] + body, place["end"] + body) for place in places]


def _blank(data: bytes, regions: list[tuple[int, int]]) -> bytes:
    if not regions:
        return data
    blanked = bytearray(data)
    for start, stop in regions:
        blanked[start:stop] = data[start:stop].translate(_BLANKED)
    return bytes(blanked)


def _sections(
    headings: list[_Heading], seen: VisibleText, end: int
) -> tuple[Section | None, tuple[Section, ...]]:
    """Return the title (the first level 1 heading) and the sections, without struck-out text."""
    first: Section | None = None
    sections: list[Section] = []
    own_stops = [*(start for _, start, _ in headings[1:]), end]
    stops = _stops(headings, end)
    for (level, start, stop), own_stop, whole_stop in zip(headings, own_stops, stops, strict=False):
        shown = text(seen.runs, start, stop, STRUCK | UNSEEN).replace(LEFT_OUT, " ")
        section = Section(
            title=" ".join(shown.split()),
            level=level,
            heading_start=start,
            start=stop,
            own_stop=own_stop,
            stop=whole_stop,
        )
        if first is None and level == 1:
            first = section
        else:
            sections.append(section)
    return first, tuple(sections)


def _stops(headings: list[_Heading], end: int) -> list[int]:
    """Return the offset at which each section ends, with its sub-sections."""
    stops = [end] * len(headings)
    open_headings: list[int] = []
    for number, (level, start, _) in enumerate(headings):
        while open_headings and headings[open_headings[-1]][0] >= level:
            stops[open_headings.pop()] = start
        open_headings.append(number)
    return stops


@lru_cache(maxsize=8)
def _line_ends(data: bytes) -> tuple[int, ...]:
    """Return the offset after each line. It is not a field, since few documents need it."""
    return tuple(accumulate(map(len, data.splitlines(keepends=True))))
