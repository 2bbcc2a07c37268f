"""A skeleton in the form of the newest ADRs: title, header, sections. Pure."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..adr.model import Adr
from ..adr.names.field import field_name
from ..adr.names.number import number_in_path

_NEWEST = 5
"""Neighbours whose sections are compared."""
_FEWEST = 3
"""Neighbours that show a form of sections of their own."""
_SHARE = 0.6
"""Share of them that has a section, for it to belong to the form."""
_BLANK = "TODO"
_NO_TEXT = "{Say here what belongs in this section.}"
_IN_TITLE = re.compile(r"(\W*(?:[A-Za-z]+[-_ #]*)?)(\d{1,6})(\s*[-–—:.)]*\s+|\s*[-–—:.)]+\s*)")
_KEY_LINE = re.compile(
    r"([\s>*+_-]{0,12})([^\W\d_][\w -]{0,40}?)([*_]{0,3} ?[:：][*_]{0,3} ?)"
    r"(.*?)([*_]{0,3} {0,2}\\?)$"
)
_HEADER_ROWS = 12
"""Lines below the title in which a header without YAML is looked for."""


class NewAdrFacts(NamedTuple):
    """Facts of the new ADR: number with its digits, title, day as in 2024-05-31, path."""

    number: str
    title: str
    date: str
    path: str = ""

    @property
    def stem(self) -> str:
        """Return the file's name without its ending."""
        return self.path.rpartition("/")[2].removesuffix(".md")


class Parts(NamedTuple):
    """The sections of a skeleton (title and text), without its status, and that status."""

    sections: tuple[tuple[str, str], ...]
    status: str


def in_form_of(text: str, newest: Sequence[Adr], facts: NewAdrFacts) -> str:
    """Return a packaged skeleton as the newest ADRs (oldest first) are written."""
    readable = [adr for adr in newest if adr.doc.title]
    if not readable:
        return text
    parts = _parts(text)
    model = _model(readable)
    level = Counter(adr.level for adr in readable).most_common(1)[0][0]
    sections = _sections(parts, readable)
    front, preamble = _header(parts, model, readable, facts)
    if model.header.style in ("section", "table"):  # a table is not written anew
        sections = _with_status(parts, model, sections)
    heads = [*_block(["---", *front, "---"] if front else [])]
    heads += _block([f"# {_title(model, facts)}"])
    heads += _block(preamble)
    marks = "#" * level
    below = [f"{marks} {title}\n\n{body}\n" for title, body in sections]
    return "\n".join([*heads, *below])


def _block(lines: list[str]) -> list[str]:
    """Return lines as one text that ends with a line end; nothing for none."""
    return ["".join(f"{line}\n" for line in lines)] if lines else []


def _model(newest: Sequence[Adr]) -> Adr:
    """Return the newest ADR of the usual style of header."""
    style, _ = Counter(adr.header.style for adr in newest[-_NEWEST:]).most_common(1)[0]
    return next(adr for adr in reversed(newest) if adr.header.style == style)


def _parts(text: str) -> Parts:
    header, _, rest = f"\n{text}".partition("\n# ")
    split = (block.partition("\n") for block in re.split(r"(?m)^## ", rest)[1:])
    sections = [(name, body.strip("\n")) for name, _, body in split]
    stated = re.search(r"(?m)^status: *(\S.*)", header)
    if stated or not sections:
        return Parts(tuple(sections), stated[1] if stated else "Proposed")
    return Parts(tuple(sections[1:]), sections[0][1])


def _title(model: Adr, facts: NewAdrFacts) -> str:
    """Return the title with its number, if that of the model has the model's own number."""
    above = model.doc.title.title if model.doc.title else ""
    numbered = _IN_TITLE.match(above)
    own = number_in_path(model.doc.path)
    if not numbered or own is None or int(numbered[2]) != own or not facts.number.isdigit():
        return facts.title
    number = str(int(facts.number)).zfill(len(numbered[2]))
    return f"{numbered[1]}{number}{numbered[3]}{facts.title}"


def _sections(parts: Parts, newest: Sequence[Adr]) -> list[tuple[str, str]]:
    """Return the sections that most of the newest ADRs have, in the order of the last one."""
    usual = list(parts.sections)
    recent = newest[-_NEWEST:]
    if len(recent) < _FEWEST:
        return usual
    titles = [list(dict.fromkeys(_titles(adr))) for adr in recent]
    counts = Counter(title for names in titles for title in names)
    common = {title for title, count in counts.items() if count >= _SHARE * len(recent)}
    order = [title for title in titles[-1] if title in common]
    order += [title for names in titles for title in names if title in common]
    names = list(dict.fromkeys(order))
    meanings = recent[-1].meanings
    bodies = {meaning: body for title, body in usual for meaning in meanings.of(title)}
    if not any("decision" in meanings.of(title) for title in names):
        return usual
    return [(title, _body(meanings.of(title), bodies)) for title in names]


