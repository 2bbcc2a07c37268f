"""A run of the cascade of the original design, in whose middle a gate has rejected."""

from typing import Any

from helix_hooks.finding import Finding
from helix_hooks.phases.flow import RETRY_PHASE, Budget, Flow, Phase, Rejection
from helix_hooks.phases.gate_result import APPROVED, REJECTED, GateResult
from helix_hooks.phases.run_state import PAUSED, REVIEW, RUNNING, Decider, PhaseProgress, RunState

OCTOCAT = Decider("octocat", verified=True)
BACK = Rejection(RETRY_PHASE, "adr-creation")
FLOW = Flow(
    "critical",
    "phases.yaml",
    "ab" * 32,
    (
        Phase("adr-creation", "consultant", "phases.yaml:2"),
        Phase("adr-approval", "approval", "", ("adr-creation",), on_rejection=BACK),
        Phase("implementation", "development", "", ("adr-approval",), max_retries=2),
        Phase("code-approval", "approval", "", ("implementation",)),
        Phase("security-approval", "approval", "", ("implementation",)),
    ),
    Budget(hard=5),
)
COMPLETE = GateResult("adr-creation", "adr_complete", APPROVED, "1 ADR is complete")
SURE = GateResult("adr-approval", "approval", APPROVED, "approved with confidence 0.93")
FINDING = Finding("error", "security", "agent", "SQL is built from input", "src/orders.py", 3)
UNSAFE = GateResult("code-approval", "approval", REJECTED, "1 error stands", (FINDING,))


def progress(state: str, result: GateResult | None = None, **more: Any) -> PhaseProgress:
    start = PhaseProgress(state, "response", number=1, result=result)
    return start._replace(**more)


REJECTED_CODE = progress(
    PAUSED,
    UNSAFE,
    number=2,
    pause=REVIEW,
    question="its gate rejected it, and no tries are left",
    seconds=31,
    cost_usd=0.11,
)
STATE = RunState(
    "critical-8f3a",
    OCTOCAT,
    {
        "adr-creation": progress(APPROVED, COMPLETE, seconds=12.3, cost_usd=0.002),
        "adr-approval": progress(APPROVED, SURE, seconds=40, cost_usd=0.3),
        "implementation": progress(APPROVED, number=2, attempt=2, seconds=240, cost_usd=1.2),
        "code-approval": REJECTED_CODE,
        "security-approval": progress(RUNNING),
    },
    allowed_usd=5,
)


def with_code(found: PhaseProgress) -> RunState:
    """Return the run with another progress of `code-approval`."""
    return STATE._replace(phases={**STATE.phases, "code-approval": found})
