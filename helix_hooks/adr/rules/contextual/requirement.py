"""Requirements of a contextual rule: a section, a pattern, keywords among the criteria,
mentions.
"""

import re
from collections.abc import Iterator

from ....records import NamedTuple
from ...model import Adr
from ...names.number import linked, named, number, number_in_path, number_in_title
from ...parse.document import Section
from ...parse.prose import length_of
from ...parse.sections import decided
from ...template import Required

LOCATIONS = ("any", "header", "content")
_STEM = 6


class Unmet(NamedTuple):
    """A missing thing; `line` 0 means the line that triggered the rule, `severity` "" the rule's
    own.

    `help` holds for this very thing; with `general`, the help of the rule says it better where
    there is one.
    """

    message: str
    help: str = ""
    line: int = 0
    severity: str = ""
    general: bool = False


class Element(NamedTuple):
    """A regular expression, searched without case, and how a message calls it.

    That of a repository's own rules is not `trusted`: what it can cost is bounded, and only the
    beginning of a long text is searched.
    """

    pattern: str
    name: str
    trusted: bool = True

    def found(self, text: str) -> Iterator[re.Match[str]]:
        if self.trusted:
            return re.finditer(self.pattern, text, re.IGNORECASE)
        from .pattern import MOST_READ, bounded

        return bounded(self.pattern).regex.finditer(text, 0, MOST_READ)


class RequiredSection(NamedTuple):
    """A section, found by meaning at any level outside the criteria, options and open questions, of
    which one must satisfy all.

    `min_length` counts characters of prose. `elements` are what its text, code included, must
    contain; an element of backticks asks for a code block.
    """

    name: str
    meanings: tuple[str, ...]
    min_length: int
    elements: tuple[Element, ...]

    def unmet(self, adr: Adr) -> Iterator[Unmet]:
        sections = find_sections(adr, self.meanings)
        if not sections:
            yield self._missing(adr)
            return
        answers = [tuple(self._in_section(adr, section)) for section in sections]
        yield from min(answers, key=len)

    def called(self, adr: Adr) -> str:
        """Return the name of the section in the language of an ADR."""
        return adr.called(Required(self.name, self.meanings))

    def _missing(self, adr: Adr) -> Unmet:
        name = self.called(adr)
        message = f"the section '{name}' is missing"
        stem = re.compile(rf"\b{re.escape(self.name[:_STEM])}", re.IGNORECASE)
        for section in adr.doc.sections:
            if stem.search(section.title) and not adr.meanings.of(section.title):
                line = adr.doc.line_at(section.heading_start)
                return Unmet(
                    message,
                    f"add `## {name}`, or give '{section.title}' in line {line} that name",
                )
        return Unmet(message, f"add `## {name}`{self._wanted()}", general=True)

    def _wanted(self) -> str:
        wanted = [f"{self.min_length} characters of prose"] if self.min_length else []
        wanted += [element.name for element in self.elements]
        return f" with {' and '.join(wanted)}" if wanted else ""

    def _in_section(self, adr: Adr, section: Section) -> Iterator[Unmet]:
        size = length_of(adr.doc, section.start, section.stop, self.min_length)
        if size < self.min_length:
            yield Unmet(
                f"the section '{section.title}' has {size} of at least {self.min_length} "
                "characters of prose",
                "say more in it; code, quotes and comments do not count",
                adr.doc.line_at(section.heading_start),
            )
        text = adr.doc.visible(section.start, section.stop)
        for element in self.elements:
            if not _has_element(adr, section, text, element):
                yield Unmet(
                    f"the section '{section.title}' lacks {element.name}",
                    f"add {element.name} to it",
                    adr.doc.line_at(section.heading_start),
                )


class ContentPattern(NamedTuple):
    """Something that must occur `min_matches` times.

    `location` is any (header and body), header, content (the body without the title) or a section's
    name. Comments never count; code and quotes count only with `code`. The ADR's own number is no
    match.
    """

    element: Element
    location: str
    meanings: tuple[str, ...]
    min_matches: int
    code: bool

    def unmet(self, adr: Adr) -> Iterator[Unmet]:
        found = self._count(adr)
        if found < self.min_matches:
            times = "" if self.min_matches == 1 else f": found {found}, wanted {self.min_matches}"
            yield Unmet(
                f"{self._where(adr)} lacks {self.element.name}{times}",
                f"write about it; {self.element.name} is looked for",
                general=True,
            )

    def _where(self, adr: Adr) -> str:
        known = {"any": "the ADR", "content": "the text", "header": "the header"}
        if self.location in known:
            return known[self.location]
        sections = find_sections(adr, self.meanings)
        asked = Required(self.location.capitalize(), self.meanings)
        return f"the section '{sections[0].title if sections else adr.called(asked)}'"

    def _count(self, adr: Adr) -> int:
        """Count the occurrences of the element, up to the required number."""
        found = 0
        own = own_numbers(adr)
        for text in self._texts(adr):
            for match in self.element.found(text):
                reference = re.match(r"(?:ADR[-_ ]*)?0*(\d{1,6})$", match[0], re.IGNORECASE)
                found += not (reference and int(reference[1]) in own)
                if found == self.min_matches:
                    return found
        return found

    def _texts(self, adr: Adr) -> Iterator[str]:
        doc = adr.doc
        read = doc.visible if self.code else doc.prose
        start = doc.title.start if doc.title else doc.body
        if self.location in ("any", "content"):
            yield read(doc.body, doc.title.heading_start) if doc.title else ""
            yield read(start, len(doc.data))
        elif self.location != "header":
            for section in find_sections(adr, self.meanings):
                yield read(section.start, section.stop)
        if self.location in ("any", "header"):
            stop = doc.sections[0].heading_start if doc.sections else doc.body
            yield doc.front if doc.front is not None else doc.prose(start, stop)


