"""Does a text say something, or say that it is not so?

`neu` is not in `erneut`, `API` not in `Kapitel`, and "keine Breaking Changes" is not a breaking change.
"""

import re
from collections import Counter
from functools import lru_cache

_ENDINGS = "(?:s|es|e|en|er|em|n)?"
_NEGATORS = frozenset(
    "no not non never without none neither nor zero avoid avoids avoided avoiding isn't aren't doesn't don't "
    "kein keine keinen keiner keinem keines keinerlei nicht ohne nie niemals weder vermeidet vermeiden "
    "pas sans aucun aucune ningún ninguna sin nenhum nenhuma sem nessun nessuna senza non geen niet zonder não nao нет без".split()
)
_HEDGES = frozenset(
    "would could might may can possibly potentially potential perhaps if unless likely "
    "würde würden könnte könnten möglicherweise eventuell falls wenn pourrait podría poderia potrebbe".split()
)
_EMPHATIC = frozenset(("only", "nur", "just", "merely", "bloß"))
_CLAUSE_END = r"[.!?;:|\n](?=\s|$)|\n"
_DENIED_AFTER = (
    r"(?i)[*_\s]*(?:[:|=–—-]|\n)[*_\s|]*(?:none|no|not|nothing|keine?[rsnm]?|nein|nicht|n/a|0|false|aucune?|ningun[oa]|nenhum|nessun[oa]?|geen)\b"
    r"|[*_]*\s+(?:are|is|were|will be|sind|ist|werden|wird)\s+(?:not|never|avoided|nicht|vermieden|ausgeschlossen)\b"
)
_ASCII = r"[a-z0-9]+"
_GAP = r"[\s*_-]+"
_REACH = 3
_TELLING = 7
"""Letters from which on a word is rare enough to look for first."""


def says(text: str, phrases: tuple[str, ...]) -> int | None:
    """The offset at which a text first asserts one of the phrases; None when it does not, or only negated or as a possibility.

    Words are matched whole, in any case, with German and English endings, across line breaks and emphasis. A negation
    counts up to three words before the phrase in the same clause, and right behind it (`Breaking changes: none`); a word
    such as "would" or "if" counts likewise.
    """
    lower = text.lower()
    found = [where for phrase in phrases if (where := _asserted(text, lower, phrase)) is not None]
    return min(found, default=None)


def _asserted(text: str, lower: str, phrase: str) -> int | None:
    # Equal lengths keep offsets; case-sensitive search on lower case is many times faster than the reverse.
    same = len(lower) == len(text)
    for match in _pattern(phrase, not same).finditer(lower if same else text):
        before, after = text[max(0, match.start() - 80) : match.start()], text[match.end() : match.end() + 80]
        if not before[-1:].isalnum() and before[-1:] != "_" and not _denied_before(before) and not re.match(_DENIED_AFTER, after):
            return match.start()
    return None


@lru_cache(maxsize=256)
def by_needle(phrases: tuple[str, ...]) -> tuple[tuple[bytes, tuple[str, ...]], ...]:
    """Phrases by what a lower-cased text must contain to say them: as few pieces of their long words as will do.

    A cheap test that spares most texts the search, which would otherwise cost more than parsing them.
    """
    found: list[tuple[bytes, tuple[str, ...]]] = []
    pieces = {phrase: _pieces(phrase.casefold()) for phrase in phrases}
    while pieces:
        counts = Counter(piece for these in pieces.values() for piece in these)
        needle = max(counts, key=lambda piece: (counts[piece], len(piece)))
        group = tuple(phrase for phrase, these in pieces.items() if needle in these)
        found.append((needle.encode(), group))
        pieces = {phrase: these for phrase, these in pieces.items() if needle not in these}
    return tuple(found)


def _pieces(phrase: str) -> frozenset[str]:
    runs = re.findall(_ASCII, phrase) or [""]
    telling = [run for run in runs if len(run) >= _TELLING]
    return frozenset(run[at : at + _TELLING] for run in telling for at in range(len(run) - _TELLING + 1)) or frozenset((max(runs, key=len),))


def may_say(lower: bytes, phrase: str) -> bool:
    """Whether a lower-cased text has the words of a phrase in a row; of one that is not ASCII, its ASCII pieces anywhere."""
    return all(run in lower for run in _runs(phrase)) and (not phrase.isascii() or re.search(_in_a_row(phrase), lower) is not None)


@lru_cache(maxsize=256)
def _runs(phrase: str) -> tuple[bytes, ...]:
    return tuple(run.encode() for run in sorted(re.findall(_ASCII, phrase.lower()), key=len, reverse=True))


@lru_cache(maxsize=256)
def _in_a_row(phrase: str) -> "re.Pattern[bytes]":
    return re.compile(_GAP.encode().join(map(re.escape, phrase.lower().encode().split())))


@lru_cache(maxsize=256)
def _pattern(phrase: str, ignore_case: bool) -> re.Pattern[str]:
    words = _GAP.join(re.escape(word) for word in phrase.lower().split())
    return re.compile(rf"{words}{_ENDINGS}(?!\w)", re.IGNORECASE if ignore_case else 0)


def _denied_before(before: str) -> bool:
    words = re.findall(r"[\w']+", re.split(_CLAUSE_END, before)[-1].casefold())[-_REACH:]
    denied = [index for index, word in enumerate(words) if word in _NEGATORS or word in _HEDGES]
    return bool(denied) and not _EMPHATIC.intersection(words[denied[-1] + 1 :])
