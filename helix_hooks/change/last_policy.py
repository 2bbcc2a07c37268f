"""Find the deciders of a repair, if the policy of the base is invalid."""

from typing import NamedTuple

from ..check.trees import GitTree, Revision
from ..config.policy import Policy
from ..errors import ConfigError
from ..git import commits
from ..paths import APPROVALS_FILE
from .approvals import approvals_of

_MAX_COMMITS = 50
"""Maximum commits that are searched for a policy."""


class LastPolicy(NamedTuple):
    """The newest valid policy of a branch, with its commit; "" for the packaged policy.

    `is_whole`: the search reached the first commit. `names_deciders`: the policy sets the deciders,
    or none is valid, so that they are not known.
    """

    policy: Policy
    commit: str
    is_whole: bool = True
    names_deciders: bool = False


def last_policy(root: str, base: str, config: str) -> LastPolicy:
    """Return the policy of a commit, or of its newest ancestor with a valid one.

    Only first parents are searched: settings on a merged branch were never in force.
    """
    path = config or APPROVALS_FILE
    tree = Revision(root, base)
    try:
        try:
            return _at(tree, base, config)
        except ConfigError:
            paths = sorted({path, *tree.place(path).passed})
            line = commits.first_parents(root, base, paths, _MAX_COMMITS)
        for commit in line.commits:
            try:
                return _at(Revision(root, commit, tree), commit, config)
            except ConfigError:
                continue
    finally:
        tree.close()
    return LastPolicy(Policy(), "", line.is_whole, names_deciders=True)


def _at(tree: GitTree, commit: str, config: str) -> LastPolicy:
    approvals = approvals_of(tree, config)
    return LastPolicy(approvals.policy, commit, names_deciders=approvals.names_deciders)


def in_words(last: LastPolicy, base: str, name: str) -> str:
    """Return the policy that applies, as a sentence. `name` is the name of the base branch."""
    if last.commit == base:
        return f"the policy of {name} defines who may decide"
    if last.commit:
        newest = f"the newest of {name} that can be read"
        return f"the policy of {last.commit[:7]}, {newest}, defines who may decide"
    why = "none in its history can be read"
    if not last.is_whole:
        why = "its history could not be read further"
    return f"the packaged policy sets who may decide: the one of {name} is broken and {why}"
