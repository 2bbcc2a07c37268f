"""The difference between the failing and the passing example of a rule, for a terminal."""

import re
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher, unified_diff

_CONTEXT = 2
"""Equal lines shown before and after a change."""
_ALIKE = 0.5
"""Similarity (0 to 1) below which two texts are not shown as a difference."""

_ALIKE_LINE = 0.4
"""Similarity (0 to 1) from which two lines are shown with their changed words marked."""

_RED, _GREEN, _DIM, _MARKED, _PLAIN = "31", "32", "2", "1;4", "0"
_INDENT = "    "


def difference(old: Mapping[str, str], new: Mapping[str, str], color: bool) -> str:
    """Return the texts of both examples as one difference; "" if they have too little in common.

    The texts are by their labels. `-` marks lines of the failing example, `+` lines of the passing
    one. With colours, changed words are underlined.
    """
    blocks: list[str] = []
    for label in dict.fromkeys((*old, *new)):
        before = old.get(label, "").rstrip("\n").split("\n")
        after = new.get(label, "").rstrip("\n").split("\n")
        if SequenceMatcher(None, before, after, autojunk=False).ratio() < _ALIKE:
            return ""
        if label:
            blocks.append(f"  {label}")
        blocks.append("\n".join(_body(before, after, color)))
    return "\n\n".join(blocks)


def _body(before: list[str], after: list[str], color: bool) -> list[str]:
    if before == after:
        return [f"{_INDENT}  {line}".rstrip() for line in before]
    return [f"{_INDENT}{line}".rstrip() for line in _lines(before, after, color)]


def _lines(before: list[str], after: list[str], color: bool) -> Iterator[str]:
    """Yield the lines of a unified difference; `...` replaces omitted lines."""
    # The first two lines of a unified difference are the names of the files.
    rows = list(unified_diff(before, after, n=_CONTEXT, lineterm=""))[2:]
    removed: list[str] = []
    added: list[str] = []
    for row in rows:
        if row.startswith("-"):
            removed.append(row[1:])
        elif row.startswith("+"):
            added.append(row[1:])
        else:
            yield from _changed(removed, added, color)
            removed, added = [], []
            yield from _unchanged(row, color)
    yield from _changed(removed, added, color)


def _unchanged(row: str, color: bool) -> Iterator[str]:
    """Yield an unchanged line, or the mark of a gap between two parts of a difference."""
    if not row.startswith("@@"):
        yield f" {row}"
    elif not _is_first_part(row):
        yield _painted("  ...", _DIM, color)


def _is_first_part(row: str) -> bool:
    """Return whether a part of a difference begins with the first line of the text."""
    return bool(re.match(r"@@ -[01](?:,\d+)? ", row))


def _changed(removed: list[str], added: list[str], color: bool) -> Iterator[str]:
    old, new = list(removed), list(added)
    if color:
        for index, pair in enumerate(zip(removed, added, strict=False)):
            old[index], new[index] = _marked(*pair)
    for line in old:
        yield _painted(f"- {line}", _RED, color)
    for line in new:
        yield _painted(f"+ {line}", _GREEN, color)


def _marked(old: str, new: str) -> tuple[str, str]:
    """Return two lines with their changed words underlined, or as they are if most differs."""
    old_words, new_words = (re.findall(r"\w+|\s+|[^\w\s]", line) for line in (old, new))
    matcher = SequenceMatcher(None, old_words, new_words, autojunk=False)
    if matcher.ratio() < _ALIKE_LINE:
        return old, new
    shown_old = shown_new = ""
    for kind, first, stop, new_first, new_stop in matcher.get_opcodes():
        removed = "".join(old_words[first:stop])
        added = "".join(new_words[new_first:new_stop])
        if kind == "equal":
            shown_old += removed
            shown_new += added
        else:
            shown_old += _underlined(removed, _RED)
            shown_new += _underlined(added, _GREEN)
    return shown_old, shown_new


def _underlined(part: str, paint: str) -> str:
    if not part.strip():
        return part
    # The end of the mark resets all colours, so the colour of the line is set again.
    return f"\x1b[{_MARKED}m{part}\x1b[{_PLAIN};{paint}m"


def _painted(text: str, paint: str, color: bool) -> str:
    if not color:
        return text
    return f"\x1b[{paint}m{text}\x1b[{_PLAIN}m"
