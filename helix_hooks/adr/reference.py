"""References of an ADR to others: relations in its header and status."""

import re
from collections.abc import Iterator
from functools import lru_cache
from posixpath import dirname, join, normpath

from ..records import NamedTuple
from .names.heading import Meanings
from .names.place import has_own_folder
from .parse.document import AdrDocument
from .parse.header import Header

_LOOSE = ("depends_on", "related_to")
"""Relations that people also write to plans, tickets and pages."""
RELATIONS = ("supersedes", "superseded_by", "depends_on", "related_to")

_ADR_WORD = r"(?i)\badrs?[-_ #]*((?:19|20)\d\d[-_.]\d{3,4}|0*\d{1,6}[a-z]?)(?![\d.]*\d)(?![a-z])"
_LINK = r"\[[^\]]*\]\(\s*(?:<([^>\n]+)>|([^)>\s]+))"
_FILE = r"(?<![\w:/.-])([\w./%-]*[\w%-]\.md)\b"
_ID = r"(?:[\w.-]+/)*0*(\d{1,6})(?:-[a-z][\w.-]*)?"
_LETTERED = r"(?:adrs?[-_ ]?|(?=0|\d\d))0*(\d{1,6}[a-z])"
_PREFIXED = r"(?i)([a-z][a-z]{0,9})[-_ ]?0*(\d{1,6})"
_BY = (
    r"(?:(?:superseded|superceded|replaced|obsoleted)\s+by|ersetzt\s+durch|abgelöst\s+(?:durch"
    r"|von)|remplacée?\s+par|"
)
_BY += r"(?:reemplazad|sustituid|substituíd)[oa]\s+por|sostituit[oa]\s+da|vervangen\s+door)\b"
_OF = (
    r"(?:supersedes|supercedes|replaces|obsoletes|ersetzt|löst\s+ab|remplace|reemplaza|sustituye"
    r"|substitui|sostituisce|vervangt)\b"
)
_OF_AT_ONCE = r"\b(?:supersedes|supercedes|replaces|obsoletes|ersetzt):?\s+(?=\[|ADR|#?\d)"
"""In a line of status, which may be a long one, only what is followed by an ADR at once."""
_PARTLY = (
    r"(?i)\b(?:part(?:s|ly|ial|ially)?|partiellement|parcialmente|parzialmente|teil(?:weise"
    r"|s)?|gedeeltelijk|section|clause|only|point)\b"
)
_NUMBERED = (
    r"(?:\d{4}-\d{2}-\d{2}[-_])?"
    r"(?:(?i:adrs?)[-_ ]?|([A-Z][A-Z0-9]{1,9}|[a-z]{2,10}(?=[-_](?:0\d\d|\d{4})))[-_])?"
    r"0*(\d{1,6})(?![\dA-Za-z]|\.\d)"
)
_LETTERED_NAME = r"(?:(?i:adrs?[-_ ]?)|(?=0|\d{3}))0*(\d{1,6}[A-Za-z])[-_. ](?=\D)"
"""`0027a-x.md` is another ADR than `0027b-x.md`."""
_DATE = r"\d{4}-\d{2}-\d{2}(?![-_]0*\d{1,6}[-_.])"
_LONGEST = 80
_HEAD = 30
"""Characters of a value that are searched for an id; an id further on is only mentioned."""
_DIGITS = 6
_MONTH = 2
_DAY = r"^\d{4}-\d\d-\d\d[-_](?=0*\d{1,6}[-_.])"
_YEARLY = r"(?i)(?:adrs?[-_]?)?((?:19|20)\d\d)([-_.]?)(\d{2,4})(?!\d)"
"""`2025-001-x.md` is the first of a year; `2024-01-x.md` and `202401-x.md` have a month, which is
no number.
"""
_YEARLY_ID = r"(?:adrs?[-_ ]?)?((?:19|20)\d\d)[-_.](\d{3,4})"
_SUPERSEDING = (
    "supersed",
    "superced",
    "replac",
    "obsolet",
    "ersetz",
    "löst",
    "remplac",
    "reemplaz",
    "sustitu",
    "substitu",
    "sostitu",
    "vervang",
)
"""One of these stands in every text that the patterns above find."""
_SEPARATOR = r"[,;、，；・|+]|\s&\s|\s/\s|/(?=adr)|\s(?:und|and|et|e|y|en|or|oder|ou)\s"
_THIS = r"\W*(?:(?:also|this(?: adr| decision| record)?|it|diese[rs]?(?: adr)?)\s+)?"
_EXAMPLE = "example"
"""The placeholder in the link of MADR's status, `superseded by [ADR-0005](0005-example.md)`."""
_MOST_CHOICES = 2
_AROUND = " \t#:*_"
_NAME = r"[^\W_]+(?:[-_.][^\W_]+)*"
_VARIANT = r"[._-](?:v\d+|de|en|fr|es|pt|it|nl|ru|zh|ja|ko|pl|tr|uk)(?:[-_][A-Za-z]{2})?\.md$|\.md$"
_FOREIGN = r"\w+/[\w.-]+#|://|\b(?:in|of|from)\s+[\w.-]+/[\w.-]+"


