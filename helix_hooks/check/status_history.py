"""The statuses of ADRs in the history of a branch, from its first parents.

The history may be hostile, so the number of commits and versions is limited.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ..adr.examine import Source, read
from ..adr.parse.document import parse
from ..adr.rules.registry import Ruleset
from ..git import MARKDOWN_FILES, Objects, names, run
from ..git.history import commit, is_shallow
from ..report.status_series import StatusChange

_MOST_COMMITS, _MOST_VERSIONS = 20_000, 6_000

_RECORD = re.compile(r"\x01([0-9a-f]{40,64}) (\d+)\0")
_FILES = ("100644", "100755")
_LOG = [
    *("log", "--no-show-signature", "--encoding=UTF-8", "--no-ext-diff", "--no-textconv"),
    *("--first-parent", "--diff-merges=first-parent", "--raw", "--no-abbrev", "--no-renames"),
    *("--ignore-submodules=none", "-z", "--format=%x01%H %ct", "--end-of-options"),
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
    boundary = _boundary(root)
    versions = _versions(root, boundary, is_adr)
    newest = _newest(versions)
    notes: list[str] = []
    if is_shallow(root):
        notes.append("the clone is shallow: earlier commits are unknown")
    if len(newest) < len(versions):
        boundary = newest[-1].commit
    if boundary:
        # The state at the boundary stands for all earlier changes.
        at = _time_of(root, boundary)
        newest += [_Version(boundary, at, *row) for row in _files_at(root, boundary, is_adr)]
        notes.append("the history is long: only the newest part of it is read")
    statuses = _statuses(root, newest, ruleset)
    return StatusHistory(tuple(_changes(newest, statuses, now)), tuple(notes))


def _boundary(root: str) -> str:
    """Return the newest commit that is too old to be read; "" if all are read."""
    skip = f"--skip={_MOST_COMMITS}"
    command = ["rev-list", "--first-parent", skip, "--max-count=1", "HEAD", "--"]
    return run(command, root).stdout.decode().strip()


def _versions(root: str, boundary: str, is_adr: Callable[[str], bool]) -> list[_Version]:
    """Return the versions of all ADRs, newest first."""
    revisions = ["HEAD", f"^{boundary}"] if boundary else ["HEAD"]
    output = run([*_LOG, *revisions, "--", *MARKDOWN_FILES], root).stdout
    return list(_read_log(output.decode(errors="surrogateescape"), is_adr))


def _read_log(output: str, is_adr: Callable[[str], bool]) -> Iterator[_Version]:
    matches = list(_RECORD.finditer(output))
    ends = [*(match.start() for match in matches[1:]), len(output)]
    for match, end in zip(matches, ends, strict=False):
        fields = iter(output[match.end() : end].strip("\n").split("\0"))
        for facts in fields:
            path = next(fields, "")
            if path and is_adr(path):
                _, mode, _, object, status = facts.lstrip("\n:").split(" ")
                is_there = mode in _FILES and status != "D"
                yield _Version(match[1], int(match[2]), path, object if is_there else "")


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


def _time_of(root: str, revision: str) -> int:
    command = ["log", "--no-show-signature", "--max-count=1", "--format=%ct", "--end-of-options"]
    return int(run([*command, revision, "--"], root).stdout)


def _files_at(root: str, revision: str, is_adr: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
    """Yield path and object of each ADR of a commit."""
    for record in names(run(["ls-tree", "-r", "-z", "--full-tree", revision], root).stdout):
        facts, _, path = record.partition("\t")
        mode, _, object = facts.split(" ")
        if mode in _FILES and is_adr(path):
            yield path, object


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


def _changes(
    versions: list[_Version], statuses: dict[str, str], now: int
) -> Iterator[StatusChange]:
    latest = 0
    for version in reversed(versions):
        # Clocks differ: a commit may be older than its parent, or in the future.
        latest = max(latest, min(version.at, now))
        status = statuses[version.object] if version.object else None
        yield StatusChange(latest, version.path, status)
