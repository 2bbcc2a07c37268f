"""Import the decisions that check runs have recorded into the audit trail of the queue.

Each is imported once; the hash of its line identifies it. A line that does not fit into its chain
is reported and not imported.
"""

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from ..audit.collect import validator
from ..decision import chain
from ..errors import HelixError
from ..flow.place import FlowPlace
from ..pull import fetch, pull_list
from ..pull.access import Access, access
from ..pull.check_run import states_before
from ..pull.pull_list import ListedPull
from ..pull.write import reached_within_limits
from ..waiting.pull_entry import entry_id
from . import store
from .pulls import with_token
from .store import QueueStore

KIND = "decision"
"""The kind of an imported event; its field `decision` has the fields of schemas/decision.json."""

_MOST_PULLS = 100
"""Maximum number of pull requests that are read, most recently changed first."""

_PAUSE, _PATIENCE = 180.0, 5.0
"""Seconds between imports of a server, and to wait for one at the end."""


class Imported(NamedTuple):
    """The number of imported decisions, and a line for each part that could not be read."""

    added: int
    partial: tuple[str, ...] = ()


class _Line(NamedTuple):
    """A decision about a pull request with the hash of its line, or what is `wrong` with it."""

    number: int
    hash: str
    fields: dict[str, object]
    wrong: str


def import_recorded(
    db: QueueStore, names: Sequence[str], environment: Mapping[str, str]
) -> Imported:
    """Import the decisions on the newest pull requests of the repositories OWNER/NAME.

    50 pull requests cost one request. An unreadable repository does not stop the import of the
    others.
    """
    count, partial = 0, list[str]()
    environment = with_token(environment)
    for name in dict.fromkeys(names):
        try:
            lines = _lines(name, environment)
        except HelixError as error:
            partial.append(f"the decisions of {name} could not be imported: {error}")
            continue
        wrong = [f"{entry_id(name, line.number)}: {line.wrong}" for line in lines if line.wrong]
        partial += [f"{text}, so it was not imported" for text in wrong]
        count += sum(_is_new(db, name, line) for line in lines if not line.wrong)
    return Imported(count, tuple(partial))


def _is_new(db: QueueStore, name: str, line: _Line) -> bool:
    fields: dict[str, object] = {"hash": line.hash, "decision": line.fields}
    return db.record(KIND, fields, f"{entry_id(name, line.number)}:{line.hash}", name)


def _lines(name: str, environment: Mapping[str, str]) -> list[_Line]:
    """Return the recorded decisions of a repository, the oldest pull request first."""
    with reached_within_limits():
        to = access(name, environment, longest_wait=0)
        pulls = [*islice(pull_list.listed(to, name, pull_list.RECENT), _MOST_PULLS)]
        return [line for pull in reversed(pulls) for line in _of_pull(to, pull)]


def _of_pull(to: Access, pull: ListedPull) -> Iterator[_Line]:
    about = (status for status in pull.statuses if pull.number in states_before(status))
    status = next(about, None)
    if not pull.is_whole:
        status = fetch.status_about(to.repository, pull.head, to.app, pull.number)
    decisions = chain.read(status.text if status else "", pull.number)
    links = chain.links(decisions, pull.project, to.record_key, validator())
    for line, link in zip(decisions.lines, links, strict=True):
        is_forged = link.signature == chain.WRONG
        wrong = f"the signature of decision {link.number} is wrong" if is_forged else link.wrong
        yield _Line(pull.number, chain.hashed(line), link.fields, wrong)


@contextlib.contextmanager
def imported_in_background(
    place: FlowPlace,
    names: Sequence[str],
    environment: Mapping[str, str],
    log: Callable[[str], None],
) -> Iterator[None]:
    """Import now and every few minutes as long as the block lasts.

    What fails is logged once, and tried again.
    """
    is_over = threading.Event()

    def work() -> None:
        known: tuple[str, ...] = ()
        while not is_over.is_set():
            failures = _failures(place, names, environment)
            for line in failures:
                if line not in known:
                    log(line)
            known = failures
            is_over.wait(_PAUSE)

    thread = threading.Thread(target=work, name="recorded decisions", daemon=True)
    if names:
        thread.start()
    try:
        yield
    finally:
        is_over.set()
        if names:
            thread.join(_PATIENCE)


def _failures(
    place: FlowPlace, names: Sequence[str], environment: Mapping[str, str]
) -> tuple[str, ...]:
    try:
        with store.opened(place) as db:
            return import_recorded(db, names, environment).partial
    except HelixError as error:
        return (f"the recorded decisions could not be imported: {error}",)
    except Exception as error:  # noqa: BLE001 - the thread must try again
        return (f"the recorded decisions could not be imported: {type(error).__name__}",)
