"""The raw HTML in a Markdown document, which few ADRs have: shown by an allow-list. Pure.

Simple are elements of the lists in `words.yaml` that are closed in order, with attributes that hide
nothing: a browser and GitHub show the same text of them. Tables are not, since a browser moves text
out of them. All other raw HTML is in doubt: text in an element that is not simple, and everything
behind a comment, tag or element that is not closed in order. Such text is HIDDEN.
"""

import html
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate, pairwise
from operator import itemgetter
from typing import Any, NamedTuple

from ...text import without_invisible
from ..names import words
from .visible import STARTS, Event, Kind, Run, Span, VisibleText, block_name, covers

_KINDS = {
    "pre": Kind.CODE, "blockquote": Kind.QUOTE,
    "code": Kind.SPAN, "kbd": Kind.SPAN, "samp": Kind.SPAN, "tt": Kind.SPAN,
    "del": Kind.STRUCK, "s": Kind.STRUCK, "strike": Kind.STRUCK,
}  # fmt: skip
_BLOCKS = words("html", "blocks")
_INLINE = words("html", "inline")
_PLAIN = _INLINE - _KINDS.keys()
"""Simple elements that change nothing in the text, even if they stay open."""
_SINGLE = words("html", "single")
_ATTRIBUTES = words("html", "attributes")
_SIMPLE = _BLOCKS | _INLINE | _SINGLE
_OTHERS_SINGLE = words("html", "others_single")
_ENDLESS = words("html", "endless")
_KNOWN = _SIMPLE | _OTHERS_SINGLE | _ENDLESS | words("html", "others")
_TAG = re.compile(
    r"<(?P<end>/?)(?P<name>[a-z][a-z0-9-]*)(?P<attributes>(?:[ \t\n\f]+[a-z_:][a-z0-9_.:-]*"
    r"(?:[ \t\n\f]*=[ \t\n\f]*(?:\"[^\"]*\"|'[^']*'|[^ \t\n\f\"'=<>`]+))?)*)"
    r"[ \t\n\f]*(?P<slash>/?)>",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"([^\s=]+)(\s*=\s*(?:\"[^\"]*\"|'[^']*'|\S+))?")
_COMMENT = re.compile(r"<!--(?!-?>)(?:(?!--!>).)*?-->", re.DOTALL)
_DECLARATION = re.compile(r"<(?:\?|![A-Z\[])[^<>-]*>")
"""A browser skips it. GitHub does too, or shows it as text."""
_HIDING = frozenset(("class", "hidden", "popover", "style"))
"""Attributes of any element that may hide it."""


_IN_PARAGRAPH, _IN_SPAN, _IN_QUOTE = 1 << 20, 1 << 21, 1 << 22
"""Kinds of an open element: in a paragraph; in inline code or struck-out text; in a quote of
Markdown.
"""
_AROUND = _IN_PARAGRAPH | _IN_SPAN | _IN_QUOTE


class _Open(NamedTuple):
    """An open element; `kind` combines its own kind with the kinds of all elements around it.

    The elements of Markdown have no name, and no kind that changes the text in them.
    """

    name: str
    kind: int
    is_raw: bool


class _Source:
    """Raw HTML that stands together; in quotes and lists, its lines are apart in the file."""

    def __init__(self, data: bytes, spans: list[Span], is_inline: bool = False) -> None:
        self.is_inline = is_inline
        # One character per byte, so that an index in the text leads to a place in the file.
        self.text = b"".join(data[start:stop] for start, stop in spans).decode("latin-1")
        self._spans = spans
        self._begins = list(accumulate((stop - start for start, stop in spans), initial=0))

    def spans(self, begin: int, end: int) -> Iterator[Span]:
        """Yield the places of a part of the text in the file."""
        while begin < end:
            number = bisect_right(self._begins, begin) - 1
            until = min(end, self._begins[number + 1])
            start = self._spans[number][0] + begin - self._begins[number]
            yield start, start + until - begin
            begin = until

    def span(self, begin: int, end: int) -> Span:
        return next(self.spans(begin, begin + 1))[0], next(self.spans(end - 1, end))[1]


