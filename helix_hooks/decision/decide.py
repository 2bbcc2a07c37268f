"""Compute the state, check conclusion and exit code of a run from facts. Pure.

The check succeeds only if every step ran and every approval was given. The local `approve` and the
Action use the same function. Only the answers differ: on a pull request people vote and deadlines
pass; on a machine a question stays open.

A deadline is computed from when its question was asked, the policy, and the time: no process waits
for it. Compared with seed 4, "Timeout", there is one escalation, and critical questions are never
approved by time. Times are seconds since 1970.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..adr.check_report import CheckReport
from ..config.policy import (
    AUTO_APPROVE,
    CRITICAL,
    ESCALATE,
    EXPERTISE,
    MILESTONE,
    NEVER_BY_ITSELF,
    ROUTINE,
    UNCERTAINTY,
    Deciders,
    Policy,
)
from ..finding import Finding
from ..verdict.approval_result import ApprovalResult
from .handover import Handover
from .pull_request import PullRequest
from .reasons import NOTHING_TO_JUDGE, of_assessment, of_signs, reasons_in_queue, reasons_of
from .run_state import Tampering
from .states import (
    APPROVED,
    BLOCKED,
    CONCLUSIONS,
    EXIT_CODES,
    FAILED,
    MOVED,
    PENDING,
    REJECTED,
    Assessment,
    Reason,
    worst,
)
from .votes import EffectiveVotes, Vote, overridden

NO_VOTES = EffectiveVotes()


class Facts(NamedTuple):
    """The reasons and votes for one decision.

    `reasons` are those for and against a change before any vote; there is at least one. The other
    fields are for a pull request: `handover` with overrides applied, its `author`, the votes, and
    the time in seconds since 1970. Without a hand-over no question can be answered.
    """

    reasons: tuple[Reason, ...]
    handover: Handover | None = None
    author: str = ""
    votes: EffectiveVotes = NO_VOTES
    now: int = 0


def of_pull_request(
    handover: Handover, pull: PullRequest, votes: EffectiveVotes = NO_VOTES, now: int = 0
) -> Facts:
    """Return the facts about a pull request: hand-over, current head and votes."""
    handover, unseen = overridden(handover, votes.overrides)
    moved = _moved(handover, pull)
    if moved:
        reasons = [moved]
    elif handover.target.merges:
        reasons = [*reasons_in_queue(handover, pull), *unseen]
    else:
        reasons = [*reasons_of(handover), *unseen]
    return Facts(tuple(reasons), handover, pull.author.login, votes, now)


def of_review(assessments: Mapping[str, Assessment], indicators: tuple[Finding, ...] = ()) -> Facts:
    """Return the facts of a local review, by approval type.

    Without any verdict the indicators are still questions to a person.
    """
    reasons: list[Reason] = []
    for name, assessment in assessments.items():
        reasons += of_assessment(name, assessment, indicators)
    if not assessments:
        reasons = of_signs(indicators)
    return Facts(tuple(reasons) or (NOTHING_TO_JUDGE,))


def of_rejection(reason: str) -> Facts:
    """Return the facts of a review that ended before any judge ran."""
    return Facts((Reason(state=REJECTED, text=reason),))


def _moved(handover: Handover, pull: PullRequest) -> Reason | None:
    """Return why another run decides about the pull request now; None if this one does."""
    run = handover.target
    if run.merges:
        return None
    if pull.head != run.head:
        text = f"{pull.head[:7]} was pushed meanwhile"
        return Reason(state=MOVED, text=text, way_out="wait for the run for that commit")
    if run.base_ref and pull.base_ref != run.base_ref:
        text = f"the base branch is now {pull.base_ref}, not {run.base_ref}"
        return Reason(state=MOVED, text=text, way_out="wait for the run for that branch")
    return None


WAITING, ESCALATED, EXPIRED, AUTO_APPROVED = "waiting", "escalated", "blocked", "auto_approved"
LONGER = 24 * 3600
"""Seconds that an escalation adds to a deadline."""


class DeadlineStatus(NamedTuple):
    """The deadline of a question: `due` is when its state changes, 0 for never.

    An answer counts before `until`, 0 for always.
    """

    state: str
    due: int = 0
    until: int = 0


def deadline_status(category: str, since: int, policy: Policy, now: int) -> DeadlineStatus:
    """Return the status of a question that was asked at `since`.

    In the second of its deadline it has expired.
    """
    allowed = dict(policy.deadlines).get(category, 0)
    if not allowed:
        return DeadlineStatus(WAITING)
    due = since + allowed
    action = policy.expiry.action
    last = due + LONGER if action == ESCALATE else due
    if now < due:
        return DeadlineStatus(WAITING, due, last)
    if action == ESCALATE and now < last:
        return DeadlineStatus(ESCALATED, last, last)
    if action == AUTO_APPROVE and category not in NEVER_BY_ITSELF:
        return DeadlineStatus(AUTO_APPROVED, 0, last)
    return DeadlineStatus(EXPIRED, 0, last)


_NEW_DEADLINE = "`/helix review` sets a new deadline"


class Clock(NamedTuple):
    """The policy with its deadlines, and the times that deadlines depend on.

    `since` is when people were asked, and `now` the current time, both in seconds since 1970.
    """

    policy: Policy
    since: int
    now: int

    def status(self, category: str) -> DeadlineStatus:
        """Return the deadline status of a question of a category."""
        return deadline_status(category, self.since, self.policy, self.now)


def answer(question: Reason, approvals: Iterable[Vote], clock: Clock) -> Reason:
    """Return a question with its answer: by approvals, or by its deadline; else still open."""
    deadline = clock.status(question.category)
    votes = one_a_right(_in_time(approvals, question, deadline))
    if len(votes) >= clock.policy.deciders.minimum:
        return _approved(question, votes, clock.policy)
    if deadline.state == AUTO_APPROVED:
        text = (
            f"{question.text}: nobody objected before the deadline, so policy.on_expiry approves it"
        )
        return Reason(state=APPROVED, text=text, about=question.about)
    if deadline.state == EXPIRED:
        # A failed judge stays a failure: it still gave no verdict.
        state = FAILED if question.state == FAILED else BLOCKED
        text = f"{question.text}: nobody decided before the deadline"
        return question._replace(state=state, text=text, way_out=_NEW_DEADLINE)
    text = f"{question.text}{_some(votes, clock.policy)}"
    return question._replace(text=text, due=deadline.due)


def _in_time(
    approvals: Iterable[Vote], question: Reason, deadline: DeadlineStatus
) -> Iterator[Vote]:
    """Yield the approvals of a question that were given before its deadline."""
    for vote in approvals:
        if covers(vote, question) and (not deadline.until or vote.at < deadline.until):
            yield vote


def one_a_right(votes: Iterable[Vote]) -> tuple[Vote, ...]:
    """Return one vote for each right: the last one of its owner, else of the first delegate.

    A person and their delegates share one right.
    """
    chosen: dict[str, Vote] = {}
    for vote in votes:
        earlier = chosen.setdefault(vote.right, vote)
        # The vote of the owner replaces that of a delegate, and a later vote one's own earlier.
        is_own = bool(earlier.stands_for) and not vote.stands_for
        if is_own or vote.by.id == earlier.by.id:
            chosen[vote.right] = vote
    return tuple(chosen.values())


def doubles(questions: Iterable[Reason], approvals: Sequence[Vote]) -> list[tuple[Vote, str]]:
    """Return the approvals whose right another person has used already, each with the reason why
    it does not count.
    """
    used: set[tuple[str, int]] = set()
    relevant: dict[Vote, None] = {}
    for question in questions:
        votes = [vote for vote in approvals if covers(vote, question)]
        used |= {(vote.right, vote.by.id) for vote in one_a_right(votes)}
        relevant |= dict.fromkeys(votes)
    return [(vote, _same_right(vote)) for vote in relevant if (vote.right, vote.by.id) not in used]


def _same_right(vote: Vote) -> str:
    giver = vote.stands_for or vote.by.login
    return f"@{giver} and their delegate share one vote"


def _approved(question: Reason, votes: Sequence[Vote], policy: Policy) -> Reason:
    topic = f"{question.about}: " if question.about else ""
    names = " and ".join(_name(vote, policy) for vote in votes)
    return Reason(
        state=APPROVED,
        text=f"{topic}{names} approved {votes[0].commit[:7]}",
        about=question.about,
        by=tuple(vote.by.login for vote in votes),
    )


def _some(votes: Sequence[Vote], policy: Policy) -> str:
    """Return how many approvals there are, if not yet enough; "" without any."""
    if not votes:
        return ""
    names = ", ".join(_name(vote, policy) for vote in votes)
    return f" ({len(votes)} of {policy.deciders.minimum} approvals: {names})"


def _name(vote: Vote, policy: Policy) -> str:
    name = f"@{vote.by.login}{as_delegate(vote)}"
    if vote.by.login.casefold() == policy.deciders.sole.casefold():
        return f"{name} (allowed by policy.sole_maintainer)"
    return name


def as_delegate(vote: Vote) -> str:
    """Return the note on a delegate's vote that names the person represented; "" for others."""
    if not vote.stands_for:
        return ""
    return f" (as delegate of @{vote.stands_for})"


