"""Judge whether a change can reach a branch without the check or the code owners."""

from collections.abc import Collection
from typing import NamedTuple

from ..config.workflows import CHECK
from .line import MISSING, OK, UNKNOWN, UNSAFE, Line, Unseen

ACTIONS_APP = 15368
"""The id of the App GitHub Actions on github.com. The token of a workflow writes as this App."""

RULESETS = "Settings > Rules > Rulesets"
_READ = "administration: read"


class Guard(NamedTuple):
    """The rules of a branch for a merge.

    `checks` are the names of required checks, each with the App that must write it, or None for any
    source. `dismisses`: new commits dismiss the approvals of code owners.
    """

    checks: tuple[tuple[str, int | None], ...] = ()
    pull_request: bool = False
    code_owners: bool = False
    dismisses: bool = False

    def holds(self, apps: Collection[int]) -> bool:
        """Return whether the rules are all that the gate needs. `apps` may write the check."""
        requires_check = any((CHECK, app) in self.checks for app in apps)
        return self.pull_request and self.code_owners and self.dismisses and requires_check


Guards = tuple[Guard | Unseen, ...]
"""The rulesets, and the classic branch protection if it was fetched."""


def joined(guards: Guards) -> Guard:
    """Return the rules of several guards together: GitHub applies all of them."""
    together = Guard()
    for guard in guards:
        if isinstance(guard, Guard):
            together = Guard(
                checks=together.checks + guard.checks,
                pull_request=together.pull_request or guard.pull_request,
                code_owners=together.code_owners or guard.code_owners,
                dismisses=together.dismisses or guard.dismisses,
            )
    return together


def lines(branch: str, guards: Guards, apps: Collection[int]) -> list[Line]:
    """Return the lines on a branch. `apps` may write the check."""
    guard = joined(guards)
    reason = next((guard.reason for guard in guards if isinstance(guard, Unseen)), "")
    return [_required(branch, guard, reason, apps), *_reviews(branch, guard, reason)]


def _required(branch: str, guard: Guard, reason: str, apps: Collection[int]) -> Line:
    check = "required-check"
    sources = [app for name, app in guard.checks if name == CHECK]
    if any(app in apps for app in sources):
        return Line(check, OK, f"{branch} requires `{CHECK}`, from the App that writes it")
    if not sources:
        message = f"nothing requires the check `{CHECK}` on {branch}"
        help = f"{RULESETS}: require the check `{CHECK}`, from the source GitHub Actions"
        return _absent(check, message, reason, help)
    choose = f"{RULESETS}: choose the source GitHub Actions for `{CHECK}`"
    others = ", ".join(str(app) for app in sources if app is not None)
    if others:
        message = f"`{CHECK}` is required from the App {others}, but another App writes it"
        help = f"{choose}; or set HELIX_APP_ID if your own App writes it"
        return Line(check, UNSAFE, message, help)
    forged = "so anyone with permission to write statuses can forge it"
    return Line(check, UNSAFE, f"`{CHECK}` is required from any source, {forged}", choose)


def _reviews(branch: str, guard: Guard, reason: str) -> list[Line]:
    if not guard.pull_request:
        message = f"{branch} takes commits without a pull request"
        require = "require a pull request before merging, with review from code owners"
        help = f"{RULESETS}: {require}, and dismiss stale approvals"
        return [_absent("pull-request", message, reason, help)]
    only = Line("pull-request", OK, f"{branch} takes pull requests only")
    return [only, _code_owners(guard), _stale_approvals(guard)]


def _code_owners(guard: Guard) -> Line:
    check = "code-owner-review"
    if guard.code_owners:
        return Line(check, OK, "code owners must approve what they own")
    message = "a change to the gate's own files does not need a code owner's approval"
    return Line(check, UNSAFE, message, f"{RULESETS}: require review from code owners")


def _stale_approvals(guard: Guard) -> Line:
    check = "stale-reviews"
    if guard.dismisses:
        return Line(check, OK, "a push dismisses approvals")
    message = "approvals remain valid after a new push"
    dismiss = "dismiss stale pull request approvals when new commits are pushed"
    return Line(check, UNSAFE, message, f"{RULESETS}: {dismiss}")


def _absent(check: str, message: str, reason: str, help: str) -> Line:
    """Return the line on a missing rule. It is unknown if some rules are not visible."""
    if not reason:
        return Line(check, MISSING, message, help)
    look = f"use a token that has the right {_READ}"
    return Line(check, UNKNOWN, f"{message}, checked only in part: {reason}", f"{look}; {help}")
