"""References of an ADR to other ADRs: the relations in its header and status."""

import re
from collections.abc import Iterator
from functools import lru_cache
from posixpath import dirname, join, normpath
from typing import NamedTuple

from ..paths import MARKDOWN_SUFFIX, without_suffix
from .names.field import Field
from .names.heading import Meanings
from .names.place import has_own_folder
from .parse.document import AdrDocument
from .parse.header import Header

_LOOSE = ("depends_on", "related_to")
"""Relations whose targets may also be plans, tickets and pages."""
RELATIONS = ("supersedes", "superseded_by", "depends_on", "related_to")

_ADR_WORD = r"(?i)\badrs?[-_ #]*((?:19|20)\d\d[-_.]\d{3,4}|0*\d{1,6}[a-z]?)(?![\d.]*\d)(?![a-z])"
_LINK = r"\[[^\]]*\]\(\s*(?:<([^>\n]+)>|([^)>\s]+))"
_FILE = rf"(?<![\w:/.-])([\w./%-]*[\w%-]{MARKDOWN_SUFFIX})\b"
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
"""In a status line, which may be long, an ADR must follow immediately."""
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
_ESCAPE = rb"%([0-9A-Fa-f]{2})"
_LONGEST = 80
"""Maximum characters of an id, and of the text of a reference in a message."""
_HEAD = 30
"""Characters of a value that are searched for an id; an id after them is only mentioned."""
_DIGITS = 6
_MONTH = 2
_DAY = r"^\d{4}-\d\d-\d\d[-_](?=0*\d{1,6}[-_.])"
_YEARLY = r"(?i)(?:adrs?[-_]?)?((?:19|20)\d\d)([-_.]?)(\d{2,4})(?!\d)"
"""`2025-001-x.md` is the first ADR of a year; `2024-01-x.md` and `202401-x.md` have a month."""
_YEARLY_ID = r"(?:adrs?[-_ ]?)?((?:19|20)\d\d)[-_.](\d{3,4})"
_MAY_SUPERSEDE = (
    r"(?i)supersed|superced|replac|obsolet|ersetz|löst|remplac|reemplaz|sustitu|substitu|sostitu"
    r"|vervang"
)
"""Every text that the patterns above match has one of these; most texts need no other pattern."""
_SEPARATOR = r"[,;、，；・|+]|\s&\s|\s/\s|/(?=adr)|\s(?:und|and|et|e|y|en|or|oder|ou)\s"
_THIS = r"\W*(?:(?:also|this(?: adr| decision| record)?|it|diese[rs]?(?: adr)?)\s+)?"
_EXAMPLE = "example"
"""The placeholder in the link of MADR's status, `superseded by [ADR-0005](0005-example.md)`."""
_MOST_CHOICES = 2
_AROUND = " \t#:*_"
_NAME = r"[^\W_]+(?:[-_.][^\W_]+)*"
_VARIANT = r"[._-](?:v\d+|de|en|fr|es|pt|it|nl|ru|zh|ja|ko|pl|tr|uk)(?:[-_][A-Za-z]{2})?$"
_FOREIGN = r"\w+/[\w.-]+#|://|\b(?:in|of|from)\s+[\w.-]+/[\w.-]+"


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
    if match := re.fullmatch(_LETTERED, plain):
        return match[1]
    if match := re.fullmatch(_ID, plain):
        return str(int(match[1]))
    if match := re.fullmatch(_PREFIXED, plain):
        return _with_prefix(match[1], match[2])
    if plain.isdigit():
        return f"no {plain[:_LONGEST]}"
    return " ".join(plain.replace("_", "-").split())[:_LONGEST]


def _with_prefix(prefix: str, digits: str) -> str:
    if prefix in ("adr", "adrs"):
        return str(int(digits))
    return f"{prefix}-{int(digits)}"


