"""Parse Markdown to an AdrDocument: sections, task items and regions that are not prose.

Structure is CommonMark (pulldown-cmark with tables and task lists), so a heading is what GitHub
renders as one. All offsets are byte offsets into `data`: the file with LF line ends and no BOM.
"""

from bisect import bisect_right
from collections import Counter
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple

import pyromark

from ...paths import MAX_BYTES
from ...yaml_reader import Defect
from .visible import (
    LEFT_OUT,
    NOTHING,
    Fence,
    Kind,
    Reader,
    Span,
    VisibleText,
    covers,
    indexes,
    text,
)

OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_TASKLISTS
    | pyromark.Options.ENABLE_FOOTNOTES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_GFM
)
_BLANKED = b" " * 10 + b"\n" + b" " * 245
"""Maps every byte except a line end to a blank, so that offsets and lines stay valid."""

_TOO_LARGE = "the file is larger than 1 MB and is not read; move images and logs out of the ADR"
_BOMS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
# UTF-32 comes first, since its little-endian mark begins with the one of UTF-16.


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
    data: bytes = b""
    prose_markup: bytes = b""
    markup: bytes = b""
    body: int = 0
    front: str | None = None
    front_line: int = 1
    front_closed: bool = True
    title: Section | None = None
    sections: tuple[Section, ...] = ()
    fences: tuple[Fence, ...] = ()
    comments: tuple[Span, ...] = ()
    shown: VisibleText = NOTHING
    defect: Defect | None = None

    def prose(self, start: int, stop: int) -> str:
        """Return the author's text between two offsets, without code, quotes and pictures."""
        return text(self.shown.runs, start, stop, Kind.ASIDE)

    def visible(self, start: int, stop: int) -> str:
        """Return the text between two offsets that a reader sees, including code and quotes."""
        return text(self.shown.runs, start, stop, Kind.UNSEEN)

    def shows_nothing(self, start: int, stop: int) -> bool:
        """Return whether there is no word, picture, rule or code between two offsets."""
        for index in range(*indexes(self.shown.runs, start, stop)):
            _, _, piece, kind = self.shown.runs[index]
            if kind & Kind.PICTURE and not kind & Kind.HIDDEN:
                return False
            if not kind & (Kind.LAYOUT | Kind.UNSEEN) and piece.strip():
                return False
        return True

    def is_code(self, offset: int) -> bool:
        """Return whether an offset is in inline code or a code block."""
        index = indexes(self.shown.runs, offset + 1, offset + 1)[0] - 1
        if index < 0:
            return False
        start, stop, _, kind = self.shown.runs[index]
        return start <= offset < stop and bool(kind & (Kind.SPAN | Kind.CODE))

    def line_at(self, offset: int) -> int:
        """Return the line of an offset, counted from 1."""
        ends = _line_ends(self.data)
        return min(bisect_right(ends, offset) + 1, len(ends) or 1)

    @property
    def title_text(self) -> str:
        """The title, "" without one."""
        return self.title.title if self.title else ""

    @property
    def text_start(self) -> int:
        """The offset below the title, else below the header."""
        return self.title.start if self.title else self.body

    @property
    def sections_start(self) -> int:
        """The offset of the first section, or the end of the document."""
        return self.sections[0].heading_start if self.sections else len(self.data)

    @property
    def last_line(self) -> int:
        return len(_line_ends(self.data)) or 1

    def texts(self, lines: set[int]) -> dict[int, str]:
        """Return the texts of lines without their line ends; "" beyond the last line."""
        ends = (0, *_line_ends(self.data))
        texts = dict.fromkeys(lines, "")
        for line in lines:
            if 1 <= line < len(ends):
                texts[line] = self.data[ends[line - 1] : ends[line]].decode().removesuffix("\n")
        return texts


@lru_cache(maxsize=8)
def _line_ends(data: bytes) -> tuple[int, ...]:
    """Return the offset after each line. Cached: a document is asked for many lines."""
    return tuple(accumulate(map(len, data.splitlines(keepends=True))))


@lru_cache(maxsize=4)
def parse(raw: bytes, path: str) -> AdrDocument:
    """Parse the bytes of a file; anything except UTF-8 text of at most 1 MB gives a `defect`.

    Cached, since a changed ADR is parsed for each tree with which it is compared.
    """
    data = raw.removeprefix(b"\xef\xbb\xbf")
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    defect = _defect(raw, data)
    if defect:
        return unreadable(path, defect)
    # Markdown would read the front matter as a heading, since `---` follows its text.
    front, front_line, is_closed, body = _front_matter(data)
    # Line ends in place of the front matter, so that all offsets are those of the file.
    markdown = b"\n" * body + data[body:]
    source = markdown.decode()
    reader = Reader(markdown)
    shown = reader.read(pyromark.events_with_range(source, options=OPTIONS))
    if reader.has_html:
        # Most ADRs have no raw HTML, and a hook on them does not load its reader.
        from .raw_html import with_raw_html

        events = pyromark.events_with_range(source, options=OPTIONS)
        shown = with_raw_html(shown, events, markdown)
    markup = _blank(data, shown.unseen)
    code = [(fence.start, fence.stop) for fence in reader.fences]
    title, sections = _sections(reader.headings, shown, len(data))
    return AdrDocument(
        path=path,
        data=data,
        prose_markup=_blank(markup, [*reader.quotes, *shown.tags, *code]),
        markup=markup,
        body=body,
        front=front,
        front_line=front_line,
        front_closed=is_closed,
        title=title,
        sections=sections,
        fences=tuple(reader.fences),
        comments=tuple(shown.comments),
        shown=shown,
    )


