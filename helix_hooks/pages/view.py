"""The contents of a page as values: rows, the form as it was filled in, and results."""

from typing import NamedTuple

from ..config.policy import ROUTINE
from ..waiting.entry import NotShown, QueueEntry

HERE, ELSEWHERE, OTHERS, UNKNOWN = "here", "elsewhere", "others", "unknown"
"""Whose turn an entry is: the viewer's, who decides on this page or at the entry's address; that
of other people; or unknown, if the page has no viewer.
"""


class QueueRow(NamedTuple):
    """An entry, whose turn it is, and why the viewer can't decide it on this page ("" if they can).

    `stamp` is a hash of the contents that a decider reads. It prevents the approval of an entry
    that changed after it was read.
    """

    entry: QueueEntry
    turn: str = UNKNOWN
    refusal: str = ""
    stamp: str = ""

    @property
    def is_bulk(self) -> bool:
        """Return whether the viewer may decide the entry in the list, together with others."""
        return self.turn == HERE and self.entry.category == ROUTINE


class DecisionLine(NamedTuple):
    """The result of a decision for one entry; `url` leads to its record.

    With `can_undo` it has not taken effect yet.
    """

    id: str
    title: str
    text: str
    is_done: bool
    url: str = ""
    can_undo: bool = False


PREPARED = ("approve", "reject")
"""The answers that a link can propose."""


class FilledForm(NamedTuple):
    """A form of decisions: its token, and what the viewer selected and typed.

    Without a token nothing can be decided on the page. `error` says why the form was refused.
    `prepared` is the answer that a link proposes, one of PREPARED, or "": the page then has a
    button for it alone, which confirms it.
    """

    token: str = ""
    chosen: frozenset[str] = frozenset()
    reason: str = ""
    error: str = ""
    prepared: str = ""


class Shell(NamedTuple):
    """The frame of a page.

    `prefix` is the beginning of all links, such as "/helix" or "". `version` is that of the style
    sheet. `viewer` is the name of the person, "" for none. `sign_out` is the token of the form to
    sign out, "" for none. `hint` says why nothing can be decided on the page, "" if something can.
    `has_figures` adds the page of figures to the menu. `is_live` makes the page listen for changes.
    """

    prefix: str = ""
    version: str = ""
    viewer: str = ""
    sign_out: str = ""
    hint: str = ""
    has_figures: bool = False
    is_live: bool = False


class QueuePage(NamedTuple):
    """The list as a page shows it. Times are in seconds since 1970.

    `shown` is the filter: "" for all, "mine", or a category. `counts` has the number of rows per
    filter, before the filter is applied.
    """

    rows: tuple[QueueRow, ...]
    now: int
    shell: Shell = Shell()
    form: FilledForm = FilledForm()
    partial: tuple[str, ...] = ()
    happened: tuple[DecisionLine, ...] = ()
    shown: str = ""
    counts: tuple[tuple[str, int], ...] = ()
    not_shown: NotShown = NotShown()
