"""Fetch the facts for `doctor` from GitHub. GitHub may not show each of them."""

import logging
from collections.abc import Mapping

from ..github import client
from ..github.environment import api_url, own_app, repository_name, server
from ..github.repository import RemoteSettings
from ..paths import WORKFLOW
from ..safety import branch, workflow
from ..safety.hosted import Hosted, Unreached
from ..safety.line import Unseen

_RIGHTS = "a personal token that can read contents and administration"
_SET_TOKEN = f"set GITHUB_TOKEN to {_RIGHTS}; the token of a workflow cannot"


def facts(
    root: str,
    option: str,
    own_workflow: bytes | None,
    environment: Mapping[str, str],
) -> Hosted | Unreached:
    """Fetch the settings of the repository that `option` names, else of the remote `origin`.

    `own_workflow` is the workflow in the work tree.

    Raises:
        UsageError: The name of the repository or the number of the App is wrong.
    """
    name, apps = repository_name(root, option, environment), _apps(environment)
    token = environment.get("GITHUB_TOKEN")
    if not token:
        return Unreached("GITHUB_TOKEN is not set", _SET_TOKEN)
    if not name:
        host = server(environment).partition("://")[2]
        reason = f"the remote `origin` is not a repository at {host}"
        return Unreached(reason, "use --repo OWNER/NAME")
    url = api_url(environment)
    settings = RemoteSettings(client.repository(name, token, url))
    # PyGithub would log each refused request; here each refusal is a fact. It is loaded by now, so
    # its own level does not replace this one.
    logging.getLogger("github").setLevel(logging.CRITICAL)
    main = settings.default_branch()
    if isinstance(main, Unseen):
        help = "check the name, and that the token can read it"
        return Unreached(f"{name}: {main.reason}", help, settings.failed)
    return _hosted(settings, name, main, apps, workflow.environments(own_workflow))


def _hosted(
    settings: RemoteSettings,
    name: str,
    main: str,
    apps: tuple[int, ...],
    environments: list[str],
) -> Hosted:
    return Hosted(
        name=name,
        default_branch=main,
        apps=apps,
        guards=_guards(settings, main, apps),
        workflow=settings.file(WORKFLOW, main),
        ignored_owners=settings.codeowners_errors(main),
        defaults=settings.defaults(),
        roles=settings.roles(),
        environments={name: settings.is_limited(name) for name in environments},
        # The last argument: each call above may set it.
        failed=settings.failed,
    )


def _guards(settings: RemoteSettings, main: str, apps: tuple[int, ...]) -> branch.Guards:
    """Fetch the rules of the branch, and the classic protection only if they do not suffice.

    Few tokens may see the classic protection.
    """
    rules = settings.rules(main)
    if isinstance(rules, Unseen) or not rules.holds(apps):
        return rules, settings.protection(main)
    return (rules,)


def _apps(environment: Mapping[str, str]) -> tuple[int, ...]:
    """Return the Apps that may write the check: GitHub Actions, and the App of the repository."""
    own = own_app(environment)
    if own is None:
        return (branch.ACTIONS_APP,)
    return branch.ACTIONS_APP, own