def key_in_path(path: str) -> str:
    """Return the id at the beginning of a file name, "" without one.

    For an ADR in its own folder, it is the id of the folder.
    """
    folders, _, name = path.rpartition("/")
    if folders and has_own_folder(path):
        name = folders.rpartition("/")[2]
    if name[4:5] == "-" and name[7:8] == "-":
        name = re.sub(_DAY, "", name)
    if "19" in name or "20" in name:
        yearly = re.match(_YEARLY, name)
        if yearly:
            is_month = not yearly[2] or len(yearly[3]) <= _MONTH
            return "" if is_month else f"{yearly[1]}-{int(yearly[3])}"
    return _leading_number(name) or _lettered_id(name)


def _lettered_id(name: str) -> str:
    """Return the id of a name such as `0027a-x.md`, `API-7-x.md` or `adr_7.md`."""
    lettered = re.match(_LETTERED_NAME, name)
    if lettered:
        return lettered[1].casefold()
    match = re.match(_NUMBERED, name)
    if not match or re.match(_DATE, name):
        return ""
    return _with_prefix((match[1] or "adr").casefold(), match[2])


def _leading_number(name: str) -> str:
    """Return the number of a name such as `0012-x.md`. Most names need no pattern."""
    digits = len(name) - len(name.lstrip("0123456789"))
    if not 0 < digits <= _DIGITS:
        return ""
    separator, first = name[digits : digits + 1], name[digits + 1 : digits + 2]
    if separator in ("-", "_", " ") and first.isalpha():
        return str(int(name[:digits]))
    return ""


@lru_cache(maxsize=1 << 15)
def collection(path: str) -> str:
    """Return the folder of an ADR and its neighbours; an ADR's own folder is not one."""
    folder = path.rpartition("/")[0]
    return folder.rpartition("/")[0] if has_own_folder(path) else folder


def stem(path: str) -> str:
    """Return the path of an ADR without the ending of a translation (`0012-x.de.md`) or a version
    (`0012-x.v2.md`).
    """
    plain = without_suffix(path)
    last = plain.replace("_", "-").replace(".", "-").rpartition("-")[2]
    # Most names have no such ending, and need no pattern.
    if len(last) != 2 and last[:1] != "v":
        return plain
    return re.sub(_VARIANT, "", plain)


def references(doc: AdrDocument, header: Header, meanings: Meanings) -> Iterator[Reference]:
    """Yield the relations in the header fields and the status. Other prose has no relations."""
    for kind in RELATIONS:
        field = header.fields.get(kind)
        if field:
            for text in field.texts:
                yield from _targets(kind, text, doc.path, field.line)
    for field in header.statuses:
        yield from _in_status_value(field, doc.path)
    for section in doc.sections:
        if section.level == 2 and "status" in meanings.of(section.title):
            yield from _in_status(doc, section.start, section.own_stop)


def _in_status_value(field: Field, path: str) -> Iterator[Reference]:
    """Yield the successors and predecessors in a status, but not in the list of choices of a
    template.
    """
    if field.text.count("|") >= _MOST_CHOICES or not re.search(_MAY_SUPERSEDE, field.text):
        return
    for kind, pattern in (("superseded_by", _BY), ("supersedes", _OF_AT_ONCE)):
        match = re.search(pattern, field.text, re.IGNORECASE)
        if match:
            partly = bool(re.search(_PARTLY, field.text))
            yield from _targets(kind, field.text[match.end() :], path, field.line, partly)


def _in_status(doc: AdrDocument, start: int, stop: int) -> Iterator[Reference]:
    """Yield the relations in the lines of a status section."""
    text = doc.prose_markup[start:stop].decode()
    if not re.search(_MAY_SUPERSEDE, text):
        return
    first = doc.line_at(start)
    lines = text.split("\n")
    for number, line in enumerate(lines):
        for kind, pattern in (("superseded_by", _BY), ("supersedes", _OF)):
            match = re.match(rf"{_THIS}{pattern}", line, re.IGNORECASE)
            if match:
                # The target may be on the next line.
                target = line[match.end() :].strip() or "".join(lines[number + 1 : number + 2])
                yield from _targets(kind, target, doc.path, first + number)
                break


