"""Fetch the commits of a pull request as git objects only: no checkout, filter, hook, submodule or
large file storage.

The objects are data in a bare repository of their own. The token is in the environment of the one
process that needs it, never in an argument or a file (docs.github.com, "Security hardening for
GitHub Actions").
"""

import base64
import os
import re
import subprocess
from collections.abc import Mapping

from ..errors import GitError
from ..repository import program
from ..repository.runner import executable

_SAFE = [
    "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false",
    "-c", "protocol.ext.allow=never", "-c", "fetch.recurseSubmodules=false",
    "-c", "gc.auto=0", "-c", "maintenance.auto=false",
]  # fmt: skip
_SECONDS = 300


def fetch(folder: str, url: str, commits: list[str], token: str) -> None:
    """Fetch commits with their trees into a bare repository at `folder`, which is made if it is
    absent. Raises GitError.
    """
    if not os.path.isdir(folder):
        _run(["init", "--quiet", "--bare", "--template=", "--", folder], ".", {})
    missing = [name for name in dict.fromkeys(commits) if not _has(folder, name)]
    if missing:
        flags = ["--quiet", "--depth=1", "--no-tags", "--no-write-fetch-head"]
        _run(
            [
                *_SAFE,
                "fetch",
                *flags,
                "--",
                url,
                *(f"+{name}:refs/helix/{name}" for name in missing),
            ],
            folder,
            _access(url, token),
        )


def deepen(folder: str, url: str, commits: list[str], depth: int, token: str) -> None:
    """Fetch a number of commits before some that are there already. Raises GitError."""
    flags = ["--quiet", f"--depth={depth}", "--no-tags", "--no-write-fetch-head"]
    _run(
        [
            *_SAFE,
            "fetch",
            *flags,
            "--",
            url,
            *(f"+{name}:refs/helix/{name}" for name in dict.fromkeys(commits)),
        ],
        folder,
        _access(url, token),
    )


def tip(url: str, branch: str, token: str) -> str:
    """Return the commit at which a branch is now. Raises GitError."""
    found = _run(
        [*_SAFE, "ls-remote", "--quiet", "--", url, f"refs/heads/{branch}"],
        ".",
        _access(url, token),
    ).split()
    if not found:
        raise GitError(f"there is no branch {branch} any more")
    return found[0].decode()


def _has(folder: str, name: str) -> bool:
    command = [executable(), "cat-file", "-e", f"{name}^{{tree}}"]
    done = subprocess.run(
        command, cwd=folder, env=_environment({}), capture_output=True, check=False
    )
    return done.returncode == 0


def _access(url: str, token: str) -> dict[str, str]:
    """Return settings of git that send the token to this server alone."""
    server = re.match(r"https?://[^/]+/", url)
    if not token or not server:
        return {}
    secret = base64.b64encode(f"x-access-token:{token}".encode()).decode()
    return {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"http.{server[0]}.extraheader",
        "GIT_CONFIG_VALUE_0": f"AUTHORIZATION: basic {secret}",
    }


def _environment(more: Mapping[str, str]) -> dict[str, str]:
    kept = (
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
        **{name: os.environ[name] for name in kept if name in os.environ},
        "PATH": program.search_path(os.environ),
        **ours,
        **more,
    }


def _run(arguments: list[str], folder: str, more: Mapping[str, str]) -> bytes:
    try:
        done = subprocess.run(
            [executable(), *arguments],
            cwd=folder,
            env=_environment(more),
            capture_output=True,
            check=False,
            timeout=_SECONDS,
        )
    except FileNotFoundError:
        raise GitError("git is not installed, or not on the PATH") from None
    except subprocess.TimeoutExpired:
        raise GitError(
            f"git {arguments[-1] if arguments[0] == 'init' else 'fetch'} had no end "
            f"after {_SECONDS} s"
        ) from None
    if done.returncode:
        reason = done.stderr.decode(errors="replace").strip().splitlines()
        raise GitError(
            "the commits of the pull request could not be fetched: "
            f"{reason[-1] if reason else 'git says nothing'}"
        )
    return done.stdout
