"""Whether nothing reaches a branch past the check and past those who own what it goes by."""

from collections.abc import Collection
from typing import NamedTuple

from .line import MISSING, OK, UNKNOWN, UNSAFE, Line, Unseen
from .workflow import CHECK

ACTIONS_APP = 15368
"""The id of the App GitHub Actions on github.com, in whose name the token of a workflow writes check runs."""

RULESETS = "Settings > Rules > Rulesets"
_READ = "administration: read"


class Guard(NamedTuple):
    """What a branch asks for before something is merged: checks, each with the App that it must come from or None for anybody, and a pull
    request, with the approval of code owners, which a push takes back.
    """

    checks: tuple[tuple[str, int | None], ...] = ()
    pull_request: bool = False
    code_owners: bool = False
    dismisses: bool = False

    def holds(self, apps: Collection[int]) -> bool:
        """Whether it asks for all that the gate needs."""
        return self.pull_request and self.code_owners and self.dismisses and any((CHECK, app) in self.checks for app in apps)


Guards = tuple[Guard | Unseen, ...]
"""The rulesets, and the classic branch protection where it was asked."""


def joined(guards: Guards) -> Guard:
    """What several ask for together: each of them must be met."""
    seen = [guard for guard in guards if isinstance(guard, Guard)]
    checks = tuple(check for guard in seen for check in guard.checks)
    return Guard(checks, *(any(flags) for flags in zip(*(guard[1:] for guard in seen), strict=True))) if seen else Guard()


def lines(branch: str, guards: Guards, apps: Collection[int]) -> list[Line]:
    """`apps` are those in whose name the check may be written."""
    found = joined(guards)
    reason = next((guard.reason for guard in guards if isinstance(guard, Unseen)), "")
    return [_required(branch, found, reason, apps), *_reviews(branch, found, reason)]


def _required(branch: str, found: Guard, reason: str, apps: Collection[int]) -> Line:
    sources = [app for name, app in found.checks if name == CHECK]
    if any(app in apps for app in sources):
        return Line("required-check", OK, f"{branch} requires `{CHECK}`, from the App that writes it")
    if not sources:
        help = f"{RULESETS}: require the check `{CHECK}`, from the source GitHub Actions"
        return _absent("required-check", f"nothing requires the check `{CHECK}` on {branch}", reason, help)
    bound = [str(app) for app in sources if app is not None]
    if bound:
        said = f"`{CHECK}` is expected from the App {', '.join(bound)}, and is written by another one"
        help = f"{RULESETS}: choose the source GitHub Actions for `{CHECK}`; or set HELIX_APP_ID, where an App of your own writes it"
        return Line("required-check", UNSAFE, said, help)
    said = f"`{CHECK}` is required from any source, so anybody who may write statuses can forge it"
    return Line("required-check", UNSAFE, said, f"{RULESETS}: choose the source GitHub Actions for `{CHECK}`")


def _reviews(branch: str, found: Guard, reason: str) -> list[Line]:
    if not found.pull_request:
        help = f"{RULESETS}: require a pull request before merging, with review from code owners, and dismiss stale approvals"
        return [_absent("pull-request", f"{branch} takes commits without a pull request", reason, help)]
    owners = "code owners must approve what they own"
    stale = "a push takes approvals back"
    return [
        Line("pull-request", OK, f"{branch} takes pull requests only"),
        Line("code-owner-review", OK, owners) if found.code_owners else
        Line("code-owner-review", UNSAFE, "a change to the gate's own files needs no code owner", f"{RULESETS}: require review from code owners"),
        Line("stale-reviews", OK, stale) if found.dismisses else
        Line("stale-reviews", UNSAFE, "an approval stays when something else is pushed",
             f"{RULESETS}: dismiss stale pull request approvals when new commits are pushed"),
    ]  # fmt: skip


def _absent(check: str, said: str, reason: str, help: str) -> Line:
    """What nothing asks for; where not everything could be seen, it may be asked for there."""
    if not reason:
        return Line(check, MISSING, said, help)
    return Line(check, UNKNOWN, f"{said}, as far as could be seen: {reason}", f"look with a token that has the right {_READ}; {help}")
