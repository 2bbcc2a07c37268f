"""Needs of a flow before it starts: files and people."""

from collections.abc import Collection

from ..config.agents import MANUAL
from ..config.gates import APPROVAL
from ..globs import overlap
from .flow import Flow, Phase
from .graph import order_of


def required_files(flow: Flow, only: Collection[str] = ()) -> dict[str, str]:
    """Return the paths and globs that must match a file at the start, each with the phase that
    needs it.

    What a phase before makes is left out.
    """
    order = order_of(flow)
    needed: dict[str, str] = {}
    for phase in _chosen(flow, only):
        above = [other for other in flow.phases if other.id in order.above[phase.id]]
        made = [pattern for other in above for pattern in other.outputs]
        for path in (*phase.inputs, *filter(None, (phase.prompt_file,))):
            if not any(overlap(path, pattern) for pattern in made):
                needed.setdefault(path, phase.id)
    return needed


def unattended(
    flow: Flow, manual: Collection[str] = (), only: Collection[str] = ()
) -> tuple[str, ...]:
    """Return why a flow cannot run without people, a line each.

    `manual` are the approval types that a person answers by the configuration.
    """
    lines = []
    for phase in _chosen(flow, only):
        if phase.made_by_person:
            lines.append(
                f"{phase.place}: {phase.id}: a person makes its content; name a command with "
                f"`run`, or a creator of the type {phase.type}"
            )
        for key, gate in (("prompt_gate", phase.prompt_gate), ("quality_gate", phase.gate)):
            if gate is None:
                continue
            by_type = gate.kind == APPROVAL and not gate.approver and gate.approval_type in manual
            if gate.approver == MANUAL or by_type:
                lines.append(
                    f"{gate.place or phase.place}: {phase.id}: its {key} asks a person; name an "
                    "agent as the approver"
                )
    return tuple(lines)


def _chosen(flow: Flow, only: Collection[str]) -> tuple[Phase, ...]:
    return tuple(phase for phase in flow.phases if not only or phase.id in only)
