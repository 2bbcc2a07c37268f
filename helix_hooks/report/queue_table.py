"""The queue and its entries as text for a terminal.

Titles, reasons and findings come from agents, judges and people, so all of them are sanitized.
"""

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..text.moment import moment
from ..text.plural import counted
from ..text.sanitize import at_line_start, printable
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
"""Characters below which a title gets a line of its own."""
_SHORT_ID = 8
"""Characters of the id of a request, as far as they are unique."""
_MOST_LISTED = 10
_APPROVAL = "/helix approve"
_LONGEST_TEXT = 2_000
_LONGEST_ID = 100


def as_text(queue: Queue, viewer: Viewer, color: bool = False, columns: int = 0) -> str:
    """Return the entries in their order, those of the viewer first.

    Lines have at most `columns` characters, 0 for no limit.
    """
    if not queue.entries:
        return "nothing waits\n" if not queue.partial else "nothing was found that waits\n"
    return "".join(f"{line}\n" for line in _lines(queue, viewer, color, columns))


def _lines(queue: Queue, viewer: Viewer, color: bool, columns: int) -> Iterator[str]:
    mine = [item for item in queue.entries if is_turn(viewer, item)]
    others: dict[str, list[QueueEntry]] = {}
    for item in queue.entries:
        if item not in mine:
            others.setdefault(item.turn.partition(":")[0], []).append(item)
    yield _summary(len(queue.entries), len(mine), viewer)
    rows = _rows(queue)
    widths = [
        max(map(len, column))
        for column in zip(_HEADS[:-1], *(row[:-1] for row in rows.values()), strict=True)
    ]
    room = columns - sum(widths) - 2 * len(_HEADS) if columns else 0
    is_table = not columns or room >= _SHORTEST_TITLE
    if is_table:
        yield ""
        yield f"  {painted(_joined(_HEADS, widths), 'rule', color)}"
    for turn, items in (("Your turn", mine), *others.items()):
        if not items:
            continue
        yield ""
        yield painted(printable(turn, columns), "path", color)
        if is_table:
            yield from _table(items, rows, widths, room, color)
        else:
            yield from _blocks(items, rows, columns, color)
    yield ""
    yield from _how(queue, mine)


def numbered(queue: Queue, color: bool = False, columns: int = 0) -> str:
    """Return the entries in their order with numbers, from which a person chooses."""
    rows = _rows(queue)
    width = len(str(len(queue.entries)))
    lines = []
    for number, item in enumerate(queue.entries, 1):
        id, category, age, due, title = rows[item.id]
        head = f"{number:>{width}}  {painted(id, 'path', color)}"
        words = ", ".join(filter(None, (category, f"asked {age} ago", _due(item, due))))
        lines.append(f"{head}  {words}")
        lines.append(f"{'':>{width}}  {printable(title, max(columns - width - 2, 0))}")
    return "".join(f"{line}\n" for line in lines)


def name_of(viewer: Viewer) -> str:
    """Return the name of a viewer: a login as GitHub has it, or a name."""
    return f"@{printable(viewer.login)}" if viewer.login else printable(viewer.name)


def _summary(number: int, mine: int, viewer: Viewer) -> str:
    waits = "decision waits" if number == 1 else "decisions wait"
    return f"{number} {waits}, {mine or 'none'} of them for you ({name_of(viewer)})"


def _rows(queue: Queue) -> dict[str, tuple[str, ...]]:
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
    """Return the shortest usable id of an entry: of a request, the beginning of its UUID."""
    short = entry.id[:_SHORT_ID]
    is_unique = sum(id.startswith(short) for id in ids) == 1
    return short if entry.source == REQUEST and is_unique else entry.id


def deadline(entry: QueueEntry, now: int) -> str:
    """Return when the state of an entry changes, in words for a column."""
    if entry.state == EXPIRED:
        return "passed"
    if entry.state == FAILED:
        return "failed"
    return f"in {duration(entry.due_at - now)}" if entry.due_at else ""


