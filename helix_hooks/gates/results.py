"""The four answers of a gate, and their findings."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from ..config.gates import Gate
from ..finding import Finding
from ..phases.gate_result import APPROVED, PENDING, REJECTED, GateResult

Details = Mapping[str, object]
_NO_DETAILS: Details = MappingProxyType({})


def approved(gate: Gate, message: str, details: Details = _NO_DETAILS) -> GateResult:
    return _result(gate, APPROVED, message)._replace(details=details)


def pending(gate: Gate, message: str, details: Details = _NO_DETAILS) -> GateResult:
    """Return the answer that needs a person."""
    return _result(gate, PENDING, message)._replace(details=details)


def rejected(
    gate: Gate,
    message: str,
    findings: Iterable[Finding] = (),
    details: Details = _NO_DETAILS,
) -> GateResult:
    return _result(gate, REJECTED, message)._replace(findings=tuple(findings), details=details)


def failed(
    gate: Gate, message: str, details: Details = _NO_DETAILS, *, is_started: bool = True
) -> GateResult:
    """Return the answer of a gate that could not be evaluated."""
    result = _result(gate, REJECTED, message)
    return result._replace(failed=True, details=details, is_started=is_started)


def _result(gate: Gate, state: str, message: str) -> GateResult:
    return GateResult(gate=gate.name, gate_type=gate.kind, state=state, message=message)


def error(gate: Gate, message: str, path: str = "", line: int = 1, help: str = "") -> Finding:
    """Return a finding of a gate. Its `check` is the kind of the gate."""
    return Finding(
        severity="error",
        check=gate.kind,
        layer="gate",
        message=message,
        path=path,
        line=line,
        end_line=line,
        help=help,
    )
