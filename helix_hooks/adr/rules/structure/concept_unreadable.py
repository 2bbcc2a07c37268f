from collections.abc import Iterator

from ...model import Adr, Found


class ConceptUnreadable:
    """The concept cannot be compared with the ADR.

    A header that names a concept promises a comparison; when the file is not there, is not tracked
    by git, lies outside the repository, cannot be read as text, has no headings or is the ADR
    itself, the comparison did not happen, and that is not green. Correct the path (relative to the
    repository), commit the file, or delete the key.
    """

    id = "concept-unreadable"
    layer = "concept"
    severity = "error"

    def check(self, adr: Adr) -> Iterator[Found]:
        if adr.concept and adr.concept.unreadable:
            field = adr.header.fields.get("concept")
            line, column = (field.line, field.column) if field else (adr.title_line, 1)
            help = (
                "correct the path, relative to the repository, or commit the file"
                if field
                else "a concept is a text in UTF-8 with `## ` sections; fix it, or rename it if it "
                "is none"
            )
            yield Found(
                line=line,
                message=f"the concept {adr.concept.path!r} was not compared: "
                f"{adr.concept.unreadable}",
                help=help,
                column=column,
                words=field.text if field else "",
            )
