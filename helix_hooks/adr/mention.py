"""The files that an ADR mentions, and which of them the tree lacks. Pure."""

import re
from collections.abc import Callable, Collection, Iterator
from itertools import chain
from typing import NamedTuple

from ..paths import is_markdown
from .parse.document import AdrDocument
from .parse.header import Header
from .reference import relative

_LINKED = rb"\]\(\s*(?:<([^>\n]+)>|([^()\s>#?]+)(?![^\s)#?]))"
_DEFINED = (
    rb"(?m)^ {0,3}\[(?!\^)[^\]\n]+\]:[ \t\r]*(?:\n[ \t]*)?"
    rb"(?:<([^>\n]+)>|([^\s>#?]+)(?![^\s>#?]))(?=\S*[ \t\r]*(?:$|[\"'(]))"
)
"""A link definition: the target may be on the next line, and only a title may follow it."""
_QUOTED = rb"`([\w.+@-]+/(?:[\w.+@-]+/)*(?:[\w+@-][\w.+@-]*\.\w{1,8})?)(?::\d+(?:-\d+)?)?`"
_SPAN = rb"(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)"
_ELSEWHERE = (b"@", b"//", b"{", b"<", b"$", b"#")
_EXAMPLE = rb"(?i)(?<![a-z])example(?![a-z])"
_SITE_SUFFIXES = (".md", ".mdx", "/README.md", "/index.md")
"""Parts that a documentation site leaves out of its links."""
_SITE_ROOTS = ("public", "static")
"""Folders whose files a site serves from its root."""
_DEEPEST = 4
"""Maximum folders of a path, from the root, that are searched for the folders of a site."""
_HEADER = ("create", "modify")
MOST = 200
"""Maximum mentions of one ADR that are checked; with more, the ADR is a list."""


_Candidate = tuple[str, str, str, int]
"""Kind, text and path of a mention, and its place: a line of the header, or an offset."""

Present = Callable[[Collection[str]], set[str]]
"""Return the paths at which the repository has a file or a folder."""


class Mention(NamedTuple):
    """A file that an ADR mentions: `kind` is link, quoted, create or modify, `path` is the path in
    the repository.
    """

    kind: str
    text: str
    path: str
    line: int


def lost(
    doc: AdrDocument, header: Header, present: Present, proposed: bool = False
) -> tuple[Mention, ...]:
    """Return the mentions of files and folders that the repository lacks.

    Files in backticks in a `proposed` ADR may not be written yet, and are left out.
    """
    candidates: list[_Candidate] = []
    for kind in _HEADER:
        field = header.fields.get(f"files_{kind}")
        for text in field.texts if field else ():
            plain = text.strip().strip("`")
            path = relative("x", plain)
            if path and "/" in plain and " " not in plain:
                candidates.append((kind, plain, path, field.line if field else 0))
    candidates += _text_files(doc, proposed)
    if not candidates:
        return ()
    existing = present({path for _, _, path, _ in candidates})
    missing = [item for item in candidates if item[2] not in existing][:MOST]
    if not missing:
        return ()
    places = [_places(kind, text, path, doc.path) for kind, text, path, _ in missing]
    existing = present(set(chain.from_iterable(places)))
    mentions: list[Mention] = []
    for (kind, text, path, place), group in zip(missing, places, strict=True):
        if not existing.isdisjoint(group[1:]):
            continue
        # The path may be in another repository if its first folder is not in this one.
        is_from_root = kind == "quoted" or (kind == "link" and text.startswith("/"))
        if is_from_root and group[0] not in existing:
            continue
        if kind in _HEADER:
            mentions.append(Mention(kind, text, path, place))
        elif kind != "link" or not _in_code(doc, place):
            mentions.append(Mention(kind, text, path, doc.line_at(place)))
    return tuple(mentions)


def _in_code(doc: AdrDocument, place: int) -> bool:
    """Return whether a link is in backticks, which makes it an example."""
    start = doc.data.rfind(b"\n", 0, place) + 1
    stop = doc.data.find(b"\n", place)
    line = doc.data[start:] if stop < 0 else doc.data[start:stop]
    if b"`" not in line:
        return False
    return any(span.start() <= place - start < span.end() for span in re.finditer(_SPAN, line))


def _text_files(doc: AdrDocument, proposed: bool) -> Iterator[_Candidate]:
    """Yield the links and the quoted paths of the text, each target once."""
    prose = doc.prose_markup
    linked: set[bytes] = set()
    for sign, pattern in ((b"](", _LINKED), (b"]:", _DEFINED)):
        if sign not in prose:
            continue
        for match in re.finditer(pattern, prose):
            target = match[1] or match[2]
            if target in linked or b":" in target or target.startswith(_ELSEWHERE):
                continue
            if re.search(_EXAMPLE, target):
                continue  # a blank of MADR: `superseded by [ADR-0005](0005-example.md)`
            linked.add(target)
            text = target.decode()
            path = relative(doc.path, text)
            if path:
                yield "link", text, path, match.start()
    if proposed or b"/" not in prose:
        return
    quoted: set[bytes] = set()
    for match in re.finditer(_QUOTED, prose):
        if match[1] not in quoted:
            quoted.add(match[1])
            text = match[1].decode()
            # A quoted path starts at the root of the repository, a link at the ADR.
            path = relative("x", text)
            if path:
                yield "quoted", text, path, match.start()


def _places(kind: str, text: str, path: str, origin: str) -> list[str]:
    """Return the first folder of a file, and its possible places.

    These are the path, the path relative to the ADR, and where a documentation site looks for the
    files of its links.
    """
    places = [path.partition("/")[0], path]
    if kind != "link":
        return [*places, *filter(None, (relative(origin, text),))]
    plain = path.removesuffix(".html")
    if not is_markdown(plain):
        places += (f"{plain}{suffix}" for suffix in _SITE_SUFFIXES)
    target = relative("x", re.sub(r"^(?:\.{0,2}/)+", "", text))
    folders = origin.split("/")[:-1][:_DEEPEST]
    for depth in range(len(folders) + 1) if target else ():
        places += ("/".join((*folders[:depth], root, target)) for root in _SITE_ROOTS)
    return places
