"""The other ADRs and the files to which an ADR refers. Pure.

The relations to other ADRs are in the header and the status.
"""

import re
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from itertools import chain
from posixpath import dirname, join, normpath
from typing import NamedTuple

from ..paths import MARKDOWN_SUFFIX, is_markdown, without_suffix
from .names import Meanings
from .parse.document import AdrDocument
from .parse.header import Header
from .place import has_own_folder

RELATIONS = ("supersedes", "superseded_by", "depends_on", "related_to")

_ADR_WORD = r"(?i)\badrs?[-_ #]*((?:19|20)\d\d[-_.]\d{3,4}|0*\d{1,6})(?![\d.]*\d)(?![a-z])"
_LINK = r"\[[^\]]*\]\(\s*(?:<([^>\n]+)>|([^)>\s]+))"
_FILE = rf"(?<![\w:/.-])([\w./%-]*[\w%-]{MARKDOWN_SUFFIX})\b"
_ID = r"(?:adrs?[-_ ]?)?(?:[\w.-]+/)*0*(\d{1,6})(?:-[a-z][\w.-]*)?"
_BY = (
    r"(?:super[sc]eded\s+by|(?:replaced|obsoleted)\s+by|ersetzt\s+durch|abgelöst\s+(?:durch|von)"
    r"|remplacée?\s+par|substituíd[oa]\s+por)\b"
)
_OF = r"(?:super[sc]edes|replaces|obsoletes|ersetzt|löst\s+ab|remplace|substitui)\b"
_OF_AT_ONCE = r"\b(?:super[sc]edes|replaces|obsoletes|ersetzt):?\s+(?=\[|ADR|#?\d)"
"""In a status line, which may be long, an ADR must follow immediately."""
_PARTLY = (
    r"(?i)\b(?:part(?:s|ly|ial|ially)?|partiellement|parcialmente|teil(?:weise|s)?|section|clause"
    r"|only|point)\b"
)
_NUMBERED = r"(?:(?i:adrs?)[-_ ]?)?0*(\d{1,6})(?![\dA-Za-z]|\.\d)"
_DAY = r"^\d{4}-\d\d-\d\d[-_](?=0*\d{1,6}[-_.])"
_YEARLY = r"(?i)(?:adrs?[-_]?)?((?:19|20)\d\d)([-_.]?)(\d{2,4})(?!\d)"
"""`2025-001-x.md` is the first ADR of a year; `2024-01-x.md` and `202401-x.md` have a month."""
_YEARLY_ID = r"(?:adrs?[-_ ]?)?((?:19|20)\d\d)[-_.](\d{3,4})"
_MAY_SUPERSEDE = r"(?i)super[sc]ed|replac|obsolet|ersetz|löst|remplac|substitu"
"""Every text that the patterns above match has one of these; most texts need no other pattern."""
_ESCAPE = rb"%([0-9A-Fa-f]{2})"
_LONGEST = 80
"""Maximum characters of an id, and of the text of a reference in a message."""
_HEAD = 30
"""Characters of a value that are searched for an id; an id after them is only mentioned."""
_DIGITS = 6
_MONTH = 2
_AROUND = " \t#:*_"
_NAME = r"[^\W_]+(?:[-_.][^\W_]+)*"
_VERSION = r"[._-](?:v\d+|de|en|fr|es|pt|it|nl|ru|zh|ja|ko|pl|tr|uk)(?:[-_][A-Za-z]{2})?$"


class Reference(NamedTuple):
    """A reference to an ADR by the `key` of its id, or by the `path` of its file.

    `root` is the same target relative to the root of the repository. `partly` is true if the
    relation is only to a part of the ADR.
    """

    kind: str
    text: str
    key: str
    path: str
    line: int
    partly: bool = False
    root: str = ""


@lru_cache(maxsize=8192)
def id_key(text: str) -> str:
    """Return a comparable id: `ADR-012`, `012` and 12 are "12", `API-7` is "api-7"."""
    plain = text.strip().strip("[]*_`\"'#: ").casefold()
    if plain.isascii() and plain.isdigit() and len(plain) <= _DIGITS:
        return str(int(plain))
    if match := re.fullmatch(_YEARLY_ID, plain):
        return f"{match[1]}-{int(match[2])}"
    if match := re.fullmatch(_ID, plain):
        return str(int(match[1]))
    if plain.isdigit():
        return f"no {plain[:_LONGEST]}"
    return " ".join(plain.replace("_", "-").split())[:_LONGEST]


def key_in_path(path: str) -> str:
    """Return the id at the beginning of a file name, "" without one.

    For an ADR in its own folder, it is the id of the folder.
    """
    folders, _, name = path.rpartition("/")
    if folders and has_own_folder(path):
        name = folders.rpartition("/")[2]
    name = re.sub(_DAY, "", name)
    if "19" in name or "20" in name:
        yearly = re.match(_YEARLY, name)
        if yearly:
            is_month = not yearly[2] or len(yearly[3]) <= _MONTH
            return "" if is_month else f"{yearly[1]}-{int(yearly[3])}"
    numbered = re.match(_NUMBERED, name)
    return str(int(numbered[1])) if numbered else ""


@lru_cache(maxsize=1 << 15)
def collection(path: str) -> str:
    """Return the folder of an ADR and its neighbours; an ADR's own folder is not one."""
    folder = path.rpartition("/")[0]
    return folder.rpartition("/")[0] if has_own_folder(path) else folder


def stem(path: str) -> str:
    """Return the path of an ADR without the ending of a version or translation (`0012-x.v2.md`)."""
    return re.sub(_VERSION, "", without_suffix(path))


