from collections.abc import Iterator

from ...concept import ConceptDiff, SectionFate
from ...model import Adr, RuleResult, rule
from ...names import normalise
from ...parse.document import Section
from ...parse.prose import says_something
from ...template import Required


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
    # Reversed, so that the first section of a name is the last to be stored.
    sections = {normalise(section.title): section for section in reversed(adr.doc.sections)}
    names: set[str] = set()
    for fate in diff.fates:
        own = {*fate.meanings, normalise(fate.title)}
        names |= own
        if fate.lost:
            finding = _lost(adr, diff, fate, sections.get(normalise(fate.title)))
            is_error = not own.isdisjoint(adr.vocabulary.critical)
            yield finding._replace(severity="error" if is_error else "")
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


def _lost(adr: Adr, diff: ConceptDiff, fate: SectionFate, section: Section | None) -> RuleResult:
    """Return the finding on a lost section, at the section or comment of its name if there is
    one.
    """
    comment = f"<!-- helix-dropped: {fate.title} - why -->"
    message = (
        f"the concept's section '{fate.title}' ({diff.path}:{fate.line}) is missing from the ADR"
    )
    if section:
        reason, help = "its section in the ADR has no content", "copy the text"
        if says_something(adr.doc.visible(section.start, section.stop)):
            reason = "in the ADR it is part of the options, criteria or questions"
            help = "move it to a section of its own"
        return RuleResult(
            line=adr.doc.line_at(section.heading_start),
            message=f"{message}: {reason}",
            help=f"{help}, or write {comment}",
            words=section.title,
            subject=fate.title,
        )
    if not fate.drop:
        title = fate.title
        if fate.meanings:
            title = adr.called(Required(fate.title, fate.meanings))
        return RuleResult(
            line=adr.title_line,
            message=message,
            help=f"copy it as `## {title}`, or drop it: {comment}",
            subject=fate.title,
        )
    if normalise(fate.drop.name) == normalise(fate.title):
        reason = "the helix-dropped comment gives no reason"
        help = f"add a reason of at least two words: {comment}"
    else:
        reason = "the comment names several sections, or gives no reason"
        help = f"write one comment for each section: {comment}"
    return RuleResult(
        line=fate.drop.line,
        message=f"{message}: {reason}",
        help=help,
        words=fate.drop.name,
        subject=fate.title,
    )
