"""Judge a repository on GitHub by its branch rules, its workflow and its permissions."""

import logging
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from ..config.policy import Deciders
from ..config.workflows import CHECK
from ..github import client
from ..github.environment import ACTIONS_APP, api_url, own_app, repository_name, server
from ..paths import APPROVALS_FILE, WORKFLOW
from .line import MISSING, OK, UNKNOWN, UNSAFE, Line
from .remote import Guard, RemoteSettings, Unseen, part
from .workflow import environments

_RIGHTS = "a personal token that can read contents and administration"
_SET_TOKEN = f"set GITHUB_TOKEN to {_RIGHTS}; the token of a workflow cannot"
_RULESETS = "Settings > Rules > Rulesets"
_ACTIONS = "Settings > Actions > General > Workflow permissions"
_CONTENTS, _ADMINISTRATION = "contents: read", "administration: read"


class HostedLines(NamedTuple):
    """The lines on a repository on GitHub. `failed`: GitHub did not answer a request."""

    lines: tuple[Line, ...]
    failed: bool = False


def examine(
    root: str,
    option: str,
    workflow: bytes | None,
    deciders: Deciders,
    environment: Mapping[str, str],
) -> HostedLines:
    """Judge the repository that `option` names, else that of the remote `origin`.

    `workflow` and `deciders` are those of the work tree.

    Raises:
        UsageError: The name of the repository or the number of the App is wrong.
    """
    name, own = repository_name(root, option, environment), own_app(environment)
    token = environment.get("GITHUB_TOKEN")
    if not token:
        return _unreached("GITHUB_TOKEN is not set", _SET_TOKEN)
    if not name:
        host = server(environment).partition("://")[2]
        reason = f"the remote `origin` is not a repository at {host}"
        return _unreached(reason, "use --repo OWNER/NAME")
    remote = RemoteSettings(client.repository(name, token, api_url(environment)))
    # PyGithub would log each refused request; here each refusal is a fact. It is loaded by now, so
    # its own level does not replace this one.
    logging.getLogger("github").setLevel(logging.CRITICAL)
    main = remote.one("", lambda answer: str(answer["default_branch"]))
    if isinstance(main, Unseen):
        help = "check the name, and that the token can read it"
        return _unreached(f"{name}: {main.reason}", help, remote.failed)
    apps = {ACTIONS_APP} if own is None else {ACTIONS_APP, own}
    lines = (
        Line("repository", OK, f"{name}, whose default branch is {main}"),
        *_branch(remote, main, apps),
        _in_force(main, workflow, remote.file(WORKFLOW, main)),
        _owners(main, remote.one(f"/codeowners/errors?ref={part(main)}", _ignored)),
        *_defaults(remote),
        *(_environment(remote, name) for name in environments(workflow)),
        *_deciders(remote, deciders),
    )
    return HostedLines(lines, remote.failed)


def _unreached(reason: str, help: str, failed: bool = False) -> HostedLines:
    return HostedLines((Line("repository", UNKNOWN, f"not looked at: {reason}", help),), failed)


def _unseen(check: str, subject: str, why: Unseen, right: str) -> Line:
    """Return the line on something that needs a token with a certain permission."""
    message = f"{subject} could not be checked: {why.reason}"
    return Line(check, UNKNOWN, message, f"use a token that has the right {right}")


def _branch(remote: RemoteSettings, main: str, apps: Collection[int]) -> list[Line]:
    """Judge whether a change can reach a branch without the check or the code owners."""
    rules = remote.rules(main)
    lines = branch_lines(main, [rules], apps)
    # Few tokens may see the classic protection, so it is fetched only if the rules do not suffice.
    if all(line.state == OK for line in lines):
        return lines
    return branch_lines(main, [rules, remote.protection(main)], apps)


def branch_lines(
    main: str, guards: Collection[Guard | Unseen], apps: Collection[int]
) -> list[Line]:
    """Return the lines on a branch, to which GitHub applies all guards. `apps` write the check.

    A rule that is absent from what was seen is unknown if some guard was not seen.
    """
    seen = [guard for guard in guards if isinstance(guard, Guard)]
    reason = next((guard.reason for guard in guards if isinstance(guard, Unseen)), "")

    def absent(check: str, message: str, help: str) -> Line:
        if not reason:
            return Line(check, MISSING, message, help)
        look = f"use a token that has the right {_ADMINISTRATION}"
        return Line(check, UNKNOWN, f"{message}, checked only in part: {reason}", f"{look}; {help}")

    check, choose = "required-check", f"{_RULESETS}: choose the source GitHub Actions for `{CHECK}`"
    sources = [app for guard in seen for name, app in guard.checks if name == CHECK]
    others = ", ".join(str(app) for app in sources if app is not None)
    if any(app in apps for app in sources):
        line = Line(check, OK, f"{main} requires `{CHECK}`, from the App that writes it")
    elif not sources:
        help = f"{_RULESETS}: require the check `{CHECK}`, from the source GitHub Actions"
        line = absent(check, f"nothing requires the check `{CHECK}` on {main}", help)
    elif others:
        message = f"`{CHECK}` is required from the App {others}, but another App writes it"
        help = f"{choose}; or set HELIX_APP_ID if your own App writes it"
        line = Line(check, UNSAFE, message, help)
    else:
        forged = "so anyone with permission to write statuses can forge it"
        message = f"`{CHECK}` is required from any source, {forged}"
        line = Line(check, UNSAFE, message, choose)

    if not any(guard.pull_request for guard in seen):
        require = "require a pull request before merging, with review from code owners"
        help = f"{_RULESETS}: {require}, and dismiss stale approvals"
        message = f"{main} takes commits without a pull request"
        return [line, absent("pull-request", message, help)]
    return [
        line,
        Line("pull-request", OK, f"{main} takes pull requests only"),
        _judged(
            "code-owner-review",
            any(guard.code_owners for guard in seen),
            "code owners must approve what they own",
            "a change to the gate's own files does not need a code owner's approval",
            f"{_RULESETS}: require review from code owners",
        ),
        _judged(
            "stale-reviews",
            any(guard.dismisses for guard in seen),
            "a push dismisses approvals",
            "approvals remain valid after a new push",
            f"{_RULESETS}: dismiss stale pull request approvals when new commits are pushed",
        ),
    ]


