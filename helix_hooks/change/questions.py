"""Questions of the policy to people: changed protected files, and types that need a person."""

import tomllib
from collections.abc import Iterable

from ..check.trees import Tree
from ..config.approvals import Approvals
from ..config.autonomy import asks
from ..config.policy import Policy
from ..decision.approve_result import ApproveResult
from ..decision.decide import Decision, decide
from ..decision.facts import Facts
from ..decision.handover import Ask
from ..decision.questions import PolicyQuestion, of_autonomy, of_protected
from ..decision.reasons import of_questions
from ..globs import matches
from ..paths import PYPROJECT, WORKFLOW
from ..verdict.approval_result import REJECTED, SKIPPED, ApprovalResult
from ..verdict.skip import NOTHING_CHANGED
from .change import Change
from .relaxations import weakened

_PERSON = ", and a person decides"


def protected(change: Change, policy: Policy, config: str) -> tuple[str, ...]:
    """Return the changed paths that need a person.

    Settings are left out: they are reported as signs of steering.
    """
    patterns = [WORKFLOW, *policy.protected]
    weak = weakened(change)
    if config:
        patterns.append(config)
    if _table(change.rules) != _table(change.tree):
        patterns.append(PYPROJECT)
    others = [path for path in change.touched if not path.startswith(change.ours)]
    return tuple(path for path in others if path in weak or matches(path, tuple(patterns)))


def _table(tree: Tree) -> object:
    """Return the table `tool.helix-hooks` of pyproject.toml; None if it is missing or invalid."""
    try:
        tool = tomllib.loads((tree.read(PYPROJECT) or b"").decode()).get("tool")
    except (ValueError, RecursionError):
        return None
    return tool.get("helix-hooks") if isinstance(tool, dict) else None


def actions(approvals: Approvals, result: ApproveResult) -> tuple[Ask, ...]:
    """Return the types with files to review whose action needs a person, with that action."""
    touched = [item for item in result.unjudged if item.summary != NOTHING_CHANGED]
    names = dict.fromkeys(item.approval_type for item in (*result.verdicts, *touched))
    level = approvals.policy.autonomy
    needed = ((name, approvals.types[name].action) for name in names)
    return tuple(Ask(name, action) for name, action in needed if asks(action, level))


def by_policy(result: ApproveResult, change: Change, approvals: Approvals) -> ApproveResult:
    """Return the result under the policy.

    If the policy requires a person, a verdict alone approves nothing.
    """
    policy = approvals.policy
    paths, types = protected(change, policy, ""), actions(approvals, result)
    questions = (*of_protected(paths), *of_autonomy(policy.autonomy, types))
    by_agents = policy.agents.minimum > 0 and bool(change.agents(policy.agents.names))
    result = result._replace(deciders=policy.deciders_about(by_agents=by_agents))
    if not questions:
        return result
    decisions = {
        name: _asking(decision, _about(name, questions))
        for name, decision in result.decisions.items()
    }
    unjudged = []
    for item in result.unjudged:
        is_touched = item.result == SKIPPED and item.summary != NOTHING_CHANGED
        needs_person = is_touched and bool(_about(item.approval_type, questions))
        unjudged.append(for_a_person(item) if needs_person else item)
    return result._replace(
        decision=_asking(result.decision, questions),
        decisions=decisions,
        unjudged=tuple(unjudged),
    )


def _about(name: str, questions: Iterable[PolicyQuestion]) -> list[PolicyQuestion]:
    """Return the questions on an approval type, and on all types."""
    return [item for item in questions if item.about in ("", name)]


def _asking(decision: Decision, questions: Iterable[PolicyQuestion]) -> Decision:
    """Return the decision with the questions of the policy as further reasons."""
    return decide(Facts((*decision.reasons, *of_questions(questions))))


def for_a_person(result: ApprovalResult) -> ApprovalResult:
    """Return the result of a type without a judge that needs a person: it approves nothing."""
    # The reason why no judge was needed may end so already.
    summary = f"{result.summary.removesuffix(_PERSON)}{_PERSON}"
    return result._replace(result=REJECTED, confidence=0, summary=summary)
