"""The answer of a gate, and the list of gates, as text for a terminal and as JSON."""

from collections.abc import Mapping

from ..config.gates import Gate
from ..finding import Finding
from ..phases.gate_result import APPROVED, PENDING, REJECTED, GateResult
from ..text.sanitize import json_value, painted, printable
from ..text.table import table
from .json import dumped

FORMATS = ("text", "json")
_VERSION = 1
_SIGNS = {APPROVED: "path", REJECTED: "error", PENDING: "warning"}
_MOST = 50
"""Maximum number of findings printed."""
_LAST_LINES = 20
"""Lines printed from the end of a command's output."""


def render(result: GateResult, format: str, color: bool, quiet: bool) -> str:
    """Return the answer in one of `FORMATS`; if `quiet`, nothing for an approval as text."""
    if format == "json":
        return dumped(payload(result), 1)
    if quiet and result.passed:
        return ""
    word, sign = result.state, _SIGNS[result.state]
    if result.failed:
        word, sign = "not evaluated", "error"
    head = f"{painted(word, sign, color)}: {result.gate}: {printable(result.message)}"
    lines = [head, *_findings(result, color)]
    lines += [f"    - {printable(text)}" for text in result.suggestions]
    if not result.passed:
        lines += [f"    | {row}" for row in _output(result)]
        lines.append(f"    = {_next(result)}")
    return "\n".join(lines) + "\n"


def _findings(result: GateResult, color: bool) -> list[str]:
    lines = []
    for finding in result.findings[:_MOST]:
        # The headline may already contain the message of a finding without a file.
        if finding.path or finding.message not in result.message:
            lines += _finding(finding, color)
    left_out = len(result.findings) - _MOST
    if left_out > 0:
        lines.append(f"    and {left_out} more (--format json lists all)")
    return lines


def _finding(finding: Finding, color: bool) -> list[str]:
    severity = painted(finding.severity, finding.severity, color)
    line = f"{severity}: {printable(finding.message)} [{finding.check}]"
    if finding.path:
        line = f"{printable(finding.path)}:{finding.line}: {line}"
    if not finding.help:
        return [f"    {line}"]
    return [f"    {line}", f"        = {printable(finding.help)}"]


def _output(result: GateResult) -> list[str]:
    """Return the last lines that a command printed."""
    output = result.details.get("output", "")
    if not isinstance(output, str):
        return []
    return [printable(row) for row in output.strip().splitlines()[-_LAST_LINES:]]


def _next(result: GateResult) -> str:
    command = f"`helix-hooks gate {result.gate}`"
    if result.failed:
        return f"not approved; fix the error above, then run {command} again"
    if result.state == PENDING:
        return "waiting for a person to approve"
    return f"fix this, then run {command} again"


def payload(result: GateResult) -> dict[str, object]:
    """Return the answer as a JSON value of version 1; docs/json.md describes it."""
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
    """Return the gates of the settings, as a table or as JSON."""
    if format == "json":
        items = [
            {"gate": name, "gate_type": gate.kind, "place": gate.place, "files": list(gate.files)}
            for name, gate in gates.items()
        ]
        return dumped({"version": _VERSION, "gates": json_value(items)}, 1)
    rows = [(name, gate.kind, gate.place) for name, gate in gates.items()]
    return "".join(f"{line}\n" for line in table(rows))
