"""The condition for the command of a gate to run: the base has the same command.

The file of a flow is trusted, since the person who started the flow chose it.
"""

from ..change.approvals import approvals_of
from ..check.trees import GitTree, Revision
from ..check.work_tree import WorkTree
from ..config.gates import Gate
from ..errors import ConfigError
from ..git import history
from ..paths import APPROVALS_FILE
from ..verify.base import base_of
from .work import FLOW, GateWork


def reason_not_to_run(gate: Gate, work: GateWork) -> str:
    """Return why the command of a gate does not run; "" if it runs."""
    if work.where == FLOW:
        return ""
    path = gate.place.rpartition(":")[0]
    last = history.commit(work.root, work.head or "HEAD")
    base = base_of(work.root, work.base, last)
    if not base:
        return f"{gate.place}: no commit yet; gates run only commands of the base"
    reader = Revision(work.root, base.commit)
    try:
        is_same = _is_same(gate, path, reader, work)
    except ConfigError:
        is_same = False
    finally:
        reader.close()
    if is_same:
        return ""
    return (
        f"{gate.place}: the command was not run: it differs from {path} at {base.name}; "
        "commands from a change never run; merge it first, or set --base"
    )


def _is_same(gate: Gate, path: str, at_base: GitTree, work: GateWork) -> bool:
    """Return whether the base has the same gate; for a file of a flow, the same file."""
    if path == APPROVALS_FILE:
        at = approvals_of(at_base).gates.get(gate.name)
        # `place` is a line, which changes with every edit above it.
        return at is not None and at._replace(place="") == gate._replace(place="")
    before = at_base.read(path)
    # With `--base` the gate was read from there.
    if work.base or before is None:
        return before is not None
    return before == WorkTree(work.root, None).read(path)
