import re
from collections.abc import Iterator

from ....paths import MARKDOWN_SUFFIX
from ...model import Adr, RuleResult, rule
from ...names import named
from ...reference import key_in_path, relative

_LINK = rf"\[([^\[\]\n]{{1,200}})\]\(\s*<?([^()\s<>]{{1,300}}{MARKDOWN_SUFFIX})(?=[\s)>#])".encode()
_NUMBER_ALONE = r"\W*0*(\d{3,6}|0\d+)(?:[-_][\w.-]+)?\W*"
"""A number with leading zeros, or a file name; a short number alone may be a footnote."""


@rule("link-text-mismatch", "structure", "warning")
def link_text_mismatch(adr: Adr) -> Iterator[RuleResult]:
    """The text of a link names another ADR than its target.

    `[ADR-0012](0013-use-kafka.md)` opens another decision than the text says. This happens if ADRs
    are renumbered or a link is copied. The rule compares the number in the text (`ADR-12` or
    `0012`) with the number of the file. Correct the text or the target.
    """
    doc = adr.doc
    for link in re.finditer(_LINK, doc.prose_markup):
        text, target = link[1].decode(), link[2].decode()
        alone = re.fullmatch(_NUMBER_ALONE, text)
        numbers = named(text) or ({int(alone[1])} if alone else set())
        key = key_in_path(relative(doc.path, target))
        is_other = key.isdigit() and int(key) not in map(int, re.findall(r"\d{1,9}", text))
        if len(numbers) == 1 and is_other and not doc.is_code(link.start()):
            yield RuleResult(
                line=doc.line_at(link.start()),
                message=f"the link says {' '.join(text.split())!r}, but points to {target}",
                help="correct the text or the target",
                words=text,
                subject=f"{text} {target}",
            )
