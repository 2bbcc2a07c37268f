"""Answers to the commands in a comment that are no votes: help, status, explain, review."""

import re
from collections.abc import Callable

from ..check.rules import with_examples
from ..config.settings import load
from ..decision.commands import EXPLAIN, HELP, REVIEW, STATUS, Command
from ..publish import replies
from ..publish.check_run import shared_decision
from ..report.explanation import text as explained
from ..report.rule_pages import pages
from ..repository import files
from ..text.sanitize import fenced
from .evaluate import evaluate
from .publishing import links_of
from .request import MAY_ASK, Reply, Request

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
    """Explain a packaged rule or brief.

    A rule of the repository's own says in its message what to do.
    """
    name = command.argument
    known = {page.id: page for page in pages(load(lambda _: None, files.packaged).ruleset)}
    if name in known:
        return Reply((fenced(explained(with_examples(known[name]))),))
    types = (request.record.types if request.record else ()) or ("adr",)
    places = (f"approvals/{type}/checks/{name}.md" for type in types)
    briefs = [files.packaged(place) for place in places if _BRIEF.fullmatch(name)]
    parts = tuple(fenced(brief.decode()) for brief in briefs if brief)
    if parts:
        return Reply(parts)
    reason = f"there is no built-in rule or brief {name!r}"
    return Reply((replies.refusal(command, reason, request.pull.head),))


def _review(request: Request, command: Command) -> Reply:
    """Start another run, for people who may write; for a fork's author a maintainer asks."""
    head = request.pull.head
    if not request.may_ask():
        role = request.to.role(request.login) or "none"
        needed = " or ".join(MAY_ASK)
        reason = f"another run needs the role {needed}, and @{request.login} has the role {role}"
        return Reply((replies.refusal(command, reason, head, works=False),))
    types = request.record.types if request.record else ()
    unknown = [name for name in command.types if types and name not in types]
    if unknown:
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
