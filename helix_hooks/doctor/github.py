"""What `doctor` asks GitHub: the right questions in the right order, each of which may stay without an answer."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..github import client
from ..paths import WORKFLOW
from ..report.doctor import DoctorSection
from ..repository import commits
from ..safety import branch, remote, server, workflow
from ..safety.line import OK, Line, Unseen

if TYPE_CHECKING:
    from ..github.repository import RemoteSettings

_TITLE = "on GitHub"
_GITHUB = "https://github.com"
_TOKEN = "set GITHUB_TOKEN to a token that reads contents and administration, as one of your own may; that of a workflow may not"


def there(root: str, named: str, here: bytes | None, environment: Mapping[str, str]) -> tuple[DoctorSection, bool]:
    """The lines on GitHub, and whether it failed to answer. `here` is the workflow as it is in the work tree. Raises UsageError."""
    name, apps = repository_name(root, named, environment), _apps(environment)
    if not environment.get("GITHUB_TOKEN"):
        return _unreached("GITHUB_TOKEN is not set", _TOKEN), False
    if not name:
        host = _server(environment).partition("://")[2]
        return _unreached(f"the remote `origin` is no repository at {host}", "name it: --repo OWNER/NAME"), False
    import logging

    from ..github.repository import RemoteSettings

    settings = RemoteSettings(client.repository(name, environment["GITHUB_TOKEN"], environment.get("GITHUB_API_URL", "")))
    logging.getLogger("github").setLevel(logging.CRITICAL)  # PyGithub, loaded by now, would say of each refusal what its line says
    main = settings.default_branch()
    if isinstance(main, Unseen):
        return _unreached(f"{name}: {main.reason}", "see that the name is right, and that the token may read it"), settings.failed
    lines = (Line("repository", OK, f"{name}, whose default branch is {main}"), *_asked(settings, main, here, apps))
    return DoctorSection(_TITLE, lines), settings.failed


def _asked(settings: "RemoteSettings", main: str, here: bytes | None, apps: tuple[int, ...]) -> Iterator[Line]:
    """Classic branch protection takes a right that few tokens have, so it is asked only for what no ruleset asks for."""
    rules = settings.rules(main)
    guards: branch.Guards = (rules,)
    if isinstance(rules, Unseen) or not rules.holds(apps):
        guards = (rules, settings.protection(main))
    yield from branch.lines(main, guards, apps)
    yield server.in_force(main, here, settings.file(WORKFLOW, main))
    yield server.owners(main, settings.passed_over(main))
    yield from server.defaults(settings.defaults())
    yield from server.environments({name: settings.limited(name) for name in workflow.environments(here)})


def _unreached(why: str, help: str) -> DoctorSection:
    return DoctorSection(_TITLE, (server.unreached(why, help),))


def repository_name(root: str, named: str, environment: Mapping[str, str]) -> str:
    """The repository as it was named, or that of `origin`; "" where that is not on GitHub."""
    given = named or environment.get("GITHUB_REPOSITORY", "")
    if given and not remote.is_name(given):
        raise UsageError(f"{given!r} is no repository; write OWNER/NAME")
    return given or remote.name_of(commits.remote_address(root, "origin"), _server(environment))


def _server(environment: Mapping[str, str]) -> str:
    return environment.get("GITHUB_SERVER_URL") or _GITHUB


def _apps(environment: Mapping[str, str]) -> tuple[int, ...]:
    """The Apps that may write the check: GitHub Actions, and the one that is named."""
    own = environment.get("HELIX_APP_ID", "")
    if own and not (own.isascii() and own.isdigit()):
        raise UsageError(f"HELIX_APP_ID is {own!r} (expected the number of an App)")
    return (branch.ACTIONS_APP, int(own)) if own else (branch.ACTIONS_APP,)
