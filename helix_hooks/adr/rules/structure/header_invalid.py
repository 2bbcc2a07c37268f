import re
from collections.abc import Iterator

from ...model import Adr, RuleResult, rule
from ...names.blank import is_blank
from ...names.field import comparable, field_name
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
"""The keys as bytes: a search for them is faster than that of the pattern, and most texts have
none.
"""
_MAX_TOP = 1000
"""Bytes below the title in which a header may be."""
_MAX_STATUS = 200
"""Characters of a status that are read."""
_MAX_SHOWN = 60
_TAG = r"(?i)(?:tags?|labels?|categor(?:y|ies)|keywords?):[^\s:].*"
"""A label without the space that would make it a key of YAML."""


_SPACE = "write a space after each colon, e.g. `tags: general`, or delete the header"
_CORRECT = "correct the YAML between the two `---` lines"


@rule("header-invalid", "structure", "error")
def header_invalid(adr: Adr) -> Iterator[RuleResult]:
    """The header cannot be read, lacks a field, or has an unknown status.

    Every contextual rule reads the header, so an unreadable header would silently disable all of
    them. The rule reports invalid YAML, a header that is not a mapping, a duplicate key, too many
    aliases, tags and deep nesting. It also reports a missing required field, an `adr_id` or
    `change_scope` above the first section but outside the header, and two spellings of one key.

    A status that the template does not list is unknown. Statuses are recognised in English, German,
    French, Spanish, Portuguese, Italian and Dutch; `aliases` in the settings adds more. Outside the
    helix template, a custom status ("Ongoing") is a warning, unless the settings list the statuses;
    a new ADR may have a status that one of its siblings has.
    `Acepted`, TBD and `proposed | accepted` are errors. A header that has only tags without a space
    after the colon (`tag:General`) is a warning outside the helix template. Correct the header.
    """
    header = adr.header
    if header.defects:
        yield from _defects(adr)
    missing = [name for name in adr.template.fields if not header.text(name)]
    is_unreadable = bool(header.defects) and not header.fields
    if missing and not is_unreadable:
        yield _missing(adr, missing)
    if header.text("status"):
        yield from _check_status(adr)
    if not header.defects:
        yield from _outside(adr)


def _defects(adr: Adr) -> Iterator[RuleResult]:
    has_only_tags = _has_only_tags(adr)
    lines = adr.doc.texts({defect.line for defect in adr.header.defects})
    for defect in adr.header.defects:
        # The text behind the last semicolon is the help.
        message, _, help = defect.message.rpartition("; ")
        if not message:
            message, help = defect.message, _CORRECT
        if has_only_tags:
            result = RuleResult(line=defect.line, message=message, help=_SPACE, severity="warning")
        else:
            result = RuleResult(line=defect.line, message=message, help=help)
        yield result._replace(subject=lines[defect.line].strip())


def _has_only_tags(adr: Adr) -> bool:
    """Return whether a header that is not YAML has only tags, which no rule needs."""
    front = adr.doc.front
    if not front or not adr.doc.front_closed or adr.template.name == HELIX.name:
        return False
    return all(re.fullmatch(_TAG, line) for line in front.splitlines() if line.strip())


def _outside(adr: Adr) -> Iterator[RuleResult]:
    """Yield a key with a value above the first section, but where no header is read: behind a
    comment, in code, below a `----`.
    """
    if adr.header.fields.keys() >= _KEY_FIELDS:
        return
    doc = adr.doc
    stop = doc.body + _MAX_TOP
    if doc.sections:
        first = doc.sections[0]
        # Markdown takes a header between two rules for a heading that the lower one underlines.
        is_heading = doc.data.startswith(b"#", first.heading_start)
        stop = min(stop, first.heading_start if is_heading else first.start)
    top = doc.markup[doc.body : stop]
    lower = top.lower()
    if not any(key in lower for key in _KEYS):
        return
    for key in re.finditer(_KEY, top):
        name, offset = field_name(key[1].decode()), doc.body + key.start(1)
        if name not in adr.header.fields and not _is_example(doc, offset):
            yield RuleResult(
                line=doc.line_at(offset),
                message=f"{name} is outside the header, so no rule reads it",
                help="put the header between two `---` lines at the top; the first one must be "
                "line 1",
                words=key[1].decode(),
                subject=name,
            )
            return


def _is_example(doc: AdrDocument, offset: int) -> bool:
    """Return whether a key is in code that does not come first in the text."""
    start = doc.body
    if doc.title and doc.title.start <= offset:
        start = doc.title.start
    for fence in doc.fences:
        if fence.start <= offset < fence.stop and doc.prose_markup[start : fence.start].strip():
            return True
    return False


def _missing(adr: Adr, missing: list[str]) -> RuleResult:
    fields = adr.header.fields
    names = " and ".join(filter(None, (", ".join(missing[:-1]), missing[-1])))
    verb = "is" if len(missing) == 1 else "are"
    example = ", ".join(f"`{name}: …`" for name in missing)
    header = "the YAML header"
    if adr.doc.front is None:
        header = "a YAML header between two `---` lines at the top"
    empty_lines = [fields[name].line for name in missing if name in fields]
    return RuleResult(
        line=empty_lines[0] if empty_lines else adr.header.line,
        message=f"{names} {verb} missing from the header",
        help=f"add {example} in {header}",
        subject="\n".join(missing),
    )


def _check_status(adr: Adr) -> Iterator[RuleResult]:
    field = adr.header.fields["status"]
    if adr.statuses.read(field.text) in adr.template.statuses:
        return
    text = field.text
    if len(text) > _MAX_SHOWN:
        text = text[: _MAX_SHOWN - 1] + "…"
    near = adr.statuses.nearest(field.text)
    hint = f"; did you mean {near!r}?" if near else ""
    is_error = near or _lists_statuses(adr) or _is_placeholder(adr, field.text)
    if not is_error and adr.norm and comparable(field.text) in adr.norm.statuses:
        return  # a status that this team uses
    yield RuleResult(
        line=field.line,
        message=f"unknown status {text!r}{hint}",
        help=f"write one of: {', '.join(adr.template.statuses)}",
        severity="" if is_error else "warning",
        column=field.column,
        words=field.text,
        subject=f"status {field.text}",
    )


def _lists_statuses(adr: Adr) -> bool:
    """Return whether the template has a list of its own, so that no other status is allowed."""
    return adr.template.statuses != MADR_STATUSES


def _is_placeholder(adr: Adr, text: str) -> bool:
    """Return whether a status is a placeholder, or a choice: `proposed | accepted`."""
    if is_blank(text):
        return True
    statuses = [adr.statuses.read(word) for word in re.findall(r"\w+", text[:_MAX_STATUS])]
    return len(set(statuses)) > 1 and all(statuses)
