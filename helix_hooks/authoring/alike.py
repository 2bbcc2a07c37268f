"""A new ADR in the form of those beside it: their norm, or their template file. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import NamedTuple

from ..adr.model import Adr
from ..adr.names.aliases import FIELDS
from ..adr.names.blank import is_blank
from ..adr.names.field import field_name
from ..adr.names.number import number_in_path
from ..adr.norm import keys_of, lacking, norm
from ..adr.template import CORE, DECISION, FEWEST, HELIX, NYGARD, UNKNOWN, Form, Norm
from ..paths import without_suffix
from .dates import date_like
from .naming import parts

_NEWEST = 5
"""Number of neighbours whose equal header lines are copied, and whose style of status counts."""
_FEWEST = 3
"""Number of neighbours from which a norm is counted for a new ADR."""
_BLANK = "TODO"
_NUMBERS = frozenset(("adr_id", "id", "number", "nav_order"))
"""Keys of a YAML header whose value may be the number of the ADR; Jekyll sorts by nav_order."""
_OF_EACH = frozenset(("adr_id", "title"))
"""Fields that are not counted by the norm; a new ADR has them if its model has them."""
_RELATIONS = re.compile(r"(?:supersed|obsolet|replace)\w*")

_NO_TEXT = "{Say here what belongs in this section.}"
_IN_TITLE = re.compile(r"(\W*(?:[A-Za-z]+[-_ #]*)?)(\d{1,6})(\s*[-–—:.)]*\s+|\s*[-–—:.)]+\s*)")
_NUMBER_TO_FILL = (
    r"(\W*(?:ADR[-_ #]*)?)(?:\d+|N+|X+|x{2,}|n{2,}|NUMBER|[{\[<]\w+[}\]>])(\s*[-–—:.)]+\s+)"
)
_KEY_LINE = re.compile(
    r"([\s>*+_-]{0,12})([^\W\d_][\w -]{0,40}?)([*_]{0,3} ?[:：][*_]{0,3} ?)"
    r"(.*?)([*_]{0,3} {0,2}\\?)$"
)
_FRONT_LINE = r"( *)([\w.-]+):(.*)"
_RULE_OF_TABLE = r"[\s|:-]+"
_HEADER_ROWS = 12
"""Number of lines below the title in which a header without YAML is looked for."""


class NewAdrFacts(NamedTuple):
    """Facts of the new ADR: number with its digits, title, date (as in 2024-05-31) and path."""

    number: str
    title: str
    date: str
    path: str = ""

    @property
    def stem(self) -> str:
        """Return the name of the file without its extension."""
        return without_suffix(self.path.rpartition("/")[2])


class Beside(NamedTuple):
    """The ADRs beside a new one, oldest first, and their template file.

    `is_whole` tells that the new ADR needs all sections of its skeleton, whatever the others have.
    """

    adrs: Sequence[Adr]
    file: Adr | None = None
    is_whole: bool = False


class _Packaged(NamedTuple):
    """A packaged skeleton: the lines of its YAML header by key, its status, and its sections.

    A section has its title, the levels that it is below the first sections, and its text.
    """

    front: dict[str, str]
    status: str
    sections: tuple[tuple[str, int, str], ...]


def in_form_of(text: str, beside: Beside, facts: NewAdrFacts) -> str:
    """Return a packaged skeleton, or the template file, in the form of the ADRs beside it."""
    common = norm(beside.adrs, beside.file, _FEWEST)
    adrs = beside.adrs
    dates = [adr.header.text("date") for adr in reversed(adrs)]
    facts = facts._replace(date=date_like(dates, facts.date))
    if beside.file and common and common.file:
        return _filled(beside.file, _model(adrs, common) if adrs else None, facts)
    if not adrs or (adrs[-1].template.name == HELIX.name and not common):
        return text
    return _Writer(_packaged(text), beside, common, facts).text()


def _model(adrs: Sequence[Adr], common: Norm | None) -> Adr:
    """Return the ADR of the usual style of header that has most of the norm, the newest of them."""
    style, _ = Counter(adr.header.style for adr in adrs[-_NEWEST:]).most_common(1)[0]
    usual = [adr for adr in reversed(adrs) if adr.header.style == style]
    return min(usual, key=lambda adr: len([*lacking(adr, common)]) if common else 0)


def _packaged(text: str) -> _Packaged:
    header, _, rest = f"\n{text}".partition("\n# ")
    front = dict(re.findall(r"(?m)^([\w-]+): *(\S.*)$", header))
    headings = [*re.finditer(r"(?ms)^(#+) (.*?)$(.*?)(?=^#+ |\Z)", rest)]
    first = min((len(heading[1]) for heading in headings), default=0)
    sections = [
        (heading[2], len(heading[1]) - first, heading[3].strip("\n")) for heading in headings
    ]
    status = front.get("status") or "Proposed"
    # The packaged templates without a status in the header have it in their first section.
    if sections and not front.get("status"):
        status = sections.pop(0)[2]
    return _Packaged(front, status, tuple(sections))


class _Writer:
    """The parts of a new ADR, each in the form of its model."""

    def __init__(
        self, packaged: _Packaged, beside: Beside, common: Norm | None, facts: NewAdrFacts
    ) -> None:
        self.packaged, self.norm, self.facts = packaged, common, facts
        self.adrs, self.is_whole = beside.adrs, beside.is_whole
        self.model = _model(beside.adrs, common)
        self.status = _status(packaged.status, self.model)
        # None without a norm: then the fields are those of the model.
        self.fields: set[str] | None = None
        if common:
            self.fields = {item.key for item in common.traits if not item.form[1]}

    def text(self) -> str:
        """Return the whole text."""
        front = self._front()
        blocks = [_lines(["---", *front, "---"])] if front else []
        # Some teams have the title in the YAML header alone.
        if self.model.doc.title or not any(line.startswith("title:") for line in front):
            blocks.append(f"# {_title(self.model, self.facts)}\n")
        if self.norm or self.model.header.style != "yaml":
            blocks.append(_lines(self._preamble()))
        blocks.append(_lines(self._labels()))
        blocks += [f"{'#' * level} {title}\n\n{body}\n" for title, level, body in self._sections()]
        return "\n".join(re.sub(r"\n{3,}", "\n\n", block) for block in blocks if block)

    def _has_field(self, name: str) -> bool:
        """Return whether a field of the model belongs into the new ADR."""
        if self.fields is None or name in _OF_EACH:
            return True
        return any(key == name or key.startswith(f"{name}_") for key in self.fields)

    def _front(self) -> list[str]:
        """Return the keys of the model's header, with the values of the new ADR.

        A value that all the newest ADRs have is kept, as in `layout: decision`.
        """
        lines = (self.model.doc.front or "").split("\n")
        shared = _shared(self.adrs)
        front: list[str] = []
        above = deeper = ""
        for line, below in zip_longest(lines, lines[1:], fillvalue=""):
            found = re.fullmatch(_FRONT_LINE, line)
            if not found:
                continue
            indent, key, value = found[1], found[2], found[3].strip()
            name = field_name(key)
            if not indent:
                above, parent = name, re.match(_FRONT_LINE, below)
                deeper = parent[1] if parent and not value else ""
            if (
                _RELATIONS.fullmatch(above)
                or not self._has_field(above)
                or indent not in ("", deeper)
            ):
                continue
            default = self.packaged.front.get(key, "")
            if deeper:
                front.append(f"{indent}{key}: {_blank(value)}" if indent else f"{key}:")
            elif is_blank(default.strip("\"'")):
                front.append(f"{key}: {default}")
            elif line in shared and value and name not in ("status", "title"):
                front.append(line)
            else:
                front.append(f"{key}: {self._value(name, value)}".rstrip())
        written = {field_name(line.partition(":")[0]) for line in front}
        missing = [name for name in self.model.template.fields if name not in written]
        values = self.packaged.front
        return [*front, *(f"{name}: {values[name]}" for name in missing if name in values)]

    def _value(self, name: str, value: str) -> str:
        """Return the value of a key in the form of the model's value."""
        plain = value.strip("\"'")
        if name == "status":
            return value.replace(plain, self.status) if value[:1] in "\"'" else self.status
        if name == "date" or re.fullmatch(r"\d{4}-\d\d-\d\d", plain):
            date = date_like([plain], self.facts.date) if plain else self.facts.date
            return value.replace(plain, date) if plain else date
        if name == "title":
            title = self.facts.title if self.model.doc.title else _title(self.model, self.facts)
            return _quoted(title)
        path = self.model.doc.path
        own = without_suffix(path.rpartition("/")[2])
        if self.facts.stem and own in value:
            return value.replace(own, self.facts.stem)
        if name in _NUMBERS or plain == str(_number(path)):
            return _with_number(value, self.facts.number)
        return _blank(value)

    def _preamble(self) -> list[str]:
        """Return the header below the title: status and date filled in, others blank."""
        doc = self.model.doc
        first = doc.line_at(doc.title.heading_start) + 1 if doc.title else doc.line_at(doc.body)
        rows = doc.texts(set(range(first, first + _HEADER_ROWS)))
        lines: list[str] = []
        table: list[str] = []
        for number in sorted(rows):
            row = rows[number].rstrip("\r")
            if row.strip().startswith("|"):
                table.append(row.strip())
                continue
            field = None if row.startswith("#") or "|" in row else _KEY_LINE.match(row)
            if not field:
                if row.strip():
                    break  # a heading or running text ends the header
                if lines:
                    lines.append("")
                continue
            name = field_name(field[2])
            if self._has_field(name) and not _RELATIONS.fullmatch(name):
                lines.append(self._line(field, name))
        return [*_without_end(lines), *self._table(table)]

    def _table(self, rows: list[str]) -> list[str]:
        """Return the table of the header: a row for each field, or a row of values below them."""
        written: list[str] = []
        names: list[str] = []
        for row, below in zip_longest(rows, rows[1:], fillvalue=""):
            cells = [cell.strip() for cell in row.strip("|").split("|")]
            keys = [field_name(cell.strip("*_` ")) for cell in cells]
            is_head = bool(re.fullmatch(_RULE_OF_TABLE, below))
            if names and not re.fullmatch(_RULE_OF_TABLE, row):
                written.append(f"| {' | '.join(map(self._filled, names))} |")
                break
            if is_head and self.model.header.fields.keys() >= {*keys}:
                names = keys
            if names or re.fullmatch(_RULE_OF_TABLE, row) or (is_head and keys[0] not in FIELDS):
                written.append(row)
            elif self._has_field(keys[0]) and not _RELATIONS.fullmatch(keys[0]):
                blanks = " | ".join([self._filled(keys[0]), *cells[2:]])
                written.append(f"| {cells[0]} | {blanks} |")
        return written

    def _line(self, line: re.Match[str], name: str) -> str:
        """Return a line with a field, with the value of the new ADR."""
        value = self._filled(name, line[2])
        is_open = f"{line[1]}{line[3]}{line[5]}".count("**") % 2 == 1
        return f"{line[1]}{line[2]}{line[3]}{value}{'**' if is_open else ''}{line[5]}"

    def _filled(self, name: str, label: str = "") -> str:
        """Return the value of a field outside of YAML, or the blank of a labelled section."""
        blank = _NO_TEXT if set(CORE).intersection(self.model.meanings.of(label)) else _BLANK
        return {"status": self.status, "date": self.facts.date}.get(name, blank)

    def _labels(self) -> list[str]:
        """Return the labels of the text that the norm has, such as `**Decision:** ...`."""
        if not self.norm:
            return []
        text = self.model.doc.prose_markup.decode()
        lines: list[str] = []
        for key, (label, level), *_ in self.norm.traits:
            if level or key not in CORE or key in self.model.header.fields:
                continue
            found = re.search(rf"(?m)^(\W*){re.escape(label)}(\W*?[:：][*_]*)", text)
            start, stop = found.groups() if found else ("", ":")
            value = self.status if key == "status" else _NO_TEXT
            lines += [f"{start.strip()}{label}{stop} {value}", ""]
        return _without_end(lines)

    def _sections(self) -> list[tuple[str, int, str]]:
        """Return the title, level and text of each section, in the order of the newest ADRs."""
        level = Counter(adr.level for adr in self.adrs).most_common(1)[0][0]
        forms: dict[str, Form] = {}
        bodies: dict[str, str] = {}
        order: list[str] = []
        for title, below, body in self.packaged.sections:
            keys = keys_of(self.model, title)
            bodies.update(dict.fromkeys(keys, body))
            forms.update(dict.fromkeys(keys, (title, level + below)))
            order += keys
        wanted = self._wanted(order)
        headings = self._headings()
        forms |= headings
        texts: dict[Form, str] = {}
        written = [[*adr.traits] for adr in (self.model, *reversed(self.adrs))]
        for key in _ordered([key for key in keys if key in wanted] for keys in (*written, order)):
            form = forms.get(key, ("Status", level))
            known = {"status": self.status, "date": self.facts.date}
            texts.setdefault(form, known.get(key) or bodies.get(key, _NO_TEXT))
        return [
            (title, depth, "\n\n".join((text, *self._fields_in(title))))
            for (title, depth), text in texts.items()
        ]

    def _fields_in(self, title: str) -> list[str]:
        """Return the fields that the model has in a section, such as a date below the status."""
        doc = self.model.doc
        section = next((item for item in doc.sections if item.title == title), None)
        if not section:
            return []
        numbers = set(range(doc.line_at(section.start), doc.line_at(section.own_stop)))
        named = {field.line: name for name, field in self.model.header.fields.items()}
        rows = doc.texts(numbers & named.keys())
        lines = {named[number]: _KEY_LINE.match(row) for number, row in sorted(rows.items())}
        return [
            self._line(found, name)
            for name, found in lines.items()
            if found and self._has_field(name) and not _RELATIONS.fullmatch(name)
        ]

    def _headings(self) -> dict[str, Form]:
        """Return the headings of the norm, by key; without a norm the status section."""
        if self.norm:
            return {item.key: item.form for item in self.norm.traits if item.form[1]}
        form = self.model.traits.get("status", ("", 0))
        return {"status": form} if form[1] else {}

    def _wanted(self, packaged: list[str]) -> set[str]:
        """Return the keys of the sections of the new ADR."""
        headings = self._headings()
        if not self.norm or self.is_whole:
            return {*headings, *packaged}
        if not any(level for _, level in headings.values()) and not self.norm.has(DECISION):
            return {*packaged}
        if self.model.template.name == UNKNOWN.name:
            return {*headings}
        wanted = {*headings}
        if not self.norm.has(DECISION):
            wanted.add(DECISION)
        if self.norm.total < FEWEST:
            # The gate holds the first ADRs to their template.
            wanted |= {"context"}.difference(item.key for item in self.norm.traits)
            if self.model.template.name == NYGARD.name and self.model.header.style == "none":
                wanted.add("status")
        return wanted


