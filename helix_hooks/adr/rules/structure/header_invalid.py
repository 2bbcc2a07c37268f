import re
from collections.abc import Iterator

from ...blank import is_blank
from ...model import HELIX, MADR_STATUSES, Adr, RuleResult, fixed_by, rule
from ...names import comparable, field_name
from .value_misspelt import respelt_status

_KEY = (
    rb"(?mi)^[ \t>*_`\"'|-]{0,8}(adr[-_ ]?id"
    rb"|change[-_ ]?scope)[ \t*_`\"']{0,4}[:=][ \t*_`\"']*[^\s*_`|]"
)
_KEY_FIELDS = {"adr_id", "change_scope"}
_MAX_TOP = 1000
"""Bytes below the title in which a header may be."""
_MAX_STATUS = 200
"""Characters of a status that are read."""
_MAX_SHOWN = 60

_TAG = r"(?i)(?:tags?|labels?|categor(?:y|ies)|keywords?):[^\s:].*"
"""A label without the space that would make it a key of YAML."""
_SPACE = "write a space after each colon, e.g. `tags: general`, or delete the header"
_CORRECT = "correct the YAML between the two `---` lines"


@fixed_by(respelt_status)
@rule("header-invalid", "structure", "error")
def header_invalid(adr: Adr) -> Iterator[RuleResult]:
    """The header cannot be read, lacks a field, or has an unknown status.

    Each contextual rule reads the header, so an unreadable header would disable all of them. The
    rule reports invalid YAML, a header that is not a mapping, a duplicate key, a missing required
    field, and `adr_id` or `change_scope` outside of the header.

    It also reports an unknown status. Statuses are recognised in English, German, French, Spanish,
    Portuguese, Italian and Dutch; `aliases` in the settings adds more. `Acepted`, TBD and `proposed
    | accepted` are errors. Outside of the helix template, a status of the team's own, such as
    "Ongoing", is a warning, unless the settings or a sibling of a new ADR have it.

    To fix a finding, correct the header.
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
    front = adr.doc.front if adr.doc.front_closed and adr.template.name != HELIX.name else ""
    written = [line for line in (front or "").splitlines() if line.strip()]
    # No rule needs tags.
    has_only_tags = bool(written) and all(re.fullmatch(_TAG, line) for line in written)
    lines = adr.doc.texts({defect.line for defect in adr.header.defects})
    for defect in adr.header.defects:
        # The text behind the last semicolon is the help.
        message, _, help = defect.message.rpartition("; ")
        if not message:
            message, help = defect.message, _CORRECT
        yield RuleResult(
            line=defect.line,
            message=message,
            help=_SPACE if has_only_tags else help,
            severity="warning" if has_only_tags else "",
            subject=lines[defect.line].strip(),
        )


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
    for key in re.finditer(_KEY, top):
        name, offset = field_name(key[1].decode()), doc.body + key.start(1)
        if name not in adr.header.fields:
            yield RuleResult(
                line=doc.line_at(offset),
                message=f"{name} is outside the header, so no rule reads it",
                help="put the header between two `---` lines at the top; the first one must be "
                "line 1",
                words=key[1].decode(),
                subject=name,
            )
            return


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
    # A template with a list of its own allows no other status.
    has_list = adr.template.statuses != MADR_STATUSES
    # A choice, as in `proposed | accepted`, is a placeholder too.
    words = [adr.statuses.read(word) for word in re.findall(r"\w+", field.text[:_MAX_STATUS])]
    is_choice = len(set(words)) > 1 and all(words)
    is_error = near or has_list or is_choice or is_blank(field.text)
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
