"""The policy of the main branch, by which people decide outside of pull requests."""

from ..change.last_policy import LastPolicy, last_policy
from ..config.policy import Policy
from ..repository import git, runner
from .base import base_of


def base_policy(root: str) -> LastPolicy:
    """Return the policy of the main branch, the newest that can be read."""
    head = runner.run(git.HEAD, root, check=False).stdout.decode().strip()
    base = base_of(root, "", head)
    return last_policy(root, base.commit, "") if base else LastPolicy(Policy(), "")
