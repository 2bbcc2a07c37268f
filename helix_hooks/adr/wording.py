"""How much of a text's wording has changed, leaving out what may change: status, links, task marks, new amendments."""

import re
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

from .document import AdrDocument
from .heading import Meanings, normalise
from .prose import shown

_FREE = frozenset(("references", "meta"))
_GROWING = frozenset(("changelog",))
_LINK = r"\]\(\s*(?:<[^>\n]*>|[^\s()]*)(?:\s+\"[^\"]*\")?\s*\)|\]\[[\w.-]*\]|(?m:^ {0,3}\[(?!\^)[^\]\n]+\]:\s*\S+\s*$)|https?://[^\s)>]+"
_MARKS = r"(?m)^\s*(?:[-*+]\s+\[[ xX]\]|\d+[.)]\s(?:\s*\[[ xX]\])?)"
"""Task marks and the numbers of lists."""
_LABELLED = r"(?mi)^[\W_]*(?:(?:status|superseded by|supersedes|ersetzt durch|ersetzt|amended by|amends|related to|depends on|"
_LABELLED += r"technical story|story|ticket|issue|tags|authors?|owners?|reviewed|reviewers?|last reviewed|deciders|consulted|informed)[\W_]*:.{0,120}"
_LABELLED += r"|(?:date|datum|last updated|last reviewed)[\W_]*:[\W\dTZ]{0,40})$"
_SIGN = r"~~|!\[|<\?|<!|```|<(?:del|s|strike|details)\b|(?<=\w)(?:\+\+|#)|[<>≤≥≠±✅❌✔✘✓✗]"
"""Signs that strike a text out, hide it, or turn it around."""
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
_SMALL = frozenset(
    "a an the of to in on at by for and is are be as der die das den dem des ein eine einen und im am le la les un une et el los y".split()
)
"""Words that a decision may lose or gain."""
_ALIKE = 0.75
_NUMBER = r"(?i)^\W*(?:adr[-_ #]*)?\d{1,6}\s*[-–—:.)]+\s*"
_LONGEST = 400
"""Words of the paragraphs that differ, without what they begin and end with alike; more is no edit of a few words."""

Block = tuple[str, ...]
Word = tuple[str, str]
"""A word and the heading path it stands under; `!` before the path marks the decision and the title."""


class Change(NamedTuple):
    """Changed words and all words of the older text; `telling` is a changed number, modal, negation or sign, `swapped` what the decision said
    and says.
    """

    words: int
    of: int
    telling: str = ""
    swapped: tuple[str, str] | None = None


def changed(old: AdrDocument, new: AdrDocument, meanings: Meanings) -> Change:
    """Compare paragraph by paragraph within each section; what has moved to another section counts as changed."""
    before, after = list(_blocks(old, meanings)), list(_blocks(new, meanings))
    total = sum(len(words) for _, words in before)
    left, right = _without(before, Counter(after)), _without(after, Counter(before))
    growing = (block for block in right if not block[0].startswith("+"))
    return _compared(_words_of(left), _words_of(list(growing)), total)


def _words_of(blocks: list[tuple[str, Block]]) -> list[Word]:
    return [(word, path) for path, words in blocks for word in words]


def _blocks(doc: AdrDocument, meanings: Meanings) -> Iterator[tuple[str, Block]]:
    """Heading path and words of each paragraph; what may only grow is marked with a plus sign."""
    stop = doc.sections[0].heading_start if doc.sections else len(doc.data)
    if doc.title and doc.title.heading_start < stop:
        yield from _paragraphs("", doc, doc.body, doc.title.heading_start)
        yield "!", _words(normalise(re.sub(_NUMBER, "", doc.title.title)))
        yield from _paragraphs("", doc, doc.title.start, stop)
    else:
        yield from _paragraphs("", doc, doc.body, stop)
    above: list[tuple[int, str]] = []
    free_until = 0
    for section in doc.sections:
        means = meanings.of(section.title)
        if section.heading_start < free_until:
            continue
        if means and _FREE.issuperset(means):
            free_until = section.stop
            continue
        above = [item for item in above if item[0] < section.level]
        above.append((section.level, _name(means, section.title)))
        names = [name for _, name in above]
        path = f"{'!' if 'decision' in names else ''}{'+' if not _GROWING.isdisjoint(names) else ''}{'/'.join(names)}"
        if not means:
            yield path, _words(normalise(section.title))
        if "status" not in means:
            yield from _paragraphs(path, doc, section.start, section.own_stop)