def covers(vote: Vote, question: Reason) -> bool:
    """Return whether a vote is about a question.

    A vote without approval types is about all of them.
    """
    return not vote.types or question.about in vote.types


def late(
    questions: Iterable[Reason], approvals: Iterable[Vote], clock: Clock
) -> list[tuple[Vote, str]]:
    """Return the approvals that came after the deadlines of all their questions, each with the
    reason why it does not count.
    """
    ends = [(question, clock.status(question.category).until) for question in questions]
    why = f"it came after the deadline; {_NEW_DEADLINE}"
    return [(vote, why) for vote in approvals if _is_late(vote, ends)]


def _is_late(vote: Vote, ends: Iterable[tuple[Reason, int]]) -> bool:
    untils = [until for question, until in ends if covers(vote, question)]
    return bool(untils) and all(until and vote.at >= until for until in untils)


_AROUND = "an administrator can remove the check `helix` from the ruleset to merge a new policy"
_BY_WEIGHT = (CRITICAL, UNCERTAINTY, EXPERTISE, MILESTONE, ROUTINE)
"""Categories, starting with those that no deadline approves."""


class Decision(NamedTuple):
    """The state of a run, with its reasons.

    `reasons` are those of this state; if a judge failed, also the other questions and objections.
    `refused` are votes that do not count. `handover` has the facts, with overrides applied; None
    for a local review. `due` is when time alone will change the state, in seconds since 1970 (0 for
    never), and `escalated` tells whether it did so once. `asked` are the questions that an approval
    answers now; it is empty while anything else blocks, because an approval would change nothing.
    `author` opened the pull request, and so may not answer them.
    """

    state: str
    reasons: tuple[Reason, ...]
    refused: tuple[Vote, ...] = ()
    handover: Handover | None = None
    due: int = 0
    escalated: bool = False
    asked: tuple[Reason, ...] = ()
    author: str = ""

    @property
    def conclusion(self) -> str:
        """The conclusion of the check run."""
        return CONCLUSIONS[self.state]

    @property
    def exit_code(self) -> int:
        """The exit code of the command."""
        return EXIT_CODES[self.state]

    @property
    def category(self) -> str:
        """The most critical category of the questions to a person; "" in any other state."""
        if self.state != PENDING:
            return ""
        return weightiest(self.reasons)


