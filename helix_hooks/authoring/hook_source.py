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
_NO_ADDRESSES = ("local", "meta")
"""Values of `repo:` with which pre-commit fetches nothing."""

_NAME = re.compile(r"[A-Za-z/](?:[\w./@:+-]*[\w./@+-])?", re.ASCII)
_HASH = re.compile(r"(?!0b)[0-9][0-9a-f]*[a-df][0-9a-f]*")
"""A hash that YAML reads as a text: `12` and `1e5` are numbers, and so is `0b1`."""

_WORDS = frozenset(("true", "false", "yes", "no", "on", "off", "y", "n", "null"))
"""Words that YAML 1.1 or 1.2 reads as a boolean or as nothing, in any case."""


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
        UsageError: The repository does not have the revision that the user names, or the address
            or the revision can't exist.
        GitError: git is not installed.
    """
    if url and not _is_address(url):
        raise UsageError(f"--repo {url}: this is not the address of a repository; write a URL")
    installation = _installation()
    recorded = installation or _Installation("", "")
    home = url or recorded.url or REPOSITORY
    if revision is not None:
        return _checked(home, revision)
    if installation is None:
        return _released(home)
    if recorded.commit and _is_same(home, recorded.url):
        return _looked_up(home, recorded.commit)
    return HookSource(home)


def yaml_scalar(text: str) -> str:
    """Return a printable text as a YAML scalar, in quotes unless its plain form is this text."""
    is_plain = _NAME.fullmatch(text) or _HASH.fullmatch(text)
    if is_plain and text.lower() not in _WORDS:
        return text
    escaped = text.replace("'", "''")
    return f"'{escaped}'"


def _is_address(url: str) -> bool:
    """Return whether pre-commit and git read a text as an address, not as an option or a word."""
    is_text = url.isprintable() and url == url.strip()
    return is_text and not url.startswith("-") and url not in _NO_ADDRESSES


def _checked(url: str, revision: str) -> HookSource:
    """Return the source with the revision that the user names."""
    if not remote.is_possible(revision):
        problem = "this can't be the name of a tag or branch"
        raise UsageError(f"--rev {revision}: {problem}; write one, or the full hash of a commit")
    source = _looked_up(url, revision)
    if not source.revision:
        names = f"a name that `git ls-remote {url}` prints, without `refs/heads/` or `refs/tags/`"
        problem = f"{url} has no such tag, branch or commit; push it, or choose {names}"
        raise UsageError(f"--rev {revision}: {problem}")
    if source.doubt and revision == "HEAD":
        way_out = "write the full hash of a commit"
        raise UsageError(f"--rev HEAD: {url} does not answer; {way_out}")
    return source


def _looked_up(url: str, revision: str) -> HookSource:
    """Return a source without a revision if the repository does not have it."""
    resolved = remote.resolve(url, revision)
    if resolved is not None:
        return HookSource(url, resolved)
    if remote.is_full_hash(revision):
        revision = revision.lower()
    return HookSource(url, revision, f"could not be checked: {url} does not answer for it")


def _released(url: str) -> HookSource:
    """Return the tag of this release, if the repository has it."""
    return HookSource(url, remote.resolve(url, f"v{__version__}") or "")


def _is_same(url: str, other: str) -> bool:
    return url.rstrip("/").removesuffix(".git") == other.rstrip("/").removesuffix(".git")


def _installation() -> _Installation | None:
    """Return what pip recorded; None for a release, which is installed from a package index."""
    try:
        text = metadata.distribution(_DISTRIBUTION).read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        return _Installation("", "")  # run from a copy of the files
    except UnicodeDecodeError:
        return _Installation("", "")
    if text is None:
        return None
    try:
        record = json.loads(text)
        url, commit = str(record["url"]), str(record["vcs_info"]["commit_id"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return _Installation("", "")
    is_public = _ADDRESS.fullmatch(url) and _is_address(url)
    # A commit of a clone on this machine may not be pushed, and nobody else can fetch it.
    if not is_public or not re.fullmatch(r"[0-9a-f]{40}", commit):
        return _Installation("", "")
    return _Installation(url, commit)
