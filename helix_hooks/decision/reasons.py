"""The reasons for and against a change before any vote, each with a state of its own. Pure."""

from collections.abc import Iterable
from typing import NamedTuple

from ..adr.rules.gate.gate_relaxed import gate_relaxed
from ..config.policy import CRITICAL, EXPERTISE, category
from ..config.policy import category as category_of
from ..finding import Finding
from ..finding import failing as severities
from ..text import counted
from ..verdict.approval_result import SKIPPED
from ..verification import result as verification
from .handover import Broken, ClaimedAdr, Failure, Handover, PlacedFinding, Repair, TakenId
from .pull_request import GroupMember, PullRequest
from .states import (
    APPROVED,
    BROKEN,
    CONCLUSIONS,
    EXIT_CODES,
    FAILED,
    PENDING,
    REJECTED,
    Assessment,
    Reason,
    in_words,
    worst,
)

_NAMED = 3
"""Maximum number of paths in a line."""

_ACTIONS = {
    "requirements_approval": "an approval of requirements",
    "architecture_decision": "an architecture decision",
    "sprint_start": "the start of a sprint",
    "story_implementation": "the implementation of a story",
    "pr_merge": "a merge",
    "sprint_completion": "the completion of a sprint",
    "budget_threshold_exceeded": "spending above the budget",
    "production_deployment": "a deployment to production",
}
"""The actions of the autonomy matrix in words."""


class PolicyQuestion(NamedTuple):
    """A question to a person, with its category.

    `about` is an approval type, "" for the change as a whole.
    """

    question: str
    category: str
    about: str = ""

    @property
    def text(self) -> str:
        """The question with its approval type."""
        if not self.about:
            return self.question
        return f"{self.about}: {self.question}"


def of_protected(paths: tuple[str, ...], left_out: int = 0) -> tuple[PolicyQuestion, ...]:
    """Return the question about changed paths that are protected.

    `left_out` is the number of such paths that `paths` omits.
    """
    if not paths:
        return ()
    text = f"the change touches protected paths: {few(paths, left_out)}"
    return (PolicyQuestion(text, CRITICAL),)


def of_actions(asks: Iterable[tuple[str, str]]) -> tuple[PolicyQuestion, ...]:
    """Return the questions about approval types, each with the action that requires a person."""
    return tuple(
        PolicyQuestion(needs_maintainer(action), category(action), name) for name, action in asks
    )


def needs_maintainer(action: str) -> str:
    """Return why a person decides about an action of the autonomy matrix, in the reader's words."""
    return f"{_ACTIONS[action]} needs a maintainer here"


def few(paths: tuple[str, ...], left_out: int = 0) -> str:
    """Return the first paths as one line, and the number of the others."""
    listed = ", ".join(paths[:_NAMED])
    others = max(0, len(paths) - _NAMED) + left_out
    if not others:
        return listed
    return f"{listed}, and {others} more"


_LISTED = 20
"""Maximum number of files of a repair that are listed: an approver must see what they approve."""

_REPAIR = "repair the settings, in the change or at the base, or the inputs of the action"
FIX = "fix the findings and push"
NEW_ID = "rebase, give the new ADR the next free id, and push"
_INSTEAD = "a person approves, or `/helix review` asks the judge again"
_AGAIN = "comment `/helix review`, or run the job again; nothing was approved"
_LIST = "`helix-hooks verify {}` shows it"
_DELIVER = "the author completes the work and pushes, or withdraws the claim"
_WAYS_OUT = {REJECTED: FIX, FAILED: _INSTEAD}
BY_HAND = "no judge reviews this type, so a person decides"
"""The reason for an approval type that a person approves."""
NOT_GREEN = "not green"
"""The reason of a pull request whose own check tells why it is not approved."""

NOTHING_TO_JUDGE = Reason(state=APPROVED, text="nothing to review")


def reasons_of(handover: Handover) -> list[Reason]:
    """Return the reasons for and against a change before any vote; at least one.

    A failed step, broken settings and findings of rules come first: then no question is asked.
    """
    if handover.failure:
        return _of_failure(handover.failure, handover.broken)
    if not handover.target.settings:
        return [Reason(state=FAILED, text="the rules were not checked", way_out=_AGAIN)]
    if not handover.applies:
        return [Reason(state=APPROVED, text="no watched files were changed")]
    if handover.repair:
        return [_of_repair(handover.repair)]
    of_rules, claimed = _of_rules(handover), of_claims(handover.claimed)
    if stops_judges(handover) or any(reason.state != PENDING for reason in claimed):
        return [*of_rules, *claimed]
    if handover.no_judge is None:
        return [Reason(state=FAILED, text="the judge did not run", way_out=_AGAIN)]
    return [*of_rules, *claimed, *_after_judges(handover)] or [NOTHING_TO_JUDGE]


