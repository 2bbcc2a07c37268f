"""What a run comes to: one state, one conclusion of the check, one exit code. A pure function of facts; whatever did not happen is not green."""

from typing import NamedTuple

from ..adr.gate import GATE_RELAXED
from ..finding import SEVERITIES, Finding
from ..finding import failing as severities
from ..report.plain import counted
from .facts import PullRequest
from .handover import Handover, Said
from .votes import Vote

APPROVED, REJECTED, PENDING, FAILED, BROKEN, MOVED = "approved", "rejected", "pending", "failed", "broken", "moved"
CONCLUSIONS = {
    APPROVED: "success",
    REJECTED: "failure",
    PENDING: "action_required",
    FAILED: "failure",
    BROKEN: "failure",
    MOVED: "cancelled",
}
"""Never neutral, never skipped: GitHub lets a required check of either pass (docs.github.com, "Troubleshooting required status checks")."""

EXIT_CODES = {APPROVED: 0, REJECTED: 1, BROKEN: 2, FAILED: 3, MOVED: 3, PENDING: 4}
_ORDER = (BROKEN, MOVED, FAILED, REJECTED, PENDING, APPROVED)
"""From worst to best."""

SETTINGS_BROKEN = 2
_NAMED = 3
_PERSON = "somebody who may decide approves in a review, then this job is run again"


class Reason(NamedTuple):
    """Something that a state rests on: what it is, and who can do what about it."""

    state: str
    what: str
    way_out: str = ""


class Outcome(NamedTuple):
    """`reasons` are those of this state alone; `refused` are votes that do not count."""

    state: str
    reasons: tuple[Reason, ...]
    refused: tuple[Vote, ...] = ()

    @property
    def conclusion(self) -> str:
        return CONCLUSIONS[self.state]

    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self.state]


def worst(states: list[str]) -> str:
    return min(states, key=_ORDER.index)


def outcome(given: Handover, pull: PullRequest, votes: tuple[Vote, ...] = (), settling: Vote | None = None) -> Outcome:
    """What a run found, at the head that the pull request has by now, with what people say to it."""
    refused = tuple(vote for vote in votes if vote.refused)
    if moved := _moved(given, pull):
        return Outcome(MOVED, (moved,), refused)
    reasons = _of_queue(given, pull) if given.subject.merges else reasons_of(given)
    state = worst([reason.state for reason in reasons])
    told = tuple(reason for reason in reasons if reason.state == state)
    taken_back = given.subject.merges and settling is not None and not settling.approves  # in a queue nobody approves any more
    if settling is None or not (taken_back if given.subject.merges else state == PENDING):
        return Outcome(state, told, refused)
    if settling.approves:
        return Outcome(APPROVED, (Reason(APPROVED, f"@{settling.by.login} approved {pull.head[:7]}"),), refused)
    return Outcome(REJECTED, (Reason(REJECTED, f"@{settling.by.login} asks for changes"),), refused)


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
        way_out = "mend the settings at the base" if broken else "run the job again; nothing was approved"
        return [Reason(BROKEN if broken else FAILED, given.failure[1], way_out)]
    if not given.subject.settings:
        return [Reason(FAILED, "the rules were not checked", "run the job again; nothing was approved")]
    if not given.applies:
        return [Reason(APPROVED, "no ADR was changed, and nothing that this gate watches")]
    if found := _of_rules(given):
        return found
    if given.judge is None:
        return [Reason(FAILED, "the judge did not run", "run the job again; nothing was approved")]
    return [*_of_protected(given), *_of_judges(given)] or [Reason(APPROVED, "there was nothing for a judge to say")]


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
    return [*reasons, *(_pending(item) for item in relaxed)]


def _pending(item: Said) -> Reason:
    return Reason(PENDING, f"{item.finding.path}: {item.finding.message}", f"{_PERSON}, or the author takes it back")


def _of_protected(given: Handover) -> list[Reason]:
    if not given.protected:
        return []
    more = f", and {len(given.protected) - _NAMED} more" if len(given.protected) > _NAMED else ""
    named = ", ".join(given.protected[:_NAMED])
    return [Reason(PENDING, f"the change touches what is protected: {named}{more}", _PERSON)]


def _of_judges(given: Handover) -> list[Reason]:
    indicators = tuple(item.finding for item in given.indicators)
    reasons = []
    for judged in given.judged:
        decision = judged.decision(indicators)
        ways = {PENDING: _PERSON, REJECTED: "mend what is found, and push", FAILED: "run the job again"}
        reasons += [Reason(decision.state, f"{judged.verdict.approval_type}: {text}", ways.get(decision.state, "")) for text in decision.reasons]
    reasons += [_stated(*item) for item in given.stated]
    if not given.judged:
        reasons += [_pending(item) for item in given.indicators]
    if given.judge:
        reasons.append(Reason(PENDING, given.judge, _PERSON))
    return reasons


def _stated(name: str, result: str, reason: str) -> Reason:
    if result == APPROVED:
        return Reason(APPROVED, f"{name}: no judge was needed: {reason}")
    return Reason(PENDING, f"{name}: {reason}", _PERSON)
