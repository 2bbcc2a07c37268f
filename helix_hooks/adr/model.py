"""The values of the room: templates and norms, concepts, ADRs, rules, their results, fixes. Pure.

Templates are helix, madr, nygard, and those of a repository's settings. A norm is counted, see
`norm`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain
from typing import Concatenate, Generic, NamedTuple, ParamSpec, Protocol

from ..finding import SEVERITIES, Finding, Severity
from ..text import BYTE_ORDER_MARK
from .names import SECTIONS, STATUSES, Meanings, Statuses, meanings, normalise
from .parse.document import AdrDocument, Section
from .parse.header import Header
from .parse.prose import USUAL

DECISION = "decision"
"""The id of the only section whose absence is always reported."""


MADR_STATUSES = tuple(STATUSES)
"""All known statuses."""


class Required(NamedTuple):
    """A section of a template: the displayed name, and its section ids or normalised names.

    `severity` is the severity of its absence; "" means the severity of the rule.
    """

    name: str
    meanings: tuple[str, ...]
    severity: Severity = ""

    def covers(self, old: "Required") -> bool:
        """Return whether this section is required at least as strictly as another."""
        mine, other = (SEVERITIES.index(item.severity or "error") for item in (self, old))
        is_milder = mine > other
        return self[:2] == old[:2] and not is_milder


FEWEST = 5
"""Number of siblings below which nothing is counted."""
FIRM = 8
"""Number of siblings that must all have a heading or field for its absence to be an error."""
_AS_NEEDED = frozenset(("references", "questions", "changelog", "meta", "summary", "out-of-scope"))
"""Sections that an ADR has if there is something to list there."""
CORE = ("status", "context", "decision", "consequences")
"""Statements of an ADR that count in a heading, a label or the header."""

Form = tuple[str, int]
"""The words of a heading and its level; for a field its name and 0."""


class Trait(NamedTuple):
    """Something that the siblings have: a heading, a header field or a label.

    `key` is its meaning, else the normalised heading or the name of the field. `form` is how most
    siblings write it. `number` counts the siblings that have it; `is_recent` tells whether one
    of the two newest does. `of_file` tells that the template file requires it. `shortest` are the
    visible characters of the shortest section of this heading among all siblings, at most
    `norm.MOST_MEASURED`; 0 if one is empty or has no such section.
    """

    key: str
    form: Form
    number: int
    is_recent: bool
    of_file: bool = False
    shortest: int = 0


def line_of(form: Form) -> str:
    """Return a form as a line of an ADR: `## Context`, `Date:`."""
    name, level = form
    return f"{'#' * level} {name}" if level else f"{name}:"


class Norm(NamedTuple):
    """The requirements of the siblings on a new ADR, in the order in which the newest has them.

    `total` is the number of siblings; `file` is the path of the template file that they follow, ""
    without one. `titles` are the normalised titles of the siblings with their paths, `statuses`
    their status values as written, in lowercase. `hints` are the texts of the template file that
    its ADRs replace, in lowercase.
    """

    total: int
    traits: tuple[Trait, ...]
    file: str = ""
    titles: tuple[tuple[str, str], ...] = ()
    statuses: frozenset[str] = frozenset()
    hints: frozenset[str] = frozenset()

    def is_firm(self, trait: Trait) -> bool:
        """Return whether the absence of a trait is an error, not a warning."""
        if trait.of_file:
            return trait.key in CORE
        if trait.key in _AS_NEEDED:
            return False
        is_habit = trait.key in CORE or trait.number == self.total >= FIRM
        return is_habit and trait.is_recent

    def has(self, key: str) -> bool:
        return any(trait.key == key for trait in self.traits)


class Template(NamedTuple):
    """The required parts of an ADR.

    `fields` are header fields; `statuses` the allowed ones; `min_section_length` counts characters
    of prose; `min_acceptance_criteria` applies only where acceptance criteria are among `sections`.
    `optional` are sections that may be missing, but not empty.
    """

    name: str
    sections: tuple[Required, ...]
    fields: tuple[str, ...] = ()
    statuses: tuple[str, ...] = MADR_STATUSES
    min_section_length: int = 1
    min_acceptance_criteria: int = 0
    optional: tuple[Required, ...] = ()

    @property
    def all_sections(self) -> tuple[Required, ...]:
        """Return the sections whose content is checked: the required and the optional ones."""
        return (*self.sections, *self.optional)

    def asks_for(self, section: str) -> bool:
        return any(section in required.meanings for required in self.sections)

    def lacks(self, old: "Template") -> list[str]:
        """Return the requirements of another template that this one lacks, for a message."""
        names = {*self.fields, *meanings_of(self.sections)}
        asked = [item for item in old.sections if item.severity != "info"]
        lacking = [item.name for item in asked if names.isdisjoint(item.meanings)]
        for field in old.fields:
            is_section = field == "status" and "status" in names
            if field not in self.fields and not is_section:
                lacking.append(field)
        if not set(self.statuses) <= set(old.statuses):
            lacking.append("the statuses")
        if self.min_section_length < old.min_section_length:
            lacking.append("minimum characters per section")
        if self.min_acceptance_criteria < old.min_acceptance_criteria:
            lacking.append("minimum number of acceptance criteria")
        return lacking


def required(name: str, meanings: Meanings) -> Required:
    """Return the section of a name; a name without a known meaning means itself."""
    return Required(name, meanings.of(name) or (normalise(name),))


def meanings_of(sections: Iterable[Required]) -> set[str]:
    return set(chain.from_iterable(item.meanings for item in sections))


def _of_names(name: str, sections: str) -> Template:
    """Return a template whose sections have names of the package, with semicolons between them."""
    return Template(name, tuple(required(item, meanings()) for item in sections.split("; ")))


MADR = _of_names("madr", "Context and Problem Statement; Considered Options; Decision Outcome")
NYGARD = _of_names("nygard", "Status; Context; Decision; Consequences")
HELIX = _of_names(
    "helix",
    "Kontext; Entscheidung; Implementation; Dokumentation; Akzeptanzkriterien; Konsequenzen",
)._replace(
    fields=("adr_id", "title", "status"),
    statuses=("Proposed", "Accepted", "Implemented", "Superseded", "Rejected"),
    min_section_length=50,
    min_acceptance_criteria=3,
)
BUILT_IN = (HELIX, MADR, NYGARD)
UNKNOWN = Template(name="unknown", sections=())
"""The template of an ADR that follows no known one."""


class Vocabulary(NamedTuple):
    """The names and values of the settings with which rules compare those of an ADR.

    `fields` are the header fields that contextual rules use, `values` the values by field, and
    `error_fields` those whose typos are errors. `critical` are the names and meanings of sections
    of a concept whose loss is an error.
    """

    fields: tuple[str, ...] = ("change_scope",)
    values: Mapping[str, tuple[str, ...]] = {"change_scope": ("major",)}
    error_fields: frozenset[str] = frozenset(("change_scope",))
    critical: tuple[str, ...] = ("migration", "rollback", "security")


CARRIED, RENAMED, MERGED, DROPPED, LOST = "carried", "renamed", "merged", "dropped", "lost"
"""The fates of a section of a concept."""


class Dropped(NamedTuple):
    """A comment `<!-- helix-dropped: Name - why -->` of the ADR; `reason` is "" without one."""

    name: str
    reason: str
    line: int


class SectionFate(NamedTuple):
    """A section of the concept, and whether the ADR has it.

    `into` is the title of the ADR section that has it, or the reason why it was dropped. `drop` is
    the first comment that names a dropped or lost section.
    """

    title: str
    line: int
    meanings: tuple[str, ...]
    fate: str
    into: str = ""
    drop: Dropped | None = None

    @property
    def lost(self) -> bool:
        return self.fate == LOST

    @property
    def by(self) -> int:
        """The line of the comment that names the section, 0 without one."""
        return self.drop.line if self.drop else 0


class ConceptDiff(NamedTuple):
    """The comparison of a concept with its ADR.

    `coverage_percent` has one decimal and is 100 if the concept has no sections. `unreadable` is
    the reason why they could not be compared.
    """

    path: str
    fates: tuple[SectionFate, ...] = ()
    concept_sections: tuple[str, ...] = ()
    adr_sections: tuple[str, ...] = ()
    missing_in_adr: tuple[str, ...] = ()
    extra_in_adr: tuple[str, ...] = ()
    coverage_percent: float = 0.0
    dropped: tuple[Dropped, ...] = ()
    unreadable: str = ""


class Adr(NamedTuple):
    """A parsed ADR.

    `h2` has the sections of its `level`, usually the second, by meaning or normalised name.
    `traits` is what it has, by key, see `norm.traits_of`. `norm` is what the ADR is held to by its
    siblings: None for an ADR that existed before, and without siblings. A `is_new` ADR did not
    exist before the change, or was a draft. `had_decision` tells that all versions before the
    change have a decision that is no blank.
    """

    doc: AdrDocument
    header: Header
    template: Template
    meanings: Meanings
    statuses: Statuses
    h2: dict[str, list[Section]]
    level: int = USUAL
    concept: ConceptDiff | None = None
    traits: dict[str, Form] = {}  # noqa: RUF012 -- never written to
    norm: Norm | None = None
    is_new: bool = True
    had_decision: bool = False
    vocabulary: Vocabulary = Vocabulary()

    def called(self, required: Required) -> str:
        """Return the name of a section in the language of the ADR's sections."""
        from .names import language

        names = SECTIONS.get(required.meanings[0], {})
        if not any(required.name in words for words in names.values()):
            return required.name  # a name of the settings
        titles = [section.title for section in self.doc.sections if section.level == self.level]
        code = language(titles)
        if code not in names or required.name in names[code]:
            return required.name
        return names[code][0]

    @property
    def status(self) -> str:
        """The canonical word of the status, "" for an unknown one or none."""
        return self.statuses.read(self.header.text("status")) or ""

    @property
    def fates(self) -> tuple[SectionFate, ...]:
        """The sections of the concept, compared with the ADR; none without a concept."""
        return self.concept.fates if self.concept else ()

    def has(self, required: Required) -> bool:
        """Return whether the ADR has a section of its template, at its level."""
        return not self.h2.keys().isdisjoint(required.meanings)

    @property
    def title_line(self) -> int:
        """The line of findings on the whole ADR."""
        if self.doc.title:
            return self.doc.line_at(self.doc.title.heading_start)
        return self.header.line


