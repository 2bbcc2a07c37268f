"""The outline of a Markdown text: its words and blocks, without how its lines are broken: two texts
with the same outline read the same.
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


def outline(text: str, links: bool) -> list[Step]:
    """Blocks, spans and texts in their order: code and HTML character by character, other texts
    with single blanks.

    With `links` the targets of links are left out, and the text of those that show their own
    target. Pictures are what they show.
    """
    found: list[Step] = []
    for kind, said in _steps(text, links):
        if kind == "text" and found and found[-1][0] == "text":
            found[-1] = ("text", found[-1][1] + said)
        else:
            found.append((kind, said))
    return [(kind, " ".join(said.split()) if kind == "text" else said) for kind, said in found]


def _steps(text: str, links: bool) -> Iterator[Step]:
    verbatim = hidden = False
    for event in pyromark.events(text, options=_OPTIONS):
        if event == _BREAK:
            yield "text", "\n"
            continue
        kind, value = next(iter(event.items())) if isinstance(event, dict) else (event, None)
        if kind in ("Start", "End"):
            verbatim = (
                _is(value, "CodeBlock")
                if kind == "Start"
                else (verbatim and not _is(value, "CodeBlock"))
            )
            hidden = links and kind == "Start" and _shows_its_target(value)
            yield kind, _named(value, links)
        elif kind == "Text" and not verbatim:
            if not hidden:
                yield "text", str(value)
        else:
            yield kind, str(value)


def _is(value: Any, name: str) -> bool:
    return value == name or (isinstance(value, dict) and name in value)


def _shows_its_target(value: Any) -> bool:
    return isinstance(value, dict) and value.get("Link", {}).get("link_type") in (
        "Autolink",
        "Email",
    )


def _named(value: Any, links: bool) -> str:
    """A block or span with what belongs to it; of a link that may lead elsewhere, only its
    title.
    """
    if links and isinstance(value, dict) and "Link" in value:
        return f"Link {value['Link']['title']}"
    return re.sub(r"\s+", " ", repr(value))
