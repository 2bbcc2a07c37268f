"""The repository and the revision of the hooks that `init` writes: never one that does not exist.

PEP 610 says what `direct_url.json` has: the address and the commit that pip installed from, or the
folder. The folder of a clone has an origin and a commit, which are written if they can be fetched.
"""

import json
import os
import re
from importlib import metadata
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from .. import __version__, git
from ..errors import UsageError
from ..git import remote

REPOSITORY = "https://github.com/helix-hooks/helix-hooks"
_DISTRIBUTION = "helix-hooks"
_ADDRESS = re.compile(r"(?:https|ssh)://\S+")
_SECRET = re.compile(r"^(https?://)[^/@]*@")
_HEAD = ("--verify", "--quiet", "HEAD^{commit}")
_NO_ADDRESSES = ("local", "meta")
"""Values of `repo:` with which pre-commit fetches nothing."""

_NAME = re.compile(r"[A-Za-z/](?:[\w./@:+-]*[\w./@+-])?", re.ASCII)
_HASH = re.compile(r"(?!0b)[0-9][0-9a-f]*[a-df][0-9a-f]*")
"""A hash that YAML reads as a text: `12` and `1e5` are numbers, and so is `0b1`."""

_WORDS = frozenset(("true", "false", "yes", "no", "on", "off", "y", "n", "null"))
"""Words that YAML 1.1 or 1.2 reads as a boolean or as nothing, in any case."""


class HookSource(NamedTuple):
    """The repository of the hooks, and a tag, branch or commit of it.

    `revision` is "" if none is known. `doubt` says why it is not known, or could not be checked.
    """

    url: str
    revision: str = ""
    doubt: str = ""


class _Installation(NamedTuple):
    """The record of pip: the address and commit that it installed from, or the folder.

    All are "" if they are unknown, and for a release, which comes from a package index.
    """

    url: str = ""
    commit: str = ""
    folder: str = ""
    is_release: bool = False


def hook_source(url: str | None, revision: str | None) -> HookSource:
    """Return the source that the user names, or else the one of this installation.

    Raises:
        UsageError: The repository does not have the revision that the user names, or the address
            or the revision can't exist.
        GitError: git is not installed.
    """
    if url and not _is_address(url):
        raise UsageError(f"--repo {url}: this is not the address of a repository; write a URL")
    recorded = _installation()
    home = url or recorded.url or REPOSITORY
    if revision is not None:
        return _checked(home, revision)
    if recorded.is_release:
        # The tag of this release, if the repository has it.
        return HookSource(home, remote.resolve(home, f"v{__version__}") or "")
    if recorded.folder and not url:
        return _of_clone(recorded.folder)
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
    is_text = bool(url) and url.isprintable() and url == url.strip()
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


def _of_clone(folder: str) -> HookSource:
    """Return origin and commit of the clone in a folder, if others can fetch them.

    Without a revision, `doubt` says what to do.
    """
    top, commit = (_git(folder, "rev-parse", *what) for what in (["--show-toplevel"], _HEAD))
    if not commit or not os.path.samefile(top, folder):
        return HookSource(REPOSITORY, doubt=f"git can't read a clone in {folder}")
    origin = _git(folder, "config", "--get", "remote.origin.url")
    if not _is_address(origin):
        return HookSource(REPOSITORY, doubt=f"the clone {folder} has no origin")
    place = os.path.abspath(os.path.join(folder, origin))
    if os.path.isdir(place):
        return _at_origin(place, commit, "is in a folder of this machine, which no other can fetch")
    # An address may have the token with which this machine fetches.
    return _at_origin(_SECRET.sub(r"\1", origin), commit)


def _at_origin(url: str, commit: str, doubt: str = "") -> HookSource:
    """Return the source of a commit, without a revision if it can't be fetched."""
    revision = remote.resolve(url, commit)
    if revision is None:
        return HookSource(url, doubt=f"{url} does not answer for the installed commit {commit}")
    if not revision:
        return HookSource(url, doubt=f"{url} lacks the installed commit {commit}; push it")
    return HookSource(url, revision, doubt)


def _git(folder: str, *words: str) -> str:
    """Return what git prints about a folder, "" if it fails."""
    done = git.run([*words], folder, check=False)
    return "" if done.returncode else done.stdout.decode(errors="replace").removesuffix("\n")


def _is_same(url: str, other: str) -> bool:
    return url.rstrip("/").removesuffix(".git") == other.rstrip("/").removesuffix(".git")


def _installation() -> _Installation:
    """Return what pip recorded of this installation."""
    try:
        text = metadata.distribution(_DISTRIBUTION).read_text("direct_url.json")
        if text is None:
            return _Installation(is_release=True)
        record = json.loads(text)
        if "dir_info" in record:
            return _Installation(folder=_folder(str(record["url"])))
        url, commit = str(record["url"]), str(record["vcs_info"]["commit_id"])
    except (metadata.PackageNotFoundError, ValueError, KeyError, TypeError, RecursionError):
        return _Installation()  # for example, run from a copy of the files
    is_public = _ADDRESS.fullmatch(url) and _is_address(url)
    # A commit of a clone on this machine may not be pushed, and nobody else can fetch it.
    if not is_public or not re.fullmatch(r"[0-9a-f]{40}", commit):
        return _Installation()
    return _Installation(url, commit)


def _folder(url: str) -> str:
    """Return the folder of a file URL; "" if it does not exist."""
    parts = urlsplit(url)
    folder = unquote(parts.path)
    return folder if parts.scheme == "file" and os.path.isdir(folder) else ""
