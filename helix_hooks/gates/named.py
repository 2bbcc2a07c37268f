"""The gates of a repository by name: those of its settings, and those of a flow."""

from collections.abc import Mapping

from ..check.branch import named_commit
from ..check.trees import Revision
from ..config.gates import Gate
from ..errors import UsageError
from ..phases.flow import Phase
from ..phases.parse import flow_of
from ..yaml_reader import nearest
from .content import Content, opened
from .judged import settings_for
from .work import GateWork

_WHERE = "define one below `gates:` in config/approvals.yaml, e.g. {}"
_EXAMPLE = 'complete: {type: adr_complete, files: ["docs/adr/*.md"]}'


def named_gates(work: GateWork, file: str = "") -> Mapping[str, Gate]:
    """Return the gates of the settings, or those of the file of a flow, by name.

    The gate of a phase has the id of the phase, and that of its prompt is `ID.prompt`. Raises
    ConfigError, and UsageError if the file does not exist.
    """
    with opened(work) as content:
        settings = settings_for(work, content)
        if not file:
            return settings.gates
        data = _file(work, content, file)
        flow = flow_of(data, file, settings.flow, settings.gates, settings.agents, settings.types)
    gates: dict[str, Gate] = {}
    for phase in flow.phases:
        gates.update(_gates(phase))
    return gates


def _file(work: GateWork, content: Content, path: str) -> bytes:
    tree = content.tree
    if work.base:
        base = named_commit(work.root, "--base", work.base)
        tree = Revision(work.root, base, content.reader)
    data = tree.read(path)
    if data is None:
        where = " at the base" if work.base else ""
        raise UsageError(f"--file {path}: there is no such file{where}")
    return data


def _gates(phase: Phase) -> list[tuple[str, Gate]]:
    """Return the gates of a phase by their names; a gate of the settings also by its own name."""
    gates: list[tuple[str, Gate]] = []
    if phase.prompt_gate:
        gates.append((f"{phase.id}.prompt", phase.prompt_gate))
    if phase.gate:
        gates.append((phase.id, phase.gate))
    shared = [(gate.name, gate) for _, gate in gates if gate.name != phase.id]
    return gates + shared


def gate_named(gates: Mapping[str, Gate], name: str) -> Gate:
    """Return the gate of a name.

    Raises:
        UsageError: There is no such gate.
    """
    if not gates:
        raise UsageError(f"unknown gate {name!r}: no gates are defined; {no_gate()}")
    if name not in gates:
        similar = nearest(name, gates)
        hint = f"; did you mean {similar!r}?" if similar else ""
        raise UsageError(f"there is no gate {name!r}; there are {', '.join(gates)}{hint}")
    return gates[name]


def no_gate() -> str:
    """Return how to define the first gate."""
    return _WHERE.format(_EXAMPLE)