def duration(seconds: int) -> str:
    """Return a time for a column, as in `5 min`, `2 h` or `3 d`."""
    if seconds < 60:
        return "< 1 min"
    if seconds < 2 * 3600:
        return f"{seconds // 60} min"
    return f"{seconds // 3600} h" if seconds < 2 * 86400 else f"{seconds // 86400} d"


def _table(
    items: Iterable[QueueEntry],
    rows: Mapping[str, tuple[str, ...]],
    widths: Sequence[int],
    room: int,
    color: bool,
) -> Iterator[str]:
    """Yield a row an entry, with its title in what is left of the line."""
    for item in items:
        *cells, title = rows[item.id]
        line = _joined((*cells, ""), widths)
        yield f"  {_marked(line, item, cells[3], color)}{printable(title, max(room, 0))}".rstrip()


def _joined(cells: Sequence[str], widths: Sequence[int]) -> str:
    fixed = "".join(f"{cell:<{width}}  " for cell, width in zip(cells, widths, strict=False))
    return f"{fixed}{cells[-1]}"


def _marked(line: str, entry: QueueEntry, word: str, color: bool) -> str:
    """Return a line in which the state is coloured, if it is not the usual one."""
    kind = _COLORS.get(entry.state)
    if not kind or not word:
        return line
    before, _, after = line.rpartition(word)
    return f"{before}{painted(word, kind, color)}{after}"


def _blocks(
    items: Iterable[QueueEntry],
    rows: Mapping[str, tuple[str, ...]],
    columns: int,
    color: bool,
) -> Iterator[str]:
    """Yield an entry in three lines, where a table has no room for titles."""
    for item in items:
        id, category, age, due, title = rows[item.id]
        left = _due(item, due)
        words = ", ".join(filter(None, (category, f"asked {age} ago", left)))
        yield f"  {painted(id, 'path', color)}"
        yield f"    {_marked(words, item, left, color)}"
        yield f"    {printable(title, max(columns - 4, _SHORTEST_TITLE))}"


def _due(entry: QueueEntry, due: str) -> str:
    """Return the deadline of an entry for a line of words."""
    if entry.state == EXPIRED:
        return "deadline passed"
    if entry.state == FAILED:
        return "the judge failed"
    left = f"due {due}" if due else ""
    return f"escalated, {left}".rstrip(", ") if entry.state == ESCALATED else left


def _how(queue: Queue, mine: Sequence[QueueEntry]) -> Iterator[str]:
    """Yield the command lines that go on, with an id that can be used."""
    ids = [item.id for item in queue.entries]
    first = short_id((mine or queue.entries)[0], ids)
    id = first if len(first) <= _LONGEST_ID else "ID"
    yield f"  helix-hooks queue show {printable(id)}"
    if mine:
        yield "  helix-hooks queue approve ID..."
        yield "  helix-hooks queue reject ID... --reason TEXT"


def show(entry: QueueEntry, viewer: Viewer, now: int, color: bool = False) -> str:
    """Return the text of an entry: its state, deciders, next steps and reasons."""
    return "".join(f"{line}\n" for line in _entry_lines(entry, viewer, now, color))


def _entry_lines(entry: QueueEntry, viewer: Viewer, now: int, color: bool) -> Iterator[str]:
    state = painted(entry.state, _COLORS.get(entry.state, "path"), color)
    turn = "it is your turn" if is_turn(viewer, entry) else entry.turn
    yield f"{at_line_start(entry.id)} {state}: {printable(turn)}"
    yield f"  {printable(' '.join(entry.title.split()))}"
    yield f"  {printable(_facts(entry, now))}"
    yield ""
    yield painted("what to do", "path", color)
    yield from (f"  {printable(line)}" for line in _ways_on(entry))
    if why := refusal(viewer, entry):
        yield f"  you can't approve it: {printable(why)}"
    yield ""
    yield painted("why", "path", color)
    yield from (f"  {printable(line)}" for line in entry.reasons or ("no reason was stated",))
    yield from _recommendation(entry, color)
    yield from _listed("impact", (entry.impact,) if entry.impact else (), color)
    yield from _listed("files", entry.files, color)
    yield from _findings(entry, color)
    yield from _listed("does not count any more", entry.invalidated, color)
    yield from _description(entry, color)


