"""Markdown to AdrDocument: sections, task items and the regions that are not prose, each at its place.

Structure is CommonMark (pulldown-cmark with tables and task lists), so what counts here as a heading is what GitHub
renders as one. All offsets are byte offsets into `data`, which is the file with LF line ends and without a BOM.
"""

import re
from bisect import bisect_right
from collections.abc import Mapping
from functools import lru_cache
from itertools import accumulate
from typing import Any, NamedTuple

import pyromark

from ..places import MAX_BYTES
from ..strict import Defect

_SMALL = 30_000
"""Up to this size lines are counted anew each time; beyond it, where there may be many questions, their ends are kept."""
TOO_LARGE = "the file is larger than 1 MB and is not read; move images and logs out of the ADR"

_OPTIONS = pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_TASKLISTS
_ALERT = rb"[> \t]*\[![A-Za-z]+\]"
"""GitHub renders such a quote as a box: it is the author's own voice."""
_MARKUP = rb"(?s)<!--(?:>|->|.*?(?:-->|\Z))|<[^<>]*>"
_BLANKED = bytes(10 if byte == 10 else 32 for byte in range(256))
"""Every byte but a line end to a blank, so that offsets and lines stay."""
_BOMS = ((b"\xff\xfe\x00\x00", "UTF-32"), (b"\x00\x00\xfe\xff", "UTF-32"), (b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"))


Range = Mapping[str, int]
"""pyromark's place of an event: `start` and `end`, counted from the start of the Markdown, not of the file."""


class Section(NamedTuple):
    """A heading and what it owns, its sub-sections included.

    `start` is the offset behind the heading, `own_stop` that of the next heading of any level, `stop` that of the next
    heading of this or a higher level.
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

    `prose` is `data` with code blocks, comments, HTML tags and quotes blanked out; `visible` only with comments
    blanked; both keep every offset. `front` is the YAML text between its markers (None without), which starts on
    line `front_line`; `body` is the offset at which the Markdown begins. A front matter that is opened but never
    closed has `front_closed` False. `defect` says why the bytes are no text that can be read; then all else is empty.
    """

    path: str
    data: bytes
    prose: bytes
    visible: bytes
    body: int
    front: str | None
    front_line: int
    front_closed: bool
    title: Section | None
    sections: tuple[Section, ...]
    fences: tuple[Fence, ...]
    comments: tuple[tuple[int, int], ...]
    defect: Defect | None = None

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
        return self.data[ends[line - 2] if line > 1 else 0 : ends[line - 1]].removesuffix(b"\n").decode()


def parse(raw: bytes, path: str) -> AdrDocument:
    """The document in a file's bytes; bytes that are not one UTF-8 text of at most 1 MB give one with a `defect`."""
    data = raw.removeprefix(b"\xef\xbb\xbf")
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    defect = _defect(raw, data)
    if defect:
        return unreadable(path, defect)
    try:
        text = str(data, "utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return unreadable(path, Defect(line, f"byte 0x{data[error.start]:02x} is not valid UTF-8; save the file as UTF-8"))
    front, front_line, closed, body = _front_matter(data)
    scan = _scan(str(data[body:], "utf-8") if body else text)
    return _document(path, data, front, front_line, closed, body, scan)


def unreadable(path: str, defect: Defect) -> AdrDocument:
    """A document of which only this is known: why it can't be read."""
    return AdrDocument(path, b"", b"", b"", 0, None, 1, True, None, (), (), (), defect)


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
    return (data[start:].decode(), line, False, len(data)) if looks_like_yaml else (None, 1, True, 0)


_Heading = tuple[str, int, int, list[str]]
"""Level (H1 to H6), start and stop of a heading, and the pieces of its text."""


class _Scan(NamedTuple):
    """What one pass over the events collects; offsets count from the start of the Markdown."""

    headings: list[_Heading]
    fences: list[tuple[Any, Range]]
    html: list[Range]
    quotes: list[Range]


def _scan(markdown: str) -> _Scan:  # noqa: C901, PLR0912 -- see below
    """One loop and no calls in it: it visits every event of every ADR, and sets the speed of the whole check.

    Ends of blocks are known from their starts: a heading is inside a list item or quote when it starts before the end
    of the last one. Inline events are passed over, but for those in a heading and, where there may be any, tags.
    """
    scan = _Scan([], [], [], [])
    tagged = "<" in markdown
    texts: list[str] | None = None
    item_stop = quote_stop = 0
    event: Any
    place: Any
    for event, place in pyromark.events_with_range(markdown, options=_OPTIONS):
        if "Start" in event:
            block = event["Start"]
            if block.__class__ is str:
                if block == "Item":
                    if place["end"] > item_stop:  # noqa: PLR1730 -- twice as fast as max(), and here it counts
                        item_stop = place["end"]
                elif block == "HtmlBlock":
                    scan.html.append(place)
            elif "Heading" in block:
                texts = []
                start = place["start"]
                if start >= item_stop and start >= quote_stop:
                    scan.headings.append((block["Heading"]["level"], start, place["end"], texts))
            elif "CodeBlock" in block:
                scan.fences.append((block["CodeBlock"], place))
            elif "BlockQuote" in block and place["start"] >= quote_stop:
                scan.quotes.append(place)
                quote_stop = place["end"]
        elif texts is not None:
            if "Text" in event:
                texts.append(event["Text"])
            elif "End" in event:
                if "Heading" in event["End"]:
                    texts = None
            elif event.__class__ is str:
                texts.append(" ")
            elif "Code" in event:
                texts.append(event["Code"])
            elif "InlineHtml" in event:
                scan.html.append(place)
        elif tagged and "InlineHtml" in event:
            scan.html.append(place)
    return scan


def _document(path: str, data: bytes, front: str | None, front_line: int, closed: bool, body: int, scan: _Scan) -> AdrDocument:
    fences = tuple(_fence(info, place, body) for info, place in scan.fences)
    quotes = [(start, stop) for start, stop in _spans(scan.quotes, body) if not re.match(_ALERT, data[start:stop])]
    comments, tags = _html(data, _spans(scan.html, body))
    visible = _blank(data, comments)
    prose = _blank(visible, [*quotes, *tags, *((fence.start, fence.stop) for fence in fences)])
    title, sections = _sections(_shown(scan.headings, comments, body) if comments else scan.headings, data, body)
    return AdrDocument(path, data, prose, visible, body, front, front_line, closed, title, sections, fences, tuple(comments))


def _fence(block: Any, place: Range, body: int) -> Fence:
    return Fence(None if block == "Indented" else block["Fenced"], place["start"] + body, place["end"] + body)


def tasks(doc: AdrDocument, section: Section) -> list[Task]:
    """The task list items of a section that are not quoted; the text is what is shown up to the end or an empty line.

    A pass of its own over the section alone, since few ADRs are ever asked: no block reaches across a heading.
    """
    found: list[Task] = []
    item_stop = quote_stop = 0
    event: Any
    place: Any
    text = doc.data[section.start : section.stop]
    for event, place in pyromark.events_with_range(text.decode(), options=_OPTIONS):
        if "TaskListMarker" in event and place["start"] >= quote_stop:
            offset = section.start + place["end"]
            found.append(Task(event["TaskListMarker"], _item(doc, offset, section.start + item_stop), offset))
        elif "Start" in event:
            if "BlockQuote" in event["Start"] and not re.match(_ALERT, text[place["start"] : place["end"]]):
                quote_stop = max(quote_stop, place["end"])
            elif event["Start"] == "Item":
                item_stop = place["end"]
    return found


def _item(doc: AdrDocument, offset: int, stop: int) -> str:
    empty = doc.data.find(b"\n\n", offset, stop)
    return doc.prose[offset : stop if empty < 0 else empty].decode().strip()


def code_spans(doc: AdrDocument, start: int, stop: int) -> list[tuple[int, int]]:
    """Where the text between two headings has code between backticks. A pass of its own, as in `tasks`."""
    events = pyromark.events_with_range(doc.data[start:stop].decode(), options=_OPTIONS)
    places: list[Any] = [place for event, place in events if not isinstance(event, str) and "Code" in event]
    return _spans(places, start)


_FIRST = b"-\n\n"
"""Behind this line no text begins with a front matter, which a comment does not have."""


def spoken(text: str) -> str:
    """What a text says in its own voice: paragraphs and headings that are in no quote, list or table, without links, HTML and code that
    reaches over lines. All else is blank, so lines stay lines. For what somebody wrote in a comment.
    """
    document = parse(_FIRST + text.encode(errors="replace"), "")
    said, unsaid, stop = [], [], len(_FIRST)
    event: Any
    place: Any
    for event, place in pyromark.events_with_range(document.data.decode(), options=_OPTIONS):
        if "Start" in event and place["start"] >= stop:
            block = event["Start"]
            if block == "Paragraph" or "Heading" in block:
                said.append((place["start"], place["end"]))
            elif "Link" in block or "Image" in block:
                unsaid.append(place)
            elif block not in ("Emphasis", "Strong"):
                stop = place["end"]
        elif "InlineHtml" in event or ("Code" in event and b"\n" in document.data[place["start"] : place["end"]]):
            unsaid.append(place)
    beside = [(end, start) for (_, end), (start, _) in zip([(0, 0), *said], [*said, (len(document.prose), 0)], strict=True)]
    return _blank(document.prose, [*beside, *_spans(unsaid, 0)]).decode(errors="replace")


def _spans(places: list[Range], body: int) -> list[tuple[int, int]]:
    return [(place["start"] + body, place["end"] + body) for place in places]


def _html(data: bytes, regions: list[tuple[int, int]]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Comments and tags. To CommonMark an HTML block ends at an empty line; to a browser a comment opened in it does not."""
    comments: list[tuple[int, int]] = []
    tags: list[tuple[int, int]] = []
    hidden = 0
    for start, stop in regions:
        for match in re.compile(_MARKUP).finditer(data, max(start, hidden), stop):
            if not match[0].startswith(b"<!--"):
                tags.append(match.span())
            elif match.end() < stop or match[0].endswith(b"-->"):
                comments.append(match.span())
            else:
                hidden = data.find(b"-->", match.start() + 4) + 3
                hidden = hidden if hidden > 2 else len(data)
                comments.append((match.start(), hidden))
    return comments, tags


def _blank(data: bytes, regions: list[tuple[int, int]]) -> bytes:
    if not regions:
        return data
    blanked = bytearray(data)
    for start, stop in regions:
        blanked[start:stop] = data[start:stop].translate(_BLANKED)
    return bytes(blanked)


def _shown(headings: list[_Heading], comments: list[tuple[int, int]], body: int) -> list[_Heading]:
    """The headings outside of comments."""
    starts = [start for start, _ in comments]
    inside = (bisect_right(starts, heading[1] + body) for heading in headings)
    return [heading for heading, count in zip(headings, inside, strict=True) if not count or comments[count - 1][1] <= heading[1] + body]


def _sections(headings: list[_Heading], data: bytes, body: int) -> tuple[Section | None, tuple[Section, ...]]:
    end = len(data)
    stops = [end] * len(headings)
    open_headings: list[int] = []
    for number, (level, start, _, _) in enumerate(headings):
        while open_headings and headings[open_headings[-1]][0] >= level:
            stops[open_headings.pop()] = start + body
        open_headings.append(number)
    own_stops = [*(start + body for _, start, _, _ in headings[1:]), end]
    first: Section | None = None
    sections: list[Section] = []
    for (level, start, stop, texts), own_stop, whole_stop in zip(headings, own_stops, stops, strict=False):
        title = texts[0] if len(texts) == 1 else "".join(texts)
        section = Section(title.strip(), int(level[1]), start + body, stop + body, own_stop, whole_stop)
        if first is None and level == "H1":
            first = section
        else:
            sections.append(section)
    return first, tuple(sections)


@lru_cache(maxsize=8)
def _line_ends(data: bytes) -> tuple[int, ...]:
    """Kept out of the document, since an ADR without findings never needs it."""
    return tuple(accumulate(map(len, data.splitlines(keepends=True))))
