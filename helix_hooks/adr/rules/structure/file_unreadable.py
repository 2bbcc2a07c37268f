from collections.abc import Iterator

from ...model import Adr, RuleResult, rule


@rule("file-unreadable", "structure", "error")
def file_unreadable(adr: Adr) -> Iterator[RuleResult]:
    """The file cannot be read as text.

    An unreadable ADR is an error because it cannot be checked. The rule reports files over 1 MB,
    bytes that are not UTF-8, UTF-16, NUL bytes, a file without read permission, and a symbolic link
    at the path of an ADR. Save the file as UTF-8. Move pictures and logs to separate
    files and link to them.
    """
    if adr.doc.defect:
        yield RuleResult(line=adr.doc.defect.line, message=adr.doc.defect.message)
