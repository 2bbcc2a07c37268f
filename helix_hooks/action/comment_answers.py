"""Answers to the commands in a comment that are no votes: help, status, explain, review."""

import re
from collections.abc import Callable, Iterable, Iterator

from ..check import files
from ..check.rule_choice import with_examples
from ..config.settings import load
from ..decision.commands import EXPLAIN, HELP, REVIEW, STATUS, Command
from ..publish import replies
from ..publish.check_run import shared_decision
from ..report.rule_pages import explained, pages
from ..text import fenced
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
