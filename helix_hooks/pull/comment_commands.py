"""The commands in a comment or review: their facts, votes, replies to findings, other answers."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ..check import files
from ..check.rule_choice import with_examples
from ..config.policy import Deciders, givers_to
from ..config.settings import load
from ..console import print_message, print_result
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
from ..decision.pull_request import PullRequest
from ..decision.rounds import declinable
from ..decision.run_state import Objection
from ..decision.votes import AUTHOR, DECIDER, Vote
from ..decision.who_may import VoterFacts, lacks_right
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
        """Return whether the user may start another run: as a decider, a delegate, or by role."""
        if self.record:
            deciders = self.record.policy.deciders
            givers = givers_to(deciders.delegates, self.login, self.pull.now)
            if any(map(deciders.are_named, (self.login, *givers))):
                return True
        return self.to.role(self.login) in MAY_ASK

    def without_record(self, failure: str) -> Handover:
        """Return a hand-over with a failure, for a head without a run."""
        return without_run(self.to.repository.full_name, self.pull, failure)


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


def react_at_once(to: Access, seen: Event, comment: CommentEvent) -> None:
    """Show that the comment was read, before anything is fetched."""
    pull = PullRequest(number=seen.number, author=comment.by, head="", base="", is_open=True)
    Sender(to.repository, pull, to.ours).react(comment.id, _SEEN)


def count_review(request: Request) -> dict[str, str]:
    """Decide with the vote of a review, and return the outputs of the step."""
    if request.record is None or not request.pull.is_open:
        return {}
    evaluation = decide_and_print(request, request.record)
    return {**outputs_of(evaluation), **another_run(request)}


class Reply(NamedTuple):
    """The effect of a comment: parts of the answer, and outputs of the step."""

    parts: tuple[str, ...] = ()
    outputs: dict[str, str] = {}  # noqa: RUF012 - nobody changes it

    def joined(self, other: "Reply") -> "Reply":
        return Reply((*self.parts, *other.parts), {**self.outputs, **other.outputs})


_MOST_ANSWERS = 5
"""Maximum number of answered commands in one comment. Votes do not count."""

_SEEN, _DONE, _REFUSED = "eyes", "rocket", "confused"
"""Reactions to a comment."""


def answer_comment(request: Request) -> dict[str, str]:
    """Run the commands of a comment, answer it, and return the outputs of the step."""
    reply, id, sender = _reply(request), request.comment.id, request.sender
    # A repeated run of the workflow must not answer the comment twice.
    is_repeated = id in replies.answered(request.pull.comments, request.to.ours)
    if reply.parts and not is_repeated:
        sender.answer(replies.answer(id, reply.parts))
    is_refused = any(map(replies.is_refusal, reply.parts))
    sender.react(id, _REFUSED if is_refused else _DONE)
    for line in sender.left_out:
        print_message(line)
    return reply.outputs


def _reply(request: Request) -> Reply:
    """Run the votes first, then the replies to findings, then the other commands."""
    head = request.pull.head
    written = tuple(dict.fromkeys(commands(request.comment.body)))
    if not request.pull.is_open:
        return Reply((replies.refusal(written[0], "the pull request is closed", head),))
    # An objection without a reason holds the pull request.
    wrong = [command for command in written if command.wrong not in ("", NO_REASON)]
    valid = [command for command in written if command not in wrong]
    votes = {command.name: command for command in valid if command.name in VOTES}
    declined = [command for command in valid if command.name == DECLINE]
    others = [command for command in valid if command.name in _ANSWERS]
    reply = decide_with_votes(request, votes) if votes else Reply()
    refusals = tuple(replies.refusal(command, command.wrong, head) for command in wrong)
    reply = reply.joined(Reply(refusals))
    reply = reply.joined(record_replies(request, declined, is_decided=bool(votes)))
    for command in others[:_MOST_ANSWERS]:
        reply = reply.joined(_ANSWERS[command.name](request, command))
    return reply


_BRIEF = re.compile(r"[a-z0-9][a-z0-9-]{0,60}")


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
"""The commands that are neither a vote nor a reply to a finding."""


_OUTDATED = """\
The settings of the base have changed since the last run, so a new run begins. \
Your vote counts then.
"""
_TOO_EARLY = """\
No run for {short} has finished yet. \
Your vote counts when one has; an approval only with the full SHA {head}.
"""
_NOTED = "{}. Your objection is noted; it counts as soon as votes do.\n"


def decide_with_votes(request: Request, by_kind: dict[str, Command]) -> Reply:
    """Decide with the votes of a comment. Only votes that do not count get an answer.

    `by_kind` has the last command of each kind.
    """
    if request.record is None:
        return _too_early(request, is_objection=REJECT in by_kind)
    evaluation = decide_and_print(request, request.record)
    decision, head = evaluation.decision, request.pull.head
    # `decide` refuses votes too, such as late ones.
    refused = {vote._replace(refused=""): vote for vote in decision.refused}
    # Reviews and comments are numbered separately, so the numbers may be equal.
    votes = dict.fromkeys(
        refused.get(vote._replace(refused=""), vote)
        for vote in evaluation.votes
        if vote.source == request.comment.id and not vote.is_review
    )
    parts = [] if votes else _without_effect(request, evaluation, by_kind)
    for vote in votes:
        if vote.refused:
            works = _may_work(vote, decision)
            parts.append(replies.refusal(by_kind[vote.kind], vote.refused, head, works))
        elif vote.is_unexplained:
            parts.append(replies.HELD)
    if request.is_outdated and any(not vote.refused for vote in votes):
        parts.append(_OUTDATED)
    return Reply(tuple(parts), {**outputs_of(evaluation), **another_run(request)})


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
    pull = request.pull
    if is_objection:
        _store_objection(request)
    outputs = {}
    if pull.status and request.may_ask():
        outputs["again"] = "yes"
    return Reply((_TOO_EARLY.format(short=pull.head[:7], head=pull.head),), outputs)


def _store_objection(request: Request) -> None:
    """Store an objection at once: the comment may be deleted before the run."""
    pull, comment, login = request.pull, request.comment, request.login
    voters = VoterFacts(roles={login: request.to.role(login)}, commits=(), complete=False)
    # No policy is known yet, so the default deciders count.
    if lacks_right(login, voters, Deciders()):
        return
    handover = request.without_record(f"@{login} objects, and no run for this commit has finished")
    objection = Objection(comment.id, pull.now, comment.by.id, login)
    carried = handover.carried._replace(objections=(objection,))
    decide_and_print(request, handover._replace(carried=carried))


_NO_FINDINGS_YET = "no run for {} has finished yet, so there is no finding"


def record_replies(request: Request, declined: list[Command], *, is_decided: bool) -> Reply:
    """Record replies to findings, and answer those that do not count.

    With `is_decided`, a vote in the same comment has published a decision with the replies already.
    """
    pull, record = request.pull, request.record
    if not declined:
        return Reply()
    if record is None:
        reason = _NO_FINDINGS_YET.format(pull.head[:7])
        refusals = [replies.refusal(command, reason, pull.head, False) for command in declined]
        return Reply(tuple(refusals))
    counted = counted_replies(request.to, record, pull.comments, pull.author)
    own = [item for item in counted if item.comment.id == request.comment.id]
    refused = [item for item in own if item.refused]
    outputs = {}
    if len(refused) < len(own) and not is_decided:
        outputs = outputs_of(decide_and_print(request, record))
    parts = [replies.refusal(item.command, item.refused, pull.head) for item in refused]
    if parts:
        parts.append(replies.findings(declinable(record)))
    return Reply(tuple(parts), outputs)
