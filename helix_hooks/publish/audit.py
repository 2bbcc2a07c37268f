"""The audit of a pull request: the recorded decision, and the one computed from today's data. Pure.

It reports who decided what, when, on which content and under which policy. For an open pull request
the computed decision counts. For a closed one the recorded decision counts, because people and
comments may have been deleted.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..config.policy import wanted
from ..decision.chain import Tip
from ..decision.counting import CountedVote
from ..decision.decide import Decision
from ..decision.declines import all_declines
from ..decision.handover import Handover, Judged
from ..decision.pull_request import PullRequest, Status
from ..decision.states import CONCLUSIONS
from ..text import counted
from .confirmed import DENIED, Fact, Record, denied

VERSION = 1


class Audit(NamedTuple):
    """A decision computed from today's data, with its votes.

    `handover` is from the last run at the head, None without one. `record` has the recorded
    decisions, None if there are none, and `facts` today's data from GitHub about the one that
    counts. `end` is the end of their chain according to our comment.
    """

    repository: str
    pull: PullRequest
    handover: Handover | None
    decision: Decision | None
    votes: tuple[CountedVote, ...] = ()
    record: Record | None = None
    facts: tuple[Fact, ...] = ()
    end: Tip | None = None

    @property
    def agrees(self) -> bool:
        """Return whether the check run shows the computed decision."""
        if self.decision is None or self.pull.status is None:
            return False
        shown, computed = self.pull.status.conclusion, CONCLUSIONS[self.decision.state]
        # Other pull requests at the same commit can make the check worse, but never better.
        return shown == computed or (bool(self.pull.siblings) and shown != "success")

    @property
    def taken(self) -> dict[str, Any] | None:
        """The fields of the recorded decision."""
        link = self.record.taken(self.pull.closed) if self.record else None
        return link.fields if link else None

    @property
    def against(self) -> tuple[str, ...]:
        """The contradictions to the decision."""
        return tuple(_against(self))

    @property
    def is_sound(self) -> bool:
        return not self.against and (self.record is not None or self.handover is not None)


def _against(audit: Audit) -> Iterator[str]:
    if audit.record:
        yield from denied(audit.record, audit.pull)
        yield from (fact.text for fact in audit.facts if fact.state == DENIED)
    elif audit.end:
        known = counted(audit.end.length, "decision")
        yield (
            f"the helix comment names {known}, but no check run has them any more: GitHub or a "
            "user deleted them"
        )
    if (audit.pull.is_open or not audit.record) and audit.handover and not audit.agrees:
        yield "the check run does not agree with the decision as it is computed now"


def payload(audit: Audit) -> dict[str, Any]:
    """Return the audit as JSON."""
    handover, decision = audit.handover, audit.decision
    return {
        "version": VERSION,
        "repository": audit.repository,
        "pull_request": audit.pull.number,
        "author": audit.pull.author.login,
        "head": audit.pull.head,
        "state": decision and decision.state,
        "reasons": _reasons(decision),
        "check": _check(audit.pull.status),
        "agrees": audit.agrees,
        "policy": _policy(handover),
        "verdicts": _verdicts(handover),
        "votes": [_vote(item) for item in audit.votes],
        "declines": _declines(handover),
        "rejected_rounds": _rounds(handover),
        "closed_at": audit.pull.closed or None,
        "merged_as": audit.pull.merged or None,
        "recorded": audit.record and _recorded(audit, audit.record),
        "contradictions": list(audit.against),
    }


def _check(status: Status | None) -> dict[str, Any] | None:
    if status is None:
        return None
    return {"conclusion": status.conclusion, "id": status.id}


def _reasons(decision: Decision | None) -> list[str]:
    if decision is None:
        return []
    return [reason.text for reason in decision.reasons]


def _policy(handover: Handover | None) -> dict[str, Any] | None:
    if handover is None:
        return None
    return {
        "base": handover.target.base,
        "settings": handover.target.settings,
        "content": handover.target.content,
        "autonomy": handover.policy.autonomy or None,
        "minimum_approvals": handover.deciders.minimum,
        "approvers": wanted(handover.deciders),
        "delegates": [item.in_words for item in handover.deciders.delegates],
        "agents": list(handover.agents),
        "asked_since": handover.carried.since or None,
        "spent_usd": handover.carried.spent,
    }


def _declines(handover: Handover | None) -> list[dict[str, Any]]:
    if handover is None:
        return []
    return [
        {"finding": id, **reply._asdict(), "judge_says": answer or None}
        for id, (reply, answer) in all_declines(handover).items()
    ]


def _rounds(handover: Handover | None) -> list[dict[str, Any]]:
    if handover is None:
        return []
    return [round._asdict() for round in handover.carried.rounds]


def _recorded(audit: Audit, record: Record) -> dict[str, Any]:
    return {
        "decision": audit.taken,
        "chain": "broken" if any(link.wrong for link in record.links) else "whole",
        "dropped": record.chain.dropped,
        "signature": record.links[-1].signature,
        "check": {"conclusion": record.status.conclusion, "id": record.status.id},
        "facts": [{"state": fact.state, "what": fact.text} for fact in audit.facts],
        "decisions": [
            {**link.fields, "signature_is": link.signature, "wrong": link.wrong or None}
            for link in record.links
        ],
    }


def _verdicts(handover: Handover | None) -> list[dict[str, Any]]:
    if handover is None:
        return []
    return [_verdict(item) for item in handover.judged]


def _verdict(judged: Judged) -> dict[str, Any]:
    verdict = judged.verdict
    return {
        "approval_id": verdict.approval_id,
        "approval_type": verdict.approval_type,
        "result": verdict.result,
        "confidence": verdict.confidence,
        "timestamp": verdict.timestamp,
        "model": verdict.agent_context.model,
        "cost_usd": verdict.agent_context.cost_usd,
        "files": dict(verdict.files),
    }


def _vote(item: CountedVote) -> dict[str, Any]:
    vote = item.vote
    fields = {
        "by": vote.by.login,
        "by_id": vote.by.id,
        "said": vote.kind,
        "at": vote.at,
        "commit": vote.commit or None,
        "types": list(vote.types),
        "finding": vote.finding or None,
        "reason": vote.words or None,
        "source": {"id": vote.source, "kind": "review" if vote.is_review else "comment"},
        "counts": not item.refused,
        "refused": item.refused or None,
    }
    if vote.stands_for:
        fields["delegate_of"] = vote.stands_for
    return fields
