"""The difference between the failing and the passing example of a rule, for a terminal."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher, unified_diff

from .rule_pages import Example

_CONTEXT = 2
_ALIKE = 0.5
"""Share of equal lines below which two texts differ as a whole."""

_ALIKE_LINE = 0.4
"""Share of equal words above which a line replaces another one."""

_RED, _GREEN, _DIM, _MARKED, _PLAIN = "31", "32", "2", "1;4", "0"
_INDENT = "    "


def difference(fails: Example, passes: Example, color: bool) -> str:
    """Return both examples as one difference; "" where they differ as a whole.

    `-` is in the failing example, `+` in the passing one. With colours, changed words are
    underlined.
    """
    sides = [{"": one.text, **dict(one.beside)} for one in (fails, passes)]
    labels = list(dict.fromkeys(label for side in sides for label in side))
    blocks: list[str] = []
    for label in labels:
        before, after = (side.get(label, "").rstrip("\n").split("\n") for side in sides)
        if before == after:
            body = [f"{_INDENT}  {line}".rstrip() for line in before]
        elif SequenceMatcher(None, before, after, autojunk=False).ratio() < _ALIKE:
            return ""
        else:
            body = [f"{_INDENT}{line}".rstrip() for line in _lines(before, after, color)]
        blocks += [f"  {label}"] if label else []
        blocks.append("\n".join(body))
    return "\n\n".join(blocks)


def _lines(before: list[str], after: list[str], color: bool) -> Iterator[str]:
    """Yield the lines of a unified difference; `...` stands for those that are left out."""
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
            is_gap = row.startswith("@@")
            if not (is_gap and _begins(row)):
                yield _painted("  ...", _DIM, color) if is_gap else f" {row}"
    yield from _changed(removed, added, color)


def _begins(row: str) -> bool:
    """Return whether a part of a difference begins with the first line."""
    return bool(re.match(r"@@ -[01](?:,\d+)? ", row))


def _changed(removed: list[str], added: list[str], color: bool) -> Iterator[str]:
    marked = [_marked(*pair) for pair in zip(removed, added, strict=False)] if color else []
    for index, line in enumerate(removed):
        yield _painted(f"- {marked[index][0] if index < len(marked) else line}", _RED, color)
    for index, line in enumerate(added):
        yield _painted(f"+ {marked[index][1] if index < len(marked) else line}", _GREEN, color)


def _marked(old: str, new: str) -> tuple[str, str]:
    """Return two lines with their changed words underlined; plain ones if little is the same."""
    words = [re.findall(r"\w+|\s+|[^\w\s]", line) for line in (old, new)]
    matcher = SequenceMatcher(None, words[0], words[1], autojunk=False)
    if matcher.ratio() < _ALIKE_LINE:
        return old, new
    shown = ["", ""]
    for kind, first, stop, other_first, other_stop in matcher.get_opcodes():
        parts = ("".join(words[0][first:stop]), "".join(words[1][other_first:other_stop]))
        for side, part in enumerate(parts):
            paint = (_RED, _GREEN)[side]
            marks = kind != "equal" and part.strip()
            shown[side] += f"\x1b[{_MARKED}m{part}\x1b[{_PLAIN};{paint}m" if marks else part
    return shown[0], shown[1]


def _painted(text: str, paint: str, color: bool) -> str:
    return f"\x1b[{paint}m{text}\x1b[{_PLAIN}m" if color else text