def _body(meanings: Sequence[str], bodies: dict[str, str]) -> str:
    """Take the packaged text of a section, which is used once."""
    known = next((one for one in meanings if one in bodies), "")
    return bodies.pop(known) if known else _NO_TEXT


def _titles(adr: Adr) -> Iterator[str]:
    for section in adr.doc.sections:
        is_status = "status" in adr.meanings.of(section.title)
        if section.level == adr.level and section.title and not is_status:
            yield section.title


def _with_status(
    parts: Parts, model: Adr, sections: list[tuple[str, str]]
) -> list[tuple[str, str]]:
    titles = (section.title for section in model.doc.sections)
    named = (title for title in titles if "status" in model.meanings.of(title))
    return [(next(named, "Status"), _status(parts, model)), *sections]


def _status(parts: Parts, model: Adr) -> str:
    """Return the first status of the template, in the case of the model's."""
    word = model.header.text("status").lstrip("*_`")[:1]
    return parts.status.lower() if word.islower() else parts.status.capitalize()


def _header(
    parts: Parts, model: Adr, newest: Sequence[Adr], facts: NewAdrFacts
) -> tuple[list[str], list[str]]:
    """Return the lines of the YAML header, and those below the title."""
    status = _status(parts, model)
    front = _front(model, newest, facts, status) if model.doc.front else []
    if model.header.style == "yaml":
        return front, []
    return front, _preamble(model, facts, status)


def _front(model: Adr, newest: Sequence[Adr], facts: NewAdrFacts, status: str) -> list[str]:
    """Return the keys of the model's header, with the new ADR's values.

    A value that the newest ADRs share is taken over, as `layout: decision`.
    """
    lines = (model.doc.front or "").split("\n")
    shared = _shared(newest)
    found: list[str] = []
    for line in lines:
        key, colon, rest = line.partition(":")
        if not colon or not re.fullmatch(r"[\w-]+", key):
            continue
        name, value = field_name(key), rest.strip()
        if re.fullmatch(r"(?:supersed|obsolet|replace)\w*", name):
            continue
        if line in shared and name != "status":
            found.append(line)
            continue
        found.append(f"{key}: {_value(name, value, model, facts, status)}".rstrip())
    return found


def _shared(newest: Sequence[Adr]) -> frozenset[str]:
    """Return the lines that the headers of all the newest ADRs have; none of fewer than three."""
    fronts = [set((adr.doc.front or "").split("\n")) for adr in newest[-_NEWEST:]]
    if len(fronts) < _FEWEST:
        return frozenset()
    return frozenset(set.intersection(*fronts))


def _value(name: str, value: str, model: Adr, facts: NewAdrFacts, status: str) -> str:
    """Return the value of a key in the form that the model's value has."""
    plain = value.strip("\"'")
    if name == "status":
        return value.replace(plain, status) if value[:1] in "\"'" else status
    if name == "date" or re.fullmatch(r"\d{4}-\d\d-\d\d", plain):
        return value.replace(plain, facts.date) if plain else facts.date
    if name == "title":
        return '"' + facts.title.replace("\\", "\\\\").replace('"', '\\"') + '"'
    own = model.doc.path.rpartition("/")[2].removesuffix(".md")
    if facts.stem and own in value:
        return value.replace(own, facts.stem)
    if name in ("adr_id", "id", "number", "nav_order") and re.search(r"\d", plain):
        digits = re.findall(r"\d+", plain)[-1]
        number = str(int(facts.number)).zfill(len(digits)) if facts.number.isdigit() else digits
        return value[::-1].replace(digits[::-1], number[::-1], 1)[::-1]
    return "[]" if value.startswith("[") or not value else _BLANK


def _preamble(model: Adr, facts: NewAdrFacts, status: str) -> list[str]:
    """Return the lines of a header below the title: status and day filled in, others blank."""
    title = model.doc.title
    if not title:
        return []
    first = model.doc.line_at(title.heading_start) + 1
    rows = model.doc.texts(set(range(first, first + _HEADER_ROWS)))
    found: list[str] = []
    for number in sorted(rows):
        row = rows[number].rstrip("\r")
        if row.startswith("#") or "|" in row:
            break
        match = _KEY_LINE.match(row)
        if not match:
            if row.strip():
                break
            continue
        name = field_name(match[2])
        if name in ("supersedes", "superseded_by"):
            continue
        known = {"status": status, "date": facts.date}
        found.append(f"{match[1]}{match[2]}{match[3]}{known.get(name, _BLANK)}{match[5]}")
    return found
