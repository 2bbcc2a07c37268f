"""How much of an ADR's visible text has changed, leaving out what may change: status, links, ticks, short labels, new amendments."""

import re
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

from .document import AdrDocument, Section
from .heading import Meanings, normalise
from .raw_html import SPAN, STRUCK
from .spelling import is_typo
from .status import statuses
from .visible import LAYOUT, LINKED, TOP

_LISTED = frozenset(("references", "meta"))
"""Sections that list links and names; a sentence in one is text as anywhere."""
_GROWING = frozenset(("changelog",))
_LABEL = (
    r"(?i)^[\W_]*(status|superseded by|supersedes|ersetzt durch|ersetzt|amended by|amends|related to|depends on|"
    r"technical story|story|ticket|issue|tags|authors?|owners?|reviewed|reviewers?|last reviewed|deciders|consulted|informed|"
    r"date|datum|last updated)[\W_]*[:|]"
)
"""What a line above the first section may begin with; the value behind it is free while it is short."""
_STATUS_LABELS = frozenset(("status", "superseded by", "supersedes", "ersetzt durch", "ersetzt"))
_MOST_FREE = 6
"""Words of a free label or field; what is longer is text."""
_NAME = 4
"""Words of a name in a list of names."""
_MOST_STATUS = 3
"""Words of a status that is not known."""
_MOST_TITLE = 16
"""Words of the title of an ADR behind its id."""
_URL = r"(?:https?://|www\.)[^\s)>]+"
_DATE = r"\d{4}[-./]\d{1,2}[-./]\d{1,2}(?:[T ][\d:.]+(?:Z|[+-][\d:]+)?)?|\d{1,2}[-./]\d{1,2}[-./]\d{2,4}"
_ADR_ID = r"(?i)\badrs?[-_ #]*\d+(?:[-_.]\d+)*|#\d+"
_BESIDE_STATUS = frozenset(
    "by with on in favor favour of at since as from date and the see new decision through via durch am seit von ab zum mit "
    "par en le depuis por el desde em da dal con op door sinds partially partly teilweise "
    "supersedes superseded superseding supersede supercedes superceded replaces replaced obsoletes obsoleted amends amended ersetzt löst ab "
    "abgelöst remplace remplacé remplacée reemplaza reemplazado sustituye sustituido substitui substituído sostituisce sostituito "
    "vervangt vervangen status adr adrs".split()
)
"""Words between a status, a date and a successor."""
_SIGN = r"[?<>≤≥≠±%$€£✅❌✔✘✓✗]|!=|(?<=\w)(?:\+\+|#)|(?<![\w.])[-−](?=\d)"
"""Signs that turn a text around, or say of what a number is."""
_LETTERS = r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]"
"""Of scripts that put no blanks between words, each letter is one."""
_WORD = rf"{_SIGN}|\d+(?:[.,:]\d+)*|{_LETTERS}|(?:(?!{_LETTERS})[^\W\d_])+(?:['’](?:(?!{_LETTERS})[^\W\d_])+)?"
_TELLING = frozenset(
    "must shall should may might can could will would required optional recommended never always only not no none nor neither without unless "
    "except cannot can't don't doesn't won't isn't aren't mustn't shouldn't one two three four five six seven eight nine ten twenty thirty sixty "
    "hundred thousand million ms kb mb gb tb seconds minutes hours days weeks months years "
    "muss müssen soll sollen sollte darf dürfen kann können wird werden nicht kein keine keinen keiner keines nie niemals immer nur ohne außer "
    "zwei drei vier fünf sechs sieben acht neun zehn zwanzig dreißig hundert tausend sekunden minuten stunden tage wochen monate jahre "
    "doit doivent peut jamais toujours sans ne pas aucun aucune debe deben puede nunca siempre sin ningún "
    "deve devono devem può pode mai sempre senza sem não non nessun nenhum moet moeten mag kan niet geen nooit altijd zonder "
    "не нет без должен должна должны может нельзя никогда 不 没 無 无 非 必 须 須 应 可 禁 勿".split()
)
"""Words by which a sentence says something else: modals, negations, numbers, units."""
_NUMBER = r"(?i)^\W*(?:adr[-_ #]*)?\d{1,6}\s*[-–—:.)]+\s*"
_LONGEST = 400
"""Words of the paragraphs that differ, without what they begin and end with alike; more is no edit of a few words."""

_LONGEST_NAME = 100
"""Characters of a heading in the path of what stands below it, which each sub-section has."""

Context = tuple[str, int]
"""The headings under which a word stands, and its kind in the visible text. `!` marks title and decision, `+` what may grow."""
Piece = tuple[str, int]
"""A text and its kind."""


class Word(NamedTuple):
    """A visible word where it stands. Code between backticks is no other place, but a word in it is a term."""

    text: str
    context: Context
    code: bool = False

    @property
    def same(self) -> tuple[str, Context]:
        """What two words have in common that are one."""
        return self.text, self.context


Block = tuple[Word, ...]


