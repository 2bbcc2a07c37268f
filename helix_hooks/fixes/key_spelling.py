"""Header keys with a typing error: `chnage_scope` for `change_scope`."""

import re
from collections.abc import Iterator

from ..adr.names.aliases import FIELDS
from ..adr.names.field import field_name
from ..adr.rules.structure.key_misspelt import KeyMisspelt
from ..finding import Finding
from .around import Around
from .edit import Fix
from .lines import TextLine, line_at
from .spelling import meant, respelt

_KEY = r"[\s>*_`\"'|+-]*([^\W\d_][\w -]*?)[\s*_`\"']*[:：|]"


def fixes(finding: Finding, around: Around) -> Iterator[Fix]:
    """Yield the fix of a key that only one known key can mean."""
    adr, text = around.adr(finding.path), around.text(finding.path)
    line = line_at(text, finding.line) if text else None
    if not adr or not line:
        return
    known = [
        key for rule in around.ruleset.rules if isinstance(rule, KeyMisspelt) for key in rule.known
    ]
    options = {key: key for key in (*known, *adr.template.fields)}
    for key, field in adr.header.fields.items():
        name = meant(key, options, same_end=False)
        if field.line != finding.line or key in FIELDS or not name or name in adr.header.fields:
            continue
        place = _place(line, key)
        if not place:
            continue
        start, raw = place
        correct = _written(name, raw)
        if field_name(correct) == name:
            yield respelt(finding, "key", start, raw, correct)
        return


def _place(line: TextLine, key: str) -> tuple[int, str] | None:
    """Return offset and spelling of the key with which a line begins; None for another key."""
    match = re.match(_KEY, line.text)
    if not match or field_name(match[1]) != key:
        return None
    return line.start + match.start(1), match[1]


def _written(name: str, raw: str) -> str:
    """Return the name of a field with the separators and capitals of a key."""
    separator = next((sign for sign in "_- " if sign in raw), "_")
    words = name.split("_")
    if raw.isupper():
        words = [word.upper() for word in words]
    elif raw.istitle():
        words = [word.capitalize() for word in words]
    elif raw[:1].isupper():
        words[0] = words[0].capitalize()
    return separator.join(words)
