"""The gate for Python programs: options in, values out. Nothing is printed.

All functions work on the repository of the current folder. They raise `HelixError` where the
command line would print an error and exit with 2 or 3; `exit_code` of the error tells which.
What `__all__` lists is stable: names and fields stay, and new ones may be added.
"""

import os
import uuid
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from . import extras, git
from .adr.check_report import CheckReport, FileReport
from .check.options import CheckOptions, opened
from .config.gates import APPROVAL, RESULTS, Gate
from .decision.decide import ApproveResult
from .decision.states import APPROVED
from .errors import ConfigError, HelixError, UsageError
from .finding import Finding
from .git import restored
from .judge.options import ApproveOptions, Range, RunOptions
from .phases.gate_result import GateResult
from .verdict.approval_result import AgentContext, ApprovalResult
from .verification.result import Expectation, VerificationResult
from .verify.channel import FeedbackChannel
from .verify.options import VerifyOptions
from .waiting.asked import AskedRequest
from .waiting.opening import RequestDraft
from .waiting.request import PENDING, ApprovalRequest, Asker, RequestContext, request_json
from .waiting.talk import question

if TYPE_CHECKING:
    from .queue.place import QueuePlace

__all__ = [
    "AgentContext",
    "ApprovalRequest",
    "ApprovalResult",
    "ApproveOptions",
    "ApproveReply",
    "CheckOptions",
    "CheckReply",
    "CheckReport",
    "ConfigError",
    "Expectation",
    "FeedbackChannel",
    "FileReport",
    "Finding",
    "GateResult",
    "HelixError",
    "Range",
    "RequestOptions",
    "RequestReply",
    "RunOptions",
    "UsageError",
    "VerificationResult",
    "VerifyOptions",
    "VerifyReply",
    "approve",
    "await_decision",
    "check",
    "check_approval",
    "pending_requests",
    "request_approval",
    "verify",
]

MOST_LISTED = 10_000
"""Maximum number of requests that `pending_requests` returns."""


