"""Rules and their results, and the ADR that a rule checks."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Concatenate, Generic, NamedTuple, ParamSpec, Protocol

from ..finding import Finding, Severity
from .concept import ConceptDiff, SectionFate
from .fix import Fix
from .names import SECTIONS, Meanings, Statuses
from .parse.document import AdrDocument, Section
from .parse.header import Header
from .parse.prose import USUAL
from .template import Form, Norm, Required, Template


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
