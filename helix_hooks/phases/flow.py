"""A flow: phases that create content, each with gates, in the order of their dependencies."""

from typing import NamedTuple

from ..config.approvals import APPROVAL_PHASE
from ..config.gates import Gate

PROMPT, RESPONSE = "prompt", "response"
"""The stages of a phase, each of which ends at its gate."""

FAIL, ESCALATE, RETRY_PHASE = "fail", "escalate", "retry_phase"
ACTIONS = (FAIL, ESCALATE, RETRY_PHASE)


class Rejection(NamedTuple):
    """`on_rejection`: the action after a rejection when the phase has no retries left.

    `target` is the phase that `retry_phase` repeats, at most `max_retries` times. `template` is the
    text of the feedback, "" for the default.
    """

    action: str = FAIL
    target: str = ""
    max_retries: int = 2
    template: str = ""


class Phase(NamedTuple):
    """A phase of a flow. All paths are relative to the repository.

    `type` is a free word; only "approval" has a meaning of its own. `creator` is the command line
    that creates the content; () for a person, and for an approval. `prompt` is the task,
    `prompt_file` the path of a file with it, `prompt_command` a command line that prints it. With
    `remakes_prompts` this command can print a new prompt from feedback. `inputs` and `outputs` are
    globs or paths.

    `prompt_gate` and `gate` are the gates of the two stages. Without a prompt gate there is no
    prompt stage. Without a gate the phase is approved when the task succeeds. `verify_agent` adds
    the gate `verified` before `gate`. `max_retries` is the number of retries of each stage without
    a decision of a person. With `allow_rewrite` suggested text is passed on as a hint. `timeout` is
    in seconds. The gate of an approval has the path of its result as `result_file`, "" for none.
    """

    id: str
    type: str
    place: str
    depends_on: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    creator: tuple[str, ...] = ()
    prompt: str = ""
    prompt_file: str = ""
    prompt_command: tuple[str, ...] = ()
    remakes_prompts: bool = False
    prompt_gate: Gate | None = None
    gate: Gate | None = None
    verify_agent: bool = False
    max_retries: int = 0
    allow_rewrite: bool = False
    on_rejection: Rejection = Rejection()
    timeout: int = 3600

    @property
    def first_stage(self) -> str:
        return PROMPT if self.prompt_gate else RESPONSE

    @property
    def made_by_person(self) -> bool:
        """Return whether a person creates the content, because no command does."""
        return not self.creator and self.type != APPROVAL_PHASE


class Budget(NamedTuple):
    """Limits of a run's cost in US dollars: `soft` warns, `hard` stops; 0 for none."""

    soft: float = 0.0
    hard: float = 0.0


class Flow(NamedTuple):
    """A flow. `path` is its file, and `hash` the SHA-256 of that file's bytes.

    `setup` is a command that prepares a new work tree of a run, () for none.
    """

    name: str
    path: str
    hash: str
    phases: tuple[Phase, ...]
    budget: Budget = Budget()
    setup: tuple[str, ...] = ()

    def phase(self, id: str) -> Phase:
        """Return the phase with an id. Raises KeyError."""
        return {phase.id: phase for phase in self.phases}[id]
