"""The missing half of a succession: `superseded_by` in the old ADR, or `supersedes` in the new one.

The reference has the form of that ADR's status. The status itself is never changed.
"""

import re
from collections.abc import Iterator

from ..adr.corpus import CLOSED, DECIDED, Corpus, Entry
from ..adr.model import Adr
from ..adr.names.field import field_name
from ..adr.parse.document import AdrDocument, Section
from ..adr.reference import Reference
from ..adr.rules.corpus.supersede_asymmetric import UNNAMED
from ..finding import Finding
from ..paths import relative
from .around import Around
from .edit import Edit, Fix
from .lines import LONGEST, TextLine, lines_of

_OPPOSITE = {"supersedes": "superseded_by", "superseded_by": "supersedes"}
_WORDS = {"supersedes": "Supersedes", "superseded_by": "Superseded by"}
_PLAIN_PATH = r"[\w./-]+"
_STATUS_LINE = r"([\s>*+_-]*)status([*_]*\s*[:：][*_]*\s*)\S.*?([*_]*)(\s*\\?)$"
_STATUS_ROW = r"(\s*\|\s*[*_]*)status([*_]*\s*\|\s*)[^|]*?(\s*\|\s*)$"
_EMPTY = r"\s*(?:\[\s*\]|null|~|\"\"|'')?\s*$"


def fixes(finding: Finding, around: Around) -> Iterator[Fix]:
    """Yield the reference that another ADR lacks, if both ADRs agree on the succession."""
    corpus = around.corpus
    entry = corpus.entry(finding.path) if corpus else None
    # Other findings on a succession need a decision.
    if not corpus or not entry or not finding.subject.startswith(UNNAMED):
        return
    # With two ADRs of one id, the reference would be ambiguous.
    if len(corpus.same_id(entry)) > 1:
        return
    for reference in entry.references:
        other = _target(finding, entry, reference, corpus)
        if other:
            yield from _fix(finding, _edit(other, _OPPOSITE[reference.kind], entry, around))


def _fix(finding: Finding, edit: Edit | None) -> Iterator[Fix]:
    if edit:
        yield Fix(
            check=finding.check,
            path=finding.path,
            line=finding.line,
            title=f"{edit.new.strip()!r} added to {edit.path}",
            edits=(edit,),
        )


def _target(finding: Finding, entry: Entry, reference: Reference, corpus: Corpus) -> Entry | None:
    """Return the ADR of a succession that a finding is about; None for another reference."""
    if reference.line != finding.line or reference.kind not in _OPPOSITE or reference.partly:
        return None
    others = corpus.find(reference, entry.path)
    if len(others) != 1 or finding.subject != f"{UNNAMED}{others[0].path}":
        return None
    return others[0]


def _agree(entry: Entry, other: Entry, kind: str) -> bool:
    """Return whether both have the statuses of a succession, and `other` names no ADR yet."""
    old, new = (other, entry) if kind == "superseded_by" else (entry, other)
    return old.status in CLOSED and new.status in DECIDED and not any(other.of(kind))


def _edit(target: Entry, kind: str, source: Entry, around: Around) -> Edit | None:
    """Return the edit that adds a reference to a file; None if its form is not a usual one."""
    adr, text = around.adr(target.path), around.text(target.path)
    if not adr or not text or not source.key.isdigit() or not _agree(source, target, kind):
        return None
    status = adr.header.fields.get("status")
    lines = lines_of(text)
    if not status or not 0 < status.line <= len(lines):
        return None
    return _edit_in_style(target.path, adr, lines, status.line, kind, source)


def _edit_in_style(
    path: str, adr: Adr, lines: tuple[TextLine, ...], number: int, kind: str, source: Entry
) -> Edit | None:
    """Return the edit in the style of the header; `number` is the line of the status."""
    style = adr.header.style
    if style == "none":
        return None
    if style == "yaml":
        return _in_yaml(path, adr, lines, number, kind, source)
    if style == "section":
        return _in_section(path, adr, lines, number, kind, source)
    return _below_status(path, lines, number, kind, source)


