"""Notices about changes of the queue. Pure.

An entry has one notice for each turn of a question. Its key is the same in every program, so nobody
is notified twice. Its texts are made harmless for mails and chats.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from ..config.notify import DECIDED, ESCALATED, EXPIRED, TURN
from ..text import ZERO_WIDTH_SPACE, one_line, plain, printable
from ..text.masking import Secrets, masked
from ..waiting import entry as entries
from ..waiting.entry import Queue, QueueEntry

_EVENTS = {
    entries.WAITING: TURN,
    entries.ESCALATED: ESCALATED,
    entries.EXPIRED: EXPIRED,
    entries.FAILED: TURN,
}
_TITLE, _TEXT = 120, 240
"""Maximum characters of a title and of a reason."""

_MOST_LINES = 3
"""Maximum number of reasons and of commands; the link leads to the others."""

_LONGEST_LINE = 400
_ADDRESS = re.compile(r"https?://[A-Za-z0-9.\[\]:-]+(?:/[A-Za-z0-9._~/?#&=%+-]*)?")
_LONGEST_ADDRESS = 1_000
_NUMBER = re.compile(r"(?<=[\w.-])#(?=\d+(?!\w))")
"""The sign in the id of a pull request, as in acme/shop#12."""

_SIGNS = re.compile(r"(?<=[<{])(?=\S)")
"""Places behind which Slack reads a mention or a link, and other chats an emoji or a macro."""


class Notice(NamedTuple):
    """A state change of an entry, for its recipients.

    `key` names the change, `entry` the entry among those of all sources. `event` is one of EVENTS.
    All texts are one line without secrets, links and mentions. `people` are the logins and `teams`
    the teams that the policy names; `by_role`: roles decide too. `delegates` represent others now.
    `sole` may decide even if among the `excluded`; `approved_by` have approved. `since` is when the
    turn of these people began. It and `asked_at` are in seconds since 1970. With `is_question` a
    decider has asked the requester, whose turn it is alone. The end of an entry has an `outcome`,
    e.g. "approved", and `by`, the decider; both are "" if unknown.
    """

    key: str
    entry: str
    event: str
    source: str
    id: str
    project: str
    title: str
    category: str
    turn: str
    asked_by: str
    asked_at: int
    since: int
    approvals: int = 0
    due_at: int = 0
    reasons: tuple[str, ...] = ()
    ways_on: tuple[str, ...] = ()
    url: str = ""
    people: tuple[str, ...] = ()
    teams: tuple[str, ...] = ()
    by_role: bool = False
    excluded: tuple[str, ...] = ()
    approved_by: tuple[str, ...] = ()
    delegates: tuple[str, ...] = ()
    sole: str = ""
    outcome: str = ""
    by: str = ""
    is_question: bool = False

    @property
    def is_end(self) -> bool:
        """Return whether a notice is about the end of an entry."""
        return bool(self.outcome) or self.event == DECIDED


class Ending(NamedTuple):
    """The end of an entry: "approved", "rejected", "expired", or "" if unknown, and the decider's
    login or name.

    The recorded end of a pull request may be "auto_approved" too, and has a time in seconds since
    1970; `by` is the login of the last vote that agrees.
    """

    outcome: str = ""
    by: str = ""
    at: int = 0


class Covered(NamedTuple):
    """Sources that were read completely, with their projects, e.g. ("flow", "acme/shop").

    All pull requests of an `owner` were read too, "" for none.
    """

    pairs: tuple[tuple[str, str], ...] = ()
    owner: str = ""

    def has(self, notice: "Notice") -> bool:
        """Return whether the entry of a notice would have been read, if it still exists."""
        if (notice.source, notice.project) in self.pairs:
            return True
        is_pull = notice.source == entries.PULL_REQUEST
        return bool(self.owner) and is_pull and notice.project.startswith(f"{self.owner}/")


def entry_key(source: str, project: str, id: str) -> str:
    """Return the name of an entry among those of all sources and projects."""
    return f"{source}:{project}:{id}"


