"""Judge other settings on GitHub than branch rules: the active workflow, and permissions."""

from collections.abc import Mapping
from typing import NamedTuple

from ..config.policy import Deciders
from ..paths import APPROVALS_FILE, WORKFLOW
from .line import MISSING, OK, UNSAFE, Line, Unseen, unseen

_ACTIONS = "Settings > Actions > General > Workflow permissions"
_READ = "administration: read"
_APPROVING = "whether workflows may approve pull requests"


class Defaults(NamedTuple):
    """The defaults of workflows without `permissions`: they may write, and they may approve."""

    writes: bool
    approves: bool


def in_force(branch: str, own: bytes | None, active: bytes | Unseen | None) -> Line:
    """Compare the workflow of the working tree with the one that GitHub runs."""
    check = "workflow-in-force"
    if isinstance(active, Unseen):
        return unseen(check, f"{WORKFLOW} on {branch}", active, "contents: read")
    if active is None:
        message = f"{branch} has no {WORKFLOW}, so GitHub runs none on pull requests"
        return Line(check, MISSING, message, f"merge it to {branch}")
    if own is None or _lf(own) != _lf(active):
        other = "differs from the file in this clone, and GitHub runs the version there"
        help = f"git fetch origin && git diff origin/{branch} -- {WORKFLOW}"
        return Line(check, UNSAFE, f"{WORKFLOW} on {branch} {other}", help)
    return Line(check, OK, f"{branch} has the same {WORKFLOW}")


def _lf(data: bytes) -> bytes:
    """Return a text with the line ends of the repository. Git may convert them on checkout."""
    return data.replace(b"\r\n", b"\n")


def owners(branch: str, ignored: tuple[str, ...] | Unseen) -> Line:
    """Judge the lines of CODEOWNERS that GitHub ignores.

    It ignores owners that do not exist or lack write access.
    """
    check = "codeowners-in-force"
    if isinstance(ignored, Unseen):
        subject = f"how GitHub reads CODEOWNERS on {branch}"
        return unseen(check, subject, ignored, "contents: read")
    if ignored:
        help = "name people or teams that may write to the repository"
        return Line(check, UNSAFE, f"GitHub ignores {'; '.join(ignored)}", help)
    return Line(check, OK, f"GitHub applies every line of CODEOWNERS on {branch}")


def defaults(permissions: Defaults | Unseen) -> list[Line]:
    """Judge the permissions of workflows without `permissions`."""
    if isinstance(permissions, Unseen):
        return [
            unseen("workflow-token", "the default permissions of workflows", permissions, _READ),
            unseen("actions-approve", _APPROVING, permissions, _READ),
        ]
    return [_token(permissions.writes), _approval(permissions.approves)]


def _token(writes: bool) -> Line:
    check, subject = "workflow-token", "a workflow that names no permissions"
    if writes:
        help = f"{_ACTIONS}: read repository contents"
        return Line(check, UNSAFE, f"{subject} gets a token with write access", help)
    return Line(check, OK, f"{subject} only reads")


def _approval(approves: bool) -> Line:
    check = "actions-approve"
    if approves:
        help = f"{_ACTIONS}: don't allow GitHub Actions to approve pull requests"
        return Line(check, UNSAFE, "workflows may approve pull requests", help)
    return Line(check, OK, "no workflow may approve a pull request")


def environments(limited: Mapping[str, bool | Unseen]) -> list[Line]:
    """Judge the environments of the workflow, each limited to selected branches or not."""
    return [_environment(name, is_limited) for name, is_limited in limited.items()]


def _environment(name: str, is_limited: bool | Unseen) -> Line:
    check = "environment"
    if isinstance(is_limited, Unseen):
        return unseen(check, f"the environment {name}", is_limited, "actions: read")
    if is_limited:
        return Line(check, OK, f"the environment {name} is limited to chosen branches")
    message = f"a workflow of any branch may use the secrets of the environment {name}"
    help = f"Settings > Environments > {name}: limit it to the default branch"
    return Line(check, UNSAFE, message, help)


def deciders(roles: Mapping[str, str] | Unseen, policy: Deciders) -> list[Line]:
    """Judge whether one person alone may decide, who then can't approve their own changes."""
    if policy.sole or policy.teams or not policy.roles:
        return []
    if isinstance(roles, Unseen):
        return [unseen("deciders", "who may decide", roles, "metadata: read, and write access")]
    eligible = {login for login, role in roles.items() if role in policy.roles}
    eligible.update(login for login in policy.people if login in roles)
    if len(eligible) != 1:
        return []
    login = eligible.pop()
    help = f"if that is meant, add `sole_maintainer: {login}` to `policy` in {APPROVALS_FILE}"
    message = f"only @{login} may decide, and authors can't approve their own changes"
    return [Line("deciders", MISSING, message, help)]
