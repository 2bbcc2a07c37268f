"""A row of the queue: the state and the deciders, then the question, then the reasons."""

from htpy import Element, Node, a, code, i, li, p, summary
from htpy import b as strong
from htpy import details as disclosure
from htpy import input as field

from ..config.autonomy import CRITICAL
from ..waiting.entry import ESCALATED, EXPIRED, FAILED, REQUEST, QueueEntry
from .shown import address, ago, line, percent, quoted, until
from .view import ELSEWHERE, HERE, FilledForm, QueuePage, QueueRow

_STATES = {ESCALATED: "Escalated", EXPIRED: "Deadline passed", FAILED: "Judge failed"}
_SOON = 4 * 3600
"""Seconds before a deadline from which it stands out."""

_REASON, _TITLE, _SHORT = 140, 160, 8
"""Characters of a reason, of a title and of a request's UUID in the list."""


def row(item: QueueRow, number: int, page: QueuePage) -> Element:
    """Return a row that can be selected where the viewer may decide it."""
    entry = item.entry
    return li(class_=entry.state)[
        _box(item, number, page.form),
        p(".s")[state(item), " ", category(entry), " ", due(entry, page.now)],
        a(id=f"t{number}", href=path(page.shell.prefix, entry))[title(entry)],
        p(".y")[_reasons(entry)],
        p(".m")[about(entry, page.now)],
    ]


def row_with_ways(item: QueueRow, now: int) -> Element:
    """Return a row of a page without a server: the ways to decide stand in it."""
    entry = item.entry
    url = address(entry.url)
    words = title(entry)
    return li(class_=entry.state)[
        p(".s")[state(item), " ", category(entry), " ", due(entry, now)],
        a(href=url)[words] if url else strong(".t")[words],
        p(".y")[_reasons(entry)],
        p(".m")[about(entry, now)],
        ways(entry),
    ]


def title(entry: QueueEntry) -> str:
    """Return the title, else the name of the entry, so that its link has a text."""
    return line(entry.title.strip(), _TITLE) or name(entry)


def path(prefix: str, entry: QueueEntry) -> str:
    """Return the path of an entry's own page."""
    return f"{prefix}/entry?id={quoted(entry.id)}"


def state(item: QueueRow) -> str:
    """Return the state and the deciders."""
    entry = item.entry
    is_mine = item.turn in (HERE, ELSEWHERE)
    turn = "Your turn" if is_mine else line(entry.turn, 80)
    before = _STATES.get(entry.state, "")
    if before and is_mine:
        return f"{before} · your turn"
    if not before or turn.startswith(before):
        return turn
    return f"{before} · {turn}"


def category(entry: QueueEntry) -> Element:
    """Return the category as a label."""
    is_critical = entry.category == CRITICAL
    return strong(class_="c" if is_critical else None)[line(entry.category, 30)]


def due(entry: QueueEntry, now: int) -> Node:
    """Return when the deadline is, None where there is none."""
    if not entry.due_at:
        return None
    left = entry.due_at - now
    return i(class_="soon" if left < _SOON else None)[until(left)]


def about(entry: QueueEntry, now: int) -> str:
    """Return the name of an entry, who asked and when, and what is recommended."""
    parts = [name(entry)]
    if entry.project and not entry.id.startswith(entry.project):
        parts.append(line(entry.project, 80))
    parts.append(f"{_login(entry.asked_by)} asked {ago(now - entry.asked_at)}")
    if advice(entry):
        parts.append(advice(entry))
    if entry.minimum > 1:
        parts.append(f"{entry.approvals} of {entry.minimum} approvals")
    return " · ".join(parts)


def name(entry: QueueEntry) -> str:
    """Return the name of an entry in a list: of a request the beginning of its UUID."""
    shown = entry.id[:_SHORT] if entry.source == REQUEST else entry.id
    return line(shown, 80)


def advice(entry: QueueEntry) -> str:
    """Return the recommendation in a few words, as in "judge: approve, 82 %"."""
    recommendation = entry.recommendation
    if not recommendation.answer and recommendation.confidence is None:
        return ""
    by = line(recommendation.by, 40) or "recommended"
    sure = percent(recommendation.confidence) if recommendation.confidence is not None else ""
    return f"{by}: {', '.join(filter(None, [line(recommendation.answer, 20), sure]))}"


def ways(entry: QueueEntry) -> Node:
    """Return the lines by which an entry is decided elsewhere."""
    if not entry.ways_on:
        return None
    return disclosure[
        summary["How to decide"],
        (p[code[line(way)]] for way in entry.ways_on),
    ]


def _box(item: QueueRow, number: int, form: FilledForm) -> Node:
    if item.turn != HERE or not form.token:
        return None
    value = f"{item.stamp} {item.entry.id}"
    return field(
        type="checkbox",
        name="id",
        value=value,
        aria_labelledby=f"t{number}",
        checked=item.entry.id in form.chosen,
    )


def _reasons(entry: QueueEntry) -> str:
    first = line(entry.reasons[0], _REASON) if entry.reasons else ""
    more = len(entry.reasons) - 1
    return f"{first} (+{more} more)" if more > 0 else first


def _login(name: str) -> str:
    return line(name, 60) or "somebody"