def notice_of(
    entry: QueueEntry,
    now: int,
    secrets: Secrets,
    before: Notice | None = None,
    closed: Notice | None = None,
) -> Notice:
    """Return the notice of an entry's current state; `before` if nothing has changed.

    `closed` is the notice of the entry's end, if it was closed before and waits again.
    """
    key = entry_key(entry.source, entry.project, entry.id)
    since = _since(entry, before, closed)
    handed_to = f"{entry.handed_to}:" if entry.handed_to else ""
    # A question, a reply and a hand-over are notes, and each begins another turn.
    turn = f"{len(entry.notes)}:{handed_to}" if entry.notes else handed_to
    # The fields that make a notice a new one, or change its recipients.
    named: dict[str, Any] = {
        "key": f"{key}:{since}:{turn}{entry.state}",
        "since": since,
        "asked_at": entry.asked_at,
        "due_at": entry.due_at,
        "approvals": entry.approvals,
        "people": (_login(entry.handed_to),) if handed_to else _logins(entry, of_teams=False),
        "teams": () if handed_to else _logins(entry, of_teams=True),
        "by_role": bool(entry.deciders.roles) and not handed_to,
        "excluded": tuple(map(_login, entry.excluded)),
        "approved_by": tuple(map(_login, entry.approved_by)),
        "delegates": () if handed_to else _delegates(entry, now),
        "sole": "" if handed_to else entry.deciders.sole.casefold(),
        "is_question": entry.is_asked_back,
    }
    reasons, ways_on = entry.reasons, entry.ways_on
    if entry.is_asked_back:
        reasons, ways_on = entry.notes[-1:], ways_on[-1:]  # the question, and how to reply
    if before and all(getattr(before, name) == value for name, value in named.items()):
        return before  # sanitizing its texts again would take time
    return Notice(
        **named,
        entry=key,
        event=_EVENTS.get(entry.state, TURN),
        source=entry.source,
        id=_copied(entry.id, secrets),
        project=_harmless(entry.project, secrets, _TITLE),
        title=_harmless(entry.title, secrets, _TITLE) or "(without a title)",
        category=_harmless(entry.category, secrets, _TITLE),
        turn=_harmless(entry.turn, secrets, _TITLE),
        asked_by=_harmless(entry.asked_by, secrets, _TITLE),
        reasons=tuple(_harmless(text, secrets, _TEXT) for text in reasons[:_MOST_LINES]),
        ways_on=tuple(_copied(text, secrets) for text in ways_on[:_MOST_LINES]),
        url=_safe_address(entry.url, secrets),
    )


def _since(entry: QueueEntry, before: Notice | None, closed: Notice | None) -> int:
    """Return when the turn began, in seconds since 1970."""
    if before and (before.asked_at == entry.asked_at or _goes_on(before, entry)):
        return before.since
    # A question that waits again needs another key, and the same one in all programs that read it.
    if closed and entry.asked_at <= closed.since:
        return closed.since + 1
    return entry.asked_at


def _goes_on(before: Notice, entry: QueueEntry) -> bool:
    """Return whether it is still the turn of the same people, and none has answered.

    A push to a pull request restarts the question, but does not notify them again.
    """
    is_turn = before.event == TURN == _EVENTS.get(entry.state, TURN)
    return is_turn and not before.approvals and before.key.endswith(f":{entry.state}")


def ended(last: Notice, ending: Ending, secrets: Secrets) -> Notice | None:
    """Return the notice of the end of an entry; None for an expiry that has a notice already."""
    if ending.outcome == EXPIRED:
        if last.event == EXPIRED:
            return None
        key = f"{last.entry}:{last.since}:{entries.EXPIRED}"
        return last._replace(key=key, event=EXPIRED, outcome=EXPIRED, ways_on=(), due_at=0)
    return last._replace(
        key=f"{last.entry}:{last.since}:{DECIDED}",
        event=DECIDED,
        outcome=ending.outcome,
        by=_harmless(ending.by, secrets, _TITLE),
        ways_on=(),
        due_at=0,
        is_question=False,
    )


