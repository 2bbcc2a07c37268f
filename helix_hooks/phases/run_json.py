"""Runs of flows for programs, version 1; docs/api.md describes the fields. Pure."""

from collections.abc import Sequence

from .. import codec
from ..finding import Finding
from .flow import Phase
from .gate_result import GateResult
from .progress import in_scope
from .questions import OpenQuestion, ways_on
from .run_state import PhaseProgress
from .run_text import FlowView, RunRow, begun_phases

VERSION = 1


def run_fields(view: FlowView) -> dict[str, object]:
    """Return a run with its phases in the order of the flow."""
    flow, state = view.flow, view.state
    scope = in_scope(state)
    phases = [phase for phase in flow.phases if phase.id in scope]
    progress = [state.phases[id] for id in scope]
    return {
        "version": VERSION,
        "run": state.run,
        "flow": flow.name,
        "file": flow.path,
        "file_sha256": flow.hash,
        "state": view.outcome,
        "asked_by": {"name": state.asked_by.name, "verified": state.asked_by.verified},
        "decided": state.decided or None,
        "executor": view.executor or None,
        "executor_seen_seconds": None if view.seen is None else round(view.seen, 3),
        "idle_seconds": None if view.idle is None else round(view.idle, 3),
        "tree": view.tree or None,
        "base": view.base or None,
        "commit": view.commit or None,
        "seconds": round(sum(item.seconds for item in progress), 3),
        "cost_usd": round(sum(item.cost_usd for item in progress), 6),
        "budget": {
            "soft_usd": flow.budget.soft or None,
            "hard_usd": flow.budget.hard or None,
            "allowed_usd": state.allowed_usd or None,
            "warning": state.warning or None,
        },
        "questions": [_question(state.run, item) for item in view.questions],
        "phases": [
            _phase(phase, state.phases[phase.id], view.commits.get(phase.id)) for phase in phases
        ],
    }


def _question(run: str, question: OpenQuestion) -> dict[str, object]:
    return {
        "phase": question.phase or None,
        "task": question.number,
        "text": question.text,
        "needs_override": question.needs_override,
        "commands": list(ways_on(run, question)),
    }


def _phase(phase: Phase, progress: PhaseProgress, commit: str | None) -> dict[str, object]:
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
        "commit": commit,
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


def list_fields(rows: Sequence[RunRow]) -> dict[str, object]:
    """Return the runs of a list."""
    return {"version": VERSION, "runs": codec.plain(rows)}


def cost_fields(view: FlowView) -> dict[str, object]:
    """Return time and cost of a run, and of its phases."""
    begun = begun_phases(view.state)
    phases = [
        {
            "id": id,
            "tries": item.number,
            "seconds": round(item.seconds, 3),
            "cost_usd": round(item.cost_usd, 6),
        }
        for id, item in begun
    ]
    return {
        "run": view.state.run,
        "flow": view.flow.name,
        "state": view.outcome,
        "seconds": round(sum(item.seconds for _, item in begun), 3),
        "cost_usd": round(sum(item.cost_usd for _, item in begun), 6),
        "phases": phases,
    }
