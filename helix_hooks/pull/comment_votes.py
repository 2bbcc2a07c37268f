"""Votes in a comment: decide with them, and explain those that do not count."""

from typing import NamedTuple

from ..decision.commands import APPROVE, NO_REASON, REJECT, VOTES, Command, commands
from ..decision.counting import AUTHOR, DECIDER
from ..decision.decide import Decision
from ..decision.run_state import Objection
from ..decision.votes import Vote
from . import replies
from .evaluate import Evaluation
from .request import Reply, Request, another_run, decide_and_print, outputs_of
from .title import title

_OUTDATED = """\
The settings of the base have changed since the last run, so a new run begins. \
Your vote counts then.
"""
_TOO_EARLY = """\
No run for {short} has finished yet. \
Your vote counts when one has; an approval only with the full SHA {head}.
"""
_NOTED = "{}. Your objection is noted; it counts as soon as votes do.\n"


class _CommentVote(NamedTuple):
    """A vote of the comment, the reason why it does not count ("" if it counts), and its voter.

    `speaker` is AUTHOR, DECIDER or another kind of voter.
    """

    vote: Vote
    refused: str
    speaker: str


def vote(request: Request) -> Reply:
    """Decide with the votes of a comment. Only votes that do not count get an answer."""
    by_kind: dict[str, Command] = {}
    for command in commands(request.comment.body):
        if command.name in VOTES and command.wrong in ("", NO_REASON):
            by_kind[command.name] = command
    if request.record is None:
        return _too_early(request, is_objection=REJECT in by_kind)
    evaluation = decide_and_print(request, request.record)
    votes = _votes_in(request, evaluation)
    if votes:
        parts = _refusals(request, evaluation, by_kind, votes)
    else:
        parts = _without_effect(request, evaluation, by_kind)
    counts = any(not item.refused for item in votes)
    if request.is_outdated and counts:
        parts.append(_OUTDATED)
    return Reply(tuple(parts), {**outputs_of(evaluation), **another_run(request)})


def _votes_in(request: Request, evaluation: Evaluation) -> list[_CommentVote]:
    """Return the votes in the comment of a request, each once."""
    refused = {item.vote: item.refused for item in evaluation.decision.refused}
    votes: dict[Vote, _CommentVote] = {}
    for item in evaluation.votes:
        vote = item.vote
        # Reviews and comments are numbered separately, so the numbers may be equal.
        if vote.source == request.comment.id and not vote.is_review:
            reason = refused.get(vote, item.refused)
            votes[vote] = _CommentVote(vote, reason, item.speaker)
    return list(votes.values())


def _refusals(
    request: Request,
    evaluation: Evaluation,
    by_kind: dict[str, Command],
    votes: list[_CommentVote],
) -> list[str]:
    head, decision = request.pull.head, evaluation.decision
    parts = []
    for item in votes:
        if item.refused:
            kind = item.vote.kind
            works = _may_work(kind, item.speaker, decision)
            parts.append(replies.refusal(by_kind[kind], item.refused, head, works))
        elif item.vote.is_unexplained:
            parts.append(replies.HELD)
    return parts


def _may_work(kind: str, speaker: str, decision: Decision) -> bool:
    """Return whether another vote of the same person could count. Only then a command is shown."""
    if kind == APPROVE:
        return speaker == DECIDER and bool(decision.asked)
    if kind == REJECT:
        return speaker in (DECIDER, AUTHOR)
    return speaker == DECIDER


def _without_effect(
    request: Request,
    evaluation: Evaluation,
    by_kind: dict[str, Command],
) -> list[str]:
    """Return the answer if no vote changes the decision. An objection is stored for later."""
    name = title(evaluation.handover, evaluation.decision)
    stored = {item.source for item in evaluation.handover.carried.objections}
    reason, head = f"{name}; no vote changes that", request.pull.head
    refused = dict(by_kind)
    notes = []
    if REJECT in refused and request.comment.id in stored:
        del refused[REJECT]
        notes = [_NOTED.format(name)]
    parts = [replies.refusal(command, reason, head, works=False) for command in refused.values()]
    return [*parts, *notes]


def _too_early(request: Request, *, is_objection: bool) -> Reply:
    """Answer a vote before any run has finished."""
    pull, comment = request.pull, request.comment
    if is_objection and request.may_decide():
        # Stored at once: the comment may be deleted before the run.
        login = request.login
        handover = request.without_record(
            f"@{login} objects, and no run for this commit has finished"
        )
        objection = Objection(comment.id, pull.now, comment.by.id, login)
        carried = handover.carried._replace(objections=(objection,))
        decide_and_print(request, handover._replace(carried=carried))
    outputs = {}
    if pull.status and request.may_ask():
        outputs["again"] = "yes"
    return Reply((_TOO_EARLY.format(short=pull.head[:7], head=pull.head),), outputs)
