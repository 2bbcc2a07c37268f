"""`--mode command`: what somebody asks of the gate in a comment, or says in a review.

A vote needs no judge and no checkout: what the last run found stands on its check run, and who said what is on the pull request. So a person
has an answer within seconds. What needs the whole run (`/helix review`, or settings that changed since) is left to the steps behind this one,
by the output `again`.
"""

import os
import re
from typing import NamedTuple

from ..check.rules import with_examples
from ..config.policy import Deciders
from ..config.settings import load
from ..console.output import complain, write
from ..decision import chain
from ..decision.commands import APPROVE, EXPLAIN, HELP, REJECT, REVIEW, STATUS, VOTES, Command, commands
from ..decision.counting import AUTHOR, DECIDER
from ..decision.decide import Decision
from ..decision.handover import Handover
from ..decision.pull_request import Comment, PullRequest
from ..decision.run_state import Objection, Tampering, in_ledger
from ..decision.votes import votes_in
from ..github import client, event, fetch, runner
from ..github.event import CommentEvent, Event
from ..github.send import Sender
from ..publish import replies
from ..publish.check_run import shared_decision
from ..publish.page import title
from ..publish.sticky import STICKY, is_sticky, spent_before
from ..report.rule_pages import pages
from ..report.rules import text as explained
from ..repository import files
from ..text.inert import fenced
from .options import StepOptions
from .settle import Access, Settled, access, bot, evaluate, is_outdated, recorded, settle, where
from .work import Work, unseen

_MAY_ASK = ("write", "maintain", "admin")
"""Roles that may have the gate run again, which costs money."""

_OUTDATED = "The settings of the base have changed since the last run, so a new run begins. Your vote counts then.\n"
_BRIEF = re.compile(r"[a-z0-9][a-z0-9-]{0,60}")
_STATES = ("APPROVED", "CHANGES_REQUESTED", "DISMISSED")
"""Of reviews that say something to the gate."""

_MOST = 5
"""Questions of one comment that are answered."""

_TOO_EARLY = "No run for {short} has finished yet. Your vote counts when one has; an approval only with the full SHA {head}.\n"
_NOTED = "{}. Your objection is noted; it counts as soon as votes do.\n"
_SEEN, _DONE, _REFUSED = "eyes", "rocket", "confused"


def run(options: StepOptions, _: Work) -> int:
    environment = dict(os.environ)
    seen = event.read(environment)
    written = seen.comment
    if written is None or not seen.number or not (_is_for_us(written) or _was_our_memory(written, bot(environment))):
        write("no command for the gate\n")
        return 0
    if seen.from_fork:
        write("a review on a pull request from a fork, whose token can't write: the next sweep or command counts it\n")
        return 0
    to = access(seen.repository, environment)
    with client.reached():
        outputs = _HEARD.get(written.action, _reviewed)(to, seen, written, options.config)
    runner.put(environment, {"again": "no", "fresh": "", "asked": "no", **outputs})
    return 0


def _is_for_us(written: CommentEvent) -> bool:
    """Return whether a person speaks to the gate. An edit or deletion counts by the text before it, and by an objection in the text now."""
    if written.by.is_bot or (written.action in ("created", "reviewed") and written.sender.is_bot):
        return False
    if written.action == "reviewed":
        return written.body.upper() in _STATES
    return bool(commands(written.body)) or any(command.name == REJECT for command in commands(written.now))


def _was_our_memory(written: CommentEvent, ours: int) -> bool:
    """Return whether somebody else has edited or deleted the comment in which objections and costs are noted."""
    is_ours = written.by.id == ours != written.sender.id
    return is_ours and written.action in ("edited", "deleted") and is_sticky(written.body)


class _Request(NamedTuple):
    """What is known when a command is looked at; `given` is None where no run has left anything about this pull request at its head."""

    to: Access
    pull: PullRequest
    given: Handover | None
    sender: Sender
    outdated: bool

    def may_ask(self, login: str) -> bool:
        """Whether somebody may have the gate run again, which costs money."""
        named = self.given is not None and self.given.policy.deciders.are_named(login)
        return named or self.to.role(login) in _MAY_ASK

    def may_decide(self, login: str) -> bool:
        deciders = self.given.policy.deciders if self.given else Deciders()
        return deciders.are_named(login) or self.to.role(login) in deciders.roles


def _request(to: Access, seen: Event, config: str) -> _Request:
    pull = fetch.pull_request(to.repository, seen.number, to.app)
    given = recorded(pull.number, pull.status, pull.head)
    return _Request(to, pull, given, Sender(to.repository, pull, to.ours), given is not None and is_outdated(to, given, pull, config))


def _reviewed(to: Access, seen: Event, written: CommentEvent, config: str) -> dict[str, str]:
    request = _request(to, seen, config)
    if request.given is None or not request.pull.is_open:
        return {}
    _, outputs = _settled(request, request.given)
    return {**outputs, **_again(request, written)}


