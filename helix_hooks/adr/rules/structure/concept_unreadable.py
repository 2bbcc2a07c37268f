from collections.abc import Iterator

from ...model import Adr, RuleResult, rule


@rule("concept-unreadable", "concept", "error")
def concept_unreadable(adr: Adr) -> Iterator[RuleResult]:
    """The concept cannot be compared with the ADR.

    An ADR that names a concept is compared with it. Without a comparison the check must not
    succeed. The rule reports a concept that does not exist, is not tracked by git, is outside the
    repository, is not a text file, has no headings, or is the ADR itself. Correct the path
    (relative to the repository), commit the file, or delete the header key.
    """
    if not adr.concept or not adr.concept.unreadable:
        return
    message = f"the concept {adr.concept.path!r} was not compared: {adr.concept.unreadable}"
    field = adr.header.fields.get("concept")
    finding = RuleResult(
        line=adr.title_line,
        message=message,
        help="a concept must be a UTF-8 text with `## ` sections; fix it, or rename it if "
        "it is not a concept",
        subject=adr.concept.path,
    )
    if field:
        help = "correct the path, relative to the repository, or commit the file"
        finding = finding._replace(
            line=field.line, help=help, column=field.column, words=field.text
        )
    yield finding
