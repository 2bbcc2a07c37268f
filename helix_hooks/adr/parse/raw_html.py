"""The raw HTML in a Markdown document, read as a browser reads it.

CommonMark copies raw HTML to the page and renders the text around it. So a comment, a tag or an
element that one fragment opens reaches as far as a browser lets it, across paragraphs too. This is
the part of the HTML standard's tokenizer and tree construction (sections 13.2.5 and 13.2.6) that
decides which text is shown: tags with their attributes, comments, implied ends, and the list of
active formatting elements.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from ...records import NamedTuple

SPAN, CODE, QUOTE, STRUCK, PICTURE, HIDDEN = 1, 2, 4, 8, 16, 32
"""Kinds of text that is not plain prose, as flags: code in a line, a block of code, a quote, struck
out, what stands in the place of a picture. HIDDEN: a browser does not draw it, and GitHub may,
since it removes the attribute or the tag that hides.
"""

_FILTERED = (
    r"(?i)</?(?:title|textarea|style|xmp|iframe|noembed|noframes|script|plaintext)(?=[\s>]|/>)"
)
"""Tags that GitHub shows as text (GFM, section 6.11, "Disallowed Raw HTML")."""
_NOT_DRAWN = frozenset(
    "template dialog noscript object video audio canvas svg math select datalist rp".split()
)
_IGNORED = frozenset("html head body frame frameset".split())
"""Tags that mean nothing inside of a page's body."""
_KINDS = {
    "pre": CODE, "code": SPAN, "kbd": SPAN, "samp": SPAN, "tt": SPAN, "blockquote": QUOTE,
    "del": STRUCK, "s": STRUCK, "strike": STRUCK,
}  # fmt: skip
_FORMATTING = frozenset("a b big code em font i nobr s small strike strong tt u".split())
"""Elements that a browser opens again behind the block in which they were left open."""
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_BLOCKS = frozenset(
    "address article aside blockquote body center details dialog dir div dl dt dd fieldset "
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 "
    "header hgroup li main menu nav ol p pre search section summary table tbody td tfoot th thead "
    "tr ul".split()
)
"""Elements that begin on a new line; the end tag of another element does not close them."""
_TABLE_PARTS = frozenset("caption colgroup tbody td tfoot th thead tr".split())
_CLOSES_PARAGRAPH = _BLOCKS - _TABLE_PARTS - {"body"}
_ENDED_BY_THE_NEXT = {
    "td": ("tr",), "th": ("tr",), "tr": ("table",), "tbody": ("table",), "tfoot": ("table",),
}  # fmt: skip
"""Parts of a table that the next of their kind ends, with the elements around both."""
_ITEMS = ("li", "dt", "dd")
_TRANSPARENT = ("address", "div", "p")
"""Blocks that an item ends which stand in the item before it."""
_SAME_FORMATTING = 3
"""Maximum equal elements in the list of active formatting elements ("Noah's Ark clause")."""
_CELLS = ("td", "th")
_HIDING_STYLE = (
    r"(?i)display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:font-size|opacity"
    r"|(?:max-)?(?:height|width))\s*:\s*0(?![\d.]*[1-9])"
    r"|position\s*:\s*(?:absolute|fixed)|text-indent\s*:\s*-|clip(?:-path)?\s*:"
    r"|color\s*:\s*transparent"
)
_BLANK = " \t\n\f\r"
_NAME = r"[^\s/>]*"
_ATTRIBUTE = r"[^\s/>][^\s/>=]*"
_UNQUOTED = r"[^\s>]*"
_BLANKS = rf"[{_BLANK}]*"
_COMMENT_END = r"--!?>"

_compiled = lru_cache(maxsize=16)(re.compile)
"""Compile and cache a pattern; most documents have no raw HTML and need none."""

Span = tuple[int, int]


class Piece(NamedTuple):
    """A shown text; with `text` "" the place of a line break or an image, which `tag` names."""

    start: int
    stop: int
    kind: int
    tag: str = ""


class _Tag(NamedTuple):
    """A tag whose attributes are read one by one."""

    name: str
    closing: bool
    attributes: dict[str, str]


