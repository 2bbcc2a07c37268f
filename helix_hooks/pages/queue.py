"""The list of what waits: what the viewer may decide first, with one form for all of it."""

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


def page(found: QueuePage) -> str:
    """Return the page of the queue."""
    mine = [item for item in found.rows if item.turn in (HERE, ELSEWHERE)]
    others = [item for item in found.rows if item.turn not in (HERE, ELSEWHERE)]
    content = [
        happened(found.happened, found.shell.prefix),
        hint(found.shell.hint),
        failures(found.partial),
        header(".title")[h1["Queue"], _count(found)],
        _filters(found),
        _decisions(found, mine, others),
        found.shell.is_live
        and p("#changed", hidden=True)["The queue has changed. ", a(href="")["Show the changes"]],
        keys(),
    ]
    return document(found.shell, _title(found, mine), content)


def _title(found: QueuePage, mine: Sequence[QueueRow]) -> str:
    if found.form.error:
        return "Not decided: see the message"
    return f"Queue ({len(mine)} for you)" if mine else "Queue"


def _count(found: QueuePage) -> Element:
    return p[f"{len(found.rows) or 'nothing'} waiting"]


def _filters(found: QueuePage) -> Node:
    counts = dict(found.counts)
    if not counts.get("", 0):
        return None
    names = [name for name in FILTERS if counts.get(name) or name in ("", found.shown)]
    return nav(".filters", aria_label="Filters")[
        (_filter(found, name, counts.get(name, 0)) for name in names)
    ]


def _filter(found: QueuePage, name: str, count: int) -> Element:
    words = {"": "All", MINE: "Your turn"}.get(name, name.capitalize())
    here = "true" if found.shown == name else None
    target = f"{found.shell.prefix}/{f'?show={name}' if name else ''}"
    return a(href=target, aria_current=here)[words, " ", span[str(count)]]


def _decisions(found: QueuePage, mine: list[QueueRow], others: list[QueueRow]) -> Node:
    if not found.rows:
        return p(".empty")["Nothing waits for a person here."]
    lists = [
        *_group(found, "Your turn", mine, 0),
        *_group(found, _others(others), others, len(mine)),
    ]
    if not any(item.turn == HERE for item in mine) or not found.form.token:
        return div("#list")[lists]
    return form("#list", method="post", action=f"{found.shell.prefix}/decide")[
        no_default(),
        field(type="hidden", name="token", value=found.form.token),
        field(type="hidden", name="show", value=found.shown),
        lists,
        bar(found),
    ]


def _others(rows: Sequence[QueueRow]) -> str:
    is_known = any(item.turn != UNKNOWN for item in rows)
    return "Waiting for others" if is_known else "Waiting"


def _group(found: QueuePage, name: str, rows: list[QueueRow], first: int) -> Iterator[Node]:
    if not rows:
        return
    yield section(aria_labelledby=f"g{first}")[
        header[
            h2(id=f"g{first}")[name, " ", span[str(len(rows))]],
            _select_all(found, rows),
        ],
        ol(".rows")[(row(item, first + at, found) for at, item in enumerate(rows))],
    ]


def _select_all(found: QueuePage, rows: list[QueueRow]) -> Node:
    """Return a link that works without a script, as a page with all boxes ticked."""
    here = [item for item in rows if item.turn == HERE]
    if len(here) < 2 or not found.form.token:
        return None
    show = f"show={found.shown}&" if found.shown else ""
    return a(".all", href=f"{found.shell.prefix}/?{show}select=all")[f"Select all {len(here)}"]


def no_default() -> Element:
    """Return the first button of a form, which the key Enter in a box presses: it decides nothing.

    Without it, Enter would approve. NOTE: Chromium passes over a button that is disabled.
    """
    return button(name="answer", value="none", hidden=True, tabindex="-1")["Decide nothing"]


def bar(found: QueuePage) -> Element:
    """Return the bar that appears once something is selected."""
    error = found.form.error
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
        )[found.form.reason],
        div(".buttons")[
            button(".approve", name="answer", value="approve")["Approve ", span(".n")],
            button(".reject", name="answer", value="reject")["Reject ", span(".n")],
        ],
        p("#chosen.unseen", role="status"),
    ]
