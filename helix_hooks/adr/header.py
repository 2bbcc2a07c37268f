"""The facts an ADR states about itself, in whichever style real ADRs write them.

YAML front matter, a `## Status` section, `**Status:** x`, `Status: x`, bullets and tables all become the same fields.
A nested YAML key is flattened: `files.create` is the field `files_create`.
"""

import re
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

from ..strict import Defect, Value
from ..strict import parse as parse_yaml
from .aliases import FIELDS
from .document import AdrDocument, Section
from .heading import Meanings

_KEY_LENGTH = 40
_BULLET = r"\s*(?:[-*+]\s+|\d+[.)]\s+)?"
_NEAR_THE_TOP = 3
_STATING = frozenset(("status", "meta"))
_DATED = r"\d{4}[-./]\d{1,2}[-./]\d{1,2}\s+\S"
_RULE_ROW = r"[\s|:-]+$"


class Field(NamedTuple):
    """A header field: its texts (one for a scalar, none for an empty one) and where its key stands."""

    texts: tuple[str, ...]
    line: int
    column: int = 1

    @property
    def text(self) -> str:
        return ", ".join(self.texts)


class Header(NamedTuple):
    """`style`: yaml, section, bold, line, bullet, table or none, after where the status stands.

    `statuses` are all places that state one; `defects` is what in a YAML header can't be read as meant.
    """

    style: str
    fields: dict[str, Field]
    statuses: tuple[Field, ...]
    defects: tuple[Defect, ...]
    line: int

    def text(self, name: str) -> str:
        field = self.fields.get(name)
        return field.text if field else ""

    def items(self, name: str) -> tuple[str, ...]:
        """The entries of a list field; a text outside YAML is split at its commas."""
        field = self.fields.get(name)
        if not field:
            return ()
        found = (item.strip() for text in field.texts for item in re.split("[,;]", text))
        return tuple(item for item in found if item)


def read(doc: AdrDocument, meanings: Meanings) -> Header:
    """The header of a document."""
    fields, defects = _yaml_fields(doc)
    style = "yaml" if "status" in fields else ""
    statuses = [fields["status"]] if "status" in fields else []
    preamble, preamble_style = _text_fields(doc, *_preamble(doc))
    for section in _header_sections(doc, meanings):
        found, found_style = _text_fields(doc, section.start, section.own_stop)
        if "status" in meanings.of(section.title):
            status = found.get("status") or _in_title(doc, section) or _first_line(doc, section)
            if status:
                statuses.append(status)
                style = style or "section"
            found.pop("status", None)
        preamble = {**found, **preamble}
        preamble_style = preamble_style or found_style
    if not statuses and "status" not in preamble and not doc.title:
        preamble = {**_bare_status(doc), **preamble}
        preamble_style = preamble_style or "line"
    if "status" in preamble:
        statuses.append(preamble["status"])
        style = style or preamble_style
    fields = {**preamble, **fields}
    if statuses and "status" not in fields:
        fields["status"] = statuses[0]
    return Header(style or ("yaml" if fields and doc.front else "none"), fields, tuple(statuses), tuple(defects), _line(doc))


def _line(doc: AdrDocument) -> int:
    if doc.front is not None:
        return max(1, doc.front_line - 1)
    return doc.data.count(b"\n", 0, doc.title.heading_start) + 1 if doc.title else 1


def _yaml_fields(doc: AdrDocument) -> tuple[dict[str, Field], list[Defect]]:
    if doc.front is None:
        return {}, []
    if not doc.front_closed:
        opening = doc.front_line - 1
        return {}, [Defect(opening, "the YAML header opened here is never closed; put `---` on a line of its own behind it")]
    root, defects = parse_yaml(doc.front, doc.front_line)
    if root.data is None:
        return {}, defects
    if not isinstance(root.data, dict):
        hint = "write `key: value`, with a blank behind the colon"
        return {}, [*defects, Defect(root.line, f"the YAML header is {root.kind}, not a mapping; {hint}")]
    fields: dict[str, Field] = {}
    _flatten(root, "", fields)
    return fields, defects


def _flatten(value: Value, prefix: str, fields: dict[str, Field]) -> None:
    for key, entry in value.data.items():
        name = field_name(prefix + key)
        fields.setdefault(name, Field(_texts(entry.value), entry.line, entry.column))
        if isinstance(entry.value.data, dict):
            _flatten(entry.value, f"{name}_", fields)


def _texts(value: Value) -> tuple[str, ...]:
    if isinstance(value.data, str):
        return (value.data.strip(),) if value.data.strip() else ()
    if isinstance(value.data, dict):
        return tuple(value.data)
    return tuple(text for item in value.data or () for text in _texts(item))


@lru_cache(maxsize=4096)
def field_name(key: str) -> str:
    """The field a key stands for: `Depends-On`, `depends on` and `Abhängig von` are `depends_on`."""
    name = _joined(key)
    return _field_names().get(name, name)


def _joined(key: str) -> str:
    return "_".join(key.casefold().replace("-", " ").replace("_", " ").split())


