"""The queue of a work tree as the server calls it: entries, details, decisions and changes.

All methods may block and raise HelixError. The server calls them in threads.
"""

import contextlib
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from ..errors import HelixError, UsageError
from ..flow.answering import leave_to_worker
from ..pages.view import DecisionLine
from ..pull import identity
from ..pull.identity import token
from ..queue import pull_detail, requests, store
from ..queue.collect import collect
from ..queue.decided import stored_figures
from ..queue.deciding import DecidingPlace, answer_one, ask_back
from ..queue.deciding_person import DecidingPerson, QueueAnswer, of_proxy, of_token
from ..queue.place import QueuePlace, Wanted, policy_of
from ..queue.recorded import imported_in_background
from ..queue.requests import NamedRequest
from ..queue.store import QueueStore
from ..queue.sweep import sweep
from ..queue.telling import in_background
from ..text import log_line
from ..waiting.entry import FLOW, PULL_REQUEST, EntryDetail, ProjectPolicy, Queue, QueueEntry
from ..waiting.figures import QueueFigures

_log = logging.getLogger("helix_hooks.dashboard")


class ChosenAnswer(NamedTuple):
    """A person's answer to an entry, which is the version that they read.

    `token` is the person's own token for GitHub, "" for none. It must not appear in a message or a
    record. With `asks` the reason is a question to the requester, and nothing is decided.
    """

    entry: QueueEntry
    answer: QueueAnswer
    login: str
    token: str = ""
    asks: bool = False


class Sources:
    """The queue that a server shows. `environment` has the server's own token.

    `projects` are the projects of the server, with or without entries.
    """

    def __init__(
        self,
        place: QueuePlace,
        wanted: Wanted,
        environment: Mapping[str, str],
        db: QueueStore,
        tell: Callable[[Queue], None],
    ) -> None:
        """Every state of the queue that is read is given to `tell`."""
        self._place, self._wanted, self._environment = place, wanted, environment
        self._db, self._tell = db, tell
        self.projects = (place.project, *wanted.repositories)

    def collect(self) -> Queue:
        """Record passed deadlines, and return the queue. Raises HelixError."""
        now = int(time.time())
        # Deadlines first, so that the queue has the states after them.
        swept = sweep(self._place, now)
        collected = collect(self._place, self._wanted, self._environment, now)
        queue = collected._replace(partial=(*swept.failures, *collected.partial))
        self._tell(queue)
        return queue

    def detail(self, entry: QueueEntry) -> EntryDetail:
        """Return the data that only the page of an entry shows. Raises HelixError."""
        return pull_detail.detail(entry, self._environment)

    def request(self, id: str) -> NamedRequest | None:
        """Return the request with an id, also one that has ended; None for none."""
        return requests.named(self._place, id)

    def decide(self, choice: ChosenAnswer) -> DecisionLine:
        """Carry out an answer. Raises HelixError if it does not count."""
        entry = choice.entry
        by = policy_of(self._place)
        where = DecidingPlace(self._place, by, self._environment)
        if choice.asks:
            text = ask_back(where, entry, choice.answer.reason, self._person(choice, by))
            return DecisionLine(entry.id, entry.title, text, is_done=True)
        text = answer_one(where, entry, choice.answer, self._person(choice, by))
        if entry.source == FLOW:
            leave_to_worker()
        return DecisionLine(entry.id, entry.title, text, is_done=True, url=entry.url)

    def _person(self, choice: ChosenAnswer, by: ProjectPolicy) -> DecidingPerson:
        """Return the decider, with a right that is fetched now and not cached."""
        login = choice.login
        if choice.entry.source == PULL_REQUEST:
            # GitHub checks the right itself, since the person's token writes the comment.
            return DecidingPerson(login, token=choice.token)
        name, deciders = self._place.repository, by.policy.deciders
        if name and choice.token:
            return of_token(self._place, by, choice.token, self._environment)
        if name:
            now = int(time.time())
            who = identity.identity_of(login, name, self._token(), self._environment, deciders, now)
            return DecidingPerson(login, who, via="a proxy")
        if not (choice.token or by.is_on_github):
            return of_proxy(login)
        raise UsageError(
            f"{choice.entry.project} is not on GitHub, so your right to decide can't be checked; "
            "decide in a terminal with helix-hooks queue"
        )

    def wait(self, after: int, seconds: float) -> int:
        """Wait for an event of the store, and return its number. Raises HelixError."""
        return self._db.wait_for_event(after, seconds)

    def role(self, project: str, login: str) -> str:
        """Return a person's role by the server's token; "" for none. Raises HelixError."""
        name = identity.role_in(project, self._token(), self._environment, login)
        return "" if name == "none" else name

    def is_member(self, team: str, login: str) -> bool:
        """Return whether a person is in a team, by the server's token. Raises HelixError."""
        name = self._place.repository
        if not name:
            return False
        return bool(identity.teams_of(name, self._token(), self._environment, login, (team,)))

    def figures(self, projects: tuple[str, ...] | None) -> QueueFigures:
        """Return the figures of some projects; None means all. Raises HelixError."""
        if projects and self._place.project in projects:
            projects = (*projects, self._place.key)
        return stored_figures(self._db, projects)

    def _token(self) -> str:
        """Return the server's own token. Raises HelixError if it is not set."""
        secret = token(self._environment)
        if not secret:
            raise HelixError("the server has no token for GitHub; set GITHUB_TOKEN")
        return secret


@contextlib.contextmanager
def opened(place: QueuePlace, wanted: Wanted, environment: Mapping[str, str]) -> Iterator[Sources]:
    """Open the sources of a server for the time of the block. Raises HelixError."""
    telling = in_background(place, wanted, environment, _warn)
    names = wanted.repositories
    if not names and not wanted.owner and place.repository:
        names = (place.repository,)
    importing = imported_in_background(place.flow, names, environment, _warn)
    with store.opened(place.flow) as db, importing, telling as tell:
        yield Sources(place, wanted, environment, db, tell)


def _warn(line: str) -> None:
    _log.warning("%s", log_line(line))
