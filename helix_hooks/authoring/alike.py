"""A skeleton in the form of the newest ADRs: title, header, sections. Pure."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..adr.model import Adr
from ..adr.names.field import field_name
from ..adr.names.number import number_in_path
from ..paths import without_suffix

_NEWEST = 5
"""Number of neighbours whose sections are compared."""
_FEWEST = 3
"""Number of neighbours from which their sections are taken as the form of the team."""
_SHARE = 0.6
"""Share of these neighbours that must have a section for it to belong to the form."""
_BLANK = "TODO"
_NUMBERS = frozenset(("adr_id", "id", "number", "nav_order"))
"""Keys of a YAML header whose value may be the number of the ADR; Jekyll sorts by nav_order."""

_NO_TEXT = "{Say here what belongs in this section.}"
_IN_TITLE = re.compile(r"(\W*(?:[A-Za-z]+[-_ #]*)?)(\d{1,6})(\s*[-–—:.)]*\s+|\s*[-–—:.)]+\s*)")
_KEY_LINE = re.compile(
    r"([\s>*+_-]{0,12})([^\W\d_][\w -]{0,40}?)([*_]{0,3} ?[:：][*_]{0,3} ?)"
    r"(.*?)([*_]{0,3} {0,2}\\?)$"
)
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


class Parts(NamedTuple):
    """The sections of a skeleton (title and text) without the status section, and its status."""

    sections: tuple[tuple[str, str], ...]
    status: str


def in_form_of(text: str, newest: Sequence[Adr], facts: NewAdrFacts) -> str:
    """Return a packaged skeleton in the form of the newest ADRs (oldest first)."""
    readable = [adr for adr in newest if adr.doc.title]
    if not readable:
        return text
    parts = _parts(text)
    model = _model(readable)
    level = Counter(adr.level for adr in readable).most_common(1)[0][0]
    sections = _sections(parts, readable)
    front, preamble = _header(parts, model, readable, facts)
    # A status in a table becomes a section: tables have too many forms to write one.
    if model.header.style in ("section", "table"):
        sections = _with_status(parts, model, sections)
    if front:
        front = ["---", *front, "---"]
    blocks = [*_block(front), *_block([f"# {_title(model, facts)}"]), *_block(preamble)]
    marks = "#" * level
    blocks += [f"{marks} {title}\n\n{body}\n" for title, body in sections]
    return "\n".join(blocks)


def _block(lines: list[str]) -> list[str]:
    """Return lines as a list of one text that ends with a line end; empty without lines."""
    if not lines:
        return []
    return ["".join(f"{line}\n" for line in lines)]


def _model(newest: Sequence[Adr]) -> Adr:
    """Return the newest ADR of the usual style of header."""
    style, _ = Counter(adr.header.style for adr in newest[-_NEWEST:]).most_common(1)[0]
    return next(adr for adr in reversed(newest) if adr.header.style == style)


def _parts(text: str) -> Parts:
    header, _, rest = f"\n{text}".partition("\n# ")
    sections: list[tuple[str, str]] = []
    for block in re.split(r"(?m)^## ", rest)[1:]:
        name, _, body = block.partition("\n")
        sections.append((name, body.strip("\n")))
    status = re.search(r"(?m)^status: *(\S.*)", header)
    if status:
        return Parts(tuple(sections), status[1])
    if not sections:
        return Parts((), "Proposed")
    # The packaged templates without a status in the header have it in their first section.
    return Parts(tuple(sections[1:]), sections[0][1])


def _title(model: Adr, facts: NewAdrFacts) -> str:
    """Return the title, with its number if the title of the model has the model's own number."""
    above = ""
    if model.doc.title:
        above = model.doc.title.title
    numbered = _IN_TITLE.match(above)
    own = number_in_path(model.doc.path)
    if not numbered or own is None or int(numbered[2]) != own or not facts.number.isdigit():
        return facts.title
    number = str(int(facts.number)).zfill(len(numbered[2]))
    return f"{numbered[1]}{number}{numbered[3]}{facts.title}"


def _sections(parts: Parts, newest: Sequence[Adr]) -> list[tuple[str, str]]:
    """Return the sections that most of the newest ADRs have, in the order of the last one."""
    packaged = list(parts.sections)
    recent = newest[-_NEWEST:]
    if len(recent) < _FEWEST:
        return packaged
    titles = _common_titles(recent)
    meanings = recent[-1].meanings
    if not any("decision" in meanings.of(title) for title in titles):
        return packaged
    bodies: dict[str, str] = {}
    for title, body in packaged:
        bodies.update(dict.fromkeys(meanings.of(title), body))
    return [(title, _body(meanings.of(title), bodies)) for title in titles]


def _common_titles(recent: Sequence[Adr]) -> list[str]:
    """Return the section titles that most ADRs have: those of the last one first."""
    titles = [list(dict.fromkeys(_titles(adr))) for adr in recent]
    counts: Counter[str] = Counter()
    for names in titles:
        counts.update(names)
    common: dict[str, None] = {}
    for names in (titles[-1], *titles):
        common.update((name, None) for name in names if counts[name] >= _SHARE * len(recent))
    return list(common)


