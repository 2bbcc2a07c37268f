"""The text of a new ADR: a template, in the form of the ADRs beside it, or their template file.

The gate reports its blanks until they are filled in.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..adr.blank import is_blank
from ..adr.model import CORE, DECISION, FEWEST, NYGARD, UNKNOWN, Adr, Form, Required, Template
from ..adr.names import field_name, number_in_path
from ..adr.norm import keys_of, lacking, norm
from ..check import files
from ..paths import without_suffix
from .naming import parts

_NEWEST = 5
"""Number of siblings whose style of header counts, and whose equal header lines are copied."""
_FEWEST_SHARED = 3
"""Number of siblings that must have a header line for it to be copied."""
_FEWEST_CRITERIA = 3
_BLANK = "TODO"
_NO_TEXT = "{Say here what belongs in this section.}"
_CRITERION = "- [ ] {Something that can be checked when the work is done}"
_NUMBERS = frozenset(("adr_id", "id", "number", "nav_order"))
"""Keys of a YAML header whose value may be the number of the ADR; Jekyll sorts by nav_order."""
_OF_EACH = frozenset(("adr_id", "title"))
"""Fields that are not counted by the norm; a new ADR has them if its model has them."""
_YEAR_FIRST = r"(?<!\d)(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)"
_YEAR_LAST = r"(?<!\d)(\d{1,2})([-/.] ?)(\d{1,2})\2(\d{4})(?!\d)"
_MOST_MONTHS = 12
_DAY = r"\d{4}-\d\d-\d\d"
_LABEL = r"([\s>*+_-]*([^:：]*)[:：]?[*_]* ?).*?([*_]{0,3} {0,2}\\?)$"
"""The beginning of a line with a field, its label, and the marks at the end of the line."""
_TO_VALUES = 2
"""Number of lines from the head of a table to its first row; between them is the line of dashes."""
_NUMBERED_TITLE = r"(\W*(?:[A-Za-z]+[-_ #]*)?)(\d{1,6})(\s*[-–—:.)]*\s+|\s*[-–—:.)]+\s*)"
_TITLE_TO_FILL = (
    r"(\W*(?:ADR[-_ #]*)?)(?:\d+|N+|X+|x{2,}|n{2,}|NUMBER|[{\[<]\w+[}\]>])(\s*[-–—:.)]+\s+)"
)


Places = dict[int, list[tuple[str, str]]]
"""Name and text of the header fields of an ADR, by their line."""


class NewAdrFacts(NamedTuple):
    """Facts of the new ADR: number with its digits, title, date (as in 2024-05-31) and path."""

    number: str
    title: str
    date: str
    path: str


def from_package(template: str, language: str, facts: NewAdrFacts) -> str:
    """Return the text of a packaged template, with its fields filled in."""
    data = files.packaged(f"templates/{template}/{language}.md") or b""
    text = data.decode().replace("{date}", facts.date).replace("{number}", facts.number)
    header, heading, body = f"\n{text}".partition("\n# ")
    # The title is last, so that a title such as `{date}` stays as it is. In the YAML header it is
    # between double quotes.
    header = header.replace("{title}", _quoted(facts.title)[1:-1])
    body = body.replace("{title}", facts.title)
    return f"{header}{heading}{body}".lstrip("\n")


def from_settings(template: Template, facts: NewAdrFacts) -> str:
    """Return the fields and sections of a template of the settings."""
    values = {
        "adr_id": _quoted(facts.number),
        "title": _quoted(facts.title),
        "date": facts.date,
        "status": _first_status(template),
    }
    header = "".join(f"{name}: {values.get(name, _BLANK)}\n" for name in template.fields)
    if header:
        header = f"---\n{header}---\n\n"

    sections = "".join(
        f"\n## {item.name}\n\n{blank_section(item, template)}\n" for item in template.sections
    )
    return f"{header}# {facts.title}\n{sections}"


def _first_status(template: Template) -> str:
    # A Draft may be left as it is, so it is not the first choice.
    return "Proposed" if "Proposed" in template.statuses else template.statuses[0]


def blank_section(section: Required, template: Template) -> str:
    """Return the text of a section, with blanks that the gate reports until they are filled in."""
    if "status" in section.meanings:
        return _first_status(template)
    if "acceptance-criteria" in section.meanings:
        count = max(_FEWEST_CRITERIA, template.min_acceptance_criteria)
        return "\n".join([_CRITERION] * count)
    return _NO_TEXT


def _quoted(text: str) -> str:
    """Return a text as a YAML scalar in double quotes."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def like_siblings(
    skeleton: str, siblings: Sequence[Adr], file: Adr | None, facts: NewAdrFacts, is_whole: bool
) -> str:
    """Return the text of a new ADR as its siblings are written, oldest first, or as their template
    file.

    `skeleton` is the text of a template, which has the guidance for sections, and is the text
    without siblings. With `is_whole` the new ADR has all of its sections.
    """
    common = norm(siblings, file, fewest=1)
    dates = [adr.header.text("date") for adr in reversed(siblings)]
    facts = facts._replace(date=date_like(dates, facts.date))
    model = None
    if siblings:
        style, _ = Counter(adr.header.style for adr in siblings[-_NEWEST:]).most_common(1)[0]
        usual = [adr for adr in reversed(siblings) if adr.header.style == style]
        model = min(usual, key=lambda adr: len([*lacking(adr, common)]) if common else 0)
    if file and common and common.file:
        return _filled(file, model, facts)
    if not model or not common:
        return skeleton
    writer = _Writer(skeleton, siblings, model, facts)
    fields = {trait.key for trait in common.traits if not trait.form[1]}
    headings = {trait.key: trait.form for trait in common.traits if trait.form[1]}
    wanted = set(headings)
    if is_whole:
        wanted.update(writer.bodies)
    elif model.template.name != UNKNOWN.name:
        if not common.has(DECISION):
            wanted.add(DECISION)
        if common.total < FEWEST:
            # The gate holds the first ADRs to their template.
            wanted |= {"context"}.difference(trait.key for trait in common.traits)
            if model.template.name == NYGARD.name and model.header.style == "none":
                wanted.add("status")
    return writer.text(fields, headings, wanted)


