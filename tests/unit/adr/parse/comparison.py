"""The visible text by the product, compared with what the oracle shows."""

from collections import Counter
from collections.abc import Iterator

from helix_hooks.adr.parse import document, visible
from helix_hooks.adr.parse.visible import Kind
from tests.unit.adr.parse import visible_oracle as oracle


def ours(doc: document.AdrDocument) -> list[oracle.Character]:
    """The visible characters by the product, without those in doubt."""
    return oracle.collapsed(_characters(doc))


def _characters(doc: document.AdrDocument) -> Iterator[oracle.Character]:
    for _, _, text, kind in doc.shown.runs:
        if kind & (Kind.PICTURE | visible.Kind.BEYOND | visible.Kind.TASK | visible.Kind.HIDDEN):
            continue
        if kind & visible.Kind.LAYOUT:
            yield from ((" ", 0) for _ in text[:1])
        else:
            for character in text:
                seen = kind & 63 & ~Kind.SPAN if kind & Kind.CODE else kind & 63
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
    """Without doubts the words are the same. With some, what the product shows is shown, in order.

    GitHub moves footnotes to the end of the page, so only the words are compared where there are
    some. The document has an empty front matter, so that the text has none of its own.
    """
    doc = document.parse(f"---\n---\n{markdown}".encode(), "a.md")
    mine, theirs = ours(doc), oracle.characters(markdown)
    if doc.shown.doubts and "[^" in markdown:
        assert Counter(_signs(mine)) <= Counter(_signs(theirs))
    elif doc.shown.doubts:
        rest = iter(theirs)
        assert all(sign in rest for sign in _signs(mine))
    elif "[^" in markdown:
        assert Counter(words(mine)) == Counter(words(theirs))
    else:
        assert words(mine) == words(theirs)


def _signs(characters: list[oracle.Character]) -> list[oracle.Character]:
    return [character for character in characters if character[0] != " "]
