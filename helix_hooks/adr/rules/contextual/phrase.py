"""Decide whether a text asserts or negates a phrase.

`neu` is not in `erneut`, `API` not in `Kapitel`, and "keine Breaking Changes" is not a breaking
change.
"""

import re
from collections import Counter
from functools import lru_cache

_ENDINGS = "(?:s|es|e|en|er|em|n)?"
_NEGATORS = frozenset(
    "no not non never none neither nor zero cannot can't isn't aren't doesn't don't won't "
    "kein keine keinen keiner keinem keines keinerlei nicht nie niemals weder "
    "pas aucun aucune ningún ninguna nenhum nenhuma nessun nessuna non geen niet não nao "
    "нет".split()
)
_AVOIDERS = frozenset(
    "without avoid avoids avoided avoiding prevent prevents preventing instead minimize minimise "
    "minimizing "
    "ohne vermeidet vermeiden verhindert verhindern statt anstatt "
    "sans sin sem senza zonder без".split()
)
_HEDGES = frozenset(
    "would could might may can possibly potentially potential perhaps if unless likely whether "
    "possible risk detect detects "
    "würde würden könnte könnten möglicherweise eventuell falls wenn ob risiko pourrait podría "
    "poderia potrebbe".split()
)
_EMPHATIC = frozenset(("only", "nur", "just", "merely", "bloß", "doubt", "zweifel"))
_CLAUSE_END = r"[.!?;:|\n](?=\s|$)|\n"
_UNTICKED = r"\s*(?:[-*+]|\d+[.)])\s+\[ \]"
_NOTHING = (
    r"(?:none|nothing|no|not|keine?[rsnm]?|nein|nicht|n/a|0|false|aucune?|ningun[oa]|nenhum"
    r"|nessun[oa]?|geen)"
)
_ENDED = (
    r"(?=[*_]*\s*(?:[.,;!)(|\n]|$|(?:are|is|expected|known|planned|so far|for|in|at|sind|ist"
    r"|bekannt|geplant|zu)\b))"
)
_NO_SUCH = (
    r"(?:[—–-]\s*(?:\n|$)|(?:there|it|this|we|es|wir)\b[^.\n]{0,40}\b(?:none|no such|no breaking"
    r"|not expect|not anticipate|keine?)\b"
    r"|(?:no|keine)\s+(?:breaking|such|known|impact|further|changes?)\b)"
)
_DENIED_AFTER = (
    rf"(?i)[*_\s]*(?:[:|=–—?-]|\n)[*_\s|]*(?:{_NOTHING}{_ENDED}|{_NO_SUCH})"
    r"|[*_]*(?:\s+\w+)?\s+(?:are|is|were|will be|do|does|will|sind|ist|werden|wird|gibt es"
    r"|entstehen|treten)\s+"
    r"(?:not|never|avoided|nicht|keine|vermieden|ausgeschlossen)\b"
)
_GENERAL = (
    r"(?i)[*_]*\s+(?:require|must|should|need|have to|shall|may|are (?:only|always|clearly))\b"
)
_DETERMINED = (
    r"(?i)\b(?:the|these|those|our|its|their|all|following|some|several|die|diese|unsere)\s+$"
)
_CONDITION = r"(?:^|\W)(?:if|unless|whenever|when|wenn|falls|sofern)\W[^,]*$"
_ASCII = r"[a-z0-9]+"
_GAP = "[\\s*_\u2010\u2011-]+"
_GAP_BYTES = b"(?:[\\s*_-]|\xc2\xa0|\xe2\x80[\x90\x91\xaf])+"
_REACH = 3
_REACH_JOINED = 9
_JOINING = frozenset(("or", "and", "any", "oder", "und"))
"""`no migration, data loss or breaking change`: the negation of a list stands before its first
member.
"""
_COMMON = "etaoinsrhdlucmfywgpbvkxqjz"
"""Letters by frequency, the most common first: a search for a rare last letter is faster."""
_NEAR = 100
_SENTENCE = 240
"""Characters around a phrase in which a claim is read."""
_MOST_MENTIONS = 100
"""Mentions of a phrase that are read closely; a text with more of them is taken at its word."""
_WIDE = b" " * 30
_MOST_PLACES = 20
_TELLING = 7
"""Letters that make a word rare enough to be searched first."""


def says(
    text: str, phrases: tuple[str, ...], stated: bool = False, claimed: bool = False
) -> int | None:
    """The offset at which a text first asserts one of the phrases; None when it does not, or only
    negated or as a possibility. With `stated`, a definition does not count; with `claimed`, the
    text must say it of its own decision.

    Words are matched whole, in any case, with German and English endings, across line breaks and
    emphasis. A negation counts up to three words before the phrase in the same clause, further back
    before the last of a list, and right behind the phrase (`Breaking changes: none`); a word such
    as "would" counts likewise. What stands in a condition, and what holds of breaking changes in
    general, is not asserted either.
    """
    lower = text.lower()
    places = (_asserted(text, lower, phrase, stated, claimed) for phrase in phrases)
    found = [where for where in places if where is not None]
    return min(found, default=None)


