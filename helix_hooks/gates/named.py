"""The gates of a repository by name: those of its settings, and those of a flow."""

from collections.abc import Mapping

from ..config.gates import Gate
from ..errors import UsageError
from ..phases.flow import Phase
from ..phases.parse import flow_of
from ..repository.branch import named_commit
from ..repository.files import StagedTree, Tree
from ..repository.revisions import Revision
from ..yaml_values import nearest
from .content import Content, opened
from .judged import settings_for
from .work import GateWork

_WHERE = "define one below `gates:` in config/approvals.yaml, as in {}"
_EXAMPLE = 'complete: {type: adr_complete, files: ["docs/adr/*.md"]}'


def named_gates(work: GateWork, file: str = "") -> Mapping[str, Gate]:
    """Return the gates of the settings, else those of a flow's file, by name.

    A phase gives its gate its own name; that of its prompt is called `ID.prompt`. Raises
    ConfigError, and UsageError if there is no such file.
    """
    with opened(work) as content:
        settings = settings_for(work, content)
        if not file:
            return settings.gates
        data = _file(work, content, file)
        flow = flow_of(data, file, settings.flow, settings.gates, settings.agents, settings.types)
    return {name: gate for phase in flow.phases for name, gate in _gates(phase)}


def _file(work: GateWork, content: Content, path: str) -> bytes:
    tree: Tree = content.tree
    if work.base:
        base = named_commit(work.root, "--base", work.base)
        tree = StagedTree(Revision(work.root, base, content.reader), work.root)
    data = tree.read(path)
    if data is None:
        raise UsageError(f"--file {path}: there is no such file{' at the base' * bool(work.base)}")
    return data


def _gates(phase: Phase) -> list[tuple[str, Gate]]:
    own = [(f"{phase.id}.prompt", phase.prompt_gate), (phase.id, phase.gate)]
    found = [(name, gate) for name, gate in own if gate]
    return [*found, *((gate.name, gate) for _, gate in found if gate.name != phase.id)]


def gate_named(gates: Mapping[str, Gate], name: str) -> Gate:
    """Return the gate of a name. Raises UsageError for an unknown one."""
    if not gates:
        raise UsageError(f"there is no gate {name!r}, nor any other; {no_gate()}")
    if name not in gates:
        meant = nearest(name, gates)
        hint = f"; did you mean {meant!r}?" if meant else ""
        raise UsageError(f"there is no gate {name!r}; there are {', '.join(gates)}{hint}")
    return gates[name]


def no_gate() -> str:
    """Return where to define the first gate."""
    return _WHERE.format(_EXAMPLE)
