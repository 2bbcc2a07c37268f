"""The queue, from all its sources. A source that can't be read loses nothing of the others."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from ..errors import HelixError
from ..waiting.entry import FLOW, SOURCES, VERIFICATION, Queue, QueueEntry
from ..waiting.project_policy import ProjectPolicy
from . import flows, verifications
from .place import QueuePlace, policy_of

_NAMES = {
    FLOW: "the flows",
    VERIFICATION: "the verifications",
}
Found = tuple[tuple[QueueEntry, ...], tuple[str, ...]]
"""Entries of a source, and lines about what could not be read."""


class Wanted(NamedTuple):
    """The sources to read, all without any, and the repositories whose pull requests are read.

    Without repositories and owner these are the pull requests of the work tree's own repository.
    """

    sources: tuple[str, ...] = ()
    repositories: tuple[str, ...] = ()
    owner: str = ""


def collect(place: QueuePlace, wanted: Wanted, environment: Mapping[str, str], now: int) -> Queue:
    """Return all that waits. What could not be read is said, a line each."""
    by = policy_of(place)
    readers = _readers(place, by, wanted, environment, now)
    asked = [source for source in SOURCES if not wanted.sources or source in wanted.sources]
    found = [_read(_NAMES[source], readers[source]) for source in asked if source in readers]
    entries = tuple(entry for part, _ in found for entry in part)
    return Queue(entries, now, tuple(line for _, lines in found for line in lines))


def _readers(
    place: QueuePlace,
    by: ProjectPolicy,
    wanted: Wanted,
    environment: Mapping[str, str],
    now: int,
) -> dict[str, Callable[[], Found]]:
    return {
        FLOW: lambda: (flows.entries(place, by, now), ()),
        VERIFICATION: lambda: (verifications.entries(place, by), ()),
    }


def _read(name: str, read: Callable[[], Found]) -> Found:
    try:
        return read()
    except HelixError as error:
        return (), (f"{name} could not be read: {error}",)
