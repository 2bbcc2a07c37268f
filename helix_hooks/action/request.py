"""A comment or review for the gate, with the facts that every answer needs."""

from typing import NamedTuple

from ..config.policy import Deciders, givers_to
from ..console import print_result
from ..decision.handover import Handover
from ..decision.pull_request import PullRequest
from ..github import fetch
from ..github.event import CommentEvent, Event
from ..github.send import Sender
from ..publish.title import title
from .access import Access
from .earlier_runs import recorded
from .evaluate import Evaluation, settings_have_changed
from .publishing import decide_and_publish
from .work import without_run

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
