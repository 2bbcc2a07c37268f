"""A new run of a flow: everything is read and checked, then it lies in the queue."""

import os
import re
import time
from collections.abc import Mapping
from typing import NamedTuple

from ..config.agents import MANUAL
from ..errors import ConfigError, UsageError
from ..phases.advance import begun
from ..phases.flow import Flow
from ..phases.flow_files import required_files, unattended
from ..phases.graph import and_below
from ..phases.parse import flow_of
from ..phases.prompts import complaint_about
from ..phases.run_state import Decider, PhaseProgress
from ..text.sanitize import printable
from . import run_files, segments
from .contents import contents
from .database import opened, ready
from .messages import RunRequest, workflow_id
from .place import FlowPlace, approvals_here
from .policy import policy_hashes

_MOST_BYTES = 1_000_000


class FlowOptions(NamedTuple):
    """The order for a run: a file, one phase of it or those from one on, and the task in words.

    `unattended` refuses a flow that needs a person.
    """

    path: str
    asked: str = ""
    phase: str = ""
    start: str = ""
    unattended: bool = False


class _Planned(NamedTuple):
    """A flow that can begin, and the phases of it that are to run."""

    flow: Flow
    data: bytes
    only: tuple[str, ...]


def begin(place: FlowPlace, options: FlowOptions, asked_by: Decider) -> str:
    """Put a new run into the queue, and return its id. Raises HelixError; then nothing began."""
    planned = _planned(place.root, options)
    flow = planned.flow
    ready(place)
    with opened(place) as client:
        earlier: Mapping[str, PhaseProgress] = {}
        if planned.only:
            before = [
                item.current.state
                for item in segments.every(client, place)
                if item.request.root == place.root and item.request.flow.path == flow.path
            ]
            earlier = before[0].phases if before else {}
        run = _new_id(flow.name)
        state = begun(flow, run, asked_by, planned.only, earlier)
        folder = run_files.made(place.root, run)
        run_files.write(folder, run_files.FLOW, planned.data.decode(errors="replace"))
        request = RunRequest(
            root=place.root,
            asked=options.asked,
            flow=flow,
            state=state,
            policy=policy_hashes(place.root),
        )
        segments.enqueue(client, place, workflow_id(run, 1), request)
    return run


def _planned(root: str, options: FlowOptions) -> _Planned:
    """Read and check a flow. Raises ConfigError, UsageError."""
    place = os.path.abspath(options.path)
    path = os.path.relpath(place, root).replace(os.sep, "/")
    try:
        with open(place, "rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{printable(options.path)}: {error.strerror}") from None
    known = approvals_here(root)
    flow = flow_of(data, path, known.flow, known.gates, known.agents, known.types)
    only = _only(flow, options)
    if options.unattended:
        manual = [name for name, type in known.types.items() if type.run.agent == MANUAL]
        reasons = unattended(flow, manual, only)
        if reasons:
            raise UsageError(f"--unattended: {reasons[0]}")
    _refuse_missing(root, flow, only)
    phases = tuple(
        phase._replace(prompt=_prompt(root, phase.prompt_file, phase.place), prompt_file="")
        if phase.prompt_file and os.path.lexists(os.path.join(root, phase.prompt_file))
        else phase
        for phase in flow.phases
    )
    return _Planned(flow._replace(phases=phases), data, only)


def _only(flow: Flow, options: FlowOptions) -> tuple[str, ...]:
    if options.phase and options.start:
        raise UsageError("--phase and --from can't be used together")
    named = options.phase or options.start
    if named and named not in [phase.id for phase in flow.phases]:
        known = ", ".join(phase.id for phase in flow.phases)
        raise UsageError(f"{flow.path} has no phase {named!r}; it has {known}")
    if options.start:
        return and_below(flow, options.start)
    return (options.phase,) if options.phase else ()


def _refuse_missing(root: str, flow: Flow, only: tuple[str, ...]) -> None:
    """Refuse inputs that are not there. Raises ConfigError."""
    needed = required_files(flow, only)
    found = contents(root, needed)
    for path in (*found.missing, *found.refused):
        phase = flow.phase(needed[path])
        file, _, line = phase.place.rpartition(":")
        why = "is a link or no plain file" if path in found.refused else "is not there"
        raise ConfigError(
            file or flow.path,
            int(line) if line.isdigit() else 1,
            f"{phase.id}.input",
            f"{path} {why}, and no phase before makes it; nothing was started",
        )


def _prompt(root: str, path: str, place: str) -> str:
    """Return the text of a prompt's file. Raises UsageError."""
    found = contents(root, (path,))
    if found.refused:
        raise UsageError(f"{place}: {path} is a link or no plain file")
    try:
        with open(os.path.join(root, path), encoding="utf-8") as file:
            text = file.read(_MOST_BYTES + 1)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", "") or "it is not UTF-8"
        raise UsageError(f"{place}: {path}: {reason}") from None
    complaint = complaint_about(text)
    if complaint:
        raise UsageError(f"{place}: {path}: {complaint}")
    return text


def _new_id(name: str) -> str:
    """Return an id that sorts by time, and that a person can tell from others."""
    word = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:30] or "run"
    return f"{time.strftime('%Y%m%d-%H%M%S')}-{word}-{os.urandom(2).hex()}"