def _body(meanings: Sequence[str], bodies: dict[str, str]) -> str:
    """Return the packaged text of a section, and remove it: each text is used once."""
    for meaning in meanings:
        if meaning in bodies:
            return bodies.pop(meaning)
    return _NO_TEXT


def _titles(adr: Adr) -> Iterator[str]:
    """Yield the titles of the sections of an ADR, without the status section."""
    for section in adr.doc.sections:
        is_status = "status" in adr.meanings.of(section.title)
        if section.level == adr.level and section.title and not is_status:
            yield section.title


def _with_status(
    parts: Parts, model: Adr, sections: list[tuple[str, str]]
) -> list[tuple[str, str]]:
    """Return the sections below a status section, which has the title of the model's."""
    titles = (section.title for section in model.doc.sections)
    named = (title for title in titles if "status" in model.meanings.of(title))
    return [(next(named, "Status"), _status(parts, model)), *sections]


def _status(parts: Parts, model: Adr) -> str:
    """Return the first status of the template, in the case of the model's."""
    word = model.header.text("status").lstrip("*_`")[:1]
    if word.islower():
        return parts.status.lower()
    return parts.status.capitalize()


def _header(
    parts: Parts, model: Adr, newest: Sequence[Adr], facts: NewAdrFacts
) -> tuple[list[str], list[str]]:
    """Return the lines of the YAML header, and those below the title."""
    status = _status(parts, model)
    front: list[str] = []
    if model.doc.front:
        front = _front(model, newest, facts, status)
    if model.header.style == "yaml":
        return front, []
    return front, _preamble(model, facts, status)


def _front(model: Adr, newest: Sequence[Adr], facts: NewAdrFacts, status: str) -> list[str]:
    """Return the keys of the model's header, with the values of the new ADR.

    A value that all the newest ADRs have is kept, as in `layout: decision`.
    """
    lines = (model.doc.front or "").split("\n")
    shared = _shared(newest)
    front: list[str] = []
    for line in lines:
        key, colon, rest = line.partition(":")
        if not colon or not re.fullmatch(r"[\w-]+", key):
            continue
        name, value = field_name(key), rest.strip()
        if re.fullmatch(r"(?:supersed|obsolet|replace)\w*", name):
            continue
        if line in shared and name != "status":
            front.append(line)
        else:
            front.append(f"{key}: {_value(name, value, model, facts, status)}".rstrip())
    return front


def _shared(newest: Sequence[Adr]) -> frozenset[str]:
    """Return the lines that all the newest headers have; none if there are fewer than three."""
    fronts = [set((adr.doc.front or "").split("\n")) for adr in newest[-_NEWEST:]]
    if len(fronts) < _FEWEST:
        return frozenset()
    return frozenset(set.intersection(*fronts))


def _value(name: str, value: str, model: Adr, facts: NewAdrFacts, status: str) -> str:
    """Return the value of a key in the form of the model's value."""
    plain = value.strip("\"'")
    if name == "status":
        if value[:1] in "\"'":
            return value.replace(plain, status)
        return status
    if name == "date" or re.fullmatch(r"\d{4}-\d\d-\d\d", plain):
        if plain:
            return value.replace(plain, facts.date)
        return facts.date
    if name == "title":
        return _quoted(facts.title)
    return _value_by_content(name, value, model, facts)


def _value_by_content(name: str, value: str, model: Adr, facts: NewAdrFacts) -> str:
    """Return the name of the new file for that of the model, a number for a number."""
    own = without_suffix(model.doc.path.rpartition("/")[2])
    if facts.stem and own in value:
        return value.replace(own, facts.stem)
    if name in _NUMBERS:
        return _with_number(value, facts.number)
    return _blank(value)


def _quoted(text: str) -> str:
    """Return a text as a YAML scalar in double quotes."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _blank(value: str) -> str:
    """Return a placeholder of the type of a value: a list stays a list."""
    if value.startswith("[") or not value:
        return "[]"
    return _BLANK


def _with_number(value: str, number: str) -> str:
    """Return a value with another number instead of its last one, and as many digits."""
    numbers = [*re.finditer(r"\d+", value)]
    if not numbers:
        return _blank(value)
    last = numbers[-1]
    if not number.isdigit():
        return value
    return f"{value[: last.start()]}{str(int(number)).zfill(len(last[0]))}{value[last.end() :]}"


def _preamble(model: Adr, facts: NewAdrFacts, status: str) -> list[str]:
    """Return the lines of a header below the title: status and date filled in, others blank."""
    title = model.doc.title
    if not title:
        return []
    first = model.doc.line_at(title.heading_start) + 1
    rows = model.doc.texts(set(range(first, first + _HEADER_ROWS)))
    filled = {"status": status, "date": facts.date}
    lines: list[str] = []
    for number in sorted(rows):
        row = rows[number].rstrip("\r")
        field = None if row.startswith("#") or "|" in row else _KEY_LINE.match(row)
        if not field:
            if row.strip():
                break  # a heading, a table or running text ends the header
            continue
        name = field_name(field[2])
        if name not in ("supersedes", "superseded_by"):
            value = filled.get(name, _BLANK)
            lines.append(f"{field[1]}{field[2]}{field[3]}{value}{field[5]}")
    return lines
