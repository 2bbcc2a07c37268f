"""The files that an ADR speaks of, and which of them the tree lacks."""

import re
from collections.abc import Callable, Collection, Iterator
from itertools import islice
from typing import NamedTuple

from .document import AdrDocument, code_spans
from .header import Header
from .reference import relative

_LINKED = rb"\]\(\s*(?:<([^>\n]+)>|([^()\s>#?]+)(?![^\s)#?]))"
_DEFINED = rb"(?m)^ {0,3}\[[^\]\n]+\]:\s*<?([^\s>#?]+)"
_QUOTED = rb"`([\w.+@-]+(?:/[\w.+@-]+)*/(?:[\w+@-][\w.+@-]*\.\w{1,8})?)(?::\d+(?:-\d+)?)?`"
_ELSEWHERE = (b"http", b"mailto:", b"//", b"{", b"<", b"$", b"#", b"ftp:", b"data:", b"tel:")
_WEB_FOLDERS = frozenset("issues pull pulls wiki blob tree discussions commit commits releases actions raw projects milestone compare edit".split())
"""On GitHub a relative link may lead to a page of the repository that is no file of it."""
_SITE_SUFFIXES = (".md", "/README.md", "/index.md", ".mdx", "/index.html")
"""What a documentation site leaves out of its links."""
_PLACEHOLDER = r"(?i)[<>{}*|$]|\.\.\.|(?<![a-z])(?:n{3,}|x{3,}|y{4}|foo|bar|example|path/to)(?![a-z])"
MOST = 200
"""Mentions of one ADR that are followed; beyond it lies a list, not a decision."""


Present = Callable[[Collection[str]], set[str]]
"""Those of some paths of the repository at which there is a file or a folder."""


class Mention(NamedTuple):
    """A file that an ADR speaks of: `kind` is link, quoted, create or modify; `path` is the place in the repository it means."""

    kind: str
    text: str
    path: str
    line: int


def lost(doc: AdrDocument, header: Header, present: Present) -> tuple[Mention, ...]:
    """The mentions of files and folders that are not there."""
    found = list(islice(_mentions(doc, header), MOST))
    there = present({path for mention, _ in found for path in _places(mention, doc.path)}) if found else set()
    missing = [(mention, place) for mention, place in found if not _there(mention, doc.path, there)]
    if any(mention.kind == "link" for mention, _ in missing):
        spans = code_spans(doc, doc.body, len(doc.data))
        missing = [(mention, place) for mention, place in missing if mention.kind != "link" or not _inside(place, spans)]
    return tuple(mention for mention, _ in missing)


def _inside(place: int, spans: list[tuple[int, int]]) -> bool:
    return any(start <= place < stop for start, stop in spans)


def _mentions(doc: AdrDocument, header: Header) -> Iterator[tuple[Mention, int]]:
    """Each file once, with its offset."""
    for kind in ("create", "modify"):
        field = header.fields.get(f"files_{kind}")
        for text in field.texts if field else ():
            plain = text.strip().strip("`")
            if "/" in plain and " " not in plain and not re.search(_PLACEHOLDER, plain) and (path := relative("x", plain)):
                yield Mention(kind, plain, path, field.line if field else 1), 0
    seen = set()
    for kind, pattern, sign in (("link", _LINKED, b"]("), ("link", _DEFINED, b"]:"), ("quoted", _QUOTED, b"/")):
        for match in re.finditer(pattern, doc.prose) if sign in doc.prose else ():
            target = next(filter(None, match.groups()))
            if (kind, target) in seen or target.startswith(_ELSEWHERE) or b":" in target:
                continue
            seen.add((kind, target))
            text = target.decode()
            path = relative("x" if kind == "quoted" else doc.path, text)
            if path and not re.search(_PLACEHOLDER, text):
                yield Mention(kind, text, path, doc.line_at(match.start())), match.start()


def _places(mention: Mention, origin: str) -> list[str]:
    """Where the file may be: at the path, beside the ADR, or where a documentation site finds what its links leave out."""
    path = mention.path
    if mention.kind == "link":
        plain = path.removesuffix(".html")
        sites = () if plain.endswith(".md") else (f"{plain}{suffix}" for suffix in _SITE_SUFFIXES)
        return [path, *sites, *([_first(path)] if mention.text.startswith("/") else [])]
    return [path, *filter(None, (relative(origin, mention.text),)), _first(path)]


def _there(mention: Mention, origin: str, there: set[str]) -> bool:
    places = _places(mention, origin)
    first = _first(mention.path)
    if mention.kind == "link" and not mention.text.startswith("/"):
        return first in _WEB_FOLDERS or not there.isdisjoint(places)
    return not there.isdisjoint(places[:-1]) or (mention.kind in ("quoted", "link") and first not in there)


def _first(path: str) -> str:
    return path.partition("/")[0]