def _asserted(text: str, lower: str, phrase: str, stated: bool, claimed: bool) -> int | None:
    # Equal lengths keep offsets; case-sensitive search on lower case is many times faster than the
    # reverse.
    same = len(lower) == len(text)
    mentions = 0
    for match in _pattern(phrase, not same).finditer(lower if same else text):
        before, after = (
            text[max(0, match.start() - 80) : match.start()],
            text[match.end() : match.end() + 80],
        )
        whole = not before[-1:].isalnum() and before[-1:] != "_"
        if (
            whole
            and not _denied_before(before)
            and not re.match(_DENIED_AFTER, after)
            and not _in_general(before, match[0], after)
        ):
            mentions += 1
            if not stated or mentions > _MOST_MENTIONS or _is_claim(text, match, claimed):
                return match.start()
    return None


def _is_claim(text: str, match: re.Match[str], claimed: bool) -> bool:
    from .claim import claims, defines

    start, stop = match.span()
    before, after = text[max(0, start - _SENTENCE) : start], text[stop : stop + _SENTENCE]
    return not defines(before, after) and (not claimed or claims(before, match[0], after))


def _in_general(before: str, phrase: str, after: str) -> bool:
    """`Breaking changes must be announced` speaks of any; `the breaking changes require …` and
    `this …` of those that come.
    """
    plural = phrase.casefold().endswith("s") and re.match(_GENERAL, after)
    return bool(plural) and not re.search(_DETERMINED, before)


@lru_cache(maxsize=256)
def by_needle(
    phrases: tuple[str, ...],
) -> tuple[tuple[bytes, int, tuple[tuple[str, tuple[bytes, ...]], ...]], ...]:
    """Phrases by what a lower-cased text must contain to say them: as few pieces of their long
    words as will do.

    A cheap test that spares most texts the search, which would otherwise cost more than parsing
    them. With each needle comes how far around it a phrase can reach, and with each phrase its
    pieces, those that tell it from others first.
    """
    found: list[tuple[bytes, int, tuple[tuple[str, tuple[bytes, ...]], ...]]] = []
    pieces = {phrase: _pieces(phrase.lower()) for phrase in phrases}
    while pieces:
        counts = Counter(piece for these in pieces.values() for piece in these)
        needle = max(counts, key=lambda piece: (counts[piece], _COMMON.find(piece[-1:])))
        group = tuple(phrase for phrase, these in pieces.items() if needle in these)
        reach = _NEAR + 2 * len(max(group, key=len))
        found.append(
            (needle.encode(), reach, tuple((phrase, _runs(phrase, needle)) for phrase in group))
        )
        pieces = {phrase: these for phrase, these in pieces.items() if needle not in these}
    return tuple(found)


def _pieces(phrase: str) -> frozenset[str]:
    runs = re.findall(_ASCII, phrase) or [""]
    telling = [run for run in runs if len(run) >= _TELLING]
    return frozenset(
        run[at : at + _TELLING] for run in telling for at in range(len(run) - _TELLING + 1)
    ) or frozenset((max(runs, key=len),))


def candidates(lower: bytes, phrases: tuple[str, ...]) -> tuple[str, ...]:
    """The phrases that a lower-cased text may say: it has their words in a row, or of one that is
    not ASCII its pieces.
    """
    found: list[str] = []
    for needle, reach, group in by_needle(phrases):
        if needle in lower:
            near = _around(lower, needle, reach)
            found += [
                phrase
                for phrase, runs in group
                if all(run in near for run in runs) and _has_row(near, phrase)
            ]
    return tuple(found)


def _around(text: bytes, needle: bytes, reach: int) -> bytes:
    """The places of a text that have a needle, so that many phrases are looked for in little; all
    of it where that is not enough.
    """
    pieces = []
    place = text.find(needle)
    while place >= 0:
        pieces.append(text[max(0, place - reach) : place + reach])
        place = text.find(needle, place + 1)
        if len(pieces) > _MOST_PLACES or _WIDE in pieces[-1]:
            return text
    return b"\n.\n".join(pieces)


def _has_row(text: bytes, phrase: str) -> bool:
    return not phrase.isascii() or re.search(_in_a_row(phrase), text) is not None


def _runs(phrase: str, needle: str) -> tuple[bytes, ...]:
    runs = sorted(re.findall(_ASCII, phrase.lower()), key=lambda run: (needle in run, -len(run)))
    return tuple(run.encode() for run in runs)


@lru_cache(maxsize=256)
def _in_a_row(phrase: str) -> "re.Pattern[bytes]":
    return re.compile(_GAP_BYTES.join(map(re.escape, phrase.lower().encode().split())))


@lru_cache(maxsize=256)
def _pattern(phrase: str, ignore_case: bool) -> re.Pattern[str]:
    words = _GAP.join(re.escape(word) for word in phrase.lower().split())
    return re.compile(rf"{words}{_ENDINGS}(?!\w)", re.IGNORECASE if ignore_case else 0)


def _denied_before(before: str) -> bool:
    clause = re.split(_CLAUSE_END, before.replace("’", "'"))[-1].casefold()
    if re.search(_CONDITION, clause):
        return True
    words = re.findall(r"[\w']+", clause)
    words = words[-(_REACH_JOINED if words and words[-1] in _JOINING else _REACH) :]
    denying = [
        index
        for index, word in enumerate(words)
        if word in _NEGATORS or word in _AVOIDERS or word in _HEDGES
    ]
    if not denying:
        return re.match(_UNTICKED, clause) is not None
    if _EMPHATIC.intersection(words[denying[-1] + 1 :]):
        return False
    # "cannot avoid" and "nicht ohne" say that it comes.
    return _NEGATORS.isdisjoint(words) or _AVOIDERS.isdisjoint(words)
