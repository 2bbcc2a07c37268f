"""The queue and its entries as text for a terminal.

Titles, reasons and findings come from agents, judges and people, so all of them are sanitized.
"""

import re
import shlex
from collections.abc import Iterator, Sequence
from itertools import islice

from ..text import at_line_start, counted, moment, painted, printable
from ..text.table import Cell, table
from .entry import (
    ESCALATED,
    EXPIRED,
    FAILED,
    PULL_REQUEST,
    REQUEST,
    UNDECIDED,
    NotShown,
    Queue,
    QueueEntry,
    Viewer,
)
from .right import is_turn, refusal
from .selection import marked, written_id

_HEADS = ("id", "category", "asked", "state", "what")
_COLORS = {ESCALATED: "warning", EXPIRED: "error", FAILED: "error"}
_SHORT_ID = 8
"""Characters of the id of a request in a table, if they are unique."""
_MOST_LISTED = 10
"""Maximum number of lines in a list of an entry."""
_APPROVAL = "/helix approve"
_LONGEST_TEXT = 2_000
_LONGEST_ID = 100
_LONGEST_ABOUT = 240
_MOST_NAMED = 5
"""Maximum number of other projects in a line."""


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
        return f"nothing is shown\n{beside}"
    return "no pending entries\n"


def _lines(queue: Queue, viewer: Viewer, color: bool, columns: int) -> Iterator[str]:
    viewer_entries = [item for item in queue.entries if is_turn(viewer, item)]
    groups = _by_turn(queue, viewer_entries)
    entries = [item for items in groups.values() for item in items]
    rows = [_row(item, queue) for item in entries]
    lines = table(rows, _HEADS, indent=2, color=color, columns=columns)
    yield _summary(len(entries), len(viewer_entries), viewer)
    if len(lines) > len(entries):
        yield f"\n{lines.pop(0)}"
    listed = iter(lines)
    for turn, items in groups.items():
        yield ""
        yield painted(printable(turn, columns), "path", color)
        yield from islice(listed, len(items))
    yield ""
    yield from _command_hints(queue, viewer_entries)


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


def not_shown(beside: NotShown) -> Iterator[str]:
    """Yield a line for each kind of entries that a list does not show, so that it looks short."""
    if beside.filtered:
        do = "does" if beside.filtered == 1 else "do"
        yield f"{counted(beside.filtered, 'decision')} {do} not match these options"
    if beside.unreadable:
        number = counted(beside.unreadable, "decision")
        yield f"{number} of repositories that you may not read {_are(beside.unreadable)} not shown"
    if beside.sources:
        names = ", ".join(source.replace("_", "-") for source in beside.sources)
        yield f"not read, since --source leaves them out: {names}"
    if beside.other_projects:
        total = sum(number for _, number in beside.other_projects)
        names = ", ".join(
            f"{name} ({number})" for name, number in beside.other_projects[:_MOST_NAMED]
        )
        more = ", ..." if len(beside.other_projects) > _MOST_NAMED else ""
        yield (
            f"{counted(total, 'request')} of other projects in this database {_are(total)} not "
            f"shown: {names}{more}; run `helix-hooks queue list` in a work tree of the project. If "
            "one is an earlier name of this project, set it as `flow.name` in config/approvals.yaml"
        )


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def name_of(viewer: Viewer) -> str:
    """Return the viewer's login with an `@`, or else the name."""
    if viewer.login:
        return f"@{printable(viewer.login)}"
    return printable(viewer.name)


def _summary(total: int, of_viewer: int, viewer: Viewer) -> str:
    waits = "decision waits" if total == 1 else "decisions wait"
    return f"{total} {waits}, {of_viewer or 'none'} of them for you ({name_of(viewer)})"


def _row(entry: QueueEntry, queue: Queue) -> tuple[Cell, ...]:
    return (
        short_id(entry, [item.id for item in queue.entries]),
        entry.category,
        f"{duration(queue.now - entry.asked_at)} ago",
        (_state(entry, queue.now), _COLORS.get(entry.state, "")),
        " · ".join(filter(None, (" ".join(entry.title.split()), about(entry)))),
    )


