"""The pinned issue with every pull request that waits for a person. Pure.

Its text depends on what waits alone, so an issue is written only if that has changed. It has dates
and no ages, since an age changes each hour.
"""

from ..decision.comment_lines import PREFIX
from ..text.moment import moment
from ..text.plural import counted
from ..text.sanitize import capped, inline
from ..waiting.entry import EXPIRED, FAILED, Queue, QueueEntry
from ..waiting.pull_entry import project_and_number

TITLE = "Pull requests that wait for a person"
QUEUE_MARK = "<!-- helix:queue -->"
"""The end of the issue, by which it is known, with its author."""

_MOST = 60_000
_MORE = "*There are more, which do not fit here: `helix-hooks queue list` lists all of them.*"
_LONGEST = 200
_MOST_REASONS = 3
_SIGNS = {EXPIRED: "⌛", FAILED: "❌"}


def is_pinned_issue(body: str) -> bool:
    """Return whether an issue of ours is the one that is kept, by its mark."""
    return body.rstrip().endswith(QUEUE_MARK)


def pinned_issue(queue: Queue) -> str:
    """Return the body of the issue: what is due first, then what has waited longest."""
    entries = sorted(queue.entries, key=_urgency)
    count = len(entries)
    verb = "waits" if count == 1 else "wait"
    head = f"### {counted(count, 'pull request')} {verb} for a person\n" if count else _NOTHING
    how = "Decide on the pull request itself; a comment here decides nothing.\n" if count else ""
    unread = "".join(f"- {_short(line)}\n" for line in queue.partial)
    parts = [
        head,
        how,
        *map(_entry, entries),
        f"**Could not be read**\n\n{unread}" if unread else "",
    ]
    text = "\n".join(part for part in parts if part)
    return f"{capped(text, _MORE, _MOST)}\n{QUEUE_MARK}"


_NOTHING = "### No pull request waits for a person\n"


def is_same(before: str, now: str) -> bool:
    """Return whether an issue already has this text. GitHub may have changed its line endings."""
    return before.replace("\r\n", "\n").strip() == now.strip()


def _urgency(entry: QueueEntry) -> tuple[bool, int, int, str]:
    return not entry.due_at, entry.due_at, entry.asked_at, entry.id


def _entry(entry: QueueEntry) -> str:
    """Return the lines of an entry: its name, deciders, deadline and reasons."""
    number = project_and_number(entry.id)[1]
    words = f"#{number} {_short(entry.title)}".rstrip()
    name = f"[{words}]({entry.url})" if entry.url else words
    sign = _SIGNS.get(entry.state, "⏳")
    lines = [
        f"#### {sign} {name}\n",
        f"- **{inline(entry.turn)}**{_until(entry)}\n",
        _missing(entry),
        *(f"- {_short(reason)}\n" for reason in entry.reasons[:_MOST_REASONS]),
        _more(entry),
        f"- by {inline(entry.asked_by)}, waits since {moment(entry.asked_at)}, {entry.category}\n",
    ]
    return "".join(filter(None, lines))


def _until(entry: QueueEntry) -> str:
    if entry.due_at:
        return f", until {moment(entry.due_at)}"
    return ", the deadline has passed" if entry.state == EXPIRED else ""


def _missing(entry: QueueEntry) -> str:
    """Return how many approvals are there, and what to write in the comment box."""
    some = f"{entry.approvals} of {entry.minimum} approvals. " if entry.minimum > 1 else ""
    called = f"Called: {', '.join(map(inline, entry.escalated_to))}. " if entry.escalated_to else ""
    ways = " or ".join(map(_way, entry.ways_on))
    return f"- {some}{called}{ways}\n" if some or called or ways else ""


def _way(text: str) -> str:
    """Return a line to write as code, so that it can be copied as it is; or what else to do."""
    is_command = text.startswith(f"{PREFIX} ") and "`" not in text and text.isprintable()
    return f"`{text}`" if is_command else inline(text)


def _more(entry: QueueEntry) -> str:
    left = len(entry.reasons) - _MOST_REASONS
    return f"- and {counted(left, 'more reason')}\n" if left > 0 else ""


def _short(text: str) -> str:
    """Return a text as one line without active links, mentions or markup."""
    words = " ".join(text.split())
    return inline(words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…")
