"""Layer 2: if an ADR states something about itself, require something else of it. Pure.

A condition is about the header, or about what the text asserts. A requirement is a section, a
pattern, keywords in the criteria, or mentions of other ADRs.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ....finding import SEVERITIES
from ...model import HELIX, Adr, Required, RuleResult
from ...names import (
    linked,
    named,
    number,
    number_in_path,
    number_in_title,
    says_value,
    words,
)
from ...parse.document import Section
from ...parse.prose import decided, length
from ...parse.visible import Kind, indexes, offset_in
from ...parse.visible import text as text_of

_SUBJECT = 1 << 20
"""A mark for text that names a subject and asserts nothing about it; `visible` uses lower bits."""
_NOT_ASSERTED = Kind.CODE | Kind.SPAN | Kind.QUOTE | Kind.STRUCK | Kind.PICTURE | _SUBJECT
"""Text that asserts nothing.

Text that only some renderers hide is not among it: hiding it must not avoid a rule.
"""


class FieldIs(NamedTuple):
    """A header field has one of the values.

    Values are compared without case and markup. Text after the value does not matter.
    """

    field: str
    values: tuple[str, ...]

    def line(self, adr: Adr) -> int | None:
        field = adr.header.fields.get(self.field)
        if field and any(says_value(text, self.values) for text in field.texts):
            return field.line
        return None


class FieldNotEmpty(NamedTuple):
    """A header field has a value, or with `expected` False has none."""

    field: str
    expected: bool

    def line(self, adr: Adr) -> int | None:
        field = adr.header.fields.get(self.field)
        has_value = bool(field and field.texts)
        if has_value is not self.expected:
            return None
        return field.line if field else adr.header.line


class ContentContains(NamedTuple):
    """The prose asserts one of the phrases.

    Code, comments, quotes and negations do not count. Neither do the title, which names a subject,
    and considered options, since most of them are not chosen. With `must_assert`, definitions do
    not count.
    """

    phrases: tuple[str, ...]
    must_assert: bool = False

    def line(self, adr: Adr) -> int | None:
        doc = adr.doc
        subjects = [
            (section.start, section.stop)
            for section in doc.sections
            if "options" in adr.meanings.of(section.title)
        ]
        if doc.title:
            subjects.append((doc.title.heading_start, doc.title.start))
        runs = list(doc.shown.runs)
        for start, stop in subjects:
            for index in range(*indexes(runs, start, stop)):
                begin, end, piece, kind = runs[index]
                runs[index] = (begin, end, piece, kind | _SUBJECT)
        size = len(doc.data)
        place = says(text_of(runs, 0, size, _NOT_ASSERTED), self.phrases, self.must_assert)
        if place is None:
            return None
        return doc.line_at(offset_in(runs, 0, size, place, _NOT_ASSERTED))


class All(NamedTuple):
    """All conditions are true. Without any condition it is always true."""

    conditions: tuple["Condition", ...]

    def line(self, adr: Adr) -> int | None:
        lines = []
        for condition in self.conditions:
            line = condition.line(adr)
            if line is None:
                return None
            lines.append(line)
        return next(filter(None, lines), adr.title_line)


class AnyOf(NamedTuple):
    """At least one condition is true."""

    conditions: tuple["Condition", ...]

    def line(self, adr: Adr) -> int | None:
        for condition in self.conditions:
            line = condition.line(adr)
            if line is not None:
                return line
        return None


Condition = FieldIs | FieldNotEmpty | ContentContains | All | AnyOf
"""`line(adr)` is the line that makes the condition true; None if it is false."""


def fields_asked(condition: Condition) -> Iterator[FieldIs | FieldNotEmpty]:
    """Yield the conditions on header fields in a condition, at any depth."""
    if isinstance(condition, FieldIs | FieldNotEmpty):
        yield condition
    elif isinstance(condition, All | AnyOf):
        for inner in condition.conditions:
            yield from fields_asked(inner)


# Where a text asserts a phrase: `neu` does not match `erneut`, `API` does not match `Kapitel`, and
# "keine Breaking Changes" negates the phrase.

_ENDINGS = "(?:s|es|e|en|er|em|n)?"
_GAP = "[\\s*_\u2010\u2011-]+"
_NEGATORS = words("denials", "negators")
_AVOIDERS = words("denials", "avoiders")
_DENYING = _NEGATORS | _AVOIDERS | words("denials", "hedges")
_EMPHATIC = words("denials", "emphatic")
_CLAUSE_END = r"[.!?;:|\n](?=\s|$)|\n"
_CONDITION = r"(?:^|\W)(?:if|unless|whenever|when|wenn|falls|sofern)\W[^,]*$"
_UNTICKED = r"\s*(?:[-*+]|\d+[.)])\s+\[ \]"
_NONE_AFTER = (
    r"(?i)[*_\s]*(?:[:|=–—?-]|\n)[*_\s|]*(?:none|nothing|no|not|keine?[rsnm]?|nein|nicht|n/a|0|[–—-])"
    r"(?=[*_]*\s*(?:[.,;!)(|\n]|$|(?:are|is|expected|known|planned|for|in|sind|ist|bekannt|geplant)"
    r"\b))"
)
"""`Breaking changes: none`"""
_DENIED_AFTER = (
    r"(?i)[*_\s]*\n[*_\s]*(?:there|it|this|we|es|wir)\b[^.\n]{0,40}"
    r"\b(?:none|no such|not expect|keine?)\b"
    r"|[*_]*(?:\s+\w+)?\s+(?:are|is|were|will be|do|does|will|sind|ist|werden|wird|gibt es"
    r"|entstehen)\s+(?:not|never|avoided|nicht|keine|vermieden|ausgeschlossen)\b"
)
"""`Breaking changes are not expected`; below a heading: `There are none`."""
_DEFINED = (
    r"(?:^|[,;:—–(]\s*|\b(?:that|so|and|but|because)\s+)"
    r"(?:an?|every|each|any|ein\w*|jede[rs]?)\s"
    r"[^,;:]{1,160}\b(?:is|are|counts?(?: as)?|becomes?|means|ist|gilt als)\s+"
    r"(?:(?:also|always|therefore)\s+)?(?:an?|ein\w*)?\s*$"
)
"""The beginning of a definition: `a renamed field of the API is a …`."""
_PARAGRAPH_END = r"\n\s*\n|\n- |\n \| "
_SENTENCE_END = r"(?<=[.!?])\s+"
_REACH = 3
"""Words before a phrase among which a negation counts."""
_REACH_JOINED = 9
_JOINING = words("denials", "joining")
_CLAUSE = 80
"""Characters around a phrase in which a negation is read."""
_SENTENCE = 240
"""Characters before a phrase in which a definition is read."""


def says(text: str, phrases: tuple[str, ...], must_assert: bool = False) -> int | None:
    """Return the offset at which a text first asserts one of some phrases in lower case.

    None if it does not, or only negated or as a possibility. With `must_assert`, a definition does
    not count.

    Words are matched whole, in any case, with German and English endings, across line breaks and
    emphasis. A negation counts up to three words before the phrase in the same clause, further back
    before the last item of a list, and directly after the phrase (`Breaking changes: none`). A word
    such as "would" counts as a negation. A condition asserts nothing either.
    """
    offsets: list[int] = []
    for phrase in phrases:
        for match in _pattern(phrase).finditer(text):
            start, stop = match.span()
            before, after = text[max(0, start - _SENTENCE) : start], text[stop : stop + _CLAUSE]
            if _is_denied(before[-_CLAUSE:], after) or (must_assert and _is_defined(before)):
                continue
            offsets.append(start)
            break
    return min(offsets, default=None)


@lru_cache(maxsize=256)
def _pattern(phrase: str) -> re.Pattern[str]:
    words = _GAP.join(re.escape(word) for word in phrase.split())
    return re.compile(rf"(?<!\w){words}{_ENDINGS}(?!\w)", re.IGNORECASE)


def _is_denied(before: str, after: str) -> bool:
    if re.match(_NONE_AFTER, after) or re.match(_DENIED_AFTER, after):
        return True
    clause = re.split(_CLAUSE_END, before.replace("’", "'"))[-1].casefold()
    if re.search(_CONDITION, clause):
        return True
    words = re.findall(r"[\w']+", clause)
    words = words[-(_REACH if _JOINING.isdisjoint(words[-1:]) else _REACH_JOINED) :]
    denying = [index for index, word in enumerate(words) if word in _DENYING]
    if not denying:
        return re.match(_UNTICKED, clause) is not None
    if not _EMPHATIC.isdisjoint(words[denying[-1] + 1 :]):
        return False
    # "cannot avoid" and "nicht ohne" say that it comes.
    return _NEGATORS.isdisjoint(words) or _AVOIDERS.isdisjoint(words)


def _is_defined(before: str) -> bool:
    paragraph = re.split(_PARAGRAPH_END, before)[-1].replace("\n", " ").casefold()
    return re.search(_DEFINED, re.split(_SENTENCE_END, paragraph)[-1]) is not None


# Requirements.

LOCATIONS = {"any": "the ADR", "header": "the header", "content": "the text"}


class Element(NamedTuple):
    """A regular expression, searched without case, and its name in messages, "" for none."""

    pattern: str
    name: str

    @property
    def called(self) -> str:
        return self.name or ("a code block" if self.is_fence else f"`{self.pattern}`")

    @property
    def is_fence(self) -> bool:
        return set(self.pattern) == {"`"}

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

    def unmet(self, adr: Adr) -> Iterator[RuleResult]:
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
        message = f"the section '{name}' is missing"
        yield RuleResult(0, message, f"add `## {name}`{contents}", subject=self.name)

    def called(self, adr: Adr) -> str:
        """Return the name of the section in the language of an ADR."""
        return adr.called(Required(self.name, self.meanings))

    def _in_section(self, adr: Adr, section: Section) -> list[RuleResult]:
        doc = adr.doc
        start, stop = section.start, section.stop
        lacking: list[tuple[str, str, str]] = []
        size = length(doc.prose(start, stop), self.min_length)
        if size < self.min_length:
            message = f"has {size} of at least {self.min_length} characters of prose"
            help = "add more text; code, quotes and comments do not count"
            lacking.append((message, help, "length"))
        text = doc.visible(start, stop)
        for element in self.elements:
            if element.is_fence:
                has_element = any(start <= fence.start < stop for fence in doc.fences)
            else:
                has_element = any(element.matches(text))
            if not has_element:
                name = element.called
                lacking.append((f"lacks {name}", f"add {name} to it", name))
        line = doc.line_at(section.heading_start)
        return [
            RuleResult(
                line,
                f"the section '{section.title}' {message}",
                help,
                subject=f"{self.name} {name}",
            )
            for message, help, name in lacking
        ]


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

    def unmet(self, adr: Adr) -> Iterator[RuleResult]:
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
        place = LOCATIONS.get(self.location)
        if not place:
            name = adr.called(Required(self.location.capitalize(), self.meanings))
            place = f"the section '{name}'"
        times = "" if self.min_matches == 1 else f" ({count} found, {self.min_matches} required)"
        name = self.element.called
        yield RuleResult(
            line=0,
            message=f"{place} lacks {name}{times}",
            help=f"add text that matches {name}",
            subject=f"{self.location} {name}",
        )

    def _texts(self, adr: Adr) -> Iterator[str]:
        doc = adr.doc
        read = doc.visible if self.code else doc.prose
        if self.location in ("any", "content"):
            if doc.title:
                yield read(doc.body, doc.title.heading_start)
            yield read(doc.text_start, len(doc.data))
        elif self.location != "header":
            for section in find_sections(adr, self.meanings):
                yield read(section.start, section.stop)
        if self.location not in ("any", "header"):
            return
        if doc.front is not None:
            yield doc.front
        else:
            yield doc.prose(doc.text_start, doc.sections_start if doc.sections else doc.body)


class CriteriaKeywords(NamedTuple):
    """Beginnings of words; the acceptance criteria must have one; otherwise a warning.

    Not required if the ADR has no section for the criteria.
    """

    words: tuple[str, ...]

    def unmet(self, adr: Adr) -> Iterator[RuleResult]:
        """Yield a warning if no criterion has one of the words."""
        sections = adr.h2.get("acceptance-criteria", [])
        if not sections:
            return
        text = "\n".join(adr.doc.prose(section.start, section.stop) for section in sections)
        for word in self.words:
            if re.search(rf"(?<!\w){re.escape(word)}", text, re.IGNORECASE):
                return
        names = " or ".join(f"'{word}'" for word in self.words)
        yield RuleResult(
            line=adr.doc.line_at(sections[0].heading_start),
            message=f"no acceptance criterion names {names}",
            help=f"add a criterion that names {names}",
            severity="warning",
            subject="acceptance-criteria",
        )


class Mentions(NamedTuple):
    """ADRs in a header field that the text must refer to, by number or link.

    The address of a web page is not an ADR.
    """

    field: str

    def unmet(self, adr: Adr) -> Iterator[RuleResult]:
        """Yield one item for all ADRs that the text does not mention."""
        own = own_numbers(adr)
        items = [item for item in adr.header.items(self.field) if "://" not in item]
        items = [item for item in items if number(item) not in own]
        if not items:
            return
        start = adr.doc.text_start
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
            yield RuleResult(
                line=0,
                message=f"{names} {verb} not",
                help="say in the text how it is used, or remove it from the header",
                subject="\n".join(missing),
            )


Requirement = RequiredSection | ContentPattern | CriteriaKeywords | Mentions
"""`unmet(adr)` yields what is missing, nothing if the requirement is met.

