"""The workflow that `init --github` writes.

It is short enough to read, and no pull request can change what it does.
"""

import os
import re

from ..check.files import packaged
from ..config.approvals import parse
from ..errors import ConfigError, UsageError
from ..git.remote import is_full_hash
from ..paths import APPROVALS_FILE, MAX_BYTES, WORKFLOW
from ..text import printable
from ..yaml_reader import load

_ADDRESS = re.compile(
    r"(?:https?://|ssh://|)(?:[\w.-]+@)?(?P<host>[^/:@\s]+)(?::\d+)?"
    r"[/:](?P<name>[\w.-]+/[\w.-]+?)(?:\.git)?/?"
)
"""The address of a repository, in any form that git accepts."""

_HOST = "github.com"
_UNPINNED = (
    " # zizmor: ignore[unpinned-uses] a tag or branch can move; `--rev COMMIT` pins one commit"
)
_SECRETS = {
    "anthropic": "ANTHROPIC_API_KEY",
    "openai": "OPENAI_API_KEY",
    "google": "GEMINI_API_KEY",
}
"""The secrets with the keys of judges. The input of the gate has the same name."""
_SHORT = re.compile(r"[0-9a-fA-F]{7,39}")


def next_steps(model: str) -> list[str]:
    """Return the lines on what to do after the workflow is written, with a judge's model."""
    text = (packaged("templates/next-steps.txt") or b"").decode()
    return text.replace("{secret}", _secret(model)).splitlines()


def _secret(model: str) -> str:
    return _SECRETS[model.partition(":")[0] or "anthropic"]


def key_input(model: str) -> str:
    """Return the line of the workflow that passes the key of a judge's model."""
    secret = _secret(model)
    return f"{secret.lower().replace('_', '-')}: ${{{{ secrets.{secret} }}}}"


def judge(model: str) -> str:
    """Return the settings of a judge by API.

    Raises:
        UsageError: The model names no API, or one that a runner of GitHub can't reach.
    """
    template = (packaged("templates/judge.yaml") or b"").decode()
    text = template.replace("{model}", model)
    try:
        parse(load(text, APPROVALS_FILE))
    except ConfigError as error:
        reason = error.about.removeprefix(f"{error.trail}: ")
        raise UsageError(f"--judge {printable(model)}: {reason}") from None
    if model.partition(":")[0] not in _SECRETS:
        known = ", ".join(f"{vendor}:" for vendor in _SECRETS)
        raise UsageError(
            f"--judge {model}: it runs on your machine, not on GitHub; begin with one of {known}"
        )
    return text


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


def text(address: str, rev: str, model: str = "") -> str:
    """Return the workflow that calls the gate at `rev`: a commit, tag or branch of a repository.

    It passes the key of `model`, a judge's; "" is claude.

    Raises:
        UsageError: The address is not one of a repository.
    """
    named = _ADDRESS.fullmatch(address)
    if not named:
        raise UsageError(f"--repo {address}: --github needs the address of a repository on GitHub")
    template = (packaged("templates/workflow.yml") or b"").decode()
    why = "" if is_full_hash(rev) else _UNPINNED
    values = {"name": named["name"], "rev": rev, "why": why, "key": key_input(model)}
    for name, value in values.items():
        template = template.replace(f"{{{name}}}", value)
    return template


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
