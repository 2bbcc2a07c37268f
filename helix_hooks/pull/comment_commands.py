"""The commands in a comment or review: its facts, votes, replies to findings, and other answers.

An edited or deleted comment gives up its votes; the state in our own comment is restored.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ..check import files
from ..check.rule_choice import with_examples
from ..config.policy import Deciders, givers_to
from ..config.settings import load
from ..console import print_result
from ..decision import chain
from ..decision.commands import (
    APPROVE,
    DECLINE,
    EXPLAIN,
    HELP,
    NO_REASON,
    REJECT,
    REVIEW,
    STATUS,
    VOTES,
    Command,
    commands,
)
from ..decision.decide import Decision
from ..decision.handover import Handover
from ..decision.pull_request import Comment, PullRequest
from ..decision.rounds import AuthorReply, declinable
from ..decision.run_state import Objection, Tampering, in_ledger
from ..decision.votes import AUTHOR, DECIDER, Vote, votes_in
from ..report.rule_pages import explained, pages
from ..text import fenced
from . import fetch, replies
from .access import Access
from .check_run import shared_decision
from .earlier_runs import counted_replies, recorded
from .evaluate import Evaluation, evaluate, settings_have_changed
from .event import CommentEvent, Event
from .publish import decide_and_publish, links_of
from .runner import without_run
from .send import Sender
from .summary_comment import STICKY, spent_before
from .title import title

MAY_ASK = ("write", "maintain", "admin")
"""Roles that may start another run, which costs money."""


class Request(NamedTuple):
    """A comment with its pull request.

    `record` is the record of the last run at the head, None if there is none. With `is_outdated`,
    the settings have changed since that run.
    """

    to: Access
    pull: PullRequest
    comment: CommentEvent
    record: Handover | None
    sender: Sender
    is_outdated: bool

    @property
    def login(self) -> str:
        """The user who wrote the comment."""
        return self.comment.by.login

    def may_ask(self) -> bool:
        """Return whether the user may start another run."""
        if self.record:
            deciders = self.record.policy.deciders
            if any(map(deciders.are_named, self._logins(deciders))):
                return True
        return self.to.role(self.login) in MAY_ASK

    def may_decide(self) -> bool:
        deciders = Deciders()
        if self.record:
            deciders = self.record.policy.deciders
        return any(
            deciders.are_named(login) or self.to.role(login) in deciders.roles
            for login in self._logins(deciders)
        )

    def _logins(self, deciders: Deciders) -> tuple[str, ...]:
        """Return the user, and the people who have delegated to the user."""
        givers = givers_to(deciders.delegates, self.login, self.pull.now)
        return (self.login, *givers)

    def without_record(self, failure: str) -> Handover:
        """Return a hand-over with a failure, for a head without a run."""
        return without_run(self.to.repository.full_name, self.pull, failure)


class Reply(NamedTuple):
    """The effect of a comment: parts of the answer, and outputs of the step."""

    parts: tuple[str, ...] = ()
    outputs: dict[str, str] = {}  # noqa: RUF012 - nobody changes it

    def joined(self, other: "Reply") -> "Reply":
        return Reply((*self.parts, *other.parts), {**self.outputs, **other.outputs})


def request(to: Access, event: Event, comment: CommentEvent, config: str) -> Request:
    """Fetch the facts about a comment."""
    pull = fetch.pull_request(to.repository, event.number, to.app)
    record = recorded(pull.number, pull.status, pull.head)
    is_outdated = record is not None and settings_have_changed(to, record, pull, config)
    return Request(
        to=to,
        pull=pull,
        comment=comment,
        record=record,
        sender=Sender(to.repository, pull, to.ours),
        is_outdated=is_outdated,
    )


def decide_and_print(request: Request, handover: Handover) -> Evaluation:
    """Decide with the votes of now, publish the decision, and print its title."""
    evaluation = decide_and_publish(
        request.to,
        handover,
        request.pull,
        at_lines=False,
        is_outdated=request.is_outdated,
    )
    print_result(f"{title(evaluation.handover, evaluation.decision)}\n")
    return evaluation


def outputs_of(evaluation: Evaluation) -> dict[str, str]:
    return {"decision": evaluation.decision.state}


def another_run(request: Request) -> dict[str, str]:
    """Return the output that starts a full run, if settings have changed and the user may do so."""
    if request.is_outdated and request.may_ask():
        return {"again": "yes"}
    return {}


_BRIEF = re.compile(r"[a-z0-9][a-z0-9-]{0,60}")


def answer(request: Request, command: Command) -> Reply:
    """Return the reply to a command that is no vote."""
    return _ANSWERS[command.name](request, command)


def _help(_request: Request, _command: Command) -> Reply:
    return Reply((replies.help(),))


def _status(request: Request, _command: Command) -> Reply:
    if request.record is None:
        return Reply((f"No run has finished for {request.pull.head[:7]} yet.\n",))
    now = evaluate(request.to, request.record, request.pull, is_outdated=request.is_outdated)
    handover, links = now.handover, links_of(request.to, now)
    decision = shared_decision(handover, now.pull, now.decision)
    return Reply((replies.status(handover, decision, links),))


def _explain(request: Request, command: Command) -> Reply:
    """Explain a built-in rule or brief.

    The message of a custom rule already says how to fix it.
    """
    name = command.argument
    built_in = {page.id: page for page in pages(load(lambda _: None, files.packaged).ruleset)}
    if name in built_in:
        return Reply((fenced(explained(with_examples(built_in[name]))),))
    parts = tuple(fenced(brief.decode()) for brief in _briefs(name, _types(request)))
    if parts:
        return Reply(parts)
    reason = f"there is no built-in rule or brief {name!r}"
    return Reply((replies.refusal(command, reason, request.pull.head),))


def _briefs(name: str, types: Iterable[str]) -> Iterator[bytes]:
    """Yield the built-in briefs with a name, of approval types."""
    # The name comes from a comment and becomes part of a path.
    if not _BRIEF.fullmatch(name):
        return
    for type in types or ("adr",):
        brief = files.packaged(f"approvals/{type}/checks/{name}.md")
        if brief:
            yield brief


def _types(request: Request) -> tuple[str, ...]:
    """Return the approval types of the last run, () if there was none."""
    if request.record is None:
        return ()
    return request.record.types


def _review(request: Request, command: Command) -> Reply:
    """Start another run. The author of a fork must ask a maintainer to do it."""
    head = request.pull.head
    if not request.may_ask():
        role = request.to.role(request.login) or "none"
        needed = " or ".join(MAY_ASK)
        reason = f"another run requires the role {needed}; @{request.login} has the role {role}"
        return Reply((replies.refusal(command, reason, head, works=False),))
    types = _types(request)
    unknown = [name for name in command.types if name not in types]
    if types and unknown:
        there = ", ".join(types)
        reason = f"there is no approval type {unknown[0]!r} here; there are {there}"
        return Reply((replies.refusal(command, reason, head),))
    return Reply((), {"again": "yes", "asked": "yes", "fresh": " ".join(command.types)})


_ANSWERS: dict[str, Callable[[Request, Command], Reply]] = {
    HELP: _help,
    STATUS: _status,
    EXPLAIN: _explain,
    REVIEW: _review,
}


_OUTDATED = """\
The settings of the base have changed since the last run, so a new run begins. \
Your vote counts then.
"""
_TOO_EARLY = """\
No run for {short} has finished yet. \
Your vote counts when one has; an approval only with the full SHA {head}.
"""
_NOTED = "{}. Your objection is noted; it counts as soon as votes do.\n"


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
    counts = any(not vote.refused for vote in votes)
    if request.is_outdated and counts:
        parts.append(_OUTDATED)
    return Reply(tuple(parts), {**outputs_of(evaluation), **another_run(request)})


def _votes_in(request: Request, evaluation: Evaluation) -> list[Vote]:
    """Return the votes in the comment of a request, each once; `decide` may have refused more."""
    refused = {vote._replace(refused=""): vote for vote in evaluation.decision.refused}
    # Reviews and comments are numbered separately, so the numbers may be equal.
    own = (
        vote
        for vote in evaluation.votes
        if vote.source == request.comment.id and not vote.is_review
    )
    return list(dict.fromkeys(refused.get(vote._replace(refused=""), vote) for vote in own))


def _refusals(
    request: Request,
    evaluation: Evaluation,
    by_kind: dict[str, Command],
    votes: list[Vote],
) -> list[str]:
    head, decision = request.pull.head, evaluation.decision
    parts = []
    for vote in votes:
        if vote.refused:
            works = _may_work(vote, decision)
            parts.append(replies.refusal(by_kind[vote.kind], vote.refused, head, works))
        elif vote.is_unexplained:
            parts.append(replies.HELD)
    return parts


def _may_work(vote: Vote, decision: Decision) -> bool:
    """Return whether another vote of the same person could count. Only then a command is shown."""
    if vote.kind == APPROVE:
        return vote.speaker == DECIDER and bool(decision.asked)
    if vote.kind == REJECT:
        return vote.speaker in (DECIDER, AUTHOR)
    return vote.speaker == DECIDER


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


_NO_FINDINGS_YET = "no run for {} has finished yet, so there is no finding"


def decline(request: Request, declined: list[Command], *, is_decided: bool) -> Reply:
    """Record replies to findings, and answer those that do not count.

    With `is_decided`, a vote in the same comment has published a decision with the replies already.
    """
    head, record = request.pull.head, request.record
    if not declined:
        return Reply()
    if record is None:
        reason = _NO_FINDINGS_YET.format(head[:7])
        return Reply(tuple(replies.refusal(command, reason, head, False) for command in declined))
    own = _replies_in(request, record)
    refused = [item for item in own if item.refused]
    outputs = {}
    if len(refused) < len(own) and not is_decided:
        outputs = outputs_of(decide_and_print(request, record))
    parts = [_refusal(item, head) for item in refused]
    if parts:
        parts.append(replies.findings(declinable(record)))
    return Reply(tuple(parts), outputs)


def _replies_in(request: Request, record: Handover) -> list[AuthorReply]:
    """Return the replies in the comment of a request."""
    pull = request.pull
    counted = counted_replies(request.to, record, pull.comments, pull.author)
    return [item for item in counted if item.comment.id == request.comment.id]


def _refusal(item: AuthorReply, head: str) -> str:
    return replies.refusal(item.command, item.refused, head)


def decide_after_edit(request: Request) -> dict[str, str]:
    """Decide after an edit or deletion, and return the outputs of the step.

    A vote in the comment no longer counts. If another user edited it, the page shows that until the
    voter votes again.
    """
    event, record = request.comment, request.record
    if event.by.id == request.to.ours:
        return _after_edit_of_ours(request)
    if record is None or not (_has_vote(event) or _has_reply(event)):
        return {}
    if event.sender.id != event.by.id:
        record = _with_tampering(request, record)
    return outputs_of(decide_and_print(request, record))


def _has_vote(event: CommentEvent) -> bool:
    """Return whether the earlier text has a vote, or the new text an objection."""
    before = Comment(id=event.id, by=event.by, body=event.body)
    now = Comment(id=event.id, by=event.by, body=event.now)
    return any(votes_in(before)) or any(vote.kind == REJECT for vote in votes_in(now))


def _has_reply(event: CommentEvent) -> bool:
    """Return whether the earlier text has a reply to a finding."""
    return any(command.name == DECLINE for command in commands(event.body))


def _after_edit_of_ours(request: Request) -> dict[str, str]:
    """Restore the objections and costs that our own comment had before it was edited."""
    event, pull = request.comment, request.pull
    noted = in_ledger(event.body)
    spent = spent_before(Comment(id=event.id, by=event.by, body=event.body))
    if not pull.is_open or not (noted or spent or in_ledger(event.now)):
        return {}
    handover = request.record
    if handover is None:
        reason = f"@{event.sender.login} changed the comment of the gate"
        handover = request.without_record(f"{reason}, and no run for this commit has finished")
    carried = handover.carried
    objections = {item.source: item for item in (*noted, *carried.objections)}
    carried = carried._replace(
        objections=tuple(objections.values()),
        spent=max(carried.spent, spent),
    )
    handover = handover._replace(carried=carried)
    return outputs_of(decide_and_print(_without_ledger(request), handover))


def _without_ledger(request: Request) -> Request:
    """Remove the ledger of the edited comment: its editor could have added objections."""
    event, pull = request.comment, request.pull
    body = f"{chain.tips(event.body)}{STICKY}"

    def clean(comment: Comment) -> Comment:
        if comment.id != event.id:
            return comment
        return comment._replace(body=body)

    comments = tuple(map(clean, pull.comments))
    return request._replace(pull=pull._replace(comments=comments))


def _with_tampering(request: Request, record: Handover) -> Handover:
    """Record who edited whose vote, if the vote counted."""
    event, pull = request.comment, request.pull
    before = _with_comment_before(pull, event)
    votes = evaluate(request.to, record, before).votes
    own = (vote for vote in votes if vote.source == event.id and not vote.is_review)
    if all(vote.refused for vote in own):
        return record
    tampering = Tampering(event.id, pull.now, event.by.id, event.by.login, event.sender.login)
    carried = record.carried
    return record._replace(carried=carried._replace(tampered=(*carried.tampered, tampering)))


def _with_comment_before(pull: PullRequest, event: CommentEvent) -> PullRequest:
    before = Comment(id=event.id, by=event.by, body=event.body, at=pull.now)
    others = tuple(item for item in pull.comments if item.id != event.id)
    return pull._replace(comments=(*others, before))
