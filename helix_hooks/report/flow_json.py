"""The state of a run of a flow for programs, version 1; docs/json.md describes its fields."""

from ..finding import Finding
from ..phases.flow import Flow, Phase
from ..phases.gate_result import GateResult
from ..phases.progress import in_scope
from ..phases.questions import OpenQuestion, questions, ways_on
from ..phases.run_state import Decider, PhaseProgress, RunState

VERSION = 1


def payload(flow: Flow, state: RunState, outcome: str) -> dict[str, object]:
    """Return a run with its phases in the order of the flow."""
    scope = in_scope(state)
    phases = [phase for phase in flow.phases if phase.id in scope]
    progress = [state.phases[id] for id in scope]
    return {
        "version": VERSION,
        "run": state.run,
        "flow": flow.name,
        "file": flow.path,
        "file_sha256": flow.hash,
        "state": outcome,
        "asked_by": decider(state.asked_by),
        "decided": state.decided or None,
        "seconds": round(sum(item.seconds for item in progress), 3),
        "cost_usd": round(sum(item.cost_usd for item in progress), 6),
        "budget": _budget(flow, state),
        "questions": [_question(state.run, item) for item in questions(flow, state)],
        "phases": [_phase(phase, state.phases[phase.id]) for phase in phases],
    }


def _budget(flow: Flow, state: RunState) -> dict[str, object]:
    return {
        "soft_usd": flow.budget.soft or None,
        "hard_usd": flow.budget.hard or None,
        "allowed_usd": state.allowed_usd or None,
        "warning": state.warning or None,
    }


def decider(person: Decider) -> dict[str, object]:
    """Return the person who started a run or decided."""
    return {"name": person.name, "verified": person.verified}


def _question(run: str, question: OpenQuestion) -> dict[str, object]:
    return {
        "phase": question.phase or None,
        "task": question.number,
        "text": question.text,
        "needs_override": question.needs_override,
        "commands": list(ways_on(run, question)),
    }


def _phase(phase: Phase, progress: PhaseProgress) -> dict[str, object]:
    return {
        "id": phase.id,
        "type": phase.type,
        "depends_on": list(phase.depends_on),
        "state": progress.state,
        "stage": progress.stage,
        "attempt": progress.attempt,
        "max_retries": phase.max_retries,
        "task": progress.number,
        "gate": gate(progress.result) if progress.result else None,
        "question": progress.question or None,
        "feedback": progress.feedback or None,
        "overridden": progress.overridden or None,
        "decided": progress.decided or None,
        "files": dict(progress.hashes),
        "seconds": round(progress.seconds, 3),
        "cost_usd": round(progress.cost_usd, 6),
    }


def gate(result: GateResult) -> dict[str, object]:
    """Return the last answer of a gate."""
    return {
        "gate": result.gate,
        "gate_type": result.gate_type,
        "state": result.state,
        "passed": result.passed,
        "failed": result.failed,
        "message": result.message,
        "findings": [finding_fields(item) for item in result.findings],
        "suggestions": list(result.suggestions),
    }


def finding_fields(finding: Finding) -> dict[str, object]:
    """Return the fields of a finding of a gate or a queue entry, for programs."""
    return {
        "severity": finding.severity,
        "check": finding.check,
        "message": finding.message,
        "path": finding.path,
        "line": finding.line,
        "help": finding.help,
    }
