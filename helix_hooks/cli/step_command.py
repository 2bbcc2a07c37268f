"""`--mode command`: what somebody asks of the gate in a comment, or says in a review.

A vote needs no judge and no checkout: what the last run found stands on its check run, and who said what is on the pull request. So a person
has an answer within seconds. What needs the whole run (`/helix review`, or settings that changed since) is left to the steps behind this one,
by the output `again`.
"""

import os
import re
from argparse import Namespace
from typing import NamedTuple

from .. import files
from ..approval.injection import OURS
from ..explain import pages
from ..github import client, event, fetch, runner
from ..github.event import Event, Written
from ..github.send import Sender
from ..places import READ_FIRST
from ..pull import answer
from ..pull.command import EXPLAIN, HELP, REVIEW, STATUS, VOTES, Command, commands
from ..pull.facts import Comment, PullRequest
from ..pull.handover import Handover
from ..pull.harmless import fenced
from ..pull.kept import Tampering
from ..pull.page import title
from ..pull.statement import said_in
from ..report.rules import text as explained
from ..settings import load
from .main import complain, write
from .rules import with_examples
from .settle import Access, Settled, access, decide, recorded, settle
from .steps import Work

_MAY_ASK = ("write", "maintain", "admin")
"""Roles that may have the gate run again, which costs money."""

_OUTDATED = "The settings of the base have changed since this was looked at, so it is looked at anew; what you said counts then.\n"
_BRIEF = re.compile(r"[a-z0-9][a-z0-9-]{0,60}")
_SEEN, _DONE, _REFUSED = "eyes", "rocket", "confused"


def run(options: Namespace, _: Work) -> int:
    environment = dict(os.environ)
    seen = event.read(environment)
    if seen.comment and not _is_for_us(seen.comment, seen.number):
        write("no command of a person on a pull request\n")
        return 0
    if not seen.comment and seen.from_fork:
        write("a review on a pull request from a fork, whose token can't write: the next sweep or command counts it\n")
        return 0
    to = access(seen.repository, environment)
    with client.reached():
        outputs = _commented(to, seen, seen.comment, options.config) if seen.comment else _reviewed(to, seen, options.config)
    runner.put(environment, {"again": "no", "fresh": "", **outputs})
    return 0


def _is_for_us(written: Written, number: int) -> bool:
    """People's own commands alone; of an edit or a deletion, whether it took somebody else's vote away."""
    if not number or written.by.is_bot or not commands(written.body):
        return False
    return not written.sender.is_bot if written.action == "created" else written.sender.id != written.by.id


class _Request(NamedTuple):
    """What is known when a command is looked at; `given` is None where no run has left anything at the head."""

    to: Access
    seen: Event
    pull: PullRequest
    given: Handover | None
    sender: Sender
    config: str


def _reviewed(to: Access, seen: Event, config: str) -> dict[str, str]:
    request = _request(to, seen, config)
    if request.given is None:
        return {}
    return {"again": "yes"} if _is_outdated(request) else _settled(request, request.given)[1]


def _request(to: Access, seen: Event, config: str) -> _Request:
    pull = fetch.pull_request(to.repository, seen.number, to.app)
    return _Request(to, seen, pull, recorded(pull.number, pull.status, pull.head), Sender(to.repository, pull, to.ours), config)


def _commented(to: Access, seen: Event, written: Written, config: str) -> dict[str, str]:
    if written.action != "created":
        return _touched(_request(to, seen, config), written)
    Sender(to.repository, PullRequest(seen.number, written.by, "", "", is_open=True), to.ours).react(written.id, _SEEN)
    request = _request(to, seen, config)
    if written.id in answer.answered(request.pull.comments, to.ours):
        return {}  # this run is repeated
    told, outputs = _carried_out(request, written)
    if told:
        request.sender.answer(answer.answer(written.id, told))
    request.sender.react(written.id, _REFUSED if any("was not carried out" in part for part in told) else _DONE)
    for line in request.sender.left_out:
        complain(line)
    return outputs


def _carried_out(request: _Request, written: Written) -> tuple[list[str], dict[str, str]]:
    """What there is to answer, and the outputs of the step."""
    head, outputs = request.pull.head, dict[str, str]()
    told: list[str] = []
    asked = commands(written.body)
    if not request.pull.is_open:
        return [answer.refusal(asked[0], "the pull request is closed", head)], outputs
    for command in asked:
        if command.wrong:
            told.append(answer.refusal(command, command.wrong, head))
        elif command.name not in VOTES:
            said, more = _ANSWERS[command.name](request, written, command)
            told, outputs = [*told, *said], {**outputs, **more}
    if any(command.name in VOTES and not command.wrong for command in asked):
        said, more = _voted(request, written)
        told, outputs = [*told, *said], {**more, **outputs}
    return told, outputs


