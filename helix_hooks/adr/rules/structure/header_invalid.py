import re
from collections.abc import Iterator

from ....yaml_values import nearest
from ...model import Adr, Found
from ...names.blank import is_blank
from ...names.field import field_name
from ...parse.document import AdrDocument
from ...template import HELIX, MADR_STATUSES

_KEY = (
    rb"(?mi)^[ \t>*_`\"'|-]{0,8}(adr[-_ ]?id"
    rb"|change[-_ ]?scope)[ \t*_`\"']{0,4}[:=][ \t*_`\"']*[^\s*_`|]"
)
_KEY_FIELDS = {"adr_id", "change_scope"}
_KEYS = (
    b"adr_id",
    b"adr-id",
    b"adr id",
    b"change_scope",
    b"change-scope",
    b"change scope",
    b"changescope",
)
_TOP = 1000
_LONGEST = 200
"""Characters of a status that are looked at."""
_FIRST = 2
"""Words of a status that are compared with known ones."""
_ALIKE = 0.8
_TAG = r"(?i)(?:tags?|labels?|categor(?:y|ies)|keywords?):[^\s:].*"
"""A label without the space that would make it a key of YAML."""


_SPACE = "write a space after each colon, as in `tags: general`, or delete the header"
_CORRECT = "correct the YAML between the two `---` lines"


class HeaderInvalid:
    """The header cannot be read, lacks a field, or states an unknown status.

    Every contextual rule looks at the header, so a header that cannot be read switches them all off
    without a word. The rule reports YAML that does not parse, a header that is not a mapping, a key
    that occurs twice, aliases beyond bounds, tags and deep nesting, a required field that is
    missing, an `adr_id` or `change_scope` above the first section where no header is read, two
    spellings of one key, and a status outside the template's vocabulary. Status words are known in
    English, German, French, Spanish, Portuguese, Italian and Dutch; `aliases` in the settings adds
    more. Outside of the helix template, a status in words of the team's own ("Ongoing") is a
    warning, unless the settings list the statuses; `Acepted`, TBD and `proposed | accepted` are
    errors. A header that has only tags without a space after the colon (`tag:General`) is a warning
    outside of the helix template.
    """

    id = "header-invalid"
    layer = "structure"
    severity = "error"

    def check(self, adr: Adr) -> Iterator[Found]:
        is_note = bool(adr.header.defects) and _is_note(adr)
        for defect in adr.header.defects:
            message, _, help = defect.message.rpartition("; ")
            help = help if message else _CORRECT
            yield Found(
                line=defect.line,
                message=message or defect.message,
                help=_SPACE if is_note else help,
                severity="warning" if is_note else "",
            )
        broken = bool(adr.header.defects) and not adr.header.fields
        missing = [name for name in adr.template.fields if not adr.header.text(name)]
        if missing and not broken:
            yield _missing(adr, missing)
        if adr.header.text("status"):
            yield from _status(adr)
        if not adr.header.defects:
            yield from _outside(adr)


def _is_note(adr: Adr) -> bool:
    """Return whether a header that is not YAML has only tags, which no rule needs."""
    front = adr.doc.front
    if not front or not adr.doc.front_closed or adr.template.name == HELIX.name:
        return False
    return all(re.fullmatch(_TAG, line) for line in front.splitlines() if line.strip())


def _outside(adr: Adr) -> Iterator[Found]:
    """A key with a value above the first section, but where no header is read: behind a comment, in
    code, below a `----`.
    """
    if adr.header.fields.keys() >= _KEY_FIELDS:
        return
    doc = adr.doc
    top = doc.markup[doc.body : _stop(doc)]
    lower = top.lower()
    if not any(key in lower for key in _KEYS):
        return
    for key in re.finditer(_KEY, top):
        name, place = field_name(key[1].decode()), doc.body + key.start(1)
        if name not in adr.header.fields and not _quoted(doc, place):
            front = (
                "write the header between two `---` lines, of which the first is line 1 of the file"
            )
            yield Found(
                line=doc.line_at(place),
                message=f"{name} is outside of the header, where no rule reads it",
                help=front,
                words=key[1].decode(),
            )
            return


def _stop(doc: AdrDocument) -> int:
    """Return the offset of the first section.

    A header between rules looks like a heading that the lower rule underlines.
    """
    if not doc.sections:
        return doc.body + _TOP
    first = doc.sections[0]
    underlined = not doc.data.startswith(b"#", first.heading_start)
    return min(first.start if underlined else first.heading_start, doc.body + _TOP)


def _quoted(doc: AdrDocument, place: int) -> bool:
    """Return whether a key is an example: in code that does not come first in the text."""
    begin = doc.title.start if doc.title and doc.title.start <= place else doc.body
    return any(
        fence.start <= place < fence.stop and doc.prose_markup[begin : fence.start].strip()
        for fence in doc.fences
    )


def _missing(adr: Adr, missing: list[str]) -> Found:
    names = " and ".join(filter(None, (", ".join(missing[:-1]), missing[-1])))
    is_are = "is" if len(missing) == 1 else "are"
    empty = next(
        (adr.header.fields[name].line for name in missing if name in adr.header.fields),
        adr.header.line,
    )
    example = ", ".join(f"`{name}: …`" for name in missing)
    where = (
        "in the YAML header"
        if adr.doc.front is not None
        else "in a YAML header between two `---` lines at the top"
    )
    return Found(
        line=empty,
        message=f"{names} {is_are} missing from the header",
        help=f"add {example} {where}",
    )


def _status(adr: Adr) -> Iterator[Found]:
    field = adr.header.fields["status"]
    known = adr.statuses.read(field.text)
    if known in adr.template.statuses:
        return
    allowed = ", ".join(adr.template.statuses)
    short = field.text if len(field.text) <= 60 else field.text[:59] + "…"
    near = _meant(adr, field.text)
    meant = f", which looks like {near!r}" if near else ""
    is_firm = near or _lists_statuses(adr) or _is_blank(adr, field.text)
    yield Found(
        line=field.line,
        message=f"unknown status {short!r}{meant}",
        help=f"write one of: {allowed}",
        severity="" if is_firm else "warning",
        column=field.column,
        words=field.text,
    )


def _lists_statuses(adr: Adr) -> bool:
    """Return whether the template says itself which statuses there are."""
    return adr.template.statuses != MADR_STATUSES


def _is_blank(adr: Adr, text: str) -> bool:
    """Return whether a status is a blank, or a choice of the template: `proposed | accepted`."""
    words = re.findall(r"\w+", text[:_LONGEST])
    known = [status for word in words if (status := adr.statuses.read(word))]
    return is_blank(text) or (len(set(known)) > 1 and len(known) == len(words))


def _meant(adr: Adr, text: str) -> str:
    """Return the status word that the first words of a text nearly are, "" without one."""
    words = re.findall(r"\w+", text[:_LONGEST].casefold())[:_FIRST]
    names = adr.statuses.names
    first = [" ".join(words[:count]) for count in range(1, len(words) + 1)]
    if not names.keys().isdisjoint(first):
        return ""
    return next(filter(None, (nearest(text, names, _ALIKE) for text in first)), "")
