"""Header keys with a typo: `chnage_scope` for `change_scope`."""

import re
from collections.abc import Iterator

from ..adr.model import Adr
from ..adr.names.aliases import FIELDS
from ..adr.names.field import field_name
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
    options = _known_keys(around, adr)
    for key, field in adr.header.fields.items():
        if field.line == finding.line:
            yield from _respelt(finding, key, _place(line, key), options, adr)


def _respelt(
    finding: Finding, key: str, place: tuple[int, str] | None, options: dict[str, str], adr: Adr
) -> Iterator[Fix]:
    if not place:
        return
    start, raw = place
    name = _meant_key(key, options, adr)
    correct = _in_style_of(name, raw)
    if name and field_name(correct) == name:
        yield respelt(finding, "key", start, raw, correct)


def _meant_key(key: str, options: dict[str, str], adr: Adr) -> str:
    """Return the known key that a key means, "" without one that the header lacks."""
    name = "" if key in FIELDS else meant(key, options, same_end=False)
    return "" if name in adr.header.fields else name


def _known_keys(around: Around, adr: Adr) -> dict[str, str]:
    return {key: key for key in (*adr.template.fields, *around.ruleset.vocabulary.fields)}


def _place(line: TextLine, key: str) -> tuple[int, str] | None:
    """Return offset and spelling of the key at the start of a line; None for another key."""
    match = re.match(_KEY, line.text)
    if not match or field_name(match[1]) != key:
        return None
    return line.start + match.start(1), match[1]


def _in_style_of(name: str, raw: str) -> str:
    """Return the name of a field with the separators and capitals of a key."""
    separators = [sign for sign in "_- " if sign in raw]
    words = name.split("_")
    if raw.isupper():
        words = [word.upper() for word in words]
    elif raw.istitle():
        words = [word.capitalize() for word in words]
    elif raw[:1].isupper():
        words[0] = words[0].capitalize()
    return (separators or "_")[0].join(words)
