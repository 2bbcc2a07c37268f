"""Who decided what, when, on which content and under which policy: as it was taken, from the check run, and as it can be computed now.

Of an open pull request what counts is computed anew. Of a closed one it is the decision as it was taken: people and comments may be gone.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..config.policy import Deciders, wanted
from ..decision.chain import Tip
from ..decision.commands import OVERRIDE, REJECT
from ..decision.counting import CountedVote
from ..decision.decide import Decision
from ..decision.handover import Handover
from ..decision.pull_request import PullRequest
from ..decision.states import CONCLUSIONS
from ..text.inert import BREAK
from ..text.printable import counted, printable
from ..verdict.verdict import ApprovalResult
from .confirmed import DENIED, Fact, Record, denied, signature
from .page import moment

VERSION = 1


class Audit(NamedTuple):
    """A decision as it can be computed now, with the votes behind it; `given` is what the last run at the head left, None where none did.

    `record` has the decisions as they were taken, None where none was recorded, and `facts` what GitHub says today of the one that counts. `end` is
    where our comment says that they end.
    """

    repository: str
    pull: PullRequest
    given: Handover | None
    outcome: Decision | None
    votes: tuple[CountedVote, ...] = ()
    record: Record | None = None
    facts: tuple[Fact, ...] = ()
    end: Tip | None = None

    @property
    def agrees(self) -> bool:
        """Whether the check run says what the facts come to. With other pull requests at the same commit it may be worse, and never better."""
        if self.outcome is None or self.pull.status is None:
            return False
        shown, computed = self.pull.status.conclusion, CONCLUSIONS[self.outcome.state]
        return shown == computed or (bool(self.pull.siblings) and shown != "success")

    @property
    def taken(self) -> dict[str, Any] | None:
        """The decision as it was taken."""
        link = self.record.taken(self.pull.closed) if self.record else None
        return link.fields if link else None

    @property
    def against(self) -> tuple[str, ...]:
        """Return what contradicts the decision; of an open pull request also a check run that is not what the facts come to."""
        return tuple(_against(self))

    @property
    def is_sound(self) -> bool:
        return not self.against and (self.record is not None or self.given is not None)


def _against(found: Audit) -> Iterator[str]:
    if found.record:
        yield from denied(found.record, found.pull)
        yield from (fact.text for fact in found.facts if fact.state == DENIED)
    elif found.end:
        known = counted(found.end.length, "decision")
        yield f"the comment of the gate knows {known}, and no check run has them any more: GitHub deleted old ones, or somebody did"
    if (found.pull.is_open or not found.record) and found.given and not found.agrees:
        yield "the check run does not agree with the decision as it is computed now"


def payload(found: Audit) -> dict[str, Any]:
    """The audit for programs."""
    given, status = found.given, found.pull.status
    about = None
    if given:
        about = {
            "base": given.target.base,
            "settings": given.target.settings,
            "content": given.target.content,
            "autonomy": given.policy.autonomy or None,
            "minimum_approvals": given.policy.deciders.minimum,
            "approvers": wanted(given.policy.deciders),
            "asked_since": given.carried.since or None,
            "spent_usd": given.carried.spent,
        }
    return {
        "version": VERSION,
        "repository": found.repository,
        "pull_request": found.pull.number,
        "author": found.pull.author.login,
        "head": found.pull.head,
        "state": found.outcome.state if found.outcome else None,
        "reasons": [reason.text for reason in found.outcome.reasons] if found.outcome else [],
        "check": {"conclusion": status.conclusion, "id": status.id} if status else None,
        "agrees": found.agrees,
        "policy": about,
        "verdicts": [_verdict(item.verdict._asdict()) for item in given.judged] if given else [],
        "votes": [_vote(vote) for vote in found.votes],
        "closed_at": found.pull.closed or None,
        "merged_as": found.pull.merged or None,
        "recorded": _recorded(found, found.record) if found.record else None,
        "contradictions": list(found.against),
    }


def _recorded(found: Audit, record: Record) -> dict[str, Any]:
    return {
        "decision": found.taken,
        "chain": "broken" if any(link.wrong for link in record.links) else "whole",
        "dropped": record.chain.dropped,
        "signature": record.links[-1].signature,
        "check": {"conclusion": record.status.conclusion, "id": record.status.id},
        "facts": [{"state": fact.state, "what": fact.text} for fact in found.facts],
        "decisions": [{**link.fields, "signature_is": link.signature, "wrong": link.wrong or None} for link in record.links],
    }


def _verdict(fields: dict[str, Any]) -> dict[str, Any]:
    named = ("approval_id", "approval_type", "result", "confidence", "timestamp")
    about = fields["agent_context"]
    return {**{name: fields[name] for name in named}, "model": about.model, "cost_usd": about.cost_usd, "files": dict(fields["files"])}


def _vote(vote: CountedVote) -> dict[str, Any]:
    said = vote.vote
    return {
        "by": said.by.login,
        "by_id": said.by.id,
        "said": said.kind,
        "at": said.at,
        "commit": said.commit or None,
        "types": list(said.types),
        "finding": said.finding or None,
        "reason": said.words or None,
        "source": {"id": said.source, "kind": "review" if said.is_review else "comment"},
        "counts": not vote.refused,
        "refused": vote.refused or None,
    }


def text(found: Audit) -> str:
    """The audit for people, one fact a line."""
    pull = found.pull
    lines = [f"{found.repository}#{pull.number} by {pull.author.login}, at {pull.head[:12]}{_closed(pull)}"]
    if found.record is None and (found.given is None or found.outcome is None):
        return f"{lines[0]}\n  no run of the gate has left anything there\n"
    taken = found.taken if not pull.is_open else None
    lines += [*_as_taken(taken), *_on_record(found), *(_today(found) if taken else _now(found))]
    lines += [f"  {fact.state:<18}  {fact.text}" for fact in found.facts]
    lines += [f"  CONTRADICTED  {what}" for what in found.against]
    return "".join(f"{printable(line.replace(BREAK, ''))}\n" for line in lines)


def _closed(pull: PullRequest) -> str:
    if pull.merged:
        return f", merged {moment(pull.closed)} as {pull.merged[:12]}"
    return f", closed {moment(pull.closed)}" if pull.closed else ""


def _as_taken(taken: dict[str, Any] | None) -> Iterator[str]:
    """The decision by which a pull request was closed."""
    if taken is None:
        return
    of_queue = " in the merge queue" if taken["queue"] else ""
    yield f"  decision  {taken['status']}, as it was taken {moment(taken['decided_at'])}{of_queue}"
    yield from (f"            {what}" for what in taken["reasons"])
    about = [f"category {taken['category']}"] if taken["category"] else []
    about += [f"autonomy {taken['autonomy']}"] if taken["autonomy"] else []
    about.append(f"{taken['minimum_approvals']} of: {_deciders(taken)}")
    yield f"  policy    {', '.join(about)}"
    yield f"  content   {taken['content'][:12] or 'not known'}, by the base {taken['base'][:12]} (settings {taken['settings'][:12]})"
    yield from (f"  judge     {_judge_then(judge)}" for judge in taken["judges"])
    yield from (f"  vote      {_vote_then(vote)}" for vote in taken["votes"])


def _deciders(taken: dict[str, Any]) -> str:
    then = taken["approvers"]
    return wanted(Deciders(roles=tuple(then["roles"]), users=tuple(then["users"]), teams=tuple(then["teams"])))


def _judge_then(judge: dict[str, Any]) -> str:
    cost = "cost not stated" if judge["cost_usd"] is None else f"${judge['cost_usd']:.4f}"
    took = f"{judge['model'] or judge['agent']}, {judge['duration_seconds']:.0f} s, {cost}"
    return f"{judge['approval_type']}: {judge['result']}, {judge['confidence']:.2f} sure, {took}, {judge['timestamp']}"


def _vote_then(vote: dict[str, Any]) -> str:
    what = f"{vote['said']} {vote['finding'] or (vote['commit'] or '')[:7]}".rstrip()
    about = f" for {','.join(vote['types'])}" if vote["types"] else ""
    reason = f": {vote['reason']}" if vote["reason"] else ""
    return f"{moment(vote['at'])}  {vote['by']}  {what}{about}{reason}  [role {vote['role'] or 'none'}]"


def _on_record(found: Audit) -> Iterator[str]:
    record = found.record
    if record is None:
        yield "  record    none: the last run was older than the record of decisions"
        return
    length = record.chain.length
    lost = f", the first {record.chain.dropped} of them dropped" if record.chain.dropped else ""
    chain = "BROKEN" if any(link.wrong for link in record.links) else "whole"
    yield f"  record    {counted(length, 'decision')}{lost}; the chain is {chain}; {signature(record)}"
    for link in record.links:
        fields = link.fields
        if fields:
            yield f"            {link.number}. {moment(fields['decided_at'])}  {fields['commit'][:7]}  {fields['status']}: {fields['title']}"


def _today(found: Audit) -> Iterator[str]:
    """Return what would be decided now about a pull request that is closed: for comparison, since people and comments may be gone."""
    if found.record:
        status = found.record.status
        yield f"  check     {status.conclusion} (run {status.id}), now"
    if found.outcome:
        yield f"  today     it would be {found.outcome.state}: {found.outcome.reasons[0].text}"


def _now(found: Audit) -> Iterator[str]:
    """The decision as the facts of today make it."""
    given = found.given
    if given is None or found.outcome is None:
        return
    subject = given.target
    yield f"  decision  {found.outcome.state}"
    yield from (f"            {reason.text}" for reason in found.outcome.reasons)
    yield f"  check     {_check(found)}"
    yield f"  policy    {_policy(given)}"
    yield f"  content   {subject.content[:12] or 'not known'}, by the base {subject.base[:12]} (settings {subject.settings[:12]})"
    yield from (f"  judge     {_judge(item.verdict)}" for item in given.judged)
    yield from [f"  vote      {_line(vote)}" for vote in found.votes] or ["  vote      none"]


def _judge(verdict: ApprovalResult) -> str:
    return f"{verdict.approval_type}: {verdict.result}, {verdict.confidence:.2f} sure, {verdict.agent_context.model}, {verdict.timestamp}"


def _check(found: Audit) -> str:
    status = found.pull.status
    shown = f"{status.conclusion} (run {status.id})" if status else "there is none"
    return f"{shown}, which {'agrees' if found.agrees else 'does NOT agree'} with these facts"


def _policy(given: Handover) -> str:
    deciders = given.policy.deciders
    autonomy = f"autonomy {given.policy.autonomy}, " if given.policy.autonomy else ""
    own = f"; {deciders.sole} may approve their own changes" if deciders.sole else ""
    return f"{autonomy}{deciders.minimum} of: {wanted(deciders)}{own}"


def _line(vote: CountedVote) -> str:
    said = vote.vote
    what = {REJECT: "reject", OVERRIDE: f"override {said.finding}"}.get(said.kind, said.kind)
    about = f" for {','.join(said.types)}" if said.types else ""
    reason = f": {said.words}" if said.words else ""
    return f"{moment(said.at)}  {said.by.login}  {what} {said.commit[:7]}{about}{reason}  [{vote.refused or 'counts'}]"
