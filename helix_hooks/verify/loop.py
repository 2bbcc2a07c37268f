"""A command that does the work, repeated with feedback until the contract is fulfilled."""

import contextlib
import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from .. import writing
from ..errors import HelixError, PendingError, UsageError
from ..git import run as run_git
from ..proc import END, handled
from ..proc.run import Limits, Stop
from ..text import counted as number_of
from ..text import printable
from ..verification.attempts import BLOCKED
from ..verification.naming import short_name
from ..verification.pending import Counted, begun
from ..verification.result import (
    FAILED,
    MISSING,
    UNAPPROVED,
    UNMET,
    UNPROVEN,
    VERIFIED,
    Expectation,
    VerificationResult,
)
from ..verification.task import Rejected, task
from . import agent_run, store
from .agent_run import AgentCommand, RunEnd
from .escalation import LIMITS, escalate
from .lock import held
from .stop import INSIDE, count, key_of_session
from .store import Store

_SESSION = "run"
_LOGS = "logs"
_MOST_LOGS = 10
_DONE = (VERIFIED, UNPROVEN)
SECONDS = 3600.0
"""Default time limit of one run in seconds."""
_OUTPUT = 64_000_000
"""Maximum bytes of output of one run."""


class PhaseVerificationFailed(PendingError):  # noqa: N818 -- the name in the design
    """The contract is not fulfilled after the last run. `phase_id` names the ADRs."""

    def __init__(self, phase_id: str, results: tuple[VerificationResult, ...], runs: int) -> None:
        errors = tuple(error for result in results for error in result.errors)
        self.phase_id, self.errors, self.results = phase_id, errors, results
        listed = "; ".join(printable(error, 200) for error in errors[:5]) or "no error is known"
        if len(errors) > 5:
            listed += f"; and {len(errors) - 5} more"
        super().__init__(
            f"{phase_id} is not fulfilled after {number_of(runs, 'run')}: {listed}. A person "
            "must decide; full list: `helix-hooks feedback`"
        )


class LoopOptions(NamedTuple):
    """The command, the number of runs after the first, and the time limit of each in seconds.

    `escalate` is a command that runs once after the last run failed.
    """

    command: str
    max_retries: int = 2
    seconds: float = SECONDS
    escalate: tuple[str, ...] = ()


class LoopEdges(NamedTuple):
    """The inputs of a loop: root and store of the repository, and functions of the caller.

    `verify` verifies the work tree. `tell` gets messages about the loop, `show` gets each line of
    the command's output. `now` returns seconds since 1970.
    """

    root: str
    place: Store
    environment: Mapping[str, str]
    verify: Callable[[], Sequence[VerificationResult]]
    tell: Callable[[str], None]
    show: Callable[[str], None]
    now: Callable[[], float]


def loop(
    options: LoopOptions, edges: LoopEdges, results: Sequence[VerificationResult]
) -> Sequence[VerificationResult]:
    """Run the command until the contract is fulfilled, and return the last results.

    `results` are those before the loop. If nothing is missing, or there is no contract, the command
    does not run.

    Raises:
        PhaseVerificationFailed: The contract is not fulfilled after the last run.
        UsageError: The command is invalid.
        HelixError: The verification could not be carried out, or the program can't be started,
            which is no attempt.
    """
    argv = _argv(options, edges.environment)
    _refuse_failed(results)
    if results and all(result.success for result in results):
        edges.tell("nothing is missing, so the command was not run")
        return results
    if not results or any(result.state == UNAPPROVED for result in results):
        return results
    command = AgentCommand(
        argv=argv,
        folder=edges.root,
        environment=edges.environment,
        limits=Limits(options.seconds, _OUTPUT),
    )
    if not agent_run.program_of(command):
        raise HelixError(agent_run.no_program(argv[0]))
    try:
        os.makedirs(edges.place.folder, mode=0o700, exist_ok=True)
        lock = os.path.join(edges.place.folder, "run.lock")
        with held(lock, 0, "another run is active in this work tree"), handled(END, _stop):
            return _runs(command, options, edges, results)
    except OSError as error:
        raise HelixError(f"{error.filename or edges.place.folder}: {error.strerror}") from None


