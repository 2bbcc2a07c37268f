"""Functions of the queue that the server calls: entries, details, decisions and changes.

All of them may block and raise HelixError; the server calls them in threads.
"""

from collections.abc import Callable
from typing import NamedTuple

from ..pages.view import DecisionLine
from ..waiting.entry import EntryDetail, Queue, QueueEntry, Viewer
from ..waiting.figures import QueueFigures


class ChosenAnswer(NamedTuple):
    """The answer of a person to an entry, as they saw it.

    `token` is the person's own for GitHub, "" for none. It stands in no message and in no record.
    `override` approves what a gate has rejected.
    """

    entry: QueueEntry
    approves: bool
    reason: str
    by: Viewer
    token: str = ""
    override: bool = False


class Sources(NamedTuple):
    """`collect` returns the queue, `detail` what is read only when somebody opens an entry.

    `decide` carries out an answer and says what was done. `wait` waits for an event of the store
    after a number, at most for some seconds, and returns the newest number. `role` returns the role
    of a login on a repository, "" for none, and `is_member` whether a login is in a team; both are
    read with the server's own token. `figures` returns the figures of projects, all
    for None; without the function there is no such page. `projects` are those that the server is
    about, also where nothing waits in them.
    """

    collect: Callable[[], Queue]
    detail: Callable[[QueueEntry], EntryDetail]
    decide: Callable[[ChosenAnswer], DecisionLine]
    wait: Callable[[int, float], int]
    role: Callable[[str, str], str] = lambda _project, _login: ""
    is_member: Callable[[str, str], bool] = lambda _team, _login: False
    figures: Callable[[tuple[str, ...] | None], QueueFigures] | None = None
    projects: tuple[str, ...] = ()
