"""The audit of a pull request: the recorded decision beside the one computed from today's data, as
values and as text with one fact a line. Pure.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..config.policy import Deciders, wanted
from ..decision.chain import Tip
from ..decision.commands import OVERRIDE, REJECT
from ..decision.decide import Decision, as_delegate
from ..decision.handover import Handover, Judged
from ..decision.pull_request import PullRequest, Status
from ..decision.rounds import all_declines
from ..decision.states import CONCLUSIONS
from ..decision.votes import Vote
from ..text import BREAK, counted, moment, printable
from ..text.table import table
from ..verdict.approval_result import ApprovalResult
from .confirmed import DENIED, Fact, Record, denied, signature

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
    votes: tuple[Vote, ...] = ()
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


def _vote(vote: Vote) -> dict[str, Any]:
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
        "counts": not vote.refused,
        "refused": vote.refused or None,
    }
    if vote.stands_for:
        fields["delegate_of"] = vote.stands_for
    return fields


def text(audit: Audit) -> str:
    """Return the audit for people."""
    pull = audit.pull
    head = f"{audit.repository}#{pull.number} by {pull.author.login}, at {pull.head[:12]}"
    head = printable(f"{head}{_closed(pull)}".replace(BREAK, ""))
    if audit.record is None and (audit.handover is None or audit.decision is None):
        return f"{head}\n  no run of the gate has recorded a result\n"
    taken = None if pull.is_open else audit.taken
    if taken:
        rows = [*_recorded_text(taken), *_on_record(audit), *_today(audit)]
    else:
        rows = [*_on_record(audit), *_computed(audit)]
    facts = [(fact.state, fact.text) for fact in audit.facts]
    against = [("CONTRADICTED", text) for text in audit.against]
    lines = [head]
    for part in (rows, facts, against):
        lines += table([(name, text.replace(BREAK, "")) for name, text in part], indent=2)
    return "".join(f"{line}\n" for line in lines)


def _closed(pull: PullRequest) -> str:
    if pull.merged:
        return f", merged {moment(pull.closed)} as {pull.merged[:12]}"
    return f", closed {moment(pull.closed)}" if pull.closed else ""


def _recorded_text(taken: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the last decision before a pull request was closed."""
    of_queue = " in the merge queue" if taken["queue"] else ""
    yield "decision", f"{taken['status']}, decided {moment(taken['decided_at'])}{of_queue}"
    yield from (("", text) for text in taken["reasons"])
    yield "policy", ", ".join(_recorded_policy(taken))
    yield _content(taken["content"], taken["base"], taken["settings"])
    yield from (("judge", _recorded_judge(judge)) for judge in taken["judges"])
    yield from (("vote", _recorded_vote(vote)) for vote in taken["votes"])
    yield from (("decline", _decline(item)) for item in taken.get("declines", ()))


def _recorded_policy(taken: dict[str, Any]) -> Iterator[str]:
    if taken["category"]:
        yield f"category {taken['category']}"
    if taken["autonomy"]:
        yield f"autonomy {taken['autonomy']}"
    yield f"{taken['minimum_approvals']} of: {_deciders(taken['approvers'])}"
    # Records of older versions have neither delegates nor agents.
    yield from taken.get("delegates", ())
    if taken.get("agents"):
        yield f"coding agents wrote part of it: {', '.join(taken['agents'])}"


def _content(content: str, base: str, settings: str) -> tuple[str, str]:
    return "content", f"{content[:12] or 'not known'}, base {base[:12]} (settings {settings[:12]})"


def _deciders(names: dict[str, Any]) -> str:
    deciders = Deciders(
        roles=tuple(names["roles"]), users=tuple(names["users"]), teams=tuple(names["teams"])
    )
    return wanted(deciders)


def _recorded_judge(judge: dict[str, Any]) -> str:
    cost = "cost not stated" if judge["cost_usd"] is None else f"${judge['cost_usd']:.4f}"
    run = f"{judge['model'] or judge['agent']}, {judge['duration_seconds']:.0f} s, {cost}"
    return (
        f"{judge['approval_type']}: {judge['result']}, confidence {judge['confidence']:.2f}, "
        f"{run}, {judge['timestamp']}"
    )


