"""The state of a run, the events that change it, and the tasks that follow from it."""

from collections.abc import Mapping
from typing import NamedTuple

from .gate_result import GateResult

WAITING, RUNNING = "waiting", "running"
APPROVED, REJECTED, PAUSED, CANCELLED = "approved", "rejected", "paused", "cancelled"
PHASE_STATES = (WAITING, RUNNING, APPROVED, REJECTED, PAUSED, CANCELLED)
"""Paused: a person must decide. Rejected: `on_rejection: fail` ended the phase."""

MAKE, DECIDE, REVIEW = "make", "decide", "review"
PAUSES = (MAKE, DECIDE, REVIEW)
"""Why a phase is paused: a person makes the files, answers a pending gate, or says how to go on
after a rejection.
"""

KEPT, ASKED_AGAIN = "kept", "asked-again"
"""Treatment of an earlier approval when all before the phase is approved again: it holds where
nothing it rests on changed, or its gate is asked again.
"""


class Decider(NamedTuple):
    """Who decided: a login on GitHub that was verified, or the name of a person at a terminal.

    `is_sole` says that the policy lets this login decide about what they asked for themselves.
    `delegate_of` is the login for whom they stand in, "" for nobody.
    With `is_rule` no person decided but a rule of the policy, which `name` describes.
    """

    name: str
    verified: bool
    is_sole: bool = False
    delegate_of: str = ""
    is_rule: bool = False

    @property
    def in_words(self) -> str:
        """The login as GitHub has it, a name that nobody confirmed, or a rule."""
        if self.is_rule:
            return self.name
        if not self.verified:
            return f"{self.name or 'nobody'} (not verified)"
        place = f" as delegate of @{self.delegate_of}" if self.delegate_of else ""
        return f"@{self.name}{place}"


class PhaseProgress(NamedTuple):
    """Progress of a phase.

    `stage` is "prompt" or "response". `attempt` counts the tries of this stage from 1, `number` all
    tasks of the phase, `used` how often `retry_phase` has repeated another phase for this one.
    `result` is the last answer of its gate, `feedback` the text for the next try, and `rejected`
    the output that was rejected. `hashes` are the SHA-256 of the files that its gate approved, by
    path. `question` says what a person is asked, "" unless paused. `overridden` is who approved
    what a gate had rejected, with the reason. Times are in seconds, costs in US dollars.

    `prompt_hashes` are those of an approved prompt. `ready` says that a task can start now,
    `creates` that it makes content. `pause` is one of `PAUSES`, or "". `seen` are the hashes of
    what its gate saw last, `basis` those that its last task relied on. `carried` is the feedback of
    another phase, for each of its stages. `output` is the end of what its creator printed last.
    With `repeats` it waits until another phase can be repeated for it. `stale` says that what it
    relies on is open again while it runs. `earlier` is `KEPT`, `ASKED_AGAIN` or "". `reopened`
    counts how often its approval was lost since a person last decided. `definition` identifies the
    phase as it was configured. `decided` says what a person last decided, who and when.
    """

    state: str = WAITING
    stage: str = "prompt"
    attempt: int = 1
    number: int = 0
    used: int = 0
    result: GateResult | None = None
    feedback: str = ""
    rejected: str = ""
    hashes: Mapping[str, str] = {}
    question: str = ""
    overridden: str = ""
    cost_usd: float = 0.0
    seconds: float = 0.0
    prompt_hashes: Mapping[str, str] = {}
    ready: bool = False
    creates: bool = True
    pause: str = ""
    seen: Mapping[str, str] = {}
    basis: Mapping[str, str] = {}
    carried: str = ""
    output: str = ""
    repeats: bool = False
    stale: bool = False
    earlier: str = ""
    reopened: int = 0
    definition: str = ""
    decided: str = ""


class RunState(NamedTuple):
    """The state of a run: each phase by its id. `asked_by` started it and never decides.

    `only` are the phases of this run, all of them unless `--phase` or `--from` was used. `warning`
    says that the soft budget is used up. `question` asks a person for more than the hard budget:
    then no task starts. `allowed_usd` is the limit in force, raised `raised` times. `decided` says
    what a person last decided about the run itself, who and when.
    """

    run: str
    asked_by: Decider
    phases: Mapping[str, PhaseProgress]
    only: tuple[str, ...] = ()
    cancelled: bool = False
    warning: str = ""
    question: str = ""
    allowed_usd: float = 0.0
    raised: int = 0
    decided: str = ""


class StageTask(NamedTuple):
    """Work that can start now: create the content of a stage and ask its gate.

    `creates` is False where only the gate is asked: for a phase of type "approval", for content
    that a person made, and for content that changed after its approval. `approved` are the hashes
    of all approved files, which must still be true before the task starts.
    """

    run: str
    phase: str
    stage: str
    attempt: int
    number: int
    creates: bool
    feedback: str = ""
    rejected: str = ""
    approved: Mapping[str, str] = {}


class StageEnded(NamedTuple):
    """Event: a task ended with the answer of its gate.

    `output` is the end of what the creator printed. `hashes` are those of the files that the gate
    saw. `changed` are approved files that were found changed before the task began; then nothing
    was done, and `result` is None.
    """

    phase: str
    number: int
    result: GateResult | None
    output: str = ""
    hashes: Mapping[str, str] = {}
    changed: tuple[str, ...] = ()
    cost_usd: float = 0.0
    seconds: float = 0.0


APPROVE, REJECT, RETRY, CANCEL = "approve", "reject", "retry", "cancel"


class PersonDecided(NamedTuple):
    """Event: a person answered for a paused phase, or cancelled the run.

    Without a `phase` the run itself is meant: its cancelling, or its budget, for which `number` is
    the `raised` of the run.

    `number` is the task that the person saw, so that an answer about an older try counts for
    nothing. `override` is set where a rejection is turned into an approval. `reason` is the
    feedback of a rejection and the reason of an override. `at` is in seconds since 1970, 0 for an
    unknown time.
    """

    action: str
    phase: str
    number: int
    by: Decider
    reason: str = ""
    override: bool = False
    at: int = 0
