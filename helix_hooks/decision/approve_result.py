"""The result of one call of `approve`, as printers, the result file and the Action read it."""

from typing import NamedTuple

from ..adr.check_report import CheckReport
from ..config.policy import Deciders
from ..finding import Finding
from ..verdict.approval_result import ApprovalResult
from .decide import Decision
from .states import APPROVED


class ApproveResult(NamedTuple):
    """The decision of a call, with everything it is based on.

    `verdicts` are those of judges, with the decision on each in `decisions`, by approval type.
    `unjudged` are the results of types for which no judge ran; their summary is the reason.
    `lines` are the texts of the lines with findings of judges or indicators, by path and number.
    `rubric_from` names the revision whose rubric was used. `base` is "" for a call without one.
    """

    decision: Decision
    report: CheckReport
    verdicts: tuple[ApprovalResult, ...]
    decisions: dict[str, Decision]
    unjudged: tuple[ApprovalResult, ...]
    indicators: tuple[Finding, ...]
    lines: dict[str, dict[int, str]]
    rubric_from: str
    base: str
    head: str
    deciders: Deciders = Deciders()

    @property
    def skipped(self) -> bool:
        """True if nothing stands against the change, and no judge has reviewed it."""
        return self.decision.state == APPROVED and not self.verdicts
