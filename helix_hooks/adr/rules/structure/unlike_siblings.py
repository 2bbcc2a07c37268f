from collections.abc import Iterator

from ...model import Adr, Norm, RuleResult, Trait, line_of, rule
from ...norm import lacking
from .section_missing import meant


@rule("unlike-siblings", "structure", "error")
def unlike_siblings(adr: Adr) -> Iterator[RuleResult]:
    """A new ADR lacks what the ADRs beside it have.

    The other ADRs of its folder show what this team writes: their headings, header fields and
    labels are counted, in the newest twenty. A status, context, decision or consequences that at
    least 80 % of them state, and the new ADR does not, is an error. So is any heading or field that
    all of at least eight have, except lists of references, questions and changes. Anything else
    that 80 % have is a warning, and so is what the two newest no longer have. A template file in
    the folder (such as `template.md`) wins over the count if the newest ADRs follow it: what it
    marks as optional is optional.

    Headings are compared by meaning, and at any place: a label `Decision: ...` counts, and a
    usual German or English name. The ADRs are those of the base (HEAD at a commit, the merge base
    with `--since`), without rejected and withdrawn ones. A folder with fewer than five ADRs borrows
    from other folders whose ADRs have the same kind of name and template. An ADR that existed
    before is not new: it must only keep what it had. Add what is missing. If the team changes its
    style, change the template file first.
    """
    if not adr.norm or not adr.doc.front_closed or not adr.doc.data.strip():
        return
    required = {key for item in adr.template.sections for key in item.meanings}
    for trait in lacking(adr, adr.norm):
        # A header that cannot be read may have a field; header-invalid reports it.
        is_unread = adr.header.defects and not trait.form[1]
        if trait.key not in required and not is_unread:
            yield _unlike(adr, adr.norm, trait)


def _unlike(adr: Adr, norm: Norm, trait: Trait) -> RuleResult:
    written = line_of(trait.form)
    message = f"{trait.number} of {norm.total} ADRs here have `{written}`"
    if trait.of_file:
        message = f"the template {norm.file} has `{written}`"
    severity = "" if norm.is_firm(trait) else "warning"
    near = meant(adr, (trait.key,), written)
    if near:
        message = f"{message}, this one does not: {near.message}"
        return near._replace(message=message, severity=severity, subject=trait.key)
    message = f"{message}, this one does not"
    return RuleResult(adr.title_line, message, f"add `{written}`", severity, subject=trait.key)
