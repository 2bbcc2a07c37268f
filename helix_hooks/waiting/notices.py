"""Notices: the changes of what waits. Pure.

An entry has one notice for each state of a question. Its key is the same in every run, so nobody is
told twice.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from ..config.notify import (
    DECIDED,
    ESCALATED,
    EXPIRED,
    TURN,
)
from ..text.masking import Secrets
from . import entry as entries
from .entry import Queue, QueueEntry
from .harmless import copied, harmless, safe_address

_EVENTS = {
    entries.WAITING: TURN,
    entries.ESCALATED: ESCALATED,
    entries.EXPIRED: EXPIRED,
    entries.FAILED: TURN,
}
_TITLE, _TEXT = 120, 240
"""Maximum characters of a title and of a reason."""

_MOST_LINES = 3
"""Maximum reasons and ways on; the rest is behind the link."""


class Notice(NamedTuple):
    """A state change of an entry, for those who are told of it.

    `key` names the change, `entry` the entry among those of all sources. `event` is one of EVENTS.
    All texts are one line without secrets that does nothing in a mail or a chat. `people` are the
    logins and `teams` the teams that the policy names; `by_role` says that roles decide as well.
    `sole` may decide although among the `excluded`. The end of the waiting has an `outcome`,
    "approved" for instance, and `by`, who decided; both are "" where they are not known.
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
    due_at: int = 0
    reasons: tuple[str, ...] = ()
    ways_on: tuple[str, ...] = ()
    url: str = ""
    people: tuple[str, ...] = ()
    teams: tuple[str, ...] = ()
    by_role: bool = False
    excluded: tuple[str, ...] = ()
    sole: str = ""
    outcome: str = ""
    by: str = ""

    @property
    def is_end(self) -> bool:
        """Return whether nothing waits any more."""
        return bool(self.outcome) or self.event == DECIDED


class Ending(NamedTuple):
    """The end of the waiting: "approved", "rejected", "expired" or "", and the login or name of who
    decided.
    """

    outcome: str = ""
    by: str = ""


class Covered(NamedTuple):
    """What was read to the end: sources with their projects, as in ("flow", "acme/shop"), and all
    pull requests of an `owner`, "" for none.
    """

    pairs: tuple[tuple[str, str], ...] = ()
    owner: str = ""

    def has(self, notice: "Notice") -> bool:
        """Return whether the entry of a notice was read, if it is still there."""
        if (notice.source, notice.project) in self.pairs:
            return True
        is_pull = notice.source == entries.PULL_REQUEST
        return bool(self.owner) and is_pull and notice.project.startswith(f"{self.owner}/")


def entry_key(source: str, project: str, id: str) -> str:
    """Return the name of an entry among those of all sources and projects."""
    return f"{source}:{project}:{id}"


def notice_of(entry: QueueEntry, secrets: Secrets) -> Notice:
    """Return the notice of the state in which an entry is."""
    deciders, escalated = entry.deciders, entry.escalated_to
    key = entry_key(entry.source, entry.project, entry.id)
    return Notice(
        key=f"{key}:{entry.asked_at}:{entry.state}",
        entry=key,
        event=_EVENTS.get(entry.state, TURN),
        source=entry.source,
        id=copied(entry.id, secrets),
        project=harmless(entry.project, secrets, _TITLE),
        title=harmless(entry.title, secrets, _TITLE) or "(without a title)",
        category=harmless(entry.category, secrets, _TITLE),
        turn=harmless(entry.turn, secrets, _TITLE),
        asked_by=harmless(entry.asked_by, secrets, _TITLE),
        asked_at=entry.asked_at,
        due_at=entry.due_at,
        reasons=tuple(harmless(text, secrets, _TEXT) for text in entry.reasons[:_MOST_LINES]),
        ways_on=tuple(copied(text, secrets) for text in entry.ways_on[:_MOST_LINES]),
        url=safe_address(entry.url, secrets),
        people=_logins((*deciders.users, *(name for name in escalated if "/" not in name))),
        teams=_logins((*deciders.teams, *(name for name in escalated if "/" in name))),
        by_role=bool(deciders.roles),
        excluded=_logins(entry.excluded),
        sole=deciders.sole.casefold(),
    )


def ended(last: Notice, ending: Ending, secrets: Secrets) -> Notice | None:
    """Return the notice of the end of what an earlier one was about; None for an expiry that was
    told already.
    """
    if ending.outcome == EXPIRED:
        return None if last.event == EXPIRED else _expired(last)
    return last._replace(
        key=f"{last.entry}:{last.asked_at}:{DECIDED}",
        event=DECIDED,
        outcome=ending.outcome,
        by=harmless(ending.by, secrets, _TITLE),
        ways_on=(),
        due_at=0,
    )


def _expired(last: Notice) -> Notice:
    key = f"{last.entry}:{last.asked_at}:{entries.EXPIRED}"
    return last._replace(key=key, event=EXPIRED, outcome=EXPIRED, ways_on=(), due_at=0)


def changes(
    queue: Queue,
    last: Mapping[str, Notice],
    covered: Covered,
    endings: Mapping[str, Ending],
    secrets: Secrets,
) -> Iterator[Notice]:
    """Yield the notices of what has changed.

    `last` are the notices of the entries that waited before, by entry. An entry that is missing
    has ended only where `covered` says that it was read, or where `endings`, by entry, say so.
    """
    present = set[str]()
    for entry in queue.entries:
        notice = notice_of(entry, secrets)
        present.add(notice.entry)
        before = last.get(notice.entry)
        if not before or before.key != notice.key:
            yield notice
    for key, before in last.items():
        is_known = key in endings or covered.has(before)
        if key in present or not is_known:
            continue
        end = ended(before, endings.get(key, Ending()), secrets)
        if end:
            yield end


def _logins(names: Collection[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.removeprefix("@").casefold() for name in names))
