"""Decide whether a text asserts or negates a phrase.

`neu` does not match `erneut`, `API` does not match `Kapitel`, and "keine Breaking Changes" negates
the phrase.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable
from functools import lru_cache
from itertools import chain

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
_DENYING = _NEGATORS | _AVOIDERS | _HEDGES
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
"""Words before the last item of a list: `no migration, data loss or breaking change`.

The negation is before the first item.
"""
_COMMON = "etaoinsrhdlucmfywgpbvkxqjz"
"""Letters by frequency, the most common first: a search for a rare last letter is faster."""
_MARGIN = 100
"""Bytes around a needle in which a phrase may be broken over lines and emphasised."""
_CLAUSE = 80
"""Characters around a phrase in which a negation is read."""
_SENTENCE = 240
"""Characters around a phrase in which a claim is read."""
_MAX_MENTIONS = 100
"""Mentions of a phrase that are read closely; in a text with more of them the next one counts."""
_WIDE = b" " * 30
"""Blanks by which a phrase may be wider than the margin."""
_MAX_PIECES = 20
_RARE = 7
"""Letters of a piece of a word that is rare enough to be searched first."""

_Group = tuple[tuple[str, tuple[bytes, ...]], ...]
"""Phrases, each with the pieces that a text must contain to say it."""


def says(
    text: str, phrases: tuple[str, ...], must_assert: bool = False, must_claim: bool = False
) -> int | None:
    """Return the offset at which a text first asserts one of the phrases.

    None if it does not, or only negated or as a possibility. With `must_assert`, a definition does
    not count; with `must_claim`, the text must say it of its own decision.

    Words are matched whole, in any case, with German and English endings, across line breaks and
    emphasis. A negation counts up to three words before the phrase in the same clause, further back
    before the last item of a list, and directly after the phrase (`Breaking changes: none`). A word
    such as "would" counts as a negation. A condition, and a sentence on breaking changes in
    general, assert nothing either.
    """
    lower = text.lower()
    offsets = (_asserted(text, lower, phrase, must_assert, must_claim) for phrase in phrases)
    return min((offset for offset in offsets if offset is not None), default=None)


def _asserted(
    text: str, lower: str, phrase: str, must_assert: bool, must_claim: bool
) -> int | None:
    # Lower case may be longer: offsets are those of the text only if the lengths are equal. The
    # search on lower case is many times faster than one that ignores case.
    has_same_offsets = len(lower) == len(text)
    searched = lower if has_same_offsets else text
    mentions = 0
    for match in _pattern(phrase, not has_same_offsets).finditer(searched):
        if not _is_asserted(text, match):
            continue
        mentions += 1
        if not must_assert or mentions > _MAX_MENTIONS or _is_claim(text, match, must_claim):
            return match.start()
    return None


def _is_asserted(text: str, match: re.Match[str]) -> bool:
    """Return whether a match is whole words, not negated, and not a general statement."""
    start, stop = match.span()
    before, after = text[max(0, start - _CLAUSE) : start], text[stop : stop + _CLAUSE]
    if before[-1:].isalnum() or before[-1:] == "_":
        return False
    if _is_denied_before(before) or re.match(_DENIED_AFTER, after):
        return False
    return not _is_general(before, match[0], after)


def _is_claim(text: str, match: re.Match[str], must_claim: bool) -> bool:
    from .claim import claims, defines

    start, stop = match.span()
    before, after = text[max(0, start - _SENTENCE) : start], text[stop : stop + _SENTENCE]
    if defines(before, after):
        return False
    return not must_claim or claims(before, match[0], after)


def _is_general(before: str, phrase: str, after: str) -> bool:
    """Return whether a sentence is about all changes: `Breaking changes must be announced`.

    `The breaking changes require …` is about those of the decision.
    """
    is_plural = phrase.casefold().endswith("s") and re.match(_GENERAL, after)
    return bool(is_plural) and not re.search(_DETERMINED, before)


@lru_cache(maxsize=256)
def by_needle(phrases: tuple[str, ...]) -> tuple[tuple[bytes, int, _Group], ...]:
    """Return phrases grouped by a needle that a lower-cased text must contain to say one of them.

    A needle is a piece of a long word; there are as few needles as possible. A search for them is
    cheap, and spares most texts the search for the phrases, which would cost more than parsing the
    text. Each needle comes with the bytes around it in which a phrase can be.
    """
    groups: list[tuple[bytes, int, _Group]] = []
    pieces = {phrase: _pieces(phrase.lower()) for phrase in phrases}
    while pieces:
        needle = _best_needle(pieces.values())
        group = [phrase for phrase, parts in pieces.items() if needle in parts]
        reach = _MARGIN + 2 * len(max(group, key=len))
        runs = tuple((phrase, _runs(phrase, needle)) for phrase in group)
        groups.append((needle.encode(), reach, runs))
        for phrase in group:
            del pieces[phrase]
    return tuple(groups)


def _best_needle(pieces: Iterable[Collection[str]]) -> str:
    """Return the piece that most phrases have, with the rarest last letter."""
    counts = Counter(chain.from_iterable(pieces))
    return max(counts, key=lambda piece: (counts[piece], _COMMON.find(piece[-1:])))


def _pieces(phrase: str) -> frozenset[str]:
    """Return the pieces of the long words of a phrase, else its longest word."""
    words = re.findall(_ASCII, phrase) or [""]
    pieces: set[str] = set()
    for word in words:
        last = len(word) - _RARE
        pieces.update(word[start : start + _RARE] for start in range(last + 1))
    return frozenset(pieces or (max(words, key=len),))


def candidates(lower: bytes, phrases: tuple[str, ...]) -> tuple[str, ...]:
    """Return the phrases that a lower-cased text may say: it has their words in a row.

    Of a phrase that is not ASCII it has at least the ASCII pieces.
    """
    possible: list[str] = []
    for needle, reach, group in by_needle(phrases):
        if needle not in lower:
            continue
        near = _around(lower, needle, reach)
        for phrase, runs in group:
            if all(run in near for run in runs) and _has_row(near, phrase):
                possible.append(phrase)
    return tuple(possible)


def _around(text: bytes, needle: bytes, reach: int) -> bytes:
    """Return the parts of a text around a needle, so that many phrases are searched in little text.

    The whole text if that is not enough.
    """
    pieces = []
    offset = text.find(needle)
    while offset >= 0:
        pieces.append(text[max(0, offset - reach) : offset + reach])
        offset = text.find(needle, offset + 1)
        if len(pieces) > _MAX_PIECES or _WIDE in pieces[-1]:
            return text
    return b"\n.\n".join(pieces)


def _has_row(text: bytes, phrase: str) -> bool:
    return not phrase.isascii() or re.search(_in_a_row(phrase), text) is not None


def _runs(phrase: str, needle: str) -> tuple[bytes, ...]:
    """Return the ASCII words of a phrase; those that tell it from others first."""
    runs = sorted(re.findall(_ASCII, phrase.lower()), key=lambda run: (needle in run, -len(run)))
    return tuple(run.encode() for run in runs)


@lru_cache(maxsize=256)
def _in_a_row(phrase: str) -> "re.Pattern[bytes]":
    return re.compile(_GAP_BYTES.join(map(re.escape, phrase.lower().encode().split())))


@lru_cache(maxsize=256)
def _pattern(phrase: str, ignore_case: bool) -> re.Pattern[str]:
    words = _GAP.join(re.escape(word) for word in phrase.lower().split())
    return re.compile(rf"{words}{_ENDINGS}(?!\w)", re.IGNORECASE if ignore_case else 0)


def _is_denied_before(before: str) -> bool:
    clause = re.split(_CLAUSE_END, before.replace("’", "'"))[-1].casefold()
    if re.search(_CONDITION, clause):
        return True
    words = re.findall(r"[\w']+", clause)
    reach = _REACH_JOINED if not _JOINING.isdisjoint(words[-1:]) else _REACH
    words = words[-reach:]
    denying = [index for index, word in enumerate(words) if word in _DENYING]
    if not denying:
        return re.match(_UNTICKED, clause) is not None
    if not _EMPHATIC.isdisjoint(words[denying[-1] + 1 :]):
        return False
    # "cannot avoid" and "nicht ohne" say that it comes.
    return _NEGATORS.isdisjoint(words) or _AVOIDERS.isdisjoint(words)
