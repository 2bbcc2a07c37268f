"""The audit of a pull request: the decision as it was taken, and as it can be computed now. Pure.

It says who decided what, when, on which content and under which policy. For an open pull request
the computed one counts. For a closed one it is the decision as it was taken: people and comments
may be gone.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..config.policy import Deciders, wanted
from ..decision.answers import as_delegate
from ..decision.chain import Tip
from ..decision.commands import OVERRIDE, REJECT
from ..decision.counting import CountedVote
from ..decision.decide import Decision
from ..decision.declines import all_declines
from ..decision.handover import Handover
from ..decision.pull_request import PullRequest
from ..decision.states import CONCLUSIONS
from ..text.moment import moment
from ..text.plural import counted
from ..text.sanitize import BREAK, printable
from ..verdict.verdict import ApprovalResult
from .confirmed import DENIED, Fact, Record, denied, signature

VERSION = 1


class Audit(NamedTuple):
    """A decision as it can be computed now, with the votes behind it.

    `handover` is what the last run at the head left, None where none did. `record` has the
    decisions as they were taken, None where none was recorded, and `facts` what GitHub says today
    of the one that counts. `end` is the end of their chain by our comment.
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
        """Return whether the check run shows the computed decision.

        With other pull requests at the same commit it may be worse, and never better.
        """
        if self.decision is None or self.pull.status is None:
            return False
        shown, computed = self.pull.status.conclusion, CONCLUSIONS[self.decision.state]
        return shown == computed or (bool(self.pull.siblings) and shown != "success")

    @property
    def taken(self) -> dict[str, Any] | None:
        """The decision as it was taken."""
        link = self.record.taken(self.pull.closed) if self.record else None
        return link.fields if link else None

    @property
    def against(self) -> tuple[str, ...]:
        """The contradictions to the decision; of an open pull request also a check run that does
        not agree.
        """
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
            f"the comment of the gate knows {known}, and no check run has them any more: GitHub "
            "deleted old ones, or somebody did"
        )
    if (audit.pull.is_open or not audit.record) and audit.handover and not audit.agrees:
        yield "the check run does not agree with the decision as it is computed now"


