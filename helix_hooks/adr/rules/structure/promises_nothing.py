from collections.abc import Iterator

from ...blank import is_blank
from ...corpus import CLOSED, REFUSED
from ...model import Adr, RuleResult, rule


@rule("promises-nothing", "structure", "warning")
def promises_nothing(adr: Adr) -> Iterator[RuleResult]:
    """No promise of the ADR can be checked without a person.

    `helix-hooks verify` compares the work with the files under `files:` in the header, and with the
    tests and commands that acceptance criteria name. Without any of them, only a person can tell
    whether the decision was implemented. List the files that are written or removed, or name a test
    (`tests/test_orders.py::test_sent`) in a criterion. `helix-hooks contract ADR` shows what an ADR
    promises, and with `--suggest` what its text offers. The rule runs on new ADRs in the helix
    template, and in others if `severities` of the settings has it.
    """
    if not adr.is_new or adr.status in (*CLOSED, *REFUSED):
        return
    from ...promises import promises_of  # for few ADRs: the rule is of the helix template

    promises = promises_of(adr)
    if any(item.kind != "criterion" or item.names for item in promises):
        return
    is_asked = adr.template.asks_for("acceptance-criteria")
    if is_asked and all(is_blank(item.subject) for item in promises):
        return  # acceptance-criteria-too-few or section-missing says so
    yield RuleResult(
        line=adr.title_line,
        message="this decision promises nothing that can be checked",
        help="list its files under `files:`, or name a test or command in a criterion "
        "(`helix-hooks contract ADR --suggest`)",
        subject="promises",
    )