def never_told(entry: QueueEntry, now: int, secrets: Secrets) -> Notice:
    """Return the notice to end for an entry that was decided before anyone got a message about it.

    Only the requester and shared channels get a message about such an end.
    """
    notice = notice_of(entry, now, secrets)
    return notice._replace(people=(), teams=(), by_role=False, delegates=(), sole="")


def recorded_end(notice: Notice, ends: Mapping[tuple[str, int], Ending]) -> Ending | None:
    """Return the end of a pull request, by the recorded ones of `pull_ends`; None if unknown."""
    number = notice.id.rpartition("#")[2]
    end = ends.get((notice.project, int(number))) if number.isdecimal() else None
    # An earlier decision was about another question.
    is_of_this = end and notice.since <= notice.asked_at <= end.at
    return end if is_of_this else None


class QueueChanges(NamedTuple):
    """The notices of all waiting entries, the `new` or changed ones, and the `ends`."""

    current: tuple[Notice, ...]
    new: tuple[Notice, ...]
    ends: tuple[Notice, ...]


def changes(
    queue: Queue,
    last: Mapping[str, Notice],
    covered: Covered,
    endings: Mapping[str, Ending],
    secrets: Secrets,
    *,
    closed: Mapping[str, Notice] | None = None,
) -> QueueChanges:
    """Return the changes since the last reading of the queue.

    `last` are the notices of the entries that waited then, and `closed` those of the ends of
    entries, both by entry. An entry that is missing has ended only if `covered` has its source, or
    if it is in `endings`.
    """
    current: dict[str, Notice] = {}
    for entry in queue.entries:
        key = entry_key(entry.source, entry.project, entry.id)
        current[key] = notice_of(entry, queue.now, secrets, last.get(key), (closed or {}).get(key))
    ends = []
    for key, notice in last.items():
        has_ended = notice.entry in endings or covered.has(notice)
        if key not in current and has_ended:
            ends.append(ended(notice, endings.get(notice.entry, Ending()), secrets))
    return QueueChanges(
        current=tuple(current.values()),
        new=tuple(notice for key, notice in current.items() if last.get(key) is not notice),
        ends=tuple(filter(None, ends)),
    )


def _delegates(entry: QueueEntry, now: int) -> tuple[str, ...]:
    """Return the current delegates of deciders who have not approved."""
    deciders = entry.deciders
    without = {*map(_login, entry.excluded), *map(_login, entry.approved_by)}
    logins: dict[str, None] = {}
    for item in deciders.delegates:
        giver, to = item.pair
        may_decide = deciders.are_open or deciders.are_named(giver)
        if item.is_active(now) and giver not in without and may_decide:
            logins[to] = None
    return tuple(logins)


def _logins(entry: QueueEntry, *, of_teams: bool) -> tuple[str, ...]:
    """Return the people, or the teams, that the policy names for an entry."""
    named = entry.deciders.teams if of_teams else entry.deciders.users
    escalated_to = (name for name in entry.escalated_to if ("/" in name) == of_teams)
    return tuple(dict.fromkeys(map(_login, (*named, *escalated_to))))


def _login(name: str) -> str:
    return name.removeprefix("@").casefold()


def _harmless(text: str, secrets: Secrets, most: int) -> str:
    """Return a text as one line without active links, mentions or markup."""
    return _SIGNS.sub(ZERO_WIDTH_SPACE, one_line(masked(text, secrets), most))


def _copied(text: str, secrets: Secrets) -> str:
    """Return a line or an id for copying; active parts in it are broken."""
    line = printable(masked(" ".join(text.split()), secrets), _LONGEST_LINE)
    words = _NUMBER.sub("", line).removeprefix("/")
    is_inert = plain(words) == words and not _SIGNS.search(words)
    return line if is_inert else _harmless(text, secrets, _LONGEST_LINE)


def _safe_address(url: str, secrets: Secrets) -> str:
    """Return an address for a link, "" for an invalid one or one with a secret."""
    is_safe = len(url) <= _LONGEST_ADDRESS and _ADDRESS.fullmatch(url)
    return url if is_safe and masked(url, secrets) == url else ""
