"""The statuses of ADRs in the history of a branch, from its first parents.

The history may be hostile, so the number of commits and versions is limited.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from ..adr.examine import Source, read
from ..adr.parse.document import parse
from ..adr.rules.registry import Ruleset
from ..git import MARKDOWN_FILES, Objects, run
from ..git.history import commit, is_shallow, records
from ..report.status_series import StatusChange
from .trees import FILE, Revision

_MOST_COMMITS, _MOST_VERSIONS = 20_000, 6_000

_LOG = [
    *("log", "--no-show-signature", "--encoding=UTF-8", "--no-ext-diff", "--no-textconv"),
    *("--first-parent", "--diff-merges=first-parent", "--raw", "--no-abbrev", "--no-renames"),
    *("--ignore-submodules=none", "-z", "--format=%x01%H%x00%ct", "--end-of-options"),
]


class StatusHistory(NamedTuple):
    """The changes, oldest first. `notes` are the parts of the history that could not be read."""

    changes: tuple[StatusChange, ...]
    notes: tuple[str, ...] = ()


class _Version(NamedTuple):
    """A file since a commit; `object` is "" if the commit deleted it."""

    commit: str
    at: int
    path: str
    object: str


def status_history(
    root: str, is_adr: Callable[[str], bool], ruleset: Ruleset, now: int
) -> StatusHistory:
    """Return the status of each ADR in each commit that changed it.

    `is_adr` tells which paths are ADRs. No time is after `now`, and none before an earlier commit.
    """
    if not commit(root, "HEAD"):
        return StatusHistory((), ("the repository has no commit yet",))
    skip = f"--skip={_MOST_COMMITS}"
    oldest = run(["rev-list", "--first-parent", skip, "--max-count=1", "HEAD", "--"], root)
    boundary = oldest.stdout.decode().strip()
    versions = _versions(root, boundary, is_adr)
    newest = _newest(versions)
    notes: list[str] = []
    if is_shallow(root):
        notes.append("the clone is shallow: earlier commits are unknown")
    if len(newest) < len(versions):
        boundary = newest[-1].commit
    if boundary:
        # The state at the boundary stands for all earlier changes.
        flags = ["--no-show-signature", "--max-count=1", "--format=%ct", "--end-of-options"]
        at = int(run(["log", *flags, boundary, "--"], root).stdout)
        newest += [
            _Version(boundary, at, path, object)
            for path, (kind, object) in Revision(root, boundary).entries.items()
            if kind == FILE and is_adr(path)
        ]
        notes.append("the history is long: only the newest part of it is read")
    statuses = _statuses(root, newest, ruleset)
    changes: list[StatusChange] = []
    latest = 0
    for version in reversed(newest):
        # Clocks differ: a commit may be older than its parent, or in the future.
        latest = max(latest, min(version.at, now))
        status = statuses[version.object] if version.object else None
        changes.append(StatusChange(latest, version.path, status))
    return StatusHistory(tuple(changes), tuple(notes))


def _versions(root: str, boundary: str, is_adr: Callable[[str], bool]) -> list[_Version]:
    """Return the versions of all ADRs since a commit ("": of all commits), newest first."""
    revisions = ["HEAD", f"^{boundary}"] if boundary else ["HEAD"]
    versions: list[_Version] = []
    log = run([*_LOG, *revisions, "--", *MARKDOWN_FILES], root).stdout
    for sha, at, fields in records(log):
        # Each file has two fields: modes, objects and status, then the path.
        for facts, path in zip(fields[::2], fields[1::2], strict=False):
            if is_adr(path):
                _, mode, _, object, status = facts.lstrip("\n:").split(" ")
                is_there = mode.startswith(FILE) and status != "D"
                versions.append(_Version(sha, int(at), path, object if is_there else ""))
    return versions


def _newest(versions: list[_Version]) -> list[_Version]:
    """Return the versions of the newest commits, with a limited number of contents."""
    objects: set[str] = set()
    last = ""
    for number, version in enumerate(versions):
        objects.add(version.object)
        if len(objects) > _MOST_VERSIONS and last and version.commit != last:
            return versions[:number]
        last = version.commit
    return list(versions)


def _statuses(root: str, versions: Iterable[_Version], ruleset: Ruleset) -> dict[str, str]:
    """Return the status in each content; "" for one that is missing or too long."""
    statuses = {"": ""}
    objects = Objects(root)
    for version in versions:
        if version.object in statuses:
            continue
        _, data = objects.ask(version.object) or ("", b"")
        doc = parse(data, version.path)
        statuses[version.object] = ""
        if not doc.defect:
            adr = read(Source(doc), ruleset)
            status = adr.statuses.read(adr.header.text("status"))
            statuses[version.object] = status or ""
    objects.close()
    return statuses
