"""Filter and order entries of the queue, find one by its written id, and mark its content. Pure."""

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..config.policy import CRITICAL, ROUTINE, UNCERTAINTY
from ..errors import UsageError
from .entry import (
    EXPIRED,
    FAILED,
    FLOW,
    PULL_REQUEST,
    REQUEST,
    REVIEW,
    UNDECIDED,
    VERIFICATION,
    Queue,
    QueueEntry,
    Viewer,
)
from .right import is_turn

_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)
_MOST_NAMED = 10
_LATE = 1 << 62

_SHORTEST, _SHORTEST_NUMBER = 4, 8
"""Minimum characters of an id's prefix; fewer digits are the number of a pull request."""

_CHARACTERS, _SHORT, _SHORT_COMMIT = 16, 8, 12
"""Characters of a stamp, of a stamp or an id in a command line, and of a commit there."""

_MARKED = re.compile(r"(.+)@([0-9a-f]{7,40})", re.DOTALL)


class Filters(NamedTuple):
    """Filters of entries; an empty filter selects all. `older_than` is in seconds."""

    mine: bool = False
    categories: tuple[str, ...] = ()
    older_than: int = 0


def selected(queue: Queue, filters: Filters, viewer: Viewer) -> Queue:
    """Return the queue with the selected entries in display order."""
    wanted = [item for item in queue.entries if _passes(item, filters, viewer, queue.now)]
    not_shown = queue.not_shown._replace(filtered=len(queue.entries) - len(wanted))
    return queue._replace(entries=ordered(wanted, viewer), not_shown=not_shown)


def ordered(entries: Iterable[QueueEntry], viewer: Viewer) -> tuple[QueueEntry, ...]:
    """Return entries in order: the viewer's turn first, then by deadline, then the oldest first."""

    def key(entry: QueueEntry) -> tuple[bool, int, int]:
        is_open = entry.state not in (EXPIRED, FAILED)
        due = entry.due_at if is_open and entry.due_at else _LATE
        return not is_turn(viewer, entry), due, entry.asked_at

    return tuple(sorted(entries, key=key))


def _passes(entry: QueueEntry, filters: Filters, viewer: Viewer, now: int) -> bool:
    if filters.categories and entry.category not in filters.categories:
        return False
    if now - entry.asked_at < filters.older_than:
        return False
    return not filters.mine or is_turn(viewer, entry)


def routine(queue: Queue, viewer: Viewer) -> tuple[QueueEntry, ...]:
    """Return the routine entries that the viewer may approve now."""
    return tuple(
        entry
        for entry in ordered(queue.entries, viewer)
        if entry.category == ROUTINE
        and not entry.is_asked_back
        and entry.source not in UNDECIDED
        and entry.state not in (EXPIRED, FAILED)
        and is_turn(viewer, entry)
    )


ONE_BY_ONE = (CRITICAL, UNCERTAINTY)
"""Categories of entries that a person must have opened to decide about them."""


def refuse_together(entries: Sequence[QueueEntry]) -> None:
    """Raise UsageError if entries can't be decided together: only routine ones can."""
    if len(entries) < 2:
        return
    for entry in entries:
        if entry.category != ROUTINE:
            raise UsageError(
                f"{entry.id} is {entry.category}, and only routine entries can be decided "
                f"together; nothing was decided. Open it: helix-hooks queue show {entry.id}"
            )


def named(entries: Iterable[QueueEntry], name: str, project: str) -> QueueEntry:
    """Return the entry of a written name.

    The name is an id, the number of a pull request of `project` such as #12, or a prefix of the id
    of a request, a run or a verification.

    Raises:
        UsageError: No entry, or several, have this name; the message lists them.
    """
    all_entries = tuple(entries)
    fitting = _of_id(all_entries, name.casefold(), project)
    if not fitting:
        fitting = [item for item in all_entries if _begins(item, name.casefold())]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise UsageError(
            f"several entries begin with {name!r}: {_ids(fitting)}; write a longer prefix"
        )
    if not all_entries:
        raise UsageError(f"no pending entry {name!r}: the queue is empty")
    raise UsageError(f"no pending entry {name!r} (pending: {_ids(all_entries)})")