def weightiest(reasons: Iterable[Reason]) -> str:
    """Return the most critical category of some reasons, "" if none has one."""
    categories = {reason.category for reason in reasons}
    return next((category for category in _BY_WEIGHT if category in categories), "")


def decide(facts: Facts) -> Decision:
    """Compute the decision: the worst state of all reasons, with questions answered by people."""
    decision = _before_votes(facts)
    handover = facts.handover
    if handover is None or not handover.applies:
        return decision
    # A failed step or a finding to fix is no question, so no vote changes it.
    if not all(reason.state == APPROVED or reason.is_question for reason in facts.reasons):
        return decision
    against = _against(handover, facts.votes)
    # In a merge queue only objections count: approvals were given before.
    if handover.target.merges or decision.state == APPROVED:
        if not against:
            return decision
        return decision._replace(state=against[0].state, reasons=against)
    decision = _after_votes(decision, facts, handover, against)
    return _with_stuck_reason(decision, handover.deciders, facts.author)


def _before_votes(facts: Facts) -> Decision:
    """Return the decision before any vote."""
    state = worst([reason.state for reason in facts.reasons])
    reasons = tuple(reason for reason in facts.reasons if reason.state == state)
    return Decision(
        state=state, reasons=reasons, refused=facts.votes.refused, handover=facts.handover
    )


