"""A run of a flow in Mermaid's language: a graph of its phases, coloured by state."""

from collections.abc import Iterator

from ..phases.flow import RETRY_PHASE, Flow
from ..phases.progress import in_scope
from ..phases.run_state import APPROVED, CANCELLED, PAUSED, REJECTED, RUNNING, WAITING, RunState
from .drawing import Look, class_of, inert

_LOOKS = {
    WAITING: Look(WAITING, "#ffffff", "#a0a0a0", "#333333"),
    RUNNING: Look(RUNNING, "#eef3fb", "#7a95bd", "#1c2735"),
    APPROVED: Look(APPROVED, "#e8f3ea", "#6a9a76", "#1d2b20"),
    REJECTED: Look(REJECTED, "#f8eeee", "#b58a8a", "#5c4040"),
    PAUSED: Look(PAUSED, "#fdf4dc", "#b99a4a", "#4a3c12"),
    CANCELLED: Look(CANCELLED, "#f2f2f2", "#a0a0a0", "#666666", dashed=True),
}
_OUTSIDE = Look("outside", "#f2f2f2", "#c0c0c0", "#808080", dashed=True)
"""The look of a phase that `--phase` or `--from` excludes from the run."""


def render(flow: Flow, state: RunState) -> str:
    """Return the phases as a flowchart. A dotted arrow leads back after a rejection."""
    ids = {phase.id: f"P{number}" for number, phase in enumerate(flow.phases)}
    looks = {phase.id: _look(phase.id, state) for phase in flow.phases}
    nodes = (
        f'{ids[phase.id]}["{_label(phase.id, phase.type, state)}"]:::{looks[phase.id].name}'
        for phase in flow.phases
    )
    used = dict.fromkeys(looks.values())
    arrows = _arrows(flow, ids)
    return "\n  ".join(["flowchart LR", *nodes, *arrows, *map(class_of, used)]) + "\n"


def _look(phase: str, state: RunState) -> Look:
    if phase not in in_scope(state):
        return _OUTSIDE
    return _LOOKS[state.phases[phase].state]


def _label(phase: str, type: str, state: RunState) -> str:
    if phase not in in_scope(state):
        return "<br>".join((inert(phase), inert(type), "not in this run"))
    progress = state.phases[phase]
    text = progress.state
    if progress.number > 1:
        text = f"{text}, try {progress.attempt}"
    return "<br>".join((inert(phase), inert(type), inert(text)))


def _arrows(flow: Flow, ids: dict[str, str]) -> Iterator[str]:
    for phase in flow.phases:
        yield from (f"{ids[name]} --> {ids[phase.id]}" for name in phase.depends_on if name in ids)
        back = phase.on_rejection
        if back.action == RETRY_PHASE and back.target in ids:
            yield f"{ids[phase.id]} -.->|rejected| {ids[back.target]}"