def _of_id(entries: Iterable[QueueEntry], name: str, project: str) -> list[QueueEntry]:
    """Return the entries with a complete id, in lowercase.

    The number of a pull request is never a prefix: with #4 merged, it must not name #45.
    """
    number = name.removeprefix("#")
    id = name
    if number.isascii() and number.isdigit():
        id = f"{project}#{number}".casefold()
    return [item for item in entries if item.id.casefold() == id]


def _begins(entry: QueueEntry, name: str) -> bool:
    """Return whether a name, in lowercase, is a long enough prefix of the id of an entry."""
    id = entry.id.casefold().partition("/")[0]
    if entry.source in UNDECIDED:
        return ":" in name and entry.id.casefold().startswith(name)
    if entry.source == FLOW:
        return len(name) >= _SHORTEST_NUMBER and id.startswith(name)
    return entry.source == REQUEST and is_beginning(name) and id.startswith(name)


def is_beginning(name: str) -> bool:
    """Return whether a name is long enough for a prefix of the id of a request."""
    return len(name) >= (_SHORTEST_NUMBER if name.isdigit() else _SHORTEST)


def _ids(entries: Iterable[QueueEntry]) -> str:
    ids = [item.id for item in entries]
    more = f", and {len(ids) - _MOST_NAMED} more" if len(ids) > _MOST_NAMED else ""
    return f"{', '.join(ids[:_MOST_NAMED])}{more}"


def source_of(name: str) -> str:
    """Return the source of an id by its form, "" if it may be any."""
    for source, prefix in ((VERIFICATION, "verify:"), (REVIEW, "review:")):
        if name.startswith(prefix):
            return source
    return PULL_REQUEST if "#" in name else ""


def repositories_of(names: Iterable[str]) -> tuple[str, ...]:
    """Return the repositories OWNER/NAME in ids of pull requests."""
    found = (name.partition("#")[0] for name in names if "#" in name)
    return tuple(dict.fromkeys(name for name in found if _REPOSITORY.fullmatch(name)))


def stamp(entry: QueueEntry) -> str:
    """Return the hash of an entry's question and content; answers of others do not change it."""
    parts = (
        entry.id,
        entry.source,
        entry.project,
        entry.title,
        entry.category,
        entry.action,
        entry.asked_by,
        entry.asked_at,
        entry.attempt,
        entry.head,
        entry.description,
        entry.impact,
        entry.files,
        entry.recommendation,
        [finding.message for finding in entry.findings],
        entry.notes,
    )
    text = json.dumps(parts, default=str)
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:_CHARACTERS]


def marked(entry: QueueEntry) -> str:
    """Return the id of an entry with a mark of its content: ID@COMMIT, or ID@HASH."""
    if entry.source == PULL_REQUEST and entry.head:
        return f"{entry.id}@{entry.head[:_SHORT_COMMIT]}"
    if entry.source in (FLOW, REQUEST):
        return f"{written_id(entry)}@{stamp(entry)[:_SHORT]}"
    return entry.id


def written_id(entry: QueueEntry) -> str:
    """Return the id of an entry in command lines: for a request, the first digits of its UUID."""
    return entry.id[:_SHORT] if entry.source == REQUEST else entry.id


def unmarked(name: str) -> tuple[str, str]:
    """Split a written id into the id and its mark, "" for no mark."""
    match = _MARKED.fullmatch(name)
    if not match:
        return name, ""
    return match[1], match[2]


def is_as_marked(entry: QueueEntry, mark: str) -> bool:
    """Return whether the content of an entry matches a mark."""
    return entry.head.startswith(mark) or stamp(entry).startswith(mark)