def _judged(check: str, is_safe: bool, safe: str, unsafe: str, help: str) -> Line:
    return Line(check, OK, safe) if is_safe else Line(check, UNSAFE, unsafe, help)


def _in_force(main: str, own: bytes | None, active: bytes | Unseen | None) -> Line:
    """Compare the workflow of the work tree with the one that GitHub runs."""
    check = "workflow-in-force"
    if isinstance(active, Unseen):
        return _unseen(check, f"{WORKFLOW} on {main}", active, _CONTENTS)
    if active is None:
        message = f"{main} has no {WORKFLOW}, so GitHub runs none on pull requests"
        return Line(check, MISSING, message, f"merge it to {main}")
    # Git may convert line ends on checkout.
    is_same = own is not None and own.replace(b"\r\n", b"\n") == active.replace(b"\r\n", b"\n")
    other = "differs from the file in this clone, and GitHub runs the version there"
    differs = f"{WORKFLOW} on {main} {other}"
    help = f"git fetch origin && git diff origin/{main} -- {WORKFLOW}"
    return _judged(check, is_same, f"{main} has the same {WORKFLOW}", differs, help)


def _ignored(answer: dict[str, Any]) -> str:
    """Return the lines of CODEOWNERS that GitHub ignores.

    It ignores owners that do not exist or lack write access.
    """
    return "; ".join(f"{it['path']}:{it['line']}: {it['kind']}" for it in answer["errors"])


def _owners(main: str, ignored: str | Unseen) -> Line:
    check = "codeowners-in-force"
    if isinstance(ignored, Unseen):
        subject = f"how GitHub reads CODEOWNERS on {main}"
        return _unseen(check, subject, ignored, _CONTENTS)
    applied = f"GitHub applies every line of CODEOWNERS on {main}"
    help = "name people or teams that may write to the repository"
    return _judged(check, not ignored, applied, f"GitHub ignores {ignored}", help)


def _defaults(remote: RemoteSettings) -> list[Line]:
    """Judge the permissions of workflows without `permissions`."""
    token, approve = "workflow-token", "actions-approve"
    permissions = remote.one(
        "/actions/permissions/workflow",
        lambda it: (
            it["default_workflow_permissions"] != "read",
            it["can_approve_pull_request_reviews"],
        ),
    )
    if isinstance(permissions, Unseen):
        of_workflows = "the default permissions of workflows"
        may_approve = "whether workflows may approve pull requests"
        return [
            _unseen(token, of_workflows, permissions, _ADMINISTRATION),
            _unseen(approve, may_approve, permissions, _ADMINISTRATION),
        ]
    writes, approves = permissions
    subject = "a workflow that names no permissions"
    return [
        _judged(
            token,
            not writes,
            f"{subject} only reads",
            f"{subject} gets a token with write access",
            f"{_ACTIONS}: read repository contents",
        ),
        _judged(
            approve,
            not approves,
            "no workflow may approve a pull request",
            "workflows may approve pull requests",
            f"{_ACTIONS}: don't allow GitHub Actions to approve pull requests",
        ),
    ]


def _environment(remote: RemoteSettings, name: str) -> Line:
    """Judge an environment of the workflow, which may be limited to selected branches."""
    check, path = "environment", f"/environments/{part(name)}"
    is_limited = remote.one(path, lambda answer: bool(answer.get("deployment_branch_policy")))
    if isinstance(is_limited, Unseen):
        return _unseen(check, f"the environment {name}", is_limited, "actions: read")
    return _judged(
        check,
        is_limited,
        f"the environment {name} is limited to chosen branches",
        f"a workflow of any branch may use the secrets of the environment {name}",
        f"Settings > Environments > {name}: limit it to the default branch",
    )


def _deciders(remote: RemoteSettings, policy: Deciders) -> list[Line]:
    """Judge whether one person alone may decide, who then can't approve their own changes."""
    if policy.sole or policy.teams or not policy.roles:
        return []
    roles = remote.all(
        "/collaborators",
        lambda people: {str(it["login"]): str(it["role_name"]) for it in people},
        permission="push",
    )
    if isinstance(roles, Unseen):
        return [_unseen("deciders", "who may decide", roles, "metadata: read, and write access")]
    eligible = {login for login, role in roles.items() if role in policy.roles}
    eligible.update(login for login in policy.people if login in roles)
    if len(eligible) != 1:
        return []
    login = eligible.pop()
    help = f"if that is meant, add `sole_maintainer: {login}` to `policy` in {APPROVALS_FILE}"
    message = f"only @{login} may decide, and authors can't approve their own changes"
    return [Line("deciders", MISSING, message, help)]