def _argv(options: LoopOptions, environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the words of the command. Raises UsageError."""
    if environment.get(INSIDE):
        raise UsageError("--run cannot be used inside another run")
    if options.max_retries < 0:
        raise UsageError("--max-retries must be 0 or more: it counts the runs after the first")
    try:
        argv = tuple(shlex.split(options.command))
    except ValueError as error:
        raise UsageError(f"--run: the command can't be split into words: {error}") from None
    if not argv:
        raise UsageError("--run: the command is empty")
    return argv


def _stop(_number: int) -> None:
    """Turn a signal into an error, so that the run cleans up."""
    raise HelixError("the run was stopped")


def _refuse_failed(results: Sequence[VerificationResult]) -> None:
    """Raise HelixError for a verification that could not be carried out."""
    failed = next((result for result in results if result.state == FAILED), None)
    if failed:
        name = printable(short_name(failed.adr_id, failed.path), 200)
        raise HelixError(f"{name} could not be verified: {failed.reason}")


def _runs(
    command: AgentCommand,
    options: LoopOptions,
    edges: LoopEdges,
    results: Sequence[VerificationResult],
) -> Sequence[VerificationResult]:
    """Run the command at most `max_retries` + 1 times, and return the fulfilled results."""
    adrs = [result.path for result in results]
    session = key_of_session(_SESSION)
    store.update(edges.place, lambda records: (begun(records, adrs, session), None))
    log = _new_log(edges)
    # The texts of before, since the command may change the ADRs.
    texts = [_text(edges.root, result) for result in results]
    runs = options.max_retries + 1
    rejected: list[Rejected] = []
    for number in range(1, runs + 1):
        edges.tell(f"run {number} of {runs}: {printable(options.command, 200)} (log: {log})")
        ended = _run(command, task(results, texts, rejected, runs), log, edges)
        if not ended.is_started:
            raise HelixError(ended.problem)
        after = _with_problem(edges.verify(), command.argv[0], ended.problem)
        _refuse_failed(after)
        if [result.path for result in after] != adrs:
            raise HelixError(f"{', '.join(adrs)} could not be verified again after run {number}")
        counted = count(
            after, _SESSION, edges.place, options.max_retries, int(edges.now()), is_ordered=True
        )
        if all(result.state in _DONE for result in after):
            return after
        rejected.append(Rejected(counted, ended.output))
        edges.tell(_summary(number, counted))
        if not any(item.state.state == BLOCKED for item in counted):
            break
    _escalate(options, edges, rejected[-1].counted, log)
    raise _failed(rejected[-1].counted, len(rejected))


def _run(command: AgentCommand, text: str, log: str, edges: LoopEdges) -> RunEnd:
    stdin = os.path.join(edges.place.folder, "task.md")
    writing.replace(stdin, text.encode(errors="replace"), mode=0o600)
    try:
        return agent_run.run(command, stdin, log, edges.show, Stop())
    finally:
        os.unlink(stdin)


def _with_problem(
    results: Sequence[VerificationResult], program: str, problem: str
) -> Sequence[VerificationResult]:
    """Return the results with the failure of the run, after which no ADR counts as verified."""
    if not problem:
        return results
    action = "exit with code 0 when the work is done"
    failed = Expectation(
        kind="command", subject=program, state=MISSING, reason=problem, action=action
    )
    changed = []
    for result in results:
        if result.state in (UNMET, *_DONE):
            expectations = (failed, *result.expectations)
            changed.append(result._replace(state=UNMET, expectations=expectations))
        else:
            changed.append(result)
    return changed


def _summary(number: int, counted: Sequence[Counted]) -> str:
    """Return a line about a run, with its first error."""
    errors = [error for item in counted for error in item.result.errors]
    summary = f"run {number}: {number_of(len(errors), 'issue')}"
    if errors:
        summary += f": {printable(errors[0], 200)}"
    return summary


def _escalate(options: LoopOptions, edges: LoopEdges, counted: Sequence[Counted], log: str) -> None:
    if options.escalate:
        command = AgentCommand(
            argv=options.escalate,
            folder=edges.root,
            environment=edges.environment,
            limits=LIMITS,
        )
        escalate(command, counted, edges.place, log, edges.tell)


def _failed(counted: Sequence[Counted], runs: int) -> PhaseVerificationFailed:
    results = tuple(item.result for item in counted)
    left = [item for item in results if not item.success]
    names = ", ".join(printable(short_name(item.adr_id, item.path), 100) for item in left)
    return PhaseVerificationFailed(names, results, runs)


def _text(root: str, result: VerificationResult) -> str:
    """Return the approved text of an ADR, by the object id in its contract."""
    blob = run_git(["cat-file", "blob", result.contract], root)
    return blob.stdout.decode(errors="replace")


def _new_log(edges: LoopEdges) -> str:
    """Return the path of a new log. All but the newest logs are removed."""
    folder = os.path.join(edges.place.folder, _LOGS)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    for name in sorted(os.listdir(folder))[: -_MOST_LOGS + 1]:
        with contextlib.suppress(OSError):
            os.unlink(os.path.join(folder, name))
    return os.path.join(folder, f"{int(edges.now()):012}-{os.getpid()}.log")
