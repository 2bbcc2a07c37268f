from collections.abc import Iterator
from operator import itemgetter

from ....records import TYPE_CHECKING
from ...model import Adr, Found
from ...names.heading import normalise
from ...parse.document import Section
from ...parse.prose import says_something
from ...template import Required

if TYPE_CHECKING:
    from ...concept import ConceptDiff, Dropped, SectionFate


class ConceptSectionMissing:
    """A section of the concept is lost in the ADR.

    The plan was thought through, written down, and then forgotten when the ADR was written; the
    template never asked for it, so every other check is green. Each second-level section of the
    concept must be carried, renamed, merged into another section, or dropped with a reason: `<!--
    helix-dropped: Name - why -->`. Renamed is a section whose name means the same or contains the
    old one; merged is one that one section of the ADR repeats by 40 % of its word pairs. Status,
    summary, references, metadata and open questions need no place. A lost Migration, Rollback or
    Security is an error.

    The concept is the file that `--concept` or the header key `concept:` names, else
    `<name>.concept.md` beside the ADR, else `concept.md` in a folder with exactly one ADR.
    """

    id = "concept-section-missing"
    layer = "concept"
    severity = "warning"

    def __init__(self, errors: tuple[str, ...] = ("migration", "rollback", "security")) -> None:
        self.errors = errors

    def check(self, adr: Adr) -> Iterator[Found]:
        diff = adr.concept
        if not diff or diff.unreadable:
            return
        named = _Named(adr, diff)
        for fate in diff.fates:
            if fate.lost:
                critical = set(self.errors).intersection((*fate.meanings, normalise(fate.title)))
                yield _lost(adr, diff, fate, "error" if critical else "", named)
        yield from _useless_drops(adr, diff)


class _Named:
    """An index of an ADR, which may have thousands of sections and comments.

    It holds the first section of each name, and the first comment of each name and meaning with its
    place.
    """

    def __init__(self, adr: Adr, diff: "ConceptDiff") -> None:
        self.sections = {
            normalise(section.title): section for section in reversed(adr.doc.sections)
        }
        drops = [*enumerate(diff.dropped)][::-1]
        self.drops = {normalise(drop.name): (place, drop) for place, drop in drops}
        self.meant = {
            meaning: (place, drop)
            for place, drop in drops
            for meaning in adr.meanings.of(drop.name)
        }

    def drop(self, fate: "SectionFate") -> "Dropped | None":
        name = normalise(fate.title)
        given = [self.drops[name]] if name in self.drops else []
        given += [self.meant[meaning] for meaning in fate.meanings if meaning in self.meant]
        return min(given, key=itemgetter(0))[1] if given else None


def _lost(
    adr: Adr, diff: "ConceptDiff", fate: "SectionFate", severity: str, named: _Named
) -> Found:
    comment = f"<!-- helix-dropped: {fate.title} - why -->"
    message = f"the concept's section '{fate.title}' ({diff.path}:{fate.line}) is lost"
    section = named.sections.get(normalise(fate.title))
    if section:
        why, help = _uncarried(adr, section)
        return Found(
            line=adr.doc.line_at(section.heading_start),
            message=f"{message}: {why}",
            help=f"{help}, or write {comment}",
            severity=severity,
            words=section.title,
        )
    drop = named.drop(fate)
    if drop and normalise(drop.name) == normalise(fate.title):
        return Found(
            line=drop.line,
            message=f"{message}: it is dropped without a reason",
            help=f"say why in two words at least: {comment}",
            severity=severity,
            words=drop.name,
        )
    if drop:
        why = "the comment names more than this section, or gives no reason"
        return Found(
            line=drop.line,
            message=f"{message}: {why}",
            help=f"write one for each: {comment}",
            severity=severity,
            words=drop.name,
        )
    return Found(
        line=adr.title_line,
        message=message,
        help=f"carry it over as `## {_called(adr, fate)}`, or drop it on purpose: {comment}",
        severity=severity,
    )


def _called(adr: Adr, fate: "SectionFate") -> str:
    """Return the title of a section of the concept in the language of the ADR."""
    return adr.called(Required(fate.title, fate.meanings)) if fate.meanings else fate.title


def _uncarried(adr: Adr, section: Section) -> tuple[str, str]:
    """Explain why a section with a lost section's name does not carry it, and how to fix it."""
    if says_something(adr.doc.visible(section.start, section.stop)):
        return (
            "here it belongs to what was not decided",
            "move it out of the options, criteria or questions",
        )
    return "its section here says nothing", "carry the text over"


def _useless_drops(adr: Adr, diff: "ConceptDiff") -> Iterator[Found]:
    names = {key for fate in diff.fates for key in (*fate.meanings, normalise(fate.title))}
    for drop in diff.dropped:
        if not names.intersection(adr.meanings.all_of(drop.name)):
            yield Found(
                line=drop.line,
                message=f"helix-dropped names '{drop.name}', which is no section of {diff.path}",
                help="correct the name or delete the comment",
                severity="warning",
                words=drop.name,
            )
