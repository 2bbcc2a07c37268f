from collections.abc import Iterator

from ...model import Adr, Found
from ...parse.document import tasks


class ImplementedUnticked:
    """The ADR says it is implemented, but no acceptance criterion is ticked.

    Either the work is not done, or it was not checked. The criteria were written to
    tell: tick those that are met (`- [x]`), and write under the others why they are not.
    """

    id = "implemented-unticked"
    layer = "structure"
    severity = "warning"

    def check(self, adr: Adr) -> Iterator[Found]:
        if adr.statuses.read(adr.header.text("status")) != "Implemented":
            return
        sections = adr.h2.get("acceptance-criteria", [])
        criteria = [task for section in sections for task in tasks(adr.doc, section)]
        if criteria and not any(task.checked for task in criteria):
            line = adr.doc.line_at(sections[0].heading_start)
            yield Found(
                line=line,
                message="the ADR is implemented, but none of its acceptance criteria is ticked",
                help="tick what is met: `- [x]`",
                words=sections[0].title,
            )
