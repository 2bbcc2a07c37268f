"""Parse Markdown to an AdrDocument: sections, task items and regions that are not prose.

Structure is CommonMark (pulldown-cmark with tables and task lists), so a heading here is what
GitHub renders as one. All offsets are byte offsets into `data`: the file with LF line ends and no
BOM.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from functools import lru_cache
from itertools import accumulate
from operator import itemgetter

import pyromark

from ...paths import MAX_BYTES
from ...records import Any, NamedTuple
from ...yaml_values import Defect
from .raw_html import PICTURE, STRUCK, Span
from .visible import ASIDE, LAYOUT, LEFT_OUT, NOTHING, TASK, UNSEEN, Event, VisibleText, shown, text

_SMALL = 30_000
"""Up to this size lines are counted anew each time; beyond it, their ends are cached."""
TOO_LARGE = "the file is larger than 1 MB and is not read; move images and logs out of the ADR"

OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_TASKLISTS
    | pyromark.Options.ENABLE_FOOTNOTES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_GFM
)
_BLANKED = bytes(10 if byte == 10 else 32 for byte in range(256))
"""Every byte but a line end to a blank, so that offsets and lines stay."""
_BOMS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)


Range = Mapping[str, int]
"""pyromark's place of an event: offsets in the Markdown, not in the file."""


class Section(NamedTuple):
    """A heading and what it owns, its sub-sections included.

    `start` is the offset behind the heading, `own_stop` that of the next heading of any level,
    `stop` that of the next heading of this or a higher level.
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
    with all blanked out that no reader sees, as comments and hidden elements; `prose_markup` also
    without code blocks, HTML tags and quotes. Both keep every offset and the signs of Markdown, for
    what is read from those: header fields, links, names of files. `front` is the YAML text between
    its markers (None without), which starts on line `front_line`; `body` is the offset at which the
    Markdown begins. A front matter that is opened but never closed has `front_closed` False.
    `defect` says why the bytes are no text that can be read; then all else is empty.
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
        """Return the author's own text in a range: no code, quotes, hidden text, pictures."""
        return text(self.shown.runs, start, stop, ASIDE, most)

    def visible(self, start: int, stop: int) -> str:
        """The text between two offsets that a reader sees, code and quotes included."""
        return text(self.shown.runs, start, stop, UNSEEN)

    def runs_between(self, start: int, stop: int) -> tuple[int, int]:
        """The indexes of the first run between two offsets and of the one behind the last."""
        return _first(self.shown.runs, start), _first(self.shown.runs, stop)

    def shows_nothing(self, start: int, stop: int) -> bool:
        """Return whether two offsets have no word, picture, rule or code between them."""
        runs = self.shown.runs[slice(*self.runs_between(start, stop))]
        return not any(
            kind & PICTURE or (not kind & (LAYOUT | UNSEEN) and piece.strip())
            for _, _, piece, kind in runs
        )

    def line_at(self, offset: int) -> int:
        """The line, from 1, on which an offset lies."""
        if len(self.data) <= _SMALL:
            return self.data.count(b"\n", 0, min(offset, len(self.data) - 1)) + 1
        ends = _line_ends(self.data)
        return min(bisect_right(ends, offset) + 1, len(ends) or 1)

    @property
    def last_line(self) -> int:
        return max(1, self.data.count(b"\n") + (not self.data.endswith(b"\n")))

    def texts(self, lines: set[int]) -> dict[int, str]:
        """The texts of lines, without their ends; empty beyond the last one."""
        if len(self.data) > _SMALL:
            return {line: self._text(line, _line_ends(self.data)) for line in lines}
        rows = self.data.split(b"\n", max(lines, default=0))
        return {line: rows[line - 1].decode() if 1 <= line <= len(rows) else "" for line in lines}

    def _text(self, line: int, ends: tuple[int, ...]) -> str:
        if not 1 <= line <= len(ends):
            return ""
        return (
            self.data[ends[line - 2] if line > 1 else 0 : ends[line - 1]]
            .removesuffix(b"\n")
            .decode()
        )


def parse(raw: bytes, path: str) -> AdrDocument:
    """Parse a file's bytes, once each; all but UTF-8 text of at most 1 MB gives a `defect`."""
    return _parsed(raw, path) if len(raw) <= _SMALL else _kept(raw, path)


@lru_cache(maxsize=4)
def _kept(raw: bytes, path: str) -> AdrDocument:
    return _parsed(raw, path)


def _parsed(raw: bytes, path: str) -> AdrDocument:
    data = raw.removeprefix(b"\xef\xbb\xbf")
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    defect = _defect(raw, data)
    if defect:
        return unreadable(path, defect)
    try:
        source = str(data, "utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return unreadable(
            path,
            Defect(
                line, f"byte 0x{data[error.start]:02x} is not valid UTF-8; save the file as UTF-8"
            ),
        )
    front, front_line, closed, body = _front_matter(data)
    events = pyromark.events_with_range(
        str(data[body:], "utf-8") if body else source, options=OPTIONS
    )
    return _document(path, data, front, front_line, closed, body, list(events))


def unreadable(path: str, defect: Defect) -> AdrDocument:
    """Return an empty document with the reason why it can't be read."""
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


def _defect(raw: bytes, data: bytes) -> Defect | None:
    if len(raw) > MAX_BYTES:
        return Defect(1, TOO_LARGE)
    for bom, encoding in _BOMS:
        if raw.startswith(bom):
            return Defect(1, f"the file is {encoding}; save it as UTF-8")
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        return Defect(line, "the file contains NUL bytes, so it is not a text; save it as UTF-8")
    return None


