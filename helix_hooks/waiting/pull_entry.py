"""A pull request that waits for a person, as an entry of the queue. Pure.

Each run of the gate writes the entry into a mark on its check run, so that a list of many pull
requests needs nothing else. Like the rest of the check run, anyone who can write checks can write
the mark: it only says what a list shows, and nobody decides by it.
"""

import base64
import binascii
import json
import re
import zlib
from typing import NamedTuple

from .. import codec
from ..config.policy import CRITICAL
from ..decision import run_record
from ..decision.authors import writers
from ..decision.commands import APPROVE, OVERRIDE, REJECT, REVIEW, written
from ..decision.decide import Decision, covers, one_a_right, weightiest
from ..decision.handover import Handover, Judged
from ..decision.pull_request import Commit, PullRequest
from ..decision.states import BLOCKED, PENDING
from ..decision.states import FAILED as NO_VERDICT
from ..decision.votes import STRANGER, Vote, effective_votes
from ..finding import Finding
from ..text import counted
from .entry import (
    ESCALATED,
    EXPIRED,
    FAILED,
    PULL_REQUEST,
    WAITING,
    QueueEntry,
    Recommendation,
)

UNKNOWN_WRITERS = (
    "not all commits could be listed, so their authors are unknown: no approval counts"
)
"""A reason of an entry: GitHub lists at most 250 commits of a pull request."""

_WORDS = {APPROVE: "approval", REJECT: "objection", OVERRIDE: "override"}
_RESULTS = ("rejected", "needs_revision", "approved")
"""Results of judges, worst first."""

_APPROVED = _RESULTS[-1]


_MARK = re.compile(r"<!-- helix:waits (\d{1,10}) ([A-Za-z0-9+/=]*) -->", re.ASCII)
_UNPACKED = 1_000_000
"""Maximum bytes after decompression."""

_MOST, _LONGEST = 5, 400
"""Maximum number of reasons in a mark, and characters of a text there."""


class PullFacts(NamedTuple):
    """Facts for the entry of a pull request: its current decision, and its authors.

    `turn` names who must act, and `url` leads to the comment box. `has_all_commits`: `commits` are
    complete.
    """

    turn: str
    url: str
    handover: Handover
    decision: Decision
    pull: PullRequest
    votes: tuple[Vote, ...] = ()
    commits: tuple[Commit, ...] = ()
    has_all_commits: bool = True


def entry_id(project: str, number: int) -> str:
    """Return the id of a pull request's entry, e.g. acme/decisions#12."""
    return f"{project}#{number}"


def project_and_number(id: str) -> tuple[str, int]:
    """Return OWNER/NAME and number from the id of an entry; "" and 0 for any other text."""
    project, _, number = id.partition("#")
    if not project or not number.isascii() or not number.isdigit():
        return "", 0
    return project, int(number)


def waits(decision: Decision) -> bool:
    """Return whether a pull request waits for a person.

    A question is open, a deadline has passed without an answer, a judge gave no verdict, or a vote
    was changed and must be repeated.
    """
    if decision.state in (PENDING, BLOCKED):
        return any(reason.category for reason in decision.reasons)
    if decision.state != NO_VERDICT:
        return False
    return any(reason.is_question or reason.by for reason in decision.reasons)


def pull_entry(facts: PullFacts) -> QueueEntry:
    """Return the entry of a pull request that waits for a person."""
    handover = facts.decision.handover or facts.handover
    decision, pull, policy = facts.decision, facts.pull, handover.policy
    approved_by, project = _approved_by(facts), handover.target.repository
    return QueueEntry(
        id=entry_id(project, pull.number),
        source=PULL_REQUEST,
        project=project,
        repository=project,
        title=pull.title,
        category=weightiest(decision.reasons) or CRITICAL,
        state=_state(decision),
        turn=facts.turn,
        asked_by=pull.author.login,
        asked_at=handover.carried.since or pull.opened,
        action=_action(handover, decision),
        due_at=decision.due,
        reasons=_reasons(facts),
        ways_on=_ways_on(handover, decision),
        url=facts.url,
        deciders=handover.deciders,
        excluded=_excluded(facts),
        escalated_to=policy.expiry.to if decision.escalated else (),
        head=pull.head,
        approvals=len(approved_by),
        approved_by=approved_by,
        minimum=handover.deciders.minimum,
        invalidated=tuple(map(_invalidated, _refused(decision))),
        recommendation=_recommendation(handover, decision),
        files=_files(handover),
        impact=_impact(handover),
        findings=_findings(handover),
        cost_usd=max(handover.cost, handover.carried.spent),
    )


def mark(number: int, entry: QueueEntry | None) -> str:
    """Return the mark of a pull request for its check run. None: it waits for no person."""
    packed = b""
    if entry is not None:
        fields = codec.plain(_listed(entry), short=True)
        packed = base64.b64encode(zlib.compress(json.dumps(fields).encode(), 9))
    return f"<!-- helix:waits {number} {packed.decode()} -->"