def _name(means: tuple[str, ...], title: str) -> str:
    return "decision" if "decision" in means else (means[0] if means else normalise(title))


def _paragraphs(path: str, doc: AdrDocument, start: int, stop: int) -> Iterator[tuple[str, Block]]:
    text = re.sub(r"\n\s*\n", "\n\n", shown(doc.visible[start:stop].decode()))  # each line would read all blank ones behind it
    for pattern in (_LABELLED, _MARKS) if not path else (_MARKS,):
        text = re.sub(pattern, " ", text)
    for paragraph in re.split(r"\n\s*\n", re.sub(_LINK, "] ", text)):
        words = _words(re.sub(r"(?<!~)[*_\\]", "", paragraph))
        if words:
            yield path, words


def _words(text: str) -> Block:
    return tuple(re.findall(_WORD, text.replace("’", "'")))


def _without(blocks: list[tuple[str, Block]], others: Counter[tuple[str, Block]]) -> list[tuple[str, Block]]:
    left = []
    for block in blocks:
        if others[block] > 0:
            others[block] -= 1
        else:
            left.append(block)
    return left


def _compared(gone: list[Word], come: list[Word], total: int) -> Change:
    if [word for word, _ in gone] == [word for word, _ in come] and {path for _, path in gone} == {path for _, path in come}:
        return Change(0, total)
    gone, come = _trimmed(gone, come)
    if max(len(gone), len(come)) > _LONGEST:
        return Change(max(len(gone), len(come)), total)
    words = 0
    telling, swapped = "", None
    for kind, a, b, c, d in SequenceMatcher(None, gone, come, autojunk=False).get_opcodes():
        if kind != "equal":
            old, new = gone[a:b], come[c:d]
            words += max(len(old), len(new))
            telling = telling or _told(old, new)
            swapped = swapped or _swapped(old, new)
    return Change(words, total, telling, swapped)


def _trimmed(gone: list[Word], come: list[Word]) -> tuple[list[Word], list[Word]]:
    """Without what both begin and end with."""
    start = 0
    while start < min(len(gone), len(come)) and gone[start] == come[start]:
        start += 1
    stop = 0
    while stop < min(len(gone), len(come)) - start and gone[-1 - stop] == come[-1 - stop]:
        stop += 1
    return gone[start : len(gone) - stop], come[start : len(come) - stop]


def _told(old: list[Word], new: list[Word]) -> str:
    """The first telling word that one side has and the other has not, in their order."""
    before, after = ([word.casefold().replace("’", "'") for word, _ in side if _telling(word)] for side in (old, new))
    if "".join(before) == "".join(after):
        return ""
    return next((one for one in (*before, *after) if before.count(one) != after.count(one)), (before or after)[0])


def _telling(word: str) -> bool:
    return word[0].isdigit() or word.casefold().replace("’", "'") in _TELLING or re.fullmatch(_SIGN, word) is not None


def _swapped(old: list[Word], new: list[Word]) -> tuple[str, str] | None:
    """What the decision said and says, when the words are others: not for a typo, a capital or an article."""
    before, after = ([word for word, path in side if path.startswith("!") and word.casefold() not in _SMALL] for side in (old, new))
    if len(before) == len(after) and all(map(_alike, before, after)):
        return None
    if "".join(before).casefold() == "".join(after).casefold():
        return None
    return " ".join(before), " ".join(after)


def _alike(old: str, new: str) -> bool:
    """Whether two words are one, spelt in two ways: a prefix or a digit makes another of it."""
    a, b = old.casefold(), new.casefold()
    if a == b:
        return True
    return a[0] == b[0] and abs(len(a) - len(b)) <= 2 and SequenceMatcher(None, a, b).ratio() >= _ALIKE
