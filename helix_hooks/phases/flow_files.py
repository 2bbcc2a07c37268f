"""The files and people that a flow needs before it starts."""

from collections.abc import Collection

from ..config.agents import MANUAL
from ..config.gates import APPROVAL
from ..paths import overlap
from .flow import Flow, Phase
from .graph import order_of


def required_files(flow: Flow, only: Collection[str] = ()) -> dict[str, str]:
    """Return the paths and globs that must match a file at the start, with the phase for each.

    Files that an earlier phase creates are not needed.
    """
    order = order_of(flow)
    needed: dict[str, str] = {}
    for phase in _chosen(flow, only):
        above = order.above[phase.id]
        made = [glob for other in flow.phases if other.id in above for glob in other.outputs]
        for path in filter(None, (*phase.inputs, phase.prompt_file)):
            if not any(overlap(path, glob) for glob in made):
                needed.setdefault(path, phase.id)
    return needed


def programs(flow: Flow, only: Collection[str] = ()) -> dict[str, str]:
    """Return the programs of a flow that are found by their names, with the place of each.

    A name with a slash is a path, whose file an earlier phase may create.
    """
    needed: dict[str, str] = {}
    if flow.setup and "/" not in flow.setup[0] and "\\" not in flow.setup[0]:
        needed[flow.setup[0]] = f"{flow.path}: setup"
    for phase in _chosen(flow, only):
        gates = [gate.command for gate in (phase.prompt_gate, phase.gate) if gate]
        for command in (phase.creator, phase.prompt_command, *gates):
            if command and "/" not in command[0] and "\\" not in command[0]:
                needed.setdefault(command[0], f"{phase.place}: {phase.id}")
    return needed


def unattended(
    flow: Flow, manual: Collection[str] = (), only: Collection[str] = ()
) -> tuple[str, ...]:
    """Return the reasons why a flow cannot run without people, one line each.

    `manual` are the approval types with `agent: manual`.
    """
    lines = []
    for phase in _chosen(flow, only):
        if phase.made_by_person:
            lines.append(
                f"{phase.place}: {phase.id}: a person creates its content; add a command with "
                f"`run`, or configure a creator for the type {phase.type}"
            )
        for key, gate in (("prompt_gate", phase.prompt_gate), ("quality_gate", phase.gate)):
            asks_type = gate and gate.kind == APPROVAL and not gate.approver
            if gate and (gate.approver == MANUAL or (asks_type and gate.approval_type in manual)):
                lines.append(
                    f"{gate.place or phase.place}: {phase.id}: its {key} requires a person; set "
                    "an agent as the approver"
                )
    return tuple(lines)


def _chosen(flow: Flow, only: Collection[str]) -> tuple[Phase, ...]:
    return tuple(phase for phase in flow.phases if not only or phase.id in only)