def _commented(to: Access, seen: Event, written: CommentEvent, config: str) -> dict[str, str]:
    Sender(to.repository, PullRequest(seen.number, written.by, "", "", is_open=True), to.ours).react(written.id, _SEEN)
    request = _request(to, seen, config)
    told, outputs = _carried_out(request, written)
    if told and written.id not in replies.answered(request.pull.comments, to.ours):  # else this run is repeated
        request.sender.answer(replies.answer(written.id, told))
    request.sender.react(written.id, _REFUSED if any("was not carried out" in part for part in told) else _DONE)
    for line in request.sender.left_out:
        complain(line)
    return outputs


def _carried_out(request: _Request, written: CommentEvent) -> tuple[list[str], dict[str, str]]:
    """What there is to answer, and the outputs of the step."""
    head, outputs = request.pull.head, dict[str, str]()
    told: list[str] = []
    asked = tuple(dict.fromkeys(commands(written.body)))
    if not request.pull.is_open:
        return [replies.refusal(asked[0], "the pull request is closed", head)], outputs
    if any(command.name in VOTES and not command.wrong for command in asked):
        told, outputs = _voted(request, written)
    told += [replies.refusal(command, command.wrong, head) for command in asked if command.wrong]
    for command in [command for command in asked if not command.wrong and command.name not in VOTES][:_MOST]:
        said, more = _ANSWERS[command.name](request, written, command)
        told, outputs = [*told, *said], {**outputs, **more}
    return told, outputs


def _voted(request: _Request, written: CommentEvent) -> tuple[list[str], dict[str, str]]:
    """The decision anew, with this vote; it is answered only where it does not count."""
    head = request.pull.head
    votes = {command.name: command for command in commands(written.body) if command.name in VOTES and not command.wrong}
    if request.given is None:
        return _too_early(request, written, REJECT in votes)
    found, outputs = _settled(request, request.given)
    mine = {item.vote: item.refused for item in found.votes if item.vote.source == written.id and not item.vote.is_review}
    mine |= {item.vote: item.refused for item in found.outcome.refused if item.vote in mine}
    speakers = {item.vote: item.speaker for item in found.votes}
    told = [
        replies.refusal(votes[said.kind], reason, head, _may_work(said.kind, speakers[said], found.outcome))
        for said, reason in mine.items()
        if reason
    ]
    if not mine:
        why = f"{title(found.given, found.outcome)}; no vote changes that"
        noted = {item.source for item in found.given.carried.objections}
        lost = [command for command in votes.values() if not (command.name == REJECT and written.id in noted)]
        told = [replies.refusal(command, why, head, works=False) for command in lost]
        told += [_NOTED.format(title(found.given, found.outcome))] if len(lost) < len(votes) else []
    counts = any(not reason for reason in mine.values())
    return [*told, *([_OUTDATED] if request.outdated and counts else [])], {**outputs, **_again(request, written)}


def _may_work(kind: str, speaker: str, outcome: Decision) -> bool:
    """Return whether the same person could say it in a way that counts: no line is offered to anybody for whom it would not."""
    if kind == APPROVE:
        return speaker == DECIDER and bool(outcome.asked)
    return speaker in (DECIDER, AUTHOR) if kind == REJECT else speaker == DECIDER


def _too_early(request: _Request, written: CommentEvent, rejects: bool) -> tuple[list[str], dict[str, str]]:
    """No run has found anything here yet. An objection is noted all the same, and shown: nobody knows what becomes of the comment."""
    pull, head = request.pull, request.pull.head
    told = [_TOO_EARLY.format(short=head[:7], head=head)]
    if rejects and request.may_decide(written.by.login):
        name = request.to.repository.full_name
        found = unseen(Event("", name, pull.number, head, pull.base, base_ref=pull.base_ref))
        noted = Objection(written.id, pull.now, written.by.id, written.by.login)
        why = f"@{written.by.login} objects, and no run for this commit has finished"
        _settled(request, found._replace(failure=(3, why), carried=found.carried._replace(objections=(noted,))))
    return told, {"again": "yes"} if pull.status and request.may_ask(written.by.login) else {}


def _again(request: _Request, written: CommentEvent) -> dict[str, str]:
    """A whole run, where the settings have changed since, for somebody who may ask for one."""
    return {"again": "yes"} if request.outdated and request.may_ask(written.by.login) else {}


def _settled(request: _Request, given: Handover) -> tuple[Settled, dict[str, str]]:
    found = settle(request.to, given, request.pull, at_lines=False, outdated=request.outdated)
    write(f"{title(found.given, found.outcome)}\n")
    return found, {"decision": found.outcome.state}


def _help(_: _Request, __: CommentEvent, ___: Command) -> tuple[list[str], dict[str, str]]:
    return [replies.help()], {}


