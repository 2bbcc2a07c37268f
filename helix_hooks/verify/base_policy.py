"""The policy of the main branch, which applies to decisions outside of pull requests."""

from .. import git
from ..config.policy import Policy
from ..judge.repair import LastPolicy, last_policy
from .base import base_of


def base_policy(root: str) -> LastPolicy:
    """Return the newest readable policy of the main branch; the default before the first commit."""
    head = git.run(git.HEAD, root, check=False).stdout.decode().strip()
    base = base_of(root, "", head)
    if not base:
        return LastPolicy(Policy(), "")
    return last_policy(root, base.commit, "")