class RuleResult(NamedTuple):
    """One result of a rule.

    `severity` is "" for the severity of the rule. `words` are the words of the line, at `column` or
    after it, that the result marks; a rule may set `end_column` instead. 0 means unknown. Only a
    person can answer a `question`. `subject` is what the result is about, as in a finding.
    """

    line: int
    message: str
    help: str = ""
    severity: Severity = ""
    end_line: int = 0
    column: int = 1
    words: str = ""
    end_column: int = 0
    question: bool = False
    subject: str = ""


class Edit(NamedTuple):
    """A replacement in one file.

    `start` and `end` are offsets of characters in the text of the file (decoded as UTF-8 with
    surrogateescape, line endings and a byte order mark as they are); `end` is exclusive.
    """

    path: str
    start: int
    end: int
    new: str


class Fix(NamedTuple):
    """A fix of one finding: all its edits are applied, or none.

    `check` is the rule. `path` and `line` are those of the finding. `new_path` is the new name of
    this file, "" if it stays; the edits have the old one.
    """

    check: str
    path: str
    line: int
    title: str
    edits: tuple[Edit, ...]
    new_path: str = ""


class TextLine(NamedTuple):
    """A line: the offset of its first character, its text without the ending, and the ending."""

    start: int
    text: str
    ending: str

    @property
    def stop(self) -> int:
        """Return the offset after the text, before the line ending."""
        return self.start + len(self.text)

    @property
    def end(self) -> int:
        """Return the offset after the line ending."""
        return self.stop + len(self.ending)