def _status(request: _Request, _: CommentEvent, __: Command) -> tuple[list[str], dict[str, str]]:
    if request.given is None:
        return [f"No run has finished for {request.pull.head[:7]} yet.\n"], {}
    found = evaluate(request.to, request.given, request.pull, request.outdated)
    return [replies.status(found.given, shared_decision(found.given, found.pull, found.outcome), where(request.to, found))], {}


def _explain(request: _Request, _: CommentEvent, command: Command) -> tuple[list[str], dict[str, str]]:
    """Of the rules and briefs that ship; a rule of the repository's own says in its message what is wanted."""
    known = {page.id: page for page in pages(load(lambda _: None, files.packaged).ruleset)}
    if command.argument in known:
        return [fenced(explained(with_examples(known[command.argument])))], {}
    briefs = [files.packaged(f"approvals/{name}/checks/{command.argument}.md") for name in _types(request) if _BRIEF.fullmatch(command.argument)]
    told = [fenced(brief.decode()) for brief in briefs if brief]
    return told or [replies.refusal(command, f"there is no built-in rule or brief {command.argument!r}", request.pull.head)], {}


def _types(request: _Request) -> tuple[str, ...]:
    return (request.given.types if request.given else ()) or ("adr",)


def _review(request: _Request, written: CommentEvent, command: Command) -> tuple[list[str], dict[str, str]]:
    """Another run is for people who may write; of a fork's author it is the maintainer who asks."""
    if not request.may_ask(written.by.login):
        role = request.to.role(written.by.login) or "none"
        reason = f"another run needs the role {' or '.join(_MAY_ASK)}, and @{written.by.login} has the role {role}"
        return [replies.refusal(command, reason, request.pull.head, works=False)], {}
    unknown = [name for name in command.types if request.given and request.given.types and name not in request.given.types]
    if unknown and request.given:
        reason = f"there is no approval type {unknown[0]!r} here; there are {', '.join(request.given.types)}"
        return [replies.refusal(command, reason, request.pull.head)], {}
    return [], {"again": "yes", "asked": "yes", "fresh": " ".join(command.types)}


_ANSWERS = {HELP: _help, STATUS: _status, EXPLAIN: _explain, REVIEW: _review}


def _touched(to: Access, seen: Event, written: CommentEvent, config: str) -> dict[str, str]:
    """A comment was edited or deleted. Where that was a vote, it is counted no more; and where somebody else has done it, everybody is told, until
    the voter has voted again.
    """
    request = _request(to, seen, config)
    if written.by.id == to.ours:
        return _remembered(request, written)
    before, now = (Comment(written.id, written.by, text) for text in (written.body, written.now))
    if request.given is None or not (any(votes_in(before)) or any(said.kind == REJECT for said in votes_in(now))):
        return {}
    return _settled(request, request.given if written.sender.id == written.by.id else _tampered(request, request.given, written))[1]


def _remembered(request: _Request, written: CommentEvent) -> dict[str, str]:
    """Our own comment was edited or deleted: what it knew of objections and costs holds all the same."""
    noted, spent = in_ledger(written.body), spent_before(Comment(written.id, written.by, written.body))
    if not request.pull.is_open or not (noted or spent or in_ledger(written.now)):
        return {}
    body = f"{chain.tips(written.body)}{STICKY}"
    unread = (item._replace(body=body) if item.id == written.id else item for item in request.pull.comments)
    request = request._replace(pull=request.pull._replace(comments=tuple(unread)))  # whoever edited it could name objections of others
    given = request.given
    if given is None:
        pull, name = request.pull, request.to.repository.full_name
        found = unseen(Event("", name, pull.number, pull.head, pull.base, base_ref=pull.base_ref))
        given = found._replace(failure=(3, f"@{written.sender.login} changed the comment of the gate, and no run for this commit has finished"))
    kept = given.carried
    objections = {item.source: item for item in (*noted, *kept.objections)}
    kept = kept._replace(objections=tuple(objections.values()), spent=max(kept.spent, spent))
    return _settled(request, given._replace(carried=kept))[1]


def _tampered(request: _Request, given: Handover, written: CommentEvent) -> Handover:
    """What was found, with a note of who has touched whose vote, if that was one that counts."""
    pull, kept = request.pull, given.carried
    there = Comment(written.id, written.by, written.body, pull.now)
    others = tuple(item for item in pull.comments if item.id != written.id)
    votes = evaluate(request.to, given, pull._replace(comments=(*others, there))).votes
    if not any(item.vote.source == written.id and not item.vote.is_review and not item.refused for item in votes):
        return given
    tampering = Tampering(written.id, pull.now, written.by.id, written.by.login, written.sender.login)
    return given._replace(carried=kept._replace(tampered=(*kept.tampered, tampering)))


_HEARD = {"created": _commented, "edited": _touched, "deleted": _touched}
