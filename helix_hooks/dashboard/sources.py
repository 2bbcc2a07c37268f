"""What the server needs from the queue, as functions: entries, details, decisions and changes.

All of them may block and raise HelixError; the server calls them in threads.
"""

from collections.abc import Callable
from typing import NamedTuple

from ..pages.view import DecisionLine
from ..waiting.entry import EntryDetail, Queue, QueueEntry, Viewer


class Choice(NamedTuple):
    """The answer of a person to an entry, as they saw it.

    `token` is the person's own for GitHub, "" for none. It stands in no message and in no record.
    """

    entry: QueueEntry
    approves: bool
    reason: str
    by: Viewer
    token: str = ""


class Sources(NamedTuple):
    """`collect` returns the queue, `detail` what is read only when somebody opens an entry.

    `decide` carries out an answer and says what was done. `wait` waits for an event of the store
    after a number, at most for some seconds, and returns the newest number. `role` returns the role
    of a login on a repository, "" for none, read with the server's own token. `figures` is the
    content of the page of figures, None for no such page.
    """

    collect: Callable[[], Queue]
    detail: Callable[[QueueEntry], EntryDetail]
    decide: Callable[[Choice], DecisionLine]
    wait: Callable[[int, float], int]
    role: Callable[[str, str], str] = lambda _project, _login: ""
    figures: Callable[[tuple[str, ...]], str] | None = None
