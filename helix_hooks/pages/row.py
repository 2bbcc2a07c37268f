"""A row of the queue: the state and the deciders, then the question, then what the asker says.

The CSS classes are short to keep long lists small: `s` state, `c` critical, `t` title, `y` impact
and description, `m` metadata.
"""

from htpy import Element, Node, a, i, li, p
from htpy import b as strong
from htpy import input as field

from ..config.policy import CRITICAL
from ..waiting.entry import ESCALATED, EXPIRED, FAILED, REQUEST, QueueEntry
from ..waiting.queue_text import about
from .shown import ago, line, percent, quoted, until
from .view import ELSEWHERE, HERE, FilledForm, QueuePage, QueueRow

_STATES = {ESCALATED: "Escalated", EXPIRED: "Deadline passed", FAILED: "Judge failed"}
_SOON = 4 * 3600
"""Seconds before a deadline from which it is highlighted."""

_ABOUT = 240
"""Characters of the impact and the description in the list."""

_TITLE = 160
"""Characters of a title in the list."""

_SHORT = 8
"""Characters of a request's UUID in the list."""


def row(item: QueueRow, number: int, page: QueuePage) -> Element:
    """Return a row, with a check box if the viewer may decide the entry in the list."""
    entry = item.entry
    return li(class_=entry.state)[
        _box(item, number, page.form),
        p(".s")[state(item), " ", category(entry), " ", due(entry, page.now)],
        a(id=f"t{number}", href=path(page.shell.prefix, entry))[title(entry)],
        p(".y")[line(about(entry), _ABOUT)],
        p(".m")[metadata_text(entry, page.now)],
    ]


def title(entry: QueueEntry) -> str:
    """Return the title or the name of the entry: a link needs a text."""
    return line(entry.title.strip(), _TITLE) or name(entry)


def path(prefix: str, entry: QueueEntry) -> str:
    """Return the path of an entry's own page."""
    return f"{prefix}/entry?id={quoted(entry.id)}"


def state(item: QueueRow) -> str:
    """Return the state of an entry, and whose turn it is."""
    entry = item.entry
    is_viewers = item.turn in (HERE, ELSEWHERE)
    turn = "Your turn" if is_viewers else line(entry.turn, 80)
    state_label = _STATES.get(entry.state, "")
    if state_label and is_viewers:
        return f"{state_label} · your turn"
    if not state_label or turn.startswith(state_label):
        return turn
    return f"{state_label} · {turn}"


def category(entry: QueueEntry) -> Element:
    """Return the category as a label."""
    is_critical = entry.category == CRITICAL
    return strong(class_="c" if is_critical else None)[line(entry.category, 30)]


def due(entry: QueueEntry, now: int) -> Node:
    """Return the deadline; None without one. `now` is in seconds since 1970."""
    if not entry.due_at:
        return None
    seconds = entry.due_at - now
    return i(class_="soon" if seconds < _SOON else None)[until(seconds)]


def metadata_text(entry: QueueEntry, now: int) -> str:
    """Return the name of an entry, its requester, its age and the recommendation."""
    parts = [name(entry)]
    if entry.project and not entry.id.startswith(entry.project):
        parts.append(line(entry.project, 80))
    asker = line(entry.asked_by, 60) or "somebody"
    parts.append(f"{asker} asked {ago(now - entry.asked_at)}")
    recommendation = advice(entry)
    if recommendation:
        parts.append(recommendation)
    if entry.minimum > 1:
        parts.append(f"{entry.approvals} of {entry.minimum} approvals")
    return " · ".join(parts)


def name(entry: QueueEntry) -> str:
    """Return the name of an entry in a list: for a request, the first digits of its UUID."""
    shown = entry.id
    if entry.source == REQUEST:
        shown = shown[:_SHORT]
    return line(shown, 80)


def advice(entry: QueueEntry) -> str:
    """Return the recommendation in a few words, such as "judge: approve, 82 %"; "" for none."""
    recommendation = entry.recommendation
    parts = []
    if recommendation.answer:
        parts.append(line(recommendation.answer, 20))
    if recommendation.confidence is not None:
        parts.append(percent(recommendation.confidence))
    if not parts:
        return ""
    return f"{line(recommendation.by, 40) or 'recommended'}: {', '.join(parts)}"


def _box(item: QueueRow, number: int, form: FilledForm) -> Node:
    if not item.is_bulk or not form.token:
        return None
    value = f"{item.stamp} {item.entry.id}"
    return field(
        type="checkbox",
        name="id",
        value=value,
        aria_labelledby=f"t{number}",
        checked=item.entry.id in form.chosen,
    )
