"""GitHub workflows that can write the gate's check: by their token, or by the name of a job. Pure.

GitHub writes a check run for each job, under the name of the job and as the same App as the gate
(docs.github.com, "Workflow syntax for GitHub Actions").
"""

from collections.abc import Iterator

from ..errors import ConfigError
from ..paths import WORKFLOW
from ..yaml_reader import Value, at, entries, load, text
from .settings import decode

CHECK = "helix"
"""The name of the gate's check for the default branch and for protected branches.

The check for any other branch is named `helix (BRANCH)`.
"""

FOLDER = ".github/workflows/"
_WRITES = ("checks", "statuses")
UNREAD = "it can't be read"


def is_workflow(path: str) -> bool:
    """Return whether GitHub runs a file as a workflow."""
    folder, _, name = path.rpartition("/")
    return f"{folder}/" == FOLDER and name.endswith((".yml", ".yaml"))


def ways_to_write(data: bytes | None, path: str) -> tuple[str, ...]:
    """Return the ways in which a workflow can write the gate's check; () for a missing file.

    The workflow of the gate itself needs such a token.
    """
    if data is None:
        return ()
    try:
        workflow = load(decode(data, path), path)
    except ConfigError:
        return (UNREAD,)
    ways: list[str] = []
    for id, job in jobs(workflow).items():
        if path != WORKFLOW:
            ways += _by_token(id, at(job, "permissions") or at(workflow, "permissions"))
        ways += _by_name(id, job)
    return tuple(ways)


def jobs(workflow: Value) -> dict[str, Value]:
    """Return the jobs of a workflow by their ids."""
    return entries(at(workflow, "jobs"))


def jobs_in(data: bytes, path: str) -> dict[str, Value] | None:
    """Return the jobs of the workflow in a file; None if it can't be read."""
    try:
        return jobs(load(decode(data, path), path))
    except ConfigError:
        return None


def is_named_like_the_check(id: str, job: Value) -> bool:
    """Return whether a job is named like the check; capital letters make no difference."""
    return CHECK in (id.casefold(), text(at(job, "name")).strip().casefold())


def may_be_named_like_the_check(job: Value) -> bool:
    """Return whether the name of a job has an expression, and may be that of the check."""
    start, expression, rest = text(at(job, "name")).casefold().partition("${{")
    end = rest.rpartition("}}")[2]
    return bool(expression) and CHECK.startswith(start.strip()) and CHECK.endswith(end.strip())


def _by_token(job: str, permissions: Value | None) -> Iterator[str]:
    """Yield how the token of a job may write checks."""
    if permissions is None or permissions.data is None:
        yield f"the job `{job}` has no `permissions:`, so its token may be able to write checks"
    elif text(permissions) == "write-all":
        yield f"the token of the job `{job}` may write everything"
    for name in _WRITES:
        if text(at(permissions, name)) == "write":
            yield f"the token of the job `{job}` may write {name}"


def _by_name(id: str, job: Value) -> Iterator[str]:
    if is_named_like_the_check(id, job):
        yield f"the job `{id}` has the name of the gate's check, `{CHECK}`"
    elif may_be_named_like_the_check(job):
        yield f"the name of the job `{id}` is computed, and may be that of the gate's check"
