"""The share of an ADR's visible text that has changed.

Status, links, ticks, short labels and new amendments may change, and are left out.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from ..names.heading import Meanings, normalise
from ..parse.document import AdrDocument, Section
from ..parse.marks import MARK, Piece, lines_of, marked_lines, text_of
from ..parse.visible import CODE, LINKED, SPAN, TASK
from .spelling import is_typo
from .words import (
    beside_status,
    beside_status_value,
    free,
    is_telling,
    is_title,
    tokens_of,
    words_of,
)

_LISTED = frozenset(("references", "meta"))
"""Sections that list links and names; a sentence in one is text as anywhere."""
_GROWING = frozenset(("changelog",))
_ASSERTING = frozenset("proposal proposed rejected vorschlag lösungsvorschlag verworfene".split())
"""Words of known headings that say what became of their sections."""
_LABEL = (
    r"(?i)^[\W_]*(status|superseded by|supersedes|ersetzt durch|ersetzt|amended by|amends"
    r"|related to|depends on|"
    r"technical story|story|ticket|issue|tags|authors?|owners?|reviewed|reviewers?|last reviewed"
    r"|deciders|consulted|informed|"
    r"date|datum|last updated)[\W_]*[:|]"
)
"""Beginnings of a line above the first section; the value behind it is free while it is short."""
_STATUS_LABELS = frozenset(("status", "superseded by", "supersedes", "ersetzt durch", "ersetzt"))
_CHOOSING = frozenset(("context", "decision", "drivers", "options", "out-of-scope", "summary"))
"""Sections in which a ticked box says what was chosen; elsewhere it says what was done."""
_NUMBER = (
    r"(?i)^[\s\W]*(?:adr[-_ #]*\d{1,6}\s*[-–—:.)]*|0\d{1,5}|(?:\d{1,6}\.)+(?!\d)"
    r"|\d{1,6}\s*[-–—:)]+)(?:\s+|(?=[^\W\d]))"
)
"""The number of a heading; one without a sign behind it may count something."""
_LONGEST = 400
"""Maximum words of the paragraphs that differ, without their common beginning and end."""

_STEM = 4
"""Letters by which a word of a title is known in a file name."""
_ADR_FILE = r"\]\(\s*<?(?![a-z]+:)([^)\s>]*)\.md"
"""The target of a link to a Markdown file of the repository, without its ending."""
_LONGEST_NAME = 100
"""Characters of a heading in the path of what stands below it, which each sub-section has."""

Context = tuple[str, int]
"""The headings under which a word stands, and its kind in the visible text.

