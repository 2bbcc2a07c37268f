"""`files_exist`: each pattern matches a file that can be read."""

from ..config.gates import Gate
from ..phases.gate_result import GateResult
from ..text.plural import counted
from .content import files_of, opened, unread
from .results import approved, rejected
from .work import GateWork


def files_exist(gate: Gate, work: GateWork) -> GateResult:
    with opened(work) as content:
        files = files_of(gate, content)
    if files.findings:
        return rejected(gate, unread(files), files.findings)
    return approved(gate, f"{counted(len(files.paths), 'file')} there", {"files": [*files.paths]})
