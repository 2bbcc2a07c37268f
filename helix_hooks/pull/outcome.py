"""What a run comes to: one state, one conclusion of the check, one exit code. A pure function of facts; whatever did not happen is not green.

The facts are what the steps have found, the pull request as it is, what people said, the policy of the base, and the time.
"""

from collections.abc import Iterable
from typing import NamedTuple

from ..adr.gate import GATE_RELAXED
from ..approval import autonomy
from ..approval.people import Policy
from ..approval.request import AUTO_APPROVED, ESCALATED, standing
from ..approval.request import BLOCKED as EXPIRED
from ..finding import SEVERITIES, Finding
from ..finding import failing as severities
from ..report.plain import counted
from .facts import PullRequest
from .handover import Handover, Said
from .override import overridden
from .reason import APPROVED, BLOCKED, BROKEN, CONCLUSIONS, EXIT_CODES, FAILED, MOVED, PENDING, REJECTED, Reason, worst
from .statement import Statement
from .votes import Ballot, Vote

SETTINGS_BROKEN = 2
_NAMED = 3
_AGAIN = "comment `/helix review`, or run the job again; nothing was approved"


class Outcome(NamedTuple):
    """`reasons` are those of this state alone; `refused` are votes that do not count; `given` is what the state rests on, with what was
    overridden. `due` is when time alone will change it, in seconds since 1970 (0 for never), and `escalated` says that it did once.
    """

    state: str
    reasons: tuple[Reason, ...]
    refused: tuple[Vote, ...] = ()
    given: Handover | None = None
    due: int = 0
    escalated: bool = False

    @property
    def conclusion(self) -> str:
        return CONCLUSIONS[self.state]

    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self.state]


def outcome(given: Handover, pull: PullRequest, ballot: Ballot = Ballot(), now: int = 0) -> Outcome:  # noqa: B008 - it is frozen
    """What a run found, at the head that the pull request has by now, with what people say to it, at a time (seconds since 1970)."""
    given, asked = overridden(given, ballot.overrides)
    if moved := _moved(given, pull):
        return Outcome(MOVED, (moved,), ballot.refused, given)
    reasons = [*(_of_queue(given, pull) if given.subject.merges else reasons_of(given)), *asked]
    state = worst([reason.state for reason in reasons])
    told = tuple(reason for reason in reasons if reason.state == state)
    if not given.applies or state not in (APPROVED, PENDING):
        return Outcome(state, told, ballot.refused, given)
    if against := _against(given, ballot):
        return Outcome(worst([reason.state for reason in against]), against, ballot.refused, given)
    if given.subject.merges or state == APPROVED:  # in a queue nobody approves any more
        return Outcome(state, told, ballot.refused, given)
    return _decided(given, told, ballot, now)


def _against(given: Handover, ballot: Ballot) -> tuple[Reason, ...]:
    """Objections, and votes that somebody else has changed."""
    last = dict(ballot.last)
    touched = [item for item in given.kept.tampered if last.get(item.id, 0) <= item.at]
    found = [Reason(FAILED, f"{item.by} edited or deleted a vote of @{item.login}", f"@{item.login} votes again") for item in touched]
    found += [Reason(REJECTED, _said(said), "mend it; @" + said.by.login + " approves then, or takes it back") for said in ballot.objections]
    state = worst([reason.state for reason in found]) if found else ""
    return tuple(reason for reason in found if reason.state == state)


def _said(said: Statement) -> str:
    about = f" of {', '.join(said.types)}" if said.types else ""
    return f"@{said.by.login} asks for changes{about}{f': {said.words}' if said.words else ''}"


def _decided(given: Handover, asked: tuple[Reason, ...], ballot: Ballot, now: int) -> Outcome:
    """What is asked of people, each question for itself."""
    since, policy = given.kept.since or now, given.policy if not given.subject.draft else given.policy._replace(deadlines=())
    answers = [_answered(reason, ballot, policy, since, now) for reason in asked]
    state = worst([reason.state for reason in answers])
    left = tuple(reason for reason in answers if reason.state == state)
    late = tuple(Vote(said, "it came after the deadline; `/helix review` asks anew") for said in _late(asked, ballot, policy, since, now))
    escalated = state == PENDING and any(standing(item.category, since, policy, now).state == ESCALATED for item in left)
    due = min((item.due for item in left if item.due), default=0) if state == PENDING else 0
    shown = tuple(dict.fromkeys(left)) if state != APPROVED else _by_whom(left)
    return Outcome(state, shown, (*ballot.refused, *late), given, due, escalated)


