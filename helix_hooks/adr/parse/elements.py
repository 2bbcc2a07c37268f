"""The elements of raw HTML that are open, as a browser's parser keeps them.

This is the tree construction of the HTML standard (section 13.2.6), as far as it decides which text
is shown.
"""

import re
from typing import NamedTuple

from .visible import CODE, HIDDEN, QUOTE, SPAN, STRUCK

_NOT_DRAWN = frozenset(
    "template dialog noscript object video audio canvas svg math select datalist rp".split()
)
_IGNORED = frozenset("html head body frame frameset".split())
"""Tags that a browser ignores inside the body of a page."""
_KINDS = {
    "pre": CODE, "code": SPAN, "kbd": SPAN, "samp": SPAN, "tt": SPAN, "blockquote": QUOTE,
    "del": STRUCK, "s": STRUCK, "strike": STRUCK,
}  # fmt: skip
_FORMATTING = frozenset("a b big code em font i nobr s small strike strong tt u".split())
"""Elements that a browser reopens after the block in which they were left open."""
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
_NO_ELEMENT = _VOID | _IGNORED
"""Tags that open no element which could contain text."""
BLOCKS = frozenset(
    "address article aside blockquote body center details dialog dir div dl dt dd fieldset "
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 "
    "header hgroup li main menu nav ol p pre search section summary table tbody td tfoot th thead "
    "tr ul".split()
)
"""Elements that begin on a new line; the end tag of another element does not close them."""
_TABLE_PARTS = frozenset("caption colgroup tbody td tfoot th thead tr".split())
_CLOSES_PARAGRAPH = BLOCKS - _TABLE_PARTS - {"body"}
_ENDED_BY_THE_NEXT = {
    "td": ("tr",), "th": ("tr",), "tr": ("table",), "tbody": ("table",), "tfoot": ("table",),
}  # fmt: skip
"""Parts of a table that end where the next of their kind begins, with the elements around both."""
_ITEMS = ("li", "dt", "dd")
_TRANSPARENT = ("address", "div", "p")
"""Blocks that end where the next item begins."""
_SAME_FORMATTING = 3
"""Maximum equal elements in the list of active formatting elements ("Noah's Ark clause")."""
_CELLS = ("td", "th")
_HIDING_STYLE = (
    r"(?i)display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:font-size|opacity"
    r"|(?:max-)?(?:height|width))\s*:\s*0(?![\d.]*[1-9])"
    r"|position\s*:\s*(?:absolute|fixed)|text-indent\s*:\s*-|clip(?:-path)?\s*:"
    r"|color\s*:\s*transparent"
)


class _Open(NamedTuple):
    """An open element.

    `kind` combines its own kind with the kinds of all elements around it. `block` is the index of
    the innermost open block, `barrier` the index of the innermost block that the next item does
    not end; -1 without one. For a formatting element, `block` is the number of elements around it.
    """

    name: str
    kind: int
    block: int = -1
    barrier: int = -1


_BODY = _Open("", 0)
"""Contains all elements that are in no other one."""


class OpenElements:
    """The open elements, and the formatting elements that a browser reopens.

    `_places` has the indexes in `_open` by name.
    """

    def __init__(self) -> None:
        self._open: list[_Open] = []
        self._places: dict[str, list[int]] = {}
        self._formatting: list[_Open] = []

    @property
    def kind(self) -> int:
        """The kind of the text at the present place."""
        return self._innermost.kind | self._formatting_kind

    @property
    def _innermost(self) -> _Open:
        return self._open[-1] if self._open else _BODY

    @property
    def _formatting_kind(self) -> int:
        return self._formatting[-1].kind if self._formatting else 0

    def is_open(self, name: str) -> bool:
        return bool(self._places.get(name))

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Open an element, and close the elements that its start tag ends."""
        if name == "hr":
            self._pop("p")
        if name in _NO_ELEMENT or (name in _TABLE_PARTS and not self.is_open("table")):
            return
        self._end_before(name)
        kind = _kind_of(name, attributes)
        if name in _FORMATTING:
            self._start_formatting(name, kind)
            return
        if name in _ITEMS and self._open:
            self._end_item()
        self._open_element(name, kind)
        if name in _CELLS:
            # A marker without a name: formatting that begins in a cell ends with it.
            self._formatting.append(_Open("", self._formatting_kind))

    def _end_before(self, name: str) -> None:
        """Close the paragraph or part of a table that ends where an element begins."""
        if name in _CLOSES_PARAGRAPH:
            self._pop("p")
        around = _ENDED_BY_THE_NEXT.get(name)
        if around and self._last(name) > max(map(self._last, around)):
            self._pop(name)

    def _end_item(self) -> None:
        """Close the item that ends where the next one begins."""
        barrier = self._open[self._open[-1].barrier]
        if barrier.name in _ITEMS:
            self._pop(barrier.name)

    def _open_element(self, name: str, kind: int) -> None:
        around = self._innermost
        here = len(self._open)
        block, barrier = around.block, around.barrier
        if name in BLOCKS:
            block = here
            if name not in _TRANSPARENT:
                barrier = here
        self._places.setdefault(name, []).append(here)
        self._open.append(_Open(name, kind | around.kind, block, barrier))

    def _start_formatting(self, name: str, kind: int) -> None:
        kind |= self._formatting_kind
        same = 0
        for element in reversed(self._formatting):
            if not element.name:
                break
            same += element.name == name
        if same < _SAME_FORMATTING:
            self._formatting.append(_Open(name, kind, len(self._open)))

    def end(self, name: str) -> None:
        if name in _FORMATTING:
            self._end_formatting(name)
            return
        if name in BLOCKS or self._last(name) > self._innermost.block:
            self._pop(name)

    def _last(self, name: str) -> int:
        """Return the index of the innermost open element of a name, -1 without one."""
        places = self._places.get(name)
        return places[-1] if places else -1

    def _end_formatting(self, name: str) -> None:
        """End the innermost formatting element of a name. Those opened in it stay open."""
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
        """Close the innermost element of a name and all elements in it."""
        if not self.is_open(name):
            return
        while self._open:
            element = self._open.pop()
            self._places[element.name].pop()
            if element.name in _CELLS:
                self._forget_formatting()
            if element.name == name:
                return

    def _forget_formatting(self) -> None:
        """End all formatting that began in the table cell."""
        while self._formatting and self._formatting.pop().name:
            pass


def _kind_of(name: str, attributes: dict[str, str]) -> int:
    kind = _KINDS.get(name, 0)
    return kind | HIDDEN if _is_hidden(name, attributes) else kind


def _is_hidden(name: str, attributes: dict[str, str]) -> bool:
    """Return whether a browser does not draw an element."""
    if "hidden" in attributes or name in _NOT_DRAWN:
        return True
    style = attributes.get("style")
    return bool(style and re.search(_HIDING_STYLE, style))
