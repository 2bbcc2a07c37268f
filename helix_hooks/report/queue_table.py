"""The queue and its entries as text for a terminal.

Titles, reasons and findings come from agents, judges and people, so all of them are sanitized.
"""

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..text.moment import moment
from ..text.plural import counted
from ..text.sanitize import at_line_start, printable
from ..waiting.beside import lines as not_shown
from ..waiting.entry import (
    ESCALATED,
    EXPIRED,
    FAILED,
    PULL_REQUEST,
    REQUEST,
    Queue,
    QueueEntry,
    Viewer,
)
from ..waiting.right import is_turn, refusal
from ..waiting.stamp import marked
from .text import painted

_HEADS = ("id", "category", "age", "deadline", "what")
_COLORS = {ESCALATED: "warning", EXPIRED: "error", FAILED: "error"}
_SHORTEST_TITLE = 24
"""Columns that a title needs in a table. With less room, it has a line of its own."""
_SHORT_ID = 8
"""Characters of the id of a request in a table, if they are unique."""
_MOST_LISTED = 10
"""Maximum number of lines in a list of an entry."""
_APPROVAL = "/helix approve"
_LONGEST_TEXT = 2_000
_LONGEST_ID = 100

Row = tuple[str, ...]


class _Layout(NamedTuple):
    """The rows of the entries by id, and how they are arranged.

    `title_width` is the room for titles, 0 for no limit. `columns` is the width of the terminal.
    """

    rows: Mapping[str, Row]
    widths: Sequence[int]
    title_width: int
    is_table: bool
    columns: int
    color: bool


def as_text(queue: Queue, viewer: Viewer, color: bool = False, columns: int = 0) -> str:
    """Return the entries in their order, those of the viewer first.

    Lines have at most `columns` characters; 0 means no limit.
    """
    beside = "".join(f"{printable(line)}\n" for line in not_shown(queue.not_shown))
    if queue.entries:
        listed = "".join(f"{line}\n" for line in _lines(queue, viewer, color, columns))
        return f"{listed}\n{beside}" if beside else listed
    if queue.partial:
        return f"no pending entries, but some sources could not be read\n{beside}"
    if beside:
        return f"no pending entries to show\n{beside}"
    return "no pending entries\n"


def _lines(queue: Queue, viewer: Viewer, color: bool, columns: int) -> Iterator[str]:
    viewer_entries = [item for item in queue.entries if is_turn(viewer, item)]
    yield _summary(len(queue.entries), len(viewer_entries), viewer)
    layout = _layout(queue, columns, color)
    if layout.is_table:
        yield ""
        yield f"  {painted(_joined(_HEADS, layout.widths), 'rule', color)}"
    for turn, items in _by_turn(queue, viewer_entries).items():
        yield ""
        yield painted(printable(turn, columns), "path", color)
        yield from _table(items, layout) if layout.is_table else _blocks(items, layout)
    yield ""
    yield from _command_hints(queue, viewer_entries)


def _layout(queue: Queue, columns: int, color: bool) -> _Layout:
    rows = _rows(queue)
    columns_of_cells = [*zip(_HEADS, *rows.values(), strict=True)][:-1]
    widths = [max(map(len, column)) for column in columns_of_cells]
    title_width = 0
    if columns:
        title_width = columns - sum(widths) - 2 * len(_HEADS)
    return _Layout(
        rows=rows,
        widths=widths,
        title_width=max(title_width, 0),
        is_table=not columns or title_width >= _SHORTEST_TITLE,
        columns=columns,
        color=color,
    )


def _by_turn(queue: Queue, viewer_entries: Sequence[QueueEntry]) -> dict[str, Sequence[QueueEntry]]:
    """Return the entries by whose turn it is, those of the viewer first."""
    groups: dict[str, Sequence[QueueEntry]] = {}
    if viewer_entries:
        groups["Your turn"] = viewer_entries
    others: dict[str, list[QueueEntry]] = {}
    for item in queue.entries:
        if item not in viewer_entries:
            others.setdefault(item.turn.partition(":")[0], []).append(item)
    return {**groups, **others}


def numbered(queue: Queue, color: bool = False, columns: int = 0) -> str:
    """Return the entries in their order with numbers, from which a person chooses."""
    rows = _rows(queue)
    width = len(str(len(queue.entries)))
    lines = []
    for number, item in enumerate(queue.entries, 1):
        id, _, _, due, title = rows[item.id]
        head = f"{number:>{width}}  {painted(id, 'path', color)}"
        lines.append(f"{head}  {_words(rows[item.id], _due(item, due))}")
        lines.append(f"{'':>{width}}  {printable(title, max(columns - width - 2, 0))}")
    return "".join(f"{line}\n" for line in lines)


def _words(row: Row, due: str) -> str:
    _, category, age, *_ = row
    return ", ".join(filter(None, (category, f"asked {age} ago", due)))


