"""Judge a repository on GitHub by its branch rules, its workflow and its permissions."""

import base64
import logging
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import quote

from ..config.policy import Deciders
from ..config.workflows import CHECK
from ..errors import HelixError
from ..paths import APPROVALS_FILE, WORKFLOW
from ..pull import client
from ..pull.access import ACTIONS_APP, api_url, own_app, repository_name, server
from ..pull.client import error_text, listed, one
from . import MISSING, OK, UNKNOWN, UNSAFE, Line
from .workflow import environments

if TYPE_CHECKING:
    from github.Repository import Repository

# The settings of a repository as values. One that GitHub does not show is `Unseen`; the others are
# still fetched.

Fact = TypeVar("Fact")

_HIDDEN = (403, 404)
"""Status codes of GitHub for an object that the token may not see, or that does not exist."""

_ANY_APP = -1
"""The number that classic protection has for any App (docs.github.com, "Update branch
protection").
"""


class Unseen(NamedTuple):
    """The reason why something is not visible.

    `gone`: GitHub answered 404, so it does not exist, or the token has no access.
    """

    reason: str
    gone: bool = False


class Guard(NamedTuple):
    """The rules of a branch for a merge.

    `checks` are the names of required checks, each with the App that must write it, or None for any
    source. `dismisses`: new commits dismiss the approvals of code owners.
    """

    checks: tuple[tuple[str, int | None], ...] = ()
    pull_request: bool = False
    code_owners: bool = False
    dismisses: bool = False


class RemoteSettings:
    """The settings of a repository, fetched one by one.

    `failed` is true after an error that is not a missing permission. After a failed connection no
    more requests are sent.
    """

    def __init__(self, repository: "Repository") -> None:
        self._repository = repository
        self._unreachable: Unseen | None = None
        self.failed = False

    def one(self, path: str, fact: Callable[[dict[str, Any]], Fact]) -> Fact | Unseen:
        """Return a fact about the object at a path."""
        return self._fetch(lambda: fact(one(self._repository, path)))

    def all(
        self, path: str, fact: Callable[[list[dict[str, Any]]], Fact], **parameters: str
    ) -> Fact | Unseen:
        """Return a fact about the list at a path."""
        return self._fetch(lambda: fact([*listed(self._repository, path, **parameters)]))

    def rules(self, branch: str) -> Guard | Unseen:
        """Return the rules of all active rulesets, including those of the organisation."""
        return self.all(f"/rules/branches/{part(branch)}", _guard_of_rules)

    def protection(self, branch: str) -> Guard | Unseen:
        """Return the classic protection of a branch."""
        guard = self.one(f"/branches/{part(branch)}/protection", _guard_of_protection)
        # GitHub answers 404 without a protection and without a permission; only the texts differ.
        if isinstance(guard, Unseen) and guard.gone and "Branch not protected" in guard.reason:
            return Guard()
        return guard

    def file(self, path: str, branch: str) -> bytes | Unseen | None:
        """Return a file of a branch; None if there is none."""
        content = self.one(f"/contents/{quote(path)}?ref={part(branch)}", _content)
        if not isinstance(content, Unseen) or not content.gone:
            return content
        # GitHub answers 404 too for a branch that the token may not see.
        commit = self.one(f"/commits/{part(branch)}", bool)
        return content if isinstance(commit, Unseen) else None

    def _fetch(self, fetch: Callable[[], Fact]) -> Fact | Unseen:
        from github import GithubException
        from requests.exceptions import RetryError

        if self._unreachable:
            return self._unreachable
        try:
            return fetch()
        except GithubException as error:
            self.failed |= error.status not in _HIDDEN
            return Unseen(error_text(error), error.status == 404)
        except RetryError:
            # GitHub had errors for this one request; the next one may succeed.
            self.failed = True
            return Unseen("GitHub answered each try with an error")
        except (HelixError, OSError) as error:
            # For example a failed connection or a rate limit: no more requests are sent.
            self.failed = True
            reason = str(error) if isinstance(error, HelixError) else error_text(error)
            self._unreachable = Unseen(reason)
            return self._unreachable
        except (AttributeError, KeyError, TypeError, ValueError):
            self.failed = True
            return Unseen("the answer of GitHub is not what it documents")


def part(name: str) -> str:
    """Return a name as one part of an address. Branch names may have slashes."""
    return quote(name, safe="")


def _guard_of_rules(rules: list[dict[str, Any]]) -> Guard:
    """Combine the rules of all rulesets: GitHub requires what any of them requires."""
    sources: list[tuple[str, int | None]] = []
    pulls = []
    for rule in rules:
        if rule["type"] == "pull_request":
            pulls.append(rule["parameters"])
        elif rule["type"] == "required_status_checks":
            checks = rule["parameters"]["required_status_checks"]
            sources += [(check["context"], check.get("integration_id")) for check in checks]
    return Guard(
        tuple(sources),
        bool(pulls),
        any(pull["require_code_owner_review"] for pull in pulls),
        any(pull["dismiss_stale_reviews_on_push"] for pull in pulls),
    )


def _guard_of_protection(answer: dict[str, Any]) -> Guard:
    checks = (answer.get("required_status_checks") or {}).get("checks", ())
    apps = {_ANY_APP: None}
    sources = tuple((item["context"], apps.get(item["app_id"], item["app_id"])) for item in checks)
    reviews = answer.get("required_pull_request_reviews")
    if not reviews:
        return Guard(sources)
    return Guard(
        sources, True, reviews["require_code_owner_reviews"], reviews["dismiss_stale_reviews"]
    )


def _content(answer: dict[str, Any]) -> bytes:
    if answer["type"] != "file" or answer["encoding"] != "base64":
        raise ValueError
    return base64.b64decode("".join(answer["content"].split()), validate=True)


# The judgement of these values.

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
