"""The policy of a project, with the facts that identify its deciders."""

from typing import NamedTuple

from ..config.policy import Policy
from ..decision.who_may import whose

_MOST_NAMES = 3


class ProjectPolicy(NamedTuple):
    """The policy of a project's main branch.

    `project` is its name for people. `repository` is OWNER/NAME on the server of GitHub, "" for
    none. `names_deciders` says that the policy itself says who decides, and not only its defaults.
    """

    project: str
    policy: Policy = Policy()
    repository: str = ""
    is_on_github: bool = False
    names_deciders: bool = False

    @property
    def needs_login(self) -> bool:
        """Return whether only a user whom GitHub confirms may decide."""
        return self.is_on_github and self.names_deciders

    def whose(self, *, needs_login: bool) -> str:
        """Return who may decide, in words for people."""
        if needs_login:
            return whose(self.policy.deciders)
        users = self.policy.deciders.users if self.names_deciders else ()
        names = [f"@{name}" for name in users[:_MOST_NAMES]]
        return " or ".join([*names, "a person at a terminal"])
