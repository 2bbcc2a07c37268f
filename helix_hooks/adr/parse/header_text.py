"""Header fields outside YAML: `**Status:** x`, `Status: x`, bullets, tables, quotes, and the first
line of a status section.
"""

import re
from collections.abc import Iterator
from itertools import takewhile

from ..names.aliases import FIELDS
from ..names.field import Field, field_name
from ..names.status import statuses
from .document import AdrDocument, Section

_KEY_LENGTH = 40
_PAIR = 2
_MOST_FIELDS = 16
"""Maximum fields of one line; each costs another look at its rest."""
_BULLETS = ("- ", "* ", "+ ")
_NUMBER = r"\d+[.)]\s"
_LINK_DEFINITION = r"\[[^\]]+\]:\s*<?(?:#|\.{0,2}/|\w+:)"
_RULE_ROW = r"[\s|:-]+$"
_AROUND = " \t*_`·,/|\\"
_DATE = r"(?:\b(\d{4})[-./](\d{1,2})[-./](\d{1,2})\b|\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b)"

Pairs = list[tuple[str, str]]


def text_fields(doc: AdrDocument, start: int, stop: int) -> tuple[dict[str, Field], str]:
    """The `key: value` lines between two offsets, and the style the status has there."""
    fields: dict[str, Field] = {}
    style = ""
    text = doc.prose_markup[start:stop]
    quoted = doc.data.find(b">", start, stop) >= 0 and re.search(
        rb"(?m)^ {0,3}>", doc.markup[start:stop]
    )
    if not quoted and b":" not in text and b"|" not in text and b"\xef\xbc\x9a" not in text:
        return fields, style
    first = doc.line_at(start)
    lines = text.decode().split("\n")
    if quoted:
        lines = [
            _unquoted(line, shown)
            for line, shown in zip(lines, doc.markup[start:stop].decode().split("\n"), strict=True)
        ]
    if b"&" in text:
        from html import unescape

        lines = [unescape(line) if "&" in line else line for line in lines]
    for number, line in enumerate(lines):
        if ":" not in line and "|" not in line and "：" not in line:
            continue
        pairs, kind = _line(lines, number, line)
        for key, value in pairs:
            name = field_name(key)
            if value and name not in fields:
                fields[name] = Field((value,), first + number)
                if name == "status":
                    style = kind
    return fields, style


def _unquoted(line: str, shown: str) -> str:
    """Return a line without quote marks: quotes are no prose, but a header may stand in one."""
    return shown.lstrip("> ") if shown.lstrip().startswith(">") and not line.strip() else line


def _line(lines: list[str], number: int, line: str) -> tuple[Pairs, str]:
    colon = ":" in line or "：" in line
    if "|" in line and not (colon and not line.lstrip().startswith("|")):
        return _row(lines, number), "table"
    return _pairs(line.replace("|", " ")) if colon else ([], "")


def _pairs(line: str) -> tuple[Pairs, str]:
    rest = line.lstrip()
    if rest[:1] == "[" and re.match(_LINK_DEFINITION, rest):
        return [], ""
    mark = _list_mark(rest)
    rest = rest[len(mark) :].lstrip()
    style = "bold" if "*" in rest[:3] or "_" in rest[:3] else "line"
    if mark:
        style = "bullet"
    rest = rest.replace("**", "").replace("__", "").replace("：", ": ")
    return list(_split(rest)), style


def _list_mark(rest: str) -> str:
    """Return the bullet or number with which a line begins, "" without one."""
    if rest[:2] in _BULLETS:
        return rest[:2]
    match = re.match(_NUMBER, rest) if rest[:1].isdigit() else None
    return match[0] if match else ""


def _split(rest: str) -> Iterator[tuple[str, str]]:
    """Split `Status: Accepted Date: 2025-12-29 …`: a value ends where the next known field
    begins.
    """
    for _ in range(_MOST_FIELDS):
        key, _colon, value = rest.partition(":")
        key = key.strip(" *_`[]")
        if not key or len(key) > _KEY_LENGTH or key[0] == "#":
            return
        value, rest = until_next_field(value)
        yield key, value.strip(_AROUND)
        if not rest or field_name(key) not in FIELDS:
            return


def until_next_field(value: str) -> tuple[str, str]:
    """A value cut where the next known field begins, and the rest from there on."""
    if ":" not in value:
        return value, ""
    words = value.split(" ")
    for index, word in enumerate(words):
        if word.endswith(":"):
            pair = " ".join(words[max(0, index - 1) : index + 1])
            if index and field_name(pair[:-1]) in FIELDS:
                return " ".join(words[: index - 1]), " ".join(words[index - 1 :])
            if field_name(word[:-1]) in FIELDS:
                return " ".join(words[:index]), " ".join(words[index:])
    return value, ""


