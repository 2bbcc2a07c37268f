"""Fetch the commits of a pull request as git objects, without a checkout.

No filter, hook, submodule or LFS file is read or run. The objects go to a separate bare repository.
Only the git process that fetches gets the token, by its environment: arguments are visible to other
users, and files stay (docs.github.com, "Security hardening for GitHub Actions").
"""

import base64
import os
import re
from collections.abc import Mapping

from ..errors import GitError
from ..git import executable
from ..proc import run, search_path

_SAFE = [
    "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false",
    "-c", "protocol.ext.allow=never", "-c", "fetch.recurseSubmodules=false",
    "-c", "gc.auto=0", "-c", "maintenance.auto=false",
]  # fmt: skip
_SECONDS = 300


def fetch(folder: str, url: str, commits: list[str], token: str) -> None:
    """Fetch commits with their trees into a bare repository at `folder`, and create it if needed.

    Raises:
        GitError: git is not installed, failed or took too long.
    """
    if not os.path.isdir(folder):
        _run(["init", "--quiet", "--bare", "--template=", "--", folder], ".", {})
    missing = [name for name in dict.fromkeys(commits) if not _has(folder, name)]
    if missing:
        _fetch(folder, url, missing, 1, token)


def deepen(folder: str, url: str, commits: list[str], depth: int, token: str) -> None:
    """Fetch `depth` commits of history for commits that are stored already.

    Raises:
        GitError: git is not installed, failed or took too long.
    """
    _fetch(folder, url, list(dict.fromkeys(commits)), depth, token)


def _fetch(folder: str, url: str, commits: list[str], depth: int, token: str) -> None:
    flags = ["--quiet", f"--depth={depth}", "--no-tags", "--no-write-fetch-head"]
    # A ref for each commit, so that no garbage collection removes it.
    refs = [f"+{name}:refs/helix/{name}" for name in commits]
    _run([*_SAFE, "fetch", *flags, "--", url, *refs], folder, _access(url, token))


def tip(url: str, branch: str, token: str) -> str:
    """Return the newest commit of a branch on the server.

    Raises:
        GitError: There is no such branch, or git failed.
    """
    command = [*_SAFE, "ls-remote", "--quiet", "--", url, f"refs/heads/{branch}"]
    words = _run(command, ".", _access(url, token)).split()
    if not words:
        raise GitError(f"the branch {branch} no longer exists")
    return words[0].decode()


def patch(folder: str, before: str, after: str) -> bytes:
    """Return the difference of two commits, without the places of the hunks and the blob names.

    So a change is the same on another base. Binary files are compared in full.

    Raises:
        GitError: A commit is missing, or git failed.
    """
    flags = ["--no-ext-diff", "--no-textconv", "--no-renames", "--no-color", "--binary"]
    text = _run(["diff", *flags, "--unified=3", before, after, "--"], folder, {})
    lines = [re.sub(rb"^@@ [-+0-9, ]+ @@.*", b"@@", line) for line in text.split(b"\n")]
    return b"\n".join(line for line in lines if not line.startswith(b"index "))


def _has(folder: str, name: str) -> bool:
    command = [executable(), "cat-file", "-e", f"{name}^{{tree}}"]
    done = run.output(command, _environment({}), _SECONDS, folder)
    return done is not None and done.returncode == 0


def _access(url: str, token: str) -> dict[str, str]:
    """Return variables that make git send the token to this server, and to no other."""
    server = re.match(r"https?://[^/]+/", url)
    if not token or not server:
        return {}
    secret = base64.b64encode(f"x-access-token:{token}".encode()).decode()
    return {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"http.{server[0]}.extraheader",
        "GIT_CONFIG_VALUE_0": f"AUTHORIZATION: basic {secret}",
    }


def _environment(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of git: the network settings of this process, and `variables`."""
    inherited = (
        "HOME", "TMPDIR", "SYSTEMROOT", "TEMP", "SSL_CERT_FILE", "SSL_CERT_DIR",
        "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "https_proxy", "http_proxy", "no_proxy",
    )  # fmt: skip
    ours = {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_LFS_SKIP_SMUDGE": "1",
        "GIT_ASKPASS": "true",
    }
    return {
        **{name: os.environ[name] for name in inherited if name in os.environ},
        "PATH": search_path(os.environ),
        **ours,
        **variables,
    }


def _run(arguments: list[str], folder: str, variables: Mapping[str, str]) -> bytes:
    try:
        done = run.output([executable(), *arguments], _environment(variables), _SECONDS, folder)
    except FileNotFoundError:
        raise GitError("git is not installed, or not on the PATH") from None
    if not done:
        raise GitError(f"git did not end within {_SECONDS} s")
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        # The last line has the reason; the lines before it are progress and hints.
        reason = (lines or ["git gives no reason"])[-1]
        raise GitError(f"the commits of the pull request could not be fetched: {reason}")
    return done.stdout
