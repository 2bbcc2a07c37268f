"""Filter and order entries of the queue, and find an entry by its written id. Pure."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from ..config.autonomy import ROUTINE
from ..errors import UsageError
from .entry import (
    EXPIRED,
    FAILED,
    FLOW,
    PULL_REQUEST,
    REQUEST,
    VERIFICATION,
    Queue,
    QueueEntry,
    Viewer,
)
from .right import is_turn

_UNITS = {"m": 60, "h": 3600, "d": 86400}
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)
_MOST_NAMED = 10
_LATE = 1 << 62

_SHORTEST, _SHORTEST_NUMBER = 4, 8
"""Characters of the beginning of an id; fewer digits are the number of a pull request."""


class Filters(NamedTuple):
    """Filters of entries; an empty filter selects all. `older_than` is in seconds."""

    mine: bool = False
    categories: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    older_than: int = 0


def selected(queue: Queue, filters: Filters, viewer: Viewer) -> Queue:
    """Return the queue with the selected entries in display order."""
    wanted = (item for item in queue.entries if _passes(item, filters, viewer, queue.now))
    return queue._replace(entries=ordered(wanted, viewer))


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
    if filters.sources and entry.source not in filters.sources:
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
        and entry.source != VERIFICATION
        and entry.state not in (EXPIRED, FAILED)
        and is_turn(viewer, entry)
    )


def seconds_of(text: str) -> int:
    """Return an age that a person writes, as in 30m, 24h or 2d. Raises UsageError."""
    found = re.fullmatch(r"(\d{1,5})([mhd])", text.strip(), re.ASCII)
    if not found:
        raise UsageError(f"{text!r} is no age; write minutes, hours or days, as in 30m, 24h or 2d")
    return int(found[1]) * _UNITS[found[2]]


def named(entries: Iterable[QueueEntry], name: str, project: str) -> QueueEntry:
    """Return the entry that a person means. Raises UsageError, which names those that fit.

    A person writes an id, of the pull requests of `project` the number, as in #12, or the beginning
    of the id of a request, a run or a verification. A pull request and a phase are written whole:
    #4 is not #45, which waits while #4 was merged.
    """
    known = tuple(entries)
    folded = name.casefold()
    number = folded.removeprefix("#")
    full = f"{project}#{number}".casefold() if number.isascii() and number.isdigit() else folded
    same = [item for item in known if item.id.casefold() == full]
    fitting = same or [item for item in known if _begins(item, folded)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise UsageError(f"several entries begin with {name!r}: {_ids(fitting)}; write more of it")
    if not known:
        raise UsageError(f"nothing called {name!r} waits: the queue is empty")
    raise UsageError(f"nothing called {name!r} waits; there is {_ids(known)}")


def _begins(entry: QueueEntry, name: str) -> bool:
    """Return whether a name, in small letters, is enough of the id of an entry."""
    id = entry.id.casefold().partition("/")[0]
    if entry.source == VERIFICATION:
        return name.startswith("verify:") and entry.id.casefold().startswith(name)
    if entry.source == FLOW:
        return len(name) >= _SHORTEST_NUMBER and id.startswith(name)
    return entry.source == REQUEST and is_beginning(name) and id.startswith(name)


def is_beginning(name: str) -> bool:
    """Return whether a name is long enough to be the beginning of the id of a request."""
    return len(name) >= (_SHORTEST_NUMBER if name.isdigit() else _SHORTEST)


def _ids(entries: Iterable[QueueEntry]) -> str:
    ids = [item.id for item in entries]
    more = f", and {len(ids) - _MOST_NAMED} more" if len(ids) > _MOST_NAMED else ""
    return f"{', '.join(ids[:_MOST_NAMED])}{more}"


def source_of(name: str) -> str:
    """Return the source that an id tells by its form, "" for what may be any."""
    if name.startswith("verify:"):
        return VERIFICATION
    return PULL_REQUEST if "#" in name else ""


def repositories_of(names: Iterable[str]) -> tuple[str, ...]:
    """Return the repositories OWNER/NAME that ids of pull requests tell."""
    found = (name.partition("#")[0] for name in names if "#" in name)
    return tuple(dict.fromkeys(name for name in found if _REPOSITORY.fullmatch(name)))