def _against(handover: Handover, votes: EffectiveVotes) -> tuple[Reason, ...]:
    """Return the objections; or, which is worse, the votes that another user has changed."""
    last = dict(votes.last)
    tampered = [item for item in handover.carried.tampered if last.get(item.id, 0) <= item.at]
    if tampered:
        return tuple(_of_tampering(item) for item in tampered)
    # An objection with a reason comes first: the author can do something about it.
    objections = sorted(votes.objections, key=lambda vote: vote.is_unexplained)
    return tuple(_of_objection(vote, handover) for vote in objections)


def _of_tampering(item: Tampering) -> Reason:
    return Reason(
        state=FAILED,
        text=f"{item.by} edited or deleted a vote of @{item.login}",
        way_out=f"@{item.login} votes again",
        by=(item.login,),
    )


def _of_objection(vote: Vote, handover: Handover) -> Reason:
    if vote.is_unexplained:
        return Reason(
            state=PENDING,
            text=f"@{vote.by.login}{as_delegate(vote)} objects without a reason",
            way_out=f"@{vote.by.login} gives a reason, or approves",
            by=(vote.by.login,),
        )
    types = ", ".join(vote.types)
    topic, words = "", vote.words
    if set(vote.types) <= set(handover.types):
        topic = f" of {types}" if types else ""
    else:
        # `for` with an unknown type is part of the reason, as in "for now, keep it".
        words = f"for {types} {words}"
    reason = f": {words}" if words else ""
    return Reason(
        state=REJECTED,
        text=f"@{vote.by.login}{as_delegate(vote)} asks for changes{topic}{reason}",
        way_out=f"the author fixes it, then @{vote.by.login} approves",
        by=(vote.by.login,),
    )


def _after_votes(
    decision: Decision, facts: Facts, handover: Handover, against: tuple[Reason, ...]
) -> Decision:
    """Return the decision with each question answered separately.

    An objection outranks an open question, and a failed judge outranks an objection.
    """
    clock, approvals = _clock(facts, handover), facts.votes.approvals
    questions = tuple(reason for reason in facts.reasons if reason.is_question)
    at_head = _at_head(approvals, handover.target.head)
    # An approval of the same content elsewhere relied on a verdict, which is missing here.
    answers = [
        answer(question, at_head if question.state == FAILED else approvals, clock)
        for question in questions
    ]
    state = worst([item.state for item in answers])
    if against and state != FAILED:
        return decision._replace(state=against[0].state, reasons=against)
    unused = [*late(questions, approvals, clock), *doubles(questions, approvals)]
    if state == FAILED:
        unused += _elsewhere(approvals, at_head)
    unused_votes = (vote._replace(refused=reason) for vote, reason in unused)
    refused = (*facts.votes.refused, *unused_votes)
    decision = decision._replace(state=state, refused=refused)
    if state == APPROVED:
        return decision._replace(reasons=_without_doubles(answers))
    return _open(decision, _unanswered(answers, state), against, clock)


