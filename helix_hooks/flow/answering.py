"""The answers of people to questions of a run: checked, then sent."""

import subprocess
import sys
from typing import NamedTuple

from ..errors import UsageError
from ..phases.advance import outcome, refusal
from ..phases.flow import Flow
from ..phases.questions import BUDGET, OpenQuestion, answerable, command, question_of, ways_on
from ..phases.run_state import APPROVE, Decider, PersonDecided, RunState
from ..verify.base_policy import base_policy
from ..waiting.entry import ProjectPolicy
from ..waiting.flow_entry import is_expired
from . import client
from .open_questions import questions_of
from .place import FlowPlace

_UNKNOWN_PERSON = Decider("", verified=True)
"""A person who is not the asker. An answer is checked before its decider is known."""


_WORKERS: list["subprocess.Popen[bytes]"] = []
"""Processes that were started here. They are polled, so that a server leaves no zombies."""


class RunAnswer(NamedTuple):
    """An answer before its check: `action` is "approve", "reject" or "retry".

    `phase` is "" for the only question of the run, or BUDGET.
    """

    action: str
    run: str
    phase: str = ""
    reason: str = ""
    override: bool = False


class CheckedAnswer(NamedTuple):
    """An answer that is possible now, if its decider has the right. `about` names the question."""

    decided: PersonDecided
    run: str
    about: str
    asked_by: Decider


def checked(place: FlowPlace, answer: RunAnswer, now: int) -> CheckedAnswer:
    """Return the answer with its question.

    Raises:
        UsageError: The answer is not possible now. The message lists the possible answers.
        HelixError: The database can't be read.
    """
    flow, state = client.look(place, answer.run)
    question = _question(flow, state, answer.phase, answer.action)
    decided = PersonDecided(
        action=answer.action,
        phase=question.phase,
        number=question.number,
        by=_UNKNOWN_PERSON,
        reason=answer.reason,
        override=answer.override,
        at=now,
    )
    if why := refusal(state, decided):
        raise UsageError(_with_ways_on(why, state, question))
    if answer.action == APPROVE:
        _refuse_expired(place, state.run, question, now)
    return CheckedAnswer(decided, state.run, question.name, state.asked_by)


def send(place: FlowPlace, answer: CheckedAnswer, by: Decider) -> str:
    """Send an answer to its run, and return the id of the message. Raises HelixError."""
    return client.send(place, answer.run, answer.decided._replace(by=by))


def leave_to_worker() -> None:
    """Start a process that executes all pending work and then ends."""
    program = [sys.executable, "-I", "-m", "helix_hooks", "worker", "--until-idle", "--quiet"]
    _WORKERS[:] = [worker for worker in _WORKERS if worker.poll() is None]
    worker = subprocess.Popen(
        program,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    _WORKERS.append(worker)


def _question(flow: Flow, state: RunState, phase: str, action: str) -> OpenQuestion:
    """Return the question about a phase; about the only one for "". Raises UsageError."""
    if phase in state.phases:
        return question_of(phase, state.phases[phase])
    by_name = {question.name: question for question in answerable(flow, state)}
    if phase in by_name:
        return by_name[phase]
    if phase:
        ids = ", ".join((*state.phases, BUDGET))
        raise UsageError(f"{state.run} has no phase {phase!r}; there are {ids}")
    if len(by_name) == 1:
        return next(iter(by_name.values()))
    if by_name:
        names = ", ".join(by_name)
        raise UsageError(f"{state.run} has several questions ({names}); use --phase ID")
    raise UsageError(
        f"{state.run} is not waiting for a decision, so there is nothing to {action}: it is "
        f"{outcome(state)} (see `helix-hooks flow status`)"
    )


def _with_ways_on(why: str, state: RunState, question: OpenQuestion) -> str:
    """Return a refusal with the command lines of the possible answers."""
    if question.phase and state.phases[question.phase].state not in ("paused", "rejected"):
        return why
    lines = ways_on(state.run, question)
    if not lines:
        return why
    return f"{why}; possible now: {'; '.join(lines)}"


def _refuse_expired(place: FlowPlace, run: str, question: OpenQuestion, now: int) -> None:
    """Raise UsageError for an approval after the deadline of the policy."""
    policy = base_policy(place.root).policy
    if not policy.deadlines:
        return
    by = ProjectPolicy("", policy)
    late = [
        asked
        for asked in questions_of(place, run)
        if asked.question.name == question.name and is_expired(asked, by, now)
    ]
    if late:
        raise UsageError(
            f"the deadline of {question.name} has passed; ask again first; possible "
            f"now: {command('retry', run, question.phase)}"
        )