def _front_matter(data: bytes) -> tuple[str | None, int, bool, int]:
    blank = len(data) - len(data.lstrip())
    opening = data[blank : data.find(b"\n", blank) + 1]
    if opening.rstrip() != b"---" or data.rfind(b"\n", 0, blank) + 1 != blank:
        return None, 1, True, 0
    start = blank + len(opening)
    line = data.count(b"\n", 0, start) + 1
    position = start
    while position < len(data):
        stop = data.find(b"\n", position) + 1 or len(data)
        if data[position:stop].rstrip() in (b"---", b"..."):
            return data[start:position].decode(), line, True, stop
        position = stop
    first = data[start : data.find(b"\n", start)] if start < len(data) else b""
    looks_like_yaml = b":" in first and not first.lstrip().startswith((b"#", b"-"))
    return (
        (data[start:].decode(), line, False, len(data)) if looks_like_yaml else (None, 1, True, 0)
    )


_Heading = tuple[int, int, int]
"""Level, start and stop of a heading."""


class _Scan(NamedTuple):
    """The blocks of a document; offsets count from the start of the Markdown."""

    headings: list[_Heading]
    fences: list[tuple[Any, Range]]
    quotes: list[Range]


def _scan(events: list[Event]) -> _Scan:
    """One loop and no calls in it: it visits every event of every ADR.

    Ends of blocks are known from their starts: a heading is inside a list item, quote or footnote
    when it starts before the end of the last one.
    """
    scan = _Scan([], [], [])
    item_stop = quote_stop = 0
    event: Any
    place: Any
    for event, place in events:
        if "Start" in event:
            block = event["Start"]
            if block.__class__ is str:
                if block == "Item" and place["end"] > item_stop:
                    item_stop = place["end"]
            elif "Heading" in block:
                start = place["start"]
                if start >= item_stop and start >= quote_stop:
                    scan.headings.append((int(block["Heading"]["level"][1]), start, place["end"]))
            elif "CodeBlock" in block:
                scan.fences.append((block["CodeBlock"], place))
            elif "BlockQuote" in block and place["start"] >= quote_stop:
                if not block["BlockQuote"]:
                    scan.quotes.append(place)
                quote_stop = place["end"]
            elif "FootnoteDefinition" in block and place["end"] > item_stop:
                item_stop = place["end"]
    return scan


def _document(
    path: str,
    data: bytes,
    front: str | None,
    front_line: int,
    closed: bool,
    body: int,
    events: list[Event],
) -> AdrDocument:
    scan = _scan(events)
    seen = shown(events, data, body)
    fences = tuple(_fence(info, place, body) for info, place in scan.fences)
    markup = _blank(data, seen.unseen)
    prose = _blank(
        markup,
        [*_spans(scan.quotes, body), *seen.tags, *((fence.start, fence.stop) for fence in fences)],
    )
    headings = [
        (level, start + body, stop + body)
        for level, start, stop in scan.headings
        if start + body not in seen.lost_headings
    ]
    title, sections = _sections(headings, seen, len(data))
    return AdrDocument(
        path=path,
        data=data,
        prose_markup=prose,
        markup=markup,
        body=body,
        front=front,
        front_line=front_line,
        front_closed=closed,
        title=title,
        sections=sections,
        fences=fences,
        comments=tuple(seen.comments),
        shown=seen,
    )


def _first(runs: list[Any], offset: int) -> int:
    return bisect_left(runs, offset, key=itemgetter(0))


def _fence(block: Any, place: Range, body: int) -> Fence:
    return Fence(
        None if block == "Indented" else block["Fenced"], place["start"] + body, place["end"] + body
    )


def tasks(doc: AdrDocument, section: Section) -> list[Task]:
    """Return the unquoted task list items of a section, each with its first paragraph."""
    runs = doc.shown.runs
    found: list[Task] = []
    stop = _first(runs, section.stop)
    index = _first(runs, section.start)
    while index < stop:
        _, offset, box, kind = runs[index]
        index += 1
        if not kind & TASK or kind & ASIDE:
            continue
        pieces: list[str] = []
        while index < stop and not (runs[index][3] & LAYOUT and runs[index][2] != "\n"):
            pieces.append(runs[index][2] if not runs[index][3] & ASIDE else " ")
            index += 1
        found.append(Task(box == "[x] ", "".join(pieces).strip(), offset))
    return found


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
    stops = [end] * len(headings)
    open_headings: list[int] = []
    for number, (level, start, _) in enumerate(headings):
        while open_headings and headings[open_headings[-1]][0] >= level:
            stops[open_headings.pop()] = start
        open_headings.append(number)
    own_stops = [*(start for _, start, _ in headings[1:]), end]
    first: Section | None = None
    sections: list[Section] = []
    for (level, start, stop), own_stop, whole_stop in zip(headings, own_stops, stops, strict=False):
        title = " ".join(
            text(seen.runs, start, stop, STRUCK | UNSEEN).replace(LEFT_OUT, " ").split()
        )
        section = Section(
            title=title,
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


@lru_cache(maxsize=8)
def _line_ends(data: bytes) -> tuple[int, ...]:
    """Kept out of the document, since an ADR without findings never needs it."""
    return tuple(accumulate(map(len, data.splitlines(keepends=True))))