def with_raw_html(shown: VisibleText, events: Iterable[Event], data: bytes) -> VisibleText:
    """Return the visible text of a document with its raw HTML; `shown` is its Markdown alone."""
    reader = _Reader(data)
    for event, place in events:
        reader.read(event, place["start"], place["end"])
    unused = sorted(shown.unseen)
    texts = [run for run in reader.runs if not covers(unused, run[0])]
    runs = sorted([*shown.runs, *texts], key=itemgetter(0))
    areas = reader.areas()
    for start, stop, kind in areas:
        first = bisect_left(runs, start, key=itemgetter(0))
        for index in range(first, bisect_left(runs, stop, first, key=itemgetter(0))):
            begin, end, piece, own = runs[index]
            if not own & Kind.LAYOUT or own & (Kind.PICTURE | Kind.TASK):
                runs[index] = begin, end, piece, own | kind
    hidden = [(start, stop) for start, stop, kind in areas if kind & Kind.HIDDEN]
    doubts = _merged(sorted([*reader.doubts, *hidden]))
    return shown._replace(
        runs=runs,
        unseen=sorted([*shown.unseen, *reader.comments, *doubts]),
        comments=reader.comments,
        tags=reader.tags,
        doubts=doubts,
    )


def _merged(spans: list[Span]) -> list[Span]:
    """Join spans that touch or overlap."""
    merged: list[Span] = []
    for start, stop in spans:
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(stop, merged[-1][1])
        else:
            merged.append((start, stop))
    return merged