def fix_of(finding: Finding, title: str, *edits: Edit, new_path: str = "") -> Fix:
    """Return the fix of a finding by some edits."""
    return Fix(finding.check, finding.path, finding.line, title, edits, new_path)


def applied(text: str, edits: Iterable[Edit]) -> str:
    """Return a text after the edits of its file, which must not overlap."""
    # From the last edit to the first, so that the offsets stay valid.
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        text = f"{text[: edit.start]}{edit.new}{text[edit.end :]}"
    return text


def lines_of(text: str) -> list[TextLine]:
    """Return the lines of a text, the first without a byte order mark.

    They are counted as `AdrDocument` counts them; `str.splitlines` also splits at form feeds.
    """
    start = len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0
    lines: list[TextLine] = []
    for match in re.finditer(r"([^\r\n]*)(\r\n|\r|\n|$)", text[start:]):
        lines.append(TextLine(start + match.start(), match[1], match[2]))
        if not match[2]:
            break
    return lines


class Suppression(NamedTuple):
    """A suppressing comment: its `line`, its `rules`, and `only` the line it applies to (0: all
    lines).
    """

    line: int
    only: int
    rules: tuple[str, ...]
    reason: str


class Suppressed(NamedTuple):
    """A finding that is not reported, and why; `by` is inline or baseline."""

    finding: Finding
    by: str
    reason: str


class Described(Protocol):
    """The facts of every rule, built in or of a rules file."""

    @property
    def id(self) -> str: ...

    @property
    def layer(self) -> str: ...

    @property
    def severity(self) -> Severity: ...


Facts = ParamSpec("Facts")
"""The arguments of a rule: an ADR; an ADR with its version before; an entry among all entries."""


class Files(NamedTuple):
    """The files that a fix may read and change.

    `text` returns the text of a path (UTF-8 with surrogateescape, as `Edit` counts it), `adr` its
    ADR; both return None if the file cannot be read. `is_new` returns whether the last commit lacks
    a path. `taken` returns the paths that a folder has on the disk or on a branch, None if they are
    unknown. Without these two no number is changed.
    """

    text: Callable[[str], str | None]
    adr: Callable[[str], Adr | None]
    is_new: Callable[[str], bool] | None = None
    taken: Callable[[str], frozenset[str] | None] | None = None


class Rule(NamedTuple, Generic[Facts]):
    """A built-in rule.

    The docstring of `check` is its documentation: first what is wrong, then why it matters and how
    to fix it. `fix` returns the fix of one of its findings, None without a certain one.
    """

    id: str
    layer: str
    severity: Severity
    check: Callable[Facts, Iterator[RuleResult]]
    fix: Callable[Concatenate[Finding, Files, Facts], Fix | None] | None = None

    @property
    def documentation(self) -> str:
        return self.check.__doc__ or ""


def rule(
    id: str, layer: str, severity: Severity
) -> Callable[[Callable[Facts, Iterator[RuleResult]]], Rule[Facts]]:
    """Return a decorator that makes a rule of a function."""
    return partial(Rule, id, layer, severity)


def fixed_by(
    fix: Callable[Concatenate[Finding, Files, Facts], Fix | None],
) -> Callable[[Rule[Facts]], Rule[Facts]]:
    """Return a decorator that gives a rule its fix."""
    return lambda rule: rule._replace(fix=fix)