def _of_taken(item: TakenId) -> Reason:
    text = f"id {item.key} is taken on {item.branch} by {item.by}, so {item.path} can't have it"
    return Reason(state=REJECTED, text=text, way_out=NEW_ID)


def _after_judges(handover: Handover) -> list[Reason]:
    return [
        *of_questions(of_protected(handover.protected, handover.protected_left_out)),
        *_of_judges(handover),
        *of_questions(of_actions(handover.asks)),
        *_of_budget(handover),
        *_of_unkept(handover),
    ]


def reasons_in_queue(handover: Handover, pull: PullRequest) -> list[Reason]:
    """Return the reasons in a merge queue, from the tree that would be merged.

    The rules are checked again, each pull request of the group must be approved, and no judge runs.
    """
    reasons = reasons_of(handover._replace(no_judge=""))
    state = worst([reason.state for reason in reasons])
    if not handover.applies or state not in (APPROVED, PENDING):
        return reasons
    is_approved = bool(pull.status and pull.status.conclusion == CONCLUSIONS[APPROVED])
    own = GroupMember(pull.number, pull.head, "" if is_approved else NOT_GREEN)
    unknown = [
        Reason(state=PENDING, text=line, way_out="take it out of the queue, and queue it again")
        for line in handover.unknown_commits
    ]
    members = [*pull.group, own]
    if unknown and own.number not in dict(handover.group):
        members = [*pull.group]  # its commit is among the unknown ones
    return [*map(_of_member, members), *unknown]


def _of_member(member: GroupMember) -> Reason:
    where = f"at {member.head[:7]}"
    if not member.reason:
        return Reason(state=APPROVED, text=f"#{member.number} is approved {where}")
    reason = "" if member.reason == NOT_GREEN else f": {member.reason}"
    return Reason(
        state=PENDING,
        text=f"#{member.number} is not approved {where}{reason}",
        way_out="take it out of the queue, approve it, and queue it again",
    )


def _of_failure(failure: Failure, broken: tuple[Broken, ...]) -> list[Reason]:
    if broken:
        return [Reason(state=BROKEN, text=item.error, way_out=item.advice) for item in broken]
    if failure.code == EXIT_CODES[BROKEN]:
        return [Reason(state=BROKEN, text=failure.message, way_out=_REPAIR)]
    return [Reason(state=FAILED, text=failure.message, way_out=_AGAIN)]


def _of_repair(repair: Repair) -> Reason:
    files = ", ".join(repair.files[:_LISTED])
    if len(repair.files) > _LISTED:
        files += f", and {len(repair.files) - _LISTED} more"
    text = f"the change repairs broken settings with {files}; {repair.whose}"
    return Reason(state=PENDING, text=text, way_out="a person approves", category=CRITICAL)


def failing(handover: Handover) -> list[PlacedFinding]:
    """Return the findings of the rules that block the change.

    A question to a person blocks it whatever `fail_on` says.
    """
    blocking = severities(handover.fail_on)
    return [
        item
        for item in handover.rule_findings
        if item.finding.severity in blocking or item.finding.question
    ]


def stops_judges(handover: Handover) -> bool:
    """Return whether findings of the rules stop the change before a judge is asked.

    An id that was taken does so too. A question about an accepted ADR does not: a judge still
    reviews the other ADRs.
    """
    return bool(handover.taken) or any(
        not item.finding.question or item.finding.check == gate_relaxed.id
        for item in failing(handover)
    )


def _of_rules(handover: Handover) -> list[Reason]:
    """Return the reasons from the rules, and from the ids that were taken since they ran."""
    taken = list(map(_of_taken, handover.taken))
    findings = [item.finding for item in failing(handover)]
    questions = [finding for finding in findings if finding.question]
    reasons = []
    number = len(findings) - len(questions)
    if number:
        text = f"{counted(number, 'finding')} to fix"
        reasons.append(Reason(state=REJECTED, text=text, way_out=FIX))
    return taken + reasons + of_rule_questions(questions)


def of_rule_questions(findings: Iterable[Finding]) -> list[Reason]:
    """Return the questions to a person that rules ask."""
    way_out = "the author reverts it, or a person approves"
    return [_pending(finding)._replace(way_out=way_out) for finding in findings]


def of_claims(claimed: Iterable[ClaimedAdr]) -> list[Reason]:
    """Return the reasons against a change that claims to implement ADRs without proof."""
    return [
        _of_claim(item) for item in claimed if item.blocks and item.state != verification.VERIFIED
    ]


