"""GitHub workflows that can write the gate's check: by their token, or by the name of a job. Pure.

GitHub writes a check run for each job, under the name of the job and as the same App as the gate
(docs.github.com, "Workflow syntax for GitHub Actions").
"""

import re
from collections.abc import Iterator

from ..errors import ConfigError
from ..paths import WORKFLOW
from ..yaml_reader import Value, at, entries, items, load, text
from .settings import decode

CHECK = "helix"
"""The name of the gate's check for the default branch and for protected branches.

The check for any other branch is named `helix (BRANCH)`.
"""

FOLDER = ".github/workflows/"
_WRITES = ("checks", "statuses")
_MATRIX = re.compile(r"\$\{\{\s*matrix\.([\w.-]+)\s*\}\}")
_COMPUTED = "${{"
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


def may_be_named_like_the_check(id: str, job: Value) -> bool:
    """Return whether a job, by id or name, or a job of its matrix is named like the check.

    Capital letters make no difference.
    """
    return any(name.casefold() == CHECK for name in (id, *_names(id, job)))


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
    if may_be_named_like_the_check(id, job):
        yield f"the job `{id}` has the name of the gate's check, `{CHECK}`"
    elif any(_COMPUTED in name for name in _names(id, job)):
        yield f"the name of the job `{id}` is computed, and may be that of the gate's check"


def _names(id: str, job: Value) -> Iterator[str]:
    """Yield the names of a job; one that is not known before the run keeps its expression.

    GitHub names the jobs of a matrix `job (value)`, unless `name` has an expression.
    """
    name = text(at(job, "name")).strip() or id
    match = _MATRIX.search(name)
    if not match:
        yield name
        return
    values = _values(at(at(job, "strategy"), "matrix"), match[1])
    if values is None:
        yield name
    for value in values or ():
        yield "".join((name[: match.start()], value, name[match.end() :])).strip()


def _values(matrix: Value | None, key: str) -> list[str] | None:
    """Return the values of a key of a matrix; None if some of them may be computed."""
    if not all(map(_is_written_out, (matrix, at(matrix, key), at(matrix, "include")))):
        return None
    included = items(at(matrix, "include"))
    values = [text(item) for item in items(at(matrix, key))]
    values += [text(at(item, key)) for item in included]
    if any(_COMPUTED in value for value in (*map(text, included), *values)):
        return None
    return [value for value in values if value] or None


def _is_written_out(value: Value | None) -> bool:
    """Return whether a value is a list or a mapping, or is missing."""
    return value is None or isinstance(value.data, list | dict)