class Reference(NamedTuple):
    """One ADR names another: by the `key` of its id, or by the `path` of its file, which may as
    well be `root`, the same from the repository's root; `partly` where only a part of it is meant.
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
    """The id by which two spellings are the same ADR: `ADR-012`, `012` and 12 are "12", `API-7` is
    "api-7".
    """
    plain = text.strip().strip("[]*_`\"'#: ").casefold()
    if plain.isascii() and plain.isdigit() and len(plain) <= _DIGITS:
        return str(int(plain))
    if match := re.fullmatch(_YEARLY_ID, plain):
        return f"{match[1]}-{int(match[2])}"
    if match := re.fullmatch(_LETTERED, plain):
        return match[1]
    if match := re.fullmatch(_ID, plain):
        return str(int(match[1]))
    if match := re.fullmatch(_PREFIXED, plain):
        return str(int(match[2])) if match[1] in ("adr", "adrs") else f"{match[1]}-{int(match[2])}"
    return (
        " ".join(plain.replace("_", "-").split())[:_LONGEST]
        if not plain.isdigit()
        else f"no {plain[:_LONGEST]}"
    )


def key_in_path(path: str) -> str:
    """The id a file name begins with, or its folder's where a folder holds one ADR; "" without
    one.
    """
    *folders, name = path.split("/")
    if folders and has_own_folder(path):
        name = folders[-1]
    if name[4:5] == "-" and name[7:8] == "-":
        name = re.sub(_DAY, "", name)
    if ("19" in name or "20" in name) and (year := re.match(_YEARLY, name)):
        return f"{year[1]}-{int(year[3])}" if year[2] and len(year[3]) > _MONTH else ""
    digits = len(name) - len(name.lstrip("0123456789"))
    if (
        0 < digits <= _DIGITS
        and name[digits : digits + 1] in ("-", "_", " ")
        and name[digits + 1 : digits + 2].isalpha()
    ):
        return str(int(name[:digits]))
    if lettered := re.match(_LETTERED_NAME, name):
        return lettered[1].casefold()
    match = re.match(_NUMBERED, name)
    if not match or re.match(_DATE, name):
        return ""
    return f"{match[1].casefold()}-{int(match[2])}" if match[1] else str(int(match[2]))


@lru_cache(maxsize=1 << 15)
def collection(path: str) -> str:
    """The folder under which an ADR lives with others; an ADR with a folder of its own lives above
    it.
    """
    folder = path.rpartition("/")[0]
    return folder.rpartition("/")[0] if has_own_folder(path) else folder


def stem(path: str) -> str:
    """The path of an ADR without what tells a translation (`0012-x.de.md`) or a version
    (`0012-x.v2.md`) from it.
    """
    plain = path.removesuffix(".md")
    last = plain.replace("_", "-").replace(".", "-").rpartition("-")[2]
    has_none = plain != path and len(last) != 2 and last[:1] != "v"
    return plain if has_none else re.sub(_VARIANT, "", path)


def references(doc: AdrDocument, header: Header, meanings: Meanings) -> Iterator[Reference]:
    """The relations that header fields and the status state; other prose is free to mention
    whatever it likes.
    """
    for kind in RELATIONS:
        field = header.fields.get(kind)
        for text in field.texts if field else ():
            yield from _named(kind, text, doc.path, field.line if field else 1)
    for field in header.statuses:
        if _speaks(field.text) and field.text.count("|") < _MOST_CHOICES:
            for kind, pattern in (("superseded_by", _BY), ("supersedes", _OF_AT_ONCE)):
                if match := re.search(pattern, field.text, re.IGNORECASE):
                    partly = bool(re.search(_PARTLY, field.text))
                    yield from _named(kind, field.text[match.end() :], doc.path, field.line, partly)
    for section in doc.sections:
        if section.level == 2 and "status" in meanings.of(section.title):
            yield from _in_status(doc, section.start, section.own_stop)


def _speaks(text: str) -> bool:
    """Return whether a text may speak of a successor; the patterns are compiled only for one that
    does.
    """
    plain = text.lower()
    return any(word in plain for word in _SUPERSEDING)


def _in_status(doc: AdrDocument, start: int, stop: int) -> Iterator[Reference]:
    text = doc.prose_markup[start:stop].decode()
    if not _speaks(text):
        return
    first = doc.line_at(start)
    lines = text.split("\n")
    for number, line in enumerate(lines):
        for kind, pattern in (("superseded_by", _BY), ("supersedes", _OF)):
            match = re.match(rf"{_THIS}{pattern}", line, re.IGNORECASE)
            if match:
                named = line[match.end() :].strip() or "".join(lines[number + 1 : number + 2])
                yield from _named(kind, named, doc.path, first + number)
                break


def _named(kind: str, text: str, path: str, line: int, partly: bool = False) -> Iterator[Reference]:
    """The ADRs a value names: links, file names, ADR-numbers, or the value as a whole where it is
    an id.
    """
    if text.isascii() and text.isdigit():
        yield Reference(
            kind=kind, text=text[:80], key=id_key(text), path="", line=line, partly=partly
        )
        return
    shown = " ".join(text.split())[:80]
    if re.search(_FOREIGN, text):
        return
    partly = partly or bool(re.search(_PARTLY, text))
    linked = [one or other for one, other in re.findall(_LINK, text)]
    targets = [
        target
        for target in (*linked, *re.findall(_FILE, re.sub(_LINK, " ", text)))
        if ".md" in target
    ]
    if any(_EXAMPLE in target for target in targets):
        return
    if kind in _LOOSE:
        others = {target for target in linked if not _may_be_adr(target, path)}
        targets = [target for target in targets if target not in others]
    if targets:
        for target in targets:
            resolved = relative(path, target.partition("#")[0])
            if resolved:
                yield Reference(
                    kind=kind,
                    text=shown,
                    key="",
                    path=resolved,
                    line=line,
                    partly=partly,
                    root=relative("x", target.partition("#")[0]),
                )
        return
    for part in re.split(_SEPARATOR, text, flags=re.IGNORECASE):
        numbers = [match[1] for match in re.finditer(_ADR_WORD, part) if match.start() < _HEAD]
        plain = part.strip(_AROUND)
        for id in numbers or ([plain] if re.fullmatch(_NAME, plain) else []):
            yield Reference(
                kind=kind, text=shown, key=id_key(id), path="", line=line, partly=partly
            )


def _may_be_adr(target: str, path: str) -> bool:
    """Return whether a file has a number, or lies beside the ADR that names it."""
    file = target.partition("#")[0]
    beside = relative(path, file).rpartition("/")[0] == path.rpartition("/")[0]
    return beside or bool(key_in_path(file))


def relative(path: str, target: str) -> str:
    """A target as a path of the repository, "" when it leads out of it; a leading slash is the
    repository's root.
    """
    if "%" in target:
        target = re.sub(
            rb"%([0-9A-Fa-f]{2})", lambda code: bytes([int(code[1], 16)]), target.encode()
        ).decode(errors="replace")
    target = target.rstrip("/") if target != "/" else target
    if "\0" in target:
        return ""
    if target[:1] not in "./" and "/." not in target and "//" not in target:
        folder, slash, _ = path.rpartition("/")
        return f"{folder}{slash}{target}"
    found = normpath(target.lstrip("/") if target.startswith("/") else join(dirname(path), target))
    return "" if found.startswith("..") or found in (".", "/") else found
