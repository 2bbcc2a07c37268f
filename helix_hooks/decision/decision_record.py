"""A decision at the time it was made, as the fields of one line of the chain (seed 4, "Database
Schema"). Pure.

Most of the facts in it can't be fetched from GitHub later. Text of people and judges is sanitized
and cut, since a line is never changed.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from ..config.policy import CATEGORIES, Deciders
from ..text import one_line
from ..verdict.earlier import Decline
from . import chain
from .chain import Chain
from .commands import REJECT
from .decide import AUTO_APPROVED, Decision, covers, deadline_status, one_a_right
from .handover import Handover, Judged
from .pull_request import PullRequest
from .reasons import reasons_of
from .rounds import all_declines
from .states import APPROVED, BLOCKED, MOVED, Reason
from .votes import EffectiveVotes, Vote, effective_votes, overridden
from .who_may import role_of

VERSION = 1
EXPIRED, BY_TIME = "expired", "auto_approved"
_MOST_VOTES, _MOST_REASONS, _MOST_JUDGES, _MOST_NAMES, _MOST_DECLINES = 12, 5, 6, 12, 8
_FILES = 2_500
"""Maximum characters of files with their hashes; `content` is a hash of all of them."""

_TITLE, _REASON, _SUMMARY, _NAME = 160, 240, 400, 120
_RESULTS = ("rejected", "needs_revision", "approved")
"""Recommendations of judges, worst first."""

_HALF = re.compile("[\ud800-\udfff]")
"""Half of a surrogate pair: Python's form of a byte that is not valid UTF-8."""
_COMPARED_FIELDS = (
    "status",
    "commit",
    "queue",
    "settings",
    "content",
    "base_ref",
    "category",
    "escalated",
    "votes",
    "minimum_approvals",
    "declines",
)
"""Two decisions are the same if these are equal: the state, the content, the voters, the replies.

The fields of judges are not among them: the confidence of a second answer may differ slightly.
"""


class DecisionInputs(NamedTuple):
    """The facts of a decision.

    `votes` are all votes, including those that do not count; `roles` are the voters' by login.
    """

    handover: Handover
    decision: Decision
    pull: PullRequest
    votes: tuple[Vote, ...] = ()
    roles: Mapping[str, str] = {}


def with_decision(earlier: Chain, inputs: DecisionInputs, key: bytes = b"") -> Chain:
    """Return the chain with a decision.

    A decision that equals the newest one is not added, if that is signed with the key.
    """
    if inputs.decision.state == MOVED:
        return earlier  # the run for the other commit decides
    line = fields(inputs)
    last = earlier.newest
    is_same = all(name in last and last[name] == line[name] for name in _COMPARED_FIELDS)
    if is_same and (not key or chain.is_signed(earlier, key)):
        return earlier
    return chain.added(earlier, line, key)


def fields(inputs: DecisionInputs) -> dict[str, Any]:
    """Return the fields of a line, without its place in the chain."""
    handover, decision, pull = inputs.handover, inputs.decision, inputs.pull
    target = handover.target
    effective = effective_votes(inputs.votes)
    questions = _questions(handover, effective)
    title = decision.reasons[0].text if decision.reasons else decision.state
    # The order of the keys is the order in the stored line.
    return {
        "version": VERSION,
        "id": f"{target.repository}#{target.number}@{target.head[:12]}.{pull.now}",
        "project_id": pull.project,
        "repository": target.repository,
        "pull_request": target.number,
        "status": _status(inputs, questions, effective),
        "title": one_line(title, _TITLE),
        "reasons": [one_line(reason.text, _REASON) for reason in decision.reasons[:_MOST_REASONS]],
        **_content_fields(handover, pull),
        **_question_fields(inputs, questions),
        **_policy_fields(handover),
        **_vote_fields(inputs, effective),
        **_recommended(handover.judged),
        "judges": [_judge(item) for item in handover.judged[:_MOST_JUDGES]],
        **_decline_fields(handover),
    }


