"""The questions of the policy to people, for the Action and a local `approve`: protected files that changed, and types that ask."""

import tomllib
from collections.abc import Iterable

from ..config.approvals import Approvals
from ..config.autonomy import asks
from ..config.policy import Policy
from ..decision.approve_result import ApproveResult
from ..decision.decide import Decision, decide
from ..decision.facts import Facts
from ..decision.questions import PolicyQuestion, of_autonomy, of_protected
from ..decision.reasons import of_questions
from ..globs import matches
from ..paths import PYPROJECT, WORKFLOW
from ..repository import files
from ..verdict.verdict import APPROVED, REJECTED, ApprovalResult
from .change import Change

NOTHING_CHANGED = "no file of this type was changed that a judge could read"
"""What is said of an approval type that the change does not touch."""


def protected(change: Change, policy: Policy, config: str) -> tuple[str, ...]:
    """Return the changed paths about which a person decides, without settings, which are reported as signs of steering already."""
    table = [PYPROJECT] if _table(change.rules) != _table(change.tree) else []
    guarded = (WORKFLOW, *filter(None, [config]), *policy.protected, *table)
    return tuple(path for path in change.touched if matches(path, guarded) and not path.startswith(change.ours))


def _table(tree: files.Tree) -> object:
    """Return the table `tool.helix-hooks` of pyproject.toml; None if it is absent or unreadable."""
    try:
        return tomllib.loads((tree.read(PYPROJECT) or b"").decode()).get("tool", {}).get("helix-hooks")
    except (ValueError, AttributeError):
        return None


def actions(approvals: Approvals, result: ApproveResult) -> tuple[tuple[str, str], ...]:
    """Return the types that had something to review and whose action needs a person, each with that action."""
    had = [verdict.approval_type for verdict in result.verdicts] + [item.approval_type for item in result.unjudged if item.summary != NOTHING_CHANGED]
    level = approvals.policy.autonomy
    return tuple((name, approvals.types[name].action) for name in dict.fromkeys(had) if asks(approvals.types[name].action, level))


def by_policy(result: ApproveResult, change: Change, approvals: Approvals) -> ApproveResult:
    """Return the result of a call after the policy: where it asks a person, no verdict approves by itself."""
    policy = approvals.policy
    asked = (*of_protected(protected(change, policy, "")), *of_autonomy(policy.autonomy, actions(approvals, result)))
    result = result._replace(deciders=policy.deciders)
    if not asked:
        return result

    def about(name: str) -> list[PolicyQuestion]:
        return [item for item in asked if item.about in ("", name)]

    decisions = {name: _asking(decision, about(name)) for name, decision in result.decisions.items()}
    unjudged = tuple(_waiting(item) if about(item.approval_type) else item for item in result.unjudged)
    return result._replace(decision=_asking(result.decision, asked), decisions=decisions, unjudged=unjudged)


def _asking(decision: Decision, questions: Iterable[PolicyQuestion]) -> Decision:
    """Return the decision with the questions of the policy among its reasons."""
    return decide(Facts((*decision.reasons, *of_questions(questions))))


def _waiting(unjudged: ApprovalResult) -> ApprovalResult:
    """Return the result of a type without a judge, capped while a person is asked."""
    if unjudged.result != APPROVED or unjudged.summary == NOTHING_CHANGED:
        return unjudged
    return unjudged._replace(result=REJECTED, confidence=0, summary=f"{unjudged.summary}, and a person decides")
