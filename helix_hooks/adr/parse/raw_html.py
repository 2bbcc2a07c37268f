"""The raw HTML in a Markdown document, read as a browser reads it.

CommonMark copies raw HTML to the page and renders the text around it. So a comment, a tag or an
element that one fragment opens can extend over several paragraphs. This is the part of the HTML
standard's tokenizer (section 13.2.5) that decides which text is shown: tags with their attributes,
and comments. `elements.py` has the elements that tags open.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from .elements import BLOCKS, OpenElements

if TYPE_CHECKING:
    from .visible import Span

_FILTERED = (
    r"(?i)</?(?:title|textarea|style|xmp|iframe|noembed|noframes|script|plaintext)(?=[\s>]|/>)"
)
"""Tags that GitHub shows as text (GFM, section 6.11, "Disallowed Raw HTML")."""
_BLANK = " \t\n\f\r"
_NAME = r"[^\s/>]*"
_ATTRIBUTE = r"[^\s/>][^\s/>=]*"
_UNQUOTED = r"[^\s>]*"
_BLANKS = rf"[{_BLANK}]*"
_COMMENT_END = r"--!?>"

_compiled = lru_cache(maxsize=16)(re.compile)
"""Compile and cache a pattern; most documents have no raw HTML and need none."""


class Piece(NamedTuple):
    """A shown text, or a line break or image if `tag` is set: "block" or "img"."""

    start: int
    stop: int
    kind: int
    tag: str = ""


class _Tag(NamedTuple):
    """A tag of which attributes are being read."""

    name: str
    closing: bool
    attributes: dict[str, str]


_NO_TAG = _Tag("", True, {})


class RawHtml:
    """The state of a browser's parser: the elements, and the comment or tag, that are open.

    `_until` is the text that ends the open comment, tag or quoted attribute value; "" without one.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._text = data.decode("latin-1")  # one character per byte, so that offsets stay valid
        self._elements = OpenElements()
        self._until = ""
        self._opened_at = 0
        self._tag = _NO_TAG
        self._breaks = False
        self.comments: list[Span] = []
        self.tags: list[Span] = []

    @property
    def kind(self) -> int:
        """The kind of the text at the present place."""
        return self._elements.kind

    @property
    def swallows(self) -> bool:
        """Return whether text at the present place is part of a comment or a tag."""
        return bool(self._until)

    def begin(self, name: str) -> None:
        """Enter an element that Markdown renders. The end of its tag ends an open tag."""
        if self._until == ">":
            self._end_tag()
        elif not self._until:
            self._elements.start(name, {})

    def end(self, name: str) -> None:
        """Leave an element that Markdown renders. The end of its tag ends an open tag."""
        if self._until == ">":
            self._end_tag()
        elif not self._until:
            self._elements.end(name)

    def finish(self, stop: int) -> None:
        """End the document: an open comment or tag extends to `stop`."""
        if self._until == "-->":
            self.comments.append((self._opened_at, stop))
        elif self.swallows:
            self.tags.append((self._opened_at, stop))

    def feed(self, start: int, stop: int) -> Iterator[Piece]:
        """Read a fragment of raw HTML, and yield the pieces that are shown, in order."""
        self._breaks = False
        place = self._resumed(start, stop)
        if self._breaks:
            yield Piece(place, place, self.kind, "block")
        while place < stop:
            sign = self._text.find("<", place, stop)
            text_stop = stop if sign < 0 else sign
            if text_stop > place:
                yield Piece(place, text_stop, self.kind)
            if sign < 0:
                return
            place, piece = self._markup(sign, stop)
            if piece:
                yield piece

    def _resumed(self, start: int, stop: int) -> int:
        """Return the offset after the comment or tag that an earlier fragment left open."""
        if not self._until:
            return start
        if self._until == "-->":
            return self._resume_comment(start, stop)
        tag_stop = self._resume_tag(start, stop)
        if tag_stop < 0:
            return stop
        self.tags.append((self._opened_at, tag_stop))
        self._end_tag()
        return tag_stop

    def _resume_comment(self, start: int, stop: int) -> int:
        end = _compiled(_COMMENT_END).search(self._text, start, stop)
        if not end:
            return stop
        self.comments.append((self._opened_at, end.end()))
        self._until = ""
        return end.end()

    def _resume_tag(self, start: int, stop: int) -> int:
        """Return the offset after the open tag, -1 if this fragment does not end it."""
        if self._tag is _NO_TAG:
            # `<!x` and the like end at the first `>`, even inside quotation marks.
            return self._text.find(">", start, stop) + 1 or -1
        if self._until == ">":
            return self._rest_of_tag(start, stop)
        closing_quote = self._text.find(self._until, start, stop)
        if closing_quote < 0:
            return -1
        return self._rest_of_tag(closing_quote + 1, stop)

    def _end_tag(self) -> None:
        """Open or close the element of the tag that was read to its end."""
        tag, self._tag, self._until = self._tag, _NO_TAG, ""
        self._breaks = tag.name in ("br", "hr")
        # A browser reads `</br>` as `<br>`, and `</p>` without a `<p>` as an empty paragraph.
        if not tag.closing or tag.name == "br":
            self._breaks |= tag.name in BLOCKS
            self._elements.start(tag.name, tag.attributes)
        elif tag.name:
            is_open = self._elements.is_open(tag.name)
            self._breaks |= tag.name == "p" or (tag.name in BLOCKS and is_open)
            self._elements.end(tag.name)

    def _markup(self, sign: int, stop: int) -> tuple[int, Piece | None]:
        """Read the markup that begins with a `<`, and return the offset after it."""
        text = self._text
        if text.startswith("<!--", sign, stop):
            return self._comment(sign, stop), None
        following = text[sign + 1 : min(sign + 2, stop)]
        if following in ("!", "?"):
            return self._bogus_comment(sign, stop), None
        closing = following == "/"
        first = text[sign + 2 : min(sign + 3, stop)] if closing else following
        if first.isascii() and first.isalpha():
            if not _compiled(_FILTERED).match(text, sign, stop):
                return self._read_tag(sign, stop)
        elif closing and first and not first.isalpha():
            return self._bogus_comment(sign, stop), None
        return sign + 1, Piece(sign, sign + 1, self.kind)

    def _comment(self, sign: int, stop: int) -> int:
        for empty in ("<!-->", "<!--->"):
            if self._text.startswith(empty, sign, stop):
                self.comments.append((sign, sign + len(empty)))
                return sign + len(empty)
        end = _compiled(_COMMENT_END).search(self._text, sign + 4, stop)
        if end:
            self.comments.append((sign, end.end()))
            return end.end()
        self._until, self._opened_at = "-->", sign
        return stop

    def _bogus_comment(self, sign: int, stop: int) -> int:
        """Skip a bogus comment (`<!`, `<?` or `</`, neither comment nor tag): it ends at `>`."""
        end = self._text.find(">", sign, stop)
        if end < 0:
            self._until, self._opened_at, self._tag = ">", sign, _NO_TAG
            return stop
        self.tags.append((sign, end + 1))
        return end + 1

    def _read_tag(self, sign: int, stop: int) -> tuple[int, Piece | None]:
        closing = self._text[sign + 1] == "/"
        name_start = sign + 1 + closing
        name_stop = _end_of(_NAME, self._text, name_start, stop)
        name = self._text[name_start:name_stop].lower()
        self._opened_at, self._until = sign, ">"
        self._tag = _Tag(name, closing, {})
        end = self._rest_of_tag(name_stop, stop)
        if end < 0:
            return stop, None
        self.tags.append((sign, end))
        self._end_tag()
        if name == "img":
            return end, Piece(sign, end, self.kind, "img")
        if self._breaks:
            return end, Piece(sign, end, self.kind, "block")
        return end, None

    def _rest_of_tag(self, place: int, stop: int) -> int:
        """Read attributes to the end of a tag; -1 if the fragment ends first (see `_until`)."""
        text = self._text
        while place < stop:
            if text[place] == ">":
                return place + 1
            attribute = _compiled(_ATTRIBUTE).match(text, place, stop)
            if not attribute:
                place += 1
                continue
            name = attribute[0].lower()
            place = _end_of(_BLANKS, text, attribute.end(), stop)
            if not text.startswith("=", place, stop):
                self._tag.attributes.setdefault(name, "")
                continue
            place = self._value(name, _end_of(_BLANKS, text, place + 1, stop), stop)
            if place < 0:
                return -1
        self._until = ">"
        return -1

    def _value(self, name: str, begin: int, stop: int) -> int:
        """Read the value of an attribute; -1 if it is quoted and does not end in this fragment."""
        text = self._text
        quote = text[begin : min(begin + 1, stop)]
        if quote and quote in "\"'":
            end = text.find(quote, begin + 1, stop)
            if end < 0:
                self._until = quote
                return -1
            self._tag.attributes.setdefault(name, text[begin + 1 : end])
            return end + 1
        end = _end_of(_UNQUOTED, text, begin, stop)
        self._tag.attributes.setdefault(name, text[begin:end])
        return end


def _end_of(pattern: str, text: str, start: int, stop: int) -> int:
    match = _compiled(pattern).match(text, start, stop)
    return match.end() if match else start
