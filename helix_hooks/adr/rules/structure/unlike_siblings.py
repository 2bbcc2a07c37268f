from collections.abc import Iterator

from ...model import Adr, Norm, RuleResult, Trait, line_of, rule
from ...norm import lacking
from .section_missing import meant


@rule("unlike-siblings", "structure", "error")
def unlike_siblings(adr: Adr) -> Iterator[RuleResult]:
    """A new ADR lacks what the ADRs beside it have.

    The newest twenty ADRs of the folder show what this team writes. Their headings, header fields
    and labels are counted, by meaning. These are errors, if the new ADR lacks them: a status,
    context, decision or consequences that 80 % of the siblings have, and anything else that all of
    at least eight have. Other parts that 80 % have are warnings.

    A template file in the folder, such as `template.md`, wins over the count. A folder with fewer
    than five ADRs borrows siblings from similar folders. ADRs that existed before are not compared.

    To fix a finding, add what is missing. If the team changes its style, change the template file
    first.
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
