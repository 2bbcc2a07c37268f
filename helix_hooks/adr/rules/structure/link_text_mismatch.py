import re
from collections.abc import Iterator

from ...model import Adr, Found
from ...names.number import named
from ...reference import key_in_path, relative

_LINK = rb"\[([^\[\]\n]{1,200})\]\(\s*<?([^()\s<>]{1,300}\.md)(?=[\s)>#])"
_WHOLE = r"\W*0*(\d{3,6}|0\d+)(?:[-_][\w.-]+)?\W*"
"""A number with leading zeros, or a file name; a short number alone may be a footnote."""


class LinkTextMismatch:
    """The text of a link names another ADR than its target.

    `[ADR-0012](0013-use-kafka.md)` leads to another decision than the text says. This happens when
    ADRs are renumbered or a link is copied. The number in the text (`ADR-12` or `0012`) is compared
    with the number of the file. Correct the wrong one.
    """

    id = "link-text-mismatch"
    layer = "structure"
    severity = "warning"

    def check(self, adr: Adr) -> Iterator[Found]:
        doc = adr.doc
        if b".md" not in doc.prose_markup:
            return
        for link in re.finditer(_LINK, doc.prose_markup):
            text, target = link[1].decode(), link[2].decode()
            number = _number(text)
            key = key_in_path(relative(doc.path, target)) if number else ""
            numbers = {int(digits) for digits in re.findall(r"\d{1,9}", text)}
            if not key.isdigit() or int(key) in numbers or number is None:
                continue
            from ...parse.anchors import in_code

            if not in_code(doc, link.start()):
                yield Found(
                    line=doc.line_at(link.start()),
                    message=f"the link says {' '.join(text.split())!r}, but leads to {target}",
                    help="correct the text or the target",
                    words=text,
                )


def _number(text: str) -> int | None:
    """Return the number of the ADR that a text names; None if it names none or several."""
    numbers = named(text)
    whole = re.fullmatch(_WHOLE, text)
    if not numbers and whole:
        return int(whole[1])
    return next(iter(numbers)) if len(numbers) == 1 else None