class _Writer:
    """The parts of a new ADR: the header rows of a model with other values, and its sections."""

    def __init__(
        self, skeleton: str, siblings: Sequence[Adr], model: Adr, facts: NewAdrFacts
    ) -> None:
        self.siblings, self.model, self.facts = siblings, model, facts
        self.rows = model.doc.data.decode(errors="replace").splitlines()
        header, _, rest = f"\n{skeleton}".partition("\n# ")
        self.defaults: dict[str, str] = dict(re.findall(r"(?m)^([\w-]+): *(\S.*)$", header))
        headings = [*re.finditer(r"(?ms)^(#+) (.*?)$(.*?)(?=^#+ |\Z)", rest)]
        status = self.defaults.get("status", "Proposed")
        # Templates without a status in the header have it in their first section.
        if headings and "status" not in self.defaults:
            status = headings.pop(0)[3].strip()
        is_lower = model.header.text("status").lstrip("*_`")[:1].islower()
        self.status = status.lower() if is_lower else status.capitalize()
        level = Counter(adr.level for adr in siblings).most_common(1)[0][0]
        first = min((len(heading[1]) for heading in headings), default=0)
        self.forms: dict[str, Form] = {"status": ("Status", level)}
        self.bodies: dict[str, str] = {}
        for heading in headings:
            for key in keys_of(model, heading[2]):
                self.forms[key] = (heading[2], level + len(heading[1]) - first)
                self.bodies[key] = heading[3].strip("\n")

    def text(self, fields: set[str], headings: dict[str, Form], wanted: set[str]) -> str:
        """Return the text with some fields, and the sections of some keys."""
        doc, places = self.model.doc, self._places(fields)
        blocks = [self._front(places), self._below_title(places)]
        if not doc.title and not re.search("(?m)^title:", blocks[0]):
            blocks.insert(1, f"# {_title(self.model, self.facts)}")
        forms, texts = self.forms | headings, dict[Form, str]()
        known = {"status": self.status, "date": self.facts.date}
        written = [[*adr.traits] for adr in (self.model, *reversed(self.siblings))]
        for key in _ordered([*written, [*self.bodies]]):
            if key in wanted:
                texts.setdefault(forms[key], known.get(key) or self.bodies.get(key, _NO_TEXT))
        for (title, level), body in texts.items():
            blocks += [f"{'#' * level} {title}", body]
            section = next((item for item in doc.sections if item.title == title), None)
            if section:
                lines = range(doc.line_at(section.start), doc.line_at(section.own_stop))
                rows = [self._row(line, places[line]) for line in lines if line in places]
                blocks += [row for row in rows if row != self.status]
        text = "\n\n".join(block.strip("\n") for block in blocks if block)
        return re.sub(r"\n{3,}", "\n\n", f"{text}\n")

    def _places(self, fields: set[str]) -> Places:
        """Return name and text of the expected fields of the model, by their line."""
        header = self.model.header
        places: Places = defaultdict(list)
        every = [*header.fields.items(), *(("status", field) for field in header.statuses)]
        for name, field in every:
            row = self.rows[field.line - 1] if field.line <= len(self.rows) else ""
            is_column = row.startswith("|") and field.text not in row
            is_wanted = any(name == key or name.startswith(f"{key}_") for key in fields)
            if row and (is_wanted or is_column or name in _OF_EACH):
                line = field.line + _TO_VALUES if is_column else field.line
                places[line].append((name, field.text))
        return places

    def _front(self, places: Places) -> str:
        """Return the YAML header with the expected fields; "" without one."""
        doc = self.model.doc
        lines = (doc.front or "").split("\n")
        rows: list[str] = []
        inner = 0
        for line, row in enumerate(lines, doc.front_line):
            indent = len(row) - len(row.lstrip())
            if not indent:
                inner = 0
            if line not in places or indent not in (0, inner):
                continue
            below = self.rows[line]
            if not indent and row.endswith(":") and re.match(r" +[\w.-]+:(?: |$)", below):
                inner = len(below) - len(below.lstrip())
                rows.append(row)
            else:
                rows.append(self._row_in_front(row, *places[line][0]))
        names = [field_name(row.partition(":")[0]) for row in rows]
        required = [name for name in self.model.template.fields if name not in names]
        rows += [f"{name}: {self.defaults[name]}" for name in required if name in self.defaults]
        return "\n".join(["---", *rows, "---"]) if rows else ""

    def _below_title(self, places: Places) -> str:
        """Return the title, and the fields above the first section."""
        doc = self.model.doc
        first = doc.line_at(doc.body) if doc.front is not None else 1
        stop = doc.line_at(doc.sections_start) if doc.sections else len(self.rows) + 1
        title = doc.line_at(doc.title.heading_start) if doc.title else 0
        rows: list[str] = []
        for line in range(
            first, max((line for line in (title, *places) if line < stop), default=0) + 1
        ):
            row = self.rows[line - 1]
            if line == title:
                rows += ["", f"# {_title(self.model, self.facts)}", ""]
            elif line in places:
                rows.append(self._row(line, places[line]))
            elif row.startswith("|") or not row.strip():
                rows.append(row.strip())
        return "\n".join(rows)

    def _row(self, line: int, fields: Sequence[tuple[str, str]]) -> str:
        """Return a line below the title with the values of the new ADR."""
        row = self.rows[line - 1]
        if row.startswith("|"):
            for name, text in fields:
                row = row.replace(text, self._value(name, text) or _BLANK, 1)
            return row
        label, before, end = re.findall(_LABEL, row)[0]
        name, text = fields[0]
        value = self._value(name, text)
        if not value:
            is_statement = set(CORE).intersection(self.model.meanings.of(before))
            value = _NO_TEXT if is_statement else _BLANK
        is_open = f"{label}{end}".count("**") % 2
        return f"{label}{value}{'**' * is_open}{end}"

    def _row_in_front(self, row: str, name: str, text: str) -> str:
        """Return a line of the YAML header with the value of the new ADR."""
        key, _, raw = row.partition(":")
        raw = raw.strip()
        default = self.defaults.get(key, "")
        newest = self.siblings[-_NEWEST:]
        is_shared = all(row in (adr.doc.front or "").split("\n") for adr in newest)
        value = self._value(name, text)
        if not value and (name in _NUMBERS or text == str(_number(self.model.doc.path))):
            value = _with_number(text, self.facts.number)
        if name == "title":
            title = self.facts.title if self.model.doc.title else _title(self.model, self.facts)
            raw = _quoted(title)
        elif is_blank(default.strip("\"'")):
            raw = default
        elif value:
            raw = raw.replace(text, value) if text else value
        elif not raw or row.startswith(" ") or not is_shared or len(newest) < _FEWEST_SHARED:
            raw = "[]" if not raw or raw.startswith("[") else _BLANK
        return f"{key}: {raw}"

    def _value(self, name: str, text: str) -> str:
        """Return the value of a field of the new ADR; "" if it is not known."""
        if name == "status":
            return self.status
        if name == "date":
            return self.facts.date
        if re.fullmatch(_DAY, text):
            return date_like([text], self.facts.date)
        paths = (self.model.doc.path, self.facts.path)
        own, new = [without_suffix(path.rpartition("/")[2]) for path in paths]
        return text.replace(own, new) if own in text else ""


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
    rows = doc.data.decode(errors="replace").removeprefix("\ufeff").splitlines()
    front = doc.line_at(doc.body) if doc.front is not None else 0
    number = facts.number
    for name, field in file.header.fields.items():
        row, in_front = rows[field.line - 1], field.line < front
        value = {"date": facts.date}.get(name, "")
        if in_front and name == "title":
            value = _quoted(facts.title)
        elif in_front and name in _NUMBERS:
            value = _with_number(field.text, number) or _quoted(number)
        label = re.match(r"[\s>*+_-]*[^:：]*[:：][*_]*", row)
        if label and value and field.line < doc.line_at(doc.sections_start):
            rows[field.line - 1] = f"{label[0]} {value}"
    if doc.title:
        to_fill = re.match(_TITLE_TO_FILL, doc.title.title)
        title = facts.title
        if model:
            title = _title(model, facts)
        elif to_fill and number.isdigit():
            title = f"{to_fill[1]}{number}{to_fill[2]}{facts.title}"
        rows[doc.line_at(doc.title.heading_start) - 1] = f"# {title}"
    # The tokens of adr-tools.
    text = re.sub(r"(?m)^STATUS$", "Proposed", "\n".join(rows))
    return f"{text}\n"