class Change(NamedTuple):
    """The difference between two versions of a text.

    `words` of the `of` words of the older one differ. `telling` is a changed number, modal, negation or sign. `swapped` is what was said and
    what is said now, either of them "" where words were only added or taken out. `typos` are words that may have been corrected.
    """

    words: int
    of: int
    telling: str = ""
    swapped: tuple[str, str] | None = None
    typos: tuple[tuple[str, str], ...] = ()


def changed(old: AdrDocument, new: AdrDocument, meanings: Meanings) -> Change:
    """Compare block by block within each section; what has moved to another section counts as changed."""
    before, after = list(_blocks(old, meanings)), list(_blocks(new, meanings))
    total = sum(map(len, before))
    left, right = _without(before, Counter(after)), _without(after, Counter(before))
    growing = [block for block in right if not block[0].context[0].startswith("+")]
    return _compared(_joined(left), _joined(growing), total)


def said(doc: AdrDocument, meanings: Meanings) -> list[tuple[str, Context]]:
    """Return all visible words of a document in order, each with its place, but for the status and links."""
    return [word.same for block in _blocks(doc, meanings) for word in block]


def words_of(text: str) -> list[str]:
    """Return the words of a visible text, signs that turn it around among them."""
    return re.findall(_WORD, re.sub(_URL, " ", text).replace("’", "'"))


def free(text: str) -> bool:
    """Return whether a value is one for a label: ids, names, dates, links and tags, and no word that tells."""
    if text.isascii() and text.isdigit():
        return True
    plain = re.sub(_ADR_ID, " ", re.sub(_DATE, " ", re.sub(_URL, " ", text)))
    words = [word for word in plain.split() if any(map(str.isalnum, word))]
    telling = (is_telling(word) and not word[0].isdigit() for word in words_of(plain))
    if any(telling):
        return False
    return len(words) <= _MOST_FREE or _are_names(plain)


def _are_names(text: str) -> bool:
    """Return whether a text lists names, and nothing else."""
    items = [item.split() for item in re.split(r"[,;&\n]|\band\b|\bund\b", text) if item.strip()]
    return all(len(item) <= _NAME and all(word[0] in "@([<" or word[0].isupper() or word[0].isdigit() for word in item) for item in items)


def beside_status(text: str) -> str:
    """Return what stands beside a status word: not a date, not the id and title of another ADR."""
    rest = re.sub(_DATE, " ", re.sub(_URL, " ", text))
    rest, *titled = re.split(_ADR_ID, rest)
    for behind in titled:
        title = words_of(behind)
        if len(title) > _MOST_TITLE or any(map(is_telling, title)):
            rest += f" {behind}"
    words = (word for word in re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", rest) if word.casefold() not in _BESIDE_STATUS)
    known = statuses().names
    return " ".join(word for word in words if word.casefold() not in known and not word.isdigit())


def beside_status_value(text: str) -> str:
    """`beside_status` of the place where the status stands; a status that nobody knows is a value too, while it is short."""
    words = [word.casefold() for word in words_of(text)]
    unknown = statuses().names.keys().isdisjoint(words) and len(words) <= _MOST_STATUS
    return "" if unknown and not any(map(is_telling, words)) else beside_status(text)


def is_telling(word: str) -> bool:
    """Return whether a sentence says something else without this word."""
    return word[0].isdigit() or word.casefold().replace("’", "'") in _TELLING or re.fullmatch(_SIGN.replace(r"(?<=\w)", ""), word) is not None


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
        path = f"{'!' if 'decision' in names else ''}{'+' if not _GROWING.isdisjoint(names) else ''}{'/'.join(names)}"
        if normalise(section.title) not in meanings.names or not means:
            yield _title(doc, section, path)
        if "status" in means:
            yield from _stated(doc, section, path)
        elif not _LISTED.isdisjoint(names):
            yield from _listed(doc, section, path)
        else:
            yield from _paragraphs(doc, section.start, section.own_stop, path)


def _name(means: tuple[str, ...], title: str) -> str:
    if means:
        return "decision" if "decision" in means else means[0]
    name = normalise(title)
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]} {hash(name)}"


def _title(doc: AdrDocument, section: Section, path: str) -> Block:
    """The words of a heading, without its number."""
    shown = tuple(Word(word, (path, 0)) for word in words_of(normalise(re.sub(_NUMBER, "", section.title))))
    struck = (piece for line in _lines(doc, section.heading_start, section.start) for piece in line if piece[1] & STRUCK)
    return (*shown, *_words(list(struck), path))


def _paragraphs(doc: AdrDocument, start: int, stop: int, path: str) -> Iterator[Block]:
    block: list[Word] = []
    for begins, line in _marked_lines(doc, start, stop):
        if begins and block:
            yield tuple(block)
            block = []
        block += _words(line, path)
    yield tuple(block)


