"""Who decided what, when, on which content and under which policy: all of it from what GitHub has, so that anybody can compute it again."""

from typing import Any, NamedTuple

from ..approval.people import wanted
from ..approval.verdict import ApprovalResult
from ..report.plain import printable
from .command import OVERRIDE, REJECT
from .facts import PullRequest
from .handover import Handover
from .outcome import Outcome
from .page import moment
from .state import CONCLUSIONS
from .votes import Vote

VERSION = 1


class Audit(NamedTuple):
    """A decision as it can be computed now, with the votes behind it; `given` is what the last run at the head left, None where none did."""

    repository: str
    pull: PullRequest
    given: Handover | None
    outcome: Outcome | None
    votes: tuple[Vote, ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether the check run says what the facts come to. With other pull requests at the same commit it may be worse, and never better."""
        if self.outcome is None or self.pull.status is None:
            return False
        shown, computed = self.pull.status.conclusion, CONCLUSIONS[self.outcome.state]
        return shown == computed or (bool(self.pull.siblings) and shown != "success")


def payload(found: Audit) -> dict[str, Any]:
    """The audit for programs."""
    given, status = found.given, found.pull.status
    about = None
    if given:
        about = {
            "base": given.subject.base,
            "settings": given.subject.settings,
            "content": given.subject.content,
            "autonomy": given.policy.autonomy or None,
            "minimum_approvals": given.policy.deciders.minimum,
            "approvers": wanted(given.policy.deciders),
            "asked_since": given.kept.since or None,
            "spent_usd": given.kept.spent,
        }
    return {
        "version": VERSION,
        "repository": found.repository,
        "pull_request": found.pull.number,
        "author": found.pull.author.login,
        "head": found.pull.head,
        "state": found.outcome.state if found.outcome else None,
        "reasons": [reason.what for reason in found.outcome.reasons] if found.outcome else [],
        "check": {"conclusion": status.conclusion, "id": status.id} if status else None,
        "agrees": found.agrees,
        "policy": about,
        "verdicts": [_verdict(item.verdict._asdict()) for item in given.judged] if given else [],
        "votes": [_vote(vote) for vote in found.votes],
    }


def _verdict(fields: dict[str, Any]) -> dict[str, Any]:
    named = ("approval_id", "approval_type", "result", "confidence", "timestamp")
    about = fields["agent_context"]
    return {**{name: fields[name] for name in named}, "model": about.model, "cost_usd": about.cost_usd, "files": dict(fields["files"])}


def _vote(vote: Vote) -> dict[str, Any]:
    said = vote.said
    return {
        "by": said.by.login,
        "by_id": said.by.id,
        "said": said.kind,
        "at": said.at,
        "commit": said.commit or None,
        "types": list(said.types),
        "finding": said.subject or None,
        "reason": said.words or None,
        "source": {"id": said.source, "kind": "review" if said.is_review else "comment"},
        "counts": not vote.refused,
        "refused": vote.refused or None,
    }


def text(found: Audit) -> str:
    """The audit for people, one fact a line."""
    pull, given = found.pull, found.given
    lines = [f"{found.repository}#{pull.number} by {pull.author.login}, at {pull.head[:12]}"]
    if given is None or found.outcome is None:
        return f"{lines[0]}\n  no run of the gate has left anything there\n"
    lines.append(f"  decision  {found.outcome.state}")
    lines += [f"            {reason.what}" for reason in found.outcome.reasons]
    lines.append(f"  check     {_check(found)}")
    lines.append(f"  policy    {_policy(given)}")
    subject = given.subject
    lines.append(f"  content   {subject.content[:12] or 'not known'}, by the base {subject.base[:12]} (settings {subject.settings[:12]})")
    lines += [f"  judge     {_judge(item.verdict)}" for item in given.judged]
    lines += [f"  vote      {_line(vote)}" for vote in found.votes] or ["  vote      none"]
    return "".join(f"{printable(line)}\n" for line in lines)


def _judge(verdict: ApprovalResult) -> str:
    return f"{verdict.approval_type}: {verdict.result}, {verdict.confidence:.2f} sure, {verdict.agent_context.model}, {verdict.timestamp}"


def _check(found: Audit) -> str:
    status = found.pull.status
    shown = f"{status.conclusion} (run {status.id})" if status else "there is none"
    return f"{shown}, which {'is' if found.agrees else 'is NOT'} what these facts come to"


def _policy(given: Handover) -> str:
    deciders = given.policy.deciders
    autonomy = f"autonomy {given.policy.autonomy}, " if given.policy.autonomy else ""
    own = f"; {deciders.sole} may approve their own changes" if deciders.sole else ""
    return f"{autonomy}{deciders.minimum} of: {wanted(deciders)}{own}"


def _line(vote: Vote) -> str:
    said = vote.said
    what = {REJECT: "reject", OVERRIDE: f"override {said.subject}"}.get(said.kind, said.kind)
    about = f" for {','.join(said.types)}" if said.types else ""
    reason = f": {said.words}" if said.words else ""
    return f"{moment(said.at)}  {said.by.login}  {what} {said.commit[:7]}{about}{reason}  [{vote.refused or 'counts'}]"