def references(doc: AdrDocument, header: Header, meanings: Meanings) -> Iterator[Reference]:
    """Yield the relations in the header fields and the status. Other prose has no relations."""
    for kind in RELATIONS:
        field = header.fields.get(kind)
        if field:
            for text in field.texts:
                yield from _targets(kind, text, doc.path, field.line)
    for field in header.statuses:
        text = field.text
        if not re.search(_MAY_SUPERSEDE, text):
            continue
        for kind, pattern in (("superseded_by", _BY), ("supersedes", _OF_AT_ONCE)):
            match = re.search(pattern, text, re.IGNORECASE)
            if match:
                partly = bool(re.search(_PARTLY, text))
                yield from _targets(kind, text[match.end() :], doc.path, field.line, partly)
    for section in doc.sections:
        if section.level == 2 and "status" in meanings.of(section.title):
            yield from _in_status(doc, section.start, section.own_stop)


def _in_status(doc: AdrDocument, start: int, stop: int) -> Iterator[Reference]:
    """Yield the relations in the lines of a status section."""
    text = doc.prose_markup[start:stop].decode()
    if not re.search(_MAY_SUPERSEDE, text):
        return
    first = doc.line_at(start)
    lines = text.split("\n")
    for number, line in enumerate(lines):
        for kind, pattern in (("superseded_by", _BY), ("supersedes", _OF)):
            match = re.match(rf"\W*{pattern}", line, re.IGNORECASE)
            if match:
                # The target may be on the next line.
                target = line[match.end() :].strip() or "".join(lines[number + 1 : number + 2])
                yield from _targets(kind, target, doc.path, first + number)
                break


def _targets(
    kind: str, text: str, path: str, line: int, partly: bool = False
) -> Iterator[Reference]:
    """Yield the ADRs in a value: links, file names, ADR numbers, or a value that is an id."""
    if "://" in text:
        return
    reference = Reference(
        kind=kind,
        text=" ".join(text.split())[:_LONGEST],
        key="",
        path="",
        line=line,
        partly=partly or bool(re.search(_PARTLY, text)),
    )
    files = [one or other for one, other in re.findall(_LINK, text)]
    files += re.findall(_FILE, re.sub(_LINK, " ", text))
    files = [target for target in files if re.search(MARKDOWN_SUFFIX, target)]
    for target in files:
        file = target.partition("#")[0]
        resolved = relative(path, file)
        if resolved:
            yield reference._replace(path=resolved, root=relative("x", file))
    for part in [] if files else re.split("[,;]", text):
        ids = [match[1] for match in re.finditer(_ADR_WORD, part) if match.start() < _HEAD]
        plain = part.strip(_AROUND)
        if not ids and re.fullmatch(_NAME, plain):
            ids = [plain]
        for id in ids:
            yield reference._replace(key=id_key(id))


def relative(path: str, target: str) -> str:
    """Return the target of a link in a file as a path of the repository, "" if it is outside.

    A leading slash is the root of the repository.
    """
    if "%" in target:
        data = re.sub(_ESCAPE, lambda code: bytes([int(code[1], 16)]), target.encode())
        target = data.decode(errors="replace")
    if target != "/":
        target = target.rstrip("/")
    if "\0" in target:
        return ""
    # Most targets are plain names, and need no normalisation.
    if target[:1] not in "./" and "/." not in target and "//" not in target:
        folder, slash, _ = path.rpartition("/")
        return f"{folder}{slash}{target}"
    if target.startswith("/"):
        result = normpath(target.lstrip("/"))
    else:
        result = normpath(join(dirname(path), target))
    is_outside = result.startswith("..") or result in (".", "/")
    return "" if is_outside else result


# Files that an ADR mentions, and which of them the tree lacks.

_LINKED = rb"\]\(\s*(?:<([^>\n]+)>|([^()\s>#?]+)(?![^\s)#?]))"
_DEFINED = (
    rb"(?m)^ {0,3}\[(?!\^)[^\]\n]+\]:[ \t\r]*(?:\n[ \t]*)?"
    rb"(?:<([^>\n]+)>|([^\s>#?]+)(?![^\s>#?]))(?=\S*[ \t\r]*(?:$|[\"'(]))"
)
"""A link definition: the target may be on the next line, and only a title may follow it."""
_QUOTED = rb"`([\w.+@-]+/(?:[\w.+@-]+/)*(?:[\w+@-][\w.+@-]*\.\w{1,8})?)(?::\d+(?:-\d+)?)?`"
_ELSEWHERE = (b"@", b"//", b"{", b"<", b"$", b"#")
_SITE_SUFFIXES = (".md", ".mdx", "/README.md", "/index.md")
"""Parts that a documentation site leaves out of its links."""
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
    places = [_places(kind, text, path, doc.path) for kind, text, path, _ in candidates]
    existing = present(set(chain.from_iterable(places))) if places else set()
    mentions: list[Mention] = []
    for (kind, text, path, place), group in zip(candidates, places, strict=True):
        if not existing.isdisjoint(group[1:]):
            continue
        # The path may be in another repository if its first folder is not in this one.
        is_from_root = kind == "quoted" or (kind == "link" and text.startswith("/"))
        if is_from_root and group[0] not in existing:
            continue
        if kind in _HEADER:
            mentions.append(Mention(kind, text, path, place))
        elif kind != "link" or not doc.is_code(place):
            mentions.append(Mention(kind, text, path, doc.line_at(place)))
    return tuple(mentions[:MOST])


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
    return places