class CheckReply(NamedTuple):
    """The result of `check`.

    `incomplete` is true if the change could not be compared with its base; the command line then
    exits with 3. `empty` is true if the repository has no ADR. `notices` are the lines that the
    command line prints on standard error. `pending` is true if a branch was compared with its base
    and a question to a person remains.
    """

    report: CheckReport
    incomplete: bool = False
    empty: bool = False
    notices: tuple[str, ...] = ()
    pending: bool = False

    @property
    def passed(self) -> bool:
        """True if the check was complete, no finding is an error and no question remains."""
        return self.report.passed and not (self.incomplete or self.pending)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, by file and line. Suppressed ones are not among them."""
        return self.report.findings

    def to_dict(self) -> dict[str, object]:
        """Return what `check --format json` prints."""
        from .report import json

        return json.payload(self.report)


class ApproveReply(NamedTuple):
    """The result of `approve`, and the lines that the command line would print beside it."""

    result: ApproveResult
    notices: tuple[str, ...] = ()

    @property
    def approved(self) -> bool:
        """True if a judge reviewed the change and the decision is approved.

        A pending decision needs a person.
        """
        return self.result.decision.state == APPROVED and not self.skipped

    @property
    def skipped(self) -> bool:
        """True if there was nothing to review, or no judge was needed."""
        return self.result.skipped

    @property
    def verdicts(self) -> tuple[ApprovalResult, ...]:
        """The verdicts of the judges, one for each approval type that was judged."""
        return self.result.verdicts

    def to_dict(self) -> dict[str, object]:
        """Return what `approve --format json` prints."""
        from .judge import result_text

        return result_text.payload(self.result)


class VerifyReply(NamedTuple):
    """The result of `verify`: one result for each ADR, and the name of the base."""

    results: tuple[VerificationResult, ...]
    base: str

    @property
    def verified(self) -> bool:
        """True if there is a result, and each ADR is verified."""
        return bool(self.results) and all(result.success for result in self.results)

    def to_dict(self) -> dict[str, object]:
        """Return what `verify --format json` prints."""
        from .verify import result_text

        return result_text.payload(self.results)


def check(options: CheckOptions = CheckOptions()) -> CheckReply:  # noqa: B008 -- a value
    """Run the rules (Layers 1 to 3), as `helix-hooks check` does.

    Raises:
        UsageError: An option or a path is wrong.
        ConfigError: The settings are broken, or they match no file.
        HelixError: The check could not run.
    """
    with restored(), opened(options) as target:
        from .check import run

        context = run.prepare(options, target)
        result = run.check(context)
    return CheckReply(
        report=result.report,
        incomplete=result.incomplete,
        empty=result.empty,
        notices=(*context.notices, *result.notices),
        pending=context.is_branch and result.report.questions > 0,
    )


def approve(options: ApproveOptions) -> ApproveReply:
    """Run the rules, then the judges, as `helix-hooks approve` does. Needs `helix-hooks[all]`.

    The judges are child processes of the calling program. The command line ends them when it is
    killed; a program that calls this function has to do so itself.

    Raises:
        UsageError: An option is wrong, the folder is not in a git repository, or packages are
            missing.
        ConfigError: The settings are broken.
        HelixError: The review could not run. A judge that fails is no error: the decision says so.
    """
    extras.require("approve", "approve")
    from .judge import approve as review
    from .judge.options import Observer

    notices: list[str] = []
    with restored():
        root = git.root_for("approve")
        result = review.approve(options, root, Observer(notices.append))
    return ApproveReply(result, tuple(notices))


def check_approval(
    approval_type: str,
    files: Iterable[str],
    required_result: str = APPROVED,
    *,
    base: str = "",
) -> GateResult:
    """Ask the judge of an approval type about files, as a gate of type `approval` does.

    `files` are paths or globs. With `required_result` "needs_revision" that verdict suffices too,
    if it has no error. `base` is the revision whose settings and rubric apply. Needs
    `helix-hooks[all]`.

    Raises:
        UsageError: The approval type or a value is unknown, the folder is not in a git repository,
            or packages are missing.
        ConfigError: The settings are broken.
    """
    extras.require("approve", "approve")
    from .gates.answer import answer
    from .gates.work import TERMINAL, GateWork

    if required_result not in RESULTS:
        raise UsageError(f"required_result {required_result!r}: expected {' or '.join(RESULTS)}")
    with restored():
        root = git.root_for("check_approval")
        gate = Gate(
            name=approval_type,
            kind=APPROVAL,
            place="check_approval",
            files=tuple(git.paths_in(root, files)),
            approval_type=approval_type,
            result=required_result,
        )
        work = GateWork(root, TERMINAL, os.environ, notify=lambda _line: None, base=base)
        return answer(gate, work)


class RequestOptions(NamedTuple):
    """Information for deciders, and how a request is made; the fields are options of `ask`.

    `context` is Markdown. `within` are the seconds of its own deadline, 0 for that of the policy.
    With a `key` a request is made only once, even after the decision.
    """

    description: str = ""
    context: str = ""
    files: tuple[str, ...] = ()
    impact: str = ""
    confidence: float | None = None
    recommendation: str = ""
    reasoning: str = ""
    expertise: str = ""
    agent: str = ""
    key: str = ""
    within: int = 0
    escalate_to: tuple[str, ...] = ()


class RequestReply(NamedTuple):
    """A request as it is now, and the lines that the command line would print beside it."""

    request: ApprovalRequest
    notices: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """Its UUID."""
        return self.request.id

    @property
    def decision(self) -> str:
        """The decision: approved, rejected, blocked (by the deadline), withdrawn or pending."""
        return AskedRequest(self.request).decision

    @property
    def approved(self) -> bool:
        """True if people approved it, or the policy needs nobody."""
        return self.decision == APPROVED

    @property
    def question(self) -> str:
        """The question of a decider; "" if no reply is needed."""
        note = question(self.request)
        return note.text if note else ""

    def to_dict(self) -> dict[str, object]:
        """Return the field `request` of `ask --format json`."""
        return request_json(self.request)


def request_approval(
    title: str,
    action: str,
    options: RequestOptions = RequestOptions(),  # noqa: B008 -- a value
) -> RequestReply:
    """Request an approval, as `helix-hooks ask` does, or return the request that asks the same.

    It does not wait. Needs `helix-hooks[all]`.

    Raises:
        UsageError: A value is wrong, the folder is not in a git repository, or packages are
            missing.
        HelixError: The database can't be used.
    """
    extras.require("ask", "queue")
    from .queue import requesting

    draft = RequestDraft(
        id=str(uuid.uuid4()),
        project="",
        action=action,
        title=title,
        requested_by=Asker("", verified=False),
        description=options.description,
        context=RequestContext(tuple(options.files), options.impact, options.context),
        confidence=options.confidence,
        recommendation=options.recommendation,
        reasoning=options.reasoning,
        expertise=options.expertise,
        within=options.within,
        escalate_to=tuple(options.escalate_to),
    )
    with restored():
        place = _queue_place()
        made = requesting.requested(place, os.environ, draft, agent=options.agent, key=options.key)
        told: tuple[str, ...] = ()
        if made.request.status == PENDING:
            told = requesting.notified(place, os.environ, made.request)
        notices = (*filter(None, [made.doubt]), *told)
    return RequestReply(made.request, notices)


def await_decision(id: str, seconds: float = 86_400) -> RequestReply:
    """Wait until a request is decided, a decider asks back, or the time is over.

    A database server that restarts meanwhile is waited for. Needs `helix-hooks[all]`.

    Raises:
        UsageError: There is no such request.
        HelixError: The database can't be used.
    """
    extras.require("ask", "queue")
    from .queue import store
    from .queue.requesting import awaited

    notices: list[str] = []
    with restored():
        place = _queue_place()
        with store.opened(place.flow) as db:
            request = awaited(db, db.request(id, place.filter), seconds, notices.append)
    return RequestReply(request, tuple(notices))


def pending_requests() -> tuple[ApprovalRequest, ...]:
    """Return the pending requests of this project, the oldest first. Needs `helix-hooks[all]`.

    Raises:
        HelixError: The database can't be read, or a request was changed in it.
    """
    extras.require("ask", "queue")
    from .flow.client import exists
    from .queue import store

    with restored():
        place = _queue_place()
        if not exists(place.flow):
            return ()
        with store.opened(place.flow) as db:
            return db.requests(place.filter, (PENDING,), MOST_LISTED)


def _queue_place() -> "QueuePlace":
    from .queue import place

    return place.here(os.environ)


def verify(options: VerifyOptions = VerifyOptions()) -> VerifyReply:  # noqa: B008 -- a value
    """Compare the work with the approved ADRs, as `helix-hooks verify` does.

    Without options, the ADRs that the branch declares as implemented are verified. With
    `VerifyOptions(judge=True)` the judge is a child process of the calling program.

    Raises:
        UsageError: An ADR or a revision is unknown, or the folder is not in a git repository.
        ConfigError: The settings of the base are broken.
        HelixError: Git could not answer.
    """
    from .verify import run

    with restored():
        root = git.root_for("verify")
        verification = run.verify(options, root)
    return VerifyReply(verification.results, verification.base)
