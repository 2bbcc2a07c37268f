"""The files that an ADR speaks of, and which of them the tree lacks."""

import re
from collections.abc import Callable, Collection, Iterator

from ..records import NamedTuple
from .parse.document import AdrDocument
from .parse.header import Header
from .reference import relative

_LINKED = rb"\]\(\s*(?:<([^>\n]+)>|([^()\s>#?]+)(?![^\s)#?]))"
_DEFINED = (
    rb"(?m)^ {0,3}\[(?!\^)[^\]\n]+\]:[ \t\r]*(?:\n[ \t]*)?"
    rb"(?:<([^>\n]+)>|([^\s>#?]+)(?![^\s>#?]))(?=\S*[ \t\r]*(?:$|[\"'(]))"
)
"""A link definition: the target may stand on the next line, and only a title may follow it."""
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
"""Folders above an ADR, from the root on, that are searched for those of a site."""
_PLACEHOLDER = (
    r"(?i)[<>{}*|$\[\]]|(?:^|/)(?::|@[\w-]+$)|\.\.\."
    r"|(?<![a-z])(?:n{3,}|x{3,}|y{4}|foo|bar|example|path/to)(?![a-z])"
    r"|^[^/@\s]+@[\w-]+\.[\w.-]+$"
)
_HEADER = ("create", "modify")
MOST = 200
"""Mentions of one ADR that are followed; beyond it lies a list, not a decision."""


Present = Callable[[Collection[str]], set[str]]
"""Those of some paths of the repository at which there is a file or a folder."""


class Mention(NamedTuple):
    """A file that an ADR speaks of: `kind` is link, quoted, create or modify; `path` is the place
    in the repository it means.
    """

    kind: str
    text: str
    path: str
    line: int


def lost(
    doc: AdrDocument, header: Header, present: Present, proposed: bool = False
) -> tuple[Mention, ...]:
    """The mentions of files and folders that are not there.

    Most are, so only of the others more than the path is looked at.

    What a `proposed` ADR has in backticks may still have to be written, and is not looked at.
    """
    found = [*_header_files(header), *_text_files(doc, proposed)]
    there = present({path for _, _, path, _ in found}) if found else set()
    missing = [
        item for item in found if item[2] not in there and not re.search(_PLACEHOLDER, item[1])
    ][:MOST]
    if not missing:
        return ()
    places = [_places(kind, text, path, doc.path) for kind, text, path, _ in missing]
    there = present({place for group in places for place in group})
    return tuple(
        Mention(kind, text, path, place if kind in _HEADER else doc.line_at(place))
        for (kind, text, path, place), group in zip(missing, places, strict=True)
        if not _there(kind, text, group, there) and (kind != "link" or not _in_code(doc, place))
    )


def _in_code(doc: AdrDocument, place: int) -> bool:
    """Return whether a link stands between backticks, which makes it an example."""
    start, stop = doc.data.rfind(b"\n", 0, place) + 1, doc.data.find(b"\n", place)
    line = doc.data[start : stop if stop >= 0 else len(doc.data)]
    return b"`" in line and any(
        span.start() <= place - start < span.end() for span in re.finditer(_SPAN, line)
    )


_Found = tuple[str, str, str, int]
"""Kind, text and path of a mention, and where: a line of the header, an offset in the text."""


def _header_files(header: Header) -> Iterator[_Found]:
    for kind in _HEADER:
        field = header.fields.get(f"files_{kind}")
        for text in field.texts if field else ():
            plain = text.strip().strip("`")
            if field and "/" in plain and " " not in plain and (path := relative("x", plain)):
                yield kind, plain, path, field.line


def _text_files(doc: AdrDocument, proposed: bool) -> Iterator[_Found]:
    for kind, place, target in _targets(doc, proposed):
        text = target.decode()
        path = relative("x" if kind == "quoted" else doc.path, text)
        if path:
            yield kind, text, path, place


def _targets(doc: AdrDocument, proposed: bool) -> Iterator[tuple[str, int, bytes]]:
    seen: set[bytes] = set()
    prose = doc.prose_markup
    for pattern in [
        pattern for sign, pattern in ((b"](", _LINKED), (b"]:", _DEFINED)) if sign in prose
    ]:
        for match in re.finditer(pattern, prose):
            target = match[1] or match[2]
            if target not in seen and b":" not in target and not target.startswith(_ELSEWHERE):
                seen.add(target)
                yield "link", match.start(), target
    seen.clear()
    for match in re.finditer(_QUOTED, prose) if not proposed else ():
        target = match[1]
        if target not in seen:
            seen.add(target)
            yield "quoted", match.start(), target


def _places(kind: str, text: str, path: str, origin: str) -> list[str]:
    """Return the possible places of a file: the path, beside the ADR, or where a documentation site
    resolves short links.
    """
    if kind == "link":
        return [
            path,
            *_of_site(path),
            *_from_page(text, path, origin),
            *_from_site_root(text, origin),
            *([_first(path)] if text[0] == "/" else []),
        ]
    return [path, *filter(None, (relative(origin, text),)), _first(path)]


def _of_site(path: str) -> Iterator[str]:
    """Yield the files that a site serves at an address without a suffix."""
    plain = path.removesuffix(".html")
    if not plain.endswith(".md"):
        yield from (f"{plain}{suffix}" for suffix in _SITE_SUFFIXES)


def _from_page(text: str, path: str, origin: str) -> Iterator[str]:
    """Yield the files of a relative link that starts at the page's own address.

    Many documentation sites serve a page as a folder: `../0003-x/` is the file beside it, and
    `../images/x.svg` lies in the folder `images` beside it. No site serves a file as `.md`.
    """
    if text.startswith("/") or path.endswith(".md"):
        return
    page = origin.removesuffix(".md").removesuffix(".html")
    if target := relative(f"{page}/x", text):
        yield target
        yield from _of_site(target)


def _from_site_root(text: str, origin: str) -> Iterator[str]:
    """Yield the files of a link in the folders that a site serves from its root."""
    target = relative("x", re.sub(r"^(?:\.{0,2}/)+", "", text))
    folders = origin.split("/")[:-1][:_DEEPEST]
    for depth in range(len(folders) + 1) if target else ():
        above = folders[:depth]
        yield from ("/".join((*above, root, target)) for root in _SITE_ROOTS)


def _there(kind: str, text: str, places: list[str], there: set[str]) -> bool:
    first = _first(places[0])
    if kind == "link" and text.startswith("/") and "." not in text.rpartition("/")[2]:
        return True  # a route of a documentation site
    if kind == "link" and not text.startswith("/"):
        return first in _WEB_FOLDERS or not there.isdisjoint(places)
    return not there.isdisjoint(places[:-1]) or (kind in ("quoted", "link") and first not in there)


def _first(path: str) -> str:
    return path.partition("/")[0]
