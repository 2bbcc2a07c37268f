"""The text over a mention of an ADR (an id, or a link to its file), and over its own promises."""

import re
from collections import Counter
from collections.abc import Iterator

from lsprotocol import types

from ..adr.corpus import Entry
from ..adr.model import Adr
from ..adr.promises import promises_of
from ..adr.reference import RELATIONS, Reference, id_key, relative
from ..paths import is_markdown
from ..report import graph
from ..text.format import counted
from ..text.sanitize import code, inline, without_tokens
from ..verification.forecast import forecasts
from ..verification.result import PROMISES_NOTHING, in_words
from .project import Project
from .text import EditorText

_NEAR = 300
"""Characters that are searched before and after the cursor, in a line of any length."""
_LONGEST = 300
"""Characters of a title, a status, a date or a criterion."""
_MOST = 30
"""Maximum promises that are shown."""

Mention = tuple[int, int, Reference]
"""The first column of a mention, the column after it, and what it refers to."""

_LINK = r"\[[^\[\]]*\]\(\s*<?([^)<>\s]+)"
_ID = r"(?i)(?<![\w-])adrs?[-_ #]?((?:19|20)\d\d[-_.]\d{3,4}|0*\d{1,6}[a-z]?)(?![\w])"
_WORD = r"[A-Za-z0-9][\w.-]*"


def hover(project: Project, path: str, position: types.Position) -> types.Hover | None:
    """Return title, status, date, path and successors of the ADR that is mentioned at a position.

    Over the title, the `files:` and the acceptance criteria it returns what the ADR promises. None
    elsewhere, and if the repository has no such ADR.
    """
    adr = project.adr(path) if project.is_adr(path) else None
    if not adr:
        return None
    text = project.shown(path)
    mention = _mention(adr, text, position.line, text.column(position))
    if not mention:
        return _contract(project, adr, text, position.line)
    start, stop, reference = mention
    corpus = project.corpus(path)
    entry = next(iter(corpus.find(reference, path)), None)
    if not entry or (entry.path == path and position.line == adr.title_line - 1):
        return _contract(project, adr, text, position.line)
    target = project.adr(entry.path)
    date = target.header.text("date") if target else ""
    facts = (entry.status or _cut(entry.status_text) or "no status", _cut(date))
    shown = [inline(fact) for fact in facts if fact]
    lines = [f"**{_named(entry)}**", " · ".join((*shown, code(entry.path)))]
    for successor in entry.of("superseded_by"):
        other = next(iter(corpus.find(successor, entry.path)), None)
        if other:
            lines.append(f"Superseded by {_named(other)} ({code(other.path)})")
    content = types.MarkupContent(types.MarkupKind.Markdown, "\n\n".join(lines))
    return types.Hover(content, text.part(position.line, start, stop))


def _contract(project: Project, adr: Adr, text: EditorText, line: int) -> types.Hover | None:
    """Return what an ADR promises, if a line is one of its promises or the title."""
    criteria = adr.h2.get("acceptance-criteria", [])
    sections = (
        range(adr.doc.line_at(item.heading_start), adr.doc.line_at(item.stop)) for item in criteria
    )
    promises = promises_of(adr)
    lines = {adr.title_line, *(item.line for item in promises)}
    if line + 1 not in lines and not any(line + 1 in section for section in sections):
        return None
    rows = [*forecasts(promises, project.verify)]
    shown = [f"{PROMISES_NOTHING[:1].upper()}{PROMISES_NOTHING[1:]}"]
    if promises:
        states = in_words(Counter(row.state for row in rows))
        shown = [f"**{counted(len(rows), 'promise')}**, at best {states}"]
    for row in rows[:_MOST]:
        shown.append(f"- {row.state}: {row.kind} {code(_cut(row.subject))}, {inline(row.how)}")
    if len(rows) > _MOST:
        shown.append(f"- and {len(rows) - _MOST} more: `helix-hooks contract`")
    content = types.MarkupContent(types.MarkupKind.Markdown, "\n".join(shown))
    return types.Hover(content, text.part(line, 0, len(text.line(line))))


def _named(entry: Entry) -> str:
    """Return the short name of an ADR and its title."""
    parts = (graph.name(entry), _cut(graph.title(entry)))
    return ": ".join(inline(part) for part in parts if part)


def _cut(text: str) -> str:
    """Return the beginning of a text without tokens."""
    # Masked before the cut: a part of a token would not be recognised.
    return without_tokens(text)[:_LONGEST]


def _mention(adr: Adr, text: EditorText, line: int, column: int) -> Mention | None:
    """Return the mention of an ADR at a column of a line, the most specific first."""
    first = max(0, column - _NEAR)
    near = text.line(line)[first : column + _NEAR]
    at = column - first
    own = Reference("related_to", text="", key="", path=adr.doc.path, line=line + 1)

    for match in _at(_LINK, near, at):
        target = match[1].partition("#")[0]
        if is_markdown(target) and ":" not in target:  # a colon is part of a URL
            linked, root = relative(adr.doc.path, target), relative("x", target)
            reference = own._replace(path=linked, root=root)
            return (first + match.start(1), first + match.end(1), reference) if linked else None
    for match in _at(_ID, near, at):
        reference = own._replace(path="", key=id_key(match[1]))
        return first + match.start(), first + match.end(), reference
    fields = adr.header.fields
    above = [name for name, field in fields.items() if field.line <= line + 1]
    field = max(above, key=lambda name: fields[name].line, default="")
    if line in front_lines(adr) and field in RELATIONS:
        for word in _at(_WORD, near, at):
            reference = own._replace(path="", key=id_key(word[0]))
            return first + word.start(), first + word.end(), reference
    return None


def _at(pattern: str, near: str, at: int) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern that touch a column."""
    return (match for match in re.finditer(pattern, near) if match.start() <= at <= match.end())


def front_lines(adr: Adr) -> range:
    """Return the lines of the front matter, from 0; empty without one."""
    if adr.doc.front is None:
        return range(0)
    first = adr.doc.front_line - 1
    rows = adr.doc.front.count("\n") + (not adr.doc.front.endswith("\n"))
    return range(first, first + max(1, rows))
