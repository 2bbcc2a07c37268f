from collections.abc import Iterator

from ...model import Adr, Found


class FileUnreadable:
    """The file cannot be read as text.

    An unreadable ADR was not reviewed, so it is never passed over. The rule reports files
    over 1 MB, bytes that are not UTF-8, UTF-16, NUL bytes, a file without read permission, and a
    symbolic link that leads out of the repository. Save the file as UTF-8; move pictures and logs
    beside the ADR and link to them.
    """

    id = "file-unreadable"
    layer = "structure"
    severity = "error"

    def check(self, adr: Adr) -> Iterator[Found]:
        if adr.doc.defect:
            yield Found(line=adr.doc.defect.line, message=adr.doc.defect.message)
