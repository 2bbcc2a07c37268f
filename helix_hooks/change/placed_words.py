"""The visible words of an ADR with their places, without the text that may change."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from typing import NamedTuple

from ..adr.names import Meanings, normalise
from ..adr.parse.document import AdrDocument, Section
from ..adr.parse.marks import MARK, TARGET, Piece, lines_of, marked_lines, text_of
from ..adr.parse.visible import Kind
from ..paths import MARKDOWN_SUFFIX
from .words import (
    ASSERTING,
    beside_status,
    beside_status_value,
    free,
    is_title,
    tokens_of,
    words_of,
)

_LISTED = frozenset(("references", "meta"))
"""Sections that list links and names; a sentence in such a section is text."""
_GROWING = frozenset(("changelog",))
_LABEL = (
    r"(?i)^[\W_]*(status|superseded by|supersedes|ersetzt durch|ersetzt|amended by|amends"
    r"|related to|depends on|"
    r"technical story|story|ticket|issue|tags|authors?|owners?|reviewed|reviewers?|last reviewed"
    r"|deciders|consulted|informed|"
    r"date|datum|last updated)[\W_]*[:|]"
)
"""Beginnings of a line above the first section; a short value after it may change."""
_STATUS_LABELS = frozenset(("status", "superseded by", "supersedes", "ersetzt durch", "ersetzt"))
_CHOOSING = frozenset(("context", "decision", "drivers", "options", "out-of-scope", "summary"))
"""Sections in which a ticked box is a choice; elsewhere it is a task that was done."""
_NUMBER = (
    r"(?i)^[\s\W]*(?:adr[-_ #]*\d{1,6}\s*[-–—:.)]*|0\d{1,5}|(?:\d{1,6}\.)+(?!\d)"
    r"|\d{1,6}\s*[-–—:)]+)(?:\s+|(?=[^\W\d]))"
)
"""The number of a heading; without a sign after it, it may be an amount."""
_STEM = 4
"""Letters by which a word of a title is recognised in a file name."""
_ADR_FILE = rf"\]\(\s*<?(?![a-z]+:)([^)\s>]*){MARKDOWN_SUFFIX}"
"""The target of a link to a Markdown file of the repository, without its ending."""
_LONGEST_NAME = 100
"""Maximum characters of a heading in the paths of its sub-sections."""

Context = tuple[str, int]
"""The headings above a word as a path, and its kind in the visible text.

