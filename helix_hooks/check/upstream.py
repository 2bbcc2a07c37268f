"""Warn where a local base branch has older settings than its upstream.

No network: the remote-tracking branch counts.
"""

from ..config.watched import named
from ..paths import READ_FIRST
from ..repository import history, runner
from ..repository.files import StagedTree
from ..repository.revisions import Revision
from ..verdict.injection.signs import ours
from .settings import readable_settings

_LOCAL = "refs/heads/"


def behind(root: str, flag: str, revision: str) -> str:
    """Return the warning about a base whose upstream has other settings; "" if there is none.

    `flag` is the option that named the base.
    """
    command = [
        "rev-parse",
        "--verify",
        "--quiet",
        "--symbolic-full-name",
        "--end-of-options",
        revision,
    ]
    branch = runner.run(command, root, check=False).stdout.decode().strip()
    upstream = _upstream(root, branch) if branch.startswith(_LOCAL) else ""
    paths = _newer(root, branch, upstream) if upstream else []
    if not paths:
        return ""
    short, other = (
        branch.removeprefix(_LOCAL),
        upstream.removeprefix("refs/remotes/").removeprefix(_LOCAL),
    )
    return (
        f"warning: {short} is behind {other}, which has other settings ({named(paths)}); "
        f"use {flag} {other}, or bring {short} up to date"
    )


def _upstream(root: str, branch: str) -> str:
    """Return the upstream that a branch follows, else the branch of its name at `origin`; "" if
    neither is in this clone.
    """
    found = (
        runner.run(["for-each-ref", "--format=%(upstream)", branch], root).stdout.decode().strip()
    )
    wanted = found or branch.replace(_LOCAL, "refs/remotes/origin/", 1)
    return wanted if history.commit(root, wanted) else ""


def _newer(root: str, branch: str, upstream: str) -> list[str]:
    """Return the settings that the upstream has changed since the merge base, and that differ on
    the branch.
    """
    fork = history.merge_base(root, branch, upstream)
    if not fork or fork == history.commit(root, upstream):
        return []
    where = {item for one in (branch, upstream) for item in _ours(root, one)}
    since, apart = (history.differing(root, one, upstream) for one in (fork, branch))
    return [
        path
        for path in since
        if path in apart and (path in READ_FIRST or path.startswith(tuple(where)))
    ]


def _ours(root: str, branch: str) -> tuple[str, ...]:
    """Return the paths of the settings on a branch."""
    revision = Revision(root, branch)
    try:
        settings = readable_settings(StagedTree(revision, root))
        return ours(settings.approvals) if settings else ours()
    finally:
        revision.close()
