"""Find the policy that says who decides about a repair, where that of the base is broken."""

from typing import NamedTuple

from ..config.policy import Policy
from ..errors import ConfigError
from ..paths import APPROVALS_FILE
from ..repository import commits
from ..repository.files import StagedTree
from ..repository.revisions import Revision
from .approvals import approvals_of

_MOST_COMMITS = 50
"""Maximum number of commits that are searched for a policy."""


class LastPolicy(NamedTuple):
    """The newest readable policy of a branch, with its commit, "" for the packaged one.

    `is_whole`: no commit was left out of the search. `names_deciders`: it says who decides, or it
    could not be read, so that nobody knows.
    """

    policy: Policy
    commit: str
    is_whole: bool = True
    names_deciders: bool = False


def last_policy(root: str, base: str, config: str) -> LastPolicy:
    """Return the policy of a commit, or of its newest ancestor whose policy can be read.

    Only first parents are searched, because settings on a merged branch were never in force.
    """
    path = config or APPROVALS_FILE
    revision = Revision(root, base)
    try:
        tree = StagedTree(revision, root)
        try:
            return _at(tree, base, config)
        except ConfigError:
            paths = sorted({path, *tree.place(path).passed})
            line = commits.first_parents(root, base, paths, _MOST_COMMITS)
        for commit in line.commits:
            try:
                older = StagedTree(Revision(root, commit, revision), root)
                return _at(older, commit, config)
            except ConfigError:
                continue
    finally:
        revision.close()
    return LastPolicy(Policy(), "", line.is_whole, names_deciders=True)


def _at(tree: StagedTree, commit: str, config: str) -> LastPolicy:
    found = approvals_of(tree, config)
    return LastPolicy(found.policy, commit, names_deciders=found.names_deciders)


def in_words(last: LastPolicy, base: str, name: str) -> str:
    """Return whose policy says who may decide; `name` is what people call the base."""
    if last.commit == base:
        return f"the policy of {name}, which can be read, says who may decide"
    if last.commit:
        newest = f"the newest of {name} that can be read"
        return f"the policy of {last.commit[:7]}, {newest}, says who may decide"
    whole = "none in its history can be read"
    why = whole if last.is_whole else "its history could not be read further"
    return f"the packaged policy says who may decide, since that of {name} is broken and {why}"
