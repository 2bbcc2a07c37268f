"""Contents of a page, as values: rows, the form as it was filled in, and results."""

from typing import NamedTuple

from ..waiting.entry import QueueEntry

HERE, ELSEWHERE, OTHERS, UNKNOWN = "here", "elsewhere", "others", "unknown"
"""Whose turn a row is: the viewer's, who decides on this page or at its address; that of others; or
nobody knows, since the page has no viewer.
"""


class QueueRow(NamedTuple):
    """An entry with whose turn it is, and why the viewer can't decide it here ("" where they can).

    `stamp` is the hash of what a decider reads of the entry, so that a changed entry is not
    approved unseen.
    """

    entry: QueueEntry
    turn: str = UNKNOWN
    refusal: str = ""
    stamp: str = ""


class DecisionLine(NamedTuple):
    """The result of a decision for one entry; `url` leads to its record."""

    id: str
    title: str
    text: str
    is_done: bool
    url: str = ""


class FilledForm(NamedTuple):
    """A form of decisions: its token, and what the person had chosen and typed.

    Without a token nothing can be decided on the page. `error` says why the form came back.
    """

    token: str = ""
    chosen: frozenset[str] = frozenset()
    reason: str = ""
    error: str = ""


class Shell(NamedTuple):
    """The frame of a page: `prefix` of all links, "" or as in "/helix"; `version` of the styles.

    `viewer` is what to call the person, "" for nobody. `sign_out` is the token of that form, "" for
    none. `hint` says why nothing can be decided here, "" where it can. `has_figures` says that
    there is a page of figures.
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

    `shown` is the filter: "" for all, "mine", or a category. `counts` has the number of rows of
    each filter, before it was applied.
    """

    rows: tuple[QueueRow, ...]
    now: int
    shell: Shell = Shell()
    form: FilledForm = FilledForm()
    partial: tuple[str, ...] = ()
    happened: tuple[DecisionLine, ...] = ()
    shown: str = ""
    counts: tuple[tuple[str, int], ...] = ()
