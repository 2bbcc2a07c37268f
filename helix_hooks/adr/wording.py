"""How much of a text's wording has changed, leaving out what may change: status, links, task marks, amendments."""

import re
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

from .document import AdrDocument
from .heading import Meanings, normalise

_FREE = frozenset(("status", "references", "changelog", "meta"))
_LINK = r"\]\(\s*<?[^)\s>]*>?[^)]*\)|\]\[[^\]]*\]|(?m:^ {0,3}\[[^\]\n]+\]:.*$)"
_MARKS = r"(?m)^\s*(?:[-*+]|\d+[.)])\s+\[[ xX]\]"
_LABELLED = (
    r"(?mi)^\W*(?:status|date|datum|last updated|superseded by|supersedes|ersetzt durch|ersetzt|amended by|amends|related to|depends on)\W*:.*$"
)
_WORD = r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?"
_TELLING = frozenset(
    "must shall should may might can could will would required optional recommended never always only not no none nor neither without unless "
    "cannot can't don't doesn't won't isn't aren't mustn't shouldn't "
    "muss müssen soll sollen sollte darf dürfen kann können wird werden nicht kein keine keinen keiner keines nie niemals immer nur ohne "
    "doit doivent peut jamais toujours sans ne pas aucun aucune debe deben puede nunca siempre sin ningún "
    "deve devono devem può pode mai sempre senza "
    "sem não non nessun nenhum moet moeten mag kan niet geen nooit altijd zonder".split()
)
"""Words by which a sentence says something else: modals and negations."""
_ALIKE = 0.6
_LONGEST = 3_000
"""Words of the paragraphs that differ; more is no edit of a few words."""

Block = tuple[str, ...]


class Change(NamedTuple):
    """Changed words and all words of the older text; `telling` is a changed number, modal or negation, `swapped` a pair of words in the decision."""

    words: int
    of: int
    telling: str = ""
    swapped: tuple[str, str] | None = None


def changed(old: AdrDocument, new: AdrDocument, meanings: Meanings) -> Change:
    """Compare paragraph by paragraph within each section; what has moved into the decision or out of it counts as changed."""
    before, after = list(_blocks(old, meanings)), list(_blocks(new, meanings))
    total = sum(len(words) for _, words in before)
    left = _without(before, Counter(after)), _without(after, Counter(before))
    gone, come = ([(word, decided) for (key, words) in blocks for word in words for decided in [key.startswith("!")]] for blocks in left)
    if max(len(gone), len(come)) > _LONGEST:
        return Change(max(len(gone), len(come)), total)
    return _compared(gone, come, total)


def _blocks(doc: AdrDocument, meanings: Meanings) -> Iterator[tuple[str, Block]]:
    """Section and words of each paragraph; a section that holds the decision, and the title, is marked."""
    if doc.title:
        yield "!", _words(doc.title.title)
    stop = doc.sections[0].heading_start if doc.sections else len(doc.data)
    start = doc.title.start if doc.title and doc.title.start <= stop else doc.body
    yield from _paragraphs("", doc, start, stop)
    free_until = 0
    for section in doc.sections:
        means = meanings.of(section.title)
        if section.start < free_until:
            continue
        if means and _FREE.issuperset(means):
            free_until = section.stop
            continue
        name = f"{'!' if 'decision' in means else ''}{normalise(section.title)}"
        yield name, _words(section.title)
        yield from _paragraphs(name, doc, section.start, section.own_stop)


def _paragraphs(name: str, doc: AdrDocument, start: int, stop: int) -> Iterator[tuple[str, Block]]:
    text = doc.visible[start:stop].decode()
    for pattern in (_LABELLED, _MARKS) if not name else (_MARKS,):
        text = re.sub(pattern, " ", text)
    for paragraph in re.split(r"\n\s*\n", re.sub(_LINK, "] ", text)):
        words = _words(paragraph)
        if words:
            yield name, words


def _words(text: str) -> Block:
    return tuple(re.findall(_WORD, text))


def _without(blocks: list[tuple[str, Block]], others: Counter[tuple[str, Block]]) -> list[tuple[str, Block]]:
    left = []
    for block in blocks:
        if others[block] > 0:
            others[block] -= 1
        else:
            left.append(block)
    return left


def _compared(gone: list[tuple[str, bool]], come: list[tuple[str, bool]], total: int) -> Change:
    words = 0
    swapped: tuple[str, str] | None = None
    told: Counter[str] = Counter()
    for kind, a, b, c, d in SequenceMatcher(None, gone, come, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        words += max(b - a, d - c)
        told.update(word for word, _ in gone[a:b] if _telling(word))
        told.subtract(word for word, _ in come[c:d] if _telling(word))
        if kind == "replace" and b - a == d - c:
            pairs = zip(gone[a:b], come[c:d], strict=True)
            swapped = swapped or next(((x, y) for (x, inside), (y, _) in pairs if inside and not _alike(x, y)), None)
    return Change(words, total, next((word for word, count in told.items() if count), ""), swapped)


def _telling(word: str) -> bool:
    return word[0].isdigit() or word.casefold().replace("’", "'") in _TELLING


def _alike(old: str, new: str) -> bool:
    return SequenceMatcher(None, old.casefold(), new.casefold()).ratio() >= _ALIKE
