"""The functions that the server calls for the queue of a work tree."""

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
from ..queue.importing import imported_in_background
from ..queue.place import QueuePlace, Wanted, policy_of
from ..queue.requests import EndedRequest
from ..queue.store import QueueStore
from ..queue.sweep import sweep
from ..queue.telling import in_background
from ..text import log_line
from ..waiting.entry import FLOW, PULL_REQUEST, EntryDetail, Queue, QueueEntry
from ..waiting.figures import QueueFigures
from ..waiting.project_policy import ProjectPolicy
from .sources import ChosenAnswer, Sources

_log = logging.getLogger("helix_hooks.dashboard")


class ServedQueue(NamedTuple):
    """The queue that a server shows. `environment` has the server's own token."""

    place: QueuePlace
    wanted: Wanted
    environment: Mapping[str, str]
    db: QueueStore
    tell: Callable[[Queue], None]

    def collect(self) -> Queue:
        """Record passed deadlines, and return the queue. Raises HelixError."""
        now = int(time.time())
        # Deadlines first, so that the queue has the states after them.
        swept = sweep(self.place, now)
        collected = collect(self.place, self.wanted, self.environment, now)
        queue = collected._replace(partial=(*swept.failures, *collected.partial))
        self.tell(queue)
        return queue

    def detail(self, entry: QueueEntry) -> EntryDetail:
        """Return the data that only the page of an entry shows. Raises HelixError."""
        if entry.source != PULL_REQUEST:
            return EntryDetail(entry)
        return pull_detail.detail(entry, self.environment)

    def ended(self, id: str) -> EndedRequest | None:
        """Return the request with an id that is not pending; None for none. Raises HelixError."""
        return requests.ended(self.place, id)

    def decide(self, choice: ChosenAnswer) -> DecisionLine:
        """Carry out an answer. Raises HelixError if it does not count."""
        entry = choice.entry
        by = policy_of(self.place)
        where = DecidingPlace(self.place, by, self.environment)
        answer = QueueAnswer(choice.approves, choice.reason, choice.override)
        if choice.asks:
            text = ask_back(where, entry, choice.reason, self._person(choice, by))
            return DecisionLine(entry.id, entry.title, text, is_done=True)
        text = answer_one(where, entry, answer, self._person(choice, by))
        if entry.source == FLOW:
            leave_to_worker()
        return DecisionLine(entry.id, entry.title, text, is_done=True, url=entry.url)

    def _person(self, choice: ChosenAnswer, by: ProjectPolicy) -> DecidingPerson:
        """Return the decider, with a right that is fetched now and not cached."""
        login = choice.by.login
        if choice.entry.source == PULL_REQUEST:
            # GitHub checks the right itself, since the person's token writes the comment.
            return DecidingPerson(login, token=choice.token)
        name, deciders = self.place.repository, by.policy.deciders
        if name and choice.token:
            return of_token(self.place, by, choice.token, self.environment)
        if name:
            now = int(time.time())
            who = identity.identity_of(login, name, self._token(), self.environment, deciders, now)
            return DecidingPerson(login, who, via="a proxy")
        if not (choice.token or by.is_on_github):
            return of_proxy(login)
        raise UsageError(
            f"{choice.entry.project} is not on GitHub, so your right to decide can't be checked; "
            "decide in a terminal with helix-hooks queue"
        )

    def wait(self, after: int, seconds: float) -> int:
        """Wait for an event of the store, and return its number. Raises HelixError."""
        return self.db.wait_for_event(after, seconds)

    def role(self, project: str, login: str) -> str:
        """Return a person's role by the server's token; "" for none. Raises HelixError."""
        name = identity.role_in(project, self._token(), self.environment, login)
        return "" if name == "none" else name

    def is_member(self, team: str, login: str) -> bool:
        """Return whether a person is in a team, by the server's token. Raises HelixError."""
        name = self.place.repository
        if not name:
            return False
        return bool(identity.teams_of(name, self._token(), self.environment, login, (team,)))

    def figures(self, projects: tuple[str, ...] | None) -> QueueFigures:
        """Return the figures of some projects; None means all. Raises HelixError."""
        if projects and self.place.project in projects:
            projects = (*projects, self.place.key)
        return stored_figures(self.db, projects)

    def _token(self) -> str:
        """Return the server's own token. Raises HelixError if it is not set."""
        secret = token(self.environment)
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
        served = ServedQueue(place=place, wanted=wanted, environment=environment, db=db, tell=tell)
        yield Sources(
            collect=served.collect,
            detail=served.detail,
            ended=served.ended,
            decide=served.decide,
            wait=served.wait,
            role=served.role,
            is_member=served.is_member,
            figures=served.figures,
            projects=(place.project, *wanted.repositories),
        )


def _warn(line: str) -> None:
    _log.warning("%s", log_line(line))