def _labelled(doc: AdrDocument, start: int, stop: int) -> Iterator[Block]:
    """The text around the title, where header fields stand; those that are free say nothing that counts."""
    for line in _lines(doc, start, stop):
        text = "".join(piece for piece, _ in line)
        label = re.match(_LABEL, text)
        if not label:
            yield _words(line, "")
        elif label[1].casefold() in _STATUS_LABELS:
            yield tuple(Word(word, ("status", 0)) for word in words_of(beside_status_value(text[label.end() :])))
        elif not free(text[label.end() :]):
            yield _words(line, "")


def _stated(doc: AdrDocument, section: Section, path: str) -> Iterator[Block]:
    """The text of a section that states the status, beside the status, dates and successors."""
    beside = beside_status_value
    for line in _lines(doc, section.start, section.own_stop):
        plain = "".join(piece if not kind & LINKED or not _is_title(piece) else " ADR-0 " for piece, kind in line)
        yield tuple(Word(word, (path, 0)) for word in words_of(beside(plain)))
        beside = beside_status


def _is_title(text: str) -> bool:
    """Return whether the text of a link may be the title of an ADR."""
    words = words_of(text)
    return len(words) <= _MOST_TITLE and not any(is_telling(word) and not word[0].isdigit() for word in words)


def _listed(doc: AdrDocument, section: Section, path: str) -> Iterator[Block]:
    """The lines of a section of links and names that are text."""
    for line in _lines(doc, section.start, section.own_stop):
        unlinked = "".join(" " if kind & LINKED and _is_title(piece) else piece for piece, kind in line)
        if not free(unlinked):
            yield _words(line, path)


def _words(line: list[Piece], path: str) -> Block:
    found: list[Word] = []
    index = 0
    while index < len(line):
        kind = line[index][1] & ~LINKED
        pieces = []
        while index < len(line) and line[index][1] & ~LINKED == kind:
            pieces.append(line[index][0])
            index += 1
        context = (path, kind & ~SPAN)
        found += [Word(word, context, bool(kind & SPAN)) for word in words_of("".join(pieces))]
    return tuple(found)


def _lines(doc: AdrDocument, start: int, stop: int) -> Iterator[list[Piece]]:
    return (line for _, line in _marked_lines(doc, start, stop))


def _marked_lines(doc: AdrDocument, start: int, stop: int) -> Iterator[tuple[bool, list[Piece]]]:
    """The visible lines between two offsets, each with whether a block begins with it that stands in no other one."""
    line: list[Piece] = []
    begins = False
    for index in range(*doc.runs_between(start, stop)):
        _, _, piece, kind = doc.shown.runs[index]
        if not kind & LAYOUT:
            line.append((piece, kind))
        elif "\n" not in piece:
            line.append((piece if "|" in piece else "", kind & ~LAYOUT & 31))
        else:
            if line:
                yield begins, line
                begins = False
            line = []
            begins = begins or bool(kind & TOP)
    if line:
        yield begins, line


def _without(blocks: list[Block], others: Counter[Block]) -> list[Block]:
    left = []
    for block in blocks:
        if others[block] > 0:
            others[block] -= 1
        else:
            left.append(block)
    return left


def _compared(gone: list[Word], come: list[Word], total: int) -> Change:
    gone, come = _trimmed(gone, come)
    if max(len(gone), len(come)) > _LONGEST:
        return Change(max(len(gone), len(come)), total)
    words = 0
    telling, swapped = "", None
    typos: list[tuple[str, str]] = []
    matcher = SequenceMatcher(None, [word.same for word in gone], [word.same for word in come], autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            continue
        old, new = gone[a:b], come[c:d]
        words += max(len(old), len(new))
        telling = telling or _told(old, new)
        if len(old) == len(new) and all(map(_may_be_one, old, new)):
            typos += [(one.text, other.text) for one, other in zip(old, new, strict=True) if one.text != other.text]
        else:
            swapped = swapped or (_phrase(old), _phrase(new))
    return Change(words, total, telling, swapped, tuple(typos))


def _phrase(words: list[Word]) -> str:
    return " ".join(word.text for word in words)


def _may_be_one(old: Word, new: Word) -> bool:
    """Return whether two words in one place are one in two spellings. In code each letter counts."""
    if old.context != new.context or old.code or new.code:
        return False
    recapitalised = old.text[1:] == new.text[1:] and old.text[0].casefold() == new.text[0].casefold()
    return recapitalised or is_typo(old.text, new.text)


def _trimmed(gone: list[Word], come: list[Word]) -> tuple[list[Word], list[Word]]:
    """Without what both begin and end with."""
    start = 0
    while start < min(len(gone), len(come)) and gone[start].same == come[start].same:
        start += 1
    stop = 0
    while stop < min(len(gone), len(come)) - start and gone[-1 - stop].same == come[-1 - stop].same:
        stop += 1
    return gone[start : len(gone) - stop], come[start : len(come) - stop]


def _told(old: list[Word], new: list[Word]) -> str:
    """The first telling word that one side has and the other has not, in their order."""
    before, after = ([word.text.casefold().replace("’", "'") for word in side if is_telling(word.text)] for side in (old, new))
    if "".join(before) == "".join(after):
        return ""
    return next((one for one in (*before, *after) if before.count(one) != after.count(one)), (before or after)[0])
