"""The state of a run, the events that change it, and its tasks."""

from collections.abc import Mapping
from typing import Annotated, NamedTuple

from ..codec import Amount, Count
from .gate_result import GateResult

WAITING, RUNNING = "waiting", "running"
APPROVED, REJECTED, PAUSED, CANCELLED = "approved", "rejected", "paused", "cancelled"
PHASE_STATES = (WAITING, RUNNING, APPROVED, REJECTED, PAUSED, CANCELLED)
"""Paused: a person must decide. Rejected: the phase ended by `on_rejection: fail`."""
ENDED = (APPROVED, REJECTED, CANCELLED)
"""The outcomes of a run that has ended."""

MAKE, DECIDE, REVIEW = "make", "decide", "review"
PAUSES = (MAKE, DECIDE, REVIEW)
"""The reasons for a pause: a person creates the files, answers a pending gate, or decides after a
rejection.
"""

KEPT, ASKED_AGAIN = "kept", "asked-again"
"""The treatment of an earlier approval once all dependencies are approved again: it counts if the
files that it is based on are unchanged, or its gate runs again.
"""


class Decider(NamedTuple):
    """The decider: a verified GitHub login, or the name of a person at a terminal.

    With `is_sole` the policy lets this login decide on their own requests. `delegate_of` is the
    login whose delegate they are, "" for none. With `is_rule` a rule of the policy decided, and
    `name` describes the rule. `via` is who confirmed the login, "" for GitHub.
    """

    name: str
    verified: bool
    is_sole: bool = False
    delegate_of: str = ""
    is_rule: bool = False
    via: str = ""

    @property
    def in_words(self) -> str:
        """The verified login, the unverified name, or the rule."""
        if self.is_rule:
            return self.name
        if not self.verified:
            return f"{self.name or 'nobody'} (not verified)"
        via = f" ({self.via})" if self.via else ""
        if self.delegate_of:
            return f"@{self.name}{via} as delegate of @{self.delegate_of}"
        return f"@{self.name}{via}"


class PhaseProgress(NamedTuple):
    """Progress of a phase.

    `stage` is "prompt" or "response". `attempt` counts the attempts of this stage from 1, `number`
    counts all tasks of the phase, `used` the repetitions of another phase by `retry_phase` for this
    one. `result` is the last answer of its gate, `feedback` the text for the next attempt, and
    `rejected` the rejected output. `hashes` are the SHA-256 hashes of the approved files by path.
    `question` is the question to a person, "" unless paused. `overridden` names the person who
    overrode a rejection, with the reason. Times are in seconds, costs in US dollars.

    `prompt_hashes` are the hashes of an approved prompt. `ready`: a task can start now. `creates`:
    the task creates content. `pause` is one of `PAUSES`, or "". `seen` are the hashes of the files
    that its gate saw last, `basis` is a digest of those that its last task used. `carried` is the
    feedback of another phase, for both stages. `output` is the end of its creator's last output.
    `repeats`: it waits until another phase can be repeated for it. `stale`: a dependency was
    reopened while it runs. `earlier` is `KEPT`, `ASKED_AGAIN` or "". `reopened` counts how often
    its approval was lost since a person last decided. `definition` is a hash of its configuration.
    `decided` is a line about the decision of a person since the last answer of its gate.
    """

    state: Annotated[str, PHASE_STATES] = WAITING
    stage: Annotated[str, ("prompt", "response")] = "prompt"
    attempt: Count = 1
    number: Count = 0
    used: Count = 0
    result: GateResult | None = None
    feedback: str = ""
    rejected: str = ""
    hashes: Mapping[str, str] = {}
    question: str = ""
    overridden: str = ""
    cost_usd: Amount = 0.0
    seconds: Amount = 0.0
    prompt_hashes: Mapping[str, str] = {}
    ready: bool = False
    creates: bool = True
    pause: Annotated[str, ("", *PAUSES)] = ""
    seen: Mapping[str, str] = {}
    basis: str | Mapping[str, str] = ""
    carried: str = ""
    output: str = ""
    repeats: bool = False
    stale: bool = False
    earlier: Annotated[str, ("", KEPT, ASKED_AGAIN)] = ""
    reopened: Count = 0
    definition: str = ""
    decided: str = ""


class RunState(NamedTuple):
    """The state of a run, with its phases by id. `asked_by` started it and can't decide in it.

    `only` are the phases of this run with `--phase` or `--from`, otherwise (). `warning` is set if
    the soft budget is used up. `question` asks a person to raise the hard budget; then no task
    starts. `allowed_usd` is the current limit, which was raised `raised` times. `decided` is a line
    about the last decision of a person about the run itself.
    """

    run: str
    asked_by: Decider
    phases: Mapping[str, PhaseProgress]
    only: tuple[str, ...] = ()
    cancelled: bool = False
    warning: str = ""
    question: str = ""
    allowed_usd: Amount = 0.0
    raised: Count = 0
    decided: str = ""


class StageTask(NamedTuple):
    """Work that can start now: create the content of a stage and run its gate.

    `creates` is False where only the gate is asked: for a phase of type "approval", for content
    that a person made, and for content that changed after its approval. `approved` are the hashes
    of all approved files, which must still be true before the task starts.
    """

    run: str
    phase: str
    stage: Annotated[str, ("prompt", "response")]
    attempt: Count
    number: Count
    creates: bool
    feedback: str = ""
    rejected: str = ""
    approved: Mapping[str, str] = {}


class StageEnded(NamedTuple):
    """Event: a task ended with the answer of its gate.

    `output` is the end of the creator's output. `hashes` are those of the files that the gate saw.
    `changed` are approved files that changed before the task started; then the task did nothing,
    and `result` is None.
    """

    phase: str
    number: int
    result: GateResult | None
    output: str = ""
    hashes: Mapping[str, str] = {}
    changed: tuple[str, ...] = ()
    cost_usd: Amount = 0.0
    seconds: Amount = 0.0


APPROVE, REJECT, RETRY, CANCEL = "approve", "reject", "retry", "cancel"


class PersonDecided(NamedTuple):
    """Event: a person decided about a phase, or about the run itself (without a `phase`).

    `number` is the task that the person saw, so a decision about an older attempt does not count.
    For the budget it is the `raised` of the run. With `override` the approval replaces a rejection.
    `reason` is the feedback of a rejection, or the reason of an override. `at` is in seconds since
    1970, 0 for an unknown time.
    """

    action: Annotated[str, (APPROVE, REJECT, RETRY, CANCEL)]
    phase: str
    number: Count
    by: Decider
    reason: str = ""
    override: bool = False
    at: int = 0
