"""The answer of a gate, as a value, as text and as JSON. Pure."""

from collections.abc import Mapping
from typing import Annotated, NamedTuple

from ..config.gates import Gate
from ..finding import Finding
from ..text import dumped, json_value, painted, printable
from ..text.table import table

APPROVED, REJECTED, PENDING = "approved", "rejected", "pending"
STATES = (APPROVED, REJECTED, PENDING)
"""The possible answers of a gate."""

EXIT_CODES = {APPROVED: 0, REJECTED: 1, PENDING: 4}

_VERSION = 1
_SIGNS = {APPROVED: "path", REJECTED: "error", PENDING: "warning"}
_MOST = 50
"""Maximum number of findings printed."""
_LAST_LINES = 20
"""Lines printed from the end of a command's output."""


class GateResult(NamedTuple):
    """The answer of a gate. GateResult of the original design, with three states.

    `message` is one line for a person. `findings` are the reasons against an approval. `failed`:
    the gate could not be evaluated, so it is rejected with exit code 3. `details` are fields of the
    kind of gate, as JSON values: for an approval those of the approval-result. `suggestions` are
    the recommendations of the approver. Without `is_started` a program is missing or can't be
    started, which is no attempt. Without `is_made` the command that creates the content failed, so
    the gate was not asked. Without `is_stored` git could not commit what the gate has seen.
    """

    gate: str
    gate_type: str
    state: Annotated[str, STATES]
    message: str
    findings: tuple[Finding, ...] = ()
    suggestions: tuple[str, ...] = ()
    details: Mapping[str, object] = {}
    cost_usd: float = 0.0
    failed: bool = False
    is_started: bool = True
    is_made: bool = True
    is_stored: bool = True

    @property
    def in_words(self) -> str:
        """The message, with what failed if the gate has not answered."""
        if not self.failed:
            return self.message
        if self.is_made and self.is_stored:
            return f"could not be evaluated: {self.message}"
        return f"{self.failed_part} failed: {self.message}"

    @property
    def failed_part(self) -> str:
        """The part of the task that failed, if the gate has not answered."""
        if not self.is_stored:
            return "the commit"
        return "the gate" if self.is_made else "the command"

    @property
    def passed(self) -> bool:
        return self.state == APPROVED

    @property
    def exit_code(self) -> int:
        if self.failed:
            return 3
        return EXIT_CODES[self.state]


def as_text(result: GateResult, color: bool) -> str:
    """Return the answer with its findings, and what to do next."""
    word, sign = result.state, _SIGNS[result.state]
    if result.failed:
        word, sign = "not evaluated", "error"
    lines = [f"{painted(word, sign, color)}: {result.gate}: {printable(result.message)}"]
    for finding in result.findings[:_MOST]:
        # The headline may already contain the message of a finding without a file.
        if not finding.path and finding.message in result.message:
            continue
        place = f"{printable(finding.path)}:{finding.line}: " if finding.path else ""
        severity = painted(finding.severity, finding.severity, color)
        lines.append(f"    {place}{severity}: {printable(finding.message)} [{finding.check}]")
        if finding.help:
            lines.append(f"        = {printable(finding.help)}")
    left_out = len(result.findings) - _MOST
    if left_out > 0:
        lines.append(f"    and {left_out} more (--format json lists all)")
    lines += [f"    - {printable(text)}" for text in result.suggestions]
    if not result.passed:
        output = result.details.get("output", "")
        rows = output.strip().splitlines()[-_LAST_LINES:] if isinstance(output, str) else []
        lines += [f"    | {printable(row)}" for row in rows]
        command = f"`helix-hooks gate {result.gate}`"
        step = f"fix this, then run {command} again"
        if result.failed:
            step = f"not approved; fix the error above, then run {command} again"
        elif result.state == PENDING:
            step = "waiting for a person to approve"
        lines.append(f"    = {step}")
    return "\n".join(lines) + "\n"


def payload(result: GateResult) -> dict[str, object]:
    """Return the answer as a JSON value of version 1; docs/api.md describes it."""
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


def list_text(gates: Mapping[str, Gate]) -> str:
    """Return the gates of the settings as a table."""
    rows = [(name, gate.kind, gate.place) for name, gate in gates.items()]
    return "".join(f"{line}\n" for line in table(rows))


def list_json(gates: Mapping[str, Gate]) -> str:
    """Return the gates of the settings as JSON."""
    items = [
        {"gate": name, "gate_type": gate.kind, "place": gate.place, "files": list(gate.files)}
        for name, gate in gates.items()
    ]
    return dumped({"version": _VERSION, "gates": items})
