import re
from collections.abc import Iterator

from ...model import Adr, RuleResult, rule

_FILE_NAME = r"(?:\d+[-_])?[a-z0-9]+(?:[-_][a-z0-9]+)+(?:\.md)?"


@rule("title-is-file-name", "structure", "warning")
def title_is_file_name(adr: Adr) -> Iterator[RuleResult]:
    """The title is a file name, such as `use-kafka-for-events`.

    Lists, the judge and people read the title. Write it as a short sentence: "Use Kafka for
    events". In an ADR that existed before it is information.
    """
    title = adr.doc.title_text.strip()
    words = re.split("[-_]", title)
    if len(words) < 3 or not re.fullmatch(_FILE_NAME, title):
        return
    yield RuleResult(
        line=adr.title_line,
        message=f"the title '{title}' is a file name",
        help="write in a few words what is decided",
        severity="" if adr.is_new else "info",
        words=title,
        subject="title",
    )
