"""Votes in a comment: decide with them, and answer those that do not count."""

from typing import NamedTuple

from ..decision.commands import APPROVE, REJECT, VOTES, Command, commands
from ..decision.counting import AUTHOR, DECIDER
from ..decision.decide import Decision
from ..decision.run_state import Objection
from ..decision.votes import Vote
from ..publish import replies
from ..publish.title import title
from .evaluate import Evaluation
from .request import Reply, Request, another_run, decide_anew, outputs_of

_OUTDATED = """\
The settings of the base have changed since the last run, so a new run begins. \
Your vote counts then.
"""
_TOO_EARLY = """\
No run for {short} has finished yet. \
Your vote counts when one has; an approval only with the full SHA {head}.
"""
_NOTED = "{}. Your objection is noted; it counts as soon as votes do.\n"


class _Own(NamedTuple):
    """A vote of the comment: why it does not count ("" if it does), and who its voter is."""

    vote: Vote
    refused: str
    speaker: str


def vote(request: Request) -> Reply:
    """Decide anew with the votes of a comment; they are answered only if they do not count."""
    written = commands(request.comment.body)
    valid = (command for command in written if command.name in VOTES and not command.wrong)
    by_kind = {command.name: command for command in valid}
    if request.record is None:
        return _too_early(request, is_objection=REJECT in by_kind)
    evaluation = decide_anew(request, request.record)
    own = _own_votes(request, evaluation)
    parts = _refusals(request, evaluation, by_kind, own)
    if not own:
        parts = _without_effect(request, evaluation, by_kind)
    counts = any(not item.refused for item in own)
    if request.is_outdated and counts:
        parts = [*parts, _OUTDATED]
    return Reply(tuple(parts), {**outputs_of(evaluation), **another_run(request)})


def _own_votes(request: Request, evaluation: Evaluation) -> list[_Own]:
    id = request.comment.id
    here = [item for item in evaluation.votes if item.vote.source == id and not item.vote.is_review]
    refused = {item.vote: item.refused for item in evaluation.decision.refused}
    unique = {item.vote: item for item in here}
    rows = ((vote, refused.get(vote, item.refused), item) for vote, item in unique.items())
    return [_Own(vote, reason, item.speaker) for vote, reason, item in rows]


def _refusals(
    request: Request,
    evaluation: Evaluation,
    by_kind: dict[str, Command],
    own: list[_Own],
) -> list[str]:
    head, decision = request.pull.head, evaluation.decision
    parts = []
    for item in own:
        if item.refused:
            kind = item.vote.kind
            works = _may_work(kind, item.speaker, decision)
            parts.append(replies.refusal(by_kind[kind], item.refused, head, works))
    return parts


def _may_work(kind: str, speaker: str, decision: Decision) -> bool:
    """Return whether another vote of the same person could count; else no line is offered."""
    if kind == APPROVE:
        return speaker == DECIDER and bool(decision.asked)
    return speaker in (DECIDER, AUTHOR) if kind == REJECT else speaker == DECIDER


def _without_effect(
    request: Request,
    evaluation: Evaluation,
    by_kind: dict[str, Command],
) -> list[str]:
    """Return the answer where no vote changes anything; an objection is remembered."""
    name = title(evaluation.handover, evaluation.decision)
    noted = {item.source for item in evaluation.handover.carried.objections}
    is_noted = REJECT in by_kind and request.comment.id in noted
    lost = [command for kind, command in by_kind.items() if not (kind == REJECT and is_noted)]
    why, head = f"{name}; no vote changes that", request.pull.head
    parts = [replies.refusal(command, why, head, works=False) for command in lost]
    return [*parts, _NOTED.format(name)] if is_noted else parts


def _too_early(request: Request, *, is_objection: bool) -> Reply:
    """Answer a vote before any run has finished.

    An objection is noted and shown all the same: the comment may be deleted before the run.
    """
    pull, comment = request.pull, request.comment
    if is_objection and request.may_decide():
        login = request.login
        why = f"@{login} objects, and no run for this commit has finished"
        handover = request.without_record(why)
        objection = Objection(comment.id, pull.now, comment.by.id, login)
        carried = handover.carried._replace(objections=(objection,))
        decide_anew(request, handover._replace(carried=carried))
    outputs = {"again": "yes"} if pull.status and request.may_ask() else {}
    return Reply((_TOO_EARLY.format(short=pull.head[:7], head=pull.head),), outputs)
