"""Read a hand-over from JSON. Pure.

The caller has checked the JSON against `schemas/handover.json`.
"""

from collections.abc import Iterable
from typing import Any

from ..config.author_policy import AgentPolicy
from ..config.delegates import Delegate
from ..config.policy import Deciders, Expiry, Policy
from ..config.workflows import CHECK
from ..finding import Finding
from ..verdict.approval_result import AgentContext, ApprovalResult
from ..verdict.earlier import Decline, EarlierFinding, EarlierRound
from .claimed import ClaimedAdr, MissingPromise
from .handover import (
    Broken,
    ChangedAdr,
    Handover,
    Judged,
    PlacedFinding,
    Repair,
    RunTarget,
    TakenId,
)
from .placement import DiffPlace
from .run_state import CarriedState, Objection, RejectedRound, Tampering


def read(data: dict[str, Any]) -> Handover:
    """Return the hand-over that was written.

    Keys of later versions may be missing in a record of an older one.
    """
    failure = data["failure"]
    return Handover(
        target=_target(data),
        group=_rows(data.get("group", ()), "number", "head"),
        unknown_commits=tuple(data.get("unknown_commits", ())),
        failure=failure and (failure["exit"], failure["message"]),
        applies=data["applies"],
        adrs=data["adrs"],
        fail_on=data["fail_on"],
        rule_findings=_all_placed(data["findings"]),
        skipped=tuple(data["skipped"]),
        no_judge=data["judge"],
        judged=tuple(map(_judged, data["judged"])),
        unjudged=_rows(data["stated"], "approval_type", "result", "reason"),
        indicators=_all_placed(data["indicators"]),
        protected=tuple(data["protected"]),
        asks=_rows(data["asks"], "approval_type", "action"),
        policy=_policy(data["policy"]),
        carried=_carried(data["kept"]),
        graph=data["graph"],
        files=_rows(data.get("files", ()), "path", "hash"),
        files_left_out=data.get("files_left_out", 0),
        broken=tuple(Broken(**item) for item in data["broken"]),
        repair=_repair(data["repair"]),
        changed=tuple(map(_changed, data.get("changed", ()))),
        taken=tuple(TakenId(**item) for item in data.get("taken", ())),
        loosened=tuple(data.get("loosened", ())),
        protected_left_out=data.get("protected_left_out", 0),
        claims=tuple(data.get("claims", ())),
        claims_left_out=data.get("claims_left_out", 0),
        claimed=tuple(map(_claimed, data.get("claimed", ()))),
        claimed_left_out=data.get("claimed_left_out", 0),
        earlier=tuple(map(_round, data.get("earlier", ()))),
        is_requested=data.get("is_requested", False),
        agents=tuple(data.get("agents", ())),
    )


def _target(data: dict[str, Any]) -> RunTarget:
    """Return the target; a record of an older version has no `check`."""
    complete = {"check": CHECK, **data}
    return RunTarget(**{name: complete[name] for name in RunTarget._fields})


def _rows(items: Iterable[dict[str, Any]], *names: str) -> tuple[Any, ...]:
    """Return the values of some keys of each item, as tuples."""
    return tuple(tuple(item[name] for name in names) for item in items)


def _repair(data: dict[str, Any] | None) -> Repair | None:
    if not data:
        return None
    return Repair(tuple(data["files"]), tuple(data["errors"]), data["whose"])


def _changed(data: dict[str, Any]) -> ChangedAdr:
    return ChangedAdr(**{**data, "supersedes": tuple(data["supersedes"])})


def _claimed(data: dict[str, Any]) -> ClaimedAdr:
    missing = tuple(MissingPromise(**item) for item in data["first_missing"])
    return ClaimedAdr(**{**data, "first_missing": missing})


def _policy(data: dict[str, Any]) -> Policy:
    deciders = data["deciders"]
    names = {name: tuple(deciders[name]) for name in ("roles", "users", "teams")}
    delegates = tuple(map(_delegate, deciders.get("delegates", ())))
    nested = {
        "deciders": Deciders(**{**deciders, **names, "delegates": delegates}),
        "overrides": tuple(data["overrides"]),
        "protected": (),
        "deadlines": tuple(data["deadlines"].items()),
        "expiry": Expiry(data["expiry"]["action"], tuple(data["expiry"]["to"])),
        "agents": _agents(data.get("agents")),
    }
    return Policy(**{**data, **nested})


def _agents(data: dict[str, Any] | None) -> AgentPolicy:
    if not data:
        return AgentPolicy()
    return AgentPolicy(data["minimum"], tuple(data["names"]))


def _delegate(data: dict[str, str]) -> Delegate:
    return Delegate(data["from"], data["to"], data["since"], data["until"])


def _carried(data: dict[str, Any]) -> CarriedState:
    nested = {
        "objections": tuple(Objection(*item) for item in data["objections"]),
        "tampered": tuple(Tampering(*item) for item in data["tampered"]),
        "rounds": tuple(RejectedRound(*item) for item in data.get("rounds", ())),
    }
    return CarriedState(**{**data, **nested})


def _all_placed(data: list[dict[str, Any]]) -> tuple[PlacedFinding, ...]:
    return tuple(_placed(item) for item in data)


def _placed(data: dict[str, Any]) -> PlacedFinding:
    finding = _finding(data)
    lines = data["place"]
    place = DiffPlace(finding.path, lines["first"], lines["last"]) if lines else None
    return PlacedFinding(
        finding=finding,
        fingerprint=data["fingerprint"],
        place=place,
        by=data["by"],
        suggestion=data.get("suggestion", ""),
        decline=_decline(data.get("decline")),
    )


def _finding(data: dict[str, Any]) -> Finding:
    """Return a finding."""
    complete = {"end_column": 0, "question": False, "subject": "", **data}
    return Finding(**{name: complete[name] for name in Finding._fields})


def _decline(data: dict[str, Any] | None) -> Decline | None:
    if not data:
        return None
    return Decline(**data)


def _round(data: dict[str, Any]) -> EarlierRound:
    findings = tuple(_earlier(item) for item in data["findings"])
    return EarlierRound(data["approval_type"], data["commit"], findings)


def _earlier(data: dict[str, Any]) -> EarlierFinding:
    finding = _finding(data)
    return EarlierFinding(data["id"], finding, _decline(data["decline"]), data["answer"])


def _judged(data: dict[str, Any]) -> Judged:
    placed = _all_placed(data["findings"])
    fields = {name: data[name] for name in ApprovalResult._fields if name in data}
    nested = {
        "findings": tuple(item.finding for item in placed),
        "files": tuple((item["path"], item["hash"]) for item in data["files"]),
        "recommendations": tuple(data["recommendations"]),
        "agent_context": AgentContext(**data["agent_context"]),
        "earlier": tuple(data.get("earlier", {}).items()),
    }
    return Judged(ApprovalResult(**{**fields, **nested}), data["required_confidence"], placed)