def name_of(viewer: Viewer) -> str:
    """Return the viewer's login with an `@`, or else the name."""
    if viewer.login:
        return f"@{printable(viewer.login)}"
    return printable(viewer.name)


def _summary(total: int, of_viewer: int, viewer: Viewer) -> str:
    waits = "decision waits" if total == 1 else "decisions wait"
    return f"{total} {waits}, {of_viewer or 'none'} of them for you ({name_of(viewer)})"


def _rows(queue: Queue) -> dict[str, Row]:
    ids = [item.id for item in queue.entries]
    return {
        item.id: (
            at_line_start(short_id(item, ids)),
            item.category,
            duration(queue.now - item.asked_at),
            deadline(item, queue.now),
            " ".join(item.title.split()),
        )
        for item in queue.entries
    }


def short_id(entry: QueueEntry, ids: Sequence[str]) -> str:
    """Return the shortest usable id of an entry: for a request, the first digits of its UUID."""
    if entry.source != REQUEST:
        return entry.id
    short = entry.id[:_SHORT_ID]
    is_unique = sum(id.startswith(short) for id in ids) == 1
    return short if is_unique else entry.id


def deadline(entry: QueueEntry, now: int) -> str:
    """Return the deadline of an entry for a column; "" without one. `now` is in seconds."""
    if entry.state == EXPIRED:
        return "passed"
    if entry.state == FAILED:
        return "failed"
    if not entry.due_at:
        return ""
    return f"in {duration(entry.due_at - now)}"


def duration(seconds: int) -> str:
    """Return a time for a column, such as `5 min`, `2 h` or `3 d`."""
    if seconds < 60:
        return "< 1 min"
    if seconds < 2 * 3600:
        return f"{seconds // 60} min"
    if seconds < 2 * 86400:
        return f"{seconds // 3600} h"
    return f"{seconds // 86400} d"


def _table(items: Iterable[QueueEntry], layout: _Layout) -> Iterator[str]:
    """Yield a row per entry, with its title in the remaining columns."""
    for item in items:
        *cells, title = layout.rows[item.id]
        line = _joined((*cells, ""), layout.widths)
        colored = _with_colored_state(line, item, cells[3], layout.color)
        yield f"  {colored}{printable(title, layout.title_width)}".rstrip()


def _with_colored_state(line: str, entry: QueueEntry, state_text: str, color: bool) -> str:
    """Return a line in which the state is coloured, unless it is the default state."""
    kind = _COLORS.get(entry.state)
    if not kind or not state_text:
        return line
    before, _, after = line.rpartition(state_text)
    return f"{before}{painted(state_text, kind, color)}{after}"


def _joined(cells: Sequence[str], widths: Sequence[int]) -> str:
    fixed = "".join(f"{cell:<{width}}  " for cell, width in zip(cells, widths, strict=False))
    return f"{fixed}{cells[-1]}"


def _blocks(items: Iterable[QueueEntry], layout: _Layout) -> Iterator[str]:
    """Yield three lines per entry, for a terminal that is too narrow for a table."""
    for item in items:
        id, _, _, deadline_text, title = layout.rows[item.id]
        due = _due(item, deadline_text)
        words = _words(layout.rows[item.id], due)
        yield f"  {painted(id, 'path', layout.color)}"
        yield f"    {_with_colored_state(words, item, due, layout.color)}"
        yield f"    {printable(title, max(layout.columns - 4, _SHORTEST_TITLE))}"


def _due(entry: QueueEntry, deadline_text: str) -> str:
    """Return the state and deadline of an entry for a line of text."""
    if entry.state == EXPIRED:
        return "deadline passed"
    if entry.state == FAILED:
        return "the judge failed"
    parts = []
    if entry.state == ESCALATED:
        parts.append("escalated")
    if deadline_text:
        parts.append(f"due {deadline_text}")
    return ", ".join(parts)


def _command_hints(queue: Queue, viewer_entries: Sequence[QueueEntry]) -> Iterator[str]:
    """Yield the next command lines, the first with the id of an entry."""
    ids = [item.id for item in queue.entries]
    example = viewer_entries[0] if viewer_entries else queue.entries[0]
    id = short_id(example, ids)
    if len(id) > _LONGEST_ID:
        id = "ID"
    yield f"  helix-hooks queue show {printable(id)}"
    if viewer_entries:
        yield "  helix-hooks queue approve ID..."
        yield "  helix-hooks queue reject ID... --reason TEXT"


def show(entry: QueueEntry, viewer: Viewer, now: int, color: bool = False) -> str:
    """Return the text of an entry: its state, deciders, next steps and reasons.

    `now` is in seconds since 1970.
    """
    return "".join(f"{line}\n" for line in _entry_lines(entry, viewer, now, color))