_NO_TAG = _Tag("", True, {})


class _Open(NamedTuple):
    """An open element: `kind` joins its own with that of all around it, `block` is the index of the
    innermost block that is open, `barrier` that of the innermost one that the next item does not
    end. Of a formatting element `block` is the number of elements around it.
    """

    name: str
    kind: int
    block: int = -1
    barrier: int = -1


class RawHtml:
    """The state of a browser's parser: the elements, comment or tag that are open."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._text = data.decode("latin-1")  # one character a byte, so that offsets stay
        self._open: list[_Open] = []
        self._places: dict[str, list[int]] = {}
        self._formatting: list[_Open] = []
        self._until = ""
        self._opened_at = 0
        self._tag = _NO_TAG
        self._breaks = False
        self.comments: list[Span] = []
        self.tags: list[Span] = []

    @property
    def kind(self) -> int:
        """Return the kind of the text that stands here."""
        around = self._open[-1].kind if self._open else 0
        return around | (self._formatting[-1].kind if self._formatting else 0)

    @property
    def swallows(self) -> bool:
        """Return whether text that stands here is part of a comment or of a tag."""
        return bool(self._until)

    def begin(self, name: str) -> None:
        """Enter an element that Markdown renders. The end of its tag ends an open tag."""
        if self._until == ">":
            self._end_tag()
        elif not self._until:
            self._start(name, {})

    def end(self, name: str) -> None:
        """Leave an element that Markdown renders. The end of its tag ends an open tag."""
        if self._until == ">":
            self._end_tag()
        elif not self._until:
            self._end(name)

    def finish(self, stop: int) -> None:
        """End of the document: an open comment or tag reaches to it."""
        if self._until == "-->":
            self.comments.append((self._opened_at, stop))
        elif self.swallows:
            self.tags.append((self._opened_at, stop))

    def feed(self, start: int, stop: int) -> Iterator[Piece]:
        """Read a raw fragment; yields its texts that are shown, in order."""
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
        """The place behind what an earlier fragment left open."""
        if not self._until:
            return start
        if self._until == "-->":
            end = _compiled(_COMMENT_END).search(self._text, start, stop)
            if not end:
                return stop
            self.comments.append((self._opened_at, end.end()))
            self._until = ""
            return end.end()
        if (
            self._tag is _NO_TAG
        ):  # `<!x` and the like end at the first `>`, also in what looks like an attribute
            tag_stop = self._text.find(">", start, stop) + 1 or -1
        else:
            place = self._text.find(self._until, start, stop) + 1 if self._until != ">" else start
            if not place and self._until != ">":
                return stop
            tag_stop = self._rest_of_tag(place, stop)
        if tag_stop < 0:
            return stop
        self.tags.append((self._opened_at, tag_stop))
        self._end_tag()
        return tag_stop

    def _end_tag(self) -> None:
        """Do what the tag says that was read to its end."""
        tag, self._tag, self._until = self._tag, _NO_TAG, ""
        self._breaks = tag.name in ("br", "hr")
        if not tag.closing or tag.name == "br":
            self._breaks |= tag.name in _BLOCKS
            self._start(tag.name, tag.attributes)
        elif tag.name:
            self._breaks |= tag.name == "p" or (
                tag.name in _BLOCKS and bool(self._places.get(tag.name))
            )
            self._end(tag.name)

    def _markup(self, sign: int, stop: int) -> tuple[int, Piece | None]:
        """Read what a `<` begins; returns the place behind it."""
        text = self._text
        following = text[sign + 1 : min(sign + 2, stop)]
        if text.startswith("<!--", sign, stop):
            return self._comment(sign, stop), None
        closing = following == "/"
        first = text[sign + 2 : min(sign + 3, stop)] if closing else following
        if first.isascii() and first.isalpha() and not _compiled(_FILTERED).match(text, sign, stop):
            return self._read_tag(sign, stop)
        if following in ("!", "?") or (closing and first and not first.isalpha()):
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
        place = _end_of(_NAME, self._text, sign + 1 + closing, stop)
        self._opened_at, self._until = sign, ">"
        name = self._text[sign + 1 + closing : place].lower()
        self._tag = tag = _Tag(name, closing, {})
        end = self._rest_of_tag(place, stop)
        if end < 0:
            return stop, None
        self.tags.append((sign, end))
        self._end_tag()
        if tag.name == "img":
            return end, Piece(sign, end, self.kind, "img")
        return end, Piece(sign, end, self.kind, "block") if self._breaks else None

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
        """Read the value of an attribute; -1 for a quoted one that this fragment does not end."""
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

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "hr":
            self._pop("p")
        if (
            name in _VOID
            or name in _IGNORED
            or (name in _TABLE_PARTS and not self._places.get("table"))
        ):
            return
        if name in _CLOSES_PARAGRAPH:
            self._pop("p")
        around = _ENDED_BY_THE_NEXT.get(name, ())
        if around and self._last(name) > max(map(self._last, around)):
            self._pop(name)
        hidden = (
            "hidden" in attributes
            or name in _NOT_DRAWN
            or _compiled(_HIDING_STYLE).search(attributes.get("style", "")) is not None
        )
        kind = _KINDS.get(name, 0) | (HIDDEN if hidden else 0)
        if name in _FORMATTING:
            self._start_formatting(name, kind)
            return
        if name in _ITEMS and self._open and self._open[self._open[-1].barrier].name in _ITEMS:
            self._pop(self._open[self._open[-1].barrier].name)
        around_it = self._open[-1] if self._open else _Open("", 0)
        here = len(self._open)
        self._places.setdefault(name, []).append(here)
        block = here if name in _BLOCKS else around_it.block
        barrier = here if name in _BLOCKS and name not in _TRANSPARENT else around_it.barrier
        self._open.append(_Open(name, kind | around_it.kind, block, barrier))
        if name in _CELLS:
            self._formatting.append(_Open("", self._formatting[-1].kind if self._formatting else 0))

    def _start_formatting(self, name: str, kind: int) -> None:
        above = self._formatting[-1].kind if self._formatting else 0
        same = 0
        for element in reversed(self._formatting):
            if not element.name:
                break
            same += element.name == name
        if same < _SAME_FORMATTING:
            self._formatting.append(_Open(name, kind | above, len(self._open)))

    def _end(self, name: str) -> None:
        if name in _FORMATTING:
            self._end_formatting(name)
        elif name in _BLOCKS or self._last(name) > (self._open[-1].block if self._open else -1):
            self._pop(name)

    def _last(self, name: str) -> int:
        """The index of the innermost open element of a name, -1 without one."""
        places = self._places.get(name)
        return places[-1] if places else -1

    def _end_formatting(self, name: str) -> None:
        """End the innermost formatting element of a name; those that were opened in it stay."""
        for index in range(len(self._formatting) - 1, -1, -1):
            element = self._formatting[index]
            if not element.name:
                return
            if element.name == name:
                later = self._formatting[index + 1 :]
                del self._formatting[index:]
                self._leave(element.block)
                for other in later:
                    self._start_formatting(other.name, _KINDS.get(other.name, 0))
                return

    def _leave(self, depth: int) -> None:
        """Close the elements inside a formatting element that contains no block."""
        if len(self._open) > depth and self._open[-1].block < depth:
            while len(self._open) > depth:
                self._places[self._open.pop().name].pop()

    def _pop(self, name: str) -> None:
        """Close the innermost element of a name and all that stand in it."""
        if not self._places.get(name):
            return
        while self._open:
            element = self._open.pop()
            self._places[element.name].pop()
            if element.name in _CELLS:
                self._forget_formatting()
            if element.name == name:
                return

    def _forget_formatting(self) -> None:
        """Formatting ends with the table cell in which it began."""
        while self._formatting and self._formatting.pop().name:
            pass


def _end_of(pattern: str, text: str, start: int, stop: int) -> int:
    match = _compiled(pattern).match(text, start, stop)
    return match.end() if match else start