def _content_fields(handover: Handover, pull: PullRequest) -> dict[str, Any]:
    target = handover.target
    files = dict(handover.files)
    for judged in handover.judged:
        files.update(judged.verdict.files)
    listed = _listed(files)
    return {
        "commit": target.head,
        "queue": target.merges,
        "closed": not pull.is_open,
        "base": target.base,
        "base_ref": one_line(target.base_ref, _NAME),
        "settings": target.settings,
        "content": target.content,
        "files": listed,
        "files_left_out": len(files) - len(listed) + handover.files_left_out,
    }


def _question_fields(inputs: DecisionInputs, questions: tuple[Reason, ...]) -> dict[str, Any]:
    handover, decision, pull = inputs.handover, inputs.decision, inputs.pull
    categories = {reason.category for reason in questions}
    deadlines = (_deadline_of(reason, inputs) for reason in questions)
    was_escalated = handover.carried.escalated and bool(questions)
    return {
        "category": next((name for name in CATEGORIES if name in categories), None),
        "action_type": next((action for _, action in handover.asks), None),
        "requested_by": pull.author.login,
        "requested_by_id": pull.author.id,
        "requested_at": handover.carried.since or None,
        "decided_at": pull.now,
        "expires_at": min(filter(None, deadlines), default=None),
        "escalated": decision.escalated or was_escalated,
    }


def _policy_fields(handover: Handover) -> dict[str, Any]:
    policy = handover.policy
    deciders = policy.deciders
    return {
        "escalation_policy": {
            "action": policy.expiry.action,
            "escalate_to": _names(policy.expiry.to),
        },
        "autonomy": policy.autonomy or None,
        "minimum_approvals": handover.deciders.minimum,
        "approvers": {
            "roles": _names(deciders.roles),
            "users": _names(deciders.users),
            "teams": _names(deciders.teams),
        },
        "agents": [one_line(name, _NAME) for name in handover.agents],
        "delegates": [item.in_words for item in deciders.delegates[:_MOST_NAMES]],
    }


def _vote_fields(inputs: DecisionInputs, effective: EffectiveVotes) -> dict[str, Any]:
    deciders = inputs.handover.policy.deciders
    counting = (*effective.approvals, *effective.objections, *effective.overrides)
    votes = sorted(counting, key=lambda vote: (vote.at, vote.source))
    return {
        "votes": [_vote(vote, deciders, inputs.roles) for vote in votes[-_MOST_VOTES:]],
        "votes_left_out": max(0, len(votes) - _MOST_VOTES),
    }


def _decline_fields(handover: Handover) -> dict[str, Any]:
    declines = [_decline(id, *item) for id, item in all_declines(handover).items()]
    return {
        "declines": declines[:_MOST_DECLINES],
        "declines_left_out": max(0, len(declines) - _MOST_DECLINES),
    }


def _status(inputs: DecisionInputs, questions: tuple[Reason, ...], votes: EffectiveVotes) -> str:
    state = inputs.decision.state
    if state == BLOCKED:
        return EXPIRED
    if state == APPROVED and any(
        _was_approved_by_time(reason, inputs, votes) for reason in questions
    ):
        return BY_TIME
    return state


def _was_approved_by_time(reason: Reason, inputs: DecisionInputs, votes: EffectiveVotes) -> bool:
    """Return whether a question's deadline approved it without an answer."""
    policy, now = inputs.handover.policy, inputs.pull.now
    minimum = inputs.handover.deciders.minimum
    answers = one_a_right(item for item in votes.approvals if covers(item, reason))
    deadline = deadline_status(reason.category, inputs.handover.carried.since or now, policy, now)
    return deadline.state == AUTO_APPROVED and len(answers) < minimum


def _deadline_of(reason: Reason, inputs: DecisionInputs) -> int:
    """Return the deadline of a question in seconds since 1970, 0 for none.

    It is the next one, or the last one if all have passed.
    """
    handover, now = inputs.handover, inputs.pull.now
    if handover.target.draft:
        return 0
    deadline = deadline_status(reason.category, handover.carried.since or now, handover.policy, now)
    return deadline.due or deadline.until