`!` marks title and decision, `+` what may grow.
"""


class Word(NamedTuple):
    """A visible word where it stands.

    Code between backticks is no other place, but a word in it is a term.
    """

    text: str
    context: Context
    code: bool = False

    @property
    def same(self) -> tuple[str, Context]:
        """Return the part in which two words agree that are one."""
        return self.text, self.context


Block = tuple[Word, ...]


class Difference(NamedTuple):
    """The difference between two versions of a text.

    `words` of the `of` words of the older one differ. `telling` is a changed number, modal,
    negation or sign. `swapped` is what was said and what is said now, either of them "" where words
    were only added or taken out. `typos` are words that may have been corrected.
    """

    words: int
    of: int
    telling: str = ""
    swapped: tuple[str, str] | None = None
    typos: tuple[tuple[str, str], ...] = ()


def changed(old: AdrDocument, new: AdrDocument, meanings: Meanings) -> Difference:
    """Compare block by block within each section; a text moved to another section is changed."""
    before, after = list(_blocks(old, meanings)), list(_blocks(new, meanings))
    total = sum(map(len, before))
    left, right = _without(before, _common(before, after)), _without(after, _common(after, before))
    growing = [block for block in right if not block[0].context[0].startswith("+")]
    return _compared(_joined(left), _joined(growing), total)


def said(doc: AdrDocument, meanings: Meanings) -> list[tuple[str, Context]]:
    """Return the visible words of a document in order, with their places; no status, no links."""
    return [word.same for block in _blocks(doc, meanings) for word in block]


def _joined(blocks: list[Block]) -> list[Word]:
    return [word for block in blocks for word in block]


def _blocks(doc: AdrDocument, meanings: Meanings) -> Iterator[Block]:
    return (block for block in _all_blocks(doc, meanings) if block)


def _all_blocks(doc: AdrDocument, meanings: Meanings) -> Iterator[Block]:
    stop = doc.sections[0].heading_start if doc.sections else len(doc.data)
    if doc.title and doc.title.heading_start < stop:
        yield from _labelled(doc, doc.body, doc.title.heading_start)
        yield _title(doc, doc.title, "!")
        yield from _labelled(doc, doc.title.start, stop)
    else:
        yield from _labelled(doc, doc.body, stop)
    above: list[tuple[int, str]] = []
    for section in doc.sections:
        means = meanings.of(section.title)
        above = [item for item in above if item[0] < section.level]
        above.append((section.level, _name(means, section.title)))
        names = [name for _, name in above]
        path = (
            f"{'!' if 'decision' in names else ''}"
            f"{'+' if not _GROWING.isdisjoint(names) else ''}{'/'.join(names)}"
        )
        title = _title(doc, section, path, states="status" in means)
        if not _is_name(title, meanings):
            yield title
        if "status" in means:
            yield from _stated(doc, section, path)
        elif not _LISTED.isdisjoint(names):
            yield from _listed(doc, section, path)
        else:
            yield from _paragraphs(doc, section.start, section.own_stop, path)


def _name(means: tuple[str, ...], title: str) -> str:
    """Return the kind of a section; only a section that is a plain changelog grows freely."""
    known = means if len(means) == 1 else tuple(name for name in means if name not in _GROWING)
    if "decision" in means or known:
        return "decision" if "decision" in means else known[0]
    name = normalise(title)
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]} {hash(name)}"


def _title(doc: AdrDocument, section: Section, path: str, states: bool = False) -> Block:
    """Return a heading's words in lower case, without its number; if it `states` the status, the
    rest.
    """
    pieces = [
        (piece.casefold(), kind)
        for line in lines_of(doc, section.heading_start, section.start)
        for piece, kind in line
    ]
    plain = text_of(pieces)
    name, colon, value = plain.partition(":")
    if states and colon:
        return _words([(f"{name} {beside_status_value(value)}", 0)], path)
    number = re.match(_NUMBER, plain)
    left_out = number.end() if number else 0
    numbered: list[Piece] = []
    for piece, kind in pieces:
        cut = 0 if kind & MARK else left_out
        numbered.append((piece[cut:], kind))
        left_out -= min(cut, len(piece))
    return _words(numbered, path)


def _is_name(title: Block, meanings: Meanings) -> bool:
    """Return whether a heading is a known name; a synonym may replace it."""
    words = [word.text for word in title]
    shown = not any(word.context[1] for word in title)
    return shown and _ASSERTING.isdisjoint(words) and " ".join(words) in meanings.names


def _paragraphs(doc: AdrDocument, start: int, stop: int, path: str) -> Iterator[Block]:
    block: list[Word] = []
    for begins, line in marked_lines(doc, start, stop):
        if begins and block:
            yield tuple(block)
            block = []
        block += _words(line, path)
    yield tuple(block)


def _labelled(doc: AdrDocument, start: int, stop: int) -> Iterator[Block]:
    """Return the text around the title, where header fields stand, without the free fields."""
    for line in lines_of(doc, start, stop):
        text = text_of(line)
        label = re.match(_LABEL, text)
        if not label:
            yield _words(line, "")
        elif label[1].casefold() in _STATUS_LABELS:
            yield tuple(
                Word(word, ("status", 0))
                for word in words_of(beside_status_value(text[label.end() :]))
            )
        elif not free(text[label.end() :]):
            yield _words(line, "")


def _stated(doc: AdrDocument, section: Section, path: str) -> Iterator[Block]:
    """The text of a section that states the status, beside the status, dates and successors."""
    beside = beside_status_value
    targets = re.findall(
        _ADR_FILE, doc.markup[section.start : section.own_stop].decode(errors="replace")
    )
    slugs = set(words_of(" ".join(targets).casefold().replace("-", " ").replace("_", " ")))
    for line in lines_of(doc, section.start, section.own_stop):
        plain = "".join(
            piece if not kind & LINKED or not _names_adr(piece, slugs) else " ADR-0 "
            for piece, kind in line
            if not kind & MARK
        )
        yield tuple(Word(word, (path, 0)) for word in words_of(beside(plain)))
        beside = beside_status


def _names_adr(text: str, slugs: set[str]) -> bool:
    """Return whether a link's text names an ADR: half of its words stand in the linked file's
    name.
    """
    words = [word.casefold() for word in words_of(re.sub(_NUMBER, "", text))]
    beginnings = {slug[:_STEM] for slug in slugs}
    known = sum(word[:_STEM] in beginnings for word in words)
    return is_title(text) and 2 * known >= len(words)


def _listed(doc: AdrDocument, section: Section, path: str) -> Iterator[Block]:
    """The lines of a section of links and names that are text."""
    entry: list[Piece] = []
    for begins, line in (
        *marked_lines(doc, section.start, section.own_stop, soft=True),
        (True, []),
    ):
        if begins or re.match(_LABEL, text_of(line)):
            unlinked = "".join(
                " " if kind & LINKED and is_title(piece) else piece
                for piece, kind in entry
                if not kind & MARK
            )
            if not free(unlinked):
                yield _words(entry, path)
            entry = []
        entry += [*line, ("\n", 0)]


def _words(line: list[Piece], path: str) -> Block:
    found: list[Word] = []
    index = 0
    while index < len(line):
        kind = line[index][1] & ~LINKED
        if kind & MARK:
            if not kind & TASK or _chooses(path):
                found.append(Word(line[index][0], (path, 0), code=True))
            index += 1
            continue
        pieces = []
        while index < len(line) and line[index][1] & ~LINKED == kind:
            pieces.append(line[index][0])
            index += 1
        context = (path, kind & ~SPAN)
        found += [
            Word(word, context, bool(kind & SPAN))
            for word in tokens_of("".join(pieces), bool(kind & CODE))
        ]
    return tuple(found)


def _chooses(path: str) -> bool:
    """Return whether a ticked box in a section says what was chosen."""
    return (
        path.lstrip("!+").split("/")[-1] in _CHOOSING
        or path.lstrip("!+").split("/")[0] in _CHOOSING
    )


def _common(blocks: list[Block], others: list[Block]) -> set[int]:
    """Return the indexes of the blocks that the other version has in the same section and order."""
    places, theirs = _shared(blocks, others), _shared(others, blocks)
    found: set[int] = set()
    for path, mine in places.items():
        start, stop = _alike(
            [blocks[index] for index in mine], [others[index] for index in theirs[path]]
        )
        found.update(mine[:start], mine[len(mine) - stop :])
    return found


def _shared(blocks: list[Block], others: list[Block]) -> dict[str, list[int]]:
    """The indexes of the blocks that both versions have, by section."""
    left = Counter(others)
    found: dict[str, list[int]] = {}
    for index, block in enumerate(blocks):
        if left[block] > 0:
            left[block] -= 1
            found.setdefault(block[0].context[0], []).append(index)
    return found


def _without(blocks: list[Block], indexes: set[int]) -> list[Block]:
    return [block for index, block in enumerate(blocks) if index not in indexes]


def _compared(gone: list[Word], come: list[Word], total: int) -> Difference:
    gone, come = _trimmed(gone, come)
    if max(len(gone), len(come)) > _LONGEST:
        return Difference(max(len(gone), len(come)), total)
    words = 0
    telling, swapped = "", None
    typos: list[tuple[str, str]] = []
    matcher = SequenceMatcher(
        None, [word.same for word in gone], [word.same for word in come], autojunk=False
    )
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            continue
        old, new = gone[a:b], come[c:d]
        words += max(len(old), len(new))
        telling = telling or _told(old, new)
        if len(old) == len(new) and all(map(_may_be_one, old, new)):
            typos += [
                (one.text, other.text)
                for one, other in zip(old, new, strict=True)
                if one.text != other.text
            ]
        else:
            swapped = swapped or (_phrase(old), _phrase(new))
    return Difference(words, total, telling, swapped, tuple(typos))


def _phrase(words: list[Word]) -> str:
    return " ".join(word.text for word in words)


def _may_be_one(old: Word, new: Word) -> bool:
    """Return whether two words are spellings of one word. In code each letter counts."""
    if old.context != new.context or old.code or new.code:
        return False
    recapitalised = (
        old.text[1:] == new.text[1:] and old.text[0].casefold() == new.text[0].casefold()
    )
    return recapitalised or is_typo(old.text, new.text)


def _trimmed(gone: list[Word], come: list[Word]) -> tuple[list[Word], list[Word]]:
    """Without what both begin and end with."""
    start, stop = _alike([word.same for word in gone], [word.same for word in come])
    return gone[start : len(gone) - stop], come[start : len(come) - stop]


def _alike(one: Sequence[object], other: Sequence[object]) -> tuple[int, int]:
    """Count the items that two sequences share at their beginnings, and at their ends."""
    most = min(len(one), len(other))
    start = next((index for index in range(most) if one[index] != other[index]), most)
    stop = next(
        (index for index in range(most - start) if one[-1 - index] != other[-1 - index]),
        most - start,
    )
    return start, stop


def _told(old: list[Word], new: list[Word]) -> str:
    """The first telling word that one side has and the other has not, in their order."""
    before, after = (
        [word.text.casefold().replace("’", "'") for word in side if is_telling(word.text)]
        for side in (old, new)
    )
    if "".join(before) == "".join(after):
        return ""
    return next(
        (one for one in (*before, *after) if before.count(one) != after.count(one)),
        (before or after)[0],
    )
