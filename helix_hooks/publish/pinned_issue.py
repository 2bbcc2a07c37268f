"""The pinned issue with every pull request that waits for a person. Pure.

Its text has dates but no ages, since an age changes each hour. So the issue is updated only if a
pull request has changed.
"""

from ..decision.comment_lines import PREFIX
from ..text import capped, counted, inline, moment
from ..waiting.entry import EXPIRED, FAILED, Queue, QueueEntry
from ..waiting.pull_entry import project_and_number

TITLE = "Pull requests waiting for a person"
QUEUE_MARK = "<!-- helix:queue -->"
"""The end of the issue, which identifies it together with its author."""

_MOST = 60_000
_MORE = "*Not all entries fit here: `helix-hooks queue list` lists all of them.*"
_LONGEST = 200
_MOST_REASONS = 3
_SIGNS = {EXPIRED: "⌛", FAILED: "❌"}


def is_pinned_issue(body: str) -> bool:
    """Return whether an issue of ours is the pinned one, by its mark."""
    return body.rstrip().endswith(QUEUE_MARK)


def pinned_issue(queue: Queue) -> str:
    """Return the body of the issue: earliest deadline first, then longest waiting."""
    entries = sorted(queue.entries, key=_urgency)
    parts = [_NOTHING]
    if entries:
        verb = "waits" if len(entries) == 1 else "wait"
        parts = [
            f"### {counted(len(entries), 'pull request')} {verb} for a person\n",
            "Comment on the pull request itself. Comments on this issue are ignored.\n",
        ]
    parts += map(_entry, entries)
    unread = "".join(f"- {_short(line)}\n" for line in queue.partial)
    if unread:
        parts.append(f"**Could not be read**\n\n{unread}")
    text = capped("\n".join(parts), _MORE, _MOST)
    return f"{text}\n{QUEUE_MARK}"


_NOTHING = "### No pull request waits for a person\n"


def is_same(before: str, now: str) -> bool:
    """Return whether an issue already has this text. GitHub may have changed its line endings."""
    return before.replace("\r\n", "\n").strip() == now.strip()


def _urgency(entry: QueueEntry) -> tuple[bool, int, int, str]:
    return not entry.due_at, entry.due_at, entry.asked_at, entry.id


def _entry(entry: QueueEntry) -> str:
    """Return the lines of an entry: its name, deciders, deadline and reasons."""
    number = project_and_number(entry.id)[1]
    name = f"#{number} {_short(entry.title)}".rstrip()
    if entry.url:
        name = f"[{name}]({entry.url})"
    sign = _SIGNS.get(entry.state, "⏳")
    lines = [
        f"#### {sign} {name}\n",
        f"- **{inline(entry.turn)}**{_until(entry)}\n",
        _missing(entry),
        *(f"- {_short(reason)}\n" for reason in entry.reasons[:_MOST_REASONS]),
        _more(entry),
        f"- by {inline(entry.asked_by)}, waits since {moment(entry.asked_at)}, {entry.category}\n",
    ]
    return "".join(lines)


def _until(entry: QueueEntry) -> str:
    if entry.due_at:
        return f", until {moment(entry.due_at)}"
    return ", the deadline has passed" if entry.state == EXPIRED else ""


def _missing(entry: QueueEntry) -> str:
    """Return the number of approvals, the people notified, and the commands to comment."""
    text = ""
    if entry.minimum > 1:
        text += f"{entry.approvals} of {entry.minimum} approvals. "
    if entry.escalated_to:
        text += f"Escalated to: {', '.join(map(inline, entry.escalated_to))}. "
    text += " or ".join(map(_way, entry.ways_on))
    return f"- {text}\n" if text else ""


def _way(text: str) -> str:
    """Return a command as code, so that it can be copied unchanged; other advice as plain text."""
    is_command = text.startswith(f"{PREFIX} ") and "`" not in text and text.isprintable()
    return f"`{text}`" if is_command else inline(text)


def _more(entry: QueueEntry) -> str:
    left = len(entry.reasons) - _MOST_REASONS
    if left <= 0:
        return ""
    return f"- and {counted(left, 'more reason')}\n"


def _short(text: str) -> str:
    """Return a text as one line without active links, mentions or markup."""
    words = " ".join(text.split())
    if len(words) > _LONGEST:
        words = f"{words[: _LONGEST - 1]}…"
    return inline(words)
