"""Questions of the policy to people: protected files that changed, and types that ask."""

from collections.abc import Iterable

from .. import toml_load
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
from .skip import NOTHING_CHANGED


def protected(change: Change, policy: Policy, config: str) -> tuple[str, ...]:
    """Return the changed paths about which a person decides.

    Settings are not among them: they are reported as signs of steering already.
    """
    table = [PYPROJECT] if _table(change.rules) != _table(change.tree) else []
    guarded = (WORKFLOW, *filter(None, [config]), *policy.protected, *table)
    others = (path for path in change.touched if not path.startswith(change.ours))
    return tuple(path for path in others if matches(path, guarded))


def _table(tree: files.Tree) -> object:
    """Return the table `tool.helix-hooks` of pyproject.toml; None if it is absent or unreadable."""
    try:
        tool = toml_load.loads((tree.read(PYPROJECT) or b"").decode()).get("tool")
        return tool.get("helix-hooks") if isinstance(tool, dict) else None
    except (ValueError, RecursionError):
        return None


def actions(approvals: Approvals, result: ApproveResult) -> tuple[tuple[str, str], ...]:
    """Return the types with something to review whose action needs a person, with that action."""
    touched = (item for item in result.unjudged if item.summary != NOTHING_CHANGED)
    names = dict.fromkeys(item.approval_type for item in (*result.verdicts, *touched))
    level = approvals.policy.autonomy
    needed = ((name, approvals.types[name].action) for name in names)
    return tuple((name, action) for name, action in needed if asks(action, level))


def by_policy(result: ApproveResult, change: Change, approvals: Approvals) -> ApproveResult:
    """Return the result under the policy: where it asks a person, no verdict approves alone."""
    policy = approvals.policy
    paths, types = protected(change, policy, ""), actions(approvals, result)
    asked = (*of_protected(paths), *of_autonomy(policy.autonomy, types))
    by_agents = policy.agents.minimum > 0 and bool(change.agents(policy.agents.names))
    result = result._replace(deciders=policy.deciders_about(by_agents=by_agents))
    if not asked:
        return result

    def about(name: str) -> list[PolicyQuestion]:
        return [item for item in asked if item.about in ("", name)]

    def waiting(item: ApprovalResult) -> ApprovalResult:
        is_open = item.result == APPROVED and item.summary != NOTHING_CHANGED
        return for_a_person(item) if is_open and about(item.approval_type) else item

    decisions = result.decisions.items()
    return result._replace(
        decision=_asking(result.decision, asked),
        decisions={name: _asking(decision, about(name)) for name, decision in decisions},
        unjudged=tuple(map(waiting, result.unjudged)),
    )


def _asking(decision: Decision, questions: Iterable[PolicyQuestion]) -> Decision:
    """Return the decision with the questions of the policy among its reasons."""
    return decide(Facts((*decision.reasons, *of_questions(questions))))


def for_a_person(result: ApprovalResult) -> ApprovalResult:
    """Return the result of a type without a judge while a person is asked: nothing is approved."""
    summary = f"{result.summary}, and a person decides"
    return result._replace(result=REJECTED, confidence=0, summary=summary)
