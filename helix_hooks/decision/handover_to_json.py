"""The hand-over as JSON that fits `schemas/handover.json`. Pure.

It is the file between two steps, and the run record on a check run. Other versions of the program
read the keys, so each is written out here; the name of a field may differ from its key.
"""

from collections.abc import Iterable
from typing import Any

from ..config.policy import Policy
from ..verdict.earlier import EarlierFinding, EarlierRound
from .claimed import ClaimedAdr
from .handover import VERSION, Handover, Judged, PlacedFinding


def payload(handover: Handover) -> dict[str, Any]:
    """Return a hand-over as JSON."""
    return {
        "version": VERSION,
        **handover.target._asdict(),
        "group": [{"number": number, "head": head} for number, head in handover.group],
        "unknown_commits": list(handover.unknown_commits),
        "failure": _failure(handover.failure),
        "applies": handover.applies,
        "adrs": handover.adrs,
        "fail_on": handover.fail_on,
        "findings": list(map(_placed, handover.rule_findings)),
        "skipped": list(handover.skipped),
        "judge": handover.no_judge,
        "judged": list(map(_judged, handover.judged)),
        "stated": _items(handover.unjudged, "approval_type", "result", "reason"),
        "indicators": list(map(_placed, handover.indicators)),
        "protected": list(handover.protected),
        "asks": _items(handover.asks, "approval_type", "action"),
        "policy": _policy(handover.policy),
        "kept": handover.carried._asdict(),
        "graph": handover.graph,
        "changed": [
            {**item._asdict(), "supersedes": list(item.supersedes)} for item in handover.changed
        ],
        "taken": [item._asdict() for item in handover.taken],
        "files": _items(handover.files, "path", "hash"),
        "files_left_out": handover.files_left_out,
        "broken": [item._asdict() for item in handover.broken],
        "repair": handover.repair and handover.repair._asdict(),
        "loosened": list(handover.loosened),
        "protected_left_out": handover.protected_left_out,
        "claims": list(handover.claims),
        "claims_left_out": handover.claims_left_out,
        "claimed": list(map(_claimed, handover.claimed)),
        "claimed_left_out": handover.claimed_left_out,
        "earlier": list(map(_round, handover.earlier)),
        "is_requested": handover.is_requested,
        "agents": list(handover.agents),
    }


def _failure(failure: tuple[int, str] | None) -> dict[str, Any] | None:
    if failure is None:
        return None
    code, message = failure
    return {"exit": code, "message": message}


def _items(rows: Iterable[tuple[str, ...]], *names: str) -> list[dict[str, str]]:
    """Return each row as an object with these keys."""
    return [dict(zip(names, row, strict=True)) for row in rows]


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
    fields = verdict._asdict()
    del fields["suggestions"]  # each placed finding has its own
    return {
        **fields,
        "findings": [_placed(item) for item in judged.placed],
        "files": [{"path": path, "hash": hash} for path, hash in verdict.files],
        "recommendations": list(verdict.recommendations),
        "agent_context": verdict.agent_context._asdict(),
        "required_confidence": judged.floor,
        "earlier": dict(verdict.earlier),
    }
