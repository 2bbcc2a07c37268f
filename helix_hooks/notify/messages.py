"""The text of a message: the state, the deciders, the next steps and the reasons. Pure."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from ..config.notify import DECIDED, ESCALATED, EXPIRED, TURN
from ..text import counted, moment
from ..waiting.request import APPROVED, AUTO_APPROVED, REJECTED, WITHDRAWN
from .notices import Notice

MOST_TOLD = 10
"""Maximum notices that a message has in full; the others share one line."""

_LONGEST_TITLE = 200
_LINKS = re.compile(r"(https?://\S+)")
_MARKDOWN_SIGNS = re.compile(r"([\\`*_{}\[\]()<>#+|~$&!.:=-])")
_ORDER = (ESCALATED, TURN, EXPIRED, DECIDED)
_ALSO = (ESCALATED, EXPIRED, DECIDED)
_OUTCOMES = {
    APPROVED: "Approved",
    REJECTED: "Rejected",
    AUTO_APPROVED: "Approved without a person",
    WITHDRAWN: "Withdrawn",
}


class MessageText(NamedTuple):
    """A message: its subject line, and its text of plain lines."""

    title: str
    body: str

    @property
    def markdown(self) -> "MessageText":
        """Return a message for a channel that renders Markdown, escaped, with our links."""
        return MessageText(_as_markdown(self.title), _as_markdown(self.body))


def message(notices: Sequence[Notice], shared: bool, repeated: bool = False) -> MessageText:
    """Return the message of some notices to a person, or to a `shared` channel.

    A message is `repeated` if its first delivery is uncertain.
    """
    ordered = sorted(notices, key=_urgency)
    title, blocks = _summary(ordered, shared), []
    if len(ordered) == 1:
        title, blocks = _subject(ordered[0], shared), [_block(ordered[0])]
    else:
        shown = ordered[:MOST_TOLD]
        blocks = [f"{_subject(notice, shared)}\n{_block(notice)}" for notice in shown]
    left = len(ordered) - MOST_TOLD
    if left > 0:
        blocks.append(f"{counted(left, 'more change')}: helix-hooks queue list")
    if repeated:
        blocks.append("You may receive this message twice: its delivery could not be confirmed.")
    if len(title) > _LONGEST_TITLE:
        title = f"{title[: _LONGEST_TITLE - 1]}…"
    return MessageText(title, "\n\n".join(blocks) + "\n")


def _urgency(notice: Notice) -> tuple[int, int, int]:
    """Order by event, then by deadline, without one last, then by age."""
    due = notice.due_at or 1 << 62
    return _ORDER.index(notice.event), due, notice.asked_at


def _subject(notice: Notice, shared: bool) -> str:
    return f"{_state(notice, shared)}: {notice.title} ({notice.project})"


def _state(notice: Notice, shared: bool) -> str:
    if notice.event == DECIDED:
        words = _OUTCOMES.get(notice.outcome, "Closed")
        return f"{words} by {notice.by}" if notice.by else words
    if notice.event == EXPIRED:
        return "Expired, nobody decided"
    whose = notice.turn or "A person must decide"
    if shared:
        return whose
    if notice.is_question:
        return "A question to you"
    return "Escalated, your turn" if notice.event == ESCALATED else "Your turn"


def _summary(notices: Sequence[Notice], shared: bool) -> str:
    counts = Counter(notice.event for notice in notices)
    parts = []
    pending = counts[TURN] + counts[ESCALATED]
    if pending:
        number = counted(pending, "decision")
        waits = "waits" if pending == 1 else "wait"
        parts.append(f"{number} {waits}" if shared else f"Your turn: {number}")
    parts += [f"{counts[event]} {event}" for event in _ALSO if counts[event]]
    summary = f"{', '.join(parts)} ({_projects(notices)})"
    first = notices[0].due_at
    if not first:
        return summary
    return f"{summary}, the first until {moment(first)}"


def _projects(notices: Sequence[Notice]) -> str:
    """Return the name of the only project, or the number of projects."""
    projects = {notice.project for notice in notices}
    if len(projects) > 1:
        return counted(len(projects), "project")
    return notices[0].project


def _block(notice: Notice) -> str:
    lines = []
    if notice.due_at:
        lines.append(f"Until: {moment(notice.due_at)}")
    if notice.url:
        lines.append(f"Open: {notice.url}")
    lines += _commands(notice.ways_on)
    if notice.event != DECIDED:
        label = "Question" if notice.is_question else "Why"
        lines += [f"{label}: {reason}" for reason in notice.reasons]
    by = f", asked by {notice.asked_by}" if notice.asked_by else ""
    kind = f", {notice.category}" if notice.category else ""
    lines.append(f"Id: {notice.id}{kind}{by} on {moment(notice.asked_at)}")
    return "\n".join(lines)


def _commands(ways: Sequence[str]) -> list[str]:
    """Return the commands to write in a comment, and those to run, below a heading each."""
    comments = [way for way in ways if way.startswith("/")]
    commands = [way for way in ways if not way.startswith("/")]
    lines = []
    if comments:
        lines += ["To answer there, write:", *comments]
    if commands:
        lines += ["In a shell:", *commands]
    return lines


def _as_markdown(text: str) -> str:
    return "\n".join(_marked_line(line) for line in text.split("\n"))


def _marked_line(line: str) -> str:
    """Return a line in Markdown.

    Only our own links remain links: those in other texts were broken before.
    """
    if not line:
        return ""
    # The pattern has a group, so every second part is a link.
    parts = _LINKS.split(line)
    shown = [
        f"<{part}>" if number % 2 else _MARKDOWN_SIGNS.sub(r"\\\1", part)
        for number, part in enumerate(parts)
    ]
    return f"{''.join(shown)}  "