def _at_head(approvals: Iterable[Vote], head: str) -> list[Vote]:
    return [vote for vote in approvals if head.startswith(vote.commit)]


def _elsewhere(approvals: Iterable[Vote], at_head: Collection[Vote]) -> Iterator[tuple[Vote, str]]:
    """Yield the approvals of other commits, each with the reason why it does not count."""
    for vote in approvals:
        if vote not in at_head:
            yield vote, f"it was for {vote.commit[:7]}, and the judge failed here"


def _unanswered(answers: Iterable[Reason], state: str) -> tuple[Reason, ...]:
    """Return the open questions of a state, each once; if a judge failed, those of all states."""
    if state == FAILED:
        questions = [item for item in answers if item.state != APPROVED]
    else:
        questions = [item for item in answers if item.state == state]
    return tuple(dict.fromkeys(questions))


def _open(
    decision: Decision, questions: tuple[Reason, ...], against: tuple[Reason, ...], clock: Clock
) -> Decision:
    """Return the decision while questions are open. No approval answers an expired one."""
    deadlines = [clock.status(question.category).state for question in questions]
    if against or EXPIRED in deadlines:
        return decision._replace(reasons=(*against, *questions))
    due = min((question.due for question in questions if question.due), default=0)
    return decision._replace(
        reasons=questions, due=due, escalated=ESCALATED in deadlines, asked=questions
    )


def _clock(facts: Facts, handover: Handover) -> Clock:
    """Return the clock of the questions. A draft has no deadlines."""
    policy = handover.policy._replace(deciders=handover.deciders)
    if handover.target.draft:
        policy = policy._replace(deadlines={})
    return Clock(policy, handover.carried.since or facts.now, facts.now)


def _with_stuck_reason(decision: Decision, deciders: Deciders, author: str) -> Decision:
    """Return the decision, without its question if too few people may approve."""
    stuck = _stuck(deciders, author) if decision.asked else ""
    if not stuck:
        return decision._replace(author=author)
    reasons = tuple(reason._replace(way_out=stuck) for reason in decision.reasons)
    return decision._replace(reasons=reasons, asked=())


def _stuck(deciders: Deciders, author: str) -> str:
    """Return why there are too few deciders besides the author, "" if there are enough."""
    others = deciders.left_without(author)
    if others is None or others >= deciders.minimum:
        return ""
    names = ", ".join(deciders.people)
    line = f"; if that is meant, add `sole_maintainer: {author}` to `policy`"
    if not deciders.are_named(author):
        line = ""
    return (
        f"nobody can approve it: policy.approvers names {names}, and @{author} wrote it; "
        f"{_AROUND}{line}"
    )


def _without_doubles(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    return tuple({reason.text: reason for reason in reasons}.values())


class ApproveResult(NamedTuple):
    """The decision of a call, with everything it is based on.

    `verdicts` are those of judges, with the decision on each in `decisions`, by approval type.
    `unjudged` are the results of types for which no judge ran; their summary is the reason.
    `lines` are the texts of the lines with findings of judges or indicators, by path and number.
    `rubric_from` names the revision whose rubric was used. `base` is "" for a call without one.
    """

    decision: Decision
    report: CheckReport
    verdicts: tuple[ApprovalResult, ...]
    decisions: dict[str, Decision]
    unjudged: tuple[ApprovalResult, ...]
    indicators: tuple[Finding, ...]
    lines: dict[str, dict[int, str]]
    rubric_from: str
    base: str
    head: str
    deciders: Deciders = Deciders()

    @property
    def skipped(self) -> bool:
        """True if nothing stands against the change, and no judge has reviewed it."""
        return self.decision.state == APPROVED and not self.verdicts
