"""The repository and the revision of the hooks that `init` writes: never one that does not exist.

PEP 610 says what `direct_url.json` has: the address and the commit that pip installed from.
"""

import json
import re
from importlib import metadata
from typing import NamedTuple

from .. import __version__
from ..errors import UsageError
from ..repository import remote

REPOSITORY = "https://github.com/helix-hooks/helix-hooks"
_DISTRIBUTION = "helix-hooks"
_ADDRESS = re.compile(r"(?:https|ssh)://\S+")
_ABBREVIATED = re.compile(r"[0-9a-f]{7,39}")


class HookSource(NamedTuple):
    """The repository of the hooks, and a tag, branch or commit of it.

    `revision` is "" if none is known. `doubt` says why a revision could not be checked.
    """

    url: str
    revision: str = ""
    doubt: str = ""


class _Installation(NamedTuple):
    """The address and commit that the program was installed from, "" if they are not recorded."""

    url: str
    commit: str


def hook_source(url: str | None, revision: str | None) -> HookSource:
    """Return the source that the user names, or else the one of this installation.

    Raises:
        UsageError: The repository does not have the revision that the user names.
        GitError: git is not installed.
    """
    installation = _installation()
    recorded = installation or _Installation("", "")
    home = url or recorded.url or REPOSITORY
    if revision is not None:
        return _checked(home, revision)
    if installation is None:
        return _released(home)
    if recorded.commit and _is_same(home, recorded.url):
        return HookSource(home, recorded.commit)
    return HookSource(home)


def _checked(url: str, revision: str) -> HookSource:
    exists = remote.has_revision(url, revision)
    if exists:
        return HookSource(url, revision)
    # A server does not resolve abbreviated hashes, but pre-commit finds it in its own clone.
    if exists is None or _ABBREVIATED.fullmatch(revision):
        return HookSource(url, revision, f"could not be checked: {url} does not answer for it")
    way_out = f"push it, or choose a name that `git ls-remote {url}` prints"
    raise UsageError(f"--rev {revision}: {url} has no such tag, branch or commit; {way_out}")


def _released(url: str) -> HookSource:
    """Return the tag of this release, if the repository has it."""
    tag = f"v{__version__}"
    return HookSource(url, tag if remote.has_revision(url, tag) else "")


def _is_same(url: str, other: str) -> bool:
    return url.rstrip("/").removesuffix(".git") == other.rstrip("/").removesuffix(".git")


def _installation() -> _Installation | None:
    """Return what pip recorded; None for a release, which is installed from a package index."""
    try:
        text = metadata.distribution(_DISTRIBUTION).read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        return _Installation("", "")  # run from a copy of the files
    if text is None:
        return None
    try:
        record = json.loads(text)
        url, commit = record["url"], record["vcs_info"]["commit_id"]
    except (ValueError, KeyError, TypeError):
        return _Installation("", "")
    # A commit of a clone on this machine may not be pushed, and nobody else can fetch it.
    if not _ADDRESS.fullmatch(str(url)) or not re.fullmatch(r"[0-9a-f]{40}", str(commit)):
        return _Installation("", "")
    return _Installation(url, commit)
