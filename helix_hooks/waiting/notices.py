"""Notices: the changes of what waits, and who is told of them. Pure.

An entry has one notice for each state of a question. Its key is the same in every run, so nobody is
told twice.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from ..config.notify import (
    DECIDED,
    ESCALATED,
    EXPIRED,
    TURN,
    Channel,
    NotifiedPerson,
    NotifySettings,
)
from ..globs import matches
from ..text.cut import one_line
from ..text.invisible import ZERO_WIDTH_SPACE
from ..text.masking import Secrets, masked
from ..text.sanitize import plain, printable
from . import entry as entries
from .entry import Queue, QueueEntry

_EVENTS = {
    entries.WAITING: TURN,
    entries.ESCALATED: ESCALATED,
    entries.EXPIRED: EXPIRED,
    entries.FAILED: TURN,
}
_TITLE, _TEXT, _WAY = 120, 240, 400
"""Maximum characters of a title, of a reason, and of a line to write or to run."""

_MOST_LINES = 3
"""Maximum reasons and ways on; the rest is behind the link."""

_ADDRESS = re.compile(r"https?://[A-Za-z0-9.\[\]:-]+(?:/[A-Za-z0-9._~/?#&=%+-]*)?")
_LONGEST_ADDRESS = 1_000
_NUMBER = re.compile(r"(?<=[\w.-])#(?=\d+(?!\w))")
"""The sign in the id of a pull request, as in acme/shop#12."""

_SIGNS = re.compile(r"(?<=[<{])(?=\S)")
"""Places behind which Slack reads a mention or a link, and other chats an emoji or a macro."""


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


class Address(NamedTuple):
    """A channel of a person, or of a project's glob: then `owner` is "projects:GLOB"."""

    owner: str
    channel: str

    @property
    def is_shared(self) -> bool:
        return self.owner.startswith(_SHARED)


_SHARED = "projects:"  # no login has a colon


def shared_owner(projects: str) -> str:
    """Return the owner of the channels of a project's glob."""
    return f"{_SHARED}{projects}"


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
        id=_copied(entry.id, secrets),
        project=_harmless(entry.project, secrets, _TITLE),
        title=_harmless(entry.title, secrets, _TITLE) or "(without a title)",
        category=_harmless(entry.category, secrets, _TITLE),
        turn=_harmless(entry.turn, secrets, _TITLE),
        asked_by=_harmless(entry.asked_by, secrets, _TITLE),
        asked_at=entry.asked_at,
        due_at=entry.due_at,
        reasons=tuple(_harmless(text, secrets, _TEXT) for text in entry.reasons[:_MOST_LINES]),
        ways_on=tuple(_copied(text, secrets) for text in entry.ways_on[:_MOST_LINES]),
        url=_address(entry.url, secrets),
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
        by=_harmless(ending.by, secrets, _TITLE),
        ways_on=(),
        due_at=0,
    )


def _expired(last: Notice) -> Notice:
    key = f"{last.entry}:{last.asked_at}:{entries.EXPIRED}"
    return last._replace(key=key, event=EXPIRED, outcome=EXPIRED, ways_on=(), due_at=0)


def changes(
    queue: Queue,
    last: Mapping[str, Notice],
    read: Collection[tuple[str, str]],
    endings: Mapping[str, Ending],
    secrets: Secrets,
) -> Iterator[Notice]:
    """Yield the notices of what has changed.

    `last` are the notices of the entries that waited before, by entry. `read` are the sources with
    their projects that were read to the end: only there an entry that is missing has ended.
    `endings` say how, by entry.
    """
    present = set[str]()
    for entry in queue.entries:
        notice = notice_of(entry, secrets)
        present.add(notice.entry)
        before = last.get(notice.entry)
        if not before or before.key != notice.key:
            yield notice
    for key, before in last.items():
        if key in present or (before.source, before.project) not in read:
            continue
        end = ended(before, endings.get(key, Ending()), secrets)
        if end:
            yield end


def addresses(notice: Notice, settings: NotifySettings) -> tuple[Address, ...]:
    """Return the channels that are told of a change, each once."""
    found = [
        Address(person.login, channel.name)
        for person in settings.people
        if notice.event in person.events and _concerns(notice, person)
        for channel in person.channels
    ]
    found += [
        Address(shared_owner(shared.projects), channel.name)
        for shared in settings.shared
        if notice.event in shared.events and matches(notice.project, (shared.projects,))
        for channel in shared.channels
    ]
    return tuple(dict.fromkeys(found))


def channels(settings: NotifySettings, owner: str) -> dict[str, Channel]:
    """Return the channels of an owner by name; none where the settings do not know the owner."""
    own = [person.channels for person in settings.people if person.login == owner]
    own += [
        shared.channels for shared in settings.shared if shared_owner(shared.projects) == owner
    ]
    return {channel.name: channel for found in own for channel in found}


def _concerns(notice: Notice, person: NotifiedPerson) -> bool:
    """Return whether it is a person's turn, or, at the end, whether they asked.

    Nobody is told of their own decision.
    """
    login = person.login.casefold()
    if notice.event == DECIDED and login == login_in(notice.by):
        return False
    if notice.event in (DECIDED, EXPIRED) and login == login_in(notice.asked_by):
        return True
    if login in notice.excluded and login != notice.sole:
        return False
    is_member = any(team.casefold() in notice.teams for team in person.teams)
    has_role = notice.by_role and matches(notice.project, person.projects)
    return login in notice.people or login == notice.sole or is_member or has_role


def login_in(text: str) -> str:
    """Return the login at the beginning of a text, as in "@alice (delegate of @bob)"."""
    word = text.replace(ZERO_WIDTH_SPACE, "").partition(" ")[0]
    return word.removeprefix("@").casefold()


def _logins(names: Collection[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.removeprefix("@").casefold() for name in names))


def _harmless(text: str, secrets: Secrets, most: int) -> str:
    """Return a text as one line that does nothing in a mail or in a chat."""
    return _SIGNS.sub(ZERO_WIDTH_SPACE, one_line(masked(text, secrets), most))


def _copied(text: str, secrets: Secrets) -> str:
    """Return a line or an id to copy; with something live in it, it can't be copied."""
    line = printable(masked(" ".join(text.split()), secrets), _WAY)
    words = _NUMBER.sub("", line).removeprefix("/")
    is_inert = plain(words) == words and not _SIGNS.search(words)
    return line if is_inert else _harmless(text, secrets, _WAY)


def _address(url: str, secrets: Secrets) -> str:
    """Return an address for a link, "" for what is none or has a secret."""
    is_safe = len(url) <= _LONGEST_ADDRESS and _ADDRESS.fullmatch(url)
    return url if is_safe and masked(url, secrets) == url else ""
