"""Warn if a local base branch has older settings than its upstream.

No network: the remote-tracking branch is compared.
"""

from .. import git
from ..config.watched import named
from ..git import history
from ..paths import READ_FIRST
from ..verdict.injection.signs import ours
from .settings import readable_settings
from .trees import Revision

_LOCAL = "refs/heads/"


def behind(root: str, flag: str, revision: str) -> str:
    """Return a warning about a base whose upstream has other settings; "" if there is none.

    `flag` is the option that named the base.
    """
    branch = _full_name(root, revision)
    upstream = ""
    if branch.startswith(_LOCAL):
        upstream = _upstream(root, branch)
    paths = _newer(root, branch, upstream) if upstream else []
    if not paths:
        return ""
    short = branch.removeprefix(_LOCAL)
    other = upstream.removeprefix("refs/remotes/").removeprefix(_LOCAL)
    return (
        f"warning: {short} is behind {other}, which has other settings ({named(paths)}); "
        f"use {flag} {other}, or bring {short} up to date"
    )


def _full_name(root: str, revision: str) -> str:
    """Return the full name of a branch, as refs/heads/main; "" for a commit."""
    flags = ["--verify", "--quiet", "--symbolic-full-name", "--end-of-options"]
    done = git.run(["rev-parse", *flags, revision], root, check=False)
    return done.stdout.decode().strip()


def _upstream(root: str, branch: str) -> str:
    """Return the upstream of a branch, else the branch of the same name at `origin`.

    It is "" if neither is in this clone.
    """
    done = git.run(["for-each-ref", "--format=%(upstream)", branch], root)
    upstream = done.stdout.decode().strip() or branch.replace(_LOCAL, "refs/remotes/origin/", 1)
    if history.commit(root, upstream):
        return upstream
    return ""


def _newer(root: str, branch: str, upstream: str) -> list[str]:
    """Return the settings files that only the upstream has changed since the merge base."""
    fork = history.merge_base(root, branch, upstream)
    if not fork or fork == history.commit(root, upstream):
        return []
    folders = (*_settings_folders(root, branch), *_settings_folders(root, upstream))
    different = history.differing(root, branch, upstream)
    newer: list[str] = []
    for path in history.differing(root, fork, upstream):
        is_setting = path in READ_FIRST or path.startswith(folders)
        if is_setting and path in different:
            newer.append(path)
    return newer


def _settings_folders(root: str, branch: str) -> tuple[str, ...]:
    """Return the paths of the settings on a branch."""
    revision = Revision(root, branch)
    try:
        settings = readable_settings(revision)
        if settings:
            return ours(settings.approvals)
        return ours()
    finally:
        revision.close()
