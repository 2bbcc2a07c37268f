"""The list of entries: those that the viewer may decide come first, in one form."""

from collections.abc import Iterator, Sequence

from htpy import (
    Element,
    Node,
    a,
    button,
    div,
    form,
    h1,
    h2,
    header,
    label,
    nav,
    ol,
    p,
    section,
    span,
    textarea,
)
from htpy import input as field

from ..config.autonomy import CATEGORIES
from .dialog import keys
from .layout import document
from .notes import failures, happened, hint
from .row import row
from .shown import line
from .view import ELSEWHERE, HERE, UNKNOWN, QueuePage, QueueRow

MINE = "mine"
FILTERS = ("", MINE, *CATEGORIES)


def page(listing: QueuePage) -> str:
    """Return the page of the queue."""
    mine = [item for item in listing.rows if item.turn in (HERE, ELSEWHERE)]
    others = [item for item in listing.rows if item.turn not in (HERE, ELSEWHERE)]
    content = [
        happened(listing.happened, listing.shell.prefix),
        hint(listing.shell.hint),
        failures(listing.partial),
        header(".title")[h1["Queue"], _count(listing)],
        _filters(listing),
        _decisions(listing, mine, others),
        listing.shell.is_live
        and p("#changed", hidden=True)["The queue has changed. ", a(href="")["Show the changes"]],
        keys(),
    ]
    return document(listing.shell, _title(listing, mine), content)


def _title(listing: QueuePage, mine: Sequence[QueueRow]) -> str:
    if listing.form.error:
        return "Not decided: see the message"
    return f"Queue ({len(mine)} for you)" if mine else "Queue"


def _count(listing: QueuePage) -> Element:
    return p[f"{len(listing.rows) or 'nothing'} waiting"]


def _filters(listing: QueuePage) -> Node:
    counts = dict(listing.counts)
    if not counts.get("", 0):
        return None
    names = [name for name in FILTERS if counts.get(name) or name in ("", listing.shown)]
    return nav(".filters", aria_label="Filters")[
        (_filter(listing, name, counts.get(name, 0)) for name in names)
    ]


def _filter(listing: QueuePage, name: str, count: int) -> Element:
    words = {"": "All", MINE: "Your turn"}.get(name, name.capitalize())
    here = "true" if listing.shown == name else None
    target = f"{listing.shell.prefix}/{f'?show={name}' if name else ''}"
    return a(href=target, aria_current=here)[words, " ", span[str(count)]]


def _decisions(listing: QueuePage, mine: list[QueueRow], others: list[QueueRow]) -> Node:
    if not listing.rows:
        return p(".empty")["Nothing waits for a person here."]
    lists = [
        *_group(listing, "Your turn", mine, 0),
        *_group(listing, _others(others), others, len(mine)),
    ]
    if not any(item.turn == HERE for item in mine) or not listing.form.token:
        return div("#list")[lists]
    return form("#list", method="post", action=f"{listing.shell.prefix}/decide")[
        no_default(),
        field(type="hidden", name="token", value=listing.form.token),
        field(type="hidden", name="show", value=listing.shown),
        lists,
        bar(listing),
    ]


def _others(rows: Sequence[QueueRow]) -> str:
    is_known = any(item.turn != UNKNOWN for item in rows)
    return "Waiting for others" if is_known else "Waiting"


def _group(listing: QueuePage, name: str, rows: list[QueueRow], first: int) -> Iterator[Node]:
    if not rows:
        return
    yield section(aria_labelledby=f"g{first}")[
        header[
            h2(id=f"g{first}")[name, " ", span[str(len(rows))]],
            _select_all(listing, rows),
        ],
        ol(".rows")[(row(item, first + at, listing) for at, item in enumerate(rows))],
    ]


def _select_all(listing: QueuePage, rows: list[QueueRow]) -> Node:
    """Return a link that works without a script, as a page with all boxes ticked."""
    here = [item for item in rows if item.turn == HERE]
    if len(here) < 2 or not listing.form.token:
        return None
    show = f"show={listing.shown}&" if listing.shown else ""
    return a(".all", href=f"{listing.shell.prefix}/?{show}select=all")[f"Select all {len(here)}"]


def no_default() -> Element:
    """Return the first button of a form, which the key Enter in a box presses: it decides nothing.

    Without it, Enter would approve. NOTE: Chromium passes over a button that is disabled.
    """
    return button(name="answer", value="none", hidden=True, tabindex="-1")["Decide nothing"]


def bar(listing: QueuePage) -> Element:
    """Return the bar that appears once something is selected."""
    error = listing.form.error
    return div(class_=f"bar{' wrong' if error else ''}", role="group", aria_label="Decide")[
        p("#error", role="alert")[line(error)] if error else None,
        label(for_="reason")["Reason ", span["(needed to reject)"]],
        textarea(
            "#reason",
            name="reason",
            rows="1",
            maxlength="2000",
            autocomplete="off",
            aria_describedby="error" if error else None,
        )[listing.form.reason],
        div(".buttons")[
            button(".approve", name="answer", value="approve")["Approve ", span(".n")],
            button(".reject", name="answer", value="reject")["Reject ", span(".n")],
        ],
        p("#chosen.unseen", role="status"),
    ]
