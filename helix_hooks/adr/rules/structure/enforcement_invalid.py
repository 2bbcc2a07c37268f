from collections.abc import Iterator

from ...enforcement import enforcement_of
from ...model import Adr, RuleResult, rule


@rule("enforcement-invalid", "structure", "error")
def enforcement_invalid(adr: Adr) -> Iterator[RuleResult]:
    """An entry of `enforcement:` cannot be read, so nothing checks that part of the decision.

    Each entry of the list is one of three. A rule has an `id`, a `rule` for ast-grep with its
    `language`, or a contract on imports with its `packages`; a snippet that `fails` and one that
    `passes`. `by: FILE::NAME` names a test, a lint rule or a job that exists. `none:` has the
    reason why the code can't be checked. An exception of a rule has `files`, an `owner`, a `reason`
    and the last day, `until`.

    To fix a finding, correct the entry.
    """
    enforcement = enforcement_of(adr.doc)
    for defect in enforcement.defects if enforcement else ():
        yield RuleResult(
            line=defect.line,
            message=defect.message,
            help="correct the entry; `helix-hooks explain enforcement-invalid` lists its keys",
            subject=defect.message.partition(":")[0],
        )