def unreadable(path: str, defect: Defect) -> AdrDocument:
    """Return an empty document with the reason why it cannot be read."""
    return AdrDocument(path, defect=defect)


def _defect(raw: bytes, data: bytes) -> Defect | None:
    """Return why the bytes of a file are not text; `data` is their content with LF line ends."""
    if len(raw) > MAX_BYTES:
        return Defect(1, _TOO_LARGE)
    for bom, encoding in _BOMS:
        if raw.startswith(bom):
            return Defect(1, f"the file is {encoding}; save it as UTF-8")
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        return Defect(line, "binary file (contains NUL bytes); save it as UTF-8 text")
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        reason = f"byte 0x{data[error.start]:02x} is not valid UTF-8; save the file as UTF-8"
        return Defect(line, reason)
    return None


def _front_matter(data: bytes) -> tuple[str | None, int, bool, int]:
    """Return the YAML header of a file, which only blank lines may precede.

    Its text is None without any. Then come the line on which it starts, whether it has an end
    marker, and the offset at which the Markdown begins.
    """
    blank = len(data) - len(data.lstrip())
    opening = data[blank : data.find(b"\n", blank) + 1]
    is_indented = data.rfind(b"\n", 0, blank) + 1 != blank
    if opening.rstrip() != b"---" or is_indented:
        return None, 1, True, 0
    start = blank + len(opening)
    line = data.count(b"\n", 0, start) + 1
    position = start
    while position < len(data):
        stop = data.find(b"\n", position) + 1 or len(data)
        if data[position:stop].rstrip() in (b"---", b"..."):
            return data[start:position].decode(), line, True, stop
        position = stop
    # Without a closing marker, `---` may also be a thematic break above the text.
    first = data[start : data.find(b"\n", start)]
    if b":" in first and not first.lstrip().startswith((b"#", b"-")):
        return data[start:].decode(), line, False, len(data)
    return None, 1, True, 0


def _sections(
    headings: list[tuple[int, int, int]], seen: VisibleText, end: int
) -> tuple[Section | None, tuple[Section, ...]]:
    """Return the title (the first level 1 heading) and the sections, without struck-out text.

    `headings` are level, start and stop. Those that some reader may not see are left out.
    """
    sections: list[Section] = []
    stops = [end] * 7  # by level, the start of the next heading of this or a higher level
    own_stop = end
    for level, start, stop in reversed(headings):
        if seen.doubts and covers(seen.doubts, start):
            continue
        words = (
            text(seen.runs, start, stop, Kind.STRUCK | Kind.UNSEEN).replace(LEFT_OUT, " ").split()
        )
        sections.append(Section(" ".join(words), level, start, stop, own_stop, stops[level]))
        stops[level:] = [start] * (7 - level)
        own_stop = start
    sections.reverse()
    for number, section in enumerate(sections):
        if section.level == 1:
            return sections.pop(number), tuple(sections)
    return None, tuple(sections)


def _blank(data: bytes, regions: list[tuple[int, int]]) -> bytes:
    if not regions:
        return data
    blanked = bytearray(data)
    for start, stop in regions:
        blanked[start:stop] = data[start:stop].translate(_BLANKED)
    return bytes(blanked)


def tasks(doc: AdrDocument, section: Section) -> list[Task]:
    """Return the unquoted task list items of a section, each with its first paragraph."""
    runs = doc.shown.runs
    items: list[Task] = []
    first, stop = indexes(runs, section.start, section.stop)
    for index in range(first, stop):
        _, offset, box, kind = runs[index]
        if kind & Kind.TASK and not kind & Kind.ASIDE:
            pieces: list[str] = []
            # The first paragraph. Not `islice`, which would step over all runs before the first.
            for following in range(index + 1, stop):
                _, _, piece, kind = runs[following]
                if kind & Kind.LAYOUT and piece != "\n":
                    break
                pieces.append(" " if kind & Kind.ASIDE else piece)
            items.append(Task(box == "[x] ", "".join(pieces).strip(), offset))
    return items


def word_pairs(data: bytes) -> Counter[tuple[bytes, bytes]]:
    """Count the pairs of neighbouring words of a text."""
    return Counter(pairwise(data.split()))


def is_same_text(now: AdrDocument, before: AdrDocument) -> bool:
    """Return whether at least half of the pairs of words from before are still there.

    Otherwise it is another ADR in the same file. Of the pairs of ADRs in one repository, 1 % share
    at least half.
    """
    old = word_pairs(before.data)
    return 2 * (old & word_pairs(now.data)).total() >= old.total()
