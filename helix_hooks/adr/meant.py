"""A heading that was meant for a missing section: hidden, broken or misspelt. Pure."""

import re
from collections.abc import Collection

from ..yaml_reader import nearest
from .model import Adr, RuleResult
from .names.heading import normalise
from .norm import keys_of

_BROKEN_HEADING = rb"(?m)^ {0,3}(#{1,6})(?:(\xc2\xa0)\s*|(?=[^\W\d]))([^\n]{1,200})$"
"""A heading without a space after its `#`s, or with a no-break space (group 2)."""
_MIN_SIMILARITY = 0.88
"""Similarity of a misspelt name to the right one; that of "Content" and "Context" is lower."""
_MOST_HEADINGS = 200
"""Headings among which a misspelt name is looked for; each is compared with some fifty names."""


def meant(adr: Adr, keys: Collection[str], written: str) -> RuleResult | None:
    """Return the heading that was meant for a section with some keys, and what is wrong with it.

    None without such a heading. `written` is the right one, as in `## Context`.
    """
    return _hidden(adr, keys) or broken(adr, keys) or _misspelt(adr, keys, written)


def _hidden(adr: Adr, keys: Collection[str]) -> RuleResult | None:
    """Return a heading inside a code block, comment or raw HTML that is not closed."""
    from .parse.swallowed import swallowed

    for region in swallowed(adr.doc):
        for line, _, title in region.titles:
            if not set(keys).isdisjoint(keys_of(adr, title)):
                problem = (
                    "its heading is inside the code block, comment or HTML that starts on line "
                    f"{region.line}"
                )
                return RuleResult(line, problem, region.help, words=title)
    return None


def broken(adr: Adr, keys: Collection[str]) -> RuleResult | None:
    """Return a heading that GitHub shows as text."""
    for match in re.finditer(_BROKEN_HEADING, adr.doc.prose_markup):
        title = match[3].decode(errors="replace").strip()
        if set(keys).isdisjoint(keys_of(adr, title)):
            continue
        marks = match[1].decode()
        defect = "there is a no-break space after" if match[2] else "there is no space after"
        line = adr.doc.line_at(match.start(1))
        return RuleResult(line, f"{defect} `{marks}`", f"write `{marks} {title}`", words=title)
    return None


def _misspelt(adr: Adr, keys: Collection[str], written: str) -> RuleResult | None:
    """Return a heading whose words are nearly those of the section."""
    known = [name for name, key in adr.meanings.names.items() if key in keys]
    names = [*known, *map(normalise, keys)]
    for section in adr.doc.sections[:_MOST_HEADINGS]:
        title = normalise(section.title)
        if adr.meanings.of(section.title):
            continue
        near = [name for name in names if _is_close(name, title)]
        if near and nearest(title, near, _MIN_SIMILARITY):
            problem = f"'{section.title}' looks like a misspelt name of it"
            line = adr.doc.line_at(section.heading_start)
            help = f"write `{written}` if you meant that"
            return RuleResult(line, problem, help, words=section.title)
    return None


def _is_close(name: str, title: str) -> bool:
    """Return whether two names have nearly the same letters; most pairs need no closer look."""
    return abs(len(name) - len(title)) <= 2 and len(set(name).symmetric_difference(title)) <= 2
