"""The answer of a gate."""

from collections.abc import Mapping
from typing import NamedTuple

from ..finding import Finding

APPROVED, REJECTED, PENDING = "approved", "rejected", "pending"
STATES = (APPROVED, REJECTED, PENDING)
"""The possible answers of a gate."""

EXIT_CODES = {APPROVED: 0, REJECTED: 1, PENDING: 4}


class GateResult(NamedTuple):
    """The answer of a gate. GateResult of the original design, with three states.

    `message` is one line for a person. `findings` are the reasons against an approval. `failed`:
    the gate could not be evaluated, so it is rejected with exit code 3. `details` are fields of the
    kind of gate, as JSON values: for an approval those of the approval-result. `suggestions` are
    the recommendations of the approver.
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
        if self.failed:
            return 3
        return EXIT_CODES[self.state]