class CriteriaKeywords(NamedTuple):
    """At least one of the words must begin a word in the acceptance criteria; none is a warning.

    Asked only where the ADR has the section.
    """

    words: tuple[str, ...]

    def unmet(self, adr: Adr) -> Iterator[Unmet]:
        sections = adr.h2.get("acceptance-criteria", [])
        if not sections:
            return
        text = "\n".join(adr.doc.prose(section.start, section.stop) for section in sections)
        if not any(
            re.search(rf"(?<!\w){re.escape(word)}", text, re.IGNORECASE) for word in self.words
        ):
            names = " or ".join(f"'{word}'" for word in self.words)
            yield Unmet(
                f"no acceptance criterion names {names}",
                f"add a criterion that names {names}",
                adr.doc.line_at(sections[0].heading_start),
                "warning",
            )


class Mentions(NamedTuple):
    """Every ADR that a header field lists must be referred to in the text, compared by number.

    The address of a web page is not an ADR.
    """

    field: str

    def unmet(self, adr: Adr) -> Iterator[Unmet]:
        doc = adr.doc
        own = own_numbers(adr)
        start = doc.title.start if doc.title else doc.body
        body = doc.prose(start, len(doc.data))
        items = [
            item
            for item in adr.header.items(self.field)
            if "://" not in item and number(item) not in own
        ]
        known = named(body) if items else set()
        folded = body.casefold() if any(number(item) is None for item in items) else ""
        missing = [item for item in items if not _mentioned(item, known, folded)]
        known = linked(doc.prose_markup[start:].decode()) if missing else known
        missing = [_shown(item) for item in missing if not _mentioned(item, known, folded)]
        if missing:
            yield Unmet(
                f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} never "
                "mentioned in the text",
                "say in the text how it is used, or remove it from the header",
            )


Requirement = RequiredSection | ContentPattern | CriteriaKeywords | Mentions
"""`unmet(adr)` yields what is missing, nothing when the requirement is met."""


def find_sections(adr: Adr, meanings: tuple[str, ...]) -> list[Section]:
    """Return the sections of a meaning at any level, without those in criteria, options and open
    questions.
    """
    wanted = set(meanings)
    return [
        section
        for section in decided(adr.doc.sections, adr.meanings, wanted)
        if not wanted.isdisjoint(adr.meanings.all_of(section.title))
    ]


def own_numbers(adr: Adr) -> set[int]:
    """Return the ADR's own numbers in header, title and file name; these are no references."""
    title = number_in_title(adr.doc.title.title) if adr.doc.title else None
    return {
        found
        for found in (number(adr.header.text("adr_id")), title, number_in_path(adr.doc.path))
        if found is not None
    }


def readable(pattern: str) -> str:
    r"""Return a regular expression as words for a message: `\b(GET|POST)\b` is "GET or POST"."""
    if set(pattern) == {"`"}:
        return "a code block"
    bare = re.sub(r"\\b|\(\?:|[()^$]", "", pattern)
    if re.search(r"[\\+*?{}\[\]]", bare):
        return f"the pattern {pattern}"
    shown = [
        choice for choice in dict.fromkeys(choice.strip() for choice in bare.split("|")) if choice
    ]
    if len(shown) > 4:
        return f"{', '.join(shown[:4])} …"
    return " or ".join(shown) or pattern


def _has_element(adr: Adr, section: Section, text: str, element: Element) -> bool:
    if set(element.pattern) == {"`"}:
        return any(section.start <= fence.start < section.stop for fence in adr.doc.fences)
    return any(True for _ in element.found(text))


def _mentioned(item: str, known: set[int], folded: str) -> bool:
    value = number(item)
    return value in known if value is not None else item.casefold() in folded


def _shown(id: str) -> str:
    return f"ADR-{id}" if id.isdigit() else id
