"""The files that an ADR mentions, and which of them the tree lacks."""

import re
from collections.abc import Callable, Collection, Iterator
from itertools import chain
from typing import NamedTuple

from ..paths import is_markdown, without_suffix
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
_ELSEWHERE = (b"@", b"http", b"mailto:", b"//", b"{", b"<", b"$", b"#", b"ftp:", b"data:", b"tel:")
_WEB_FOLDERS = frozenset(
    "issues pull pulls wiki blob tree discussions commit commits releases actions raw projects "
    "milestone compare edit".split()
)
"""Pages of GitHub that a relative link may lead to; they are not files of the repository."""
_SITE_SUFFIXES = tuple(
    ".md .mdx .markdown .md.erb .html .html.md .html.md.erb /README.md /index.md /_index.md "
    "/index.html /index.html.md /index.html.md.erb".split()
)
"""Parts that a documentation site leaves out of its links."""
_SITE_ROOTS = ("public", "static")
"""Folders whose files a site serves from its root."""
_DEEPEST = 4
"""Maximum folders of a path, from the root, that are searched for the folders of a site."""
_PLACEHOLDER = (
    r"(?i)[<>{}*|$\[\]]|(?:^|/)(?::|@[\w-]+$)|\.\.\."
    r"|(?<![a-z])(?:n{3,}|x{3,}|y{4}|foo|bar|example|path/to)(?![a-z])"
    r"|^[^/@\s]+@[\w-]+\.[\w.-]+$"
)
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
    candidates = [*_header_files(header), *_text_files(doc, proposed)]
    if not candidates:
        return ()
    existing = present({path for _, _, path, _ in candidates})
    missing = [item for item in candidates if item[2] not in existing]
    missing = [item for item in missing if not re.search(_PLACEHOLDER, item[1])][:MOST]
    if not missing:
        return ()
    places = [_places(kind, text, path, doc.path) for kind, text, path, _ in missing]
    existing = present(set(chain.from_iterable(places)))
    mentions: list[Mention] = []
    for (kind, text, path, place), group in zip(missing, places, strict=True):
        if _exists(kind, text, group, existing):
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


def _header_files(header: Header) -> Iterator[_Candidate]:
    for kind in _HEADER:
        field = header.fields.get(f"files_{kind}")
        if not field:
            continue
        for text in field.texts:
            plain = text.strip().strip("`")
            if "/" not in plain or " " in plain:
                continue
            path = relative("x", plain)
            if path:
                yield kind, plain, path, field.line


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
    """Return the possible places of a file: the path, relative to the ADR, or where a documentation
    site resolves short links.
    """
    if kind != "link":
        return [path, *filter(None, (relative(origin, text),)), _first(path)]
    places = [
        path,
        *_of_site(path),
        *_from_page(text, path, origin),
        *_from_site_root(text, origin),
    ]
    if text.startswith("/"):
        places.append(_first(path))
    return places


def _of_site(path: str) -> Iterator[str]:
    """Yield the files that a site serves at an address without a suffix."""
    plain = path.removesuffix(".html")
    if not is_markdown(plain):
        yield from (f"{plain}{suffix}" for suffix in _SITE_SUFFIXES)


def _from_page(text: str, path: str, origin: str) -> Iterator[str]:
    """Yield the files of a link that is relative to the address of the page.

    Many documentation sites serve a page as a folder: `../0003-x/` is the file next to it, and
    `../images/x.svg` is in the folder `images` next to it. No site serves a file as `.md`.
    """
    if text.startswith("/") or is_markdown(path):
        return
    page = without_suffix(origin).removesuffix(".html")
    if target := relative(f"{page}/x", text):
        yield target
        yield from _of_site(target)


def _from_site_root(text: str, origin: str) -> Iterator[str]:
    """Yield the files of a link in the folders that a site serves from its root."""
    target = relative("x", re.sub(r"^(?:\.{0,2}/)+", "", text))
    if not target:
        return
    folders = origin.split("/")[:-1][:_DEEPEST]
    for depth in range(len(folders) + 1):
        above = folders[:depth]
        yield from ("/".join((*above, root, target)) for root in _SITE_ROOTS)


def _exists(kind: str, text: str, places: list[str], existing: set[str]) -> bool:
    """Return whether a mentioned file exists, or whether nobody can tell."""
    first = _first(places[0])
    if kind == "link" and not text.startswith("/"):
        return first in _WEB_FOLDERS or not existing.isdisjoint(places)
    if kind == "link" and "." not in text.rpartition("/")[2]:
        return True  # a route of a documentation site
    if not existing.isdisjoint(places[:-1]):
        return True
    # The path may be in another repository if its first folder is not in this one.
    return kind in ("quoted", "link") and first not in existing


def _first(path: str) -> str:
    return path.partition("/")[0]
