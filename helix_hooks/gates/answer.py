"""Ask a gate: the one registry of kinds."""

from ..config.gates import Gate
from ..phases.gate_result import REJECTED, GateResult
from .work import GateWork


def answer(gate: Gate, work: GateWork) -> GateResult:
    """Return the answer of a gate about the content of `work`.

    Raises HelixError only where the program can't run at all.
    """
    return GateResult(
        gate=gate.name, gate_type=gate.kind, state=REJECTED, message=work.where, failed=True
    )
