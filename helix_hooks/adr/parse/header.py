"""The facts an ADR states about itself, in whichever style real ADRs write them.

YAML front matter, a `## Status` section, `**Status:** x`, `Status: x`, bullets and tables all
become the same fields. A nested YAML key is flattened: `files.create` is the field `files_create`.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from ...records import NamedTuple
from ...yaml_load import parse as parse_yaml
from ...yaml_values import Defect, Value
from ..names.aliases import FIELDS
from ..names.field import Field, field_name, squashed
from ..names.heading import Meanings
from .document import AdrDocument, Section
from .header_text import first_line, in_title, text_fields, until_next_field

_NEAR_THE_TOP = 3
_BLANK_LINES = 3
_RULED = ("change_scope", "classification", "component_type")
"""Fields that the packaged rules compare; such a one may be a section of its own."""
_RULED_TITLES = frozenset(word.casefold() for name in _RULED for word in (name, *FIELDS[name]))
_STATING = frozenset(("status", "meta")) | _RULED_TITLES
_WRAPPERS = frozenset(("metadata", "meta", "header"))
_LINK = r"\[[^\]]*\]\(\s*<?([^)>\s]+)"


class Header(NamedTuple):
    """`style`: yaml, section, bold, line, bullet, table or none, after where the status stands.

    `statuses` are all places that state one; `defects` is what in a YAML header can't be read as
    meant; `also` are fields of the text that the YAML header states as well: either one may make a
    rule apply.
    """

    style: str
    fields: dict[str, Field]
    statuses: tuple[Field, ...]
    defects: tuple[Defect, ...]
    line: int
    also: dict[str, Field]

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
    yaml, defects = _yaml_fields(doc)
    style = "yaml" if "status" in yaml else ""
    statuses = [yaml["status"]] if "status" in yaml else []
    preamble, preamble_style = _preamble(doc)
    own: dict[str, Field] = {}
    for section in _header_sections(doc, meanings):
        if section.title.casefold() in _RULED_TITLES:
            own |= _own_section(doc, section)
            continue
        found, found_style = text_fields(doc, section.start, section.own_stop)
        if "status" in meanings.of(section.title):
            status = found.get("status") or in_title(doc, section) or first_line(doc, section)
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
    preamble = {**own, **preamble}
    _without_topic(preamble)
    also = {name: preamble[name] for name in _RULED if name in preamble and name in yaml}
    fields = {**preamble, **yaml}
    if statuses and "status" not in fields:
        fields["status"] = statuses[0]
    return Header(
        style=style or ("yaml" if fields and doc.front else "none"),
        fields=fields,
        statuses=tuple(statuses),
        defects=defects,
        line=_line(doc),
        also=also,
    )


def _own_section(doc: AdrDocument, section: Section) -> dict[str, Field]:
    """`## Change Scope` with the value beneath it."""
    field = first_line(doc, section)
    return {field_name(section.title): field} if field else {}


def _without_topic(preamble: dict[str, Field]) -> None:
    """Outside YAML, `Concept: event sourcing` names a topic; only a path or a link names a file."""
    field = preamble.get("concept")
    if field:
        link = re.match(_LINK, field.text)
        path = (link[1] if link else field.text).partition("#")[0]
        if path.endswith(".md") and " " not in path and "://" not in path:
            preamble["concept"] = field._replace(texts=(path,))
        else:
            del preamble["concept"]


def _line(doc: AdrDocument) -> int:
    if doc.front is not None:
        return max(1, doc.front_line - 1)
    return doc.data.count(b"\n", 0, doc.title.heading_start) + 1 if doc.title else 1


def _yaml_fields(doc: AdrDocument) -> tuple[Mapping[str, Field], tuple[Defect, ...]]:
    if doc.front is None:
        return {}, ()
    if not doc.front_closed:
        opening = doc.front_line - 1
        return {}, (
            Defect(
                opening,
                "the YAML header opened here is never closed; put `---` on a line of its own "
                "behind it",
            ),
        )
    return _stated(doc.front, doc.front_line)


@lru_cache(maxsize=8)
def _stated(front: str, front_line: int) -> tuple[Mapping[str, Field], tuple[Defect, ...]]:
    """The fields of a YAML header; kept, since a changed ADR is read once for each thing by which
    it is measured.
    """
    root, defects = parse_yaml(front, front_line)
    if root.data is None:
        return {}, tuple(defects)
    if not isinstance(root.data, dict):
        hint = "write `key: value`, with a space after the colon"
        return {}, (
            *defects,
            Defect(root.line, f"the YAML header is {root.kind}, not a mapping; {hint}"),
        )
    fields: dict[str, Field] = {}
    return fields, (*defects, *_flatten(root, "", fields))


def _flatten(value: Value, prefix: str, fields: dict[str, Field]) -> list[Defect]:
    """Fill in the fields of a mapping; two spellings of one key are a defect, since either could be
    meant.
    """
    defects: list[Defect] = []
    seen: dict[str, str] = {}
    for key, entry in value.data.items():
        name = field_name(prefix + key)
        other = seen.setdefault(name, key)
        if other != key and squashed(other) == squashed(key):
            defects.append(
                Defect(entry.line, f"the keys {other!r} and {key!r} are the same field; keep one")
            )
        fields.setdefault(name, Field(_texts(entry.value), entry.line, entry.column))
        if isinstance(entry.value.data, dict):
            defects += _flatten(entry.value, "" if name in _WRAPPERS else f"{name}_", fields)
    return defects


def _texts(value: Value) -> tuple[str, ...]:
    if isinstance(value.data, str):
        return (value.data.strip(),) if value.data.strip() else ()
    if isinstance(value.data, dict):
        return (
            *value.data,
            *(text for entry in value.data.values() for text in _texts(entry.value)),
        )
    return tuple(text for item in value.data or () for text in _texts(item))


def _preamble(doc: AdrDocument) -> tuple[dict[str, Field], str]:
    """The fields above the first section; those below the title come first."""
    stop = doc.sections[0].heading_start if doc.sections else len(doc.data)
    if not doc.title or doc.title.start > stop:
        return text_fields(doc, doc.body, stop)
    fields, style = text_fields(doc, doc.title.start, stop)
    if doc.title.heading_start > doc.body + _BLANK_LINES:
        above, style_above = text_fields(doc, doc.body, doc.title.heading_start)
        fields, style = {**above, **fields}, style or style_above
    return fields, style


def _bare_status(doc: AdrDocument) -> dict[str, Field]:
    """A `Status:` line of a text without a title; with one, a status this far down is prose."""
    for number, line in enumerate(doc.prose_markup.decode().split("\n"), 1):
        if line.startswith("Status:"):
            return {"status": Field((until_next_field(line[7:])[0].strip(),), number)}
    return {}


def _header_sections(doc: AdrDocument, meanings: Meanings) -> list[Section]:
    """Sections that state header fields: of the second level, or among the first few."""
    near = [
        section
        for number, section in enumerate(doc.sections)
        if section.level == 2 or number < _NEAR_THE_TOP
    ]
    return [
        section
        for section in near
        if not _STATING.isdisjoint(meanings.of(section.title) or (section.title.casefold(),))
    ]