class _Reader:
    """Reads the events of a document, with the elements that are open."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._ended = set(re.findall(rb"</([a-z][a-z0-9-]*)", data.lower()))
        self._open: list[_Open] = []
        self._never_ends = 0
        self._depth = self._pictures = 0
        self._block: list[Span] = []
        self._footnotes: list[Span] = []
        self._changes: list[tuple[int, int]] = []
        self._is_lost = False
        self.runs: list[Run] = []
        self.comments: list[Span] = []
        self.tags: list[Span] = []
        self.doubts: list[Span] = []

    def areas(self) -> list[tuple[int, int, int]]:
        """Return the regions in elements of raw HTML, and the kinds of all text in each."""
        changes = [*self._changes, (len(self._data) + 1, 0)]
        areas = [(start, stop, kind) for (start, kind), (stop, _) in pairwise(changes) if kind]
        if self._is_lost or self._open:
            # GitHub moves footnotes to the end, into the element that is still open there.
            areas += [(start, stop, Kind.HIDDEN | Kind.IN_HTML) for start, stop in self._footnotes]
        return areas

    def read(self, event: Any, start: int, stop: int) -> None:
        if "Html" in event or "InlineHtml" in event:
            self._read_html(event, start, stop)
        elif "Start" in event:
            self._start_markdown(event["Start"], start, stop)
        elif "End" in event:
            self._end_markdown(block_name(event["End"]), stop)

    def _read_html(self, event: Any, start: int, stop: int) -> None:
        if self._pictures:
            return  # a tag in an alternative text is text there
        if self._is_lost:
            self._add_text(start, stop)
        elif "InlineHtml" in event:
            self._fragment(_Source(self._data, [(start, stop)], is_inline=True))
        else:
            self._block.append((start, stop))

    @property
    def _name(self) -> str:
        """The name of the innermost element, "" for one of Markdown."""
        return self._open[-1].name if self._open else ""

    @property
    def _kind(self) -> int:
        return self._open[-1].kind if self._open else 0

    def _lose(self, place: int) -> None:
        """Take everything from a place on for text in doubt."""
        if not self._is_lost:
            self._is_lost = True
            self._changes.append((place, Kind.HIDDEN | Kind.IN_HTML))

    def _change(self, place: int) -> None:
        """Note the kind of the text from a place on."""
        kind = self._kind & ~_AROUND | self._never_ends
        if not self._is_lost:
            self._changes.append((place, kind))

    def _start_markdown(self, block: Any, start: int, stop: int) -> None:
        name = block_name(block)
        if name == "HtmlBlock":
            self._block = []
            return
        if name == "Image":
            self._pictures += 1
        kind = self._kind
        if name == "FootnoteDefinition":
            self._footnotes.append((start, stop))
            if kind & Kind.IN_HTML:
                self._lose(start)
        elif name in STARTS and self._breaks_span():
            self._lose(start)
        if name == "BlockQuote" and not (block[name] and not self._depth):
            kind |= _IN_QUOTE  # an alert at the top is the author's own text
        elif name == "Paragraph":
            kind |= _IN_PARAGRAPH
        elif name == "Strikethrough":
            kind |= _IN_SPAN
        self._depth += 1
        self._open.append(_Open("", kind, is_raw=False))

    def _end_markdown(self, name: str, stop: int) -> None:
        if name == "HtmlBlock":
            if self._block and not self._is_lost:
                self._fragment(_Source(self._data, _merged(self._block)))
            return
        if name == "Image":
            self._pictures -= 1
        self._depth -= 1
        while (element := self._open.pop()).is_raw:
            if element.kind & Kind.HIDDEN or element.name not in _PLAIN:
                self._lose(stop)
            self._never_ends = Kind.IN_HTML

    def _breaks_span(self) -> bool:
        """Return whether a block here ends a paragraph, and with it an element such as code."""
        return bool(self._kind & _IN_PARAGRAPH and self._kind & _IN_SPAN)

    def _fragment(self, source: _Source) -> None:
        text, place = source.text, 0
        while place < len(text):
            sign = text.find("<", place)
            if sign < 0:
                sign = len(text)
            for span in source.spans(place, sign):
                self._add_text(*span)
            place = sign
            if sign < len(text):
                place = self._markup(source, sign)
            # In a line it is one tag or comment. Over the lines of a quote, it has signs within.
            if place == sign or (source.is_inline and place < len(text)):
                break
        if place < len(text):
            self._lose(next(source.spans(place, len(text)))[0])
            for span in source.spans(place, len(text)):
                self._add_text(*span)

    def _markup(self, source: _Source, sign: int) -> int:
        """Read a comment, declaration or tag; return the index after it, `sign` without one."""
        comment = _COMMENT.match(source.text, sign)
        # GitHub's parser knows no comment in a line that ends with three hyphens.
        if comment and not (source.is_inline and comment[0].endswith("--->")):
            self.comments.append(source.span(*comment.span()))
            return comment.end()
        if declaration := _DECLARATION.match(source.text, sign):
            self.doubts.append(source.span(*declaration.span()))
            for start, stop in source.spans(*declaration.span()):
                self._add_text(start, stop, Kind.HIDDEN)
            return declaration.end()
        tag = _TAG.match(source.text, sign)
        if tag and self._tag(tag, *source.span(*tag.span())):
            return tag.end()
        return sign

    def _tag(self, tag: re.Match[str], start: int, stop: int) -> bool:
        """Open or close an element; return whether it is certain what follows it."""
        name = tag["name"].lower()
        if tag["end"]:
            if tag["attributes"] or tag["slash"] or self._name != name:
                return False
            self._open.pop()
            self._change(stop)
        elif not self._start(tag, name, start, stop):
            return False
        self.tags.append((start, stop))
        if name in _BLOCKS or name in ("br", "hr"):
            self.runs.append((start, stop, "\n", Kind.LAYOUT))
        return True

    def _start(self, tag: re.Match[str], name: str, start: int, stop: int) -> bool:
        attributes = {match[1].lower() for match in _ATTRIBUTE.finditer(tag["attributes"])}
        if name not in _KNOWN and name.encode() not in self._ended and not attributes & _HIDING:
            self._never_ends = Kind.IN_HTML  # a blank of a template, as `<name>`
            self._change(start)
            return True
        if name in _ENDLESS or not self._fits(name):
            return False
        is_simple = name in _SIMPLE and attributes <= _ATTRIBUTES
        if name in _SINGLE or name in _OTHERS_SINGLE:
            if not is_simple:
                self.doubts.append((start, stop))
            elif name == "img":
                self.runs.append((start, stop, "", Kind.PICTURE | Kind.LAYOUT))
            return True
        if is_simple and tag["slash"] and name in _PLAIN:
            self._never_ends = Kind.IN_HTML  # `<a name="x"/>` stays open, and changes no text
            self._change(start)
            return True
        kind = self._kind | Kind.IN_HTML | (_KINDS.get(name, 0) if is_simple else Kind.HIDDEN)
        if kind & Kind.HIDDEN:
            kind = Kind.HIDDEN | Kind.IN_HTML | kind & _AROUND & ~_IN_SPAN
        elif name == "p":
            kind |= _IN_PARAGRAPH
        elif name in _INLINE and name in _KINDS:
            kind |= _IN_SPAN
        self._open.append(_Open(name, kind, is_raw=True))
        self._change(start)
        return True

    def _fits(self, name: str) -> bool:
        """Return whether an element may stand in the innermost one."""
        if name == "li":
            return self._name in ("ul", "ol")
        return name in _INLINE or name in _SINGLE - {"hr"} or not self._breaks_span()

    def _add_text(self, start: int, stop: int, kind: int = 0) -> None:
        if self._kind & _IN_QUOTE:
            kind |= Kind.QUOTE
        words = html.unescape(self._data[start:stop].decode(errors="replace"))
        self.runs.append((start, stop, without_invisible(words), kind))
