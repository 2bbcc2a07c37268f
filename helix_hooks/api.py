"""The gate for programs: options in, values out. Nothing is printed.

Both functions work on the repository of the current folder, and raise `HelixError` where the
command line would print an error and exit with 2 or 3.
"""

from typing import TYPE_CHECKING, NamedTuple

from . import extras
from .check.options import CheckOptions, opened
from .errors import UsageError
from .repository import git, runner
from .repository.environment import restored

if TYPE_CHECKING:
    from .check.run import CheckResult
    from .decision.approve_result import ApproveResult
    from .judge.options import ApproveOptions

__all__ = ["ApproveReply", "CheckOptions", "approve", "check"]


class ApproveReply(NamedTuple):
    """The result of a review, and the lines that the command line would print beside it."""

    result: "ApproveResult"
    notices: tuple[str, ...]


def check(options: CheckOptions = CheckOptions()) -> "CheckResult":  # noqa: B008 -- a value
    """Run Layers 1 to 3, as `helix-hooks check` does. Its notices are those of the whole run."""
    with restored(), opened(options) as target:
        from .check import run

        context = run.prepare(options, target)
        result = run.check(context)
        return result._replace(notices=(*context.notices, *result.notices))


def approve(options: "ApproveOptions") -> ApproveReply:
    """Run Layers 1 to 3, then the judges, as `helix-hooks approve` does.

    The command line puts a process between itself and the judges, which ends them when it is
    killed. Here they are children of the calling program.
    """
    extras.require("approve")
    from .judge import approve as review
    from .judge.options import Observer

    notices: list[str] = []
    with restored():
        root = git.repository()
        if not root:
            raise UsageError("approve needs a git repository, and this folder is not in one")
        try:
            result = review.approve(options, root, Observer(notices.append))
        finally:
            runner.forget()
    return ApproveReply(result, tuple(notices))
