"""The visible text by the product, compared with what the oracle shows."""

from collections import Counter
from collections.abc import Iterator

from helix_hooks.adr.parse import document, visible
from helix_hooks.adr.parse.visible import CODE, PICTURE, SPAN
from tests.unit.adr.parse import visible_oracle as oracle


def ours(markdown: str) -> list[oracle.Character]:
    """The visible characters by the product; what stands above a front matter's end is not compared."""
    doc = document.parse(f"---\n---\n{markdown}".encode(), "a.md")
    return oracle.collapsed(_characters(doc))


def _characters(doc: document.AdrDocument) -> Iterator[oracle.Character]:
    for _, _, text, kind in doc.shown.runs:
        if kind & (PICTURE | visible.BEYOND | visible.TASK):
            continue
        if kind & visible.LAYOUT:
            yield from ((" ", 0) for _ in text[:1])
        else:
            for character in text:
                seen = kind & 63 & ~SPAN if kind & CODE else kind & 63
                yield (" ", 0) if character.isspace() else (character, seen)


def words(characters: list[oracle.Character]) -> list[tuple[oracle.Character, ...]]:
    found: list[list[oracle.Character]] = [[]]
    for character in characters:
        if character[0] == " ":
            found.append([])
        else:
            found[-1].append(character)
    return [tuple(word) for word in found if word]


def agree(markdown: str) -> None:
    """GitHub moves footnotes to the end of the page, so that only the words are compared where there are some."""
    mine, theirs = words(ours(markdown)), words(oracle.characters(markdown))
    if "[^" in markdown:
        assert Counter(mine) == Counter(theirs)
    else:
        assert mine == theirs
