"""The audit of a pull request as text for people, one fact a line. Pure."""

from collections.abc import Iterator
from typing import Any

from ..config.policy import Deciders, wanted
from ..decision.answers import as_delegate
from ..decision.commands import OVERRIDE, REJECT
from ..decision.counting import CountedVote
from ..decision.declines import all_declines
from ..decision.handover import Handover
from ..decision.pull_request import PullRequest
from ..text import BREAK, counted, moment, printable
from ..text.table import table
from ..verdict.approval_result import ApprovalResult
from .audit import Audit
from .confirmed import signature


def text(audit: Audit) -> str:
    """Return the audit for people."""
    pull = audit.pull
    head = f"{audit.repository}#{pull.number} by {pull.author.login}, at {pull.head[:12]}"
    head = printable(f"{head}{_closed(pull)}".replace(BREAK, ""))
    if audit.record is None and (audit.handover is None or audit.decision is None):
        return f"{head}\n  no run of the gate has recorded a result\n"
    taken = None if pull.is_open else audit.taken
    if taken:
        rows = [*_recorded(taken), *_on_record(audit), *_today(audit)]
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


def _recorded(taken: dict[str, Any]) -> Iterator[tuple[str, str]]:
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
    yield "check", _check(audit)
    yield "policy", _policy(handover)
    yield _content(target.content, target.base, target.settings)
    yield from (("judge", _judge(item.verdict)) for item in handover.judged)
    yield from (("vote", text) for text in [*map(_vote, audit.votes)] or ["none"])
    for id, (reply, answer) in all_declines(handover).items():
        fields = {"finding": id, "judge_says": answer, **reply._asdict()}
        yield "decline", _decline(fields)


def _judge(verdict: ApprovalResult) -> str:
    return (
        f"{verdict.approval_type}: {verdict.result}, confidence {verdict.confidence:.2f}, "
        f"{verdict.agent_context.model}, {verdict.timestamp}"
    )


def _check(audit: Audit) -> str:
    status = audit.pull.status
    shown = f"{status.conclusion} (run {status.id})" if status else "there is none"
    return f"{shown}, which {'agrees' if audit.agrees else 'does NOT agree'} with this data"


def _policy(handover: Handover) -> str:
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


def _vote(item: CountedVote) -> str:
    vote = item.vote
    words = {REJECT: "reject", OVERRIDE: f"override {vote.finding}"}.get(vote.kind, vote.kind)
    text = f"{words} {vote.commit[:7]}"
    if vote.types:
        text += f" for {','.join(vote.types)}"
    if vote.words:
        text += f": {vote.words}"
    result = item.refused or f"counts{as_delegate(vote)}"
    return f"{moment(vote.at)}  {vote.by.login}  {text}  [{result}]"