def payload(audit: Audit) -> dict[str, Any]:
    """Return the audit for programs."""
    handover, status = audit.handover, audit.pull.status
    about = None
    if handover:
        about = {
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
    return {
        "version": VERSION,
        "repository": audit.repository,
        "pull_request": audit.pull.number,
        "author": audit.pull.author.login,
        "head": audit.pull.head,
        "state": audit.decision.state if audit.decision else None,
        "reasons": [reason.text for reason in audit.decision.reasons] if audit.decision else [],
        "check": {"conclusion": status.conclusion, "id": status.id} if status else None,
        "agrees": audit.agrees,
        "policy": about,
        "verdicts": [_verdict(item.verdict._asdict()) for item in handover.judged]
        if handover
        else [],
        "votes": [_vote(item) for item in audit.votes],
        "declines": [
            {"finding": id, **reply._asdict(), "judge_says": said or None}
            for id, (reply, said) in (all_declines(handover) if handover else {}).items()
        ],
        "rejected_rounds": [round._asdict() for round in handover.carried.rounds]
        if handover
        else [],
        "closed_at": audit.pull.closed or None,
        "merged_as": audit.pull.merged or None,
        "recorded": _recorded(audit, audit.record) if audit.record else None,
        "contradictions": list(audit.against),
    }


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


def _verdict(fields: dict[str, Any]) -> dict[str, Any]:
    named = ("approval_id", "approval_type", "result", "confidence", "timestamp")
    about = fields["agent_context"]
    return {
        **{name: fields[name] for name in named},
        "model": about.model,
        "cost_usd": about.cost_usd,
        "files": dict(fields["files"]),
    }


def _vote(item: CountedVote) -> dict[str, Any]:
    vote = item.vote
    return {
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
        **({"delegate_of": vote.stands_for} if vote.stands_for else {}),
    }


def text(audit: Audit) -> str:
    """Return the audit for people, one fact a line."""
    pull = audit.pull
    lines = [
        (
            f"{audit.repository}#{pull.number} by {pull.author.login}, at "
            f"{pull.head[:12]}{_closed(pull)}"
        )
    ]
    if audit.record is None and (audit.handover is None or audit.decision is None):
        return f"{lines[0]}\n  no run of the gate has left anything there\n"
    taken = audit.taken if not pull.is_open else None
    lines += [*_as_taken(taken), *_on_record(audit), *(_today(audit) if taken else _now(audit))]
    lines += [f"  {fact.state:<18}  {fact.text}" for fact in audit.facts]
    lines += [f"  CONTRADICTED  {what}" for what in audit.against]
    return "".join(f"{printable(line.replace(BREAK, ''))}\n" for line in lines)


def _closed(pull: PullRequest) -> str:
    if pull.merged:
        return f", merged {moment(pull.closed)} as {pull.merged[:12]}"
    return f", closed {moment(pull.closed)}" if pull.closed else ""


def _as_taken(taken: dict[str, Any] | None) -> Iterator[str]:
    """Yield the decision by which a pull request was closed."""
    if taken is None:
        return
    of_queue = " in the merge queue" if taken["queue"] else ""
    yield f"  decision  {taken['status']}, as it was taken {moment(taken['decided_at'])}{of_queue}"
    yield from (f"            {what}" for what in taken["reasons"])
    about = [f"category {taken['category']}"] if taken["category"] else []
    about += [f"autonomy {taken['autonomy']}"] if taken["autonomy"] else []
    about.append(f"{taken['minimum_approvals']} of: {_deciders(taken)}")
    about += taken.get("delegates", ())
    if taken.get("agents"):
        about.append(f"coding agents wrote part of it: {', '.join(taken['agents'])}")
    yield f"  policy    {', '.join(about)}"
    yield (
        f"  content   {taken['content'][:12] or 'not known'}, by the base {taken['base'][:12]} "
        f"(settings {taken['settings'][:12]})"
    )
    yield from (f"  judge     {_judge_then(judge)}" for judge in taken["judges"])
    yield from (f"  vote      {_vote_then(vote)}" for vote in taken["votes"])
    yield from (f"  decline   {_decline_then(item)}" for item in taken.get("declines", ()))


def _deciders(taken: dict[str, Any]) -> str:
    then = taken["approvers"]
    return wanted(
        Deciders(roles=tuple(then["roles"]), users=tuple(then["users"]), teams=tuple(then["teams"]))
    )


def _judge_then(judge: dict[str, Any]) -> str:
    cost = "cost not stated" if judge["cost_usd"] is None else f"${judge['cost_usd']:.4f}"
    took = f"{judge['model'] or judge['agent']}, {judge['duration_seconds']:.0f} s, {cost}"
    return (
        f"{judge['approval_type']}: {judge['result']}, {judge['confidence']:.2f} sure, {took}, "
        f"{judge['timestamp']}"
    )


def _vote_then(vote: dict[str, Any]) -> str:
    what = f"{vote['said']} {vote['finding'] or (vote['commit'] or '')[:7]}".rstrip()
    about = f" for {','.join(vote['types'])}" if vote["types"] else ""
    reason = f": {vote['reason']}" if vote["reason"] else ""
    giver = vote.get("delegate_of")
    right = f"role {vote['role'] or 'none'}" + (f", as delegate of @{giver}" if giver else "")
    return f"{moment(vote['at'])}  {vote['by']}  {what}{about}{reason}  [{right}]"


def _decline_then(item: dict[str, Any]) -> str:
    said = f"  [judge: {item['judge_says']}]" if item["judge_says"] else ""
    told = f"{moment(item['at'])}  {item['by']}  decline {item['finding'][:8]}"
    return f"{told}: {item['reason']}{said}"


def _on_record(audit: Audit) -> Iterator[str]:
    record = audit.record
    if record is None:
        yield "  record    none: the last run was older than the record of decisions"
        return
    length = record.chain.length
    lost = f", the first {record.chain.dropped} of them dropped" if record.chain.dropped else ""
    chain = "BROKEN" if any(link.wrong for link in record.links) else "whole"
    yield (
        f"  record    {counted(length, 'decision')}{lost}; the chain is {chain}; "
        f"{signature(record)}"
    )
    for link in record.links:
        fields = link.fields
        if fields:
            yield (
                f"            {link.number}. {moment(fields['decided_at'])}  "
                f"{fields['commit'][:7]}  {fields['status']}: {fields['title']}"
            )


def _today(audit: Audit) -> Iterator[str]:
    """Yield what would be decided now about a closed pull request, for comparison."""
    if audit.record:
        status = audit.record.status
        yield f"  check     {status.conclusion} (run {status.id}), now"
    if audit.decision:
        yield f"  today     it would be {audit.decision.state}: {audit.decision.reasons[0].text}"


def _now(audit: Audit) -> Iterator[str]:
    """Yield the decision as the facts of today make it."""
    handover = audit.handover
    if handover is None or audit.decision is None:
        return
    target = handover.target
    yield f"  decision  {audit.decision.state}"
    yield from (f"            {reason.text}" for reason in audit.decision.reasons)
    yield f"  check     {_check(audit)}"
    yield f"  policy    {_policy(handover)}"
    yield (
        f"  content   {target.content[:12] or 'not known'}, by the base {target.base[:12]} "
        f"(settings {target.settings[:12]})"
    )
    yield from (f"  judge     {_judge(item.verdict)}" for item in handover.judged)
    yield from [f"  vote      {_line(item)}" for item in audit.votes] or ["  vote      none"]
    for id, (reply, said) in all_declines(handover).items():
        told = {"finding": id, "judge_says": said, **reply._asdict()}
        yield f"  decline   {_decline_then(told)}"


def _judge(verdict: ApprovalResult) -> str:
    return (
        f"{verdict.approval_type}: {verdict.result}, {verdict.confidence:.2f} sure, "
        f"{verdict.agent_context.model}, {verdict.timestamp}"
    )


def _check(audit: Audit) -> str:
    status = audit.pull.status
    shown = f"{status.conclusion} (run {status.id})" if status else "there is none"
    return f"{shown}, which {'agrees' if audit.agrees else 'does NOT agree'} with these facts"


def _policy(handover: Handover) -> str:
    deciders = handover.deciders
    autonomy = f"autonomy {handover.policy.autonomy}, " if handover.policy.autonomy else ""
    own = f"; {deciders.sole} may approve their own changes" if deciders.sole else ""
    places = "".join(f"; {item.in_words}" for item in deciders.delegates)
    if handover.agents:
        places += f"; coding agents wrote part of it: {', '.join(handover.agents)}"
    return f"{autonomy}{deciders.minimum} of: {wanted(deciders)}{own}{places}"


def _line(item: CountedVote) -> str:
    vote = item.vote
    words = {REJECT: "reject", OVERRIDE: f"override {vote.finding}"}.get(vote.kind, vote.kind)
    about = f" for {','.join(vote.types)}" if vote.types else ""
    reason = f": {vote.words}" if vote.words else ""
    return (
        f"{moment(vote.at)}  {vote.by.login}  {words} {vote.commit[:7]}{about}{reason}  "
        f"[{item.refused or f'counts{as_delegate(vote)}'}]"
    )
