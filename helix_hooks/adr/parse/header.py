"""The header fields of an ADR, in any of the styles that ADRs use.

YAML front matter, a `## Status` section, `**Status:** x`, `Status: x`, bullets and tables all
become the same fields. A nested YAML key is flattened: `files.create` is the field `files_create`.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from html import unescape
from itertools import takewhile
from typing import NamedTuple

from ...paths import is_markdown
from ...yaml_reader import Defect, Value
from ...yaml_reader import parse as parse_yaml
from ..names import FIELDS, Field, Meanings, field_name, squashed, statuses
from .document import AdrDocument, Section

_NEAR_THE_TOP = 3
"""Sections at the top of an ADR that may have header fields, whatever their level."""
_STATING = frozenset(("status", "meta"))
"""Meanings of sections with header fields."""
_WRAPPERS = frozenset(("metadata", "meta", "header"))
_NOTE = (
    rb"(?im)^[ \t>*_]{0,8}(?:this (?:adr|decision|document|record) (?:has been|was|is) )?"
    rb"((?:superseded|replaced|obsoleted) by\b[^\n:]{0,120}(?:\d|\]\()[^\n]{0,200})$"
)
"""A line of its own: `**Superseded by [ADR-9](0009-x.md)**`, also in a quote."""
_LINK = r"\[[^\]]*\]\(\s*<?([^)>\s]+)"


class Header(NamedTuple):
    """The header fields of an ADR.

    `style` is where the status stands: yaml, section, line (or a row of a table) or none.
    `statuses` are all statuses of the ADR, YAML first. `defects` are the errors of the YAML header.
    `line` is where findings on the header are reported. `note` is a line above the first section
    that says that another ADR superseded this one.
    """

    style: str
    fields: dict[str, Field]
    statuses: tuple[Field, ...]
    defects: tuple[Defect, ...]
    line: int
    note: Field | None

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
    yaml, defects = _yaml_fields(doc.front, doc.front_line, doc.front_closed)
    below, statuses = _text_header(doc, meanings)
    fields = {**below, **yaml}
    style = "none"
    if "status" in yaml:
        style = "yaml"
    elif statuses:
        style = "section"
    elif "status" in below:
        style = "line"
    elif fields and doc.front:
        style = "yaml"
    if "status" in yaml:
        statuses.insert(0, yaml["status"])
    if "status" in below:
        statuses.append(below["status"])
    # A line above the first section may say that another ADR superseded this one.
    match = re.search(_NOTE, doc.markup[doc.body : doc.sections_start])
    note = None
    if match:
        text = match[1].decode(errors="replace").strip(" *_>")
        note = Field((text,), doc.line_at(doc.body + match.start(1)))
    if note and not statuses:
        statuses.append(note)
    if statuses:
        fields.setdefault("status", statuses[0])
    line = 1
    if doc.front is not None:
        line = max(1, doc.front_line - 1)
    elif doc.title:
        line = doc.line_at(doc.title.heading_start)
    return Header(
        style=style,
        fields=fields,
        statuses=tuple(statuses),
        defects=defects,
        line=line,
        note=note,
    )


def _text_header(doc: AdrDocument, meanings: Meanings) -> tuple[dict[str, Field], list[Field]]:
    """Return the fields outside YAML, and the statuses of status sections.

    Header fields are above the first section, and in sections of the second level or among the
    first few. The status of a status section is its field, its title or its first line.
    """
    fields = text_fields(doc, doc.text_start, doc.sections_start)
    # Some teams write the fields above the title; those below it take precedence.
    above = doc.title.heading_start if doc.title else doc.sections_start
    fields = {**text_fields(doc, doc.body, min(above, doc.sections_start)), **fields}
    statuses: list[Field] = []
    for number, section in enumerate(doc.sections):
        if section.level != 2 and number >= _NEAR_THE_TOP:
            continue
        names = meanings.of(section.title)
        if _STATING.isdisjoint(names):
            continue
        below = text_fields(doc, section.start, section.own_stop)
        if "status" in names:
            status = below.pop("status", None)
            status = status or in_title(doc, section) or first_line(doc, section)
            if status:
                statuses.append(status)
        fields = {**below, **fields}
    concept = fields.pop("concept", None)
    if concept:
        # Outside YAML, `Concept: event sourcing` is a topic; only a path or a link is a file.
        link = re.match(_LINK, concept.text)
        path = (link[1] if link else concept.text).partition("#")[0]
        if is_markdown(path) and " " not in path and "://" not in path:
            fields["concept"] = concept._replace(texts=(path,))
    return fields, statuses


@lru_cache(maxsize=8)
def _yaml_fields(
    front: str | None, front_line: int, is_closed: bool
) -> tuple[Mapping[str, Field], tuple[Defect, ...]]:
    """Return the fields of a YAML header.

    Cached, since a changed ADR is parsed for each tree with which it is compared.
    """
    if front is None:
        return {}, ()
    if not is_closed:
        reason = "the YAML header is not closed; add a closing `---` line"
        return {}, (Defect(front_line - 1, reason),)
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
        texts = [*_texts(entry.value, entry.line)]
        lines = tuple(line for _, line in texts)
        field = Field(tuple(text for text, _ in texts), entry.line, entry.column, lines)
        fields.setdefault(name, field)
        if isinstance(entry.value.data, dict):
            inner_prefix = "" if name in _WRAPPERS else f"{name}_"
            defects += _flatten(entry.value, inner_prefix, fields)
    return defects


def _texts(value: Value, line: int) -> Iterator[tuple[str, int]]:
    """Yield all texts of a value with their lines; the keys of a mapping come first."""
    data = value.data
    if isinstance(data, dict):
        for key, entry in data.items():
            yield key, entry.line
        data = [entry.value for entry in data.values()]
    if isinstance(data, str):
        if text := data.strip():
            yield text, line
        return
    for item in data or ():
        yield from _texts(item, item.line)


# Fields in lines of text: `**Status:** x`, `Status: x`, bullets, tables, quotes, and the first line
# of a status section.

_KEY_LENGTH = 40
"""Maximum characters of a key; more of them before a colon are a sentence."""
_PAIR = 2
_MOST_FIELDS = 16
"""Maximum fields of one line; each one scans the rest of the line again."""
_LIST_MARK = r"(?:[-*+] |\d+[.)]\s)"
_LINK_DEFINITION = r"\[[^\]]+\]:\s*<?(?:#|\.{0,2}/|\w+:)"
_RULE_ROW = r"[\s|:-]+$"
_AROUND = " \t*_`·,/|\\"
_DATE = r"(?:\b(\d{4})[-./](\d{1,2})[-./](\d{1,2})\b|\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b)"
_DATED = rf"(?:\W*\w+)?\W*{_DATE}"
"""An entry of a log: a date, or one word and a date."""
_BEGINS_WITH_DATE = rf"\W*(?:{_DATE})[\s:–—-]+\S"
_BOX = r"\s*[-*+]\s+\[([ xX])\]\s+(.*\S)"

Pairs = list[tuple[str, str]]


def text_fields(doc: AdrDocument, start: int, stop: int) -> dict[str, Field]:
    """Return the `key: value` lines between two offsets."""
    fields: dict[str, Field] = {}
    lines = doc.prose_markup[start:stop].decode().split("\n")
    for number, shown in enumerate(doc.markup[start:stop].decode().split("\n")):
        # A quote is not prose, but may be a header.
        if not lines[number].strip() and shown.lstrip().startswith(">"):
            lines[number] = shown.lstrip("> ")
    lines = list(map(unescape, lines))
    first = doc.line_at(start)
    for number, line in enumerate(lines):
        has_colon = ":" in line or "：" in line
        if "|" in line and (not has_colon or line.lstrip().startswith("|")):
            pairs = _row(lines, number)
        elif has_colon:
            pairs = _pairs(line.replace("|", " "))
        else:
            continue
        for key, value in pairs:
            name = field_name(key)
            if value and name not in fields:
                fields[name] = Field((value,), first + number)
    return fields


def _pairs(line: str) -> Pairs:
    """Return the fields of a line.

    `Status: Accepted Date: 2025-12-29 …`: a value ends where the next known field begins.
    """
    rest = line.lstrip()
    if re.match(_LINK_DEFINITION, rest):
        return []
    rest = re.sub(f"^{_LIST_MARK}", "", rest).lstrip()
    # Chinese and Japanese texts have a full-width colon.
    rest = rest.replace("**", "").replace("__", "").replace("：", ": ")
    pairs: Pairs = []
    for _ in range(_MOST_FIELDS):
        key, _colon, value = rest.partition(":")
        key = key.strip(" *_`[]")
        if not key or len(key) > _KEY_LENGTH or key[0] == "#":
            break
        value, rest = until_next_field(value)
        pairs.append((key, value.strip(_AROUND)))
        if not rest or field_name(key) not in FIELDS:
            break
    return pairs


def until_next_field(value: str) -> tuple[str, str]:
    """Return a value up to the next known field, and the rest of the line from there."""
    if ":" not in value:
        return value, ""
    words = value.split(" ")
    for index, word in enumerate(words):
        if not word.endswith(":"):
            continue
        # A key may have two words: `Decision date:`.
        if index and _is_field(f"{words[index - 1]} {word[:-1]}"):
            return " ".join(words[: index - 1]), " ".join(words[index - 1 :])
        if _is_field(word[:-1]):
            return " ".join(words[:index]), " ".join(words[index:])
    return value, ""


def _is_field(key: str) -> bool:
    return field_name(key) in FIELDS


def _row(lines: list[str], number: int) -> Pairs:
    """Return the fields of a table row.

    A row has keys and values in turn, or it is a head of field names.
    """
    cells = _cells(lines[number])
    if len(cells) < _PAIR or re.match(_RULE_ROW, lines[number]):
        return []
    are_fields = list(map(_is_field, cells[:4]))
    if are_fields[:2] == [True, True]:
        # The head has field names. The last row has the values, since it is the newest.
        is_first_row = not number or "|" not in lines[number - 1]
        rows = [*takewhile(lambda line: "|" in line, lines[number + 1 :])] if is_first_row else []
        return list(zip(cells, _cells(rows[-1]), strict=False)) if len(rows) >= _PAIR else []
    if are_fields == [True, False, True, False]:
        return list(zip(cells[::2], cells[1::2], strict=False))
    is_head = re.match(_RULE_ROW, "".join(lines[number + 1 : number + 2]))
    if is_head and len(cells) > _PAIR:
        return []
    return [(cells[0], cells[1])]


def _cells(line: str) -> list[str]:
    return [cell.strip().strip("*_`: ") for cell in line.strip().strip("|").split("|")]


def in_title(doc: AdrDocument, section: Section) -> Field | None:
    """Return the status in a heading: `## Status: Accepted`.

    A status line is also a heading if there is a line of hyphens below it.
    """
    value = section.title.partition(":")[2].strip()
    if not value:
        return None
    status, _ = until_next_field(value)
    return Field((status.strip(_AROUND),), doc.line_at(section.heading_start))


def first_line(doc: AdrDocument, section: Section) -> Field | None:
    """Return the status of a status section: the latest entry of a dated log (`- 2024-05-01:
    accepted`), else its first line.
    """
    first = doc.line_at(section.start)
    text = doc.prose_markup[section.start : section.own_stop].decode()
    lines = text.split("\n")
    # Some templates have a task list of all statuses.
    boxes = _boxes(lines, first) if "[" in text else None
    above = [*filter(None, map(_entry, lines[: boxes.line - first]))] if boxes else []
    # Boxes below a line that says the status are tasks, not a choice.
    is_stated = above and "[" not in above[0] and statuses().read(above[0]) is not None
    if boxes and not is_stated:
        return boxes
    has_dates = any(map(str.isdigit, text))
    entries: list[Field] = []
    for number, line in enumerate(lines):
        entry = _entry(line)
        if entry is None:
            continue
        entries.append(Field((entry,), first + number))
        if not has_dates:
            return entries[0]
    return _latest(entries)


def _entry(line: str) -> str | None:
    """Return the text of a line of a status section, None for a date, a rule or a blank line."""
    plain = line.strip().lstrip("-*+> ").strip()
    if not plain or re.match(_RULE_ROW, plain):
        return None
    if plain.casefold().startswith(("date:", "datum:")):
        return None
    if plain.startswith("|"):
        plain = plain.replace("|", " ")
    return " ".join(plain.strip("* _`").split())


def _boxes(lines: list[str], first: int) -> Field | None:
    """Return the ticked entries of a status with a box for each choice: `- [x] accepted`.

    Without a tick, return all of them: the author has not chosen yet.
    """
    matches = ((number, re.match(_BOX, line)) for number, line in enumerate(lines, first))
    boxes = [(number, match) for number, match in matches if match]
    ticked = [(number, match) for number, match in boxes if match[1] != " "]
    chosen = ticked or boxes
    if not chosen:
        return None
    text = " | ".join(match[2].strip("* _`") for _, match in chosen)
    return Field((text,), chosen[0][0])


def _latest(entries: list[Field]) -> Field | None:
    """Return the entry of a log with the latest date that names a status, else the first.

    A log has two dates, or begins with one. Of two entries with one date, the later one counts.
    """
    dated = [(_day(entry.text), entry) for entry in entries if re.match(_DATED, entry.text)]
    is_log = len(dated) > 1 or any(re.match(_BEGINS_WITH_DATE, entry.text) for _, entry in dated)
    latest_day: tuple[int, ...] = ()
    latest = entries[0] if entries else None
    for day, entry in dated if is_log else ():
        if day >= latest_day and statuses().read(entry.text):
            latest_day, latest = day, entry
    return latest


def _day(text: str) -> tuple[int, ...]:
    """Return year, month and day of the first date in a text, () without one."""
    match = re.search(_DATE, text)
    if not match:
        return ()
    if match[1]:
        return int(match[1]), int(match[2]), int(match[3])
    return int(match[6]), int(match[5]), int(match[4])
