from collections.abc import Iterator

from ...model import Adr, RuleResult, rule
from ...parse.document import tasks


@rule("implemented-unticked", "structure", "warning")
def implemented_unticked(adr: Adr) -> Iterator[RuleResult]:
    """The ADR is implemented, but no acceptance criterion is ticked.

    Either the work is not finished, or nobody checked it against the criteria. Tick each criterion
    that is met (`- [x]`). Write below each of the others why it is not met.
    """
    if adr.status != "Implemented":
        return
    sections = adr.h2.get("acceptance-criteria", [])
    ticks: list[bool] = []
    for section in sections:
        ticks += [task.checked for task in tasks(adr.doc, section)]
    if ticks and not any(ticks):
        yield RuleResult(
            line=adr.doc.line_at(sections[0].heading_start),
            message="the ADR is implemented, but none of its acceptance criteria is ticked",
            help="tick what is met: `- [x]`",
            words=sections[0].title,
            subject="acceptance-criteria",
        )