def _voted(request: _Request, written: Written) -> tuple[list[str], dict[str, str]]:
    """The decision anew, with this vote; it is answered only where it does not count."""
    head, given = request.pull.head, request.given
    if given is None:
        return [f"Nothing was found for {head[:7]} yet. What you said counts as soon as a run has come to its end.\n"], {}
    if _is_outdated(request):
        return [_OUTDATED], {"again": "yes"}
    found, outputs = _settled(request, given)
    mine = [vote for vote in found.votes if vote.said.source == written.id and not vote.said.is_review]
    names = {command.name: command for command in commands(written.body)}
    late = {vote.said: vote.refused for vote in found.outcome.refused}
    refused = [(vote.said, vote.refused or late.get(vote.said, "")) for vote in mine]
    return [answer.refusal(names[said.kind], reason, head) for said, reason in refused if reason], outputs


def _settled(request: _Request, given: Handover) -> tuple[Settled, dict[str, str]]:
    found = settle(request.to, given, request.pull, at_lines=False)
    write(f"{title(found.given, found.outcome)}\n")
    return found, {"decision": found.outcome.state}


def _is_outdated(request: _Request) -> bool:
    """Whether what the gate goes by has changed at the base since the last run; where that can't be told, it has."""
    given, pull = request.given, request.pull
    if given is None or given.subject.base_ref != pull.base_ref:
        return True
    changed = fetch.changed_since(request.to.repository, given.subject.base, pull.base_ref)
    return changed is None or any(path in (*READ_FIRST, request.config) or path.startswith(OURS) for path in changed)


def _help(_: _Request, __: Written, ___: Command) -> tuple[list[str], dict[str, str]]:
    return [answer.help()], {}


def _status(request: _Request, _: Written, __: Command) -> tuple[list[str], dict[str, str]]:
    if request.given is None:
        return [f"Nothing was found for {request.pull.head[:7]} yet.\n"], {}
    found = decide(request.to, request.given, request.pull)
    return [answer.status(found.given, found.outcome)], {"decision": found.outcome.state}


def _explain(request: _Request, _: Written, command: Command) -> tuple[list[str], dict[str, str]]:
    """Of the rules and briefs that ship; a rule of the repository's own says in its message what is wanted."""
    known = {page.id: page for page in pages(load(lambda _: None, files.packaged).ruleset)}
    if command.subject in known:
        return [fenced(explained(with_examples(known[command.subject])))], {}
    briefs = [files.packaged(f"approvals/{name}/checks/{command.subject}.md") for name in _types(request) if _BRIEF.fullmatch(command.subject)]
    told = [fenced(brief.decode()) for brief in briefs if brief]
    return told or [answer.refusal(command, f"there is no built-in rule or brief {command.subject!r}", request.pull.head)], {}


def _types(request: _Request) -> tuple[str, ...]:
    return (request.given.types if request.given else ()) or ("adr",)


def _review(request: _Request, written: Written, command: Command) -> tuple[list[str], dict[str, str]]:
    """Another run is for people who may write; of a fork's author it is the maintainer who asks."""
    role = fetch.role(request.to.repository, written.by.login)
    if role not in _MAY_ASK:
        reason = f"another run needs the role {' or '.join(_MAY_ASK)}, and @{written.by.login} has the role {role}"
        return [answer.refusal(command, reason, request.pull.head)], {}
    unknown = [name for name in command.types if request.given and request.given.types and name not in request.given.types]
    if unknown and request.given:
        reason = f"there is no approval type {unknown[0]!r} here; there are {', '.join(request.given.types)}"
        return [answer.refusal(command, reason, request.pull.head)], {}
    return [], {"again": "yes", "fresh": " ".join(command.types)}


_ANSWERS = {HELP: _help, STATUS: _status, EXPLAIN: _explain, REVIEW: _review}


def _touched(request: _Request, written: Written) -> dict[str, str]:
    """Somebody has edited or deleted another's comment. Where that was a vote, everybody is told, until the voter has voted again."""
    before = Comment(written.id, written.by, written.body, request.pull.now)
    if request.given is None or not any(said_in(before)):
        return {}
    others = tuple(item for item in request.pull.comments if item.id != written.id)
    votes = decide(request.to, request.given, request.pull._replace(comments=(*others, before))).votes
    if not any(vote.said.source == written.id and not vote.said.is_review and not vote.refused for vote in votes):
        return {}  # it did not count, so nothing was taken away
    kept = request.given.kept
    tampering = Tampering(written.id, request.pull.now, written.by.id, written.by.login, written.sender.login)
    return _settled(request, request.given._replace(kept=kept._replace(tampered=(*kept.tampered, tampering))))[1]
