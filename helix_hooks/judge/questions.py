"""The questions to a person: relaxed settings, protected files, and types that need a person."""

import tomllib
from collections.abc import Iterable

from ..change.relaxed_settings import Version, loosened, weakened_workflows
from ..check import files
from ..check.trees import Tree
from ..config import places_in
from ..config.approvals import Approvals
from ..config.policy import Policy, asks
from ..config.settings import Settings, load
from ..config.workflows import is_workflow, ways_to_write
from ..decision.decide import ApproveResult, Decision, Facts, decide
from ..decision.handover import Ask
from ..decision.reasons import PolicyQuestion, of_actions, of_protected, of_questions
from ..errors import ConfigError
from ..paths import (
    APPROVALS,
    APPROVALS_FILE,
    CODEOWNERS,
    PYPROJECT,
    RULES_FILE,
    SETTINGS,
    WORKFLOW,
    matches,
)
from ..verdict.approval_result import REJECTED, SKIPPED, ApprovalResult
from ..verdict.skip import NOTHING_CHANGED
from .approvals import approvals_of
from .change import Change

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
    questions = (*of_protected(paths), *of_actions(types))
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


def relaxations(change: Change, config: str) -> tuple[str, ...]:
    """Return the lines on a change, compared with its merge base; none without a base."""
    if not change.merge_base_tree:
        return ()
    return between(change.merge_base_tree, change.tree, change.touched, config, change.approvals)


def weakened(change: Change) -> tuple[str, ...]:
    """Return the changed files by which another than the gate can write its check.

    These are CODEOWNERS, and workflows that can do so in a new way.
    """
    before, paths = change.merge_base_tree, list(change.touched)
    if not before:
        return ()
    old, new = (version(tree, "", paths) for tree in (before, change.tree))
    owners = (path for path in paths if path in CODEOWNERS)
    return tuple(dict.fromkeys((*owners, *weakened_workflows(old, new))))


def between(
    before: Tree,
    now: Tree,
    touched: Iterable[str],
    config: str = "",
    folder: str = APPROVALS,
) -> tuple[str, ...]:
    """Return the lines on the change between two trees. `touched` are the changed paths."""
    paths = list(touched)
    old, new = (version(tree, config, paths) for tree in (before, now))
    return loosened(old, new, paths, now.folder(""), config, folder)


def version(tree: Tree, config: str, paths: Iterable[str]) -> Version:
    """Return the settings of a tree, and the paths of `paths` that it has.

    Invalid settings are None; other steps report them.
    """
    try:
        approvals = approvals_of(tree, config)
    except ConfigError:
        approvals = None
    lines: dict[str, tuple[str, int]] = {}
    for path in (RULES_FILE, SETTINGS, config or APPROVALS_FILE):
        lines |= places_in(tree.content(path).decode(errors="replace"), path)
    there = frozenset(path for path in paths if tree.has(path))
    workflows = {
        path: ways_to_write(tree.content(path) if tree.has(path) else None, path)
        for path in paths
        if is_workflow(path)
    }
    return Version(_settings(tree), approvals, lines, there, workflows)


def _settings(tree: Tree) -> Settings | None:
    try:
        return load(tree.read, files.packaged)
    except ConfigError:
        return None