def about(entry: QueueEntry) -> str:
    """Return the impact, and the first paragraph of the description, on one line.

    Where nobody describes an entry, it is what went wrong.
    """
    texts = [entry.impact, _first_paragraph(entry.description)]
    if entry.source in UNDECIDED or entry.state == FAILED:
        texts += entry.reasons[:1]
    words = (" ".join(text[: 2 * _LONGEST_ABOUT].split()) for text in texts)
    return " · ".join(filter(None, words))[:_LONGEST_ABOUT]


def _first_paragraph(text: str) -> str:
    """Return the first paragraph of a Markdown text that is no heading, table, list or HTML."""
    for part in re.split(r"\n\s*\n", text[:_LONGEST_TEXT]):
        if not re.match(r"\s*(?:#|\||[-*+] |\d+[.)] |<|>|```)", part) and part.strip():
            return part
    return ""


def short_id(entry: QueueEntry, ids: Sequence[str]) -> str:
    """Return the shortest usable id of an entry: for a request, the first digits of its UUID."""
    if entry.source != REQUEST:
        return entry.id
    short = entry.id[:_SHORT_ID]
    is_unique = sum(id.startswith(short) for id in ids) == 1
    return short if is_unique else entry.id


def duration(seconds: int) -> str:
    """Return a time for a column, such as `5 min`, `2 h` or `3 d`."""
    if seconds < 60:
        return "< 1 min"
    if seconds < 2 * 3600:
        return f"{seconds // 60} min"
    if seconds < 2 * 86400:
        return f"{seconds // 3600} h"
    return f"{seconds // 86400} d"


def _state(entry: QueueEntry, now: int) -> str:
    """Return the deadline of an entry, or why it has none."""
    if entry.state == EXPIRED:
        return "deadline passed"
    if entry.state == FAILED:
        return "judge failed"
    return f"due in {duration(entry.due_at - now)}" if entry.due_at else ""


def _command_hints(queue: Queue, viewer_entries: Sequence[QueueEntry]) -> Iterator[str]:
    """Yield the next command lines, the first with the id of an entry."""
    ids = [item.id for item in queue.entries]
    example = viewer_entries[0] if viewer_entries else queue.entries[0]
    id = short_id(example, ids)
    if len(id) > _LONGEST_ID:
        id = "ID"
    yield f"  helix-hooks queue show {printable(id)}"
    if any(item.source not in UNDECIDED for item in viewer_entries):
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
    yield from _listed("questions and replies", entry.notes, color)
    yield from _listed("files", entry.files, color)
    yield from _findings(entry, color)
    yield from _listed("no longer counts", entry.invalidated, color)
    yield from _description(entry, color)


def _next_steps(entry: QueueEntry) -> Iterator[str]:
    """Yield the commands for an entry, and the comments for a pull request.

    The commands decide about the version that is shown: the ids of other versions are refused.
    """
    if entry.source == PULL_REQUEST:
        yield from _pull_request_steps(entry)
        return
    if not entry.ways_on:
        yield "no action is possible here"
    id, id_of_version = shlex.quote(written_id(entry)), shlex.quote(marked(entry))
    for line in entry.ways_on:
        pattern = rf"(approve|reject) {re.escape(id)}(?!\S)"
        yield re.sub(pattern, lambda match: f"{match[1]} {id_of_version}", line)


def _pull_request_steps(entry: QueueEntry) -> Iterator[str]:
    is_open = any(line.startswith(_APPROVAL) for line in entry.ways_on)
    introduction = "in a comment: "
    if is_open:
        yield f"helix-hooks queue approve {marked(entry)}"
        yield f"helix-hooks queue reject {marked(entry)} --reason TEXT"
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
        parts.append(f"due in {duration(entry.due_at - now)}, {moment(entry.due_at)}")
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
