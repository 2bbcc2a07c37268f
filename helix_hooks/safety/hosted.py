"""Judge a repository on GitHub by its branch rules, its workflow and its permissions."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ..config.policy import Deciders
from . import branch, server
from .line import OK, UNKNOWN, Line, Unseen


class Hosted(NamedTuple):
    """The settings of a repository on GitHub, each Unseen if GitHub does not show it.

    `apps` may write the check. `workflow` is that of the default branch. `ignored_owners` are lines
    of CODEOWNERS. `environments` are true if limited to selected branches. `failed`: GitHub did not
    answer a request. `roles` are those of the people who may write, by login.
    """

    name: str
    default_branch: str
    apps: tuple[int, ...]
    guards: branch.Guards
    workflow: bytes | Unseen | None
    ignored_owners: tuple[str, ...] | Unseen
    defaults: server.Defaults | Unseen
    roles: Mapping[str, str] | Unseen
    environments: Mapping[str, bool | Unseen]
    failed: bool


class Unreached(NamedTuple):
    """The reason why GitHub was not asked, and what to do. `failed`: GitHub did not answer."""

    reason: str
    help: str
    failed: bool = False


def lines(hosted: Hosted | Unreached, workflow: bytes | None, deciders: Deciders) -> Iterator[Line]:
    """Yield all lines on a repository. `workflow` and `deciders` are those of the working tree."""
    if isinstance(hosted, Unreached):
        yield Line("repository", UNKNOWN, f"not looked at: {hosted.reason}", hosted.help)
        return
    main = hosted.default_branch
    yield Line("repository", OK, f"{hosted.name}, whose default branch is {main}")
    yield from branch.lines(main, hosted.guards, hosted.apps)
    yield server.in_force(main, workflow, hosted.workflow)
    yield server.owners(main, hosted.ignored_owners)
    yield from server.defaults(hosted.defaults)
    yield from server.environments(hosted.environments)
    yield from server.deciders(hosted.roles, deciders)
