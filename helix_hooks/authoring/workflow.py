"""The workflow that `init --github` writes.

It is short enough to read, and no pull request can change what it does.
"""

import os
import re

from ..check.files import packaged
from ..errors import UsageError
from ..git.remote import is_full_hash
from ..paths import MAX_BYTES, WORKFLOW

_ADDRESS = re.compile(
    r"(?:https?://|ssh://|)(?:[\w.-]+@)?(?P<host>[^/:@\s]+)(?::\d+)?"
    r"[/:](?P<name>[\w.-]+/[\w.-]+?)(?:\.git)?/?"
)
"""The address of a repository, in any form that git accepts."""

_HOST = "github.com"
_UNPINNED = (
    " # zizmor: ignore[unpinned-uses] a tag or branch can move; `--rev COMMIT` pins one commit"
)
_SHORT = re.compile(r"[0-9a-fA-F]{7,39}")


def next_steps() -> list[str]:
    """Return the lines on what to do after the workflow is written."""
    return (packaged("templates/next-steps.txt") or b"").decode().splitlines()


def require_source(root: str, address: str, rev: str | None) -> None:
    """Check that GitHub can take the gate from a repository, and that the file can be written.

    `rev` is None if the user does not name a revision.

    Raises:
        UsageError: The address is not one of a repository on github.com, the revision is not
            allowed in a workflow, or a file is in the way.
    """
    named = _ADDRESS.fullmatch(address)
    if not named or (rev is not None and not re.fullmatch(r"[\w./-]+", rev)):
        needed = "the address of a repository on GitHub, and a tag or commit of it"
        raise UsageError(f"--repo {address} --rev {rev or ''}: --github needs {needed}")
    if named["host"] != _HOST:
        elsewhere = "on an Enterprise Server use the action in one job, as in docs/github.md"
        raise UsageError(f"--repo {address}: --github writes for {_HOST}; {elsewhere}")
    if rev and _SHORT.fullmatch(rev):
        way_out = f"GitHub needs the full hash of a commit; `git rev-parse {rev}` prints it"
        raise UsageError(f"--rev {rev}: {way_out}")
    for name in (".github", os.path.dirname(WORKFLOW)):
        folder = os.path.join(root, name)
        if os.path.lexists(folder) and not os.path.isdir(folder):
            problem = f"is not a folder, so {WORKFLOW} can't be written; nothing was written"
            raise UsageError(f"{name} {problem}")


def text(address: str, rev: str) -> str:
    """Return the workflow that calls the gate at `rev`: a commit, tag or branch of a repository.

    Raises:
        UsageError: The address is not one of a repository.
    """
    named = _ADDRESS.fullmatch(address)
    if not named:
        raise UsageError(f"--repo {address}: --github needs the address of a repository on GitHub")
    template = (packaged("templates/workflow.yml") or b"").decode()
    why = "" if is_full_hash(rev) else _UNPINNED
    return template.replace("{name}", named["name"]).replace("{rev}", rev).replace("{why}", why)


def is_gate(place: str) -> bool:
    """Return whether the workflow in a file calls the gate or uses the action.

    The file is searched, not parsed: a workflow with an error in its YAML is one too.
    """
    try:
        with open(place, encoding="utf-8", errors="replace") as file:
            text = file.read(MAX_BYTES)
    except OSError:
        return False
    return re.search(r"uses:.*(?:gate\.yml@|helix-hooks@)", text) is not None
