"""The outline of a Markdown text: its words and blocks, whatever its line breaks.

Two texts with the same outline look the same to a reader.
"""

import re
from collections.abc import Iterator
from typing import Any

import pyromark

_OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_TASKLISTS
    | pyromark.Options.ENABLE_FOOTNOTES
)
_BREAK = "SoftBreak"

Step = tuple[str, str]
"""The kind of an event, and its text or block."""


def outline(text: str) -> list[Step]:
    """Return blocks, spans and texts in order.

    Code and HTML are compared character by character; other texts have single blanks.
    """
    steps: list[Step] = []
    for kind, value in _steps(text):
        if kind == "text" and steps and steps[-1][0] == "text":
            steps[-1] = ("text", steps[-1][1] + value)
        else:
            steps.append((kind, value))
    return [_with_single_blanks(step) for step in steps]


def _with_single_blanks(step: Step) -> Step:
    kind, value = step
    if kind != "text":
        return step
    return kind, " ".join(value.split())


def _steps(text: str) -> Iterator[Step]:
    in_code = False
    for event in pyromark.events(text, options=_OPTIONS):
        if event == _BREAK:
            yield "text", "\n"
            continue
        kind, value = _kind_and_value(event)
        if kind == "Start":
            in_code = _is(value, "CodeBlock")
            yield kind, _label(value)
        elif kind == "End":
            in_code = in_code and not _is(value, "CodeBlock")
            yield kind, _label(value)
        elif kind != "Text" or in_code:
            yield kind, str(value)
        else:
            yield "text", str(value)


def _kind_and_value(event: Any) -> tuple[str, Any]:
    if isinstance(event, dict):
        return next(iter(event.items()))
    return event, None


def _is(value: Any, name: str) -> bool:
    return value == name or (isinstance(value, dict) and name in value)


def _label(value: Any) -> str:
    """Return a block or span with its attributes."""
    return re.sub(r"\s+", " ", repr(value))