@lru_cache(maxsize=1)
def _field_names() -> dict[str, str]:
    names = {}
    for field, words in FIELDS.items():
        for word in words:
            names[_joined(word)] = field
    return names


def _preamble(doc: AdrDocument) -> tuple[int, int]:
    stop = doc.sections[0].heading_start if doc.sections else len(doc.data)
    start = doc.title.start if doc.title and doc.title.start <= stop else doc.body
    return start, stop


def _bare_status(doc: AdrDocument) -> dict[str, Field]:
    """A `Status:` line of a text without a title; with one, a status this far down is prose."""
    for number, line in enumerate(doc.prose.decode().split("\n"), 1):
        if line.startswith("Status:"):
            return {"status": Field((_until_next_field(line[7:]).strip(),), number)}
    return {}


def _header_sections(doc: AdrDocument, meanings: Meanings) -> list[Section]:
    """Sections that state header fields: of the second level, or among the first few."""
    near = [section for number, section in enumerate(doc.sections) if section.level == 2 or number < _NEAR_THE_TOP]
    return [section for section in near if not _STATING.isdisjoint(meanings.of(section.title))]


def _text_fields(doc: AdrDocument, start: int, stop: int) -> tuple[dict[str, Field], str]:
    """The `key: value` lines between two offsets, and the style the status has there."""
    fields: dict[str, Field] = {}
    style = ""
    text = doc.prose[start:stop]
    if b":" not in text and b"|" not in text:
        return fields, style
    first = doc.data.count(b"\n", 0, start) + 1
    lines = text.decode().split("\n")
    for number, line in enumerate(lines):
        if "|" in line:
            pairs, kind = _row(lines, number), "table"
        elif ":" in line or "：" in line:
            pairs, kind = _pair(line)
        else:
            continue
        for key, value in pairs:
            name = field_name(key)
            if value and name not in fields:
                fields[name] = Field((value,), first + number)
                if name == "status":
                    style = kind
    return fields, style


def _pair(line: str) -> tuple[list[tuple[str, str]], str]:
    bullet = re.match(_BULLET, line)
    rest = line[bullet.end() :] if bullet else line
    key, _, value = rest.replace("**", "").replace("__", "").replace("：", ":").partition(":")
    key = key.strip(" *_`[]")
    if not key or len(key) > _KEY_LENGTH or key[0] == "#":
        return [], ""
    style = "bullet" if bullet and bullet[0].strip() else ("bold" if "*" in rest[:3] or "_" in rest[:3] else "line")
    return [(key, _until_next_field(value).strip(" *_`"))], style


def _until_next_field(value: str) -> str:
    """Cut `Accepted Date: 2025-12-29 Deciders: …` where the next known field begins."""
    if ":" not in value:
        return value
    words = value.split(" ")
    for index, word in enumerate(words):
        if word.endswith(":"):
            pair = " ".join(words[max(0, index - 1) : index + 1])
            if field_name(pair[:-1]) in FIELDS:
                return " ".join(words[: index - 1])
            if field_name(word[:-1]) in FIELDS:
                return " ".join(words[:index])
    return value


def _row(lines: list[str], number: int) -> list[tuple[str, str]]:
    """The fields of a table row: its first two cells, or below a row of field names the last row, which is the newest."""
    cells = _cells(lines[number])
    if len(cells) < 2 or re.match(_RULE_ROW, lines[number]):
        return []
    if field_name(cells[0]) in FIELDS and field_name(cells[1]) in FIELDS:
        rows = list(takewhile(lambda line: "|" in line, lines[number + 1 :]))
        return list(zip(cells, _cells(rows[-1]), strict=False)) if len(rows) > 1 else []
    return [(cells[0], cells[1])]


def _cells(line: str) -> list[str]:
    return [cell.strip().strip("*_`: ") for cell in line.strip().strip("|").split("|")]


def _in_title(doc: AdrDocument, section: Section) -> Field | None:
    """`## Status: Accepted`, or a status line that the rule beneath it made a heading."""
    value = section.title.partition(":")[2].strip()
    return Field((_until_next_field(value),), doc.line_at(section.heading_start)) if value else None


def _first_line(doc: AdrDocument, section: Section) -> Field | None:
    """What a status section says: the last row of a dated log (`| 2024-05-01 | accepted |`), else its first line."""
    first = doc.data.count(b"\n", 0, section.start) + 1
    found: list[Field] = []
    text = doc.prose[section.start : section.own_stop].decode()
    logged = any(character.isdigit() for character in text)
    for number, line in enumerate(text.split("\n")):
        plain = line.strip().lstrip("-*+> ").strip()
        if plain and not re.match(_RULE_ROW, plain) and not plain.casefold().startswith(("date:", "datum:")):
            cells = plain.replace("|", " ") if plain.startswith("|") else plain
            found.append(Field((" ".join(cells.strip("* _`").split()),), first + number))
            if not logged:
                break
    log = [field for field in found if re.match(_DATED, field.text)]
    chosen = log[-1:] or found[:1]
    return chosen[0] if chosen else None
