"""The missing half of a succession: `superseded_by` in the old ADR, or `supersedes` in the new one.

It is written in the form in which that ADR states its status. The status itself is never changed.
"""

import re
from collections.abc import Iterator

from ..adr.corpus import CLOSED, DECIDED, Corpus, Entry
from ..adr.model import Adr
from ..adr.names.field import field_name
from ..finding import Finding
from ..paths import relative
from .around import Around
from .edit import Edit, Fix
from .lines import LONGEST, TextLine, lines_of

_MISSING = "which does not name it"
"""The end of the message of a finding that a reference repairs; others need a decision."""
_OPPOSITE = {"supersedes": "superseded_by", "superseded_by": "supersedes"}
_WORDS = {"supersedes": "Supersedes", "superseded_by": "Superseded by"}
_PLAIN_PATH = r"[\w./-]+"
_STATED = r"([\s>*+_-]*)status([*_]*\s*[:：][*_]*\s*)\S.*?([*_]*)(\s*\\?)$"
_ROW = r"(\s*\|\s*[*_]*)status([*_]*\s*\|\s*)[^|]*?(\s*\|\s*)$"
_EMPTY = r"\s*(?:\[\s*\]|null|~|\"\"|'')?\s*$"


def fixes(finding: Finding, around: Around) -> Iterator[Fix]:
    """Yield the reference that another ADR lacks, for a succession that both ADRs agree on."""
    corpus = around.corpus
    entry = corpus.entry(finding.path) if corpus else None
    if not corpus or not entry or not finding.message.endswith(_MISSING):
        return
    for reference in entry.references:
        is_meant = reference.line == finding.line and not reference.partly
        if not is_meant or reference.kind not in _OPPOSITE:
            continue
        others = corpus.find(reference, entry.path)
        if len(others) != 1 or f" {others[0].path}, which" not in finding.message:
            continue
        kind = _OPPOSITE[reference.kind]
        edit = _edit(others[0], kind, entry, around) if _agree(entry, others[0], kind) else None
        if edit and not _is_ambiguous(entry, corpus):
            yield Fix(
                check=finding.check,
                path=finding.path,
                line=finding.line,
                title=f"{edit.new.strip()!r} added to {others[0].path}",
                edits=(edit,),
            )


def _agree(entry: Entry, other: Entry, kind: str) -> bool:
    """Return whether both statuses are those of a succession, and `other` names none yet."""
    old, new = (other, entry) if kind == "superseded_by" else (entry, other)
    return old.status in CLOSED and new.status in DECIDED and not any(other.of(kind))


def _is_ambiguous(entry: Entry, corpus: Corpus) -> bool:
    return len(corpus.same_id(entry)) > 1


def _edit(target: Entry, kind: str, source: Entry, around: Around) -> Edit | None:
    """Return the edit that adds a reference to a file; None if its form is not a usual one."""
    adr, text = around.adr(target.path), around.text(target.path)
    if not adr or not text or not source.key.isdigit():
        return None
    status = adr.header.fields.get("status")
    lines = lines_of(text)
    if not status or not 0 < status.line <= len(lines) or adr.header.style == "none":
        return None
    if adr.header.style == "yaml":
        return _in_front(target.path, adr, lines, status.line, kind, source)
    if adr.header.style == "section":
        return _in_section(target.path, adr, lines, status.line, kind, source)
    return _beside(target.path, lines, status.line, kind, source)


def _in_front(
    path: str, adr: Adr, lines: tuple[TextLine, ...], number: int, kind: str, source: Entry
) -> Edit | None:
    """Return the edit of a YAML header: a value for an empty key, else a line below the status."""
    value = f'"{source.id}"' if source.declared and source.id.isascii() else f"{_name(source)}"
    if not re.fullmatch(r'"?[\w .-]+"?', value):
        return None
    field = adr.header.fields.get(kind)
    if field:
        return _in_empty_field(path, lines[field.line - 1], kind, value)
    line = lines[number - 1]
    below = lines[number].text if number < len(lines) else ""
    if not re.match(r"status *: *\S", line.text, re.IGNORECASE) or below[:1] in (" ", "\t"):
        return None
    keys = " ".join(other.text.partition(":")[0] for other in lines[:number])
    key = kind.replace("_", "-") if "-" in keys.replace("---", "") and "_" not in keys else kind
    return Edit(path, line.end, line.end, f"{key}: {value}{line.ending}")


def _in_empty_field(path: str, line: TextLine, kind: str, value: str) -> Edit | None:
    key, colon, rest = line.text.partition(":")
    if not colon or field_name(key) != kind or not re.match(_EMPTY, rest):
        return None
    written = f" [{value}]" if "[" in rest else f" {value}"
    return Edit(path, line.start + len(key) + 1, line.stop, written)


def _in_section(
    path: str, adr: Adr, lines: tuple[TextLine, ...], number: int, kind: str, source: Entry
) -> Edit | None:
    """Return the edit that adds a paragraph to the end of a Status section."""
    doc = adr.doc
    for section in doc.sections:
        first, stop = doc.line_at(section.start), doc.line_at(section.own_stop)
        is_last = section.own_stop >= len(doc.data)
        if section.level != 2 or not first <= number <= (len(lines) if is_last else stop - 1):
            continue
        if "status" not in adr.meanings.of(section.title):
            return None
        own = range(first, len(lines) + 1 if is_last else stop)
        last = max((row for row in own if lines[row - 1].text.strip()), default=0)
        line = lines[last - 1] if last else None
        if not line or not line.ending:
            return None
        return Edit(
            path, line.end, line.end, f"{line.ending}{_sentence(kind, source, path)}{line.ending}"
        )
    return None


def _beside(
    path: str, lines: tuple[TextLine, ...], number: int, kind: str, source: Entry
) -> Edit | None:
    """Return the edit that repeats the line of the status with the reference in its place."""
    line = lines[number - 1]
    link, word = _link(source, path), _WORDS[kind]
    if not line.ending or len(line.text) > LONGEST:
        return None
    stated = re.match(_STATED, line.text, re.IGNORECASE)
    row = re.match(_ROW, line.text, re.IGNORECASE)
    if row:
        below = lines[number].text if number < len(lines) else ""
        new = f"{row[1]}{word}{row[2]}{link}{row[3]}"
        if re.match(r"[\s|:-]+$", below) and "|" in below:
            line = lines[number]
        return Edit(path, line.end, line.end, f"{new}{line.ending}")
    if not stated:
        return None
    new = f"{stated[1]}{word}{stated[2]}{link}{stated[4]}"
    below = lines[number].text if number < len(lines) else ""
    is_alone = not below.strip() and not stated[1].strip("*_ ")
    gap = line.ending if is_alone else ""
    return Edit(path, line.end, line.end, f"{gap}{new}{line.ending}")


def _sentence(kind: str, source: Entry, path: str) -> str:
    return f"{_WORDS[kind]} {_link(source, path)}"


def _name(source: Entry) -> str:
    """Return the id with the digits of the file's name: ADR-0007."""
    name = source.path.rpartition("/")[2]
    digits = re.search(rf"(?<!\d)0*{source.key}(?!\d)", name)
    return f"ADR-{digits[0] if digits else source.key.zfill(3)}"


def _link(source: Entry, path: str) -> str:
    """Return a link to an ADR, or its id alone where the path has unusual characters."""
    target = relative(source.path, path.rpartition("/")[0])
    return f"[{_name(source)}]({target})" if re.fullmatch(_PLAIN_PATH, target) else _name(source)