def _questions(handover: Handover, votes: EffectiveVotes) -> tuple[Reason, ...]:
    """Return the questions to people about a change, each with its category."""
    if handover.target.merges:
        return ()
    handover, unseen = overridden(handover, votes.overrides)
    return tuple(reason for reason in (*reasons_of(handover), *unseen) if reason.category)


def _vote(vote: Vote, deciders: Deciders, roles: Mapping[str, str]) -> dict[str, Any]:
    delegation = {"delegate_of": one_line(vote.stands_for, _NAME)} if vote.stands_for else {}
    return {
        "by": vote.by.login,
        "by_id": vote.by.id,
        "role": roles.get(vote.by.login) or None,
        "as": _right_of(vote, deciders, roles),
        **delegation,
        "said": vote.kind,
        "commit": vote.commit or None,
        "at": vote.at,
        "types": _names(vote.types),
        "finding": vote.finding or None,
        "reason": one_line(vote.words, _REASON) or None,
        "source": {"id": vote.source, "kind": "review" if vote.is_review else "comment"},
    }


def _right_of(vote: Vote, deciders: Deciders, roles: Mapping[str, str]) -> str:
    """Return by which right a voter decides; a delegate has the right of the person represented."""
    login = vote.stands_for or vote.by.login
    role = role_of(roles, login)
    if vote.kind == REJECT and vote.is_remembered and not role:
        return "remembered"
    if role in deciders.roles:
        return "role"
    if deciders.are_named(login):
        return "name"
    return "team" if deciders.teams else "sole"


def _recommended(judged: tuple[Judged, ...]) -> dict[str, Any]:
    """Return the judges' common recommendation, their lowest confidence, and the reason."""
    verdicts = [item.verdict for item in judged if not item.verdict.failed]
    summaries = [f"{verdict.approval_type}: {verdict.summary}" for verdict in verdicts]
    results = [verdict.result for verdict in verdicts]
    return {
        "confidence_score": min((verdict.confidence for verdict in verdicts), default=None),
        "ai_recommendation": min(results, key=_RESULTS.index, default=None),
        "reasoning": one_line("; ".join(summaries), _SUMMARY) or None,
    }


def _judge(judged: Judged) -> dict[str, Any]:
    verdict = judged.verdict
    context = verdict.agent_context
    return {
        "approval_id": verdict.approval_id,
        "approval_type": verdict.approval_type,
        "result": verdict.result,
        "failed": verdict.failed,
        "confidence": verdict.confidence,
        "required_confidence": judged.floor,
        "agent": one_line(context.agent, _NAME),
        "model": one_line(context.model, _NAME),
        "duration_seconds": round(context.duration_seconds, 3),
        "cost_usd": context.cost_usd,
        "cached": context.cached,
        "timestamp": one_line(verdict.timestamp, _NAME),
    }


def _decline(id: str, reply: Decline, answer: str) -> dict[str, Any]:
    return {
        "finding": id,
        "by": reply.by,
        "by_id": reply.by_id,
        "at": reply.at,
        "reason": one_line(reply.reason, _REASON),
        "source": {"id": reply.source, "kind": "comment"},
        "judge_says": answer or None,
    }


def _listed(files: Mapping[str, str]) -> dict[str, str]:
    """Return the first files, by path, that fit, each with git's hash ("" for a deleted one)."""
    listed, room = dict[str, str](), _FILES
    for path, hash in sorted(files.items()):
        if _HALF.search(path):
            continue  # the name is not valid UTF-8, and the schema refuses it
        room -= len(json.dumps(path)) + len(hash) + 4
        if room < 0:
            break
        listed[path] = hash
    return listed


def _names(names: tuple[str, ...]) -> list[str]:
    return [one_line(name, _NAME) for name in names[:_MOST_NAMES]]
