"""The share of an ADR's visible text that has changed.

Status, links, ticked boxes, short labels and new amendments may change, and are left out.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from ..names.heading import Meanings
from ..parse.document import AdrDocument
from .placed_words import Block, Word, blocks_of, joined
from .spelling import is_typo
from .words import is_telling

_LONGEST = 400
"""Maximum different words that are compared in detail, since this takes quadratic time."""


class Difference(NamedTuple):
    """The difference between two versions of a text.

    `words` of the `of` words of the older one differ. `telling` is a changed number, modal,
    negation or sign. `swapped` are an old and a new phrase, "" if words were only added or removed.
    `typos` are words that may have been corrected.
    """

    words: int
    of: int
    telling: str = ""
    swapped: tuple[str, str] | None = None
    typos: tuple[tuple[str, str], ...] = ()


def changed(old: AdrDocument, new: AdrDocument, meanings: Meanings) -> Difference:
    """Compare block by block within each section; a text in another section is changed."""
    before, after = list(blocks_of(old, meanings)), list(blocks_of(new, meanings))
    total = sum(map(len, before))
    removed = _without(before, _common(before, after))
    added = _without(after, _common(after, before))
    asserted = [block for block in added if not block[0].context[0].startswith("+")]
    return _compared(joined(removed), joined(asserted), total)


def _common(blocks: list[Block], others: list[Block]) -> set[int]:
    """Return the indexes of the blocks that the other version has in the same section and order."""
    places, other_places = _shared(blocks, others), _shared(others, blocks)
    common: set[int] = set()
    for path, indexes in places.items():
        start, stop = _alike(
            [blocks[index] for index in indexes], [others[index] for index in other_places[path]]
        )
        common.update(indexes[:start], indexes[len(indexes) - stop :])
    return common


def _shared(blocks: list[Block], others: list[Block]) -> dict[str, list[int]]:
    """Return the indexes of the blocks that both versions have, by section."""
    left = Counter(others)
    indexes: dict[str, list[int]] = {}
    for index, block in enumerate(blocks):
        if left[block] > 0:
            left[block] -= 1
            indexes.setdefault(block[0].context[0], []).append(index)
    return indexes


def _without(blocks: list[Block], indexes: set[int]) -> list[Block]:
    return [block for index, block in enumerate(blocks) if index not in indexes]


def _compared(removed: list[Word], added: list[Word], total: int) -> Difference:
    removed, added = _trimmed(removed, added)
    most = max(len(removed), len(added))
    if most > _LONGEST:
        return Difference(most, total)
    count = 0
    telling, swapped = "", None
    typos: list[tuple[str, str]] = []
    for old, new in _changed_phrases(removed, added):
        count += max(len(old), len(new))
        telling = telling or _telling(old, new)
        if _may_be_equal(old, new):
            pairs = [(one.text, other.text) for one, other in zip(old, new, strict=True)]
            typos += [pair for pair in pairs if pair[0] != pair[1]]
        else:
            swapped = swapped or (_phrase(old), _phrase(new))
    return Difference(count, total, telling, swapped, tuple(typos))


def _changed_phrases(
    removed: list[Word], added: list[Word]
) -> Iterator[tuple[list[Word], list[Word]]]:
    """Yield each phrase that differs, old and new."""
    matcher = SequenceMatcher(
        None, [word.same for word in removed], [word.same for word in added], autojunk=False
    )
    for kind, start, stop, new_start, new_stop in matcher.get_opcodes():
        if kind != "equal":
            yield removed[start:stop], added[new_start:new_stop]


def _may_be_equal(old: list[Word], new: list[Word]) -> bool:
    """Return whether two phrases differ only in the spelling of their words."""
    return len(old) == len(new) and all(map(_may_be_one, old, new))


def _phrase(words: list[Word]) -> str:
    return " ".join(word.text for word in words)


def _may_be_one(old: Word, new: Word) -> bool:
    """Return whether two words are spellings of one word. In code each letter counts."""
    if old.context != new.context or old.code or new.code:
        return False
    is_same_rest = old.text[1:] == new.text[1:]
    if is_same_rest and old.text[0].casefold() == new.text[0].casefold():
        return True
    return is_typo(old.text, new.text)


def _trimmed(removed: list[Word], added: list[Word]) -> tuple[list[Word], list[Word]]:
    """Return two texts without their common beginning and end."""
    start, stop = _alike([word.same for word in removed], [word.same for word in added])
    return removed[start : len(removed) - stop], added[start : len(added) - stop]


def _alike(one: Sequence[object], other: Sequence[object]) -> tuple[int, int]:
    """Count the items that two sequences share at their beginnings, and at their ends."""
    most = min(len(one), len(other))
    start = next((index for index in range(most) if one[index] != other[index]), most)
    stop = next(
        (index for index in range(most - start) if one[-1 - index] != other[-1 - index]),
        most - start,
    )
    return start, stop


def _telling(old: list[Word], new: list[Word]) -> str:
    """Return the first telling word that only one of two phrases has, in their order."""
    before, after = _telling_words(old), _telling_words(new)
    if "".join(before) == "".join(after):
        return ""
    for word in (*before, *after):
        if before.count(word) != after.count(word):
            return word
    return (before or after)[0]


def _telling_words(words: list[Word]) -> list[str]:
    telling = [word.text for word in words if is_telling(word.text)]
    return [text.casefold().replace("’", "'") for text in telling]