The path begins with `!` in title and decision, and with `+` in sections that may grow.
"""


class Word(NamedTuple):
    """A visible word and its place.

    Inline code is not another place, but a word in it is a term.
    """

    text: str
    context: Context
    code: bool = False

    @property
    def same(self) -> tuple[str, Context]:
        """The part in which two equal words agree."""
        return self.text, self.context


Block = tuple[Word, ...]


def placed_words(doc: AdrDocument, meanings: Meanings) -> list[tuple[str, Context]]:
    """Return the visible words of a document with their places, without status and links."""
    return [word.same for word in joined(blocks_of(doc, meanings))]


def joined(blocks: Iterable[Block]) -> list[Word]:
    return list(chain.from_iterable(blocks))


def blocks_of(doc: AdrDocument, meanings: Meanings) -> Iterator[Block]:
    """Yield the words of each paragraph, item and heading."""
    return filter(None, chain(_above_sections(doc), _in_sections(doc, meanings)))


def _above_sections(doc: AdrDocument) -> Iterator[Block]:
    stop = doc.sections_start
    if doc.title and doc.title.heading_start < stop:
        yield from _labelled(doc, doc.body, doc.title.heading_start)
        yield _title(doc, doc.title, "!")
        yield from _labelled(doc, doc.title.start, stop)
    else:
        yield from _labelled(doc, doc.body, stop)


def _in_sections(doc: AdrDocument, meanings: Meanings) -> Iterator[Block]:
    above: list[tuple[int, str]] = []
    for section in doc.sections:
        kinds = meanings.of(section.title)
        has_status = "status" in kinds
        above = [item for item in above if item[0] < section.level]
        above.append((section.level, _name(kinds, section.title)))
        names = [name for _, name in above]
        path = _path(names)
        title = _title(doc, section, path, has_status)
        if not _is_name(title, meanings):
            yield title
        if has_status:
            yield from _in_status(doc, section, path)
        elif not _LISTED.isdisjoint(names):
            yield from _listed(doc, section, path)
        else:
            yield from _paragraphs(doc, section.start, section.own_stop, path)


def _path(names: list[str]) -> str:
    """Return the path of a section, with the marks of `Context`."""
    marks = ""
    if "decision" in names:
        marks += "!"
    if not _GROWING.isdisjoint(names):
        marks += "+"
    return marks + "/".join(names)


def _name(kinds: tuple[str, ...], title: str) -> str:
    """Return the kind of a section; only a section that is a plain changelog may grow."""
    if "decision" in kinds:
        return "decision"
    if len(kinds) > 1:
        kinds = tuple(name for name in kinds if name not in _GROWING)
    if kinds:
        return kinds[0]
    name = normalise(title)
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]} {hash(name)}"


def _title(doc: AdrDocument, section: Section, path: str, has_status: bool = False) -> Block:
    """Return the words of a heading in lowercase, without its number, and without the status in
    it.
    """
    line = chain.from_iterable(lines_of(doc, section.heading_start, section.start))
    pieces = [(piece.casefold(), kind) for piece, kind in line]
    plain = text_of(pieces)
    name, colon, value = plain.partition(":")
    if has_status and colon:
        return _words([(f"{name} {beside_status_value(value)}", 0)], path)
    number = re.match(_NUMBER, plain)
    if number:
        pieces = _without_start(pieces, number.end())
    return _words(pieces, path)


def _without_start(pieces: list[Piece], size: int) -> list[Piece]:
    """Return pieces without the first characters of their text."""
    rest: list[Piece] = []
    for piece, kind in pieces:
        cut = 0 if kind & MARK else size
        rest.append((piece[cut:], kind))
        size -= min(cut, len(piece))
    return rest


def _is_name(title: Block, meanings: Meanings) -> bool:
    """Return whether a heading is a known name, which a synonym may replace."""
    words = [word.text for word in title]
    if any(word.context[1] for word in title) or not ASSERTING.isdisjoint(words):
        return False
    return " ".join(words) in meanings.names


def _paragraphs(doc: AdrDocument, start: int, stop: int, path: str) -> Iterator[Block]:
    block: list[Word] = []
    for begins, line in marked_lines(doc, start, stop):
        if begins and block:
            yield tuple(block)
            block = []
        block += _words(line, path)
    yield tuple(block)


def _labelled(doc: AdrDocument, start: int, stop: int) -> Iterator[Block]:
    """Yield the text around the title, without the values of fields that may change."""
    for line in lines_of(doc, start, stop):
        text = text_of(line)
        label = re.match(_LABEL, text)
        if not label:
            yield _words(line, "")
            continue
        value = text[label.end() :]
        if label[1].casefold() in _STATUS_LABELS:
            yield _plain_words(beside_status_value(value), "status")
        elif not free(value):
            yield _words(line, "")


def _plain_words(text: str, path: str) -> Block:
    return tuple(Word(word, (path, 0)) for word in words_of(text))


def _in_status(doc: AdrDocument, section: Section, path: str) -> Iterator[Block]:
    """Yield the text of a status section without the status, dates and successors."""
    source = doc.markup[section.start : section.own_stop].decode(errors="replace")
    targets = " ".join(re.findall(_ADR_FILE, source)).casefold()
    slugs = set(words_of(targets.replace("-", " ").replace("_", " ")))
    beside = beside_status_value
    for line in lines_of(doc, section.start, section.own_stop):
        pieces: list[str] = []
        for piece, kind in line:
            if kind & Kind.LINKED and not kind & MARK and _names_adr(piece, slugs):
                pieces.append(" ADR-0 ")
            elif not kind & MARK:
                pieces.append(piece)
        yield _plain_words(beside("".join(pieces)), path)
        beside = beside_status


def _names_adr(text: str, slugs: set[str]) -> bool:
    """Return whether the text of a link is an ADR: half of its words are in the name of the linked
    file.
    """
    words = [word.casefold() for word in words_of(re.sub(_NUMBER, "", text))]
    beginnings = {slug[:_STEM] for slug in slugs}
    in_name = sum(word[:_STEM] in beginnings for word in words)
    return is_title(text) and 2 * in_name >= len(words)


def _listed(doc: AdrDocument, section: Section, path: str) -> Iterator[Block]:
    """Yield the lines of a section of links and names that are text."""
    entry: list[Piece] = []
    for begins, line in marked_lines(doc, section.start, section.own_stop, soft=True):
        if begins or re.match(_LABEL, text_of(line)):
            if not free(_unlinked(entry)):
                yield _words(entry, path)
            entry = []
        entry += [*line, ("\n", 0)]
    if not free(_unlinked(entry)):
        yield _words(entry, path)


def _unlinked(entry: list[Piece]) -> str:
    """Return the text of an entry without marks and titles of linked pages."""
    pieces: list[str] = []
    for piece, kind in entry:
        if kind & MARK:
            continue
        is_page = kind & Kind.LINKED and is_title(piece)
        pieces.append(" " if is_page else piece)
    return "".join(pieces)


def _words(line: list[Piece], path: str) -> Block:
    result: list[Word] = []
    for kind, group in groupby(line, key=_kind_of):
        pieces = [piece for piece, _ in group]
        if kind & MARK:
            if not kind & Kind.TASK or _chooses(path):
                context = (path, kind & (MARK | TARGET))
                result += [Word(piece, context, code=True) for piece in pieces]
            continue
        # Words are split only here, since a word may have pieces of one kind, linked or not.
        context = (path, kind & ~Kind.SPAN)
        tokens = tokens_of("".join(pieces), bool(kind & Kind.CODE))
        result += [Word(token, context, bool(kind & Kind.SPAN)) for token in tokens]
    return tuple(result)


def _kind_of(piece: Piece) -> int:
    return piece[1] & ~(Kind.LINKED | Kind.IN_HTML)


def _chooses(path: str) -> bool:
    """Return whether a ticked box in a section is a choice."""
    names = path.lstrip("!+").split("/")
    return names[0] in _CHOOSING or names[-1] in _CHOOSING
