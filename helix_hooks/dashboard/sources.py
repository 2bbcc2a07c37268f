"""The functions of the queue that the server calls: entries, details, decisions and changes.

All of them may block and raise HelixError. The server calls them in threads.
"""

from collections.abc import Callable
from typing import NamedTuple

from ..pages.view import DecisionLine
from ..queue.requests import EndedRequest
from ..waiting.entry import EntryDetail, Queue, QueueEntry, Viewer
from ..waiting.figures import QueueFigures


class ChosenAnswer(NamedTuple):
    """A person's answer to an entry, which is the version that they read.

    `token` is the person's own token for GitHub, "" for none. It must not appear in a message or a
    record. `override` approves an entry that a gate has rejected. With `asks` the reason is a
    question to the requester, and nothing is decided.
    """

    entry: QueueEntry
    approves: bool
    reason: str
    by: Viewer
    token: str = ""
    override: bool = False
    asks: bool = False


class Sources(NamedTuple):
    """The functions for one server.

    `collect` returns the queue. `detail` returns the data that only the page of an entry shows.
    `ended` returns the request with an id that is not pending, None for none. `decide` carries
    out an answer and returns a line on it. `wait` waits for the next event after a number, for at
    most some seconds, and returns the newest number. `role` returns the role of a login on a
    repository, "" for none. `is_member` returns whether a login is in a team. Both use the
    server's own token. `figures` returns the figures of projects, None means all; without the
    function there is no page of figures. `projects` are the projects of the server, with or
    without entries.
    """

    collect: Callable[[], Queue]
    detail: Callable[[QueueEntry], EntryDetail]
    ended: Callable[[str], EndedRequest | None]
    decide: Callable[[ChosenAnswer], DecisionLine]
    wait: Callable[[int, float], int]
    role: Callable[[str, str], str] = lambda _project, _login: ""
    is_member: Callable[[str, str], bool] = lambda _team, _login: False
    figures: Callable[[tuple[str, ...] | None], QueueFigures] | None = None
    projects: tuple[str, ...] = ()