def _in_yaml(
    path: str, adr: Adr, lines: tuple[TextLine, ...], number: int, kind: str, source: Entry
) -> Edit | None:
    """Return the edit of a YAML header: a value for an empty key, else a line below the status."""
    value = _name(source)
    if source.declared and source.id.isascii():
        value = f'"{source.id}"'
    if not re.fullmatch(r'"?[\w .-]+"?', value):
        return None
    field = adr.header.fields.get(kind)
    if field:
        return _in_empty_field(path, lines[field.line - 1], kind, value)
    line = lines[number - 1]
    # An indented line below belongs to the value of the status.
    is_single_line = not _text_at(lines, number).startswith((" ", "\t"))
    if not is_single_line or not re.match(r"status *: *\S", line.text, re.IGNORECASE):
        return None
    key = _key_in_style(kind, lines[:number])
    return Edit(path, line.end, line.end, f"{key}: {value}{line.ending}")


def _key_in_style(kind: str, lines: tuple[TextLine, ...]) -> str:
    """Return a key with hyphens if the keys of a header have hyphens."""
    keys = " ".join(line.text.partition(":")[0] for line in lines)
    has_hyphens = "-" in keys.replace("---", "") and "_" not in keys
    return kind.replace("_", "-") if has_hyphens else kind


def _text_at(lines: tuple[TextLine, ...], index: int) -> str:
    return lines[index].text if index < len(lines) else ""


def _in_empty_field(path: str, line: TextLine, kind: str, value: str) -> Edit | None:
    key, colon, rest = line.text.partition(":")
    if not colon or field_name(key) != kind or not re.match(_EMPTY, rest):
        return None
    new = f" [{value}]" if "[" in rest else f" {value}"
    return Edit(path, line.start + len(key) + 1, line.stop, new)


def _in_section(
    path: str, adr: Adr, lines: tuple[TextLine, ...], number: int, kind: str, source: Entry
) -> Edit | None:
    """Return the edit that adds a paragraph to the end of a Status section."""
    for section in adr.doc.sections:
        rows = _rows(adr.doc, section, len(lines))
        if section.level == 2 and number in rows:
            if "status" not in adr.meanings.of(section.title):
                return None
            return _at_end(path, [lines[row - 1] for row in rows], kind, source)
    return None


def _at_end(path: str, lines: list[TextLine], kind: str, source: Entry) -> Edit | None:
    """Return the edit that adds a paragraph below the last line with a text."""
    line = next((line for line in reversed(lines) if line.text.strip()), None)
    if not line or not line.ending:
        return None
    sentence = f"{_WORDS[kind]} {_link(source, path)}"
    return Edit(path, line.end, line.end, f"{line.ending}{sentence}{line.ending}")


def _rows(doc: AdrDocument, section: Section, count: int) -> range:
    """Return the line numbers of a section; `count` is the number of lines of the file."""
    stop = doc.line_at(section.own_stop)
    if section.own_stop >= len(doc.data):
        stop = count + 1
    return range(doc.line_at(section.start), stop)


def _below_status(
    path: str, lines: tuple[TextLine, ...], number: int, kind: str, source: Entry
) -> Edit | None:
    """Return the edit that repeats the line of the status, with the reference instead."""
    line, below = lines[number - 1], _text_at(lines, number)
    if not line.ending or len(line.text) > LONGEST:
        return None
    link, word = _link(source, path), _WORDS[kind]
    row = re.match(_STATUS_ROW, line.text, re.IGNORECASE)
    if row:
        # The rule below the head of a table stays directly below it.
        if re.match(r"[\s|:-]+$", below) and "|" in below:
            line = lines[number]
        new = f"{row[1]}{word}{row[2]}{link}{row[3]}"
        return Edit(path, line.end, line.end, f"{new}{line.ending}")
    status = re.match(_STATUS_LINE, line.text, re.IGNORECASE)
    if not status:
        return None
    new = f"{status[1]}{word}{status[2]}{link}{status[4]}"
    # A line that is a paragraph of its own needs a blank line before the next one.
    is_paragraph = not below.strip() and not status[1].strip("*_ ")
    gap = line.ending if is_paragraph else ""
    return Edit(path, line.end, line.end, f"{gap}{new}{line.ending}")


def _name(source: Entry) -> str:
    """Return the id with the digits of the file's name: ADR-0007."""
    name = source.path.rpartition("/")[2]
    digits = re.search(rf"(?<!\d)0*{source.key}(?!\d)", name)
    return f"ADR-{digits[0] if digits else source.key.zfill(3)}"


def _link(source: Entry, path: str) -> str:
    """Return a link to an ADR, or only its id if the path has unusual characters."""
    target = relative(source.path, path.rpartition("/")[0])
    return f"[{_name(source)}]({target})" if re.fullmatch(_PLAIN_PATH, target) else _name(source)
