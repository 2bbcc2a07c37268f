"""The creation of a task's content: its prompt, and the command that gets the prompt."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, NamedTuple

from .. import codec
from ..errors import HelixError
from ..phases.flow import PROMPT, Phase
from ..phases.prompts import prompt_of
from ..phases.run_state import StageTask
from ..proc import INTERRUPT_OR_END, find, handled
from ..proc import run as process
from ..proc.run import Limits, Listeners, Stop
from ..verify import agent_run
from ..verify.agent_run import AgentCommand
from ..verify.stop import RUN
from . import run_files
from .contents import Stamp, stamps
from .messages import Made, Step
from .place import files_of
from .tree_git import without_repository

_OUTPUT = 64_000_000
"""Maximum bytes of a command's output."""
SETUP = 3600.0
"""Maximum seconds of the command that prepares a work tree."""
_PROMPT = 1_000_000
"""Maximum bytes of a prompt from a command."""


class _Cost(NamedTuple):
    cost_usd: Annotated[float, codec.Between(0, 1e9)]


class NotStartedError(HelixError):
    """A program can't be started."""


def made(step: Step, show: Callable[[str], None]) -> Made:
    """Create the content of a stage.

    Raises:
        NotStartedError: The program that prints the prompt can't be started.
        HelixError: There is no prompt, or a file of the run is not a regular file.
        OSError: A file can't be read or written.
    """
    stop = Stop()
    root, phase, task = step.root, step.phase, step.task
    with handled(INTERRUPT_OR_END, partial(_stop, stop)):
        folder = run_files.folder_of(root, task)
        environment = _environment(root, task, folder)
        text = _text(root, phase, task, folder, environment, stop)
        whole = prompt_of(phase, task, text, step.asked)
        prompt = run_files.write(folder, run_files.PROMPT, whole)
        run_files.write(folder, run_files.FEEDBACK, task.feedback)
        if task.stage == PROMPT or not phase.creator:
            return Made(stopped=stop.asked)
        command = AgentCommand(
            argv=phase.creator,
            folder=root,
            environment=environment,
            limits=Limits(phase.timeout, _OUTPUT),
        )
        before = stamps(root, phase.outputs)
        ended = agent_run.run(command, prompt, os.path.join(folder, run_files.OUTPUT), show, stop)
    cost, complaint = _cost(os.path.join(folder, run_files.COST))
    problem = f"{phase.creator[0]}: {ended.problem}" if ended.problem else complaint
    return Made(
        problem=problem,
        output=ended.output,
        cost_usd=cost,
        stopped=stop.asked,
        is_started=ended.is_started,
        written=_written(root, phase, task, folder, before),
    )


def set_up(run: str, argv: Sequence[str], root: str, log: str, show: Callable[[str], None]) -> str:
    """Prepare a new work tree of a run by its command; return the reason of a failure, or ""."""
    stop = Stop()
    with handled(INTERRUPT_OR_END, partial(_stop, stop)):
        environment = {**without_repository(os.environ), RUN: run}
        command = AgentCommand(tuple(argv), root, environment, Limits(SETUP, _OUTPUT))
        ended = agent_run.run(command, os.devnull, log, show, stop)
    return f"{argv[0]}: {ended.problem}" if ended.problem else ""


def _written(
    root: str, phase: Phase, task: StageTask, folder: str, before: Mapping[str, Stamp]
) -> tuple[str, ...]:
    """Return the outputs that the command wrote, whatever it wrote into them.

    A retry may write only what was missing: then those of the attempt before count too.
    """
    now = stamps(root, phase.outputs)
    paths = {path for path, stamp in now.items() if stamp != before.get(path)}
    if paths and task.attempt > 1:
        last = os.path.join(os.path.dirname(folder), f"{task.number - 1}-{task.stage}")
        paths.update(run_files.read(os.path.join(last, run_files.WRITTEN)).split("\0"))
    run_files.write(folder, run_files.WRITTEN, "\0".join(sorted(paths)))
    return tuple(sorted(paths))


def _stop(stop: Stop, _number: int) -> None:
    stop.asked = True


def _environment(root: str, task: StageTask, folder: str) -> dict[str, str]:
    """Return the environment of commands: that of this process without the database URL.

    With the URL a command could approve its own work.
    """
    outside = without_repository(os.environ)
    return {
        **outside,
        RUN: task.run,
        "HELIX_PHASE": task.phase,
        "HELIX_ATTEMPT": str(task.attempt),
        "HELIX_PROMPT_FILE": os.path.join(folder, run_files.PROMPT),
        "HELIX_FEEDBACK_FILE": os.path.join(folder, run_files.FEEDBACK),
        "HELIX_ISSUES_FILE": os.path.join(files_of(root, task.run), run_files.ISSUES),
        "HELIX_COST_FILE": os.path.join(folder, run_files.COST),
    }


def _text(
    root: str,
    phase: Phase,
    task: StageTask,
    folder: str,
    environment: dict[str, str],
    stop: Stop,
) -> str:
    """Return the prompt: the approved one, otherwise from the configuration, a file or a command.

    Raises:
        HelixError: The command of the prompt failed.
    """
    before = run_files.last_prompt(root, task)
    if task.stage != PROMPT and before:
        return run_files.read(os.path.join(before, run_files.TEXT))
    text = phase.prompt
    if phase.prompt_file:
        text = run_files.read(os.path.join(root, phase.prompt_file))
    if phase.prompt_command:
        feedback = run_files.write(folder, run_files.FEEDBACK, task.feedback)
        text = _printed(phase, root, feedback, environment, stop)
    run_files.write(folder, run_files.TEXT, text)
    return text


def _printed(phase: Phase, root: str, stdin: str, environment: dict[str, str], stop: Stop) -> str:
    """Return the output of the prompt's command. Raises HelixError."""
    name, *arguments = phase.prompt_command
    # A name with a slash is relative to the root.
    place = os.path.join(root, name) if os.path.dirname(name) else name
    program = find(place, environment)
    if not program:
        raise NotStartedError(f"the prompt of {phase.id}: there is no program {name}")
    printed: list[bytes] = []
    limits, listeners = Limits(phase.timeout, _PROMPT), Listeners(printed.append)
    command = [program, *arguments]
    ended = process.run(command, root, environment, stdin, limits, listeners, stop)
    if ended.stopped:
        reason = {"time": "took too long", "output": "printed more than 1 MB"}
        raise HelixError(f"the prompt of {phase.id}: {name} {reason.get(ended.stopped, 'ended')}")
    if ended.code:
        raise HelixError(f"the prompt of {phase.id}: {name} {ended.how}")
    return b"".join(printed).decode(errors="replace")


def _cost(place: str) -> tuple[float, str]:
    """Return the cost from the file that a command wrote, and a complaint about it."""
    text = run_files.read(place)
    if not text.strip():
        return 0.0, ""
    try:
        return codec.lenient(codec.parsed(text), _Cost).cost_usd, ""
    except ValueError:
        return 0.0, f'{place}: expected {{"cost_usd": NUMBER}}, got something else'
