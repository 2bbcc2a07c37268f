"""Header fields outside YAML, in lines of text.

They are `**Status:** x`, `Status: x`, bullets, tables, quotes, and the first line of a status
section.
"""

import re
from itertools import takewhile

from ..names.aliases import FIELDS
from ..names.field import Field, field_name
from ..names.status import statuses
from .document import AdrDocument, Section

_KEY_LENGTH = 40
"""Maximum characters of a key; more of them before a colon are a sentence."""
_PAIR = 2
_MOST_FIELDS = 16
"""Maximum fields of one line; each one scans the rest of the line again."""
_LIST_MARK = r"[-*+] |\d+[.)]\s"
_LINK_DEFINITION = r"\[[^\]]+\]:\s*<?(?:#|\.{0,2}/|\w+:)"
_RULE_ROW = r"[\s|:-]+$"
_AROUND = " \t*_`·,/|\\"
_DATE = r"(?:\b(\d{4})[-./](\d{1,2})[-./](\d{1,2})\b|\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b)"
_DATED = rf"(?:\W*\w+)?\W*{_DATE}"
"""An entry of a log: a date, or one word and a date."""
_BEGINS_WITH_DATE = rf"\W*(?:{_DATE})[\s:–—-]+\S"
_BOX = r"\s*[-*+]\s+\[([ xX])\]\s+(.*\S)"

Pairs = list[tuple[str, str]]


def text_fields(doc: AdrDocument, start: int, stop: int) -> tuple[dict[str, Field], str]:
    """Return the `key: value` lines between two offsets, and the style of the status there."""
    fields: dict[str, Field] = {}
    style = ""
    text = doc.prose_markup[start:stop]
    is_quoted = doc.data.find(b">", start, stop) >= 0 and re.search(
        rb"(?m)^ {0,3}>", doc.markup[start:stop]
    )
    if not (is_quoted or b":" in text or b"|" in text or b"\xef\xbc\x9a" in text):
        return fields, style
    lines = text.decode().split("\n")
    if is_quoted:
        shown_lines = doc.markup[start:stop].decode().split("\n")
        lines = list(map(_unquoted, lines, shown_lines))
    if b"&" in text:
        from html import unescape

        lines = list(map(unescape, lines))
    first = doc.line_at(start)
    for number, line in enumerate(lines):
        has_colon = ":" in line or "：" in line
        if "|" in line and (not has_colon or line.lstrip().startswith("|")):
            pairs, line_style = _row(lines, number), "table"
        elif has_colon:
            pairs, line_style = _pairs(line.replace("|", " "))
        else:
            continue
        for key, value in pairs:
            name = field_name(key)
            if value and name not in fields:
                fields[name] = Field((value,), first + number)
                if name == "status":
                    style = line_style
    return fields, style


def _unquoted(line: str, shown: str) -> str:
    """Return a line without quote marks: a quote is not prose, but may be a header.

    `shown` is the line as a reader sees it, while `line` is blank in a quote.
    """
    if line.strip() or not shown.lstrip().startswith(">"):
        return line
    return shown.lstrip("> ")


def _pairs(line: str) -> tuple[Pairs, str]:
    """Return the fields of a line, and their style.

    `Status: Accepted Date: 2025-12-29 …`: a value ends where the next known field begins.
    """
    rest = line.lstrip()
    if rest[:1] == "[" and re.match(_LINK_DEFINITION, rest):
        return [], ""
    style = "line"
    mark = re.match(_LIST_MARK, rest)
    if mark:
        rest = rest[mark.end() :].lstrip()
        style = "bullet"
    elif "*" in rest[:3] or "_" in rest[:3]:
        style = "bold"
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
    return pairs, style


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
        return _columns(lines, number, cells)
    if are_fields == [True, False, True, False]:
        return list(zip(cells[::2], cells[1::2], strict=False))
    is_head = re.match(_RULE_ROW, "".join(lines[number + 1 : number + 2]))
    if is_head and len(cells) > _PAIR:
        return []
    return [(cells[0], cells[1])]


def _columns(lines: list[str], number: int, names: list[str]) -> Pairs:
    """Return the fields of a table with a head of field names.

    The last row has the values, since it is the newest.
    """
    if number and "|" in lines[number - 1]:
        return []  # not the first row
    rows = _below(lines, number)
    if len(rows) < _PAIR:
        return []
    return list(zip(names, _cells(rows[-1]), strict=False))


def _below(lines: list[str], number: int) -> list[str]:
    """Return the rows of a table below a line."""
    return list(takewhile(lambda line: "|" in line, lines[number + 1 :]))


def _status_column(lines: list[str], number: int) -> str:
    """Return the value of the last row in the column Status of a table, "" without one."""
    names = [field_name(cell) for cell in _cells(lines[number])]
    if len(names) < _PAIR or "status" not in names:
        return ""
    below = _below(lines, number)
    if len(below) < _PAIR or not re.match(_RULE_ROW, below[0]):
        return ""
    last = _cells(below[-1])
    if len(last) != len(names):
        return ""
    return last[names.index("status")]


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
    if boxes and not _stated_above(lines[: boxes.line - first]):
        return boxes
    has_dates = any(map(str.isdigit, text))
    entries: list[Field] = []
    for number, line in enumerate(lines):
        is_first_row = "|" in line and not (number and "|" in lines[number - 1])
        if is_first_row and not entries:
            status = _status_column(lines, number)
            if status:
                return Field((status,), first + number + len(_below(lines, number)))
        entry = _entry(line)
        if entry is None:
            continue
        entries.append(Field((entry,), first + number))
        if not has_dates:
            return entries[0]
    return _latest(entries)


def _stated_above(lines: list[str]) -> bool:
    """Return whether a line says the status: the boxes below it are tasks, not a choice."""
    entries = [*filter(None, map(_entry, lines))]
    return bool(entries) and "[" not in entries[0] and statuses().read(entries[0]) is not None


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
    boxes: list[tuple[int, re.Match[str]]] = []
    for number, line in enumerate(lines, first):
        match = re.match(_BOX, line)
        if match:
            boxes.append((number, match))
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
    if not entries:
        return None
    dated = [(_day(entry.text), entry) for entry in entries if re.match(_DATED, entry.text)]
    is_log = len(dated) > 1 or any(re.match(_BEGINS_WITH_DATE, entry.text) for _, entry in dated)
    return _latest_status(dated, entries[0]) if is_log else entries[0]


def _latest_status(dated: list[tuple[tuple[int, ...], Field]], first: Field) -> Field:
    """Return the entry with the latest date that names a status, else the first."""
    words = statuses()
    latest_day: tuple[int, ...] = ()
    latest = first
    for day, entry in dated:
        if day >= latest_day and words.read(entry.text):
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