def _ordered(lists: Iterable[Sequence[str]]) -> list[str]:
    """Return the keys of some lists, each behind the key that it follows in the first list."""
    order: list[str] = []
    for keys in lists:
        place = 0
        for key in keys:
            if key not in order:
                order.insert(place, key)
            place = order.index(key) + 1
    return order


def _filled(file: Adr, model: Adr | None, facts: NewAdrFacts) -> str:
    """Return a template file with title, number and date filled in; its guidance stays."""
    doc = file.doc
    lines = doc.data.decode(errors="replace").removeprefix("\ufeff").splitlines()
    front = doc.line_at(doc.body) if doc.front else 0
    top = doc.line_at(doc.sections[0].heading_start) - 1 if doc.sections else len(lines)
    for number, line in enumerate(lines[:top], 1):
        found = _KEY_LINE.match(line)
        name = field_name(found[2]) if found else ""
        value = {"date": facts.date}.get(name, "")
        if number < front and name == "title":
            value = _quoted(facts.title)
        elif found and number < front and name in _NUMBERS:
            numbered = _with_number(found[4], facts.number)
            value = numbered if re.search(r"\d", numbered) else _quoted(facts.number)
        if found and value:
            lines[number - 1] = f"{found[1]}{found[2]}{found[3].rstrip()} {value}"
    if file.doc.title:
        lines[file.doc.line_at(file.doc.title.heading_start) - 1] = (
            f"# {_title_of_file(file.doc.title.title, model, facts)}"
        )
    # The tokens of adr-tools.
    text = re.sub(r"(?m)^STATUS$", "Proposed", "\n".join(lines))
    return f"{text}\n"


