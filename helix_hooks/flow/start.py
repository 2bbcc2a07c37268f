"""The start of a run: the flow is read and checked, then the run is queued."""

import os
import re
import time
from collections.abc import Mapping
from typing import NamedTuple

from ..config.agents import MANUAL
from ..errors import ConfigError, HelixError, UsageError
from ..phases.advance import begun
from ..phases.flow import Flow, Phase
from ..phases.flow_files import programs, required_files, unattended
from ..phases.graph import and_below
from ..phases.parse import flow_of
from ..phases.progress import approved_hashes
from ..phases.prompts import complaint_about
from ..phases.run_state import Decider, RunState
from ..proc import find
from ..text import printable
from ..yaml_reader import nearest
from . import segments, tree
from .contents import PROJECT, contents, policy_hashes
from .database import opened, ready
from .messages import RunRequest, workflow_id
from .place import FlowPlace, approvals_here
from .segments import Segment
from .tree import Base, Earlier
from .tree_git import push

_MOST_BYTES = 1_000_000


class FlowOptions(NamedTuple):
    """The options of a run: the file of the flow, and the task in words (`asked`).

    `phase` selects one phase, `start` a phase with its dependents. `unattended` refuses a flow that
    needs a person. `include` are untracked files and folders that the run gets too. Without
    `pushes_uncommitted`, a run whose commits are pushed can't start from uncommitted changes.
    """

    path: str
    asked: str = ""
    phase: str = ""
    start: str = ""
    unattended: bool = False
    include: tuple[str, ...] = ()
    pushes_uncommitted: bool = False


class Begun(NamedTuple):
    """A run that is queued, and the commit from which it starts."""

    run: str
    base: Base


class _Planned(NamedTuple):
    """A flow that can start, the bytes of its file, and the phases to run, () for all."""

    flow: Flow
    data: bytes
    only: tuple[str, ...]


def begin(place: FlowPlace, options: FlowOptions, asked_by: Decider) -> Begun:
    """Queue a new run.

    Raises:
        HelixError: The flow can't start; then nothing was queued.
    """
    planned = _read_flow(place.root, options)
    flow = planned.flow
    # A worker on another machine may have other programs.
    if not place.is_shared:
        for name, phase in programs(flow, planned.only).items():
            if not find(name, os.environ):
                raise UsageError(f"{phase}: there is no program {name}; nothing was started")
    ready(place)
    with opened(place) as client:
        earlier = None
        if planned.only:
            earlier = next(
                (
                    segment
                    for segment in segments.every(client, place)
                    if segment.request.root == place.root and segment.request.flow.path == flow.path
                ),
                None,
            )
        run, begun_at = _new_id(flow.name), time.time()
        phases = earlier.current.state.phases if earlier else {}
        state = begun(flow, run, asked_by, planned.only, phases)
        try:
            base, commit = _commits(place, run, options, state, earlier, int(begun_at))
            policy = policy_hashes(place.root)
            _refuse_left_out(place, base, planned, policy)
            if place.remote and base.changed and not options.pushes_uncommitted:
                raise UsageError(
                    f"{printable(base.changed[0])} is not committed, and the commits of the run "
                    f"are pushed to {place.remote}; commit it, or use --push-uncommitted"
                )
            tree.keep(place, run, commit)
            push(place, run, commit, "", lambda: False)
        except HelixError:
            tree.forget(place, run)
            raise
        request = RunRequest(
            root=place.root,
            asked=options.asked,
            flow=flow,
            state=state,
            policy=policy,
            begun=begun_at,
            base=base.commit,
            commit=commit,
            file=planned.data.decode(errors="replace"),
        )
        segments.enqueue(client, place, workflow_id(run, 1), request)
    return Begun(run, base)


def _commits(
    place: FlowPlace,
    run: str,
    options: FlowOptions,
    state: RunState,
    earlier: Segment | None,
    at: int,
) -> tuple[Base, str]:
    """Return the base of a run, and a commit on it with what an earlier run approved.

    Raises:
        HelixError: git can't make them.
    """
    approved = tuple(approved_hashes(state.phases.values()))
    # The outputs of an earlier run may be in the user's tree, and not in git yet.
    there = [path for path in approved if os.path.lexists(os.path.join(place.root, path))]
    base = tree.base_of(place, run, (*options.include, *there), at)
    if not earlier:
        return base, base.commit
    known = Earlier(earlier.run, earlier.request.base, earlier.current.commit, approved)
    return base, tree.continued(place, run, base, known, at)


def _refuse_left_out(
    place: FlowPlace, base: Base, planned: _Planned, policy: Mapping[str, str]
) -> None:
    """Refuse a run whose work tree would lack a file that it needs. Raises UsageError."""
    found = contents(place.root, required_files(planned.flow, planned.only))
    settings = (*policy, PROJECT)
    there = [path for path in settings if os.path.lexists(os.path.join(place.root, path))]
    for path in tree.missing_in(place, base.commit, (*there, *found.hashes)):
        raise UsageError(
            f"{path} is not tracked by git, so the run would not have it; add it with git, or use "
            f"--include {path}"
        )


def _read_flow(root: str, options: FlowOptions) -> _Planned:
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
        if reasons := unattended(flow, manual, only):
            raise UsageError(f"--unattended: {reasons[0]}")
    _refuse_missing(root, flow, only)
    phases = tuple(_with_prompt(phase, root) for phase in flow.phases)
    return _Planned(flow._replace(phases=phases), data, only)


def _with_prompt(phase: Phase, root: str) -> Phase:
    """Return a phase with the text of its prompt's file, unless an earlier phase writes it.

    Raises:
        UsageError: The file can't be read, or its text has an unknown variable.
    """
    path = phase.prompt_file
    if not path or not os.path.lexists(os.path.join(root, path)):
        return phase
    if contents(root, (path,)).refused:
        raise UsageError(f"{phase.place}: {path} is not a regular file")
    try:
        with open(os.path.join(root, path), encoding="utf-8") as file:
            text = file.read(_MOST_BYTES + 1)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", "") or "it is not UTF-8"
        raise UsageError(f"{phase.place}: {path}: {reason}") from None
    if complaint := complaint_about(text):
        raise UsageError(f"{phase.place}: {path}: {complaint}")
    return phase._replace(prompt=text, prompt_file="")


def _only(flow: Flow, options: FlowOptions) -> tuple[str, ...]:
    """Return the phases that the options select, () for all. Raises UsageError."""
    if options.phase and options.start:
        raise UsageError("--phase and --from can't be used together")
    id = options.phase or options.start
    if not id:
        return ()
    ids = [phase.id for phase in flow.phases]
    if id not in ids:
        similar = nearest(id, ids)
        hint = f"did you mean {similar!r}? " if similar else ""
        raise UsageError(f"{flow.path} has no phase {id!r}; {hint}it has {', '.join(ids)}")
    if options.start:
        return and_below(flow, id)
    return (id,)


def _refuse_missing(root: str, flow: Flow, only: tuple[str, ...]) -> None:
    """Refuse missing inputs. Raises ConfigError."""
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
            f"{path} {why}, and no earlier phase creates it; nothing was started",
        )


def _new_id(name: str) -> str:
    """Return an id with the local time and the name of the flow."""
    word = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:30] or "run"
    return f"{time.strftime('%Y%m%d-%H%M%S')}-{word}-{os.urandom(2).hex()}"
