from collections.abc import Iterator

from ...model import Adr, RuleResult, rule
from ...names import named, number, number_in_path
from ...norm import title_of


@rule("title-taken", "structure", "error")
def title_taken(adr: Adr) -> Iterator[RuleResult]:
    """A new ADR has the title of another ADR.

    Such a title is usually left over from the file that was copied as a start. A reader of the list
    cannot tell the two apart. The title is compared without its number, case and signs with those
    of the newest twenty ADRs of the folder. It is no finding if the new ADR names the other one,
    as a successor does. Write a title that says what is decided.
    """
    if not adr.norm or not adr.is_new:
        return
    title = title_of(adr)
    other = dict(adr.norm.titles).get(title)
    if not other or " " not in title:
        return
    # A successor names the other ADR.
    named_there = named(adr.doc.prose_markup.decode())
    named_there.update(filter(None, map(number, adr.header.items("supersedes"))))
    name = other.rpartition("/")[2].encode()
    if name in adr.doc.prose_markup or number_in_path(other) in named_there:
        return
    yield RuleResult(
        line=adr.title_line,
        message=f"{other} has the same title",
        help="write in a few words what this ADR decides",
        words=adr.doc.title_text,
        subject="title",
    )
