"""Look names and commits up in a repository on another machine."""

import re
import subprocess
import tempfile

from . import runner

_SECONDS = 30
_COMMIT = re.compile(r"[0-9a-f]{40}")


def has_revision(url: str, revision: str) -> bool | None:
    """Return whether a repository has a tag, a branch or a commit with its full hash.

    None if the repository can't be read, or if it does not answer for a commit.

    Raises:
        GitError: git is not installed.
    """
    if _COMMIT.fullmatch(revision):
        return _has_commit(url, revision)
    names = {f"refs/tags/{revision}", f"refs/heads/{revision}"}
    done = _run(["ls-remote", "--quiet", "--tags", "--heads", "--", url], ".")
    if done is None or done.returncode:
        return None
    lines = done.stdout.decode(errors="replace").splitlines()
    return any(line.partition("\t")[2] in names for line in lines)


def _has_commit(url: str, commit: str) -> bool | None:
    with tempfile.TemporaryDirectory() as folder:
        _run(["init", "--quiet", "--bare", "--template=", "--", folder], ".")
        # ls-remote lists only the commits that tags and branches point to. A fetch finds the
        # others. The filter leaves files and folders out of what is sent.
        flags = ["--quiet", "--depth=1", "--no-tags", "--filter=tree:0"]
        done = _run(["fetch", *flags, "--", url, commit], folder)
    if done is None:
        return None
    if done.returncode:
        # The error of git's upload-pack for a hash that it does not have, or does not serve.
        if b"not our ref" in done.stderr:
            return False
        return None
    return True


def _run(arguments: list[str], folder: str) -> "subprocess.CompletedProcess[bytes] | None":
    """Run git without asking for a password; None if the other machine does not answer."""
    variables = {**runner.environment(), "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    try:
        return subprocess.run(
            [runner.executable(), "-C", folder, *arguments],
            env=variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
