"""The header fields of an ADR, in any of the styles that ADRs use.

YAML front matter, a `## Status` section, `**Status:** x`, `Status: x`, bullets and tables all
become the same fields. A nested YAML key is flattened: `files.create` is the field `files_create`.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from ...paths import is_markdown
from ...yaml_reader import Defect, Value
from ...yaml_reader import parse as parse_yaml
from ..names.aliases import FIELDS
from ..names.field import Field, field_name, squashed
from ..names.heading import Meanings
from .document import AdrDocument
from .header_text import first_line, in_title, text_fields, until_next_field

_NEAR_THE_TOP = 3
"""Sections at the top of an ADR that may have header fields, whatever their level."""
_BLANK_LINES = 3
"""Bytes above a title in which no header field fits."""
_RULED = ("change_scope", "classification", "component_type")
"""Fields that the packaged rules compare; each may also be a section."""
_RULED_TITLES = frozenset(map(str.casefold, chain(_RULED, *map(FIELDS.__getitem__, _RULED))))
_STATING = frozenset(("status", "meta")) | _RULED_TITLES
"""Meanings or titles of sections with header fields."""
_WRAPPERS = frozenset(("metadata", "meta", "header"))
_NOTE = (
    rb"(?im)^[ \t>*_]{0,8}(?:this (?:adr|decision|document|record) (?:has been|was|is) )?"
    rb"((?:superseded|replaced|obsoleted) by\b[^\n:]{0,120}(?:\d|\]\()[^\n]{0,200})$"
)
"""A line of its own: `**Superseded by [ADR-9](0009-x.md)**`, also in a quote."""
_LINK = r"\[[^\]]*\]\(\s*<?([^)>\s]+)"


class Header(NamedTuple):
    """The header fields of an ADR.

    `style` is the style of the status: yaml, section, bold, line, bullet, table or none. `statuses`
    are all statuses of the ADR, YAML first. `defects` are the errors of the YAML header. `line` is
    where findings on the header are reported. `also` has the fields of the text that the YAML
    header has too: either value may make a rule apply.
    `note` is a line above the first section that says that another ADR superseded this one.
    """

    style: str
    fields: dict[str, Field]
    statuses: tuple[Field, ...]
    defects: tuple[Defect, ...]
    line: int
    also: dict[str, Field]
    note: Field | None = None

    def text(self, name: str) -> str:
        field = self.fields.get(name)
        return field.text if field else ""

    def line_of(self, name: str, default: int) -> int:
        """Return the line of a field, `default` without it."""
        field = self.fields.get(name)
        return field.line if field else default

    def items(self, name: str) -> tuple[str, ...]:
        """Return the entries of a list field. Texts are split at commas and semicolons."""
        field = self.fields.get(name)
        if not field:
            return ()
        entries = [entry.strip() for entry in re.split("[,;]", ";".join(field.texts))]
        return tuple(filter(None, entries))


def read(doc: AdrDocument, meanings: Meanings) -> Header:
    """Return the header of a document. Fields of the YAML header take precedence."""
    yaml, defects = _yaml_fields(doc)
    below, statuses, style = _text_header(doc, meanings, has_status="status" in yaml)
    fields = {**below, **yaml}
    if "status" in yaml:
        statuses.insert(0, yaml["status"])
    if "status" in below:
        statuses.append(below["status"])
    if "status" in yaml or (not style and fields and doc.front):
        style = "yaml"
    note = _superseded(doc)
    if note and not statuses:
        statuses.append(note)
    if statuses:
        fields.setdefault("status", statuses[0])
    line = 1
    if doc.front is not None:
        line = max(1, doc.front_line - 1)
    elif doc.title:
        line = doc.line_at(doc.title.heading_start)
    also: dict[str, Field] = {}
    for name in _RULED:
        if name in below and name in yaml:
            also[name] = below[name]
    return Header(
        style=style or "none",
        fields=fields,
        statuses=tuple(statuses),
        defects=defects,
        line=line,
        also=also,
        note=note,
    )


def _superseded(doc: AdrDocument) -> Field | None:
    """Return the line above the first section that says that another ADR superseded this one."""
    top = doc.markup[doc.body : doc.sections_start]
    if b"by" not in top:
        return None
    match = re.search(_NOTE, top)
    if not match:
        return None
    text = match[1].decode(errors="replace").strip(" *_>")
    return Field((text,), doc.line_at(doc.body + match.start(1)))


def _text_header(
    doc: AdrDocument, meanings: Meanings, has_status: bool
) -> tuple[dict[str, Field], list[Field], str]:
    """Return the fields outside YAML, the statuses of status sections, and the style of the status.

    Header fields are above the first section, and in sections of the second level or among the
    first few. The status of a status section is its field, its title or its first line.
    """
    fields, style = _preamble(doc)
    own_sections: dict[str, Field] = {}
    statuses: list[Field] = []
    for number, section in enumerate(doc.sections):
        if section.level != 2 and number >= _NEAR_THE_TOP:
            continue
        names = meanings.of(section.title) or (section.title.casefold(),)
        if _STATING.isdisjoint(names):
            continue
        if section.title.casefold() in _RULED_TITLES:
            value = first_line(doc, section)
            if value:
                own_sections[field_name(section.title)] = value
            continue
        below, section_style = text_fields(doc, section.start, section.own_stop)
        if "status" in names:
            status = below.pop("status", None)
            status = status or in_title(doc, section) or first_line(doc, section)
            if status:
                statuses.append(status)
        fields = {**below, **fields}
        style = style or section_style
    if not (doc.title or has_status or statuses or "status" in fields):
        fields = {**_bare_status(doc), **fields}
        style = style or "line"
    fields = {**own_sections, **fields}
    if "concept" in fields:
        fields = _without_topic(fields)
    if statuses:
        style = "section"
    return fields, statuses, style if statuses or "status" in fields else ""


def _without_topic(fields: dict[str, Field]) -> dict[str, Field]:
    """Return the fields without a concept that is not a file.

    Outside YAML, `Concept: event sourcing` is a topic; only a path or a link is a file.
    """
    field = fields.pop("concept")
    link = re.match(_LINK, field.text)
    target = link[1] if link else field.text
    path = target.partition("#")[0]
    if is_markdown(path) and " " not in path and "://" not in path:
        fields["concept"] = field._replace(texts=(path,))
    return fields


def _yaml_fields(doc: AdrDocument) -> tuple[Mapping[str, Field], tuple[Defect, ...]]:
    if doc.front is None:
        return {}, ()
    if doc.front_closed:
        return _parsed_yaml(doc.front, doc.front_line)
    reason = "the YAML header is not closed; add a closing `---` line"
    return {}, (Defect(doc.front_line - 1, reason),)


@lru_cache(maxsize=8)
def _parsed_yaml(front: str, front_line: int) -> tuple[Mapping[str, Field], tuple[Defect, ...]]:
    """Return the fields of a YAML header.

    Cached, since a changed ADR is parsed for each tree with which it is compared.
    """
    root, defects = parse_yaml(front, front_line)
    if root.data is None:
        return {}, tuple(defects)
    if not isinstance(root.data, dict):
        hint = "write `key: value`, with a space after the colon"
        reason = f"the YAML header must be a mapping, got {root.kind}; {hint}"
        return {}, (*defects, Defect(root.line, reason))
    fields: dict[str, Field] = {}
    return fields, (*defects, *_flatten(root, "", fields))


def _flatten(value: Value, prefix: str, fields: dict[str, Field]) -> list[Defect]:
    """Add the fields of a mapping, and return its defects.

    Two spellings of one key are a defect, since either value could be the intended one.
    """
    defects: list[Defect] = []
    keys: dict[str, str] = {}
    for key, entry in value.data.items():
        name = field_name(prefix + key)
        other = keys.setdefault(name, key)
        if other != key and squashed(other) == squashed(key):
            reason = f"the keys {other!r} and {key!r} are the same field; keep one"
            defects.append(Defect(entry.line, reason))
        fields.setdefault(name, Field(_texts(entry.value), entry.line, entry.column))
        if isinstance(entry.value.data, dict):
            inner_prefix = "" if name in _WRAPPERS else f"{name}_"
            defects += _flatten(entry.value, inner_prefix, fields)
    return defects


def _texts(value: Value) -> tuple[str, ...]:
    """Return all texts of a value. The keys of a mapping come first."""
    data = value.data
    if isinstance(data, str):
        text = data.strip()
        return (text,) if text else ()
    if isinstance(data, dict):
        values = [entry.value for entry in data.values()]
        return (*data, *chain.from_iterable(map(_texts, values)))
    return tuple(chain.from_iterable(map(_texts, data or ())))


def _preamble(doc: AdrDocument) -> tuple[dict[str, Field], str]:
    """Return the fields above the first section. Those below the title take precedence."""
    stop = doc.sections_start
    title = doc.title
    if not title or title.start > stop:
        return text_fields(doc, doc.body, stop)
    fields, style = text_fields(doc, title.start, stop)
    # Some teams write the fields above the title.
    if title.heading_start > doc.body + _BLANK_LINES:
        above, style_above = text_fields(doc, doc.body, title.heading_start)
        fields, style = {**above, **fields}, style or style_above
    return fields, style


def _bare_status(doc: AdrDocument) -> dict[str, Field]:
    """Return the `Status:` line of a text without a title; below a title, such a line is prose."""
    for number, line in enumerate(doc.prose_markup.decode().split("\n"), 1):
        if line.startswith("Status:"):
            value, _ = until_next_field(line.removeprefix("Status:"))
            return {"status": Field((value.strip(),), number)}
    return {}
