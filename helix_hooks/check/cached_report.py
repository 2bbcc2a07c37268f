"""Read the report on an ADR from its JSON value."""

from typing import TYPE_CHECKING, Any

from ..adr.check_report import FileReport, RuleCounts
from ..adr.corpus import Entry
from ..adr.mention import Mention
from ..adr.reference import Reference
from ..adr.suppress import Suppression
from ..finding import Finding

if TYPE_CHECKING:
    from ..adr.concept import ConceptDiff


def report(row: list[Any]) -> FileReport:
    """Return a report from the list of its values, before suppressions and the baseline.

    Raises ValueError, TypeError or AttributeError for any other list.
    """
    *names, counts, concept, findings, lines, suppressed, comments, mine, counted = row
    values = (
        *names,
        RuleCounts._make(counts),
        _concept(concept) if concept else None,
        tuple(map(Finding._make, findings)),
        {int(line): text for line, text in lines.items()},
        tuple(suppressed),
        tuple(_comment(*comment) for comment in comments),
        _entry(mine) if mine else None,
        counted,
    )
    return FileReport._make(values)


def _comment(line: int, only: int, rules: list[str], reason: str) -> Suppression:
    return Suppression(line, only, tuple(rules), reason)


def _entry(row: list[Any]) -> Entry:
    entry = Entry._make(row)
    return entry._replace(
        references=tuple(map(Reference._make, entry.references)),
        lost=tuple(map(Mention._make, entry.lost)),
    )


def _concept(row: list[Any]) -> "ConceptDiff":
    from ..adr.concept import ConceptDiff, Dropped, SectionFate

    values = [tuple(value) if isinstance(value, list) else value for value in row]
    diff = ConceptDiff._make(values)
    fates = (SectionFate._make(fate) for fate in diff.fates)
    return diff._replace(
        fates=tuple(fate._replace(meanings=tuple(fate.meanings)) for fate in fates),
        dropped=tuple(map(Dropped._make, diff.dropped)),
    )
