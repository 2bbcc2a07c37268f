"""The rule: a small value with an id that looks at one ADR and yields what it found."""

from collections.abc import Callable, Iterator

from ..finding import Severity
from ..records import TYPE_CHECKING, NamedTuple, Protocol
from .names.aliases import SECTIONS
from .names.heading import Meanings
from .names.status import Statuses
from .parse.document import AdrDocument, Section
from .parse.header import Header
from .parse.sections import USUAL
from .template import Required, Template

if TYPE_CHECKING:
    from .concept import ConceptDiff
else:
    # Loaded where there is a concept; a quoted name in a NamedTuple would cost a millisecond.
    ConceptDiff = object


OthersSay = Callable[[frozenset[str]], frozenset[str]]
"""Return those of some lower-case words that other ADRs of the same version contain."""


class Adr(NamedTuple):
    """An ADR as the rules see it.

    `h2` are its second-level sections by meaning, or by normalised name.

    `others_say` is known of a version before a change only. `had_decision` tells whether all
    versions before the change have a decision: "section", "text" or "".
    """

    doc: AdrDocument
    header: Header
    template: Template
    meanings: Meanings
    statuses: Statuses
    h2: dict[str, list[Section]]
    level: int = USUAL
    concept: ConceptDiff | None = None
    others_say: OthersSay | None = None
    had_decision: str = ""

    def called(self, required: Required) -> str:
        """A section's name in the language of the sections that are there."""
        from .names.language import language

        names = SECTIONS.get(required.meanings[0], {})
        mine = language(
            [section.title for section in self.doc.sections if section.level == self.level]
        )
        own = [code for code, words in names.items() if required.name in words]
        return required.name if mine in own or mine not in names or not own else names[mine][0]

    def has(self, required: Required) -> bool:
        """Return whether a section that the template requires is there, at the ADR's level."""
        return not self.h2.keys().isdisjoint(required.meanings)

    @property
    def title_line(self) -> int:
        """Return the line to report when something is missing from the whole ADR."""
        return (
            self.header.line
            if not self.doc.title
            else self.doc.line_at(self.doc.title.heading_start)
        )


class Found(NamedTuple):
    """One result of a rule; `severity` only where it differs from the rule's own.

    `words` are what the result is about, as they stand in its line at `column` or behind it.
    `end_column` needs no words where the rule knows it; 0 means unknown.
    """

    line: int
    message: str
    help: str = ""
    severity: Severity = ""
    end_line: int = 0
    column: int = 1
    words: str = ""
    end_column: int = 0


class Described(Protocol):
    """The facts of every rule.

    Its docstring is its page: first line what is wrong, then why it matters and how to fix it.
    """

    @property
    def id(self) -> str: ...

    @property
    def layer(self) -> str: ...

    @property
    def severity(self) -> Severity: ...


class Rule(Described, Protocol):
    """A rule on one ADR."""

    def check(self, adr: Adr) -> Iterator[Found]: ...


class ChangeRule(Described, Protocol):
    """A rule on an ADR and the version of it before the change."""

    def check(self, adr: Adr, base: Adr) -> Iterator[Found]: ...