def _recorded_vote(vote: dict[str, Any]) -> str:
    text = f"{vote['said']} {vote['finding'] or (vote['commit'] or '')[:7]}".rstrip()
    if vote["types"]:
        text += f" for {','.join(vote['types'])}"
    if vote["reason"]:
        text += f": {vote['reason']}"
    right = f"role {vote['role'] or 'none'}"
    if vote.get("delegate_of"):
        right += f", as delegate of @{vote['delegate_of']}"
    return f"{moment(vote['at'])}  {vote['by']}  {text}  [{right}]"


def _decline(item: dict[str, Any]) -> str:
    answer = f"  [judge: {item['judge_says']}]" if item["judge_says"] else ""
    text = f"{moment(item['at'])}  {item['by']}  decline {item['finding'][:8]}"
    return f"{text}: {item['reason']}{answer}"


def _on_record(audit: Audit) -> Iterator[tuple[str, str]]:
    """Yield the state of the chain, and a line for each decision in it."""
    record = audit.record
    if record is None:
        yield "record", "none: the last run's version recorded no decisions"
        return
    length = record.chain.length
    lost = f", the first {record.chain.dropped} of them dropped" if record.chain.dropped else ""
    chain = "BROKEN" if any(link.wrong for link in record.links) else "whole"
    state = f"{counted(length, 'decision')}{lost}; the chain is {chain}"
    yield "record", f"{state}; {signature(record)}"
    for link in record.links:
        fields = link.fields
        if fields:
            commit = f"{moment(fields['decided_at'])}  {fields['commit'][:7]}"
            yield "", f"{link.number}. {commit}  {fields['status']}: {fields['title']}"


def _today(audit: Audit) -> Iterator[tuple[str, str]]:
    """Yield the decision about a closed pull request from today's data, for comparison."""
    if audit.record:
        yield "check", f"{audit.record.status.conclusion} (run {audit.record.status.id}), now"
    if audit.decision:
        yield "today", f"it would be {audit.decision.state}: {audit.decision.reasons[0].text}"


def _computed(audit: Audit) -> Iterator[tuple[str, str]]:
    """Yield the decision computed from today's data."""
    handover = audit.handover
    if handover is None or audit.decision is None:
        return
    target = handover.target
    yield "decision", audit.decision.state
    yield from (("", reason.text) for reason in audit.decision.reasons)
    yield "check", _check_text(audit)
    yield "policy", _policy_text(handover)
    yield _content(target.content, target.base, target.settings)
    yield from (("judge", _judge(item.verdict)) for item in handover.judged)
    yield from (("vote", text) for text in [*map(_vote_text, audit.votes)] or ["none"])
    for id, (reply, answer) in all_declines(handover).items():
        fields = {"finding": id, "judge_says": answer, **reply._asdict()}
        yield "decline", _decline(fields)


def _judge(verdict: ApprovalResult) -> str:
    return (
        f"{verdict.approval_type}: {verdict.result}, confidence {verdict.confidence:.2f}, "
        f"{verdict.agent_context.model}, {verdict.timestamp}"
    )


def _check_text(audit: Audit) -> str:
    status = audit.pull.status
    shown = f"{status.conclusion} (run {status.id})" if status else "there is none"
    return f"{shown}, which {'agrees' if audit.agrees else 'does NOT agree'} with this data"


def _policy_text(handover: Handover) -> str:
    deciders = handover.deciders
    text = f"{deciders.minimum} of: {wanted(deciders)}"
    if handover.policy.autonomy:
        text = f"autonomy {handover.policy.autonomy}, {text}"
    if deciders.sole:
        text += f"; {deciders.sole} may approve their own changes"
    text += "".join(f"; {item.in_words}" for item in deciders.delegates)
    if handover.agents:
        text += f"; coding agents wrote part of it: {', '.join(handover.agents)}"
    return text


def _vote_text(vote: Vote) -> str:
    words = {REJECT: "reject", OVERRIDE: f"override {vote.finding}"}.get(vote.kind, vote.kind)
    text = f"{words} {vote.commit[:7]}"
    if vote.types:
        text += f" for {','.join(vote.types)}"
    if vote.words:
        text += f": {vote.words}"
    result = vote.refused or f"counts{as_delegate(vote)}"
    return f"{moment(vote.at)}  {vote.by.login}  {text}  [{result}]"