def _row(lines: list[str], number: int) -> Pairs:
    """Return the fields of a table row.

    A row has keys and values in turn. Below a first row of field names, the last row has the
    values, since it is the newest.
    """
    cells = _cells(lines[number])
    if len(cells) < 2 or re.match(_RULE_ROW, lines[number]):
        return []
    if field_name(cells[0]) in FIELDS and field_name(cells[1]) in FIELDS:
        if number and "|" in lines[number - 1]:
            return []
        rows = _below(lines, number)
        return list(zip(cells, _cells(rows[-1]), strict=False)) if len(rows) > 1 else []
    paired = [field_name(cell) in FIELDS for cell in cells[:4]] == [True, False, True, False]
    heading = len(cells) > _PAIR and re.match(_RULE_ROW, "".join(lines[number + 1 : number + 2]))
    if heading and not paired:
        return []
    return list(zip(cells[::2], cells[1::2], strict=False)) if paired else [(cells[0], cells[1])]


def _below(lines: list[str], number: int) -> list[str]:
    return list(takewhile(lambda line: "|" in line, lines[number + 1 :]))


def _status_column(lines: list[str], number: int) -> str:
    """Return the value of the last row in the column Status of a table."""
    below = _below(lines, number)
    names = [field_name(cell) for cell in _cells(lines[number])]
    if (
        len(below) < _PAIR
        or len(names) < _PAIR
        or "status" not in names
        or not re.match(_RULE_ROW, below[0])
    ):
        return ""
    last = _cells(below[-1])
    return last[names.index("status")] if len(last) == len(names) else ""


def _cells(line: str) -> list[str]:
    return [cell.strip().strip("*_`: ") for cell in line.strip().strip("|").split("|")]


def in_title(doc: AdrDocument, section: Section) -> Field | None:
    """`## Status: Accepted`, or a status line that the rule beneath it made a heading."""
    value = section.title.partition(":")[2].strip()
    return (
        Field((until_next_field(value)[0].strip(_AROUND),), doc.line_at(section.heading_start))
        if value
        else None
    )


def first_line(doc: AdrDocument, section: Section) -> Field | None:
    """Return the status of a status section: the latest entry of a dated log (`- 2024-05-01:
    accepted`), else its first line.
    """
    first = doc.line_at(section.start)
    found: list[Field] = []
    text = doc.prose_markup[section.start : section.own_stop].decode()
    logged = any(character.isdigit() for character in text)
    lines = text.split("\n")
    if "[" in text and (boxes := _boxes(lines, first)):
        return boxes
    for number, line in enumerate(lines):
        first_row = "|" in line and not found and not (number and "|" in lines[number - 1])
        if first_row and (status := _status_column(lines, number)):
            return Field((status,), first + number + len(_below(lines, number)))
        plain = line.strip().lstrip("-*+> ").strip()
        if (
            plain
            and not re.match(_RULE_ROW, plain)
            and not plain.casefold().startswith(("date:", "datum:"))
        ):
            cells = plain.replace("|", " ") if plain.startswith("|") else plain
            found.append(Field((" ".join(cells.strip("* _`").split()),), first + number))
            if not logged:
                break
    return _latest(found) if logged else next(iter(found), None)


def _boxes(lines: list[str], first: int) -> Field | None:
    """Return the ticked entries of a status that is chosen by boxes: `- [x] accepted`.

    Without a tick all of them are returned, as a choice that nobody has made.
    """
    found = [(number, match) for number, line in enumerate(lines) if (match := _box(line))]
    ticked = [item for item in found if item[1][1] != " "]
    chosen = ticked or found
    if not chosen:
        return None
    text = " | ".join(match[2].strip("* _`") for _, match in chosen)
    return Field((text,), first + chosen[0][0])


def _box(line: str) -> re.Match[str] | None:
    return re.match(r"\s*[-*+]\s+\[([ xX])\]\s+(.*\S)", line)


def _latest(entries: list[Field]) -> Field | None:
    """Return the entry of a log with the latest date that names a status, else the first.

    A log has two dates, or begins with one.
    """
    dated = [
        (day, entry)
        for entry in entries
        if re.match(rf"(?:\W*\w+)?\W*{_DATE}", entry.text) and (day := _day(entry.text))
    ]
    log = len(dated) > 1 or any(
        re.match(rf"\W*(?:{_DATE})[\s:–—-]+\S", entry.text) for _, entry in dated
    )
    dated = [item for item in dated if statuses().read(item[1].text)] if log else []
    if not dated:
        return next(iter(entries), None)
    return max(enumerate(dated), key=lambda item: (item[1][0], item[0]))[1][1]


def _day(text: str) -> tuple[int, ...] | None:
    match = re.search(_DATE, text)
    if not match:
        return None
    year, month, day, other_day, other_month, other_year = match.groups()
    return (
        (int(year), int(month), int(day))
        if year
        else (int(other_year), int(other_month), int(other_day))
    )