def _listed(entry: QueueEntry) -> QueueEntry:
    """Return the part of an entry that the run record beside the mark does not have."""
    said = entry.recommendation
    return entry._replace(
        reasons=tuple(text[:_LONGEST] for text in entry.reasons[:_MOST]),
        invalidated=tuple(text[:_LONGEST] for text in entry.invalidated[:_MOST]),
        recommendation=said._replace(reasoning=said.reasoning[:_LONGEST]),
        impact=entry.impact[:_LONGEST],
        files=(),
        findings=(),
    )


def in_mark(text: str, number: int) -> QueueEntry | None:
    """Return the entry of a pull request from the text of a check run; None if it waits for nobody.

    Raises:
        ValueError: There is no mark that can be read.
    """
    for match in _MARK.finditer(text):
        if int(match[1]) != number:
            continue
        if not match[2]:
            return None
        try:
            data = zlib.decompressobj().decompress(base64.b64decode(match[2]), _UNPACKED)
        except (binascii.Error, zlib.error) as error:
            raise ValueError(str(error)) from None
        entry = codec.lenient(codec.parsed(data), QueueEntry)
        record = run_record.read(text, number)
        if record is None:
            return entry
        return entry._replace(files=_files(record), findings=_findings(record))
    raise ValueError("no mark")


def _files(handover: Handover) -> tuple[str, ...]:
    return tuple(path for path, _ in handover.files)


def _findings(handover: Handover) -> tuple[Finding, ...]:
    return tuple(item.finding for item in handover.findings)


def _state(decision: Decision) -> str:
    if decision.state == NO_VERDICT:
        return FAILED
    if decision.state == BLOCKED:
        return EXPIRED
    return ESCALATED if decision.escalated else WAITING


def _reasons(facts: PullFacts) -> tuple[str, ...]:
    texts = [reason.text for reason in facts.decision.reasons]
    if not facts.has_all_commits:
        texts.append(UNKNOWN_WRITERS)
    return tuple(dict.fromkeys(texts))


def _ways_on(handover: Handover, decision: Decision) -> tuple[str, ...]:
    """Return the commands to comment; if no command helps, other advice."""
    if decision.asked:
        return written(APPROVE, handover.target.head), written(REJECT, "REASON")
    if decision.state == BLOCKED:
        return (written(REVIEW),)
    return tuple(dict.fromkeys(reason.way_out for reason in decision.reasons if reason.way_out))


def _action(handover: Handover, decision: Decision) -> str:
    """Return the action of the matrix that the first question is about, "" for none."""
    actions = dict(handover.asks)
    return next((actions[item.about] for item in decision.reasons if item.about in actions), "")


def _excluded(facts: PullFacts) -> tuple[str, ...]:
    sole = facts.handover.policy.deciders.sole.casefold()
    logins = writers(facts.pull.author, facts.commits)
    return tuple(login for login in logins if login.casefold() != sole)


def _approved_by(facts: PullFacts) -> tuple[str, ...]:
    """Return the people whose approval counts for all open questions.

    Of a decider and their delegate only one is listed.
    """
    decision = facts.decision
    refused = {(vote.source, vote.is_review) for vote in decision.refused}
    votes = []
    for vote in effective_votes(facts.votes).approvals:
        covers_all = all(covers(vote, question) for question in decision.asked)
        if covers_all and (vote.source, vote.is_review) not in refused:
            votes.append(vote)
    return tuple(vote.by.login for vote in one_a_right(votes))


def _refused(decision: Decision) -> list[Vote]:
    """Return ignored votes like the summary comment, without those of STRANGER users."""
    return [vote for vote in decision.refused if vote.speaker != STRANGER]


def _invalidated(vote: Vote) -> str:
    word = _WORDS.get(vote.kind, vote.kind)
    return f"the {word} of @{vote.by.login}: {vote.refused}"


def _recommendation(handover: Handover, decision: Decision) -> Recommendation:
    """Return the worst verdict of the judges of the open questions."""
    judged = _relevant_verdicts(handover, decision)
    if not judged:
        return Recommendation()
    verdict = min(judged, key=_rank).verdict
    agent = verdict.agent_context
    return Recommendation(
        answer="approve" if verdict.result == _APPROVED else "reject",
        confidence=verdict.confidence,
        reasoning=verdict.summary,
        by=agent.model or agent.agent,
    )


def _relevant_verdicts(handover: Handover, decision: Decision) -> list[Judged]:
    """Return the verdicts on the types of the reasons; all verdicts if there is none."""
    verdicts = [item for item in handover.judged if not item.verdict.failed]
    types = {reason.about for reason in decision.reasons}
    return [item for item in verdicts if item.verdict.approval_type in types] or verdicts


def _rank(item: Judged) -> tuple[int, float]:
    result = item.verdict.result
    rank = _RESULTS.index(result) if result in _RESULTS else 0
    return rank, item.verdict.confidence


def _impact(handover: Handover) -> str:
    """Return the changed ADRs, and the numbers of other and of protected files."""
    parts = [item.name or item.path for item in handover.changed]
    adrs = {item.path for item in handover.changed}
    others = sum(path not in adrs for path, _ in handover.files) + handover.files_left_out
    if others:
        parts.append(counted(others, "other file"))
    protected = len(handover.protected) + handover.protected_left_out
    if protected:
        parts.append(f"{protected} protected")
    return ", ".join(parts)