def _title(model: Adr, facts: NewAdrFacts) -> str:
    """Return the title, with its number if the title of the model has the model's own number."""
    numbered = re.match(_NUMBERED_TITLE, model.doc.title_text or model.header.text("title"))
    if not numbered or int(numbered[2]) != _number(model.doc.path) or not facts.number.isdigit():
        return facts.title
    number = str(int(facts.number)).zfill(len(numbered[2]))
    return f"{numbered[1]}{number}{numbered[3]}{facts.title}"


def _number(path: str) -> int | None:
    """Return the number in the name of an ADR, also behind a date."""
    digits = parts(path)[1].digits
    return int(digits) if digits else number_in_path(path)


def _with_number(value: str, number: str) -> str:
    """Return a value with another number instead of its last one, and as many digits."""
    numbers = [*re.finditer(r"\d+", value)]
    if not numbers or not number.isdigit():
        return ""
    last = numbers[-1]
    return f"{value[: last.start()]}{str(int(number)).zfill(len(last[0]))}{value[last.end() :]}"


def date_like(samples: Sequence[str], today: str) -> str:
    """Return today (as in 2024-05-31) in the form of the first sample that is a date."""
    year, month, day = today.split("-")
    for sample in samples:
        if found := re.search(_YEAR_FIRST, sample):
            sign = found[2]
            return f"{year}{sign}{_like(found[3], month)}{sign}{_like(found[4], day)}"
        if found := re.search(_YEAR_LAST, sample):
            first, sign, second = found[1], found[2], found[3]
            if _is_day_first(samples, sign):
                return f"{_like(first, day)}{sign}{_like(second, month)}{sign}{year}"
            return f"{_like(first, month)}{sign}{_like(second, day)}{sign}{year}"
    return today


def _like(sample: str, number: str) -> str:
    """Return a number of two digits, without its zero if the sample has one digit."""
    return number if len(sample) > 1 else str(int(number))


def _is_day_first(samples: Sequence[str], sign: str) -> bool:
    """Return whether the day is before the month; in doubt, not with slashes."""
    for sample in samples:
        found = re.search(_YEAR_LAST, sample)
        if found and found[2] == sign and max(int(found[1]), int(found[3])) > _MOST_MONTHS:
            return int(found[1]) > _MOST_MONTHS
    return sign != "/"