def _entry_lines(entry: QueueEntry, viewer: Viewer, now: int, color: bool) -> Iterator[str]:
    state = painted(entry.state, _COLORS.get(entry.state, "path"), color)
    turn = "it is your turn" if is_turn(viewer, entry) else entry.turn
    yield f"{at_line_start(entry.id)} {state}: {printable(turn)}"
    yield f"  {printable(' '.join(entry.title.split()))}"
    yield f"  {printable(_facts(entry, now))}"
    yield ""
    yield painted("what to do", "path", color)
    yield from (f"  {printable(line)}" for line in _next_steps(entry))
    if reason := refusal(viewer, entry):
        yield f"  you can't approve it: {printable(reason)}"
    yield ""
    yield painted("why", "path", color)
    yield from (f"  {printable(line)}" for line in entry.reasons or ("no reason given",))
    yield from _recommendation(entry, color)
    yield from _listed("impact", [*filter(None, [entry.impact])], color)
    yield from _listed("files", entry.files, color)
    yield from _findings(entry, color)
    yield from _listed("no longer counts", entry.invalidated, color)
    yield from _description(entry, color)


def _next_steps(entry: QueueEntry) -> Iterator[str]:
    """Yield the commands for an entry, and the comments for a pull request.

    The commands approve the version that is shown: the ids of other versions are refused.
    """
    if entry.source == PULL_REQUEST:
        yield from _pull_request_steps(entry)
        return
    if not entry.ways_on:
        yield "no action is possible here"
    id, id_of_version = shlex.quote(entry.id), shlex.quote(marked(entry))
    for line in entry.ways_on:
        yield line.replace(f"approve {id}", f"approve {id_of_version}")


def _pull_request_steps(entry: QueueEntry) -> Iterator[str]:
    is_open = any(line.startswith(_APPROVAL) for line in entry.ways_on)
    introduction = "in a comment: "
    if is_open:
        yield f"helix-hooks queue approve {marked(entry)}"
        yield f"helix-hooks queue reject {entry.id} --reason TEXT"
        introduction = "or in a comment: "
    yield from (f"{introduction}{line}" for line in entry.ways_on)
    if entry.url:
        yield entry.url


def _facts(entry: QueueEntry, now: int) -> str:
    is_pull_request = entry.source == PULL_REQUEST
    asker = entry.asked_by
    if is_pull_request and not asker.startswith("@"):
        asker = f"@{asker}"
    parts = [entry.category, entry.action]
    parts.append(f"asked by {asker} {duration(now - entry.asked_at)} ago")
    if entry.due_at:
        parts.append(f"due {deadline(entry, now)}, {moment(entry.due_at)}")
    if entry.minimum > 1:
        parts.append(f"{entry.approvals} of {counted(entry.minimum, 'approval')}")
    if is_pull_request and entry.head:
        parts.append(f"commit {entry.head[:7]}")
    if entry.cost_usd:
        parts.append(f"cost ${entry.cost_usd:.2f}")
    return ", ".join(filter(None, parts))


def _recommendation(entry: QueueEntry, color: bool) -> Iterator[str]:
    recommendation = entry.recommendation
    reasoning, confidence = recommendation.reasoning, recommendation.confidence
    if not (recommendation.answer or reasoning or confidence is not None):
        return
    answer = recommendation.answer or "none"
    if confidence is not None:
        answer = f"{answer}, confidence {confidence:.2f}"
    if recommendation.by:
        answer = f"{answer} by {recommendation.by}"
    yield ""
    yield painted("recommendation", "path", color)
    yield f"  {printable(answer)}"
    if reasoning:
        yield f"  {printable(' '.join(reasoning.split()), _LONGEST_TEXT)}"


def _listed(title: str, lines: Sequence[str], color: bool) -> Iterator[str]:
    if not lines:
        return
    yield ""
    yield painted(title, "path", color)
    yield from (f"  {printable(line, _LONGEST_TEXT)}" for line in lines[:_MOST_LISTED])
    if len(lines) > _MOST_LISTED:
        yield f"  and {len(lines) - _MOST_LISTED} more (--format json has all of them)"


def _findings(entry: QueueEntry, color: bool) -> Iterator[str]:
    lines = []
    for item in entry.findings:
        subject = item.check
        if item.path:
            subject = f"{item.path}:{item.line} {subject}"
        lines.append(f"{item.severity} {subject}: {item.message}")
    yield from _listed("findings", lines, color)


def _description(entry: QueueEntry, color: bool) -> Iterator[str]:
    if not entry.description.strip():
        return
    yield ""
    yield painted("description", "path", color)
    lines = entry.description[:_LONGEST_TEXT].strip().splitlines()
    yield from (f"  {printable(line)}".rstrip() for line in lines)
    if len(entry.description) > _LONGEST_TEXT:
        yield "  … (truncated; --format json has the full text)"
