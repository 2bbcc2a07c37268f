"""Whether a local branch that is named as the base is behind its upstream in what the gate goes by. No network: the remote-tracking branch counts."""

from .. import git, history
from ..approval.injection import ours
from ..files import StagedTree
from ..places import READ_FIRST
from ..revisions import Revision
from ..watched import named
from .since import readable_settings

_LOCAL = "refs/heads/"


def behind(root: str, flag: str, revision: str) -> str:
    """The warning about a base whose upstream has other settings by now, "" where there is nothing to say. `flag` is that of the base."""
    branch = (
        git.run(["rev-parse", "--verify", "--quiet", "--symbolic-full-name", "--end-of-options", revision], root, check=False).stdout.decode().strip()
    )
    upstream = _upstream(root, branch) if branch.startswith(_LOCAL) else ""
    paths = _newer(root, branch, upstream) if upstream else []
    if not paths:
        return ""
    short, other = branch.removeprefix(_LOCAL), upstream.removeprefix("refs/remotes/").removeprefix(_LOCAL)
    return f"warning: {short} is behind {other}, which has other settings ({named(paths)}); use {flag} {other}, or bring {short} up to date"


def _upstream(root: str, branch: str) -> str:
    """What a branch is set to follow, else the branch of its name at `origin`; "" where that is not here."""
    found = git.run(["for-each-ref", "--format=%(upstream)", branch], root).stdout.decode().strip()
    wanted = found or branch.replace(_LOCAL, "refs/remotes/origin/", 1)
    return wanted if history.commit(root, wanted) else ""


def _newer(root: str, branch: str, upstream: str) -> list[str]:
    """The settings that the upstream has changed since the two parted, and that the branch has otherwise."""
    parted = history.merge_base(root, branch, upstream)
    if not parted or parted == history.commit(root, upstream):
        return []
    where = {item for one in (branch, upstream) for item in _ours(root, one)}
    since, apart = (history.differing(root, one, upstream) for one in (parted, branch))
    return [path for path in since if path in apart and (path in READ_FIRST or path.startswith(tuple(where)))]


def _ours(root: str, branch: str) -> tuple[str, ...]:
    """Where lies what the gate goes by on a branch."""
    revision = Revision(root, branch)
    try:
        settings = readable_settings(StagedTree(revision, root))
        return ours(settings.approvals) if settings else ours()
    finally:
        revision.close()