def _title_of_file(title: str, model: Adr | None, facts: NewAdrFacts) -> str:
    """Return the title as the newest ADR writes it, else with a number if the template has one."""
    found = re.match(_NUMBER_TO_FILL, title)
    if model:
        return _title(model, facts)
    if not found or not facts.number.isdigit():
        return facts.title
    return f"{found[1]}{facts.number}{found[2]}{facts.title}"


def _title(model: Adr, facts: NewAdrFacts) -> str:
    """Return the title, with its number if the title of the model has the model's own number."""
    numbered = _IN_TITLE.match(
        model.doc.title.title if model.doc.title else model.header.text("title")
    )
    own = _number(model.doc.path)
    if not numbered or own is None or int(numbered[2]) != own or not facts.number.isdigit():
        return facts.title
    number = str(int(facts.number)).zfill(len(numbered[2]))
    return f"{numbered[1]}{number}{numbered[3]}{facts.title}"


def _number(path: str) -> int | None:
    """Return the number in the name of an ADR, also behind a date."""
    digits = parts(path)[1].digits
    return int(digits) if digits else number_in_path(path)


def _status(status: str, model: Adr) -> str:
    """Return the first status of the template, in the case of the model's."""
    word = model.header.text("status").lstrip("*_`")[:1]
    return status.lower() if word.islower() else status.capitalize()


def _shared(newest: Sequence[Adr]) -> frozenset[str]:
    """Return the lines that all the newest headers have; none if there are fewer than three."""
    fronts = [set((adr.doc.front or "").split("\n")) for adr in newest[-_NEWEST:]]
    if len(fronts) < _FEWEST:
        return frozenset()
    return frozenset(set.intersection(*fronts))


def _blank(value: str) -> str:
    """Return a placeholder of the type of a value: a list stays a list."""
    return "[]" if value.startswith("[") or not value else _BLANK


def _with_number(value: str, number: str) -> str:
    """Return a value with another number instead of its last one, and as many digits."""
    numbers = [*re.finditer(r"\d+", value)]
    if not numbers:
        return _blank(value)
    last = numbers[-1]
    if not number.isdigit():
        return value
    return f"{value[: last.start()]}{str(int(number)).zfill(len(last[0]))}{value[last.end() :]}"


def _quoted(text: str) -> str:
    """Return a text as a YAML scalar in double quotes."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _lines(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _without_end(lines: list[str]) -> list[str]:
    """Return lines without the empty ones at their end."""
    while lines and not lines[-1]:
        lines.pop()
    return lines
