"""Collect the queue from all its sources. One unreadable source does not hide the others."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor

from ..errors import HelixError
from ..waiting.entry import (
    FLOW,
    PULL_REQUEST,
    REQUEST,
    SOURCES,
    VERIFICATION,
    NotShown,
    Queue,
    QueueEntry,
)
from . import flows, pulls, requests, verifications
from .place import QueuePlace, Wanted, policy_of

_NAMES = {
    PULL_REQUEST: "the pull requests",
    FLOW: "the flows",
    VERIFICATION: "the verifications",
    REQUEST: "the requests",
}
Found = tuple[tuple[QueueEntry, ...], tuple[str, ...]]
"""Entries of a source, and lines about what could not be read."""


def collect(place: QueuePlace, wanted: Wanted, environment: Mapping[str, str], now: int) -> Queue:
    """Return all entries, with one line for each part that could not be read."""
    by = policy_of(place)
    readers: dict[str, Callable[[], Found]] = {
        PULL_REQUEST: lambda: _pulls(place, wanted, environment),
        FLOW: lambda: (flows.entries(place, by, now), ()),
        VERIFICATION: lambda: (verifications.entries(place, by), ()),
        REQUEST: lambda: requests.entries(place, by),
    }
    asked = [source for source in SOURCES if not wanted.sources or source in wanted.sources]
    with ThreadPoolExecutor(len(SOURCES)) as pool:
        results = list(pool.map(lambda source: _read(source, readers[source]), asked))
    entries: list[QueueEntry] = []
    problems: list[str] = []
    for part, lines in results:
        entries += part
        problems += lines
    others: tuple[tuple[str, int], ...] = ()
    if REQUEST in asked:
        try:
            others = requests.elsewhere(place)
        except HelixError as error:
            problems.append(_unread(REQUEST, error))
    not_read = tuple(source for source in SOURCES if source not in asked)
    not_shown = NotShown(other_projects=others, sources=not_read)
    return Queue(tuple(entries), now, tuple(dict.fromkeys(problems)), not_shown)


def _pulls(place: QueuePlace, wanted: Wanted, environment: Mapping[str, str]) -> Found:
    names = wanted.repositories
    if wanted.owner:
        names = (*names, *pulls.of_owner(wanted.owner, environment))
    if not names and not wanted.owner and place.repository:
        names = (place.repository,)
    names = (*names, *wanted.also)
    return pulls.entries(names, environment) if names else ((), ())


def _read(source: str, read: Callable[[], Found]) -> Found:
    try:
        return read()
    except HelixError as error:
        return (), (_unread(source, error),)


def _unread(source: str, error: HelixError) -> str:
    return f"{_NAMES[source]} could not be read: {error}"
