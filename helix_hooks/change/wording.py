"""The changes between two versions of an ADR's visible text.

Status, ticked boxes, short labels and new amendments may change, and are left out.
"""

import posixpath
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from ..adr.names import Meanings
from ..adr.parse.document import AdrDocument
from ..adr.parse.marks import TARGET
from .placed_words import Block, Word, blocks_of, joined
from .words import is_address, is_telling, is_term

_LONGEST = 400
"""Maximum different words that are compared in detail, since this takes quadratic time."""
FEW = 3
"""Maximum words of a small change: a corrected spelling changes one word, one that splits or joins
words two, and the sign after it may change too. A clause that decides something else has more.
"""
_SHORTEST_STEM = 4
"""Letters from which a word may be another one without its prefix."""


class Difference(NamedTuple):
    """The difference between two versions of a text.

    `words` of the `of` words of the older one differ, apart from targets. `telling` is a changed
    number, modal, negation, sign or term. `phrases` are the first old and new phrase, "" if words
    were only added or removed. `is_prose` is false if code, a picture or a mark changed, or the
    kind of a text, such as struck out. `target` is true if targets of links changed.
    """

    words: int
    of: int
    telling: str = ""
    phrases: tuple[str, str] | None = None
    is_prose: bool = True
    target: bool = False

    @property
    def is_small(self) -> bool:
        """Return whether a person can approve it at a glance: few words, and no telling one."""
        return self.words <= FEW and self.is_prose and not self.telling


def changed(
    old: AdrDocument, new: AdrDocument, meanings: Meanings, amends: bool = True
) -> Difference:
    """Compare block by block within each section; a text in another section is changed.

    With `amends`, new amendments are left out.
    """
    before, after = list(blocks_of(old, meanings)), list(blocks_of(new, meanings))
    folder, new_folder = posixpath.dirname(old.path), posixpath.dirname(new.path)
    if folder != new_folder:
        before, after = _placed(before, folder, after), _placed(after, new_folder, before)
    total = sum(map(len, before))
    removed = _without(before, _common(before, after))
    added = _without(after, _common(after, before))
    if amends:
        added = [block for block in added if not block[0].context[0].startswith("+")]
    return _compared(joined(removed), joined(added), total)


def _placed(blocks: list[Block], folder: str, others: list[Block]) -> list[Block]:
    """Return the blocks of a moved file with targets from the root of the repository.

    A target that the other version has too stays: the file that it leads to was moved as well.
    """
    known = {word.text for word in joined(others) if _is_target(word)}

    def placed(word: Word) -> Word:
        if not _is_target(word) or word.text in known or ":" in word.text or word.text[:1] in "/#<":
            return word
        return word._replace(text=posixpath.normpath(posixpath.join(folder, word.text)))

    return [tuple(map(placed, block)) for block in blocks]


def _is_target(word: Word) -> bool:
    return bool(word.context[1] & TARGET)


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
        return Difference(words=most, of=total)
    difference = Difference(words=0, of=total)
    for old, new in _changed_phrases(removed, added):
        difference = _with_phrase(difference, old, new)
    return difference


def _with_phrase(difference: Difference, old: list[Word], new: list[Word]) -> Difference:
    """Return a difference with one more phrase that changed."""
    old_words, new_words = ([word for word in words if not _leads(word)] for words in (old, new))
    texts = old_words, new_words
    if not (old_words or new_words):
        texts = old, new
    return difference._replace(
        words=difference.words + max(len(old_words), len(new_words)),
        telling=difference.telling or _telling(old_words, new_words),
        phrases=difference.phrases or (_phrase(texts[0]), _phrase(texts[1])),
        is_prose=difference.is_prose and not any(map(_is_special, (*old_words, *new_words))),
        target=difference.target or any(map(_leads, (*old, *new))),
    )


def _leads(word: Word) -> bool:
    """Return whether a word is the target of a link, or a visible address."""
    return _is_target(word) or (not word.code and is_address(word.text))


def _is_special(word: Word) -> bool:
    """Return whether a word is code, struck out, a picture, or a sign that ends no sentence."""
    return (
        word.code or bool(word.context[1]) or not (word.text[0].isalnum() or word.text in ".。．")
    )


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


def _phrase(words: list[Word]) -> str:
    return " ".join(word.text for word in words)


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
        pairs = zip(old, new, strict=False)
        return next((other.text for one, other in pairs if _is_prefixed(one.text, other.text)), "")
    for word in (*before, *after):
        if before.count(word) != after.count(word):
            return word
    return (before or after)[0]


def _is_prefixed(one: str, other: str) -> bool:
    """Return whether a word is another one with a prefix, which may negate it: unsafe and safe."""
    shorter, longer = sorted((one.casefold(), other.casefold()), key=len)
    return shorter != longer and len(shorter) >= _SHORTEST_STEM and longer.endswith(shorter)


def _telling_words(words: list[Word]) -> list[str]:
    telling = [word.text for word in words if is_telling(word.text) or is_term(word.text)]
    return [text.casefold().replace("’", "'") for text in telling]
