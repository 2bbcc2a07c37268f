"""The hand-over as JSON that fits `schemas/handover.json`: the file between two steps, and the run
record on a check run. Pure.

The keys are stored and read by other versions of the program, so each is named here; a field may
have another name than its key.
"""

from typing import Any

from ..config.policy import Policy
from ..verdict.earlier import EarlierFinding, EarlierRound
from .claimed import ClaimedAdr
from .handover import VERSION, Handover, Judged, PlacedFinding


def payload(handover: Handover) -> dict[str, Any]:
    """Return a hand-over as it is written."""
    failure = handover.failure
    return {
        "version": VERSION,
        **handover.target._asdict(),
        "failure": None if failure is None else {"exit": failure[0], "message": failure[1]},
        "applies": handover.applies,
        "adrs": handover.adrs,
        "fail_on": handover.fail_on,
        "findings": [_placed(item) for item in handover.rule_findings],
        "skipped": list(handover.skipped),
        "judge": handover.no_judge,
        "judged": [_judged(item) for item in handover.judged],
        "stated": [
            {"approval_type": name, "result": result, "reason": reason}
            for name, result, reason in handover.unjudged
        ],
        "indicators": [_placed(item) for item in handover.indicators],
        "protected": list(handover.protected),
        "asks": [{"approval_type": name, "action": action} for name, action in handover.asks],
        "policy": _policy(handover.policy),
        "kept": handover.carried._asdict(),
        "graph": handover.graph,
        "changed": [
            {**item._asdict(), "supersedes": list(item.supersedes)} for item in handover.changed
        ],
        "files": [{"path": path, "hash": hash} for path, hash in handover.files],
        "files_left_out": handover.files_left_out,
        "broken": [item._asdict() for item in handover.broken],
        "repair": handover.repair and handover.repair._asdict(),
        "loosened": list(handover.loosened),
        "protected_left_out": handover.protected_left_out,
        "claims": list(handover.claims),
        "claims_left_out": handover.claims_left_out,
        "claimed": [_claimed(item) for item in handover.claimed],
        "claimed_left_out": handover.claimed_left_out,
        "earlier": [_round(item) for item in handover.earlier],
        "is_requested": handover.is_requested,
        "agents": list(handover.agents),
    }


def _policy(policy: Policy) -> dict[str, Any]:
    nested = {
        "deadlines": dict(policy.deadlines),
        "expiry": policy.expiry._asdict(),
        "agents": policy.agents._asdict(),
        "deciders": {
            **policy.deciders._asdict(),
            "delegates": [item.as_json for item in policy.deciders.delegates],
        },
    }
    return {**policy._asdict(), **nested, "protected": []}


def _claimed(item: ClaimedAdr) -> dict[str, Any]:
    return {**item._asdict(), "first_missing": [lack._asdict() for lack in item.first_missing]}


def _placed(item: PlacedFinding) -> dict[str, Any]:
    place = item.place and {"first": item.place.first, "last": item.place.last}
    return {
        **item.finding._asdict(),
        "fingerprint": item.fingerprint,
        "place": place,
        "by": item.by,
        "suggestion": item.suggestion,
        "decline": item.decline and item.decline._asdict(),
    }


def _round(round: EarlierRound) -> dict[str, Any]:
    return {**round._asdict(), "findings": [_earlier(item) for item in round.findings]}


def _earlier(item: EarlierFinding) -> dict[str, Any]:
    return {
        **item.finding._asdict(),
        "id": item.id,
        "decline": item.decline and item.decline._asdict(),
        "answer": item.answer,
    }


def _judged(judged: Judged) -> dict[str, Any]:
    verdict = judged.verdict
    rest = {name: value for name, value in verdict._asdict().items() if name != "suggestions"}
    return {
        **rest,
        "findings": [_placed(item) for item in judged.placed],
        "files": [{"path": path, "hash": hash} for path, hash in verdict.files],
        "recommendations": list(verdict.recommendations),
        "agent_context": verdict.agent_context._asdict(),
        "required_confidence": judged.floor,
        "earlier": dict(verdict.earlier),
    }
