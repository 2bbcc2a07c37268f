"""Header values with a typo: `majro` for `major`, if a rule lists the known values."""

from collections.abc import Iterator

from ..adr.names.field import Field, comparable, says_value
from ..finding import Finding
from .around import Around
from .edit import Fix
from .lines import TextLine, line_at
from .spelling import in_case_of, meant, only_place, respelt


def fixes(finding: Finding, around: Around) -> Iterator[Fix]:
    """Yield the fix of a one-word value that only one known value can mean."""
    adr, text = around.adr(finding.path), around.text(finding.path)
    line = line_at(text, finding.line) if text else None
    if not adr or not line:
        return
    for name, values in around.ruleset.vocabulary.values.items():
        field = adr.header.fields.get(name)
        if field and field.line == finding.line and len(field.texts) == 1:
            yield from _correction(finding, name, field, values, line)


def _correction(
    finding: Finding, name: str, field: Field, values: tuple[str, ...], line: TextLine
) -> Iterator[Fix]:
    word = field.text.strip(" \t*_`\"'")
    # A value with other markup has no certain place in the line.
    if comparable(word) != word.casefold() or says_value(word, values):
        return
    value = meant(word, {value: value for value in values}, same_end=False)
    place = only_place(line, word)
    if value and place >= 0:
        yield respelt(finding, name, place, word, in_case_of(value, word))
