from collections.abc import Iterator
from operator import itemgetter
from typing import TYPE_CHECKING

from ...model import Adr, RuleResult, rule
from ...names.heading import normalise
from ...parse.document import Section
from ...parse.prose import says_something
from ...template import Required

if TYPE_CHECKING:
    from ...concept import ConceptDiff, Dropped, SectionFate


@rule("concept-section-missing", "concept", "warning")
def concept_section_missing(adr: Adr) -> Iterator[RuleResult]:
    """A section of the concept is missing from the ADR.

    A part of the plan may be forgotten when the ADR is written. No other rule notices it, because
    the template does not require that part. Each second-level section of the concept must be
    carried over, renamed, merged into another section, or dropped with a reason: `<!--
    helix-dropped: Name - why -->`. A renamed section has a name with the same meaning, or a name
    that contains the old one. A section is merged if one section of the ADR repeats 40 % of its
    word pairs. Status, summary, references, metadata and open questions are not required. A missing
    Migration, Rollback or Security section is an error.

    The concept is the file that `--concept` or the header key `concept:` names, else
    `<name>.concept.md` in the folder of the ADR, else `concept.md` in a folder with exactly one
    ADR.
    """
    diff = adr.concept
    if not diff or diff.unreadable:
        return
    index = _Index(adr, diff)
    for fate in diff.fates:
        if fate.lost:
            finding = _lost(adr, diff, fate, index)
            is_error = set(adr.vocabulary.critical).intersection(
                (*fate.meanings, normalise(fate.title))
            )
            yield finding._replace(severity="error" if is_error else "")
    yield from _useless_drops(adr, diff)


class _Index:
    """An index of an ADR, which may have thousands of sections and comments.

    It holds the first section of each name. Of the `helix-dropped` comments it holds the first of
    each name and of each meaning, with its number.
    """

    def __init__(self, adr: Adr, diff: "ConceptDiff") -> None:
        # Reversed, so that the first of a name is the last to be stored.
        self.sections = {
            normalise(section.title): section for section in reversed(adr.doc.sections)
        }
        self.drops: dict[str, tuple[int, Dropped]] = {}
        self.drops_by_meaning: dict[str, tuple[int, Dropped]] = {}
        for number, drop in enumerate(diff.dropped):
            self.drops.setdefault(normalise(drop.name), (number, drop))
            for meaning in adr.meanings.of(drop.name):
                self.drops_by_meaning.setdefault(meaning, (number, drop))

    def drop(self, fate: "SectionFate") -> "Dropped | None":
        """Return the first comment that drops a section by its name or its meaning."""
        drops = [self.drops.get(normalise(fate.title))]
        drops += map(self.drops_by_meaning.get, fate.meanings)
        first = min(filter(None, drops), key=itemgetter(0), default=None)
        return first[1] if first else None


def _lost(adr: Adr, diff: "ConceptDiff", fate: "SectionFate", index: _Index) -> RuleResult:
    """Return the finding on a lost section, at the section or comment of its name if there is
    one.
    """
    comment = f"<!-- helix-dropped: {fate.title} - why -->"
    message = (
        f"the concept's section '{fate.title}' ({diff.path}:{fate.line}) is missing from the ADR"
    )
    section = index.sections.get(normalise(fate.title))
    if section:
        reason, help = _why_not_carried(adr, section)
        return RuleResult(
            line=adr.doc.line_at(section.heading_start),
            message=f"{message}: {reason}",
            help=f"{help}, or write {comment}",
            words=section.title,
            subject=fate.title,
        )
    drop = index.drop(fate)
    if not drop:
        title = _title_in_adr(adr, fate)
        return RuleResult(
            line=adr.title_line,
            message=message,
            help=f"copy it as `## {title}`, or drop it: {comment}",
            subject=fate.title,
        )
    if normalise(drop.name) == normalise(fate.title):
        reason = "the helix-dropped comment gives no reason"
        help = f"add a reason of at least two words: {comment}"
    else:
        reason = "the comment names several sections, or gives no reason"
        help = f"write one comment for each section: {comment}"
    return RuleResult(
        line=drop.line,
        message=f"{message}: {reason}",
        help=help,
        words=drop.name,
        subject=fate.title,
    )


def _title_in_adr(adr: Adr, fate: "SectionFate") -> str:
    """Return the title of a section of the concept in the language of the ADR."""
    if not fate.meanings:
        return fate.title
    return adr.called(Required(fate.title, fate.meanings))


def _why_not_carried(adr: Adr, section: Section) -> tuple[str, str]:
    """Return why a section with the name of a lost one does not carry it, and how to fix it."""
    if says_something(adr.doc.visible(section.start, section.stop)):
        return (
            "in the ADR it is part of the options, criteria or questions",
            "move it to a section of its own",
        )
    return "its section in the ADR has no content", "copy the text"


def _useless_drops(adr: Adr, diff: "ConceptDiff") -> Iterator[RuleResult]:
    names: set[str] = set()
    for fate in diff.fates:
        names.update(fate.meanings)
        names.add(normalise(fate.title))
    for drop in diff.dropped:
        if names.isdisjoint(adr.meanings.all_of(drop.name)):
            yield RuleResult(
                line=drop.line,
                message=f"helix-dropped names '{drop.name}', which is not a section of {diff.path}",
                help="correct the name or delete the comment",
                severity="warning",
                words=drop.name,
                subject=f"helix-dropped {drop.name}",
            )
