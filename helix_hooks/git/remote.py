"""Look names and commits up in a repository on another machine."""

import os
import re
import shlex
import tempfile
from contextlib import suppress
from subprocess import CompletedProcess

from .. import git
from ..proc import run

_SECONDS = 30
_HASH = re.compile(r"[0-9a-fA-F]{40}")
_ABBREVIATED = re.compile(r"[0-9a-fA-F]{7,39}")
_OF_THIS_CLONE = frozenset(
    (
        "GIT_DIR",
        "GIT_COMMON_DIR",
        "GIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_NAMESPACE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    )
)
"""Variables with which git would look a commit up in the clone of the user."""


def is_full_hash(revision: str) -> bool:
    """Return whether a revision has the form of a full hash, also in upper case."""
    return bool(_HASH.fullmatch(revision))


def is_possible(revision: str) -> bool:
    """Return whether git allows a revision as the name of a tag or branch; hashes are such names.

    Raises:
        GitError: git is not installed.
    """
    # git allows a tag `-x`, but programs read it as an option. It also allows the line breaks of
    # Unicode and bytes that are not UTF-8, with which the YAML would be invalid.
    if revision.startswith("-") or not revision.isprintable():
        return False
    return not git.run(["check-ref-format", f"refs/tags/{revision}"], check=False).returncode


def resolve(url: str, revision: str) -> str | None:
    """Return the name of a tag or branch, and HEAD or a hash as the full hash of its commit.

    "" if the repository has no such commit. None if it can't be read, or does not answer for a
    commit.

    Raises:
        GitError: git is not installed.
    """
    if is_full_hash(revision):
        return _fetched(url, revision.lower(), ["--depth=1", "--no-tags"], revision.lower())
    tag, branch = f"refs/tags/{revision}", f"refs/heads/{revision}"
    done = _run(["ls-remote", "--quiet", "--", url, "HEAD", tag, branch])
    if done is None or done.returncode:
        return None
    lines = done.stdout.decode(errors="replace").splitlines()
    hashes = {name: hash_ for hash_, _, name in (line.partition("\t") for line in lines)}
    if revision == "HEAD":
        return hashes.get("HEAD", "")
    if tag in hashes:
        # git allows tags of files and folders too.
        commit = _fetched(url, hashes[tag], ["--depth=1", "--no-tags"], hashes[tag])
        return revision if commit else commit
    if branch in hashes:
        return revision
    if _ABBREVIATED.fullmatch(revision):
        # A server looks only full hashes up, so all commits are needed.
        refs = ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"]
        return _fetched(url, revision.lower(), [], *refs)
    return ""


def _fetched(url: str, hash_: str, flags: list[str], *refs: str) -> str | None:
    """Fetch some refs, and return the full hash of a commit among them; see `resolve`."""
    with tempfile.TemporaryDirectory() as folder:
        _run(["init", "--quiet", "--bare", "--template=", "--", folder])
        # Not -C: a relative address starts at the current folder. The filter leaves files and
        # folders out of what is sent.
        clone = ["--git-dir", folder]
        done = _run([*clone, "fetch", "--quiet", "--filter=tree:0", *flags, "--", url, *refs])
        if done is None:
            return None
        if done.returncode:
            # The error of git's upload-pack for a hash that it does not have, or does not serve.
            if b"not our ref" in done.stderr:
                return ""
            return None
        # A fetch accepts the hash of a file or folder too, and an annotated tag has its own hash.
        commit = _run([*clone, "rev-parse", "--verify", "--quiet", f"{hash_}^{{commit}}"])
    if commit is None:
        return None
    return commit.stdout.decode().strip()


def _run(arguments: list[str]) -> "CompletedProcess[bytes] | None":
    """Run git without a question to the user; None if the other machine does not answer."""
    return run.output([git.executable(), *arguments], _variables(), _SECONDS)


def _variables() -> dict[str, str]:
    """Return the environment of git, in which it and ssh fail where they would ask."""
    inherited = git.environment()
    variables = {name: inherited[name] for name in inherited.keys() - _OF_THIS_CLONE}
    ssh = variables.get("GIT_SSH_COMMAND", "")
    if not ssh and "GIT_SSH" not in variables:
        done = git.run(["config", "core.sshCommand"], check=False)
        ssh = done.stdout.decode(errors="surrogateescape").strip() or "ssh"
    # Other programs may not know the option of OpenSSH.
    if _is_openssh(ssh):
        variables["GIT_SSH_COMMAND"] = f"{ssh} -oBatchMode=yes"
    return {
        **variables,
        "GIT_TERMINAL_PROMPT": "0",
        "GCM_INTERACTIVE": "never",
        "SSH_ASKPASS_REQUIRE": "never",
        "LC_ALL": "C",
    }


def _is_openssh(command: str) -> bool:
    with suppress(ValueError):
        words = shlex.split(command)
        return bool(words) and os.path.basename(words[0]) in ("ssh", "ssh.exe")
    return False