def _of_claim(item: ClaimedAdr) -> Reason:
    if item.state == verification.UNMET:
        verb = "is" if item.missing == 1 else "are"
        lack = f"{item.missing} of {counted(item.promises, 'promise')} {verb} missing"
        text = f"{item.name} is not implemented: {lack}"
        look = _LIST.format(item.name)
        return Reason(state=REJECTED, text=text, way_out=f"{_DELIVER}; {look}")
    if item.state == verification.FAILED:
        text = f"{item.name} could not be verified: {item.reason}"
        return Reason(state=FAILED, text=text, way_out=_AGAIN)
    reason, way_out = item.reason, "the author withdraws the claim, or a person approves"
    if item.state == verification.UNPROVEN:
        reason = item.counts or verification.PROMISES_NOTHING
        way_out = f"a person looks and approves; {_LIST.format(item.name)}"
    text = f"{item.name} is claimed to be implemented: {reason}"
    return Reason(state=PENDING, text=text, way_out=way_out, category=CRITICAL)


def of_signs(findings: Iterable[Finding], about: str = "") -> list[Reason]:
    """Return a question to a person for each finding that hides an error or may steer a judge."""
    return [_pending(finding)._replace(about=about) for finding in findings]


def _pending(finding: Finding) -> Reason:
    text = in_words(finding)
    return Reason(state=PENDING, text=text, category=CRITICAL, finding=text)


def of_assessment(
    name: str, assessment: Assessment, indicators: tuple[Finding, ...] = ()
) -> list[Reason]:
    """Return the reasons from the verdict of one approval type.

    If the judge failed, the indicators are questions too: a person who approves instead must see
    them.
    """
    state = assessment.state
    signs = set(map(in_words, indicators))
    category = EXPERTISE if state == FAILED else assessment.category
    reasons = [
        Reason(
            state=state,
            text=f"{name}: {text}",
            way_out=_WAYS_OUT.get(state, ""),
            category=category,
            about=name,
            finding=text if text in signs else "",
        )
        for text in assessment.reasons
    ]
    if state == FAILED:
        reasons += of_signs(indicators, about=name)
    return reasons


def _of_judges(handover: Handover) -> list[Reason]:
    indicators = tuple(item.finding for item in handover.indicators)
    reasons = []
    for judged in handover.judged:
        assessment = judged.assessment(indicators)
        reasons += of_assessment(judged.verdict.approval_type, assessment, indicators)
    reasons += [of_unjudged(*item) for item in handover.unjudged]
    # With a verdict the indicators are among the reasons of its assessment.
    if not handover.judged:
        reasons += of_signs(indicators)
    if handover.no_judge:
        category = _no_judge_category(handover)
        reasons.append(Reason(state=PENDING, text=handover.no_judge, category=category))
    return reasons


def _of_budget(handover: Handover) -> list[Reason]:
    """Return the question to a person if the judges of this run have passed the budget."""
    budget, spent = handover.policy.budget, handover.carried.spent
    if not handover.judged or budget is None or spent <= budget:
        return []
    used = f"the judges have cost ${spent:.3f}"
    text = f"{used}, more than the budget of ${budget:.3f} for a pull request"
    return [Reason(state=PENDING, text=text, category=category_of("budget_threshold_exceeded"))]


def _of_unkept(handover: Handover) -> list[Reason]:
    """Return the question to a person if errors of earlier rounds could not be shown to judges."""
    lost = handover.carried.unkept
    if not lost:
        return []
    text = f"{counted(lost, 'earlier error')} of judges could not be loaded"
    return [Reason(state=PENDING, text=text, category=EXPERTISE)]


def _no_judge_category(handover: Handover) -> str:
    """Return the category of the question. An exhausted budget is an action of the matrix."""
    budget = handover.policy.budget
    if budget is not None and handover.carried.spent >= budget:
        return category_of("budget_threshold_exceeded")
    return EXPERTISE


def of_questions(questions: Iterable[PolicyQuestion]) -> list[Reason]:
    """Return the questions of the policy as reasons."""
    return [
        Reason(state=PENDING, text=item.text, category=item.category, about=item.about)
        for item in questions
    ]


def of_unjudged(name: str, result: str, reason: str) -> Reason:
    """Return the reason of an approval type without a judge."""
    if result == SKIPPED:
        return Reason(state=APPROVED, text=f"{name}: no judge was needed: {reason}")
    category = EXPERTISE if reason.startswith(BY_HAND) else CRITICAL
    return Reason(state=PENDING, text=f"{name}: {reason}", category=category, about=name)