def _ways_on(entry: QueueEntry) -> Iterator[str]:
    """Yield what can be run or written, for a pull request both. It approves what is shown."""
    is_open = any(line.startswith(_APPROVAL) for line in entry.ways_on)
    if entry.source != PULL_REQUEST:
        plain, bound = shlex.quote(entry.id), shlex.quote(marked(entry))
        yield from (line.replace(f"approve {plain}", f"approve {bound}") for line in entry.ways_on)
        if not entry.ways_on:
            yield "nothing can be done here"
        return
    if is_open:
        yield f"helix-hooks queue approve {marked(entry)}"
        yield f"helix-hooks queue reject {entry.id} --reason TEXT"
    words = "or in a comment: " if is_open else "in a comment: "
    yield from (f"{words}{line}" for line in entry.ways_on)
    yield from filter(None, (entry.url,))


def _facts(entry: QueueEntry, now: int) -> str:
    due = f"due {deadline(entry, now)}, {moment(entry.due_at)}" if entry.due_at else ""
    is_login = entry.source == PULL_REQUEST and not entry.asked_by.startswith("@")
    asker = f"@{entry.asked_by}" if is_login else entry.asked_by
    parts = (
        entry.category,
        entry.action,
        f"asked by {asker} {duration(now - entry.asked_at)} ago",
        due,
        f"{entry.approvals} of {counted(entry.minimum, 'approval')}" if entry.minimum > 1 else "",
        f"commit {entry.head[:7]}" if entry.source == PULL_REQUEST and entry.head else "",
        f"cost ${entry.cost_usd:.2f}" if entry.cost_usd else "",
    )
    return ", ".join(filter(None, parts))


def _recommendation(entry: QueueEntry, color: bool) -> Iterator[str]:
    said = entry.recommendation
    if not (said.answer or said.reasoning or said.confidence is not None):
        return
    sure = "" if said.confidence is None else f", {said.confidence:.2f} sure"
    by = f" by {said.by}" if said.by else ""
    yield ""
    yield painted("recommendation", "path", color)
    answer = said.answer or "none"
    yield f"  {printable(f'{answer}{sure}{by}')}"
    if said.reasoning:
        yield f"  {printable(' '.join(said.reasoning.split()), _LONGEST_TEXT)}"


def _listed(title: str, lines: Sequence[str], color: bool) -> Iterator[str]:
    if not lines:
        return
    yield ""
    yield painted(title, "path", color)
    yield from (f"  {printable(line, _LONGEST_TEXT)}" for line in lines[:_MOST_LISTED])
    if len(lines) > _MOST_LISTED:
        yield f"  and {len(lines) - _MOST_LISTED} more (--format json has all of them)"


def _findings(entry: QueueEntry, color: bool) -> Iterator[str]:
    lines = [
        f"{item.severity} {f'{item.path}:{item.line} ' if item.path else ''}{item.check}: "
        f"{item.message}"
        for item in entry.findings
    ]
    yield from _listed("findings", lines, color)


def _description(entry: QueueEntry, color: bool) -> Iterator[str]:
    if not entry.description.strip():
        return
    yield ""
    yield painted("description", "path", color)
    lines = entry.description[:_LONGEST_TEXT].strip().splitlines()
    yield from (f"  {printable(line)}".rstrip() for line in lines)
    if len(entry.description) > _LONGEST_TEXT:
        yield "  … (--format json has all of it)"
