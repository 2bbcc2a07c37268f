"""Requirements of a contextual rule: a section, a pattern, keywords in the criteria, mentions.

Pure.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...model import Adr
from ...names.number import linked, named, number, number_in_path, number_in_title
from ...parse.document import Section
from ...parse.prose import length_of
from ...parse.sections import decided
from ...template import Required

LOCATIONS = ("any", "header", "content")
_LOCATION_NAMES = {"any": "the ADR", "content": "the text", "header": "the header"}
_MAX_CHOICES = 4


class Unmet(NamedTuple):
    """A requirement that is not met.

    `line` 0 means the line because of which the rule applies, `severity` "" that of the rule. With
    `general`, the help of the rule replaces `help` if there is one.
    """

    message: str
    subject: str
    help: str = ""
    line: int = 0
    severity: str = ""
    general: bool = False


class Element(NamedTuple):
    """A regular expression, searched without case, and its name in messages, "" for none."""

    pattern: str
    name: str

    @property
    def called(self) -> str:
        return self.name or readable(self.pattern)

    def matches(self, text: str) -> Iterator[re.Match[str]]:
        """Yield the places of a text that match."""
        return re.finditer(self.pattern, text, re.IGNORECASE)


class RequiredSection(NamedTuple):
    """A section, found by meaning at any level, but not in criteria, options and open questions.

    If there are several, one of them must meet everything. `min_length` counts characters of prose.
    `elements` are what its text, code included, must contain; an element of backticks requires a
    code block.
    """

    name: str
    meanings: tuple[str, ...]
    min_length: int
    elements: tuple[Element, ...]

    def unmet(self, adr: Adr) -> Iterator[Unmet]:
        """Yield what the best of the sections lacks."""
        sections = find_sections(adr, self.meanings)
        if sections:
            yield from min((self._in_section(adr, section) for section in sections), key=len)
            return
        name = self.called(adr)
        content = [element.called for element in self.elements]
        if self.min_length:
            content.insert(0, f"{self.min_length} characters of prose")
        contents = f" with {' and '.join(content)}" if content else ""
        yield Unmet(
            message=f"the section '{name}' is missing",
            subject=self.name,
            help=f"add `## {name}`{contents}",
            general=True,
        )

    def called(self, adr: Adr) -> str:
        """Return the name of the section in the language of an ADR."""
        return adr.called(Required(self.name, self.meanings))

    def _in_section(self, adr: Adr, section: Section) -> list[Unmet]:
        doc = adr.doc
        line = doc.line_at(section.heading_start)
        unmet: list[Unmet] = []
        size = length_of(doc, section.start, section.stop, self.min_length)
        if size < self.min_length:
            unmet.append(
                Unmet(
                    message=f"the section '{section.title}' has {size} of at least "
                    f"{self.min_length} characters of prose",
                    subject=f"{self.name} length",
                    help="add more text; code, quotes and comments do not count",
                    line=line,
                )
            )
        text = doc.visible(section.start, section.stop)
        for element in self.elements:
            if set(element.pattern) == {"`"}:
                has_element = any(
                    section.start <= fence.start < section.stop for fence in doc.fences
                )
            else:
                has_element = any(element.matches(text))
            if not has_element:
                unmet.append(
                    Unmet(
                        message=f"the section '{section.title}' lacks {element.called}",
                        subject=f"{self.name} {element.called}",
                        help=f"add {element.called} to it",
                        line=line,
                    )
                )
        return unmet


class ContentPattern(NamedTuple):
    """An element that must occur `min_matches` times.

    `location` is any (header and body), header, content (the body without the title) or a section's
    name. Comments never count; code and quotes count only with `code`. The ADR's own number is not
    a match.
    """

    element: Element
    location: str
    meanings: tuple[str, ...]
    min_matches: int
    code: bool

    def unmet(self, adr: Adr) -> Iterator[Unmet]:
        """Yield the element if it does not occur often enough."""
        own = own_numbers(adr)
        count = 0
        for text in self._texts(adr):
            for match in self.element.matches(text):
                reference = re.match(r"(?:ADR[-_ ]*)?0*(\d{1,6})$", match[0], re.IGNORECASE)
                if reference and int(reference[1]) in own:
                    continue
                count += 1
                if count == self.min_matches:
                    return
        sections = find_sections(adr, self.meanings)
        if self.location in _LOCATION_NAMES:
            place = _LOCATION_NAMES[self.location]
        elif sections:
            place = f"the section '{sections[0].title}'"
        else:
            name = adr.called(Required(self.location.capitalize(), self.meanings))
            place = f"the section '{name}'"
        times = "" if self.min_matches == 1 else f" ({count} found, {self.min_matches} required)"
        yield Unmet(
            message=f"{place} lacks {self.element.called}{times}",
            subject=f"{self.location} {self.element.called}",
            help=f"add text that matches {self.element.called}",
            general=True,
        )

    def _texts(self, adr: Adr) -> Iterator[str]:
        doc = adr.doc
        read = doc.visible if self.code else doc.prose
        if self.location in ("any", "content"):
            if doc.title:
                yield read(doc.body, doc.title.heading_start)
            yield read(_body_start(adr), len(doc.data))
        elif self.location != "header":
            for section in find_sections(adr, self.meanings):
                yield read(section.start, section.stop)
        if self.location not in ("any", "header"):
            return
        if doc.front is not None:
            yield doc.front
        else:
            yield doc.prose(_body_start(adr), doc.sections_start if doc.sections else doc.body)


class CriteriaKeywords(NamedTuple):
    """Beginnings of words; the acceptance criteria must have one; otherwise a warning.

    Not required if the ADR has no section for the criteria.
    """

    words: tuple[str, ...]

    def unmet(self, adr: Adr) -> Iterator[Unmet]:
        """Yield a warning if no criterion has one of the words."""
        sections = adr.h2.get("acceptance-criteria", [])
        if not sections:
            return
        text = "\n".join(adr.doc.prose(section.start, section.stop) for section in sections)
        for word in self.words:
            if re.search(rf"(?<!\w){re.escape(word)}", text, re.IGNORECASE):
                return
        names = " or ".join(f"'{word}'" for word in self.words)
        yield Unmet(
            message=f"no acceptance criterion names {names}",
            subject="acceptance-criteria",
            help=f"add a criterion that names {names}",
            line=adr.doc.line_at(sections[0].heading_start),
            severity="warning",
        )


class Mentions(NamedTuple):
    """ADRs in a header field that the text must refer to, by number or link.

    The address of a web page is not an ADR.
    """

    field: str

    def unmet(self, adr: Adr) -> Iterator[Unmet]:
        """Yield one item for all ADRs that the text does not mention."""
        own = own_numbers(adr)
        items = [item for item in adr.header.items(self.field) if "://" not in item]
        items = [item for item in items if number(item) not in own]
        if not items:
            return
        start = _body_start(adr)
        body = adr.doc.prose(start, len(adr.doc.data))
        numbers = named(body) | linked(adr.doc.prose_markup[start:].decode())
        folded = body.casefold()
        missing = []
        for item in items:
            value = number(item)
            is_named = item.casefold() in folded if value is None else value in numbers
            if not is_named:
                missing.append(item)
        if missing:
            names = ", ".join(f"ADR-{item}" if item.isdigit() else item for item in missing)
            verb = "is" if len(missing) == 1 else "are"
            yield Unmet(
                message=f"{names} {verb} never mentioned in the text",
                subject="\n".join(missing),
                help="say in the text how it is used, or remove it from the header",
            )


Requirement = RequiredSection | ContentPattern | CriteriaKeywords | Mentions
"""`unmet(adr)` yields what is missing, nothing if the requirement is met."""


def find_sections(adr: Adr, meanings: tuple[str, ...]) -> list[Section]:
    """Return the sections of a meaning at any level, without those in criteria, options and open
    questions.
    """
    required = set(meanings)
    return [
        section
        for section in decided(adr.doc.sections, adr.meanings, required)
        if not required.isdisjoint(adr.meanings.all_of(section.title))
    ]


def own_numbers(adr: Adr) -> set[int]:
    """Return the ADR's own numbers in header, title and file name; these are not references."""
    numbers = {number(adr.header.text("adr_id")), number_in_path(adr.doc.path)}
    if adr.doc.title:
        numbers.add(number_in_title(adr.doc.title.title))
    return {own for own in numbers if own is not None}


def readable(pattern: str) -> str:
    r"""Return a regular expression as words for a message: `\b(GET|POST)\b` is "GET or POST"."""
    if set(pattern) == {"`"}:
        return "a code block"
    bare = re.sub(r"\\b|\(\?:|[()^$]", "", pattern)
    if re.search(r"[\\+*?{}\[\]]", bare):
        return f"the pattern {pattern}"
    choices = list(dict.fromkeys(filter(None, map(str.strip, bare.split("|")))))
    if len(choices) > _MAX_CHOICES:
        return f"{', '.join(choices[:_MAX_CHOICES])} …"
    return " or ".join(choices) or pattern


def _body_start(adr: Adr) -> int:
    """Return the offset below the title."""
    return adr.doc.title.start if adr.doc.title else adr.doc.body