def _targets(
    kind: str, text: str, path: str, line: int, partly: bool = False
) -> Iterator[Reference]:
    """Yield the ADRs in a value: links, file names, ADR numbers, or a value that is an id."""
    base = Reference(
        kind=kind,
        text=" ".join(text.split())[:_LONGEST],
        key="",
        path="",
        line=line,
        partly=partly,
    )
    if text.isascii() and text.isdigit():
        yield base._replace(key=id_key(text))
    elif not re.search(_FOREIGN, text):
        is_partly = partly or bool(re.search(_PARTLY, text))
        yield from _in_text(base._replace(partly=is_partly), text, path)


def _in_text(base: Reference, text: str, path: str) -> Iterator[Reference]:
    linked = [one or other for one, other in re.findall(_LINK, text)]
    named = re.findall(_FILE, re.sub(_LINK, " ", text))
    files = [target for target in (*linked, *named) if re.search(MARKDOWN_SUFFIX, target)]
    if any(_EXAMPLE in target for target in files):
        return
    if base.kind in _LOOSE:
        files = _without_others(files, linked, path)
    if files:
        yield from _to_files(base, files, path)
    else:
        yield from _to_ids(base, text)


def _without_others(files: list[str], linked: list[str], path: str) -> list[str]:
    """Return the files without linked documents that are not ADRs."""
    others = {target for target in linked if not _may_be_adr(target, path)}
    return [target for target in files if target not in others]


def _to_files(base: Reference, targets: list[str], path: str) -> Iterator[Reference]:
    for target in targets:
        file = target.partition("#")[0]
        resolved = relative(path, file)
        if resolved:
            yield base._replace(path=resolved, root=relative("x", file))


def _to_ids(base: Reference, text: str) -> Iterator[Reference]:
    for part in re.split(_SEPARATOR, text, flags=re.IGNORECASE):
        for id in _ids(part):
            yield base._replace(key=id_key(id))


def _ids(text: str) -> list[str]:
    """Return the ADR numbers in a text, else the text if it may be an id."""
    numbers = [match[1] for match in re.finditer(_ADR_WORD, text) if match.start() < _HEAD]
    if numbers:
        return numbers
    plain = text.strip(_AROUND)
    return [plain] if re.fullmatch(_NAME, plain) else []


def _may_be_adr(target: str, path: str) -> bool:
    """Return whether a file has a number, or is in the folder of the ADR that names it."""
    file = target.partition("#")[0]
    folder = relative(path, file).rpartition("/")[0]
    return folder == path.rpartition("/")[0] or bool(key_in_path(file))


def relative(path: str, target: str) -> str:
    """Return the target of a link in a file as a path of the repository, "" if it is outside.

    A leading slash is the root of the repository.
    """
    if "%" in target:
        target = _unquoted(target)
    if target != "/":
        target = target.rstrip("/")
    if "\0" in target:
        return ""
    # Most targets are plain names, and need no normalisation.
    if target[:1] not in "./" and "/." not in target and "//" not in target:
        folder, slash, _ = path.rpartition("/")
        return f"{folder}{slash}{target}"
    return _normalised(path, target)


def _normalised(path: str, target: str) -> str:
    if target.startswith("/"):
        result = normpath(target.lstrip("/"))
    else:
        result = normpath(join(dirname(path), target))
    is_outside = result.startswith("..") or result in (".", "/")
    return "" if is_outside else result


def _unquoted(target: str) -> str:
    """Return a target with its percent escapes decoded."""
    data = re.sub(_ESCAPE, lambda code: bytes([int(code[1], 16)]), target.encode())
    return data.decode(errors="replace")
