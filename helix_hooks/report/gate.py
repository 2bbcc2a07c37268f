"""The answer of a gate, and the list of gates, for people at a terminal and for programs."""

from collections.abc import Mapping

from ..config.gates import Gate
from ..finding import Finding
from ..phases.gate_result import APPROVED, PENDING, REJECTED, GateResult
from ..text.sanitize import json_value, printable
from .json import dumped
from .text import painted

FORMATS = ("text", "json")
_VERSION = 1
_SIGNS = {APPROVED: "path", REJECTED: "error", PENDING: "warning"}
_NOT_EVALUATED = "not evaluated"
_MOST = 50
"""Findings that are listed; nobody reads more at a terminal."""
_LAST_LINES = 20


def render(result: GateResult, format: str, color: bool, quiet: bool) -> str:
    """Return the answer in one of `FORMATS`."""
    if format == "json":
        return dumped(payload(result), 1)
    if quiet and result.passed:
        return ""
    word = _NOT_EVALUATED if result.failed else result.state
    sign = "error" if result.failed else _SIGNS[result.state]
    lines = [f"{painted(word, sign, color)}: {result.gate}: {printable(result.message)}"]
    for finding in result.findings[:_MOST]:
        if finding.path or finding.message not in result.message:
            lines += _finding(finding, color)
    if len(result.findings) > _MOST:
        lines.append(f"    and {len(result.findings) - _MOST} more (--format json lists all)")
    lines += [f"    - {printable(text)}" for text in result.suggestions]
    if not result.passed:
        lines += [f"    | {row}" for row in _output(result)]
        lines.append(f"    = {_next(result)}")
    return "\n".join(lines) + "\n"


def _finding(finding: Finding, color: bool) -> list[str]:
    place = f"{printable(finding.path)}:{finding.line}: " if finding.path else ""
    severity = painted(finding.severity, finding.severity, color)
    line = f"    {place}{severity}: {printable(finding.message)} [{finding.check}]"
    return [line, *([f"        = {printable(finding.help)}"] if finding.help else [])]


def _output(result: GateResult) -> list[str]:
    """Return the end of what a command printed."""
    output = result.details.get("output", "")
    rows = output.strip().splitlines() if isinstance(output, str) else []
    return [printable(row) for row in rows[-_LAST_LINES:]]


def _next(result: GateResult) -> str:
    again = f"`helix-hooks gate {result.gate}`"
    if result.failed:
        return f"nothing was approved; put right what is named, then run {again} again"
    if result.state == PENDING:
        return "nothing is approved before a person has decided"
    return f"fix this, then run {again} again"


def payload(result: GateResult) -> dict[str, object]:
    """Return the answer for programs: version 1, see docs/json.md."""
    value = {
        "version": _VERSION,
        "gate": result.gate,
        "gate_type": result.gate_type,
        "passed": result.passed,
        "state": result.state,
        "failed": result.failed,
        "message": result.message,
        "details": dict(result.details),
        "findings": [item._asdict() for item in result.findings],
        "suggestions": list(result.suggestions),
        "cost_usd": result.cost_usd,
        "exit_code": result.exit_code,
    }
    return {key: json_value(item) for key, item in value.items()}


def render_list(gates: Mapping[str, Gate], format: str) -> str:
    """Return the gates that there are."""
    if format == "json":
        listed = [_about(name, gate) for name, gate in gates.items()]
        return dumped({"version": _VERSION, "gates": json_value(listed)}, 1)
    width = max(map(len, gates), default=0)
    kinds = max((len(gate.kind) for gate in gates.values()), default=0)
    rows = (f"{name:<{width}}  {gate.kind:<{kinds}}  {gate.place}" for name, gate in gates.items())
    return "".join(f"{printable(row)}\n" for row in rows)


def _about(name: str, gate: Gate) -> dict[str, object]:
    return {"gate": name, "gate_type": gate.kind, "place": gate.place, "files": list(gate.files)}
