"""The answer of a gate."""

from collections.abc import Mapping
from typing import NamedTuple

from ..finding import Finding

APPROVED, REJECTED, PENDING = "approved", "rejected", "pending"
STATES = (APPROVED, REJECTED, PENDING)
"""Each gate answers with one of these, never with none."""

EXIT_CODES = {APPROVED: 0, REJECTED: 1, PENDING: 4}


class GateResult(NamedTuple):
    """The answer of a gate. GateResult of the original design, with three states.

    `message` is one line for a person. `findings` say why it is not approved. `failed` is set where
    the gate could not be evaluated; such a gate is rejected, and its exit code is 3. `details` are
    further fields of the kind, as JSON values: for an approval those of the approval-result, with
    cost in US dollars. `suggestions` are what the approver recommends.
    """

    gate: str
    gate_type: str
    state: str
    message: str
    findings: tuple[Finding, ...] = ()
    suggestions: tuple[str, ...] = ()
    details: Mapping[str, object] = {}
    cost_usd: float = 0.0
    failed: bool = False

    @property
    def passed(self) -> bool:
        return self.state == APPROVED

    @property
    def exit_code(self) -> int:
        return 3 if self.failed else EXIT_CODES[self.state]