def _by_whom(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    return tuple({reason.what: reason for reason in reasons}.values())


def _answered(reason: Reason, ballot: Ballot, policy: Policy, since: int, now: int) -> Reason:
    """A question with what people said to it, or with what its deadline makes of it."""
    now_is = standing(reason.category, since, policy, now)
    people = {said.by.id: said for said in ballot.approvals if _covers(said, reason) and (not now_is.until or said.at < now_is.until)}
    wanted, names = policy.deciders.minimum, [_name(said, policy) for said in people.values()]
    if len(people) >= wanted:
        about = f"{reason.about}: " if reason.about else ""
        return Reason(APPROVED, f"{about}{' and '.join(names)} approved {next(iter(people.values())).commit[:7]}", about=reason.about)
    if now_is.state == AUTO_APPROVED:
        return Reason(APPROVED, f"{reason.what}: nobody has objected until the deadline, and policy.on_expiry approves then", about=reason.about)
    if now_is.state == EXPIRED:
        return reason._replace(state=BLOCKED, what=f"{reason.what}: nobody has decided until the deadline", way_out="`/helix review` asks anew")
    some = f" ({len(people)} of {wanted} approvals: {', '.join(names)})" if people else ""
    return reason._replace(what=f"{reason.what}{some}", due=now_is.due)


def _name(said: Statement, policy: Policy) -> str:
    sole = said.by.login.casefold() == policy.deciders.sole.casefold()
    return f"@{said.by.login}{' (whom policy.sole_maintainer lets approve their own changes)' if sole else ''}"


def _covers(said: Statement, reason: Reason) -> bool:
    return not said.types or reason.about in said.types


def _late(asked: tuple[Reason, ...], ballot: Ballot, policy: Policy, since: int, now: int) -> list[Statement]:
    ends = [(reason, standing(reason.category, since, policy, now).until) for reason in asked]
    return [said for said in ballot.approvals if any(until and said.at >= until and _covers(said, reason) for reason, until in ends)]


def _moved(given: Handover, pull: PullRequest) -> Reason | None:
    if given.subject.merges:
        return None
    if pull.head != given.subject.head:
        return Reason(MOVED, f"the branch moved on to {pull.head[:7]} meanwhile", "the run for that commit says what counts")
    if given.subject.base_ref and pull.base_ref != given.subject.base_ref:
        return Reason(MOVED, f"it goes to {pull.base_ref} by now, not to {given.subject.base_ref}", "the run for that branch says what counts")
    return None


def reasons_of(given: Handover) -> list[Reason]:
    """All that speaks for or against, before anybody voted; at least one."""
    if given.failure:
        broken = given.failure[0] == SETTINGS_BROKEN
        return [
            Reason(BROKEN if broken else FAILED, given.failure[1], "mend the settings at the base, or the inputs of the action" if broken else _AGAIN)
        ]
    if not given.subject.settings:
        return [Reason(FAILED, "the rules were not checked", _AGAIN)]
    if not given.applies:
        return [Reason(APPROVED, "no ADR was changed, and nothing that this gate watches")]
    if found := _of_rules(given):
        return found
    if given.judge is None:
        return [Reason(FAILED, "the judge did not run", _AGAIN)]
    return [*_of_protected(given), *_of_judges(given), *_of_autonomy(given)] or [Reason(APPROVED, "there was nothing for a judge to say")]


def _of_queue(given: Handover, pull: PullRequest) -> list[Reason]:
    """A merge queue asks once more: the rules on the tree that would be merged, and whether the pull request was approved. No judge."""
    reasons = reasons_of(given._replace(judge=""))
    worst_of_all = worst([reason.state for reason in reasons])
    if not given.applies or worst_of_all not in (APPROVED, PENDING):
        return reasons
    if pull.status and pull.status.conclusion == CONCLUSIONS[APPROVED]:
        return [Reason(APPROVED, f"#{pull.number} is approved at {pull.head[:7]}")]
    return [Reason(PENDING, f"#{pull.number} is not approved at {pull.head[:7]}", "take it out of the queue, and approve it first")]


def failing(given: Handover) -> list[Said]:
    """The findings of the rules for which the change is stopped."""
    return [item for item in given.said if item.finding.severity in severities(given.fail_on) or _is_relaxed(item.finding)]


def _is_relaxed(finding: Finding) -> bool:
    """What hides an error asks for a person, whatever the change may fail on."""
    return finding.check == GATE_RELAXED.id and finding.severity == SEVERITIES[0]


def _of_rules(given: Handover) -> list[Reason]:
    found = failing(given)
    relaxed = [item for item in found if _is_relaxed(item.finding)]
    wrong = len(found) - len(relaxed)
    reasons = [Reason(REJECTED, f"{counted(wrong, 'finding')} to mend", "mend what is found, and push")] if wrong else []
    return [*reasons, *(_pending(item)._replace(way_out="the author takes it back, or a person approves") for item in relaxed)]


def _pending(item: Said) -> Reason:
    return Reason(PENDING, f"{item.finding.path}: {item.finding.message}", category=autonomy.CRITICAL)


def _of_protected(given: Handover) -> list[Reason]:
    if not given.protected:
        return []
    more = f", and {len(given.protected) - _NAMED} more" if len(given.protected) > _NAMED else ""
    named = ", ".join(given.protected[:_NAMED])
    return [Reason(PENDING, f"the change touches what is protected: {named}{more}", category=autonomy.CRITICAL)]


def _of_judges(given: Handover) -> list[Reason]:
    indicators = tuple(item.finding for item in given.indicators)
    reasons = []
    for judged in given.judged:
        decision, name = judged.decision(indicators), judged.verdict.approval_type
        ways = {REJECTED: "mend what is found, and push", FAILED: _AGAIN}
        reasons += [Reason(decision.state, f"{name}: {text}", ways.get(decision.state, ""), decision.category, name) for text in decision.reasons]
    reasons += [_stated(*item) for item in given.stated]
    if not given.judged:
        reasons += [_pending(item) for item in given.indicators]
    if given.judge:
        reasons.append(Reason(PENDING, given.judge, category=_why_unasked(given)))
    return reasons


def _why_unasked(given: Handover) -> str:
    """A budget that is used up is an action of the matrix; else no judge could look."""
    spent = given.policy.budget is not None and given.kept.spent >= given.policy.budget
    return autonomy.category("budget_threshold_exceeded") if spent else autonomy.EXPERTISE


def _of_autonomy(given: Handover) -> list[Reason]:
    level = given.policy.autonomy
    return [
        Reason(PENDING, f"{name}: a person approves it: {action.replace('_', ' ')}, with autonomy {level}", "", autonomy.category(action), name)
        for name, action in given.asks
    ]


def _stated(name: str, result: str, reason: str) -> Reason:
    if result == APPROVED:
        return Reason(APPROVED, f"{name}: no judge was needed: {reason}")
    return Reason(PENDING, f"{name}: {reason}", category=autonomy.CRITICAL, about=name)
