"""A decision as it was taken, as the fields of one line of the chain (seed 4, "Database Schema").

Everything in it is known when the decision is taken; most of it can't be asked of GitHub later. Text of people and judges is made harmless
and cut, since the line stays.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from ..config.autonomy import CATEGORIES
from ..config.policy import Deciders
from ..text.inert import plain
from . import chain
from .chain import Chain
from .commands import REJECT
from .counting import CountedVote
from .deadline import AUTO_APPROVED, deadline_status
from .decide import Decision
from .effective_votes import EffectiveVotes, effective_votes
from .handover import Handover, Judged
from .overrides import overridden
from .pull_request import PullRequest
from .reasons import reasons_of
from .states import APPROVED, BLOCKED, MOVED, Reason
from .votes import Vote

VERSION = 1
EXPIRED, BY_TIME = "expired", "auto_approved"
_MOST_VOTES, _MOST_REASONS, _MOST_JUDGES, _MOST_NAMES = 12, 5, 6, 12
_FILES = 2_500
"""Characters of files with their hashes; `content` is a hash of all of them."""

_TITLE, _REASON, _SUMMARY, _NAME = 160, 240, 400, 120
_RESULTS = ("rejected", "needs_revision", "approved")
"""What judges recommend, from the worst."""

_HALF = re.compile("[\ud800-\udfff]")
_SAME = ("status", "commit", "queue", "settings", "content", "base_ref", "category", "escalated", "votes", "minimum_approvals")
"""Fields by which a decision is the one before: what it is, about what, by whom. A judge who is asked again may be a little less sure."""


class DecisionInputs(NamedTuple):
    """What a decision was taken on. `votes` are all that were said, and `roles` those of the people who spoke, by login."""

    given: Handover
    outcome: Decision
    pull: PullRequest
    votes: tuple[CountedVote, ...] = ()
    roles: Mapping[str, str] = {}


def continued(before: Chain, taken: DecisionInputs, key: bytes = b"") -> Chain:
    """Return the chain with a decision. Nothing is added if it is the same as the last one and that one is signed with the key."""
    if taken.outcome.state == MOVED:
        return before  # the run for the other commit decides
    found = fields(taken)
    last = before.newest
    is_same = all(name in last and last[name] == found[name] for name in _SAME)
    if is_same and (not key or chain.is_signed(before, key)):
        return before
    return chain.added(before, found, key)


def fields(taken: DecisionInputs) -> dict[str, Any]:
    """Return the fields of a line, without its place in the chain."""
    given, outcome, pull = taken.given, taken.outcome, taken.pull
    subject, policy = given.target, given.policy
    said = effective_votes(taken.votes)
    counted = sorted((*said.approvals, *said.objections, *said.overrides), key=lambda item: (item.at, item.source))
    asked = _questions(given, said)
    files = dict((*given.files, *(file for item in given.judged for file in item.verdict.files)))
    listed = _listed(files)
    return {
        "version": VERSION,
        "id": f"{subject.repository}#{subject.number}@{subject.head[:12]}.{pull.now}",
        "project_id": pull.project,
        "repository": subject.repository,
        "pull_request": subject.number,
        "status": _status(taken, asked, said),
        "title": _short(outcome.reasons[0].text if outcome.reasons else outcome.state, _TITLE),
        "reasons": [_short(reason.text, _REASON) for reason in outcome.reasons[:_MOST_REASONS]],
        "commit": subject.head,
        "queue": subject.merges,
        "closed": not pull.is_open,
        "base": subject.base,
        "base_ref": _short(subject.base_ref, _NAME),
        "settings": subject.settings,
        "content": subject.content,
        "files": listed,
        "files_left_out": len(files) - len(listed) + given.files_left_out,
        "category": next((name for name in CATEGORIES if any(reason.category == name for reason in asked)), None),
        "action_type": next((action for _, action in given.asks), None),
        "requested_by": pull.author.login,
        "requested_by_id": pull.author.id,
        "requested_at": given.carried.since or None,
        "decided_at": pull.now,
        "expires_at": min(filter(None, (_end(reason, taken) for reason in asked)), default=None),
        "escalated": outcome.escalated or (given.carried.escalated and bool(asked)),
        "escalation_policy": {"action": policy.expiry.action, "escalate_to": _names(policy.expiry.to)},
        "autonomy": policy.autonomy or None,
        "minimum_approvals": policy.deciders.minimum,
        "approvers": {name: _names(getattr(policy.deciders, name)) for name in ("roles", "users", "teams")},
        "votes": [_vote(item, policy.deciders, taken.roles) for item in counted[-_MOST_VOTES:]],
        "votes_left_out": max(0, len(counted) - _MOST_VOTES),
        **_recommended(given.judged),
        "judges": [_judge(item) for item in given.judged[:_MOST_JUDGES]],
    }


def _status(taken: DecisionInputs, asked: tuple[Reason, ...], said: EffectiveVotes) -> str:
    state = taken.outcome.state
    if state == BLOCKED:
        return EXPIRED
    by_time = state == APPROVED and any(_is_by_time(reason, taken, said) for reason in asked)
    return BY_TIME if by_time else state


def _is_by_time(reason: Reason, taken: DecisionInputs, said: EffectiveVotes) -> bool:
    """Return whether a question was answered by nobody, and its deadline has approved it."""
    policy, now = taken.given.policy, taken.pull.now
    people = {item.by.id for item in said.approvals if not item.types or reason.about in item.types}
    stands = deadline_status(reason.category, taken.given.carried.since or now, policy, now)
    return stands.state == AUTO_APPROVED and len(people) < policy.deciders.minimum


def _end(reason: Reason, taken: DecisionInputs) -> int:
    """When the answer to a question is overdue, 0 for never."""
    given, now = taken.given, taken.pull.now
    if given.target.draft:
        return 0
    stands = deadline_status(reason.category, given.carried.since or now, given.policy, now)
    return stands.due or stands.until


def _questions(given: Handover, said: EffectiveVotes) -> tuple[Reason, ...]:
    """Return what people are asked about a change, each with its category."""
    if given.target.merges:
        return ()
    shown, more = overridden(given, said.overrides)
    return tuple(reason for reason in (*reasons_of(shown), *more) if reason.category)


def _vote(said: Vote, deciders: Deciders, roles: Mapping[str, str]) -> dict[str, Any]:
    role = roles.get(said.by.login, "")
    return {
        "by": said.by.login,
        "by_id": said.by.id,
        "role": role or None,
        "as": _right(said, deciders, role),
        "said": said.kind,
        "commit": said.commit or None,
        "at": said.at,
        "types": _names(said.types),
        "finding": said.finding or None,
        "reason": _short(said.words, _REASON) or None,
        "source": {"id": said.source, "kind": "review" if said.is_review else "comment"},
    }


def _right(said: Vote, deciders: Deciders, role: str) -> str:
    """By what somebody may decide."""
    if said.kind == REJECT and said.is_remembered and not role:
        return "remembered"
    if role in deciders.roles:
        return "role"
    if deciders.are_named(said.by.login):
        return "name"
    return "team" if deciders.teams else "sole"


def _recommended(judged: tuple[Judged, ...]) -> dict[str, Any]:
    """Return what the judges recommend together, how sure the least sure of them is, and why."""
    whole = [item.verdict for item in judged if not item.verdict.failed]
    words = "; ".join(f"{verdict.approval_type}: {verdict.summary}" for verdict in whole)
    return {
        "confidence_score": min((verdict.confidence for verdict in whole), default=None),
        "ai_recommendation": min((verdict.result for verdict in whole), key=_RESULTS.index, default=None),
        "reasoning": _short(words, _SUMMARY) or None,
    }


def _judge(judged: Judged) -> dict[str, Any]:
    verdict = judged.verdict
    about = verdict.agent_context
    return {
        "approval_id": verdict.approval_id,
        "approval_type": verdict.approval_type,
        "result": verdict.result,
        "failed": verdict.failed,
        "confidence": verdict.confidence,
        "required_confidence": judged.floor,
        "agent": _short(about.agent, _NAME),
        "model": _short(about.model, _NAME),
        "duration_seconds": round(about.duration_seconds, 3),
        "cost_usd": about.cost_usd,
        "cached": about.cached,
        "timestamp": _short(verdict.timestamp, _NAME),
    }


def _listed(files: Mapping[str, str]) -> dict[str, str]:
    """As many files as there is room for, each with git's name of its content, "" for a deleted one."""
    found, room = dict[str, str](), _FILES
    for path, hash in sorted(files.items()):
        if _HALF.search(path):
            continue  # the name is no UTF-8, and no schema takes it
        room -= len(json.dumps(path)) + len(hash) + 4
        if room < 0:
            break
        found[path] = hash
    return found


def _names(names: tuple[str, ...]) -> list[str]:
    return [_short(name, _NAME) for name in names[:_MOST_NAMES]]


def _short(text: str, most: int) -> str:
    """A text of one line that does nothing and holds no secret, of at most so many characters as JSON writes it."""
    text = plain(" ".join(text.split()))
    if len(json.dumps(text)) <= most + 2:
        return text
    size, kept = 1, list[str]()
    for character in text:
        size += len(json.dumps(character)) - 2
        if size > most - 6:
            break
        kept.append(character)
    return f"{''.join(kept)}…"
