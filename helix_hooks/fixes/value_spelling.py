"""Header values with a typing error: `majro` for `major`, where a rule lists the known values."""

from collections.abc import Iterator

from ..adr.names.field import comparable, says_value
from ..adr.rules.structure.value_misspelt import ValueMisspelt
from ..finding import Finding
from .around import Around
from .edit import Fix
from .lines import line_at
from .spelling import in_case_of, meant, only_place, respelt


def fixes(finding: Finding, around: Around) -> Iterator[Fix]:
    """Yield the fix of a one-word value that only one known value can mean."""
    adr, text = around.adr(finding.path), around.text(finding.path)
    line = line_at(text, finding.line) if text else None
    if not adr or not line:
        return
    for rule in around.ruleset.rules:
        if not isinstance(rule, ValueMisspelt):
            continue
        for name, values in rule.known.items():
            field = adr.header.fields.get(name)
            if not field or field.line != finding.line or len(field.texts) != 1:
                continue
            word = field.text.strip(" \t*_`\"'")
            known = meant(word, {value: value for value in values}, same_end=False)
            place = only_place(line, word) if known and comparable(word) == word.casefold() else -1
            if place < 0 or says_value(word, values):
                continue
            correct = in_case_of(known, word)
            yield respelt(finding, name, place, word, correct)
