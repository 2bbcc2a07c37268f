"""The list of entries. Those that the viewer may decide come first, in one form."""

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

from ..config.policy import CATEGORIES
from .dialog import keys
from .layout import document
from .notes import beside, failures, happened, hint
from .row import row
from .shown import line
from .view import ELSEWHERE, HERE, UNKNOWN, QueuePage, QueueRow

MINE = "mine"
FILTERS = ("", MINE, *CATEGORIES)


def page(listing: QueuePage) -> str:
    """Return the page of the queue."""
    viewer_rows = [item for item in listing.rows if item.turn in (HERE, ELSEWHERE)]
    others = [item for item in listing.rows if item.turn not in (HERE, ELSEWHERE)]
    content = [
        happened(listing.happened, listing.shell, listing.form.token),
        hint(listing.shell.hint),
        failures(listing.partial),
        header(".title")[h1["Queue"], _count(listing)],
        _filters(listing),
        _decisions(listing, viewer_rows, others),
        beside(listing.not_shown),
        listing.shell.is_live
        and p("#changed", hidden=True)["The queue has changed. ", a(href="")["Show the changes"]],
        keys(),
    ]
    return document(listing.shell, _title(listing, viewer_rows), content)


def _title(listing: QueuePage, viewer_rows: Sequence[QueueRow]) -> str:
    if listing.form.error:
        return "Not decided: see the message"
    if not viewer_rows:
        return "Queue"
    return f"Queue ({len(viewer_rows)} for you)"


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
    text = {"": "All", MINE: "Your turn"}.get(name, name.capitalize())
    query = f"?show={name}" if name else ""
    is_current = listing.shown == name
    return a(href=f"{listing.shell.prefix}/{query}", aria_current="true" if is_current else None)[
        text, " ", span[str(count)]
    ]


def _decisions(listing: QueuePage, viewer_rows: list[QueueRow], others: list[QueueRow]) -> Node:
    if not listing.rows:
        return p(".empty")[_empty(listing)]
    lists = [
        *_group(listing, "Your turn", viewer_rows, 0),
        *_group(listing, _others(others), others, len(viewer_rows)),
    ]
    if not any(item.is_bulk for item in viewer_rows) or not listing.form.token:
        return div("#list")[lists]
    return form("#list", method="post", action=f"{listing.shell.prefix}/decide")[
        no_default(),
        field(type="hidden", name="token", value=listing.form.token),
        field(type="hidden", name="show", value=listing.shown),
        lists,
        bar(listing),
    ]


def _empty(listing: QueuePage) -> str:
    if listing.partial:
        return "No decisions to show: not everything could be read."
    if dict(listing.counts).get("", 0):
        return "No pending decisions match this filter."
    if any(listing.not_shown):
        return "No pending decisions to show."
    return "No pending decisions."


def _others(rows: Sequence[QueueRow]) -> str:
    """Return the heading of the entries that are not the viewer's."""
    if any(item.turn != UNKNOWN for item in rows):
        return "Waiting for others"
    return "Waiting"


def _group(listing: QueuePage, name: str, rows: list[QueueRow], first: int) -> Iterator[Node]:
    """Yield a section with some rows. `first` is the number of the first one on the page."""
    if not rows:
        return
    yield section(aria_labelledby=f"g{first}")[
        header[
            h2(id=f"g{first}")[name, " ", span[str(len(rows))]],
            _select_all(listing, rows),
        ],
        ol(".rows")[(row(item, number, listing) for number, item in enumerate(rows, first))],
    ]


def _select_all(listing: QueuePage, rows: list[QueueRow]) -> Node:
    """Return a link to the page with all boxes ticked, which works without a script."""
    number = sum(item.is_bulk for item in rows)
    if number < 2 or not listing.form.token:
        return None
    show = f"show={listing.shown}&" if listing.shown else ""
    return a(".all", href=f"{listing.shell.prefix}/?{show}select=all")[f"Select {number} routine"]


def no_default() -> Element:
    """Return a hidden first button for a form. It decides nothing.

    The key Enter in a field presses the first button of its form, which would approve.
    """
    # NOTE: The button must not be disabled: Chromium then presses the next one.
    return button(name="answer", value="none", hidden=True, tabindex="-1")["Decide nothing"]


def bar(listing: QueuePage, advice: str = "", *, asks: bool = False) -> Element:
    """Return the bar with the buttons. The script hides it until an entry is selected.

    `advice` is the recommendation about the only entry of a page. With `asks` the requester of that
    entry can be asked something.
    """
    error, prepared = listing.form.error, listing.form.prepared
    class_, described_by = "bar", None
    if error:
        class_, described_by = "bar wrong", "error"
    return div(class_=class_, role="group", aria_label="Decide")[
        error and p("#error", role="alert")[line(error)],
        advice and p(".m")[advice],
        label(for_="reason")[
            "Reason ", span["(required to ask back or reject)" if asks else "(required to reject)"]
        ],
        textarea(
            "#reason",
            name="reason",
            rows="1",
            maxlength="2000",
            autocomplete="off",
            aria_describedby=described_by,
        )[listing.form.reason],
        div(".buttons")[
            prepared != "reject"
            and button(".approve", name="answer", value="approve")["Approve ", span(".n")],
            prepared != "approve"
            and button(".reject", name="answer", value="reject")["Reject ", span(".n")],
            asks and not prepared and button(name="answer", value="ask")["Ask back"],
        ],
        p("#chosen.unseen", role="status"),
    ]
