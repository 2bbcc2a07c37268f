"""Collect the queue from all its sources. One unreadable source does not hide the others."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor

from ..errors import HelixError
from ..flow.open_questions import open_questions
from ..verify import store as verifications
from ..waiting import flow_entry, verification_entry
from ..waiting.entry import (
    FLOW,
    PULL_REQUEST,
    REQUEST,
    REVIEW,
    SOURCES,
    VERIFICATION,
    NotShown,
    Queue,
    QueueEntry,
)
from . import pulls, requests, reviews
from .place import QueuePlace, Wanted, policy_of
from .requests import Found

_NAMES = {
    PULL_REQUEST: "the pull requests",
    FLOW: "the flows",
    VERIFICATION: "the verifications",
    REQUEST: "the requests",
    REVIEW: "the reviews of decisions",
}


def collect(place: QueuePlace, wanted: Wanted, environment: Mapping[str, str], now: int) -> Queue:
    """Return all entries, with one line for each part that could not be read."""
    by = policy_of(place)

    def of_flows() -> Found:
        return tuple(flow_entry.entry(item, by, now) for item in open_questions(place.flow)), ()

    def of_verifications() -> Found:
        records = verifications.read(verifications.opened(place.root))
        return tuple(verification_entry.entry(item, by) for item in records if item.is_question), ()

    readers: dict[str, Callable[[], Found]] = {
        PULL_REQUEST: lambda: _pulls(place, wanted, environment),
        FLOW: of_flows,
        VERIFICATION: of_verifications,
        REQUEST: lambda: requests.entries(place, by),
        REVIEW: lambda: reviews.entries(place.root, by, now),
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