Line 0 is the line because of which the rule applies. What is missing there is one finding, with the
help of the rule if it has one.
"""


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


class ContextualRule(NamedTuple):
    """A rule of the rules file.

    It applies if `when` is true, and passes if every requirement is met. `severity_elsewhere` is
    its highest severity in an ADR of another template than helix; "off" lets it apply there only if
    the settings give the rule a severity. The texts of a rule that `is_packaged` name sections in
    the language of the ADR; other texts are printed as written.
    """

    id: str
    name: str
    when: All
    requirements: tuple[Requirement, ...]
    severity: str
    message: str
    help: str = ""
    explanation: str = ""
    severity_elsewhere: str = ""
    layer: str = "rules"
    is_packaged: bool = False

    def unmet(self, adr: Adr, line: int) -> Iterator[RuleResult]:
        """Yield the findings in an ADR to which the rule applies because of a line.

        All unmet requirements that the help of the rule fixes are one finding.
        """
        severity = ""
        if adr.template.name != HELIX.name and self.severity_elsewhere in SEVERITIES:
            severity = self.severity_elsewhere
        results = [item for requirement in self.requirements for item in requirement.unmet(adr)]
        general = [item for item in results if not item.line and self.help]
        if general:
            yield RuleResult(
                line=line,
                message=f"{self.message}: {'; '.join(item.message for item in general)}",
                help=self._help_in(adr),
                severity=severity,
                subject="\n".join(item.subject for item in general),
            )
        for item in results:
            if item not in general:
                yield item._replace(
                    line=item.line or line,
                    message=f"{self.message}: {item.message}",
                    severity=item.severity or severity,
                )

    def _help_in(self, adr: Adr) -> str:
        """Return the help, with the names of required sections in the language of an ADR."""
        help = self.help
        for requirement in self.requirements if self.is_packaged else ():
            if isinstance(requirement, RequiredSection):
                help = help.replace(requirement.name, requirement.called(adr))
        return help
